//! Arrays: memory of any size, zeroed, for buckets of hash tables and the like.
//!
//! Up to [`SMALL_MAX`] bytes an array is a structure: there is a type for each power of two, behind those of the slab's maker,
//! so pages of arrays that are no longer used serve other sizes and other types. A longer one is a mapping of its own, which
//! goes back to the system as soon as it is freed.
//!
//! A mapping begins with a header, [`Large`], and is in the list of one [`Local`](super::Local), its owner, or in the slab's inbox of those whose
//! owner has ended, from which whoever makes the next long array takes all of them. Any thread may free it:
//!
//! ```text
//!            freed by its owner: unlinked and unmapped
//!   LIVE ----------------------------------------------> gone
//!     |                                                   ^
//!     | freed by another: contents given back              | found by its owner: unlinked and unmapped
//!     +-------------------> FREED -------------------------+
//! ```
//!
//! An owner looks at [`LOOKED_AT`] arrays of its list whenever it makes one, and at all of them when it ends; until then, a
//! page of the system is what is left of an array that another thread has freed.
//!
//! Orderings. FREED is stored with release, after the freeing thread's last use, and read with acquire before the
//! mapping is removed. `owner` is relaxed: it is compared with the caller's own id, and only who has the list that the array is in
//! writes that. Who leaves a list writes 0 there, before the id can be somebody else's.

use super::PAGE;
use super::kind::Type;
use super::page::HEADER;
use super::source::PageSource;
use crate::inbox::{Inbox, Node};
use crate::os;
use crate::sync::{AtomicPtr, AtomicU64, Ordering, shared_write};
use core::ptr::{NonNull, null_mut};

/// Bytes of the shortest array.
const LEAST: usize = 128;
/// Bytes of the longest array that is a structure, if arrays are structures at all.
pub(super) const SMALL_MAX: usize = if cfg!(loom) {
    0
} else {
    1 << ((PAGE - HEADER) / 4).ilog2()
};
/// How many lengths of arrays are structures.
pub(super) const SIZES: usize = if cfg!(loom) {
    0
} else {
    (SMALL_MAX / LEAST).ilog2() as usize + 1
};
/// Arrays of a list that are looked at when one is added.
const LOOKED_AT: usize = 2;

const LIVE: u64 = 0;
const FREED: u64 = 1;

/// Which of the arrays that are structures has room for so many bytes, at most [`SMALL_MAX`].
#[inline]
pub(super) fn size_index(bytes: usize) -> usize {
    (bytes.max(LEAST).next_power_of_two() / LEAST).ilog2() as usize
}

/// The type of these arrays.
pub(super) fn type_of(index: usize) -> Type {
    Type {
        name: "array",
        size: LEAST << index,
    }
}

/// The header of a long array.
#[repr(C, align(64))]
pub(super) struct Large {
    state: AtomicU64,
    owner: AtomicU64,
    /// Link in the inbox.
    link: AtomicPtr<Large>,
    /// Bytes of the mapping. Immutable.
    bytes: usize,
    // Of who has the list.
    next: *mut Large,
    prev: *mut Large,
}

impl Node for Large {
    unsafe fn link<'a>(this: *const Large) -> &'a AtomicPtr<Large> {
        // SAFETY: arrays in an inbox are mapped until they are taken out; nobody follows a link but who took them all.
        unsafe { &(*this).link }
    }
}

/// Bytes of the mapping for an array of so many bytes. `None` if there is no such number.
fn mapping(bytes: usize) -> Option<usize> {
    bytes
        .checked_add(size_of::<Large>())?
        .checked_next_multiple_of(os::page_size())
}

/// The long arrays of one owner.
pub(super) struct Arrays {
    first: *mut Large,
    last: *mut Large,
    bytes: usize,
}

impl Arrays {
    /// None.
    pub(super) const fn new() -> Arrays {
        Arrays {
            first: null_mut(),
            last: null_mut(),
            bytes: 0,
        }
    }

    /// Bytes of the mappings in the list.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Makes an array for the owner `me`. `None` if there is no memory.
    pub(super) fn make(
        &mut self,
        me: u32,
        bytes: usize,
        source: &dyn PageSource,
    ) -> Option<NonNull<u8>> {
        // SAFETY: the arrays of the list are the caller's.
        unsafe {
            for _ in 0..LOOKED_AT {
                let first = self.first;
                if !first.is_null() {
                    self.unlink(first);
                    if !Self::end_if_freed(first, source) {
                        self.append(first);
                    }
                }
            }
            let bytes = mapping(bytes)?;
            let array = source.map(bytes, os::page_size())?.cast::<Large>();
            array.write(Large {
                state: AtomicU64::new(LIVE),
                owner: AtomicU64::new(u64::from(me)),
                link: AtomicPtr::new(null_mut()),
                bytes,
                next: null_mut(),
                prev: null_mut(),
            });
            self.append(array.as_ptr());
            Some(array.add(1).cast())
        }
    }

    /// Frees an array, of this list or another one.
    ///
    /// # Safety
    /// `p` is from [`Arrays::make`], as it was returned, was not freed since and is not used any more; `me` is the id that has
    /// this list.
    pub(super) unsafe fn free(&mut self, me: u32, p: NonNull<u8>, source: &dyn PageSource) {
        // SAFETY: the array is the caller's, so its header stays until it is freed.
        unsafe {
            let array = p.cast::<Large>().as_ptr().sub(1);
            let bytes = (*array).bytes;
            if (*array).owner.load(Ordering::Relaxed) == u64::from(me) {
                self.unlink(array);
                return source.unmap(NonNull::new_unchecked(array.cast()), bytes);
            }
            if bytes > os::page_size() {
                let rest = array.cast::<u8>().add(os::page_size());
                source.purge(NonNull::new_unchecked(rest), bytes - os::page_size());
            }
            shared_write();
            // From here on its owner may unmap it.
            (*array).state.store(FREED, Ordering::Release);
        }
    }

    /// Takes over the arrays that owners have left.
    pub(super) fn adopt(&mut self, me: u32, left: &Inbox<Large>, source: &dyn PageSource) {
        for array in left.take_all() {
            // SAFETY: what is taken out of the inbox is the caller's.
            unsafe {
                if !Self::end_if_freed(array, source) {
                    (*array).owner.store(u64::from(me), Ordering::Relaxed);
                    self.append(array);
                }
            }
        }
    }

    /// Leaves the arrays to others; those that are freed end.
    pub(super) fn leave(&mut self, left: &Inbox<Large>, source: &dyn PageSource) {
        while !self.first.is_null() {
            let array = self.first;
            // SAFETY: the arrays of the list are the caller's.
            unsafe {
                self.unlink(array);
                if !Self::end_if_freed(array, source) {
                    (*array).owner.store(0, Ordering::Relaxed);
                    left.push(array);
                }
            }
        }
    }

    /// Ends all arrays of the list.
    ///
    /// # Safety
    /// None of them is used any more, or freed by anybody, and what others have freed happened before.
    pub(super) unsafe fn end_all(&mut self, source: &dyn PageSource) {
        while !self.first.is_null() {
            let array = self.first;
            // SAFETY: the arrays of the list are the caller's, and given up.
            unsafe {
                self.unlink(array);
                source.unmap(NonNull::new_unchecked(array.cast()), (*array).bytes);
            }
        }
    }

    /// Unmaps an array that is in no list, if somebody has freed it.
    unsafe fn end_if_freed(array: *mut Large, source: &dyn PageSource) -> bool {
        // SAFETY: the array is the caller's to unmap.
        unsafe {
            // Acquire: the freeing thread is done with it.
            if (*array).state.load(Ordering::Acquire) == LIVE {
                return false;
            }
            source.unmap(NonNull::new_unchecked(array.cast()), (*array).bytes);
        }
        true
    }

    unsafe fn append(&mut self, array: *mut Large) {
        // SAFETY: the arrays of the list are the caller's. Only fields that nobody else uses are touched.
        unsafe {
            (*array).next = null_mut();
            (*array).prev = self.last;
            if self.last.is_null() {
                self.first = array;
            } else {
                (*self.last).next = array;
            }
            self.last = array;
            self.bytes += (*array).bytes;
        }
    }

    unsafe fn unlink(&mut self, array: *mut Large) {
        // SAFETY: as for `append`.
        unsafe {
            let (next, prev) = ((*array).next, (*array).prev);
            match prev.is_null() {
                true => self.first = next,
                false => (*prev).next = next,
            }
            match next.is_null() {
                true => self.last = prev,
                false => (*next).prev = prev,
            }
            self.bytes -= (*array).bytes;
        }
    }
}
