//! Calls that threads share, against maps.

use super::{CommonCalls, MOST_LEFT};
use crate::alloc::Origin;
use crate::scheme::TableSync;
use crate::{FramePtr, State, TableSpace};
use samite_term::HoldsAtoms;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Barrier};

const ALL: [(TableSync, Origin); 6] = [
    (TableSync::LockFree, Origin::Pages),
    (TableSync::TlwlField, Origin::Pages),
    (TableSync::TlwlArray, Origin::Pages),
    (TableSync::LockFree, Origin::Malloc),
    (TableSync::TlwlField, Origin::Malloc),
    (TableSync::TlwlArray, Origin::Malloc),
];

struct Random(u64);
impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((u128::from(self.0) * n as u128) >> 64) as usize
    }
    /// The length goes first.
    fn call(&mut self, range: usize) -> (usize, Vec<u64>) {
        let n = self.below(4);
        let mut tokens = vec![n as u64];
        tokens.extend((0..n).map(|_| (self.below(range) as u64) << 3 | 4));
        (1 + 2 * self.below(3), tokens)
    }
}

/// Calls, looks up, renews, removes and abolishes at random, and is right after each step.
fn member(
    calls: &Arc<CommonCalls>,
    seed: u64,
    steps: usize,
    used: &mut HashSet<(usize, Vec<u64>)>,
) {
    let mut r = Random(seed * 0x9e37_79b9 + 1);
    let mut space = TableSpace::new();
    let mut model: HashMap<(usize, Vec<u64>), FramePtr> = HashMap::new();
    space.join(calls).unwrap();
    for step in 0..steps {
        let call = r.call(if step % 2 == 0 { 4 } else { 300 });
        let (pred, tokens) = (call.0, &call.1);
        assert!(space.subgoal_find(pred, tokens) == model.get(&call).copied());
        match r.below(40) {
            0 if step % 7 == 0 => {
                space.abolish_all();
                model.clear();
                space.join(calls).unwrap();
            }
            1 => {
                space.free_retired();
                space.abolish_pred(pred);
                model.retain(|(p, _), _| *p != pred);
            }
            2..6 => {
                if let Some(frame) = model.remove(&call) {
                    space.free_retired();
                    space.remove_subgoal(frame);
                }
            }
            6..9 => {
                if let Some(old) = model.get(&call).copied() {
                    old.set_state(State::Complete);
                    let new = space.renew_subgoal(old).unwrap();
                    model.insert(call.clone(), new);
                    if r.below(2) == 0 {
                        space.restore_subgoal(new, old);
                        model.insert(call, old);
                    }
                }
            }
            _ => {
                let (frame, new) = space.common_call(pred, tokens).unwrap();
                assert_eq!(new, !model.contains_key(&call));
                assert!(*model.entry(call.clone()).or_insert(frame) == frame);
                let mut out = Vec::new();
                space.subgoal_tokens(frame, &mut out).unwrap();
                assert_eq!(&out, tokens);
                if frame.state() == State::Fresh && r.below(3) == 0 {
                    space.add_row(frame, &[(step as u64) << 3 | 4]).unwrap();
                }
                used.insert(call);
            }
        }
        if step % 50 == 0 {
            space.verify();
            let frames: HashSet<FramePtr> = space.frames().collect();
            assert_eq!(frames, model.values().copied().collect());
            let of_one: HashSet<FramePtr> = space.frames_of(1).collect();
            let expected = model.iter().filter(|((p, _), _)| *p == 1);
            assert_eq!(of_one, expected.map(|(_, &f)| f).collect());
            assert_eq!(space.statistics().subgoals, model.len());
        }
    }
    space.verify();
}

/// Nodes that paths of these calls have, with one for each predicate.
fn nodes_of(used: &HashSet<(usize, Vec<u64>)>) -> usize {
    let mut all = HashSet::new();
    for (pred, tokens) in used {
        (0..=tokens.len()).for_each(|n| {
            all.insert((*pred, tokens[..n].to_vec()));
        });
    }
    all.len()
}

#[test]
fn members_find_their_own_frames_at_common_calls() {
    let steps = if cfg!(miri) { 60 } else { 3000 };
    for (sync, origin) in ALL {
        let calls = Arc::new(CommonCalls::new(sync, origin, Arc::default()));
        let start = Arc::new(Barrier::new(3));
        let threads: Vec<_> = (0..3)
            .map(|seed| {
                let (calls, start) = (calls.clone(), start.clone());
                std::thread::spawn(move || {
                    let mut used = HashSet::new();
                    start.wait();
                    for round in 0..3 {
                        member(&calls, seed + 100 * round, steps / 3, &mut used);
                    }
                    used
                })
            })
            .collect();
        let mut used = HashSet::new();
        for t in threads {
            used.extend(t.join().unwrap());
        }
        assert_eq!(calls.verify(), nodes_of(&used), "{sync:?} {origin:?}");
        assert_eq!(Arc::strong_count(&calls), 1);
    }
}

/// Nodes are put once, places go from member to member, and a block of frames is no wider than what is there of it.
#[test]
fn places_are_used_again() {
    for (sync, origin) in ALL {
        let calls = Arc::new(CommonCalls::new(sync, origin, Arc::default()));
        let mut spaces = Vec::new();
        let call = [12, 20];
        for _ in 0..if cfg!(miri) { 10 } else { 90 } {
            let mut space = TableSpace::new();
            space.join(&calls).unwrap();
            let frame = space.common_call(7, &call).unwrap().0;
            spaces.push((space, frame));
        }
        for (space, frame) in &mut spaces {
            assert!(space.common_call(7, &call).unwrap() == (*frame, false));
            space.verify();
        }
        assert_eq!(calls.verify(), 3);
        let places = calls.members().next;
        spaces.truncate(3);
        for _ in 0..places {
            let mut space = TableSpace::new();
            space.join(&calls).unwrap();
            assert!(space.subgoal_find(7, &call).is_none());
            assert!(space.common_call(7, &call).unwrap().1);
            space.verify();
        }
        let members = calls.members();
        assert_eq!((members.next, members.present), (places, 3));
        drop(members);
    }
}

/// What members leave is used by the next, until it is too much for those who stay.
#[test]
fn what_is_left_is_used_again_and_bounded() {
    let calls = Arc::new(CommonCalls::new(
        TableSync::LockFree,
        Origin::Pages,
        Arc::default(),
    ));
    let mut stays = TableSpace::new();
    stays.join(&calls).unwrap();
    stays.common_call(7, &[4]).unwrap();
    let mut rounds = 0;
    while !calls.is_full() {
        let mut space = TableSpace::new();
        space.join(&calls).unwrap();
        for i in 0..100 {
            space
                .common_call(7, &[(rounds * 100 + i) << 3 | 4])
                .unwrap();
        }
        let statistics = space.statistics();
        assert!(space.bytes_held() >= statistics.bytes);
        // What others have left is not its own, by whatever it is asked for.
        let kinds = space.kinds();
        let bytes = kinds.iter().map(|k| k.in_use * k.size.max(1));
        assert_eq!(bytes.sum::<usize>(), statistics.bytes);
        assert!(statistics.subgoal_trie_nodes <= 103);
        space.verify();
        rounds += 1;
        assert!(rounds < 100);
    }
    assert!(rounds > 2);
    let left: usize = calls.members().left.iter().map(|l| l.1).sum();
    assert!(left < 2 * MOST_LEFT);
    assert_eq!(calls.members().left.len(), 1);
    drop(stays);
    assert!(!calls.is_full());
}

/// Calls tell of their atoms for as long as there is a frame.
#[test]
fn frames_keep_the_atoms_of_their_calls() {
    use samite_term::{Atom, Cell, Functor, Kind};
    let names = ["calls: f", "calls: a", "calls: b"].map(Atom::of);
    let alike = Cell::atom(Atom::of("calls: alike")).0;
    let header = Cell::header(Kind::Float, 0).0;
    let tokens = [
        Functor::new(names[0], 2).bits(),
        Cell::atom(names[1]).0,
        header,
        alike,
        Cell::atom(names[2]).0,
    ];
    let calls = Arc::new(CommonCalls::new(
        TableSync::LockFree,
        Origin::Pages,
        Arc::default(),
    ));
    let mut space = TableSpace::new();
    space.join(&calls).unwrap();
    let frame = space.common_call(3, &tokens).unwrap().0;
    let found = |space: &TableSpace| {
        let mut found = Vec::new();
        space.each_atom(&mut |a| found.push(a));
        found
    };
    assert_eq!(found(&space), names);
    let mut slowly = Vec::new();
    crate::walked::each_one_by_one(frame, &mut |a| slowly.push(a));
    assert_eq!(slowly, names);
    space.remove_subgoal(frame);
    assert!(found(&space).is_empty());
    assert_eq!(calls.verify(), 6);
}

/// So do queues and mutexes.
#[test]
fn frames_keep_the_handles_of_their_calls() {
    use samite_term::counted::{self, Grave};
    use samite_term::{Cell, Handle, HandleKind};
    let grave = Arc::new(Grave::default());
    let calls = Arc::new(CommonCalls::new(
        TableSync::LockFree,
        Origin::Pages,
        Arc::default(),
    ));
    let mut spaces = [TableSpace::new(), TableSpace::new()];
    let h = Handle::new(HandleKind::Mutex, 1 << 43);
    assert!(counted::enter(h, &grave));
    let token = Cell::of_handle(h).0;
    let frames = spaces.each_mut().map(|space| {
        space.join(&calls).unwrap();
        space.common_call(3, &[token, 4]).unwrap().0
    });
    counted::release(h);
    let buried = || grave.next().is_some_and(counted::take);
    spaces.iter().for_each(TableSpace::verify);
    assert!(!buried());
    spaces[0].remove_subgoal(frames[0]);
    spaces[0].verify();
    assert!(!buried());
    spaces[1].abolish_all();
    assert!(buried());
}
