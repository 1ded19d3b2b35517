//! The children of a node that has more than [`MAX_CHAIN`](crate::node::MAX_CHAIN) of them.
//!
//! The header is two words; it points to an array of buckets, each the start of a chain through the siblings of
//! the nodes themselves. The array doubles when there are more than [`LOAD`] nodes to a bucket; it never shrinks,
//! but goes with the last child.
//!
//! The place of a token is chosen so that eight consecutive small integers (or atoms) share a cache line of
//! buckets, each in one of its own, while the lines are spread by multiplication: nodes filled in turn, each with one
//! integer after the other, find their buckets in the cache (for the answers of a left-recursive path over a long
//! cycle that is twice as fast as scattering), yet no stride or shape of cell collects in few buckets.
//!
//! Invariants: the number of buckets is a power of two, at least [`MIN_BUCKETS`]; `count` nodes are in the
//! buckets, each in that of its token, no token twice; `count ≤ LOAD · buckets`.

use crate::alloc::{MIN_BUCKETS, StructAlloc, StructType};
use crate::node::{MAX_CHAIN, Node, NodeKind, Ptr};
use samite_term::cell::{TAG_MASK, Tag};
use std::ptr::{NonNull, null_mut};

/// Most nodes per bucket, on average.
pub const LOAD: usize = 1;

/// Describes the buckets of a node; see the module text.
#[repr(C)]
pub struct Header<K: NodeKind> {
    buckets: *mut *mut Node<K>,
    count: u32,
    /// 64 − log2 of the number of buckets.
    shift: u32,
}

const _: () = assert!(size_of::<Header<crate::node::Answer>>() == 16);
const _: () = assert!(MIN_BUCKETS >= 8 && MIN_BUCKETS.is_power_of_two());

/// 2⁶⁴ divided by the golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The bucket of a token among `1 << (64 - shift)`.
#[inline]
fn place(token: u64, shift: u32) -> usize {
    // Brings the lowest bits of the value of an integer or atom to the bottom; loses nothing.
    let con = token & TAG_MASK == Tag::Con as u64;
    let value = token.rotate_right(if con { 8 } else { 3 });
    let group = (value >> 3) ^ (value >> 35);
    ((group.wrapping_mul(SPREAD) >> shift) ^ (value & 7)) as usize
}

/// A live header, as [`crate::node::Ptr`] is a live node.
type Head<K> = *mut Header<K>;

#[inline]
fn bucket<K: NodeKind>(head: Head<K>, token: u64) -> *mut *mut Node<K> {
    // SAFETY: liveness; `place` is below the number of buckets, which is at least 8.
    unsafe { (*head).buckets.add(place(token, (*head).shift)) }
}

fn len<K: NodeKind>(head: Head<K>) -> usize {
    // SAFETY: liveness.
    1 << (64 - unsafe { (*head).shift })
}

/// Number of nodes.
pub(crate) fn count<K: NodeKind>(head: Head<K>) -> usize {
    // SAFETY: liveness.
    unsafe { (*head).count as usize }
}

/// Bytes of the array of buckets.
pub(crate) fn bucket_bytes<K: NodeKind>(head: Head<K>) -> usize {
    len(head) * size_of::<*mut u8>()
}

/// The array of buckets, and its length; the nodes may be of either trie.
///
/// # Safety
/// The header is in use.
pub(crate) unsafe fn buckets<K: NodeKind>(head: Head<K>) -> (NonNull<u8>, usize) {
    // SAFETY: promised by the caller; the array is never null.
    let buckets = unsafe { NonNull::new_unchecked((*head).buckets) };
    (buckets.cast(), len(head))
}

/// The node with `token`.
#[inline]
pub(crate) fn find<K: NodeKind>(head: Head<K>, token: u64) -> Option<Ptr<K>> {
    // SAFETY: a bucket of a live header.
    let mut node = Ptr::from_raw(unsafe { *bucket(head, token) });
    while let Some(n) = node {
        if n.token() == token {
            return node;
        }
        node = n.sibling();
    }
    None
}

/// Puts `node`, whose token is not there yet, in its bucket.
#[inline]
fn put<K: NodeKind>(head: Head<K>, node: Ptr<K>) {
    let bucket = bucket(head, node.token());
    // SAFETY: a bucket of a live header.
    unsafe {
        node.set_sibling(*bucket);
        *bucket = node.as_ptr();
    }
}

/// Adds `node`, whose token is not there yet; there is room for it.
#[inline]
pub(crate) fn insert<K: NodeKind>(head: Head<K>, node: Ptr<K>) {
    put(head, node);
    // SAFETY: liveness.
    unsafe { (*head).count += 1 };
    debug_assert!(count(head) <= LOAD * len(head));
}

/// Makes room for one more node; false: there is none.
#[inline]
pub(crate) fn has_room<K: NodeKind>(alloc: &mut impl StructAlloc, head: Head<K>) -> bool {
    count(head) < LOAD * len(head) || grow(alloc, head)
}

fn new_buckets<K: NodeKind>(alloc: &mut impl StructAlloc, n: usize) -> Option<*mut *mut Node<K>> {
    Some(alloc.alloc_buckets(n)?.as_ptr().cast())
}

#[cold]
#[inline(never)]
fn grow<K: NodeKind>(alloc: &mut impl StructAlloc, head: Head<K>) -> bool {
    let n = len(head);
    // The count is a half word.
    if n > u32::MAX as usize / (2 * LOAD) {
        return false;
    }
    let Some(new) = new_buckets(alloc, 2 * n) else {
        return false;
    };
    // SAFETY: liveness.
    let old = unsafe {
        let old = (*head).buckets;
        (*head).buckets = new;
        (*head).shift -= 1;
        old
    };
    for i in 0..n {
        // SAFETY: i is below the number of old buckets.
        let mut node = Ptr::from_raw(unsafe { *old.add(i) });
        while let Some(p) = node {
            node = p.sibling();
            put(head, p);
        }
    }
    // SAFETY: the old array is not referred to any more.
    unsafe { alloc.free_buckets(n, NonNull::new_unchecked(old).cast()) };
    true
}

/// A header with the nodes of a chain; `None`: there is no memory for it, and the chain is as it was.
#[cold]
#[inline(never)]
pub(crate) fn from_chain<K: NodeKind>(
    alloc: &mut impl StructAlloc,
    first: Ptr<K>,
) -> Option<Head<K>> {
    const { assert!(MAX_CHAIN <= LOAD * MIN_BUCKETS) };
    let memory = alloc.alloc(StructType::HashHeader)?;
    let head: Head<K> = memory.as_ptr().cast();
    let Some(buckets) = new_buckets(alloc, MIN_BUCKETS) else {
        // SAFETY: from this allocator just now; nobody else knows of it.
        unsafe { alloc.free(StructType::HashHeader, memory) };
        return None;
    };
    // SAFETY: fresh memory for a header.
    unsafe {
        head.write(Header {
            buckets,
            count: 0,
            shift: 64 - MIN_BUCKETS.trailing_zeros(),
        });
    }
    let mut node = Some(first);
    while let Some(p) = node {
        node = p.sibling();
        insert(head, p);
    }
    Some(head)
}

/// Takes `node` out; true if that was the last one.
pub(crate) fn remove<K: NodeKind>(head: Head<K>, node: Ptr<K>) -> bool {
    let bucket = bucket(head, node.token());
    // SAFETY: a bucket of a live header.
    unsafe { *bucket = without(*bucket, node) };
    // SAFETY: liveness.
    unsafe {
        (*head).count -= 1;
        (*head).count == 0
    }
}

/// The chain that starts with `first`, with `node` taken out; its new start.
pub(crate) fn without<K: NodeKind>(first: *mut Node<K>, node: Ptr<K>) -> *mut Node<K> {
    let after = node.sibling().map_or(null_mut(), Ptr::as_ptr);
    if first == node.as_ptr() {
        return after;
    }
    let mut at = Ptr::from_raw(first);
    while let Some(p) = at {
        at = p.sibling();
        if at == Some(node) {
            p.set_sibling(after);
            return first;
        }
    }
    panic!("node is not among the children of its parent");
}

/// Frees header and buckets, not the nodes.
pub(crate) fn free<K: NodeKind>(alloc: &mut impl StructAlloc, head: Head<K>) {
    // SAFETY: the caller has taken the header out of its node, so nothing refers to either any more.
    unsafe {
        let buckets = NonNull::new_unchecked((*head).buckets);
        alloc.free_buckets(len(head), buckets.cast());
        let head = NonNull::new_unchecked(head);
        alloc.free(StructType::HashHeader, head.cast());
    }
}

/// The first node in bucket `from` or a later one.
fn first_from<K: NodeKind>(head: Head<K>, from: usize) -> Option<Ptr<K>> {
    (from..len(head)).find_map(|i| {
        // SAFETY: i is below the number of buckets.
        Ptr::from_raw(unsafe { *(*head).buckets.add(i) })
    })
}

/// The first node in order of buckets.
pub(crate) fn first<K: NodeKind>(head: Head<K>) -> Option<Ptr<K>> {
    first_from(head, 0)
}

/// The node after `node` in order of buckets.
pub(crate) fn next<K: NodeKind>(head: Head<K>, node: Ptr<K>) -> Option<Ptr<K>> {
    node.sibling().or_else(|| {
        // SAFETY: liveness.
        let shift = unsafe { (*head).shift };
        first_from(head, place(node.token(), shift) + 1)
    })
}

/// Asserts the invariants of the module text.
pub(crate) fn verify<K: NodeKind>(head: Head<K>, parent: Ptr<K>) {
    let n = len(head);
    assert!(n.is_power_of_two() && n >= MIN_BUCKETS);
    assert!(count(head) > 0 && count(head) <= LOAD * n);
    let mut seen = 0;
    for i in 0..n {
        // SAFETY: i is below the number of buckets.
        let mut node = Ptr::from_raw(unsafe { *(*head).buckets.add(i) });
        while let Some(p) = node {
            assert_eq!(p.parent(), Some(parent));
            // SAFETY: liveness.
            assert_eq!(place(p.token(), unsafe { (*head).shift }), i);
            assert_eq!(find(head, p.token()), Some(p), "token twice");
            seen += 1;
            assert!(seen <= count(head), "more nodes than counted");
            node = p.sibling();
        }
    }
    assert_eq!(seen, count(head));
}

#[cfg(test)]
mod tests {
    use super::*;
    use samite_term::{Atom, Cell, Functor};

    /// Average number of nodes met by a successful search, for `n` tokens in the array they would have.
    fn cost(tokens: impl Iterator<Item = u64>) -> f64 {
        let tokens: Vec<u64> = tokens.collect();
        let n = tokens.len();
        let buckets = n.div_ceil(LOAD).next_power_of_two().max(MIN_BUCKETS);
        let mut count = vec![0u64; buckets];
        for &t in &tokens {
            count[place(t, 64 - buckets.trailing_zeros())] += 1;
        }
        let visits: u64 = count.iter().map(|c| c * (c + 1) / 2).sum();
        visits as f64 / n as f64
    }

    #[test]
    fn no_shape_of_token_collects_in_few_buckets() {
        let sizes = if cfg!(miri) { [30, 70] } else { [1000, 60_000] };
        for n in sizes {
            let int = |v: u64| Cell::small(v as i64).0;
            let all = |f: &dyn Fn(u64) -> u64| cost((0..n).map(f));
            // Random tokens cost 1 + load / 2, at most 1.5. Some strides collide with the multiplier, but not badly.
            let limit = 6.0;
            let few = cfg!(miri);
            assert!(
                few || all(&int) < 1.2,
                "consecutive integers: {}",
                all(&int)
            );
            for bits in 0..40 {
                let c = all(&|i| int(i << bits));
                assert!(c < limit, "integers in steps of 2^{bits}: {c}");
                let c = all(&|i| Cell::atom(Atom::from_index((i << (bits % 16)) as u32)).0);
                assert!(c < limit, "atoms in steps of 2^{}: {c}", bits % 16);
                let c = all(&|i| Cell::pointer(Tag::Box, i << (bits + 3)).0);
                assert!(c < limit, "other cells in steps of 2^{bits}: {c}");
            }
            for step in [3, 5, 7, 10, 12, 100, 1000, 1_000_000] {
                let c = all(&|i| int(i * step));
                assert!(c < limit, "integers in steps of {step}: {c}");
            }
            let c = all(&|i| (i as f64).to_bits());
            assert!(c < limit, "floats: {c}");
            let c = all(&|i| (i as f64 / 10.0).to_bits());
            assert!(c < limit, "decimal fractions: {c}");
            let c = all(&|i| Functor::new(Atom::from_index(i as u32), 2).bits());
            assert!(c < limit, "functors: {c}");
            let c = all(&|i| int((i % 300) << 20 | (i / 300)));
            assert!(c < limit, "packed pairs: {c}");
        }
    }
}
