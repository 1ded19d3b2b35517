//! Long arrays of atomics in memory of the slab's source, zeroed, of which no more is touched than is used.
//!
//! What is in one is zero at first: null, no bits, no counts. It stays until [`Zeroed::clear`].

use super::source::PageSource;

#[cfg(not(loom))]
mod base {
    use super::PageSource;
    use core::ptr::NonNull;

    /// See the module text.
    pub(in super::super) struct Zeroed<T> {
        start: NonNull<T>,
        len: usize,
    }

    impl<T> Zeroed<T> {
        /// `None` if there is no memory.
        ///
        /// # Safety
        /// Zeroes are a `T`, which needs no drop.
        pub(in super::super) unsafe fn new(len: usize, source: &dyn PageSource) -> Option<Self> {
            let start = source.map(len * size_of::<T>(), align_of::<T>())?.cast();
            Some(Zeroed { start, len })
        }

        pub(in super::super) fn all(&self) -> &[T] {
            // SAFETY: mapped with this length, zeroes are a `T`, and it stays until it is cleared.
            unsafe { core::slice::from_raw_parts(self.start.as_ptr(), self.len) }
        }

        /// Gives the memory back, to where it is from.
        ///
        /// # Safety
        /// Nobody uses the array after this, or clears it again.
        pub(in super::super) unsafe fn clear(&mut self, source: &dyn PageSource) {
            // SAFETY: mapped with this size; the caller's promise.
            unsafe { source.unmap(self.start.cast(), self.len * size_of::<T>()) };
        }
    }
}

/// Loom's atomics are not made by zeroing memory.
#[cfg(loom)]
mod base {
    use super::PageSource;

    pub(in super::super) struct Zeroed<T>(Vec<T>);

    impl<T: Default> Zeroed<T> {
        pub(in super::super) unsafe fn new(len: usize, _: &dyn PageSource) -> Option<Self> {
            Some(Zeroed((0..len).map(|_| T::default()).collect()))
        }
        pub(in super::super) fn all(&self) -> &[T] {
            &self.0
        }
        pub(in super::super) unsafe fn clear(&mut self, _: &dyn PageSource) {}
    }
}

pub(super) use base::Zeroed;
