//! The types of a slab, and where their structures are in a page.

use super::page::HEADER;
use super::{MAX_KINDS, PAGE};

/// A type of structure, as the slab's maker describes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Type {
    /// For statistics.
    pub name: &'static str,
    /// Bytes: a multiple of 8, at most a quarter of what a page holds.
    pub size: usize,
}

/// A type of a slab: its position in the list that the slab was made with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kind(u8);

impl Kind {
    /// The type at `index` of the list.
    ///
    /// # Panics
    /// If no slab can have so many.
    #[inline]
    pub const fn new(index: usize) -> Kind {
        assert!(index < MAX_KINDS);
        Kind(index as u8)
    }
    /// The position in the list.
    #[inline(always)]
    pub const fn index(self) -> usize {
        // Never more; said so that the compiler knows it.
        self.0 as usize % MAX_KINDS
    }
}

/// Where the structures of a type are in a page, as offsets.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    pub size: u32,
    /// The first structure.
    pub first: u32,
    /// Behind the last one.
    pub end: u32,
}

impl Layout {
    /// No type.
    pub(super) const NONE: Layout = Layout {
        size: 0,
        first: 0,
        end: 0,
    };

    /// The layout of a type: structures are aligned to the largest power of two that divides their size.
    pub(super) fn of(ty: &Type) -> Layout {
        let size = ty.size;
        assert!(
            size >= 8 && size.is_multiple_of(8) && size <= (PAGE - HEADER) / 4,
            "slab type {} of {size} bytes",
            ty.name
        );
        let first = HEADER.next_multiple_of(1 << size.trailing_zeros());
        let count = (PAGE - first) / size;
        Layout {
            size: size as u32,
            first: first as u32,
            end: (first + count * size) as u32,
        }
    }

    /// Structures in a page.
    pub(super) fn capacity(&self) -> usize {
        if self.size == 0 {
            return 0;
        }
        ((self.end - self.first) / self.size) as usize
    }
}
