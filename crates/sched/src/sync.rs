//! The synchronisation primitives of this crate, so that loom can stand in for the real ones
//! (`RUSTFLAGS="--cfg loom"`).
//!
//! Locks here ignore poisoning: the only foreign code that runs under one is the `matches` callback of a queue, and no
//! structure is half changed while it runs.

use std::ops::{Deref, DerefMut};
use std::time::Duration;

#[cfg(loom)]
use loom::sync as base;
#[cfg(not(loom))]
use std::sync as base;

pub(crate) use base::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence};

/// A mutual exclusion lock around a value.
#[derive(Debug)]
pub(crate) struct Lock<T>(base::Mutex<T>);

/// Access to the value of a [`Lock`].
pub(crate) struct LockGuard<'a, T>(base::MutexGuard<'a, T>);

impl<T: Default> Default for Lock<T> {
    fn default() -> Self {
        Lock::new(T::default())
    }
}

impl<T> Lock<T> {
    pub(crate) fn new(value: T) -> Lock<T> {
        Lock(base::Mutex::new(value))
    }
    pub(crate) fn lock(&self) -> LockGuard<'_, T> {
        LockGuard(self.0.lock().unwrap_or_else(|e| e.into_inner()))
    }
}

impl<T> Deref for LockGuard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for LockGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

/// What a thread sleeps on while it has given up a [`Lock`].
#[derive(Debug)]
pub(crate) struct Bell(base::Condvar);

impl Bell {
    pub(crate) fn new() -> Bell {
        Bell(base::Condvar::new())
    }
    /// Gives up the lock, sleeps until rung, for at most `limit`, or for no reason; takes the lock again.
    pub(crate) fn wait<'a, T>(
        &self,
        guard: LockGuard<'a, T>,
        limit: Option<Duration>,
    ) -> LockGuard<'a, T> {
        LockGuard(match limit {
            None => self.0.wait(guard.0).unwrap_or_else(|e| e.into_inner()),
            Some(t) => {
                self.0
                    .wait_timeout(guard.0, t)
                    .unwrap_or_else(|e| e.into_inner())
                    .0
            }
        })
    }
    pub(crate) fn ring(&self) {
        self.0.notify_one();
    }
}

/// A lock that many may hold for reading.
#[derive(Debug)]
pub(crate) struct SharedLock<T>(base::RwLock<T>);

impl<T> SharedLock<T> {
    pub(crate) fn new(value: T) -> SharedLock<T> {
        SharedLock(base::RwLock::new(value))
    }
    pub(crate) fn read(&self) -> base::RwLockReadGuard<'_, T> {
        self.0.read().unwrap_or_else(|e| e.into_inner())
    }
    pub(crate) fn write(&self) -> base::RwLockWriteGuard<'_, T> {
        self.0.write().unwrap_or_else(|e| e.into_inner())
    }
}
