//! Loom models: every interleaving of two threads that put calls, under each scheme.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p samite-table --release loom`

use super::memory::Memory;
use super::node::{CallNode, Hand, verify};
use crate::frame::Frame;
use crate::scheme::{Contention, Scheme, TableSync};
use crate::sync::Ordering;
use loom::thread::spawn;
use std::ptr::{NonNull, null};
use std::sync::Arc;

struct Shared(CallNode, Scheme);
// SAFETY: as `CommonCalls`.
unsafe impl Send for Shared {}
// SAFETY: as `CommonCalls`.
unsafe impl Sync for Shared {}

/// Both put these tokens below one node, one of them backwards, and a frame at each; nodes are as many as tokens, and each finds its frames.
fn both_put(sync: TableSync, tokens: &'static [u64]) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.max_branches = 20_000;
    builder.check(move || {
        let it = Arc::new(Shared(CallNode::new(0, null()), Scheme::new(sync)));
        let run = move |me: usize, it: Arc<Shared>| {
            let (mut memory, mut seen) = (Memory::default(), Contention::default());
            let mut hand = Hand {
                scheme: it.1,
                memory: &mut memory,
                seen: &mut seen,
            };
            let mut all = tokens.to_vec();
            if me == 1 {
                all.reverse();
            }
            let frame = |t: u64| std::ptr::without_provenance_mut::<Frame>((t as usize) << 6 | me);
            for &t in &all {
                let leaf = it.0.step(t, null(), &mut hand).unwrap();
                let slot = leaf.slot(me * 4, &mut hand).unwrap();
                slot.store(frame(t), Ordering::Relaxed);
            }
            for &t in &all {
                let found = it.0.find(t).and_then(|leaf| leaf.frame(me * 4));
                assert_eq!(found.map(NonNull::as_ptr), Some(frame(t)));
            }
        };
        let other = it.clone();
        let other = spawn(move || run(1, other));
        run(0, it.clone());
        other.join().unwrap();
        assert_eq!(verify(&it.0), tokens.len());
    });
}

#[test]
fn loom_a_call_is_put_by_one() {
    for sync in [
        TableSync::LockFree,
        TableSync::TlwlField,
        TableSync::TlwlArray,
    ] {
        both_put(sync, &[5]);
    }
}

/// (A chain is one node long: the second is in a level.)
#[test]
fn loom_a_chain_becomes_a_level_once() {
    for sync in [
        TableSync::LockFree,
        TableSync::TlwlField,
        TableSync::TlwlArray,
    ] {
        both_put(sync, &[5, 9]);
    }
}
