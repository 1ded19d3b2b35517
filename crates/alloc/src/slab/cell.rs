//! A cell whose content one thread at a time may use, so that loom can watch who does.

/// See the module text.
pub(super) struct Owned<T>(base::UnsafeCell<T>);

#[cfg(loom)]
use loom::cell as base;
#[cfg(not(loom))]
mod base {
    /// The cell of the standard library with the interface of loom's.
    pub(super) struct UnsafeCell<T>(core::cell::UnsafeCell<T>);
    impl<T> UnsafeCell<T> {
        pub(super) fn new(value: T) -> Self {
            UnsafeCell(core::cell::UnsafeCell::new(value))
        }
        #[inline(always)]
        pub(super) fn with_mut<R>(&self, f: impl FnOnce(*mut T) -> R) -> R {
            f(self.0.get())
        }
    }
}

impl<T> Owned<T> {
    pub(super) fn new(value: T) -> Owned<T> {
        Owned(base::UnsafeCell::new(value))
    }

    /// Runs `f` on the content.
    ///
    /// # Safety
    /// The caller is the only one to use the content now, and what others did to it before happened before this. `f` does
    /// not come back to this cell.
    #[inline(always)]
    pub(super) unsafe fn with<R>(&self, f: impl FnOnce(&mut T) -> R) -> R {
        // SAFETY: as the caller promises.
        self.0.with_mut(|p| f(unsafe { &mut *p }))
    }
}
