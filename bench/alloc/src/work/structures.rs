//! Workloads of one thread that build what programs build: lists, trees, texts.

use crate::Plan;
use samite_bench_alloc::block::Block;
use samite_bench_alloc::calls;
use samite_bench_alloc::rng::Rng;
use std::ptr::null_mut;

/// A cell of a list or a node of a tree.
struct Node {
    left: *mut Node,
    right: *mut Node,
    value: u64,
}

/// A node of C memory.
fn node(left: *mut Node, right: *mut Node, value: u64) -> *mut Node {
    let p = calls::malloc(size_of::<Node>()).cast::<Node>();
    assert!(!p.is_null(), "no memory for a node");
    // SAFETY: the block has the size of a node, and malloc aligns for all of its fields.
    unsafe { p.write(Node { left, right, value }) };
    p
}

/// Lists that grow at their end, are walked, and lose cells from their middle.
pub fn lists(plan: &Plan) -> u64 {
    let mut rng = Rng::new(plan.seed, 0);
    let mut sum = 0u64;
    // The tail of each list, and its first cell.
    let mut heads = vec![null_mut::<Node>(); 300];
    for _ in 0..plan.ops(90_000) {
        let at = rng.below(heads.len());
        for _ in 0..rng.range(50, 250) {
            heads[at] = node(null_mut(), heads[at], rng.next_u64());
        }
        // Another list loses every other cell, or all of them.
        let at = rng.below(heads.len());
        let (mut link, all) = (&raw mut heads[at], rng.one_in(3));
        let mut keep = false;
        // SAFETY: `link` is the head or a field of a live cell; a cell is unlinked before it is freed, and every
        // cell is reached from one head only.
        unsafe {
            while !(*link).is_null() {
                let cell = *link;
                if keep && !all {
                    link = &raw mut (*cell).right;
                } else {
                    *link = (*cell).right;
                    sum = sum.wrapping_add((*cell).value);
                    calls::free(cell.cast());
                }
                keep = !keep;
            }
        }
    }
    for mut cell in heads {
        while !cell.is_null() {
            // SAFETY: as above; the next cell is read before this one is freed.
            unsafe {
                let next = (*cell).right;
                sum = sum.wrapping_add((*cell).value);
                calls::free(cell.cast());
                cell = next;
            }
        }
    }
    sum
}

/// Complete binary trees, many short-lived ones beside one that stays.
pub fn trees(plan: &Plan) -> u64 {
    forest(plan, 0, plan.ops(340))
}

/// The body of [`trees`] for one of several threads.
pub fn forest(plan: &Plan, thread: u64, rounds: usize) -> u64 {
    let mut rng = Rng::new(plan.seed, thread);
    let stays = grow(17, &mut rng);
    let mut sum = 0u64;
    for _ in 0..rounds {
        let depth = rng.range(4, 13);
        // As many nodes each round.
        for _ in 0..1 << (15 - depth) {
            let tree = grow(depth, &mut rng);
            // SAFETY: just grown, and not used again.
            sum = sum.wrapping_add(unsafe { fell(tree) });
        }
    }
    // SAFETY: grown above, and not used again.
    sum.wrapping_add(unsafe { fell(stays) })
}

/// A complete tree of the given depth.
fn grow(depth: usize, rng: &mut Rng) -> *mut Node {
    if depth == 0 {
        return node(null_mut(), null_mut(), rng.next_u64());
    }
    let left = grow(depth - 1, rng);
    let right = grow(depth - 1, rng);
    node(left, right, rng.next_u64())
}

/// Frees a tree; the sum of its values.
///
/// # Safety
/// `tree` is from [`grow`] and not used any more.
unsafe fn fell(tree: *mut Node) -> u64 {
    // SAFETY: the caller gives up a live tree, so its nodes are live, and each is freed after its fields were read.
    unsafe {
        let Node { left, right, value } = tree.read();
        calls::free(tree.cast());
        if left.is_null() {
            value
        } else {
            value.wrapping_add(fell(left)).wrapping_add(fell(right))
        }
    }
}

/// Texts that grow by a few bytes at a time, each with its buffer doubled, or enlarged by a little, when it is full.
pub fn strings(plan: &Plan) -> u64 {
    struct Text {
        buffer: Block,
        used: usize,
    }
    let mut rng = Rng::new(plan.seed, 0);
    let mut texts: Vec<Option<Text>> = std::iter::repeat_with(|| None).take(2000).collect();
    let mut sum = 0u64;
    for _ in 0..plan.ops(16_000_000) {
        let at = rng.below(texts.len());
        let mut text = match texts[at].take() {
            Some(text) => text,
            None => Text {
                buffer: Block::new(32, rng.next_u64()),
                used: 8,
            },
        };
        let end = text.used + rng.range(1, 40);
        if end + 8 > text.buffer.size() {
            let old = text.buffer.size();
            let size = if at.is_multiple_of(2) {
                2 * old
            } else {
                old + old / 8 + 24
            };
            text.buffer = text.buffer.resize(size.max(end + 8));
        }
        text.buffer.append(text.used, end);
        assert!(text.buffer.appended_intact(text.used, end));
        text.used = end;
        // Most texts end early; some grow to a megabyte.
        let limit = if at.is_multiple_of(50) { 1 << 20 } else { 2000 };
        if text.used > limit || rng.one_in(400) {
            sum = sum
                .wrapping_add(text.buffer.free())
                .wrapping_add(text.used as u64);
        } else {
            texts[at] = Some(text);
        }
    }
    for text in texts.into_iter().flatten() {
        sum = sum
            .wrapping_add(text.buffer.free())
            .wrapping_add(text.used as u64);
    }
    sum
}
