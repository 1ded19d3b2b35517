//! Work of the number library that may take long, want much memory, or go wrong.
//!
//! The library ([`dashu_int`] 0.4.3) looks at nothing while it works: it cannot be interrupted, and where memory is refused it panics.
//! So work on numbers of many bits is done by a thread made for it ([`run`]), while the caller's watches for events; if one
//! ends the computation, the work is abandoned: it stops at its next [`check`], in our own loops between the library's calls, at the
//! latest when one call of the library is over. [`guard`] makes a panic a value, for work that is short.
//!
//! Who wants to be interrupted sets a host for its thread ([`set_host`]). No host: all work is done at once.

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
}

thread_local! {
    static HOST: Cell<Option<Host>> = const { Cell::new(None) };
    static LIMIT: Cell<usize> = const { Cell::new(usize::MAX) };
    static GUARDED: Cell<bool> = const { Cell::new(false) };
    /// Set by who waits for the work of this thread, when it does not any more.
    static ABANDONED: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// The payload of the panic that ends abandoned work.
struct Abandoned;

/// Sets how the calling thread has heavy work done.
pub fn set_host(host: Option<Host>) {
    HOST.set(host);
}

/// Sets how many bytes the calling thread may use.
pub fn set_limit(bytes: usize) {
    LIMIT.set(bytes);
}

/// How many bytes the calling thread may use.
pub fn limit() -> usize {
    LIMIT.get()
}

/// Whether a panic of the calling thread is caught and no business of the user's: for the panic hook.
pub fn is_guarded() -> bool {
    GUARDED.try_with(Cell::get).unwrap_or(false)
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
        ABANDONED.with_borrow(|a| a.as_ref().is_some_and(|a| a.load(Ordering::Relaxed)));
    if abandoned {
        abandon();
    }
}

/// Does `work`; a panic in it is [`Stop::Refused`].
#[inline]
pub fn guard<T>(work: impl FnOnce() -> T) -> Result<T, Stop> {
    let before = GUARDED.replace(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(before);
    result.map_err(reason)
}

#[cold]
fn reason(payload: Box<dyn Any + Send>) -> Stop {
    match payload.is::<Abandoned>() {
        true => Stop::Interrupted,
        false => Stop::Refused,
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
        let r = guard(work);
        *lock(&theirs) = Some(r);
    });
    watch(host, work)?;
    let result = lock(&result).take();
    result.unwrap_or(Err(Stop::Refused))
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
    fn a_panic_is_a_refusal() {
        assert_eq!(guard(|| 1), Ok(1));
        assert_eq!(guard(|| Vec::<u8>::new()[0]), Err(Stop::Refused));
        assert!(!is_guarded());
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
        }));
        let start = Instant::now();
        assert_eq!(run(HEAVY_BITS, endless), Err(Stop::Interrupted));
        assert!(start.elapsed() < Duration::from_secs(60));
        set_host(None);
        assert_eq!(run(HEAVY_BITS, || 2), Ok(2));
    }
}
