//! Allocation of the data structures of the table space, by type (paper, section III).
//!
//! Everything in the table space is one of the [`StructType`]s, or an array of words (hash buckets, rows), and is had from a
//! [`StructAlloc`]. [`PageAlloc`] is that of programs: local and global pages, or, if that is chosen, the general allocator for each structure ([`Origin`]). Another
//! implementation of the trait is that of the tests, which check what is asked for.
//!
//! Called by the owner of the table space only.

use crate::calls::{Block, CallNode, Level};
use crate::frame::{Entry, Frame};
use crate::hash::Header;
use crate::node::{Answer, Node, Subgoal};
use crate::rows::Rows;
use std::ptr::NonNull;

mod long;
mod pages;
mod single;

pub use pages::{Origin, PageAlloc, all_kinds};

/// The types of data structure in the table space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum StructType {
    /// One per predicate; includes the root of its subgoal trie.
    TableEntry = 0,
    /// A node of a subgoal trie.
    SubgoalNode = 1,
    /// A node of an answer trie.
    AnswerNode = 2,
    /// One per tabled call; includes the root of its answer trie.
    SubgoalFrame = 3,
    /// Describes the hash buckets of a node with many children, of either trie.
    HashHeader = 4,
    /// Answers that are rows: one for each table with more than a few.
    Rows = 5,
    /// A node of a trie of calls that threads share.
    CallNode = 6,
    /// More children of one.
    CallLevel = 7,
    /// Frames of threads at a leaf of it.
    CallBlock = 8,
}

impl StructType {
    /// Number of types.
    pub const COUNT: usize = 9;
    /// All types, in order of their number.
    pub const ALL: [StructType; Self::COUNT] = [
        StructType::TableEntry,
        StructType::SubgoalNode,
        StructType::AnswerNode,
        StructType::SubgoalFrame,
        StructType::HashHeader,
        StructType::Rows,
        StructType::CallNode,
        StructType::CallLevel,
        StructType::CallBlock,
    ];

    /// Bytes of one structure.
    #[inline]
    pub const fn size(self) -> usize {
        match self {
            StructType::TableEntry => size_of::<Entry>(),
            StructType::SubgoalNode => size_of::<Node<Subgoal>>(),
            StructType::AnswerNode => size_of::<Node<Answer>>(),
            StructType::SubgoalFrame => size_of::<Frame>(),
            StructType::HashHeader => size_of::<Header<Answer>>(),
            StructType::Rows => size_of::<Rows>(),
            StructType::CallNode => size_of::<CallNode>(),
            StructType::CallLevel => size_of::<Level>(),
            StructType::CallBlock => size_of::<Block>(),
        }
    }
}

/// What an allocator has of one of its types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KindUse {
    /// Its name.
    pub name: &'static str,
    /// Bytes of a structure; 0: they are of any size.
    pub size: usize,
    /// Structures in use, or bytes if they are of any size.
    pub in_use: usize,
    /// Pages that hold them.
    pub pages: usize,
}

/// Smallest array of hash buckets that is ever asked for.
pub const MIN_BUCKETS: usize = if cfg!(test) { 8 } else { 16 };

/// An allocator of typed structures.
///
/// Implementations hand out memory that is aligned to the largest power of two that divides the size of the
/// structure (so a structure of a cache line is in one line), and stays put until it is freed.
/// What is refused leaves everything as it was.
pub trait StructAlloc {
    /// Memory for a structure of type `ty`, not initialised; `None` if there is none.
    fn alloc(&mut self, ty: StructType) -> Option<NonNull<u8>>;
    /// Takes back a structure that this allocator handed out for the same type.
    ///
    /// # Safety
    /// `p` is from `alloc(ty)` of this allocator, not freed since, and not used any more.
    unsafe fn free(&mut self, ty: StructType, p: NonNull<u8>);
    /// An array of `n` null pointers; `n` is a power of two, at least [`MIN_BUCKETS`]. `None` if there is no memory for it.
    fn alloc_buckets(&mut self, n: usize) -> Option<NonNull<*mut u8>>;
    /// Takes back an array of buckets.
    ///
    /// # Safety
    /// `p` is from `alloc_buckets(n)` of this allocator, not freed since, and not used any more.
    unsafe fn free_buckets(&mut self, n: usize, p: NonNull<*mut u8>);
    /// Bytes of all structures and arrays in use.
    fn bytes_in_use(&self) -> usize;
    /// Bytes taken from the system, in use or not.
    fn bytes_held(&self) -> usize {
        self.bytes_in_use()
    }
    /// After structures were freed: gives back to the system what holds nothing any more, if it is time to look.
    fn trim(&mut self) {}
    /// What there is of each type that this allocator tells apart.
    fn kinds(&self) -> Vec<KindUse> {
        Vec::new()
    }
    /// Structures of type `ty` in use.
    fn count(&self, ty: StructType) -> usize;
    /// Whether structures are to be given back one by one: [`StructAlloc::release_all`] cannot find them.
    fn frees_singly(&self) -> bool {
        false
    }
    /// Frees everything at once, unless [it cannot](StructAlloc::frees_singly): then nothing is left when it is called.
    ///
    /// # Safety
    /// Nothing that was handed out is used any more.
    unsafe fn release_all(&mut self);
}
