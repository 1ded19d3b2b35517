//! The inbox of a heap: the pageblocks that other threads have freed blocks of.
//!
//! A stack with two operations: any thread pushes one node, the owner takes all of them. Nobody pops a single node, so a
//! push that was held up between its read and its CAS can only succeed with the head it linked to (no ABA), and nobody
//! follows a link of a node that somebody else may have reused. Nodes are type-stable pageblock descriptors: reading one
//! is always reading mapped memory.
//!
//! A node is in at most one inbox: it is pushed by whoever set its announcement ([`crate::word`]), which stays set until
//! an owner found it.
//!
//! Orderings: `push` releases the node's link to `take_all`, which acquires. A pusher that must know whether the inbox still
//! has an owner, and an owner that must know whether it missed a push, go through [`crate::registry`], with a fence
//! between their two accesses.

use crate::sync::{AtomicPtr, Ordering, rmw};
use core::ptr;

/// What can be in an inbox.
pub trait Node: Sized {
    /// The link to the node below.
    ///
    /// # Safety
    /// The node is never deallocated while it is in an inbox. (Not a method: a reference to the whole node would claim its other parts.)
    unsafe fn link<'a>(this: *const Self) -> &'a AtomicPtr<Self>;
}

/// A stack of nodes for one owner.
#[derive(Debug)]
#[repr(transparent)]
pub struct Inbox<N>(AtomicPtr<N>);

impl<N: Node> Inbox<N> {
    /// An empty inbox. Heaps get theirs as zeroed memory.
    #[cfg(all(test, loom))]
    pub fn new() -> Inbox<N> {
        Inbox(AtomicPtr::new(ptr::null_mut()))
    }

    /// Adds a node.
    ///
    /// # Safety
    /// The node is never deallocated, it is in no inbox, and no other thread pushes it.
    pub unsafe fn push(&self, node: *mut N) {
        let mut head = self.0.load(Ordering::Relaxed);
        loop {
            // SAFETY: nodes are never deallocated.
            // Relaxed: published by the CAS.
            unsafe { N::link(node).store(head, Ordering::Relaxed) };
            rmw();
            match self
                .0
                .compare_exchange_weak(head, node, Ordering::Release, Ordering::Relaxed)
            {
                Ok(_) => return,
                Err(now) => head = now,
            }
        }
    }

    /// Whether there seems to be nothing.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.load(Ordering::Relaxed).is_null()
    }

    /// Takes everything. Owner only.
    pub fn take_all(&self) -> Batch<N> {
        if self.is_empty() {
            return Batch(ptr::null_mut());
        }
        rmw();
        Batch(self.0.swap(ptr::null_mut(), Ordering::Acquire))
    }
}

/// Nodes taken from an inbox, latest first.
#[derive(Debug)]
pub struct Batch<N>(*mut N);

impl<N: Node> Iterator for Batch<N> {
    type Item = *mut N;
    /// The next node; its link is read before it is handed out, so it may be pushed anywhere at once.
    fn next(&mut self) -> Option<*mut N> {
        let node = self.0;
        if node.is_null() {
            return None;
        }
        // SAFETY: the node was pushed, so it is a node that is never deallocated; it is ours until handed out.
        // Relaxed: take_all acquired.
        self.0 = unsafe { N::link(node).load(Ordering::Relaxed) };
        Some(node)
    }
}
