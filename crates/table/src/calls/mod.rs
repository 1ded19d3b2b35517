//! Calls that threads share: the paper's design SS, *subgoal sharing* (section II.C).
//!
//! ```text
//! CommonCalls: predicate → trie of calls → leaf → frames by place → SubgoalFrame of that thread → its answers
//!              shared                                              its own, in its TableSpace
//! ```
//!
//! A table space that [joins](TableSpace::join) gets a *place*, which is its number as long as it is a member. A call that is looked up by [`TableSpace::common_call`] is a path of the shared trie, put there by
//! whoever came first; the frame at its leaf is the thread's own, as are its answers and their state. So the threads have to do with each other only while they put nodes ([`node`], by the
//! [`Scheme`] that is chosen), and whoever ends, or abolishes its tables, takes away its own frames.
//!
//! What was put stays as long as there is a member: somebody else may be on his way through it (as in the paper, where the last thread removes it). Who leaves leaves his memory, too, and the next one who
//! joins goes on with that. Of nodes that nobody has a frame at there may be many then: a trie to which more than [`MOST_LEFT`] was left is not joined any more ([`CommonCalls::is_full`]), another one takes its place, and the old one goes with its last member.
//!
//! Tokens of the nodes keep nothing alive, neither atoms nor queues: the frames of each member do, for that member. A node whose tokens mean nothing any more has no frames; and a node with the same bits that mean
//! something else now is a node of that.
//!
//! ```text
//! a place is one member's;  slots of a place that is nobody's are empty
//! of a member: frames = { f | f is in a slot of its place }, each once
//! f.leaf → node, the slot of the member's place there → f, or f is retired (crate::renew)
//! held in common = what was left, whoever has it;  the rest of a member's memory is counted with its tables
//! ```

mod memory;
mod node;

#[cfg(all(test, loom))]
mod loom_models;
#[cfg(all(test, not(loom)))]
mod tests;

use crate::alloc::{KindUse, Origin, StructAlloc, StructType};
use crate::frame::{EntryPtr, FramePtr};
use crate::scheme::{Contention, ContentionOfAll, Scheme, TableSync};
use crate::space::TableSpace;
use memory::Memory;
pub(crate) use node::{Block, CallNode, Level};
use node::{Found, Hand};
use rustc_hash::FxHashSet;
use samite_term::common;
use samite_term::growth::{self, Refused};
use std::ptr::{NonNull, null};
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes that were left to a trie before nobody joins it any more.
const MOST_LEFT: usize = if cfg!(test) { 64 << 10 } else { 16 << 20 };

/// The calls that threads share; see the module text.
pub struct CommonCalls {
    /// Its children are the roots of the predicates' tries.
    top: CallNode,
    scheme: Scheme,
    origin: Origin,
    members: Mutex<Members>,
    /// Where members that leave say what they had to do with each other.
    contention: Arc<ContentionOfAll>,
}

// SAFETY: what is reached from the top is shared by atomic operations only, or is one member's; it is freed when there is no member.
unsafe impl Send for CommonCalls {}
// SAFETY: as above.
unsafe impl Sync for CommonCalls {}

/// Under the lock.
#[derive(Default)]
struct Members {
    present: usize,
    /// Places that are nobody's, below the first one that never was anybody's.
    free: Vec<usize>,
    next: usize,
    /// Of members that have left, with the bytes of it that are held in common.
    left: Vec<(Memory, usize)>,
}

impl CommonCalls {
    /// No calls yet.
    pub fn new(sync: TableSync, origin: Origin, contention: Arc<ContentionOfAll>) -> CommonCalls {
        CommonCalls {
            top: CallNode::new(0, null()),
            scheme: Scheme::new(sync),
            origin,
            members: Mutex::default(),
            contention,
        }
    }

    fn members(&self) -> std::sync::MutexGuard<'_, Members> {
        self.members.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether they are made so.
    pub fn is_as(&self, sync: TableSync, origin: Origin) -> bool {
        (self.scheme.sync(), self.origin) == (sync, origin)
    }

    /// Whether so much was left that another one shall be begun.
    pub fn is_full(&self) -> bool {
        let members = self.members();
        let left: usize = members.left.iter().map(|(_, bytes)| bytes).sum();
        left > MOST_LEFT && members.present > 0
    }

    /// Nodes, with one for each predicate; while nobody puts any.
    pub fn verify(&self) -> usize {
        let nodes = node::verify(&self.top);
        let members = self.members();
        assert!(members.present + members.free.len() == members.next);
        nodes
    }
}

impl Drop for CommonCalls {
    fn drop(&mut self) {
        let members = std::mem::take(&mut *self.members());
        debug_assert_eq!(members.present, 0);
        let mut singly: Option<Memory> = None;
        for (mut memory, bytes) in members.left {
            common::release(bytes);
            match &mut singly {
                Some(all) => all.absorb(memory),
                None if memory.frees_singly() => singly = Some(memory),
                // SAFETY: nobody has the trie any more.
                None => unsafe { memory.release_all() },
            }
        }
        if let Some(mut all) = singly {
            // SAFETY: nobody has the trie any more, and what it consists of was made by what is absorbed.
            unsafe {
                node::take_apart(&self.top, &mut |found| match found {
                    Found::Node(node) => all.free(node),
                    Found::Level(level) => all.free(level),
                    Found::Block(block) => all.free(block),
                });
            }
        }
    }
}

/// A table space's part in the calls that threads share.
pub(crate) struct Part {
    calls: Arc<CommonCalls>,
    place: usize,
    memory: Memory,
    /// Bytes of it that are held in common, as others have left them.
    left: usize,
    /// What there was of it when it was taken over.
    before: Before,
    /// See the module text.
    pub(crate) frames: FxHashSet<FramePtr>,
    /// The predicate that was asked for last, and the root of its calls.
    last: Option<(usize, NonNull<CallNode>)>,
    seen: Contention,
}

/// What others have left of a member's memory.
#[derive(Default)]
struct Before {
    bytes: usize,
    nodes: usize,
    /// By the type of structure; none if nothing was left.
    kinds: Vec<KindUse>,
}

impl Part {
    fn new(calls: &Arc<CommonCalls>) -> Result<Part, Refused> {
        let mut members = calls.members();
        // Whoever leaves is not refused.
        let most = members.present + 1;
        let (free, left) = (members.free.len(), members.left.len());
        growth::have(&mut members.free, most.max(free) - free + 1)?;
        growth::have(&mut members.left, most.max(left) - left + 1)?;
        let place = members.free.pop().unwrap_or(members.next);
        members.next = members.next.max(place + 1);
        members.present += 1;
        let (memory, left, before) = match members.left.pop() {
            Some((memory, left)) => {
                let before = Before {
                    bytes: memory.bytes_in_use(),
                    nodes: memory.count(StructType::CallNode),
                    kinds: memory.kinds(),
                };
                (memory, left, before)
            }
            None => (Memory::of(calls.origin), 0, Before::default()),
        };
        drop(members);
        Ok(Part {
            calls: calls.clone(),
            place,
            memory,
            left,
            before,
            frames: FxHashSet::default(),
            last: None,
            seen: Contention::default(),
        })
    }

    /// The memory that it has put more than others have left to it.
    pub(crate) fn bytes_held(&self) -> usize {
        self.memory.bytes_held().saturating_sub(self.left)
    }
    /// The same of what is in use.
    pub(crate) fn bytes_in_use(&self) -> usize {
        self.memory.bytes_in_use().saturating_sub(self.before.bytes)
    }
    /// Nodes that it has put.
    pub(crate) fn nodes(&self) -> usize {
        (self.memory.count(StructType::CallNode)).saturating_sub(self.before.nodes)
    }
    /// The same by their type.
    pub(crate) fn kinds(&self) -> Vec<KindUse> {
        let mut all = self.memory.kinds();
        for (own, before) in all.iter_mut().zip(&self.before.kinds) {
            own.in_use = own.in_use.saturating_sub(before.in_use);
            own.pages = own.pages.saturating_sub(before.pages);
        }
        all
    }
    pub(crate) fn contention(&self) -> Contention {
        self.seen
    }

    /// The root of a predicate's calls, if there are any.
    pub(crate) fn root(&self, pred: usize) -> Option<NonNull<CallNode>> {
        match self.last {
            Some((last, root)) if last == pred => Some(root),
            _ => self.calls.top.find(pred as u64).map(NonNull::from),
        }
    }

    /// The leaf of a call, put if it is new.
    fn leaf(&mut self, pred: usize, tokens: &[u64]) -> Result<NonNull<CallNode>, Refused> {
        let mut hand = Hand {
            scheme: self.calls.scheme,
            memory: &mut self.memory,
            seen: &mut self.seen,
        };
        let root = match self.last {
            Some((last, root)) if last == pred => root,
            _ => {
                let root = self.calls.top.step(pred as u64, null(), &mut hand)?;
                NonNull::from(root)
            }
        };
        self.last = Some((pred, root));
        // SAFETY: nodes stay as long as there is a member.
        let mut node = unsafe { root.as_ref() };
        for &t in tokens {
            node = node.step(t, node, &mut hand)?;
        }
        Ok(NonNull::from(node))
    }

    /// The slot of this member at a leaf.
    fn frame_at(&self, leaf: NonNull<CallNode>) -> Option<FramePtr> {
        // SAFETY: nodes stay as long as there is a member.
        let frame = unsafe { leaf.as_ref() }.frame(self.place)?;
        Some(FramePtr::of_memory(frame))
    }

    /// What is in that slot from now on. Refused: nothing has changed; not if there was something in it before.
    fn set_frame_at(
        &mut self,
        leaf: NonNull<CallNode>,
        frame: Option<FramePtr>,
    ) -> Result<(), Refused> {
        let mut hand = Hand {
            scheme: self.calls.scheme,
            memory: &mut self.memory,
            seen: &mut self.seen,
        };
        // SAFETY: as above.
        let slot = unsafe { leaf.as_ref() }.slot(self.place, &mut hand)?;
        // Relaxed: nobody else looks at it before this thread has left, under a lock.
        let to = frame.map_or(std::ptr::null_mut(), |f| f.memory().cast().as_ptr());
        slot.store(to, crate::sync::Ordering::Relaxed);
        Ok(())
    }

    /// The call of one of its frames leads to another one from now on.
    pub(crate) fn exchange(&mut self, leaf: NonNull<CallNode>, new: FramePtr) {
        if let Some(old) = self.frame_at(leaf) {
            self.frames.remove(&old);
            self.frames.insert(new);
            // (There is a slot.)
            let done = self.set_frame_at(leaf, Some(new));
            debug_assert!(done.is_ok());
        }
    }

    /// No call leads to this frame any more.
    pub(crate) fn remove(&mut self, leaf: NonNull<CallNode>, frame: FramePtr) {
        debug_assert!(self.frame_at(leaf) == Some(frame));
        self.frames.remove(&frame);
        let done = self.set_frame_at(leaf, None);
        debug_assert!(done.is_ok());
    }

    /// The frame of the call at a node.
    pub(crate) fn at(&self, node: NonNull<CallNode>) -> Option<FramePtr> {
        self.frame_at(node)
    }

    /// Asserts what the module text says of this member.
    pub(crate) fn verify(&self) {
        for &frame in &self.frames {
            let leaf = frame
                .common_leaf()
                .expect("a leaf of calls that are shared");
            assert!(self.frame_at(leaf) == Some(frame));
        }
        let members = self.calls.members();
        assert!(members.present > 0 && self.place < members.next);
        assert!(!members.free.contains(&self.place));
        assert!(self.left <= self.memory.bytes_held() || self.memory.frees_singly());
    }
}

impl Drop for Part {
    /// (Its frames are still there.)
    fn drop(&mut self) {
        for frame in std::mem::take(&mut self.frames) {
            if let Some(leaf) = frame.common_leaf() {
                self.remove(leaf, frame);
            }
        }
        let memory = std::mem::take(&mut self.memory);
        // Never less: structures that are put stay.
        let held = memory.bytes_held().max(self.left);
        common::charge(held - self.left);
        self.calls.contention.add(self.seen);
        let mut members = self.calls.members();
        members.present -= 1;
        members.free.push(self.place);
        members.left.push((memory, held));
    }
}

impl<A: StructAlloc> TableSpace<A> {
    /// Whether it has a part in calls that threads share.
    #[inline]
    pub fn has_joined(&self) -> bool {
        self.part.is_some()
    }

    /// It has from now on.
    pub fn join(&mut self, calls: &Arc<CommonCalls>) -> Result<(), Refused> {
        debug_assert!(self.part.is_none());
        if !common::system_has(size_of::<Part>()) {
            return Err(Refused);
        }
        self.part = Some(Box::new(Part::new(calls)?));
        Ok(())
    }

    /// The frame of a call of `pred`, in calls that threads share, which the space has joined; and whether it was made just now.
    pub fn common_call(
        &mut self,
        pred: usize,
        tokens: &[u64],
    ) -> Result<(FramePtr, bool), Refused> {
        let entry = self.entry_of(pred)?;
        let part = self.part.as_mut().ok_or(Refused)?;
        let leaf = part.leaf(pred, tokens)?;
        if let Some(frame) = part.frame_at(leaf) {
            return Ok((frame, false));
        }
        growth::set_have(&mut part.frames, 1)?;
        if !self.store.handles.enter_all(tokens) {
            return Err(Refused);
        }
        let made = self.new_common_frame(entry, leaf);
        match made {
            Ok(frame) => Ok((frame, true)),
            Err(refused) => {
                self.store.handles.leave_all(tokens);
                Err(refused)
            }
        }
    }

    fn new_common_frame(
        &mut self,
        entry: EntryPtr,
        leaf: NonNull<CallNode>,
    ) -> Result<FramePtr, Refused> {
        let alloc = &mut self.store.alloc;
        let memory = alloc.alloc(StructType::SubgoalFrame).ok_or(Refused)?;
        let frame = FramePtr::init(memory, entry, FramePtr::leaf_of(leaf));
        let part = self.part.as_mut().ok_or(Refused);
        let done = part.and_then(|part| {
            part.set_frame_at(leaf, Some(frame))?;
            part.frames.insert(frame);
            Ok(())
        });
        if done.is_err() {
            // SAFETY: nobody has it.
            unsafe { alloc.free(StructType::SubgoalFrame, memory) };
            return Err(Refused);
        }
        entry.count(1, 0);
        Ok(frame)
    }

    /// The call of `frame`, in calls that threads share, is not found any more.
    pub(crate) fn forget_common(&mut self, leaf: NonNull<CallNode>, frame: FramePtr) {
        // SAFETY: nodes stay as long as there is a member.
        let node = unsafe { leaf.as_ref() };
        node.each_token_up(|t| self.store.handles.leave(t));
        if let Some(part) = &mut self.part {
            part.remove(leaf, frame);
        }
    }

    /// Its frames at calls that threads share.
    pub(crate) fn common_frames(&self) -> impl Iterator<Item = FramePtr> + '_ {
        self.part.iter().flat_map(|p| p.frames.iter().copied())
    }

    /// The same of one predicate.
    pub(crate) fn common_frames_of(&self, entry: EntryPtr) -> impl Iterator<Item = FramePtr> + '_ {
        self.common_frames().filter(move |f| f.entry() == entry)
    }

    /// What its part had to do with other threads.
    pub fn contention(&self) -> Contention {
        self.part
            .as_ref()
            .map_or(Contention::default(), |p| p.contention())
    }
}
