//! The trie of the calls that threads share: nodes, how one is found or put, and the frames at a leaf.
//!
//! Nothing is moved or taken away while threads use it, so who reads needs no lock:
//!
//! ```text
//! below: null                 nothing yet
//!        address | 00         the newest of a chain of at most MAX_CHAIN children
//!        address | 01         a level: what was the chain, and 16 words of the same kind, by four bits of the hash of the token
//!        address | 10         the node is a leaf: the frames of the threads
//! null → chain → longer chain → level;  null → frames;  each by one put of the newest (crate::scheme), never back
//! a node's token, parent and sibling do not change once somebody else can reach it
//! hash: tokens × an odd number, so two tokens with all bits of it alike are one: a level is at most the 16th
//! ```
//!
//! The frames at a leaf are a tree of blocks, by the *place* of the thread: four places in the first block, the others divided over four blocks below it, and so on: what one thread takes is in
//! proportion to the logarithm of its place, whoever else is there. A slot is written and read by the thread that has its place alone.
//!
//! Source: the paper's subgoal trie in its design SS (section II.C), whose bucket arrays are these blocks. Differs from it in: chains become levels without being moved, as in lock-free hash tries (Areias and
//! Rocha, "Towards a lock-free, fixed size and persistent hash map design"), but for their expansion.

use super::memory::Memory;
use crate::alloc::StructType;
use crate::frame::Frame;
use crate::scheme::{Contention, Lock, Scheme};
use crate::sync::{AtomicPtr, Ordering};
use crate::trie;
use samite_term::growth::{self, Refused};
use std::ptr::{NonNull, null, null_mut};

/// Children in a chain.
const MAX_CHAIN: usize = if cfg!(loom) {
    1
} else if cfg!(test) {
    2
} else {
    4
};
/// Words of a level, and bits that choose one.
const WIDTH: usize = 16;
const BITS: u32 = 4;
/// Places of a block, and blocks below it.
const PLACES: usize = 4;

const TAGS: usize = 3;
const LEVEL: usize = 1;
const LEAF: usize = 2;

/// See the module text.
pub(crate) struct CallNode {
    token: u64,
    parent: *const CallNode,
    sibling: *const CallNode,
    below: AtomicPtr<u8>,
    lock: Lock,
}

pub(crate) struct Level {
    chain: *const CallNode,
    words: [AtomicPtr<u8>; WIDTH],
    lock: Lock,
}

pub(crate) struct Block {
    frames: [AtomicPtr<Frame>; PLACES],
    blocks: [AtomicPtr<Block>; PLACES],
}

/// What a word leads to.
enum Below<'a> {
    Nothing,
    Chain(&'a CallNode),
    Level(&'a Level),
    Leaf(&'a Block),
}

impl<'a> Below<'a> {
    /// # Safety
    /// The word is one of a trie that stays for so long.
    #[inline]
    unsafe fn of(word: *mut u8) -> Below<'a> {
        let address = word.map_addr(|a| a & !TAGS);
        // SAFETY: promised by the caller; the tag says what it is.
        unsafe {
            match word.addr() & TAGS {
                0 if word.is_null() => Below::Nothing,
                0 => Below::Chain(&*address.cast()),
                LEVEL => Below::Level(&*address.cast()),
                _ => Below::Leaf(&*address.cast()),
            }
        }
    }
}

/// What puts something into the trie.
pub(super) struct Hand<'a> {
    pub(super) scheme: Scheme,
    pub(super) memory: &'a mut Memory,
    pub(super) seen: &'a mut Contention,
}

fn hash(token: u64) -> u64 {
    token.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
fn word_at(level: u32, h: u64) -> usize {
    (h >> (u64::BITS - BITS - BITS * level)) as usize & (WIDTH - 1)
}

/// The node of a token in a chain; or how long the chain is.
///
/// # Safety
/// The chain is one of a trie that stays for so long.
#[inline]
unsafe fn scan<'a>(mut at: *const CallNode, token: u64) -> Result<&'a CallNode, usize> {
    let mut length = 0;
    // SAFETY: promised by the caller.
    while let Some(node) = unsafe { at.as_ref() } {
        if node.token == token {
            return Ok(node);
        }
        length += 1;
        at = node.sibling;
    }
    Err(length)
}

impl CallNode {
    pub(super) fn new(token: u64, parent: *const CallNode) -> CallNode {
        CallNode {
            token,
            parent,
            sibling: null(),
            below: AtomicPtr::new(null_mut()),
            lock: Lock::new(),
        }
    }

    /// The child with a token, if there is one.
    pub(crate) fn find(&self, token: u64) -> Option<&CallNode> {
        let (mut word, h, mut level) = (&self.below, hash(token), 0);
        loop {
            // Acquire: what is found is as it was when it was put.
            // SAFETY: a word of this trie, and its chains.
            match unsafe { Below::of(word.load(Ordering::Acquire)) } {
                Below::Nothing | Below::Leaf(_) => return None,
                // SAFETY: as above.
                Below::Chain(first) => return unsafe { scan(first, token) }.ok(),
                Below::Level(l) => {
                    // SAFETY: as above.
                    if let Ok(found) = unsafe { scan(l.chain, token) } {
                        return Some(found);
                    }
                    word = &l.words[word_at(level, h)];
                    level += 1;
                }
            }
        }
    }

    /// The child with a token, put if it is new. `parent` is what its way up leads to. Refused: nothing has changed.
    pub(super) fn step(
        &self,
        token: u64,
        parent: *const CallNode,
        hand: &mut Hand,
    ) -> Result<&CallNode, Refused> {
        let (mut word, mut lock, h, mut level) = (&self.below, &self.lock, hash(token), 0);
        let mut new: Option<NonNull<CallNode>> = None;
        loop {
            // Acquire: as in `find`.
            let found = word.load(Ordering::Acquire);
            // SAFETY: a word of this trie.
            let chain = match unsafe { Below::of(found) } {
                Below::Leaf(_) => trie::prefix(),
                Below::Nothing => null(),
                Below::Chain(first) => std::ptr::from_ref(first),
                Below::Level(l) => {
                    // SAFETY: as above.
                    if let Ok(known) = unsafe { scan(l.chain, token) } {
                        hand.give_up(new);
                        return Ok(known);
                    }
                    (word, lock) = (&l.words[word_at(level, h)], &l.lock);
                    level += 1;
                    continue;
                }
            };
            // SAFETY: as above.
            let length = match unsafe { scan(chain, token) } {
                Ok(known) => {
                    hand.give_up(new);
                    return Ok(known);
                }
                Err(length) => length,
            };
            let node = match new {
                Some(node) => node,
                None => *new.insert(hand.memory.make(CallNode::new(token, parent))?),
            };
            let node = node.as_ptr();
            // SAFETY: nobody else has the node yet; and once it is put it stays as long as the trie.
            unsafe {
                if length < MAX_CHAIN {
                    (*node).sibling = chain;
                    if hand.put(lock, word, found, node.cast()) {
                        return Ok(&*node);
                    }
                    continue;
                }
                (*node).sibling = null();
                let level_of = match hand.memory.make(Level::new(chain)) {
                    Ok(made) => made,
                    Err(refused) => {
                        hand.give_up(new);
                        return Err(refused);
                    }
                };
                let made = level_of.as_ptr();
                // Relaxed: nobody else has it yet.
                (*made).words[word_at(level, h)].store(node.cast(), Ordering::Relaxed);
                let tagged = made.cast::<u8>().map_addr(|a| a | LEVEL);
                if hand.put(lock, word, found, tagged) {
                    return Ok(&*node);
                }
                hand.memory.free(level_of);
            }
        }
    }

    /// The slot of a place at this node, which is a leaf from now on. Refused: nothing has changed.
    pub(super) fn slot(&self, place: usize, hand: &mut Hand) -> Result<&AtomicPtr<Frame>, Refused> {
        let mut block = loop {
            // Acquire: as in `find`.
            // SAFETY: a word of this trie.
            match unsafe { Below::of(self.below.load(Ordering::Acquire)) } {
                Below::Leaf(block) => break block,
                Below::Nothing => {
                    let made = hand.memory.make(Block::new())?;
                    let tagged = made.as_ptr().cast::<u8>().map_addr(|a| a | LEAF);
                    if !hand.put(&self.lock, &self.below, null_mut(), tagged) {
                        // SAFETY: nobody else has it.
                        unsafe { hand.memory.free(made) };
                    }
                }
                Below::Chain(_) | Below::Level(_) => trie::prefix(),
            }
        };
        let mut rest = place;
        while rest >= PLACES {
            rest -= PLACES;
            let word = &block.blocks[rest % PLACES];
            rest /= PLACES;
            // Acquire: as above.
            let mut next = word.load(Ordering::Acquire);
            while next.is_null() {
                let made = hand.memory.make(Block::new())?;
                if hand.put(&self.lock, word, null_mut(), made.as_ptr()) {
                    next = made.as_ptr();
                } else {
                    // SAFETY: nobody else has it.
                    unsafe { hand.memory.free(made) };
                    next = word.load(Ordering::Acquire);
                }
            }
            // SAFETY: blocks stay as long as the trie.
            block = unsafe { &*next };
        }
        Ok(&block.frames[rest])
    }

    /// The frame of a place, if it has one.
    pub(super) fn frame(&self, place: usize) -> Option<NonNull<Frame>> {
        // SAFETY: a word of this trie.
        let Below::Leaf(mut block) = (unsafe { Below::of(self.below.load(Ordering::Acquire)) })
        else {
            return None;
        };
        let mut rest = place;
        while rest >= PLACES {
            rest -= PLACES;
            let next = block.blocks[rest % PLACES].load(Ordering::Acquire);
            rest /= PLACES;
            // SAFETY: blocks stay as long as the trie.
            block = unsafe { next.as_ref() }?;
        }
        // Relaxed: whoever has the place has written it.
        NonNull::new(block.frames[rest].load(Ordering::Relaxed))
    }

    /// The tokens from the root to this node behind what is in `out`.
    pub(crate) fn tokens_behind(&self, out: &mut Vec<u64>) -> Result<(), Refused> {
        let first = out.len();
        let mut node = self;
        // SAFETY: parents stay as long as the trie.
        while let Some(parent) = unsafe { node.parent.as_ref() } {
            growth::push(out, node.token)?;
            node = parent;
        }
        out[first..].reverse();
        Ok(())
    }

    /// Calls `f` with each token from here up to the root.
    pub(crate) fn each_token_up(&self, mut f: impl FnMut(u64)) {
        let mut node = self;
        // SAFETY: as above.
        while let Some(parent) = unsafe { node.parent.as_ref() } {
            f(node.token);
            node = parent;
        }
    }
}

impl Level {
    fn new(chain: *const CallNode) -> Level {
        Level {
            chain,
            words: std::array::from_fn(|_| AtomicPtr::new(null_mut())),
            lock: Lock::new(),
        }
    }
}

impl Block {
    fn new() -> Block {
        Block {
            frames: std::array::from_fn(|_| AtomicPtr::new(null_mut())),
            blocks: std::array::from_fn(|_| AtomicPtr::new(null_mut())),
        }
    }
}

impl Hand<'_> {
    #[must_use]
    fn put<T>(&mut self, lock: &Lock, word: &AtomicPtr<T>, old: *mut T, new: *mut T) -> bool {
        self.scheme.put(Some(lock), word, old, new, self.seen)
    }
    /// A node that was not put after all.
    fn give_up(&mut self, node: Option<NonNull<CallNode>>) {
        if let Some(node) = node {
            // SAFETY: nobody else has it.
            unsafe { self.memory.free(node) };
        }
    }
}

/// What a trie consists of.
pub(super) enum Found {
    Node(NonNull<CallNode>),
    Level(NonNull<Level>),
    Block(NonNull<Block>),
}

/// Calls `f` with everything below a node, while nobody puts anything: each after what it leads to has been read, so that it may be freed. Nodes that are still to be visited are linked
/// through `parent`, so that there is no need of memory for that; it is the last thing that is done with a trie.
///
/// # Safety
/// Nobody else has the trie any more, nor uses it afterwards.
pub(super) unsafe fn take_apart(top: &CallNode, f: &mut dyn FnMut(Found)) {
    let mut work: *mut CallNode = null_mut();
    // SAFETY: promised by the caller.
    unsafe {
        take_below(top.below.load(Ordering::Relaxed), &mut work, f);
        while let Some(node) = NonNull::new(work) {
            work = (*node.as_ptr()).parent.cast_mut();
            let below = (*node.as_ptr()).below.load(Ordering::Relaxed);
            f(Found::Node(node));
            take_below(below, &mut work, f);
        }
    }
}

/// Moves the children that a word leads to to the work. (It calls itself for what is below levels and blocks: at most 16 deep, and as deep as places are.)
///
/// # Safety
/// As for [`take_apart`].
unsafe fn take_below(word: *mut u8, work: &mut *mut CallNode, f: &mut dyn FnMut(Found)) {
    // SAFETY: promised by the caller.
    unsafe {
        match Below::of(word) {
            Below::Nothing => (),
            Below::Chain(first) => take_chain(first, work),
            Below::Level(l) => {
                take_chain(l.chain, work);
                for word in &l.words {
                    take_below(word.load(Ordering::Relaxed), work, f);
                }
                f(Found::Level(NonNull::from(l)));
            }
            Below::Leaf(block) => take_block(block, f),
        }
    }
}

unsafe fn take_chain(first: *const CallNode, work: &mut *mut CallNode) {
    let mut at = first.cast_mut();
    while !at.is_null() {
        // SAFETY: as for `take_apart`.
        unsafe {
            let next = (*at).sibling.cast_mut();
            (*at).parent = *work;
            *work = at;
            at = next;
        }
    }
}

unsafe fn take_block(block: &Block, f: &mut dyn FnMut(Found)) {
    for word in &block.blocks {
        // SAFETY: as for `take_apart`.
        unsafe {
            if let Some(below) = word.load(Ordering::Relaxed).as_ref() {
                take_block(below, f);
            }
        }
    }
    f(Found::Block(NonNull::from(block)));
}

/// Asserts what the module text says of a trie, while nobody puts anything; how many nodes are below `top`.
pub(super) fn verify(top: &CallNode) -> usize {
    let mut work = vec![(std::ptr::from_ref(top), true)];
    let mut nodes = 0;
    while let Some((node, is_top)) = work.pop() {
        // SAFETY: nodes of a trie that nobody changes.
        let node = unsafe { &*node };
        let mut tokens = std::collections::HashSet::new();
        let mut words = vec![(node.below.load(Ordering::Acquire), Vec::new())];
        while let Some((word, way)) = words.pop() {
            // SAFETY: as above.
            let chain = match unsafe { Below::of(word) } {
                Below::Nothing => continue,
                Below::Leaf(_) => {
                    assert!(
                        way.is_empty() && tokens.is_empty() && !is_top,
                        "frames and children"
                    );
                    continue;
                }
                Below::Chain(first) => std::ptr::from_ref(first),
                Below::Level(l) => {
                    assert!(way.len() < (u64::BITS / BITS) as usize);
                    for (i, word) in l.words.iter().enumerate() {
                        let mut way = way.clone();
                        way.push(i);
                        words.push((word.load(Ordering::Acquire), way));
                    }
                    l.chain
                }
            };
            let (mut at, mut length) = (chain, 0);
            // SAFETY: as above.
            while let Some(child) = unsafe { at.as_ref() } {
                let up = if is_top {
                    null()
                } else {
                    std::ptr::from_ref(node)
                };
                assert!(child.parent == up, "a child of another");
                assert!(tokens.insert(child.token), "a token twice");
                let h = hash(child.token);
                let levels = way.iter().zip(0..);
                assert!(levels.into_iter().all(|(&i, level)| word_at(level, h) == i));
                work.push((at, false));
                (at, length) = (child.sibling, length + 1);
            }
            assert!(length <= MAX_CHAIN);
            nodes += length;
        }
    }
    nodes
}

const _: () = {
    // What `StructType` says of them.
    assert!(StructType::CallNode.size() == size_of::<CallNode>());
    assert!(StructType::CallLevel.size() == size_of::<Level>());
    assert!(StructType::CallBlock.size() == size_of::<Block>());
};
