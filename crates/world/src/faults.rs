//! Faults on demand: any call of the system fails as the system may have it fail.
//!
//! `SAMITE_FAULTS` says which, in parts with commas between them:
//!
//! | part | meaning | default |
//! |---|---|---|
//! | `seed=N` | which calls fail, and how | 1 |
//! | `rate=N` | one call in N fails, on average; N ≥ 1 | 100 |
//! | `nth=N` | instead: of each thread the N-th call at each door, and no other | |
//! | `doors=D+D…` | only these; one may have a rate of its own, as `open:20` | all |
//! | `largest=N` | larger objects are refused, always; `K`, `M` and `G` may follow | none are |
//! | `said` | each fault is told on standard error | |
//!
//! Only what is larger than [`SPARED`] is refused at the door `memory`: less is taken without asking (`samite_term::growth`), for which the allocator
//! keeps something where memory is limited.
//!
//! A program for tests may begin and end them itself ([`inject`], [`end`]).
//!
//! *Equations*: what happens at a thread's n-th call at a door since [`inject`] is a function of seed, thread, door and n, where threads are counted in
//! the order of their first calls; so one thread meets the same faults in each run. A fault that asks for the call to be repeated (`EINTR`, `EAGAIN`) is no answer to
//! the call after one that did.
//!
//! Nothing here allocates or takes a lock: the allocator asks, too.

use crate::random;
use rustix::io::Errno;
use std::cell::Cell;
use std::io;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

/// Where a call goes out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Door {
    /// Opening a file.
    Open,
    Read,
    Write,
    Seek,
    /// What is known about a file; where links lead.
    Metadata,
    /// Reading the names in a directory.
    Directory,
    /// The working directory.
    Place,
    /// Making, renaming and deleting names.
    Change,
    /// New descriptors without a name: pipes, events, copies.
    Pipe,
    /// Waiting for a descriptor.
    Poll,
    /// Starting a process.
    Process,
    /// Its exit status.
    Wait,
    /// Starting a thread.
    Thread,
    /// The time of day.
    Clock,
    Random,
    Sleep,
    /// Mapping memory for a heap.
    Map,
    /// Mapping memory for tables.
    Tables,
    /// Allocating a large object.
    Memory,
    /// Making, binding and setting up sockets.
    Socket,
    Accept,
    Connect,
    /// Asking for hosts and services.
    Name,
}

/// What a call may meet beside success.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    Error(Errno),
    /// A part is read or written.
    Short,
    /// The call succeeds, with another answer.
    Other,
}

const fn e(error: Errno) -> Fault {
    Fault::Error(error)
}

/// All doors with their names and what may happen there, in the order of [`Door`].
const DOORS: [(Door, &str, &[Fault]); 23] = [
    (
        Door::Open,
        "open",
        &[
            e(Errno::MFILE),
            e(Errno::NFILE),
            e(Errno::IO),
            e(Errno::NOMEM),
            e(Errno::ACCESS),
            e(Errno::INTR),
        ],
    ),
    (
        Door::Read,
        "read",
        &[e(Errno::IO), Fault::Short, e(Errno::INTR), e(Errno::AGAIN)],
    ),
    (
        Door::Write,
        "write",
        &[
            e(Errno::NOSPC),
            e(Errno::IO),
            Fault::Short,
            e(Errno::INTR),
            e(Errno::AGAIN),
        ],
    ),
    (Door::Seek, "seek", &[e(Errno::IO), e(Errno::OVERFLOW)]),
    (Door::Metadata, "metadata", &[e(Errno::IO), e(Errno::NOMEM)]),
    (
        Door::Directory,
        "directory",
        &[e(Errno::MFILE), e(Errno::IO), e(Errno::NOMEM)],
    ),
    (Door::Place, "place", &[e(Errno::IO), e(Errno::NOMEM)]),
    (
        Door::Change,
        "change",
        &[e(Errno::NOSPC), e(Errno::IO), e(Errno::ROFS)],
    ),
    (
        Door::Pipe,
        "pipe",
        &[e(Errno::MFILE), e(Errno::NFILE), e(Errno::NOMEM)],
    ),
    (Door::Poll, "poll", &[e(Errno::INTR), e(Errno::NOMEM)]),
    (
        Door::Process,
        "process",
        &[e(Errno::AGAIN), e(Errno::NOMEM), e(Errno::MFILE)],
    ),
    (Door::Wait, "wait", &[e(Errno::CHILD)]),
    (Door::Thread, "thread", &[e(Errno::AGAIN)]),
    (Door::Clock, "clock", &[Fault::Other]),
    (Door::Random, "random", &[e(Errno::IO), e(Errno::MFILE)]),
    (Door::Sleep, "sleep", &[Fault::Other]),
    (Door::Map, "map", &[e(Errno::NOMEM)]),
    (Door::Tables, "tables", &[e(Errno::NOMEM)]),
    (Door::Memory, "memory", &[e(Errno::NOMEM)]),
    (
        Door::Socket,
        "socket",
        &[e(Errno::MFILE), e(Errno::NFILE), e(Errno::NOBUFS)],
    ),
    (
        Door::Accept,
        "accept",
        &[
            e(Errno::MFILE),
            e(Errno::CONNABORTED),
            e(Errno::INTR),
            e(Errno::AGAIN),
        ],
    ),
    (
        Door::Connect,
        "connect",
        &[e(Errno::CONNREFUSED), e(Errno::TIMEDOUT), e(Errno::INTR)],
    ),
    (Door::Name, "name", &[e(Errno::AGAIN)]),
];

const _: () = {
    let mut i = 0;
    while i < DOORS.len() {
        assert!(DOORS[i].0 as usize == i && !DOORS[i].2.is_empty());
        i += 1;
    }
};

/// Bytes that are not refused.
pub const SPARED: usize = 16 << 10;

/// Doors at which faults happen, a bit for each. Relaxed, as all here: a thread that sees an old value is one whose call came before.
static OPEN: AtomicU32 = AtomicU32::new(0);
static SEED: AtomicU64 = AtomicU64::new(1);
/// Of each door.
static RATES: [AtomicU32; DOORS.len()] = [const { AtomicU32::new(100) }; DOORS.len()];
/// 0: by rate.
static NTH: AtomicU64 = AtomicU64::new(0);
static LARGEST: AtomicUsize = AtomicUsize::new(usize::MAX);
static SAID: AtomicU32 = AtomicU32::new(0);
/// Threads that have come to a door since the last [`inject`], how many of these there were, and faults since.
static THREADS: AtomicU64 = AtomicU64::new(0);
static INJECTED: AtomicU64 = AtomicU64::new(0);
static MET: AtomicU64 = AtomicU64::new(0);

/// What a thread has met.
#[derive(Clone, Copy)]
struct Past {
    /// Since which [`inject`].
    since: u64,
    /// Its number, from 1.
    thread: u64,
    calls: [u64; DOORS.len()],
    /// Doors whose last call was to be repeated.
    repeats: u32,
}

thread_local! {
    static PAST: Cell<Past> = const {
        Cell::new(Past { since: 0, thread: 0, calls: [0; DOORS.len()], repeats: 0 })
    };
}

#[inline]
fn happens(door: Door) -> Option<Fault> {
    if OPEN.load(Ordering::Relaxed) & (1 << door as u8) == 0 {
        return None;
    }
    drawn(door).map(|(fault, _)| fault)
}

/// Nothing, or the error that this call meets.
#[inline]
pub fn check(door: Door) -> io::Result<()> {
    match happens(door) {
        Some(Fault::Error(e)) => Err(e.into()),
        _ => Ok(()),
    }
}

/// How many of `n` bytes this call takes at most, or the error that it meets.
#[inline]
pub(crate) fn some_of(door: Door, n: usize) -> io::Result<usize> {
    match happens(door) {
        Some(Fault::Error(e)) => Err(e.into()),
        Some(_) => Ok(n.min(1)),
        None => Ok(n),
    }
}

/// A number by which the answer is another one.
pub(crate) fn number(door: Door) -> Option<u64> {
    if OPEN.load(Ordering::Relaxed) & (1 << door as u8) == 0 {
        return None;
    }
    drawn(door).map(|(_, n)| n)
}

/// Whether so many bytes are refused, for whoever allocates them.
#[inline]
pub fn refuses(bytes: usize) -> bool {
    OPEN.load(Ordering::Relaxed) & (1 << Door::Memory as u8) != 0 && refuses_now(bytes)
}

#[cold]
fn refuses_now(bytes: usize) -> bool {
    bytes > LARGEST.load(Ordering::Relaxed)
        || bytes > SPARED
            && RATES[Door::Memory as usize].load(Ordering::Relaxed) != 0
            && drawn(Door::Memory).is_some()
}

/// What happens to this call, and a number that belongs to it.
#[cold]
fn drawn(door: Door) -> Option<(Fault, u64)> {
    let i = door as usize;
    let mut past = PAST.get();
    let injected = INJECTED.load(Ordering::Relaxed);
    if past.since != injected {
        past = Past {
            since: injected,
            thread: THREADS.fetch_add(1, Ordering::Relaxed) + 1,
            calls: [0; DOORS.len()],
            repeats: 0,
        };
    }
    past.calls[i] += 1;
    let repeats = past.repeats & (1 << i) != 0;
    past.repeats &= !(1 << i);
    let (n, nth) = (past.calls[i], NTH.load(Ordering::Relaxed));
    let seed = SEED.load(Ordering::Relaxed);
    let r = random::mixed(
        random::mixed(random::mixed(seed) ^ past.thread) ^ (n * DOORS.len() as u64 + i as u64),
    );
    let fails = match nth {
        0 => r.is_multiple_of(RATES[i].load(Ordering::Relaxed).max(1).into()),
        nth => n == nth,
    };
    let kinds = DOORS[i].2;
    let kind = kinds[(random::mixed(r) % kinds.len() as u64) as usize];
    let again = matches!(kind, Fault::Error(Errno::INTR | Errno::AGAIN));
    let happens = fails && !(again && repeats);
    if happens && again {
        past.repeats |= 1 << i;
    }
    PAST.set(past);
    if happens {
        MET.fetch_add(1, Ordering::Relaxed);
    }
    if happens && SAID.load(Ordering::Relaxed) != 0 {
        say(door, kind, past.thread, n);
    }
    happens.then_some((kind, random::mixed(!r)))
}

/// Tells of a fault, past all doors.
fn say(door: Door, kind: Fault, thread: u64, n: u64) {
    use io::Write;
    let mut line = [0u8; 120];
    let mut rest = &mut line[..];
    let name = DOORS[door as usize].1;
    let _ = match kind {
        Fault::Error(e) => writeln!(rest, "fault: {name} {n} of thread {thread}: {e:?}"),
        kind => writeln!(rest, "fault: {name} {n} of thread {thread}: {kind:?}"),
    };
    let left = rest.len();
    let end = line.len() - left;
    let _ = rustix::io::write(rustix::stdio::stderr(), &line[..end]);
}

/// What the variable says. Nothing is set if the error says what is wrong with it.
struct Wish {
    seed: u64,
    nth: u64,
    rates: [u32; DOORS.len()],
    open: u32,
    largest: usize,
    said: bool,
}

fn parsed(text: &str) -> Option<Wish> {
    const ALL: u32 = (1 << DOORS.len()) - 1;
    let mut wish = Wish {
        seed: 1,
        nth: 0,
        rates: [0; DOORS.len()],
        open: 0,
        largest: usize::MAX,
        said: false,
    };
    let (mut rate, mut doors) = (None, None);
    let positive = |t: &str| t.parse::<u32>().ok().filter(|&n| n > 0);
    for part in text.split(',') {
        match part.split_once('=') {
            Some(("seed", n)) => wish.seed = n.parse().ok()?,
            Some(("rate", n)) => rate = Some(positive(n)?),
            Some(("nth", n)) => wish.nth = positive(n)?.into(),
            Some(("doors", names)) => doors = Some(names),
            Some(("largest", n)) => wish.largest = size(n)?,
            None if part == "said" => wish.said = true,
            _ => return None,
        }
    }
    match doors {
        Some(names) => {
            for name in names.split('+') {
                let (name, own) = match name.split_once(':') {
                    Some((name, n)) => (name, Some(positive(n)?)),
                    None => (name, None),
                };
                let i = DOORS.iter().position(|d| d.1 == name)?;
                wish.open |= 1 << i;
                wish.rates[i] = own.or(rate).unwrap_or(100);
            }
        }
        // Who asks for the largest object only asks for nothing else.
        None if wish.largest != usize::MAX && rate.is_none() && wish.nth == 0 => {}
        None => {
            wish.open = ALL;
            wish.rates = [rate.unwrap_or(100); DOORS.len()];
        }
    }
    if wish.largest != usize::MAX {
        wish.open |= 1 << Door::Memory as u8;
    }
    Some(wish)
}

/// Digits and an optional unit.
fn size(text: &str) -> Option<usize> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match &text[digits.len()..] {
        "" => 0,
        "k" | "K" => 10,
        "m" | "M" => 20,
        "g" | "G" => 30,
        _ => return None,
    };
    digits.parse::<usize>().ok()?.checked_mul(1 << shift)
}

/// The names of all doors.
pub fn doors() -> impl Iterator<Item = &'static str> {
    DOORS.iter().map(|d| d.1)
}

/// Reads the environment; the error says what is wrong.
pub fn from_environment() -> Result<(), String> {
    let Some(value) = std::env::var_os("SAMITE_FAULTS") else {
        return Ok(());
    };
    match value.to_str() {
        Some(text) if inject(text) => Ok(()),
        _ => Err(format!(
            "SAMITE_FAULTS={}: not of the form seed=N,rate=N,doors=D+D",
            value.display()
        )),
    }
}

/// From now on there are these faults and no others; false if the text is malformed, and nothing has changed then.
pub fn inject(text: &str) -> bool {
    let Some(wish) = parsed(text) else {
        return false;
    };
    end();
    SEED.store(wish.seed, Ordering::Relaxed);
    NTH.store(wish.nth, Ordering::Relaxed);
    for (to, rate) in RATES.iter().zip(wish.rates) {
        to.store(rate, Ordering::Relaxed);
    }
    LARGEST.store(wish.largest, Ordering::Relaxed);
    SAID.store(wish.said.into(), Ordering::Relaxed);
    THREADS.store(0, Ordering::Relaxed);
    INJECTED.fetch_add(1, Ordering::Relaxed);
    OPEN.store(wish.open, Ordering::Relaxed);
    true
}

/// From now on there are none; how many there were since [`inject`].
pub fn end() -> u64 {
    OPEN.store(0, Ordering::Relaxed);
    MET.swap(0, Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_malformed_is_refused() {
        for bad in [
            "",
            "rate",
            "rate=0",
            "rate=x",
            "seed=",
            "doors=",
            "doors=window",
            "doors=open:0",
            "doors=open++read",
            "largest=3x",
            "nth=0",
            "said=1",
            "seed=1,,rate=2",
            "seed=-1",
        ] {
            assert!(parsed(bad).is_none(), "{bad}");
        }
        let w = parsed("seed=7,rate=50,doors=open+read:3").expect("well-formed");
        assert_eq!((w.seed, w.open), (7, 0b11));
        assert_eq!(w.rates[..3], [50, 3, 0]);
        let w = parsed("largest=64k").expect("well-formed");
        assert_eq!((w.largest, w.open), (64 << 10, 1 << Door::Memory as u8));
        assert_eq!(w.rates, [0; DOORS.len()]);
    }

    /// The only test that injects: the others of this process must see none, so it is at a door that nobody else uses.
    #[test]
    fn equal_seeds_give_equal_faults() {
        let run = |seed| {
            PAST.set(Past {
                since: 0,
                thread: 5,
                calls: [0; DOORS.len()],
                repeats: 0,
            });
            SEED.store(seed, Ordering::Relaxed);
            (0..1000)
                .map(|_| drawn(Door::Poll).map(|d| d.0))
                .collect::<Vec<_>>()
        };
        RATES[Door::Poll as usize].store(3, Ordering::Relaxed);
        let (a, b, c) = (run(7), run(7), run(8));
        assert_eq!(a, b);
        assert_ne!(a, c);
        let met = a.iter().flatten().count();
        assert!((200..450).contains(&met), "{met}");
        let interrupted = Some(Fault::Error(Errno::INTR));
        assert!(
            !a.windows(2)
                .any(|w| w[0] == interrupted && w[1] == interrupted)
        );
    }
}
