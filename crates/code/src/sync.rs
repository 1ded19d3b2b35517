//! What threads meet at, so that loom can stand in for it (`RUSTFLAGS="--cfg loom"`): the atomics and locks of predicates, clause lists
//! and the reclaimer. What no model touches (names, blocks of code) uses the real ones everywhere.

#[cfg(not(loom))]
pub(crate) use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, fence};

#[cfg(not(loom))]
pub(crate) use parking_lot::{Mutex, MutexGuard};

#[cfg(loom)]
pub(crate) use loom::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, fence};

#[cfg(loom)]
pub(crate) use loom::sync::MutexGuard;

/// A mutex of loom's that is used as the real one.
#[cfg(loom)]
#[derive(Debug)]
pub(crate) struct Mutex<T>(loom::sync::Mutex<T>);

#[cfg(loom)]
impl<T> Mutex<T> {
    pub(crate) fn new(value: T) -> Mutex<T> {
        Mutex(loom::sync::Mutex::new(value))
    }
    pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().expect("nothing panics under a lock")
    }
    /// (Not known of loom's.)
    pub(crate) fn is_locked(&self) -> bool {
        true
    }
}

/// Somebody else is to go on first, who is to be waited for a moment.
pub(crate) fn pause() {
    #[cfg(loom)]
    loom::thread::yield_now();
    #[cfg(not(loom))]
    std::thread::yield_now();
}

/// A variable of the process; of one execution, under loom.
macro_rules! shared {
    ($(#[$doc:meta])* static $name:ident: $type:ty = $value:expr;) => {
        #[cfg(not(loom))]
        $(#[$doc])*
        static $name: $type = $value;
        #[cfg(loom)]
        loom::lazy_static! {
            $(#[$doc])*
            static ref $name: $type = $value;
        }
    };
}
pub(crate) use shared;
