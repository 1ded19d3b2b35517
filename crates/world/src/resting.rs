//! OS threads whose work is done: each waits for more for a moment before it ends. Making one takes the system several times as long as waking one.
//!
//! *Invariants*: 1. Who takes one from [`RESTING`] hands it work; nobody else does. 2. One that leaves because its time is over has taken itself from there, so nobody hands it
//! work any more. 3. At most [`MOST`] rest at a time. 4. What an OS thread has from its system is that of a new one but for the number, and for the processor time, of which it
//! says how much was others' ([`others_time`]): it has been made under the same mask of signals, in this process, and none works again when any has been bound to processors.

use crate::clock;
use std::cell::Cell;
use std::collections::HashMap;
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// So many rest at a time.
const MOST: usize = 8;
/// For so long.
const REST: Duration = Duration::from_millis(100);

/// What an OS thread is to do.
pub(crate) type Work = Box<dyn FnOnce() + Send>;

struct Resting {
    kind: Kind,
    work: Mutex<Option<Work>>,
    bell: Condvar,
}

/// What one must be like to do some work.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kind {
    /// Bytes of its stack.
    pub stack: usize,
    /// The signals that it does not hear of, as the system's bits.
    pub mask: u64,
    /// The process that it is in: what a child finds here is not there.
    pub process: u32,
}

/// Those that rest, who has begun last at the end.
static RESTING: Mutex<Vec<Arc<Resting>>> = Mutex::new(Vec::new());

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // (Nothing is left half done under these locks.)
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has one of that kind do this; what is to be done comes back if none rests.
pub(crate) fn hand(kind: Kind, work: Work) -> Result<(), Work> {
    let mut resting = lock(&RESTING);
    let Some(at) = resting.iter().rposition(|r| r.kind == kind) else {
        return Err(work);
    };
    let one = resting.remove(at);
    drop(resting);
    *lock(&one.work) = Some(work);
    one.bell.notify_one();
    Ok(())
}

/// How an OS thread rests.
#[derive(Clone, Copy)]
pub(crate) struct Rest {
    pub kind: Kind,
    /// What it does when it has rested for nothing: what many that ended at a time have left is in nobody's way, and in use.
    pub over: fn(),
}

/// The calling OS thread rests; `None`: it is to end.
pub(crate) fn more_work(Rest { kind, over }: Rest) -> Option<Work> {
    let me = Arc::new(Resting {
        kind,
        work: Mutex::new(None),
        bell: Condvar::new(),
    });
    let mut resting = lock(&RESTING);
    if resting.len() >= MOST {
        return None;
    }
    resting.push(me.clone());
    drop(resting);
    let mut limit = REST;
    loop {
        let work = lock(&me.work);
        let waited = me.bell.wait_timeout_while(work, limit, |w| w.is_none());
        let (mut work, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if let Some(work) = work.take() {
            begin_again();
            return Some(work);
        }
        drop(work);
        let mut resting = lock(&RESTING);
        if let Some(at) = resting.iter().position(|r| Arc::ptr_eq(r, &me)) {
            resting.remove(at);
            drop(resting);
            over();
            return None;
        }
        // (Invariant 1: it has been taken, and work is coming.)
        limit = Duration::MAX;
    }
}

thread_local! {
    /// Seconds of processor time that the calling OS thread has spent on what it did before.
    static BEFORE: Cell<f64> = const { Cell::new(0.0) };
}

/// The same of each that works again, by the system's numbers.
static ALL_BEFORE: LazyLock<Mutex<HashMap<i32, f64>>> = LazyLock::new(Mutex::default);

fn begin_again() {
    let spent = clock::of_system(clock::Whose::Mine);
    BEFORE.set(spent);
    lock(&ALL_BEFORE).insert(crate::threads::number() as i32, spent);
}

/// The calling OS thread ends.
pub(crate) fn end() {
    if BEFORE.get() > 0.0 {
        lock(&ALL_BEFORE).remove(&(crate::threads::number() as i32));
    }
}

/// Seconds of processor time that were not spent on what an OS thread does now.
pub(crate) fn others_time(whose: clock::Whose) -> f64 {
    match whose {
        clock::Whose::Process => 0.0,
        clock::Whose::Mine => BEFORE.get(),
        clock::Whose::Thread(number) => lock(&ALL_BEFORE).get(&number).copied().unwrap_or(0.0),
    }
}

#[cfg(test)]
mod tests {
    use crate::clock::{Whose, processor};
    use crate::threads::{number, spawn_for};
    use std::collections::HashSet;
    use std::sync::mpsc::channel;

    /// Work that comes one after the other is done by few OS threads; each piece has the processor time of its own.
    #[test]
    fn threads_that_rest_work_again() {
        let (done, all) = channel();
        let mut numbers = HashSet::new();
        for _ in 0..200 {
            let done = done.clone();
            let work = move || {
                let before = processor(Whose::Mine);
                let mut sum = 0u64;
                while processor(Whose::Mine) < before + 0.002 {
                    sum = sum.wrapping_add(std::hint::black_box(1));
                }
                let seen = processor(Whose::Thread(number() as i32));
                done.send((number(), before, seen, sum)).unwrap();
            };
            assert!(spawn_for("", 1 << 18, |_| false, || (), work));
            let (number, before, seen, _) = all.recv().unwrap();
            numbers.insert(number);
            assert!(before < 0.05, "{before} s were others'");
            assert!((0.002..0.1).contains(&seen), "{seen} s");
        }
        // (Together they take .4 s.)
        assert!(numbers.len() < 150, "{} OS threads", numbers.len());
    }

    /// Nothing is lost where many rest, end and begin at a time, and some panic.
    #[test]
    fn all_that_is_handed_is_done() {
        let (done, all) = channel();
        for round in 0..50 {
            for i in 0..20u32 {
                let done = done.clone();
                let work = move || {
                    done.send(i).unwrap();
                    if i % 7 == 0 && round % 10 == 0 {
                        std::panic::resume_unwind(Box::new(()));
                    }
                };
                assert!(spawn_for("", 1 << 18, |_| false, || (), work));
            }
            let sum: u32 = (0..20).map(|_| all.recv().unwrap()).sum();
            assert_eq!(sum, 190);
        }
    }
}
