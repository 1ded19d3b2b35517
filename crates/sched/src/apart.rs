//! A call of the system that can only block, made by a thread of its own, while the caller waits for it or for an event.
//!
//! *Invariant*: when [`apart`] returns, the call is over: it has been made, and the caller gets its result also if an event is due by
//! then; or it was given up and has had no effect.

use crate::interrupt::{Attention, Interrupted};
use crate::sync::{AtomicBool, Lock, Ordering};
use samite_world::threads;
use std::sync::Arc;
use std::time::Duration;

/// Time between two kicks.
const PATIENCE: Duration = Duration::from_millis(1);

/// How threads of the system are made and disturbed.
pub struct Threads {
    /// Runs a function on a new thread; `false` if there is none.
    pub spawn: fn(Box<dyn FnOnce() + Send>) -> bool,
    /// The calling thread.
    pub me: fn() -> u64,
    /// Has the system interrupt the call in which a thread is, which lives.
    pub kick: fn(u64),
}

struct Progress<T> {
    /// The thread that makes the call, while it does.
    thread: Option<u64>,
    /// The call is over; what it gave, if it was not given up.
    over: bool,
    result: Option<T>,
}

struct State<T> {
    progress: Lock<Progress<T>>,
    given_up: AtomicBool,
}

/// The call is over, also by a panic.
struct End<T>(Arc<State<T>>, Arc<Attention>);

impl<T> Drop for End<T> {
    fn drop(&mut self) {
        let mut progress = self.0.progress.lock();
        progress.thread = None;
        progress.over = true;
        drop(progress);
        self.1.unpark();
    }
}

/// Makes a call. `call` is told by its argument, when the system has interrupted it, whether it is given up: it returns `None` then. A kick
/// may come before the system's call, so it is repeated. Without a thread to make it, the call is made here, deaf.
///
/// Owner of the attention only.
pub fn apart<T: Send + 'static>(
    attention: &Arc<Attention>,
    call: impl Fn(&dyn Fn() -> bool) -> Option<T> + Send + Sync + 'static,
    threads: &Threads,
) -> Result<T, Interrupted> {
    if attention.must_not_wait() {
        return Err(Interrupted);
    }
    let call = Arc::new(call);
    let state = Arc::new(State {
        progress: Lock::new(Progress {
            thread: None,
            over: false,
            result: None,
        }),
        given_up: AtomicBool::new(false),
    });
    let end = End(state.clone(), attention.clone());
    let (its, me) = (call.clone(), threads.me);
    let made = (threads.spawn)(Box::new(move || {
        let state = end.0.clone();
        state.progress.lock().thread = Some(me());
        // Relaxed: no data goes with it, and the kicks are repeated.
        let result = its(&|| state.given_up.load(Ordering::Relaxed));
        state.progress.lock().result = result;
        drop(end);
    }));
    if !made {
        return call(&|| false).ok_or(Interrupted);
    }
    loop {
        let mut progress = state.progress.lock();
        if progress.over {
            return progress.result.take().ok_or(Interrupted);
        }
        if !attention.must_not_wait() {
            drop(progress);
            attention.park(None);
            continue;
        }
        state.given_up.store(true, Ordering::Relaxed);
        // It does not end while its progress is locked.
        progress.thread.inspect(|&thread| (threads.kick)(thread));
        drop(progress);
        threads::sleep(PATIENCE);
    }
}
