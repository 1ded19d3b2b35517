//! The table space by examples: node counts of the paper, many children, deep tries, prefixes, stale handles.

use samite_table::{AnswerPtr, FramePtr, State, TableSpace};

fn int(v: usize) -> u64 {
    (v as u64) << 3 | 4
}

fn var(i: u64) -> u64 {
    i << 3
}

fn call(space: &mut TableSpace, pred: usize, tokens: &[u64]) -> (FramePtr, bool) {
    let mut node = space.subgoal_root(pred).unwrap();
    for &t in tokens {
        node = space.subgoal_step(node, t).unwrap();
    }
    space.subgoal_leaf(node).unwrap()
}

fn add(space: &mut TableSpace, frame: FramePtr, tokens: &[u64]) -> (AnswerPtr, bool) {
    let mut node = space.answer_root(frame);
    for &t in tokens {
        node = space.answer_step(node, t).unwrap();
    }
    let new = space.answer_leaf(frame, node);
    (node, new)
}

/// Small ones under Miri.
fn scaled(n: usize) -> usize {
    if cfg!(miri) { n / 1000 } else { n }
}

#[test]
fn calls_and_answers_are_found_again() {
    let mut space = TableSpace::new();
    let (f, new) = call(&mut space, 1, &[int(1), var(0)]);
    assert!(new);
    assert_eq!(call(&mut space, 1, &[int(1), var(0)]), (f, false));
    let (g, _) = call(&mut space, 2, &[int(1), var(0)]);
    assert_ne!(f, g);
    assert_eq!((f.pred(), g.pred()), (1, 2));
    assert_eq!(f.first_answer(), None);
    let new = [3, 1, 2, 3].map(|i| add(&mut space, f, &[int(i)]).1);
    assert_eq!(new, [true, true, true, false]);
    let mut out = Vec::new();
    let order = space.answers(f).map(|a| {
        space.answer_tokens(f, a, &mut out).unwrap();
        out[0]
    });
    assert_eq!(order.collect::<Vec<_>>(), [int(3), int(1), int(2)]);
    let first = f.first_answer().unwrap();
    assert_eq!(f.next_answer(first), first.next_answer());
    assert_eq!(f.last_answer().unwrap().token(), int(2));
    assert_eq!(space.statistics().repeated, 1);
    space.verify();
}

#[test]
fn handles_survive_as_words() {
    let mut space = TableSpace::new();
    let (f, _) = call(&mut space, 1, &[int(1)]);
    let (a, _) = add(&mut space, f, &[int(5)]);
    // SAFETY: the bits of the same handles.
    let (g, b) = unsafe {
        (
            FramePtr::from_bits(f.to_bits()),
            AnswerPtr::from_bits(a.to_bits()),
        )
    };
    assert_eq!((f, a), (g, b));
    assert_eq!((g.answer_count(), b.token()), (1, int(5)));
    assert_eq!(f.to_bits() % 64, 0);
}

#[test]
fn states_and_tags_are_kept() {
    let mut space = TableSpace::new();
    let (f, _) = call(&mut space, 1, &[]);
    for state in [State::Incomplete, State::Complete, State::Fresh] {
        f.set_state(state);
        f.set_tag(u64::MAX);
        assert_eq!((f.state(), f.tag(), f.answer_count()), (state, u64::MAX, 0));
    }
    add(&mut space, f, &[]);
    assert_eq!(
        (f.state(), f.tag(), f.answer_count()),
        (State::Fresh, u64::MAX, 1)
    );
}

#[test]
fn the_root_is_the_answer_of_a_ground_call() {
    let mut space = TableSpace::new();
    let (f, _) = call(&mut space, 1, &[int(1), int(2)]);
    assert_eq!(space.statistics().answer_trie_nodes, 1);
    let (a, new) = add(&mut space, f, &[]);
    assert!(new && !add(&mut space, f, &[]).1);
    assert_eq!(
        (f.first_answer(), f.last_answer(), f.next_answer(a)),
        (Some(a), Some(a), None)
    );
    let mut out = vec![1];
    space.answer_tokens(f, a, &mut out).unwrap();
    assert!(out.is_empty());
    let s = space.statistics();
    assert_eq!(
        (s.answers, s.answer_trie_nodes, s.subgoal_trie_nodes),
        (1, 1, 3)
    );
    space.verify();
    space.remove_subgoal(f);
    space.verify();
    assert_eq!(call(&mut space, 1, &[int(1), int(2)]).0.answer_count(), 0);
}

/// Table I, Tropo, Holo (first argument bound) and Hypo (second argument bound).
#[test]
fn nodes_are_counted_as_in_the_paper() {
    let calls = scaled(117_657);
    let mut space = TableSpace::new();
    for i in 0..calls {
        let (f, _) = call(&mut space, 1, &[int(100_000_000 + 7 * i), var(0)]);
        if i < calls / 249 {
            add(&mut space, f, &[int(i)]);
        }
        call(&mut space, 2, &[var(0), int(100_000_000 + 7 * i)]);
    }
    let s = space.statistics_of(1);
    assert_eq!(s.subgoals, calls);
    assert_eq!(s.subgoal_trie_nodes, 2 * calls + 1);
    assert_eq!(s.answers, calls / 249);
    assert_eq!(s.answer_trie_nodes, calls + calls / 249);
    assert_eq!(space.statistics_of(2).subgoal_trie_nodes, calls + 2);
    let (depth, answer_depth) = space.depths_of(1);
    assert_eq!((depth.min, depth.max, depth.average()), (2, 2, 2.0));
    assert_eq!(answer_depth.total, calls / 249);
    // Two nodes, a frame, and at most four buckets for each.
    assert!(s.bytes <= calls * (2 * 32 + 64 + 32) + 4096);
    space.verify();
}

/// Table I, path/2 over BTree with both arguments free, on a smaller tree.
#[test]
fn a_path_table_has_the_nodes_it_should() {
    let levels = if cfg!(miri) { 5 } else { 12 };
    let inner = (1 << (levels - 1)) - 1;
    let mut space = TableSpace::new();
    let (f, _) = call(&mut space, 1, &[var(0), var(1)]);
    let mut answers = 0;
    for top in 1..=inner {
        let mut below = (2 * top, 2 * top + 1);
        while below.0 < 1 << levels {
            for node in below.0..=below.1 {
                assert!(add(&mut space, f, &[int(top), int(node)]).1);
                answers += 1;
            }
            below = (2 * below.0, 2 * below.1 + 1);
        }
    }
    let s = space.statistics();
    assert_eq!((s.subgoal_trie_nodes, s.answers), (3, answers));
    assert_eq!(s.answer_trie_nodes, 1 + inner + answers);
    space.verify();
}

#[test]
fn buckets_stay_small() {
    let mut space = TableSpace::new();
    let (f, _) = call(&mut space, 1, &[var(0)]);
    let before = space.statistics().bytes;
    let n = if cfg!(miri) { 200 } else { 2000 };
    for i in 0..n {
        add(&mut space, f, &[int(i)]);
    }
    let s = space.statistics();
    assert_eq!(s.hashed_nodes, 1);
    assert!(s.bytes - before - n * 32 <= n.next_power_of_two() * 8 + 16);
}

#[test]
fn removing_one_of_many_calls_leaves_the_others() {
    let mut space = TableSpace::new();
    let n = if cfg!(miri) { 60 } else { 20_000 };
    let frames: Vec<_> = (0..n)
        .map(|i| call(&mut space, 1, &[int(i / 10), int(i % 10)]).0)
        .collect();
    for &f in &frames {
        add(&mut space, f, &[int(1)]);
    }
    for (i, &f) in frames.iter().enumerate() {
        if i % 3 != 0 {
            space.remove_subgoal(f);
        }
    }
    space.verify();
    for (i, &frame) in frames.iter().enumerate() {
        let found = space.subgoal_find(1, &[int(i / 10), int(i % 10)]);
        assert_eq!(found, (i % 3 == 0).then_some(frame));
    }
    let held = space.bytes_held();
    for i in 0..n {
        let (f, _) = call(&mut space, 1, &[int(i / 10), int(i % 10)]);
        add(&mut space, f, &[int(1)]);
    }
    assert_eq!(
        space.bytes_held(),
        held,
        "freed structures were not used again"
    );
    space.abolish_pred(1);
    assert_eq!(space.statistics().bytes, 0);
    space.verify();
}

#[test]
fn a_deep_trie_needs_no_stack() {
    let depth = scaled(2_000_000);
    let mut space = TableSpace::new();
    std::thread::scope(|s| {
        let run = || {
            let tokens: Vec<u64> = (0..depth).map(|i| int(i % 7)).collect();
            let (f, _) = call(&mut space, 1, &tokens);
            let (a, _) = add(&mut space, f, &tokens);
            let mut out = Vec::new();
            space.answer_tokens(f, a, &mut out).unwrap();
            assert!(out == tokens);
            assert_eq!(space.frames().count(), 1);
            space.verify();
            space.remove_subgoal(f);
            assert_eq!(space.statistics().subgoal_trie_nodes, 1);
            let (f, _) = call(&mut space, 1, &tokens);
            add(&mut space, f, &tokens);
            space.abolish_pred(1);
            space.verify();
        };
        std::thread::Builder::new()
            .stack_size(64 << 10)
            .spawn_scoped(s, run)
            .unwrap();
    });
}

#[test]
#[should_panic(expected = "prefix")]
fn an_answer_that_goes_on_after_another_is_refused() {
    let mut space = TableSpace::new();
    let (f, _) = call(&mut space, 1, &[]);
    add(&mut space, f, &[int(1)]);
    add(&mut space, f, &[int(1), int(2)]);
}

#[test]
#[should_panic(expected = "prefix")]
fn a_call_that_ends_inside_of_another_is_refused() {
    let mut space = TableSpace::new();
    call(&mut space, 1, &[int(1), int(2)]);
    call(&mut space, 1, &[int(1)]);
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "removed table")]
fn a_stale_frame_is_noticed_in_debug_builds() {
    let mut space = TableSpace::new();
    let (f, _) = call(&mut space, 1, &[int(1)]);
    call(&mut space, 1, &[int(2)]);
    space.remove_subgoal(f);
    f.state();
}

#[test]
fn memory_goes_back_when_all_tables_go() {
    let mut space = TableSpace::new();
    for round in 0..3 {
        for i in 0..scaled(100_000) {
            let (f, new) = call(&mut space, i % 3, &[int(i)]);
            assert!(new, "round {round}");
            add(&mut space, f, &[int(1)]);
        }
        assert!(space.bytes_held() >= space.statistics().bytes);
        space.abolish_all();
        assert_eq!((space.bytes_held(), space.frames().count()), (0, 0));
        space.verify();
    }
}

#[test]
fn a_table_space_can_move_to_another_thread() {
    let mut space = TableSpace::new();
    call(&mut space, 1, &[int(1)]);
    let n = std::thread::spawn(move || space.frames().count())
        .join()
        .unwrap();
    assert_eq!(n, 1);
}

#[test]
fn answers_are_withdrawn() {
    let mut space = TableSpace::new();
    let (frame, _) = call(&mut space, 1, &[var(0)]);
    let all: Vec<AnswerPtr> = (0..40)
        .map(|i| add(&mut space, frame, &[int(i)]).0)
        .collect();
    for (left, stays) in [(30, 4), (20, 2), (0, 1)] {
        let number = |a: AnswerPtr| all.iter().position(|&b| a == b).unwrap();
        space.withdraw_answers(frame, |a| number(a) % stays != 0);
        space.verify();
        let answers: Vec<usize> = space.answers(frame).map(number).collect();
        assert!(answers.iter().all(|n| n % stays != 0) && answers.is_sorted());
        assert_eq!((frame.answer_count(), answers.len()), (left, left));
        assert_eq!(frame.last_answer().map(number), answers.last().copied());
    }
    // One without tokens is the root itself.
    let (empty, _) = call(&mut space, 2, &[]);
    add(&mut space, empty, &[]);
    space.withdraw_answers(empty, |_| false);
    space.verify();
    assert_eq!(empty.first_answer(), None);
    space.remove_subgoal(frame);
    space.verify();
    assert_eq!(space.statistics().answers, 0);
}
