//! The algorithms on tries, the same for subgoals and answers.
//!
//! The children of a node are found by token. Up to [`MAX_CHAIN`] of them are a chain, the newest first; then
//! they are hashed (see [`crate::hash`]). Finding or inserting is constant time on average, whatever
//! the number of children. Walking and freeing need no stack: walking follows the links to the parents, freeing reuses
//! them for its work list.
//!
//! Called by [`crate::space`] only.

use crate::alloc::StructAlloc;
use crate::handles::Handles;
use crate::hash;
use crate::node::{Children, MAX_CHAIN, Node, NodeKind, Ptr};
use std::ptr::null_mut;

/// What nodes are made of, and the handles that they name.
pub(crate) struct Store<A> {
    pub(crate) alloc: A,
    pub(crate) handles: Handles,
}

impl<A: StructAlloc> Store<A> {
    /// # Safety
    /// The node is in no trie any more, nor used.
    unsafe fn free<K: NodeKind>(&mut self, node: Ptr<K>) {
        self.handles.leave(node.token());
        // SAFETY: promised by the caller.
        unsafe { self.alloc.free(K::TYPE, node.cast()) };
    }
}

/// The child of `node` with `token`, if there is one.
#[inline]
pub(crate) fn find<K: NodeKind>(node: Ptr<K>, token: u64) -> Option<Ptr<K>> {
    match node.children() {
        Children::None | Children::Leaf => None,
        Children::Hashed(head) => hash::find(head, token),
        Children::Chain(first) => {
            let mut at = Some(first);
            while let Some(p) = at {
                if p.token() == token {
                    return at;
                }
                at = p.sibling();
            }
            None
        }
    }
}

/// The child of `node` with `token`, inserted if new; `None`: there is no memory for it, and nothing has changed.
#[inline]
pub(crate) fn step<K: NodeKind>(
    store: &mut Store<impl StructAlloc>,
    node: Ptr<K>,
    token: u64,
) -> Option<Ptr<K>> {
    match node.children() {
        Children::Chain(first) if first.token() == token => Some(first),
        Children::Chain(first) => step_chain(store, node, first, token),
        Children::Hashed(head) => match hash::find(head, token) {
            Some(child) => Some(child),
            None => step_hashed(store, node, head, token),
        },
        Children::None => {
            let child = new_node(store, token, node, null_mut())?;
            node.set_chain(child.as_ptr());
            Some(child)
        }
        Children::Leaf => prefix(),
    }
}

/// [`step`] to a new child among hashed ones.
#[inline]
fn step_hashed<K: NodeKind>(
    store: &mut Store<impl StructAlloc>,
    node: Ptr<K>,
    head: *mut hash::Header<K>,
    token: u64,
) -> Option<Ptr<K>> {
    if !hash::has_room(&mut store.alloc, head) {
        return None;
    }
    let child = new_node(store, token, node, null_mut())?;
    hash::insert(head, child);
    Some(child)
}

/// [`step`] in a chain whose first node is another.
fn step_chain<K: NodeKind>(
    store: &mut Store<impl StructAlloc>,
    node: Ptr<K>,
    first: Ptr<K>,
    token: u64,
) -> Option<Ptr<K>> {
    let mut length = 1;
    let mut at = first.sibling();
    while let Some(p) = at {
        if p.token() == token {
            return at;
        }
        length += 1;
        at = p.sibling();
    }
    if length < MAX_CHAIN {
        let child = new_node(store, token, node, first.as_ptr())?;
        node.set_chain(child.as_ptr());
        return Some(child);
    }
    let head = hash::from_chain(&mut store.alloc, first)?;
    node.set_hashed(head);
    step_hashed(store, node, head, token)
}

#[inline]
fn new_node<K: NodeKind>(
    store: &mut Store<impl StructAlloc>,
    token: u64,
    parent: Ptr<K>,
    sibling: *mut Node<K>,
) -> Option<Ptr<K>> {
    if !store.handles.enter(token) {
        return None;
    }
    let Some(node) = store.alloc.alloc(K::TYPE) else {
        store.handles.leave(token);
        return None;
    };
    let node = node.cast::<Node<K>>();
    // SAFETY: fresh memory for a node.
    unsafe { node.write(Node::new(token, Some(parent), sibling)) };
    Some(Ptr::new(node))
}

/// What would have to be both a leaf and an inner node.
#[cold]
#[inline(never)]
pub(crate) fn prefix() -> ! {
    panic!("a sequence of tokens is a prefix of another one in the same trie")
}

/// Removes and frees a leaf, and what is above it up to the root as far as no other sequence shares it.
/// The leaf may be the root, which only stops being a leaf.
pub(crate) fn remove<K: NodeKind>(store: &mut Store<impl StructAlloc>, leaf: Ptr<K>) {
    debug_assert!(leaf.is_leaf());
    leaf.set_chain(null_mut());
    prune(store, leaf);
}

/// Removes and frees a node where a sequence was given up, and what is above it, as far as there is no sequence that shares it.
pub(crate) fn prune<K: NodeKind>(store: &mut Store<impl StructAlloc>, mut node: Ptr<K>) {
    while node.is_bare()
        && let Some(parent) = node.parent()
    {
        unlink(store, parent, node);
        // SAFETY: not a root, so allocated as a node of its own; its parent does not refer to it any more.
        unsafe { store.free(node) };
        node = parent;
    }
}

fn unlink<K: NodeKind>(store: &mut Store<impl StructAlloc>, parent: Ptr<K>, node: Ptr<K>) {
    match parent.children() {
        Children::Chain(first) => parent.set_chain(hash::without(first.as_ptr(), node)),
        Children::Hashed(head) => {
            if hash::remove(head, node) {
                parent.set_chain(null_mut());
                hash::free(&mut store.alloc, head);
            }
        }
        Children::None | Children::Leaf => panic!("node is not among the children of its parent"),
    }
}

/// Frees everything below `root`, which is left bare. `on_leaf` is called for every leaf before it is freed.
pub(crate) fn free_below<K: NodeKind, A: StructAlloc>(
    store: &mut Store<A>,
    root: Ptr<K>,
    mut on_leaf: impl FnMut(&mut Store<A>, Ptr<K>),
) {
    if root.is_leaf() {
        on_leaf(store, root);
        root.set_chain(null_mut());
        return;
    }
    // Nodes still to be freed, linked through their parents.
    let mut work = None;
    take_children(store, root, &mut work);
    while let Some(node) = work {
        work = node.parent();
        if node.is_leaf() {
            on_leaf(store, node);
        } else {
            take_children(store, node, &mut work);
        }
        // SAFETY: not a root; taken out of its parent and out of the work list.
        unsafe { store.free(node) };
    }
}

/// Moves the children of `node` to the work list.
fn take_children<K: NodeKind>(
    store: &mut Store<impl StructAlloc>,
    node: Ptr<K>,
    work: &mut Option<Ptr<K>>,
) {
    let mut at = first_child(node);
    let children = node.children();
    while let Some(p) = at {
        at = match children {
            Children::Hashed(head) => hash::next(head, p),
            _ => p.sibling(),
        };
        p.set_parent(*work);
        *work = Some(p);
    }
    node.set_chain(null_mut());
    if let Children::Hashed(head) = children {
        hash::free(&mut store.alloc, head);
    }
}

/// Some child of `node`.
fn first_child<K: NodeKind>(node: Ptr<K>) -> Option<Ptr<K>> {
    match node.children() {
        Children::None | Children::Leaf => None,
        Children::Chain(first) => Some(first),
        Children::Hashed(head) => hash::first(head),
    }
}

/// The child of `parent` after `node`, in the order that starts with [`first_child`].
fn next_child<K: NodeKind>(parent: Ptr<K>, node: Ptr<K>) -> Option<Ptr<K>> {
    match parent.children() {
        Children::Hashed(head) => hash::next(head, node),
        _ => node.sibling(),
    }
}

/// All nodes of a trie with their depth, from the root (depth 0), parents before children.
pub(crate) struct Walk<K: NodeKind> {
    at: Option<(Ptr<K>, usize)>,
}

/// Walks a trie. It must not change meanwhile.
pub(crate) fn walk<K: NodeKind>(root: Ptr<K>) -> Walk<K> {
    Walk {
        at: Some((root, 0)),
    }
}

impl<K: NodeKind> Iterator for Walk<K> {
    type Item = (Ptr<K>, usize);

    fn next(&mut self) -> Option<Self::Item> {
        let (node, depth) = self.at?;
        self.at = match first_child(node) {
            Some(child) => Some((child, depth + 1)),
            None => after(node, depth),
        };
        Some((node, depth))
    }
}

/// What follows in a walk when everything below `node` is done.
fn after<K: NodeKind>(mut node: Ptr<K>, mut depth: usize) -> Option<(Ptr<K>, usize)> {
    while let Some(parent) = node.parent() {
        if let Some(next) = next_child(parent, node) {
            return Some((next, depth));
        }
        node = parent;
        depth -= 1;
    }
    None
}
