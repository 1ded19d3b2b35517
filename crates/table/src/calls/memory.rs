//! Where the nodes of a trie of calls come from that threads share: each thread that puts some has an allocator of its own for them ([`PageAlloc`]), which it leaves to the trie.
//!
//! (Loom's models get theirs from the general allocator: they are about the order of things.)

use super::node::{Block, CallNode, Level};
use crate::alloc::StructType;
use crate::alloc::{KindUse, Origin, PageAlloc, StructAlloc};
use samite_term::growth::Refused;
use std::ptr::NonNull;

/// A structure of the trie.
pub(super) trait Structure {
    const TYPE: StructType;
}
impl Structure for CallNode {
    const TYPE: StructType = StructType::CallNode;
}
impl Structure for Level {
    const TYPE: StructType = StructType::CallLevel;
}
impl Structure for Block {
    const TYPE: StructType = StructType::CallBlock;
}

/// See the module text.
#[derive(Default)]
pub(super) struct Memory {
    alloc: PageAlloc,
}

impl Memory {
    /// A structure that is in its place from now on.
    pub(super) fn make<T: Structure>(&mut self, it: T) -> Result<NonNull<T>, Refused> {
        #[cfg(loom)]
        {
            let _ = T::TYPE;
            Ok(NonNull::from(Box::leak(Box::new(it))))
        }
        #[cfg(not(loom))]
        {
            let made = self.alloc.alloc(T::TYPE).ok_or(Refused)?.cast::<T>();
            // SAFETY: fresh memory of the type's size and alignment.
            unsafe { made.write(it) };
            Ok(made)
        }
    }

    /// # Safety
    /// It is from [`Memory::make`] of this, and nobody has it any more.
    pub(super) unsafe fn free<T: Structure>(&mut self, it: NonNull<T>) {
        #[cfg(loom)]
        // SAFETY: promised by the caller.
        drop(unsafe { Box::from_raw(it.as_ptr()) });
        #[cfg(not(loom))]
        // SAFETY: promised by the caller.
        unsafe {
            self.alloc.free(T::TYPE, it.cast());
        }
    }
}

impl Memory {
    pub(super) fn of(origin: Origin) -> Memory {
        Memory {
            alloc: PageAlloc::of(origin),
        }
    }
    pub(super) fn bytes_held(&self) -> usize {
        self.alloc.bytes_held()
    }
    pub(super) fn bytes_in_use(&self) -> usize {
        self.alloc.bytes_in_use()
    }
    pub(super) fn count(&self, ty: StructType) -> usize {
        self.alloc.count(ty)
    }
    pub(super) fn kinds(&self) -> Vec<KindUse> {
        self.alloc.kinds()
    }
    /// Whether structures are to be given back one by one.
    pub(super) fn frees_singly(&self) -> bool {
        self.alloc.frees_singly()
    }
    /// What another one has made, one by one, counts as made by this.
    pub(super) fn absorb(&mut self, other: Memory) {
        self.alloc.absorb(other.alloc);
    }
    /// Frees everything at once, that is not to be given back one by one.
    ///
    /// # Safety
    /// Nothing of it is used any more.
    pub(super) unsafe fn release_all(&mut self) {
        // SAFETY: promised by the caller.
        unsafe { self.alloc.release_all() };
    }
}
