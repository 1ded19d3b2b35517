//! Threads that add to one table: what is there at the end is what was added, each row in one log.

use super::*;
use crate::Frozen;
use std::collections::HashSet;
use std::sync::Barrier;

fn int(v: i64) -> u64 {
    (v << 3 | 4) as u64
}

fn frame(space: &mut TableSpace) -> FramePtr {
    let root = space.subgoal_root(8).unwrap();
    let node = space.subgoal_step(root, 3).unwrap();
    let frame = space.subgoal_leaf(node).unwrap().0;
    frame.set_state(State::Incomplete);
    frame
}

/// Shapes of rows: dense ones, some far apart, hashed ones; wide ones are allowed where the frame has had one, or none.
const SHAPES: [fn(i64, i64) -> Vec<u64>; 7] = [
    |i, _| vec![int(i % 700)],
    |i, x| vec![int(x.rem_euclid(60)), int(i % 50 - 20)],
    |i, x| {
        vec![
            int(i % 20 + if i % 97 == 0 { 1 << 20 } else { 0 }),
            int(x.rem_euclid(30)),
        ]
    },
    |i, _| vec![int(i * 1_000_003 % (1 << 27))],
    |i, x| vec![int(i % 9), int(x.rem_euclid(7)), int(i % 11)],
    |i, x| vec![int(x << 20 & 0x0fff_ffff_ffff), int(i % 5)],
    |i, _| vec![(i % 300) as u64 * 256 + 5, int(i % 3)],
];

#[test]
fn what_threads_add_is_there_once() {
    let n = if cfg!(miri) { 40 } else { 4000 };
    let schemes = [
        TableSync::LockFree,
        TableSync::TlwlField,
        TableSync::TlwlArray,
    ];
    for ((at, shape), sync) in
        (SHAPES.into_iter().enumerate()).flat_map(|s| schemes.map(|y| (s, y)))
    {
        for before in [0, 1, 30] {
            let mut space = TableSpace::new();
            let frame = frame(&mut space);
            let some = |i: i64| i.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 7;
            let row = |i: i64| shape(i, some(i));
            let mut expected = HashSet::new();
            // (The fifth has wide tokens.)
            for i in 0..before {
                space.add_row(frame, &row(i)).unwrap();
                expected.insert(row(i));
            }
            let mut memory = Memory::default();
            let table = JointTable::of_frame(frame, 0, &mut memory, sync)
                .unwrap()
                .unwrap();
            assert_eq!(table.rows().count(), expected.len());
            let fits = |r: &[u64]| before == 0 || at != 5 || are_narrow(r) || table.rows().takes(r);
            let barrier = Barrier::new(3);
            let new: usize = std::thread::scope(|s| {
                let threads: Vec<_> = (0..3)
                    .map(|me| {
                        let (table, row, barrier) = (&table, &row, &barrier);
                        s.spawn(move || {
                            let (mut memory, mut new) = (Memory::default(), 0);
                            barrier.wait();
                            for i in 0..n {
                                let i = (i * (me + 1) + me) % n;
                                let added = table.add(me as usize, &row(i), &mut memory).unwrap();
                                new += usize::from(added == Added::New);
                            }
                            let seen = memory.contention();
                            assert!(seen.writes >= new as u64);
                            assert!(seen.waits == 0 || sync != TableSync::LockFree);
                            (memory, new)
                        })
                    })
                    .collect();
                let done: Vec<_> = threads.into_iter().map(|t| t.join().unwrap()).collect();
                table.verify();
                done.iter().map(|d| d.1).sum()
            });
            expected.extend((0..n).map(row).filter(|r| fits(r)));
            let mut all = HashSet::new();
            let frozen = Arc::new(Frozen::of_joint(table.rows().clone(), 0).unwrap().unwrap());
            drop(table);
            space.exchange(frame, frozen).unwrap();
            space.verify();
            let mut out = Vec::new();
            for a in space.answers(frame) {
                space.answer_tokens(frame, a, &mut out).unwrap();
                assert!(all.insert(out.clone()), "twice");
            }
            assert_eq!(all, expected);
            assert!(new + before.min(30) as usize >= all.len() && new <= all.len());
        }
    }
}

/// What does not fit is refused by everybody, and changes nothing.
#[test]
fn rows_of_a_table_are_alike() {
    let (mut space, mut memory) = (TableSpace::new(), Memory::default());
    let narrow = frame(&mut space);
    space.add_row(narrow, &[int(1), int(2)]).unwrap();
    let table = JointTable::of_frame(narrow, 3, &mut memory, TableSync::LockFree)
        .unwrap()
        .unwrap();
    for row in [&[int(1)][..], &[int(1), int(1 << 40)], &[], &[int(1); 9]] {
        assert_eq!(table.add(0, row, &mut memory), Ok(Added::Unfit));
    }
    assert_eq!(
        table.add(0, &[int(1), int(2)], &mut memory),
        Ok(Added::Known)
    );
    assert_eq!(table.rows().count(), 1);
    table.verify();
    space.forget_rows(narrow);
    assert_eq!(narrow.answer_count(), 0);
    space.verify();
}
