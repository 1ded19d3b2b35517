//! Trie nodes, and the handles to them.
//!
//! A node is four words: token, parent, children and sibling. Nodes of subgoal tries and of answer tries have the same
//! layout but are different types, allocated from different pages (paper, section III).
//!
//! The word for the children tells by its low bits what it is:
//!
//! ```text
//! null            no children yet
//! address | 00    the newest child; the others follow through their siblings: at most MAX_CHAIN
//! address | 01    a hash header: the children are in its buckets
//! address | 10    a leaf. In a subgoal trie: its frame; in an answer trie: the next answer, or null
//! ```
//!
//! A root has no parent and no sibling, and its token means nothing. It is the first field of its table entry or
//! frame, which use its idle words as they document.
//!
//! # Liveness
//!
//! Every unsafe access in this crate rests on one invariant: **a [`Ptr`] (or [`FramePtr`](crate::FramePtr))
//! that somebody uses is that of a live structure**. Inside of the crate: structures are reached from the root
//! downwards, and a structure is unlinked before it is freed. Outside: a handle becomes invalid when its subgoal is
//! removed, with its predicate, with all tables, or with the table space, and must not be used
//! afterwards; the evaluator removes only tables that nobody reads or fills any more. Debug builds poison what
//! is freed, so that stale frames are noticed. Handles are neither `Send` nor `Sync`: only the owner of the table space uses them.

use crate::alloc::StructType;
use samite_term::growth::{self, Refused};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ptr::{NonNull, null_mut};

/// Children in a chain before they are hashed.
pub const MAX_CHAIN: usize = if cfg!(test) { 3 } else { 8 };

const HASHED: usize = 1;
const LEAF: usize = 2;
const TAGS: usize = 3;

/// What distinguishes the node types.
pub trait NodeKind {
    /// The type to allocate nodes as.
    const TYPE: StructType;
}

/// Kind of a node of a subgoal trie.
pub enum Subgoal {}
/// Kind of a node of an answer trie.
pub enum Answer {}

impl NodeKind for Subgoal {
    const TYPE: StructType = StructType::SubgoalNode;
}
impl NodeKind for Answer {
    const TYPE: StructType = StructType::AnswerNode;
}

/// A trie node; see the module text.
#[repr(C)]
pub struct Node<K: NodeKind> {
    pub(crate) token: u64,
    parent: *mut Node<K>,
    children: *mut u8,
    pub(crate) sibling: *mut Node<K>,
    kind: PhantomData<K>,
}

const _: () = assert!(size_of::<Node<Answer>>() == 32);

impl<K: NodeKind> Node<K> {
    /// A node without children.
    #[inline]
    pub(crate) fn new(token: u64, parent: Option<Ptr<K>>, sibling: *mut Node<K>) -> Node<K> {
        Node {
            token,
            parent: parent.map_or(null_mut(), Ptr::as_ptr),
            children: null_mut(),
            sibling,
            kind: PhantomData,
        }
    }
}

/// A handle to a node; valid as the module text says.
pub struct Ptr<K: NodeKind>(NonNull<Node<K>>);

/// A node of a subgoal trie.
pub type NodePtr = Ptr<Subgoal>;
/// A node of an answer trie; a leaf is an answer.
pub type AnswerPtr = Ptr<Answer>;

/// What the word for the children says.
pub(crate) enum Children<K: NodeKind> {
    None,
    Chain(Ptr<K>),
    Hashed(*mut crate::hash::Header<K>),
    Leaf,
}

impl<K: NodeKind> Ptr<K> {
    #[inline]
    pub(crate) fn new(node: NonNull<Node<K>>) -> Ptr<K> {
        Ptr(node)
    }
    #[inline]
    pub(crate) fn from_raw(node: *mut Node<K>) -> Option<Ptr<K>> {
        NonNull::new(node).map(Ptr)
    }
    #[inline]
    pub(crate) fn as_ptr(self) -> *mut Node<K> {
        self.0.as_ptr()
    }

    /// The address, to be kept in a machine word; a multiple of 8.
    #[inline]
    pub fn to_bits(self) -> u64 {
        self.as_ptr().expose_provenance() as u64
    }
    /// The handle of an address.
    ///
    /// # Safety
    /// `bits` is from [`Ptr::to_bits`] of a handle of the same kind.
    #[inline]
    pub unsafe fn from_bits(bits: u64) -> Ptr<K> {
        // SAFETY: the address of a node is not null.
        Ptr(unsafe { NonNull::new_unchecked(std::ptr::with_exposed_provenance_mut(bits as usize)) })
    }

    /// The token of a node that is not a root.
    #[inline]
    pub fn token(self) -> u64 {
        // SAFETY: liveness (module text).
        unsafe { (*self.as_ptr()).token }
    }
    /// The parent; a root has none.
    #[inline]
    pub fn parent(self) -> Option<Ptr<K>> {
        // SAFETY: liveness.
        Ptr::from_raw(unsafe { (*self.as_ptr()).parent })
    }
    /// The memory of the node.
    #[inline]
    pub(crate) fn cast(self) -> NonNull<u8> {
        self.0.cast()
    }
    /// Next node in the chain or bucket of a node that is not a root.
    #[inline]
    pub(crate) fn sibling(self) -> Option<Ptr<K>> {
        // SAFETY: liveness.
        Ptr::from_raw(unsafe { (*self.as_ptr()).sibling })
    }
    #[inline]
    pub(crate) fn set_sibling(self, sibling: *mut Node<K>) {
        // SAFETY: liveness; no reference to a node ever exists, so nothing is aliased.
        unsafe { (*self.as_ptr()).sibling = sibling }
    }
    #[inline]
    pub(crate) fn set_parent(self, parent: Option<Ptr<K>>) {
        // SAFETY: as in `set_sibling`.
        unsafe { (*self.as_ptr()).parent = parent.map_or(null_mut(), Ptr::as_ptr) }
    }

    #[inline]
    fn word(self) -> *mut u8 {
        // SAFETY: liveness.
        unsafe { (*self.as_ptr()).children }
    }
    #[inline]
    fn set_word(self, word: *mut u8) {
        // SAFETY: as in `set_sibling`.
        unsafe { (*self.as_ptr()).children = word }
    }

    /// The children, decoded.
    #[inline]
    pub(crate) fn children(self) -> Children<K> {
        let word = self.word();
        match word.addr() & TAGS {
            0 => match NonNull::new(word) {
                None => Children::None,
                Some(first) => Children::Chain(Ptr(first.cast())),
            },
            HASHED => Children::Hashed(word.map_addr(|a| a & !TAGS).cast()),
            _ => Children::Leaf,
        }
    }
    /// Sets a chain of children, or none.
    #[inline]
    pub(crate) fn set_chain(self, first: *mut Node<K>) {
        self.set_word(first.cast());
    }
    /// Sets hashed children.
    #[inline]
    pub(crate) fn set_hashed(self, header: *mut crate::hash::Header<K>) {
        self.set_word(header.cast::<u8>().map_addr(|a| a | HASHED));
    }

    /// Whether the node ends a sequence of tokens.
    #[inline]
    pub fn is_leaf(self) -> bool {
        self.word().addr() & LEAF != 0
    }
    /// Whether the node has neither children nor the mark of a leaf.
    #[inline]
    pub(crate) fn is_bare(self) -> bool {
        self.word().is_null()
    }
    /// What a leaf points to, possibly null.
    #[inline]
    pub(crate) fn leaf_target(self) -> *mut u8 {
        debug_assert!(self.is_leaf());
        self.word().map_addr(|a| a & !TAGS)
    }
    /// Makes the node a leaf that points to `target`.
    #[inline]
    pub(crate) fn set_leaf(self, target: *mut u8) {
        self.set_word(target.map_addr(|a| a | LEAF));
    }

    /// The root above.
    pub(crate) fn root(self) -> Ptr<K> {
        let mut node = self;
        while let Some(parent) = node.parent() {
            node = parent;
        }
        node
    }

    /// The tokens from the root to this node; replaces the content of `out`.
    #[inline]
    pub(crate) fn tokens(self, out: &mut Vec<u64>) -> Result<(), Refused> {
        out.clear();
        self.tokens_behind(out)
    }
    /// The same behind what is in `out`.
    #[inline]
    pub(crate) fn tokens_behind(self, out: &mut Vec<u64>) -> Result<(), Refused> {
        let first = out.len();
        let mut node = self;
        while let Some(parent) = node.parent() {
            growth::push(out, node.token())?;
            node = parent;
        }
        out[first..].reverse();
        Ok(())
    }
}

impl AnswerPtr {
    /// The answer that was added after this one to the same subgoal.
    #[inline]
    pub fn next_answer(self) -> Option<AnswerPtr> {
        Ptr::from_raw(self.leaf_target().cast())
    }
    /// Makes it an answer no more; it points to itself from now on.
    pub(crate) fn withdraw(self) {
        self.set_leaf(self.as_ptr().cast());
    }
    /// Whether that was done.
    pub(crate) fn is_withdrawn(self) -> bool {
        self.leaf_target() == self.as_ptr().cast()
    }
}

impl<K: NodeKind> Clone for Ptr<K> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<K: NodeKind> Copy for Ptr<K> {}
impl<K: NodeKind> PartialEq for Ptr<K> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl<K: NodeKind> Eq for Ptr<K> {}
impl<K: NodeKind> Hash for Ptr<K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}
impl<K: NodeKind> fmt::Debug for Ptr<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}@{:p}", K::TYPE, self.0)
    }
}
