//! Loom models of transactions and snapshots; see [`crate::loom_models`].

#![cfg_attr(not(test), allow(dead_code, unused_imports))]

use crate::db::database;
use crate::db::predicate::{Clause, Predicate};
use crate::db::readers::ReaderSlot;
use crate::db::transaction::Transaction;
use crate::loom_models::{FREED, add, explore, predicate, worker};
use loom::thread::spawn;

fn begin(p: &'static Predicate, reader: &ReaderSlot) -> Transaction {
    reader.enter();
    Transaction::begin(p.domain, reader).expect("there are few")
}

/// The keys of what a reader sees.
fn keys(p: &'static Predicate, reader: &ReaderSlot) -> Vec<u64> {
    p.view_of(reader).clauses().map(|c| c.key).collect()
}

fn add_in(t: &mut Transaction, p: &'static Predicate, key: u64) {
    let c = Box::new(Clause::new(p, key, None, None, key as u32));
    t.add(p, c, true).expect("there is room");
}

/// What a snapshot sees stays as it is while others add, erase and wipe, and is freed afterwards.
#[test]
fn loom_a_snapshot_stays_as_it_is() {
    for wipes in [false, true] {
        explore(2, move || {
            let p = predicate(&[]);
            let old = add(p, 1, true);
            let start = FREED.get();
            let writer = spawn(move || {
                // It makes the list grow.
                add(p, 2, true);
                match wipes {
                    true => database::wipe(p),
                    false => assert!(database::erase(old, 1)),
                }
                add(p, 3, true);
            });
            let me = worker(p);
            let t = begin(p, &me);
            let first = keys(p, &me);
            assert!(
                [vec![1], vec![1, 2], vec![2], vec![], vec![2, 3], vec![3]].contains(&first),
                "{first:?}"
            );
            assert_eq!(keys(p, &me), first);
            writer.join().unwrap();
            assert_eq!(keys(p, &me), first);
            t.abort(&me);
            let left = if wipes { vec![3] } else { vec![2, 3] };
            assert_eq!(keys(p, &me), left);
            p.domain.publish(&me, &[], None);
            p.domain.unregister(&me);
            // A wipe takes away all there is.
            database::wipe(p);
            p.domain.free_unreachable();
            assert_eq!(FREED.get(), start + 3);
        });
    }
}

/// A fact goes from one predicate to another in a transaction: a snapshot sees it in one of them.
#[test]
fn loom_a_commit_is_one_step() {
    moves_a_fact(|p, q, me| {
        let t = begin(p, me);
        let both = [keys(p, me), keys(q, me)].concat();
        assert_eq!(both, [1]);
        t.abort(me);
    });
}

/// The same of who is in no transaction: a call that comes after one that has seen the fact come sees that it went.
#[test]
fn loom_a_commit_is_one_step_to_all() {
    moves_a_fact(|p, q, me| {
        me.enter();
        if keys(q, me) == [1] {
            assert!(keys(p, me).is_empty());
        }
    });
}

/// A transaction moves a fact from the first predicate to the second while the second thread looks.
fn moves_a_fact(look: fn(&'static Predicate, &'static Predicate, &ReaderSlot)) {
    explore(2, move || {
        let p = predicate(&[]);
        let q = Predicate::new(p.domain, p.module(), p.functor());
        database::make_dynamic(q);
        // A commit locks them in the order of their addresses, and each execution is to be the same.
        let (p, q) = match std::ptr::from_ref(p) < std::ptr::from_ref(q) {
            true => (p, q),
            false => (q, p),
        };
        let moved = add(p, 1, true);
        let writer = spawn(move || {
            let me = worker(p);
            let mut t = begin(p, &me);
            add_in(&mut t, q, 1);
            assert_eq!(t.erase(moved, 1), Ok(true));
            assert!(keys(p, &me).is_empty() && keys(q, &me) == [1]);
            t.commit(&me, |_, _, _| ()).expect("there is room");
            p.domain.publish(&me, &[], None);
            p.domain.unregister(&me);
        });
        let me = worker(p);
        look(p, q, &me);
        writer.join().unwrap();
        assert!(keys(p, &me).is_empty() && keys(q, &me) == [1]);
        p.domain.publish(&me, &[], None);
        p.domain.unregister(&me);
    });
}

/// Two transactions erase the same fact and add one each, one of them is given up, and a third thread erases it too: nobody sees what was given up, and the fact dies
/// once.
#[test]
fn loom_what_several_erase_dies_once() {
    explore(2, || {
        let p = predicate(&[]);
        let fact = add(p, 1, true);
        let start = FREED.get();
        let one = spawn(move || {
            let me = worker(p);
            let mut t = begin(p, &me);
            assert_eq!(t.erase(fact, 1), Ok(true));
            add_in(&mut t, p, 2);
            assert!(!keys(p, &me).contains(&1) && keys(p, &me).contains(&2));
            t.commit(&me, |_, _, _| ()).expect("there is room");
            p.domain.publish(&me, &[], None);
            p.domain.unregister(&me);
        });
        let me = worker(p);
        let mut t = begin(p, &me);
        assert_eq!(t.erase(fact, 2), Ok(true));
        add_in(&mut t, p, 3);
        t.abort(&me);
        database::erase(fact, 2);
        one.join().unwrap();
        assert_eq!(keys(p, &me), [2]);
        p.domain.publish(&me, &[], None);
        p.domain.unregister(&me);
        database::wipe(p);
        p.domain.free_unreachable();
        assert_eq!(FREED.get(), start + 3);
    });
}
