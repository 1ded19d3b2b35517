//! Loom models: every interleaving of two threads that add to a set.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p samite-table --release loom`

use super::log::Rows;
use super::set::{Memory, Set};
use crate::scheme::{Scheme, TableSync};
use loom::thread::spawn;
use std::sync::Arc;

fn explore(model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.max_branches = 20_000;
    builder.check(model);
}

fn int(v: u64) -> u64 {
    v << 3 | 4
}

/// Both add these rows, one of them backwards; each is new for one of them, and in his log.
fn both_add(width: usize, rows_of: fn() -> Vec<Vec<u64>>) {
    for sync in [
        TableSync::LockFree,
        TableSync::TlwlField,
        TableSync::TlwlArray,
    ] {
        both_add_by(sync, width, rows_of);
    }
}

fn both_add_by(sync: TableSync, width: usize, rows_of: fn() -> Vec<Vec<u64>>) {
    explore(move || {
        let it = Arc::new((Rows::new(width, false), Set::new(Scheme::new(sync))));
        let run = move |me: usize, it: Arc<(Rows, Set)>| {
            let (mut memory, mut new) = (Memory::default(), 0);
            let mut all = rows_of();
            if me == 1 {
                all.reverse();
            }
            for row in all {
                new += usize::from(it.1.add(&it.0, me, &row, &mut memory).unwrap());
            }
            assert_eq!(it.0.committed(me), new);
            (memory, new)
        };
        let other = it.clone();
        let other = spawn(move || run(1, other));
        let mine = run(0, it.clone());
        let theirs = other.join().unwrap();
        assert_eq!(mine.1 + theirs.1, rows_of().len());
        for row in rows_of() {
            assert!(it.1.has(&it.0, &row));
        }
    });
}

#[test]
fn loom_a_bit_is_set_by_one() {
    both_add(1, || vec![vec![int(1)], vec![int(2)]]);
}

#[test]
fn loom_what_no_rectangle_covers_is_added_by_one() {
    both_add(1, || vec![vec![int(1)], vec![int(100_000_000)]]);
}

#[test]
fn loom_a_leaf_is_put_by_one() {
    both_add(3, || {
        vec![vec![int(1), int(2), int(3)], vec![int(3), int(2), int(1)]]
    });
}
