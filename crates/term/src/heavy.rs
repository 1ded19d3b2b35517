//! Work of the number library that may take long, want much memory, or go wrong.
//!
//! The library ([`dashu_int`] 0.4.3) looks at nothing while it works: it cannot be interrupted, and where memory is refused it panics.
//! So work on numbers of many bits is done by a thread made for it ([`run`]), while the caller's watches for events; if one
//! ends the computation, the work is abandoned: it stops at its next [`check`], in our own loops between the library's calls, at the
//! latest when one call of the library is over. [`guard`] is for work that is short. Both make a value of what ends the work:
//!
//! ```text
//! the library is refused memory (it panics with one of REFUSALS)   Stop::Refused
//! the work is abandoned                                            Stop::Interrupted; the host has the reason, or memory is missing
//! any other panic, which is a fault of ours or of the library      Stop::Interrupted; the host has the panic as reason ([`Host::fail`])
//! ```
//!
//! The last is printed, and is an error with the place of the panic: no fault passes for missing memory. Without a host it goes on.
//! Where the library is known to be at fault and another way is at hand, the work is an [`attempt`].
//!
//! Who wants to be interrupted sets a host for its thread ([`set_host`]). No host: all work is done at once.

use crate::panics;
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// Why there is no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The library could not do it, most likely for want of memory.
    Refused,
    /// The watch ended it.
    Interrupted,
}

/// Work on fewer bits than this (some milliseconds at most) is done at once.
pub const HEAVY_BITS: usize = 1 << 18;

/// Time between two looks of the watch.
const BETWEEN: Duration = Duration::from_millis(5);

/// What a thread gives to have its heavy work done elsewhere.
#[derive(Clone, Copy)]
pub struct Host {
    /// Asked from time to time while it waits: whether to give the work up.
    pub watch: fn() -> bool,
    /// Does something on a new thread, with a stack of a megabyte (the library divides and conquers, to a depth of the logarithm); false if
    /// there is none to be had.
    pub spawn: fn(Box<dyn FnOnce() + Send>) -> bool,
    /// The operation at hand is given up for want of memory: keeps that as its reason.
    pub refuse: fn(),
    /// The operation at hand is given up because of a panic that says this: keeps that as its reason.
    pub fail: fn(&str),
}

/// What is around the work of a thread.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    Nothing,
    Guard,
    Attempt,
}

thread_local! {
    static HOST: Cell<Option<Host>> = const { Cell::new(None) };
    static LIMIT: Cell<usize> = const { Cell::new(usize::MAX) };
    static AROUND: Cell<Around> = const { Cell::new(Around::Nothing) };
    /// Set by who waits for the work of this thread, when it does not any more.
    static ABANDONED: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// The payload of the panic that ends abandoned work.
struct Abandoned;

/// Sets how the calling thread has heavy work done.
pub fn set_host(host: Option<Host>) {
    HOST.set(host);
}

/// How the calling thread has heavy work done.
pub fn host() -> Option<Host> {
    HOST.get()
}

/// Sets how many bytes the calling thread may use.
pub fn set_limit(bytes: usize) {
    LIMIT.set(bytes);
}

/// How many bytes the calling thread may use.
pub fn limit() -> usize {
    LIMIT.get()
}

/// Whether work of the calling thread can be abandoned ([`abandon`]).
pub fn is_guarded() -> bool {
    AROUND
        .try_with(Cell::get)
        .is_ok_and(|a| a != Around::Nothing)
}

/// Whether a panic of the calling thread is no fault that anybody should see: for the panic hook.
pub fn is_expected(payload: &dyn Any) -> bool {
    match AROUND.try_with(Cell::get) {
        Ok(Around::Attempt) => true,
        Ok(Around::Guard) => is_refusal(payload),
        Ok(Around::Nothing) | Err(_) => false,
    }
}

/// What the number library's panics say where memory is refused (its `error.rs`).
const REFUSALS: [&str; 2] = ["out of memory", "try to allocate too much memory"];

fn is_refusal(payload: &dyn Any) -> bool {
    REFUSALS.contains(&panics::text(payload))
}

/// To be asked by long loops of our own every so often (some milliseconds apart): whether to give up, without a result. The host
/// has the reason and goes on with it.
pub fn is_given_up() -> bool {
    HOST.get().is_some_and(|h| (h.watch)())
}

/// Gives up the operation at hand for want of memory: like an event that ends it ([`Patience`]), what it returns then is looked at by
/// nobody. A thread without a host has nobody who would raise the error: the process ends.
#[cold]
#[inline(never)]
pub fn refuse() {
    match HOST.get() {
        Some(host) => (host.refuse)(),
        None => std::alloc::handle_alloc_error(std::alloc::Layout::new::<u64>()),
    }
}

/// Steps of a loop between two questions whether to give up: some milliseconds at most.
pub const BETWEEN_LOOKS: usize = 1 << 16;

/// What a loop of our own that may be long has, so that it can be given up:
///
/// ```text
/// while … { if patience.is_over() { return … } … }
/// ```
///
/// What the loop returns then is looked at by nobody: the host raises its reason instead, also instead of any error.
#[derive(Debug)]
pub struct Patience {
    left: usize,
}

impl Default for Patience {
    fn default() -> Self {
        Patience::new()
    }
}

impl Patience {
    #[inline]
    pub const fn new() -> Patience {
        Patience {
            left: BETWEEN_LOOKS,
        }
    }
    /// Counts a step; whether to give up.
    #[inline]
    pub fn is_over(&mut self) -> bool {
        self.is_over_after(1)
    }
    /// The same for so many steps.
    #[inline]
    pub fn is_over_after(&mut self, steps: usize) -> bool {
        match self.left.checked_sub(steps) {
            Some(left) => {
                self.left = left;
                false
            }
            None => self.look(),
        }
    }
    #[cold]
    fn look(&mut self) -> bool {
        let over = is_given_up();
        // Once it is over it stays so.
        self.left = if over { 0 } else { BETWEEN_LOOKS };
        over
    }
}

/// Ends the work of a [`guard`] around the caller.
pub fn abandon() -> ! {
    // No hook is called.
    resume_unwind(Box::new(Abandoned))
}

/// To be called by long work between its steps: does not return if the work was abandoned.
pub fn check() {
    // Relaxed: nothing else is told by it.
    let abandoned =
        ABANDONED.try_with(|a| (a.borrow().as_ref()).is_some_and(|a| a.load(Ordering::Relaxed)));
    // (A host's thread at its end is nobody's helper.)
    if abandoned == Ok(true) {
        abandon();
    }
}

/// Does `work`: see the module text.
#[inline]
pub fn guard<T>(work: impl FnOnce() -> T) -> Result<T, Stop> {
    around(Around::Guard, work).map_err(settle)
}

/// Does `work` that may be more than the library can do; `None` after any panic of its own, which nobody sees.
pub fn attempt<T>(work: impl FnOnce() -> T) -> Option<T> {
    match around(Around::Attempt, work) {
        Ok(value) => Some(value),
        Err(Panic::Abandoned) => abandon(),
        Err(Panic::Refused | Panic::Other(..)) => None,
    }
}

/// A panic that was caught.
enum Panic {
    Abandoned,
    Refused,
    /// With what it says and where.
    Other(String, Box<dyn Any + Send>),
}

#[inline]
fn around<T>(what: Around, work: impl FnOnce() -> T) -> Result<T, Panic> {
    let before = AROUND.replace(what);
    let result = catch_unwind(AssertUnwindSafe(work));
    AROUND.set(before);
    result.map_err(panic)
}

#[cold]
fn panic(payload: Box<dyn Any + Send>) -> Panic {
    let line = panics::take();
    if payload.is::<Abandoned>() {
        Panic::Abandoned
    } else if is_refusal(&*payload) {
        Panic::Refused
    } else {
        let text = match &line {
            Some(line) => line.as_str(),
            None => panics::text(&*payload),
        };
        Panic::Other(text.to_string(), payload)
    }
}

/// Why there is no result, for who waits for it.
#[cold]
fn settle(panic: Panic) -> Stop {
    match (panic, HOST.get()) {
        (Panic::Abandoned, _) => Stop::Interrupted,
        (Panic::Refused, _) => Stop::Refused,
        (Panic::Other(text, _), Some(host)) if AROUND.get() != Around::Attempt => {
            (host.fail)(&text);
            Stop::Interrupted
        }
        // To who can do without, or to the end of the thread.
        (Panic::Other(_, payload), _) => resume_unwind(payload),
    }
}

/// Does `work` on numbers of `bits` bits in all.
#[inline]
pub fn run<T: Send + 'static>(
    bits: usize,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Stop> {
    // Within heavy work there is nobody to watch.
    match HOST.get() {
        Some(host) if bits >= HEAVY_BITS => run_watched(host, work),
        _ => guard(work),
    }
}

#[cold]
#[inline(never)]
fn run_watched<T: Send + 'static>(
    host: Host,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Stop> {
    let result = Arc::new(Mutex::new(None));
    let theirs = result.clone();
    let work = Box::new(move || {
        let r = around(Around::Guard, work);
        *lock(&theirs) = Some(r);
    });
    watch(host, work)?;
    let result = lock(&result).take();
    result.unwrap_or(Err(Panic::Refused)).map_err(settle)
}

/// Work that leaves its result somewhere.
type Work = Box<dyn FnOnce() + Send>;

/// What a thread does for another one that watches.
struct Job {
    stage: Mutex<Stage>,
    over: Condvar,
}

enum Stage {
    /// For whoever takes it.
    Offered(Work),
    Taken,
    Over,
}

impl Job {
    fn take(&self) -> Option<Work> {
        let mut stage = lock(&self.stage);
        match std::mem::replace(&mut *stage, Stage::Taken) {
            Stage::Offered(work) => Some(work),
            other => {
                *stage = other;
                None
            }
        }
    }
}

/// Ends a job whatever happens to the thread that has it.
struct Ending(Arc<Job>);

impl Drop for Ending {
    fn drop(&mut self) {
        *lock(&self.0.stage) = Stage::Over;
        self.0.over.notify_all();
    }
}

/// Has work done by a thread made for it, or does it if there is none to be had. Returns when it is done, or not to be waited for any more.
fn watch(host: Host, work: Work) -> Result<(), Stop> {
    if (host.watch)() {
        return Err(Stop::Interrupted);
    }
    let abandoned = Arc::new(AtomicBool::new(false));
    let job = Arc::new(Job {
        stage: Mutex::new(Stage::Offered(work)),
        over: Condvar::new(),
    });
    let (flag, theirs) = (abandoned.clone(), job.clone());
    let helped = (host.spawn)(Box::new(move || {
        let Some(work) = theirs.take() else { return };
        let _ending = Ending(theirs);
        ABANDONED.set(Some(flag));
        work();
    }));
    if !helped {
        return match job.take() {
            Some(work) => {
                work();
                Ok(())
            }
            None => Err(Stop::Refused),
        };
    }
    let is_over = |stage: &mut Stage| matches!(stage, Stage::Over);
    loop {
        let stage = lock(&job.stage);
        let waited = (job.over).wait_timeout_while(stage, BETWEEN, |s| !is_over(s));
        let (mut stage, _) = waited.unwrap_or_else(|e| e.into_inner());
        if is_over(&mut stage) {
            return Ok(());
        }
        drop(stage);
        if (host.watch)() {
            // Relaxed: see `check`.
            abandoned.store(true, Ordering::Relaxed);
            return Err(Stop::Interrupted);
        }
    }
}

/// Nothing that is locked here is left half done.
fn lock<T>(m: &Mutex<T>) -> MutexGuard<'_, T> {
    m.lock().unwrap_or_else(|e| e.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn a_long_loop_looks_now_and_then() {
        thread_local!(static LOOKS: Cell<usize> = const { Cell::new(0) });
        set_host(Some(Host {
            watch: || {
                LOOKS.set(LOOKS.get() + 1);
                LOOKS.get() > 3
            },
            spawn: |_| false,
            refuse: || {},
            fail: |_| {},
        }));
        let mut patience = Patience::new();
        let steps = (1..).find(|_| patience.is_over());
        assert_eq!(steps, Some(4 * (BETWEEN_LOOKS + 1)));
        assert_eq!(LOOKS.get(), 4);
        // It stays over, and no loop after it goes on for long.
        assert!(patience.is_over());
        let mut patience = Patience::new();
        assert!(patience.is_over_after(BETWEEN_LOOKS + 1));
        set_host(None);
    }

    #[test]
    fn a_panic_is_a_refusal_if_it_says_so() {
        let host = || {
            set_host(Some(Host {
                watch: || false,
                spawn: |f| std::thread::Builder::new().spawn(f).is_ok(),
                refuse: || {},
                fail: |text| FAILED.set(Some(text.to_string())),
            }));
        };
        thread_local!(static FAILED: Cell<Option<String>> = const { Cell::new(None) });
        let fault = || Vec::<u8>::new()[0];
        let failed = || FAILED.take().is_some_and(|f| f.contains("index"));
        host();
        assert_eq!(guard(|| 1), Ok(1));
        assert_eq!(
            guard(|| -> u8 { panic!("out of memory") }),
            Err(Stop::Refused)
        );
        assert!(!failed());
        assert_eq!(guard(fault), Err(Stop::Interrupted));
        assert!(failed());
        // Wherever the work is done.
        for bits in [0, HEAVY_BITS] {
            assert_eq!(run(bits, fault), Err(Stop::Interrupted));
            assert!(failed());
        }
        // Who attempts something hears of all of it, and nobody else.
        assert_eq!(attempt(|| 1), Some(1));
        assert_eq!(attempt(fault), None);
        assert_eq!(attempt(|| guard(fault).is_ok()), None);
        assert!(!failed() && !is_guarded());
        assert_eq!(
            guard(|| attempt(|| abandon())),
            Err::<Option<()>, _>(Stop::Interrupted)
        );
        assert!(!failed());
        // With nobody to tell, it goes on.
        set_host(None);
        assert!(catch_unwind(|| guard(fault)).is_err());
    }

    #[test]
    fn work_is_abandoned_when_the_watch_says_so() {
        let endless = || -> u8 {
            loop {
                check();
                std::thread::yield_now();
            }
        };
        set_host(Some(Host {
            watch: || {
                thread_local!(static LOOKS: Cell<u32> = const { Cell::new(0) });
                LOOKS.set(LOOKS.get() + 1);
                LOOKS.get() > 3
            },
            spawn: |f| std::thread::Builder::new().spawn(f).is_ok(),
            refuse: || {},
            fail: |_| {},
        }));
        let start = Instant::now();
        assert_eq!(run(HEAVY_BITS, endless), Err(Stop::Interrupted));
        assert!(start.elapsed() < Duration::from_secs(60));
        set_host(None);
        assert_eq!(run(HEAVY_BITS, || 2), Ok(2));
    }
}
