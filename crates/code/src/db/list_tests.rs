//! Lists as predicates use them: histories against models, and what walks cost.

use super::database::{add, erase, make_dynamic, sweep_for_memory};
use super::list::{Hint, REFUSALS, STEPS};
use super::predicate::{ANY_KEY, Clause, Domain, Predicate, empty};
use super::reclaim::Pin;
use super::transaction::Transaction;
use super::view::{Call, Matches, found, matches};
use samite_term::{Functor, atoms};
use std::collections::VecDeque;

fn clause(p: &'static Predicate, line: u32) -> Box<Clause> {
    Box::new(Clause::new(p, u64::from(line) * 8, None, None, line))
}

/// The `n`-th clause.
fn nth(p: &'static Predicate, n: usize) -> &'static Clause {
    p.visible_clauses().nth(n).unwrap()
}

const ROUNDS: u32 = if cfg!(miri) { 200 } else { 4000 };

fn predicate(domain: &'static Domain) -> &'static Predicate {
    let p = Predicate::new(domain, atoms::USER, Functor::new(atoms::MAIN, 1));
    make_dynamic(p);
    p
}

/// Histories of additions at both ends and erasures, against a queue.
#[test]
fn lists_hold_what_was_added_and_not_erased() {
    let domain = Domain::new();
    let me = domain.register(Box::new(|_| {}));
    let mut random: u32 = 17;
    for end in [1, 2, 5] {
        let p = predicate(domain);
        let mut model: VecDeque<u32> = VecDeque::new();
        for line in 1..ROUNDS {
            me.enter();
            random = random.wrapping_mul(1_103_515_245).wrapping_add(12345);
            let n = random >> 16;
            if n.is_multiple_of(2) {
                let at_end = n / 2 % end == 1;
                add(p, clause(p, line), at_end).unwrap();
                if at_end {
                    model.push_back(line);
                } else {
                    model.push_front(line);
                }
            } else if !model.is_empty() {
                // Most often the first.
                let most = if (n / 2).is_multiple_of(4) {
                    model.len()
                } else {
                    1
                };
                let which = (n / 8) as usize % most;
                let erased = nth(p, which);
                assert_eq!(model.remove(which), Some(erased.line()));
                assert!(erase(erased, 1));
            }
            let found: Vec<u32> = p.visible_clauses().map(Clause::line).collect();
            assert_eq!(found, Vec::from(model.clone()));
            domain.publish(&me, &[], None);
        }
    }
    domain.unregister(&me);
}

/// A stack on top of many facts is neither copied nor walked as often as it is used.
#[test]
fn the_top_of_a_stack_is_found_at_once() {
    let domain = Domain::new();
    let me = domain.register(Box::new(|_| {}));
    for below in [ROUNDS / 4, ROUNDS / 2, ROUNDS] {
        let p = predicate(domain);
        for line in 0..below {
            add(p, clause(p, line), true).unwrap();
        }
        let (mut copies, mut steps) = (0, 0);
        for line in below..2 * below {
            me.enter();
            let before = std::ptr::from_ref(p.clauses());
            add(p, clause(p, line), false).unwrap();
            let v = p.view();
            let top = v.list.get(v.find(v.from, ANY_KEY));
            assert_eq!(top.line(), line);
            assert!(erase(top, 1));
            let v = p.view();
            steps += v.find(v.from, ANY_KEY) - v.from;
            copies += usize::from(!std::ptr::eq(before, p.clauses()));
            domain.publish(&me, &[], None);
        }
        assert_eq!(steps, 0);
        assert!(copies <= 4, "{copies} copies of {below} clauses");
    }
    domain.unregister(&me);
}

/// Clauses come at both ends in turn, and go: the list is copied now and then, not each time.
#[test]
fn what_comes_at_both_ends_does_not_copy_what_is_between() {
    let domain = Domain::new();
    let me = domain.register(Box::new(|_| {}));
    for below in [ROUNDS / 4, ROUNDS] {
        let p = predicate(domain);
        for line in 0..below {
            add(p, clause(p, line), true).unwrap();
        }
        let mut copies = 0;
        for round in 0..2 * below {
            me.enter();
            let before = std::ptr::from_ref(p.clauses());
            add(p, clause(p, below + round), round % 2 == 0).unwrap();
            let newest = p.visible_clauses().find(|c| c.line() == below + round);
            assert!(erase(newest.expect("just added"), 1));
            copies += usize::from(!std::ptr::eq(before, p.clauses()));
            domain.publish(&me, &[], None);
        }
        assert!(copies <= 12, "{copies} copies of {below} clauses");
    }
    domain.unregister(&me);
}

/// Looks for the first clauses that a key may match, so many, as calls do; where in the list they are.
fn first(p: &'static Predicate, key: u64, n: usize) -> Vec<&'static Clause> {
    found(p, key, n)
}

/// Work lists of which the first entries stay: what is behind them is taken in several orders, with and without an index, while as much
/// is added or not. Clauses that are looked at, and list slots, for each that is taken, do not depend on how many there are.
#[test]
fn what_is_taken_behind_what_stays_is_not_walked_again() {
    let domain = Domain::new();
    let me = domain.register(Box::new(|_| {}));
    let small: u32 = if cfg!(miri) { 100 } else { 2500 };
    // Which of the first ones is taken, how much is added for each, whether all have one key.
    let shapes = [(1, 0, false), (1, 1, false), (3, 1, true), (2, 0, true)];
    for (taken, added, one_key) in shapes {
        let mut costs = Vec::new();
        for n in [small, 2 * small, 4 * small] {
            let p = predicate(domain);
            let key = |line: u32| if one_key { 8 } else { u64::from(line + 1) * 8 };
            let new = |line| Box::new(Clause::new(p, key(line), None, None, line));
            let mut next = 0;
            let mut put = || {
                add(p, new(next), true).unwrap();
                next += 1;
            };
            (0..n).for_each(|_| put());
            let wanted = if one_key { 8 } else { ANY_KEY };
            let (mut steps, mut random) = (0, 11u32);
            for _ in 0..n - 8 {
                me.enter();
                random = random.wrapping_mul(1_103_515_245).wrapping_add(12345);
                // Now and then one further behind, whatever the shape.
                let at = taken + (random >> 16) as usize % 2;
                let before = STEPS.get();
                let found = first(p, wanted, at + 1);
                steps += STEPS.get() - before;
                assert!(erase(found[at], 1));
                (0..added).for_each(|_| put());
                domain.publish(&me, &[], None);
                let w = p.lock();
                assert!(w.erased <= w.live + w.live / 16 + 9);
                assert!(p.clauses().capacity() <= 8 * (w.live + 9).max(n as usize / 2));
            }
            costs.push(steps / (n as usize - 8));
        }
        assert!(costs.iter().all(|&c| c <= 16), "{costs:?} steps each");
    }
    domain.unregister(&me);
}

/// Clauses die in any order, and walks of several generations, of which some stay, leave hints and follow them: each sees what it saw.
#[test]
fn walks_of_all_generations_pass_only_what_is_dead_to_them() {
    let domain = Domain::new();
    let me = domain.register(Box::new(|_| {}));
    let mut random: u32 = 3;
    let mut draw = move |n: usize| {
        random = random.wrapping_mul(1_103_515_245).wrapping_add(12345);
        (random >> 16) as usize % n
    };
    let n = if cfg!(miri) { 40 } else { 300 };
    for _ in 0..if cfg!(miri) { 2 } else { 30 } {
        let p = predicate(domain);
        // Nobody publishes: all lists and clauses stay.
        me.enter();
        for line in 0..n {
            add(p, clause(p, line + 1), draw(3) > 0).unwrap();
        }
        let mut views = Vec::new();
        for _ in 0..n - 1 {
            let v = p.view();
            let all: Vec<&Clause> = v.clauses().collect();
            assert!(erase(all[draw(all.len())], 1));
            let keys: Vec<u64> = all.iter().map(|c| c.key).collect();
            views.push((v, keys));
            for which in [views.len() - 1, draw(views.len()), draw(views.len())] {
                let (v, keys) = &views[which];
                let (mut at, mut found) = (v.find(v.from, ANY_KEY), Vec::new());
                while at < v.to {
                    found.push(v.list.get(at).key);
                    at = v.find(at + 1, ANY_KEY);
                }
                assert_eq!(&found, keys);
            }
        }
        domain.publish(&me, &[], None);
    }
    domain.unregister(&me);
}

/// Erasing gives memory back although there is none for a list of what is left: it is not tried for each clause, and the last one, or all at
/// once, needs none.
#[test]
fn what_is_erased_is_swept_out_without_memory() {
    let domain = Domain::new();
    let me = domain.register(Box::new(|_| {}));
    for n in [ROUNDS, 2 * ROUNDS, 4 * ROUNDS] {
        let p = predicate(domain);
        let fill = || (0..n).for_each(|line| add(p, clause(p, line), true).unwrap());
        let swept = || std::ptr::eq(p.clauses(), empty());
        fill();
        REFUSALS.set(usize::MAX);
        me.enter();
        let all: Vec<_> = p.visible_clauses().collect();
        for c in all.into_iter().rev() {
            assert!(!swept() && erase(c, 1));
        }
        let tries = usize::MAX - REFUSALS.replace(0);
        assert!(tries <= 66, "{tries} for {n} clauses");
        assert!(swept() && p.lock().erased == 0);
        domain.publish(&me, &[], None);
        // Tried again when a 64th part more has been erased.
        fill();
        REFUSALS.set(2);
        me.enter();
        let all: Vec<_> = p.visible_clauses().collect();
        for c in all {
            assert!(erase(c, 1));
            let w = p.lock();
            assert!(w.erased <= 9.max(w.live + 8 * (n as usize / 64)));
        }
        assert_eq!(REFUSALS.get(), 0);
        domain.publish(&me, &[], None);
        fill();
        REFUSALS.set(usize::MAX);
        crate::database::wipe(p);
        assert!(swept() && p.lock().live == 0);
        REFUSALS.set(0);
    }
    domain.unregister(&me);
}

/// Where memory is wanted a share of the clauses that is erased is swept out, and whatever is if all of it is asked for.
#[test]
fn what_is_erased_is_swept_out_for_memory() {
    let domain = Domain::new();
    let me = domain.register(Box::new(|_| {}));
    let p = predicate(domain);
    (0..640).for_each(|line| add(p, clause(p, line), true).unwrap());
    me.enter();
    let all: Vec<_> = p.visible_clauses().collect();
    let erased = || p.lock().erased;
    all[5..15].iter().for_each(|c| assert!(erase(c, 1)));
    crate::database::sweep_for_memory(p, false);
    assert_eq!(erased(), 10);
    assert!(erase(all[100], 1));
    crate::database::sweep_for_memory(p, false);
    assert_eq!(erased(), 0);
    assert!(erase(all[200], 1));
    REFUSALS.set(1);
    crate::database::sweep_for_memory(p, true);
    assert_eq!((erased(), REFUSALS.get()), (1, 0));
    crate::database::sweep_for_memory(p, true);
    assert_eq!(erased(), 0);
    assert_eq!(p.visible_clauses().count(), 628);
    domain.publish(&me, &[], None);
    domain.unregister(&me);
}

#[test]
fn hints_are_little_short() {
    for n in (1..5000).chain((12..60).flat_map(|b| [(1 << b) - 1, 1 << b, 3 << (b - 1)])) {
        let hint = Hint::up_to(n).slots();
        assert!(hint >= 1 && hint <= n);
        assert!(hint >= n - n / 1024 || n > 2047 << 31, "{hint} for {n}");
    }
}

/// What a transaction has erased, and what is held for older snapshots, is passed at once by its calls.
#[test]
fn calls_of_transactions_pass_what_they_do_not_see() {
    let domain = Domain::new();
    let me = domain.register(Box::new(|_| {}));
    let within = |p: &'static Predicate, key: u64| {
        let before = STEPS.get();
        let first = match matches(&me, p, &Call::with_key(key)) {
            Matches::Nothing => None,
            Matches::One(c) => Some(c),
            Matches::Some(v) => {
                let at = v.find(v.from, key);
                (at < v.to).then(|| v.list.get(at))
            }
        };
        (first, STEPS.get() - before)
    };
    // A counter, a queue; beside it a clause that stays in front; by a key that all have.
    for (before, stays, key) in [(1, false, ANY_KEY), (40, false, 8), (1, true, ANY_KEY)] {
        let p = predicate(domain);
        let new = |line, key| Box::new(Clause::new(p, key, None, None, line));
        let mut next = 0;
        if stays {
            add(p, new(u32::MAX, 16), true).unwrap();
        }
        for _ in 0..before {
            add(p, new(next, 8), true).unwrap();
            next += 1;
        }
        me.enter();
        let mut t = Transaction::begin(domain, &me).unwrap();
        let mut steps = 0;
        for taken in 0..ROUNDS {
            let wanted = if stays { 8 } else { key };
            let (first, cost) = within(p, wanted);
            let first = first.unwrap();
            assert_eq!(first.line(), taken);
            assert!(t.erase(first, me.number()).unwrap());
            t.add(p, new(next, 8), true).unwrap();
            next += 1;
            steps += cost;
        }
        assert!(steps < 20 * ROUNDS as usize, "{steps}");
        // Given up, all is seen again.
        t.abort(&me);
        let all: Vec<u32> = p.visible_clauses().map(Clause::line).collect();
        assert_eq!(all.len(), before + usize::from(stays));
    }
    // A counter beside a clause of another key, which is called in between; nested ones that are given up, each of which takes and adds, and so does what is around them.
    // (Of lines of clauses that are of no file transactions leave sixteen bits.)
    const STAYS: u32 = 1 << 15;
    for (is_around, key) in [(true, 8), (false, ANY_KEY), (true, ANY_KEY)] {
        let p = predicate(domain);
        let new = |line, key| Box::new(Clause::new(p, key, None, None, line));
        add(p, new(STAYS, 16), true).unwrap();
        add(p, new(0, 8), true).unwrap();
        me.enter();
        let mut t = Transaction::begin(domain, &me).unwrap();
        let (mut steps, mut next, mut number) = (0, 0, 1);
        let mut count = |t: &mut Transaction, number: u32| {
            let (first, cost) = within(p, 8);
            let first = first.unwrap();
            assert!(t.erase(first, me.number()).unwrap());
            t.add(p, new(number, 8), true).unwrap();
            let (second, other_cost) = within(p, if key == ANY_KEY { 8 } else { 16 });
            let expected = if key == ANY_KEY { number } else { STAYS };
            assert_eq!(second.map(Clause::line), Some(expected));
            steps += cost + other_cost;
            first.line()
        };
        for _ in 0..ROUNDS {
            if is_around {
                assert_eq!(count(&mut t, number), next);
                (next, number) = (number, number + 1);
            }
            t.nest().unwrap();
            assert_eq!(count(&mut t, 1 << 13), next);
            t.nest().unwrap();
            assert_eq!(count(&mut t, 2 << 13), 1 << 13);
            t.keep_level();
            assert_eq!(count(&mut t, 3 << 13), 2 << 13);
            t.give_level_up(me.number());
        }
        assert!(steps < 120 * ROUNDS as usize, "{steps}");
        t.abort(&me);
        let all: Vec<u32> = p.visible_clauses().map(Clause::line).collect();
        assert_eq!(all, [STAYS, 0]);
    }
    // One after another, beside a snapshot.
    let p = predicate(domain);
    let other = domain.register(Box::new(|_| {}));
    add(p, clause(p, 0), true).unwrap();
    other.enter();
    let snapshot = Transaction::begin(domain, &other).unwrap();
    let mut steps = 0;
    for n in 0..ROUNDS {
        me.enter();
        let mut t = Transaction::begin(domain, &me).unwrap();
        let (first, cost) = within(p, ANY_KEY);
        let first = first.unwrap();
        assert_eq!(first.line(), n);
        assert!(t.erase(first, me.number()).unwrap());
        t.add(p, clause(p, n + 1), true).unwrap();
        t.commit(&me, |_, _, _| {}).unwrap();
        steps += cost;
    }
    assert!(steps < 20 * ROUNDS as usize, "{steps}");
    let seen: Vec<u32> = p.view_of(&other).clauses().map(Clause::line).collect();
    assert_eq!(seen, [0]);
    snapshot.abort(&other);
    for r in [&me, &other] {
        domain.publish(r, &[], None);
        domain.unregister(r);
    }
}

/// What waits, by its line.
fn waiting(domain: &'static Domain) -> Vec<u32> {
    domain.free_unreachable();
    let mut lines = Vec::new();
    // (The line of what is retired is not there any more: its key tells.)
    domain
        .reclaimer
        .each_waiting(&mut |c: &Clause| lines.push((c.key / 8) as u32));
    lines
}

/// A walk that waits keeps nothing that transactions have brought since, however that ended, and keeps what it may pass.
#[test]
fn walks_hold_what_they_may_pass() {
    let domain = Domain::new();
    let [walks, me, other] = [(); 3].map(|()| domain.register(Box::new(|_| {})));
    let p = predicate(domain);
    add(p, clause(p, 1), true).unwrap();
    let pin = |generation| Pin::at(std::ptr::from_ref(p).addr(), generation);
    let old = pin(domain.generation());
    domain.publish(&walks, &[], [old]);
    // (Nobody else's transaction holds what it cannot see.)
    let older = Transaction::begin(domain, &walks).unwrap();
    for n in 0..300 {
        me.enter();
        let mut t = Transaction::begin(domain, &me).unwrap();
        for _ in 0..20 {
            t.add(p, clause(p, 2), n % 2 == 0).unwrap();
        }
        match n % 3 {
            0 => t.abort(&me),
            1 => {
                let all: Vec<_> = p.view_of(&me).clauses().filter(|c| c.line() == 2).collect();
                for c in all {
                    assert!(t.erase(c, me.number()).unwrap());
                }
                t.commit(&me, |_, _, _| {}).unwrap();
            }
            _ => {
                t.commit(&me, |_, _, _| {}).unwrap();
                for c in p.visible_clauses().filter(|c| c.line() == 2) {
                    assert!(erase(c, 1));
                }
            }
        }
        domain.publish(&me, &[], None);
    }
    sweep_for_memory(p, true);
    // What was everybody's once is held, as it died after the oldest transaction had begun.
    assert!(p.lock().erased <= 2000);
    older.abort(&walks);
    sweep_for_memory(p, true);
    assert!(waiting(domain).len() < 100);
    // Something is behind it when a walk begins.
    me.enter();
    let mut t = Transaction::begin(domain, &me).unwrap();
    t.add(p, clause(p, 3), true).unwrap();
    other.enter();
    add(p, clause(p, 4), true).unwrap();
    let young = pin(domain.generation());
    domain.publish(&walks, &[old], [young]);
    t.commit(&me, |_, _, _| {}).unwrap();
    for line in [3, 4] {
        let c = p.visible_clauses().find(|c| c.line() == line);
        assert!(erase(c.unwrap(), 1));
    }
    sweep_for_memory(p, true);
    domain.publish(&me, &[], None);
    domain.publish(&other, &[], None);
    let mut held = waiting(domain);
    held.sort_unstable();
    assert_eq!(held, [3, 4]);
    domain.publish(&walks, &[young], None);
    assert_eq!(waiting(domain), []);
    for r in [&walks, &me, &other] {
        domain.unregister(r);
    }
}

/// A walk of a transaction holds what it may pass: also what came to its list after that was made, and had died before the transaction began.
#[test]
fn walks_of_transactions_hold_what_they_may_pass() {
    let domain = Domain::new();
    let [me, other] = [(); 2].map(|()| domain.register(Box::new(|_| {})));
    let p = predicate(domain);
    let add_at = |line| {
        other.enter();
        add(p, clause(p, line), true).unwrap();
        domain.publish(&other, &[], None);
    };
    (1..20).for_each(add_at);
    let list: *const _ = p.clauses();
    [50, 51].into_iter().for_each(add_at);
    let first = p.visible_clauses().find(|c| c.line() == 50);
    assert!(erase(first.unwrap(), 1));
    me.enter();
    let mut t = Transaction::begin(domain, &me).unwrap();
    other.enter();
    let mut u = Transaction::begin(domain, &other).unwrap();
    u.add(p, clause(p, 52), true).unwrap();
    domain.publish(&other, &[], None);
    // The walk begins here.
    assert!(std::ptr::eq(list, p.clauses()));
    let pin = Pin {
        predicate: std::ptr::from_ref(p).addr(),
        since: p.clauses().since().max(me.sight().unwrap().since()),
        until: domain.generation(),
    };
    domain.publish(&me, &[], [pin]);
    sweep_for_memory(p, true);
    assert!(!std::ptr::eq(list, p.clauses()));
    assert_eq!(waiting(domain), [50]);
    // What is only another transaction's, and was when the walk began, but nothing that comes and goes later.
    other.enter();
    u.abort(&other);
    for line in 100..300 {
        let mut u = Transaction::begin(domain, &other).unwrap();
        u.add(p, clause(p, line), true).unwrap();
        u.abort(&other);
    }
    // (A nested one of the own.)
    for line in 300..500 {
        t.nest().unwrap();
        t.add(p, clause(p, line), true).unwrap();
        t.give_level_up(1);
    }
    domain.publish(&other, &[], None);
    sweep_for_memory(p, true);
    let held = waiting(domain);
    assert!(held.contains(&50) && held.contains(&52) && held.len() < 6);
    domain.publish(&me, &[pin], None);
    assert_eq!(waiting(domain), []);
    t.abort(&me);
    for r in [&me, &other] {
        domain.publish(r, &[], None);
        domain.unregister(r);
    }
}
