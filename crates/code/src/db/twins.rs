//! Twins: what a thread sees of a dynamic predicate while it loads a file of it again.
//!
//! To others the clauses of the file are those of the version before, to the thread those of the new one that it has read. What is not from
//! the file (asserted, or from other files) is the same to both, and is changed by both. So the thread has a list of its own,
//! that of a twin, which holds the very same clauses but for the file's. When the load ends, the new clauses take the place of the old ones in
//! the predicate's list, in one step ([`close`]).
//!
//! *Equations*: the clauses that have not been erased of a predicate, of a twin for file F, of a twin for file G are
//! `C ∪ F₀ ∪ G₀`, `C ∪ F₁ ∪ G₀`, `C ∪ F₀ ∪ G₁`, where F₁ are the *unread* clauses of F (others have not come to them). A clause that has been
//! erased leaves all lists before it is retired, in one sweep.
//!
//! A clause's predicate is the one that others see, never a twin, and so is that of a walk over a twin's list.
//!
//! Locks: the predicate's, then those of its twins. A twin's readers build its index under its own lock alone.

use super::chain::Chain;
use super::exchange::{New, exchange_raw};
use super::kinds;
use super::lists::{Refused, be_born, link_in, put, refuse};
use super::predicate::{Clause, Predicate, Retired, Twin, Writer, flag};
use super::sweep::{make_room, verify};
use rustc_hash::FxHashSet;
use samite_term::Atom;
use samite_term::growth;

/// What a twin's list takes, about.
pub fn bytes(main: &Predicate) -> usize {
    main.clauses().len() * size_of::<usize>()
}

/// A twin for the load of a file, a used one if there is one. It begins with what is not of the file.
pub fn open(
    main: &'static Predicate,
    used: Option<&'static Predicate>,
    file: Atom,
) -> &'static Predicate {
    let mut w = main.lock();
    let predicate = used.unwrap_or_else(|| Predicate::new_twin(main));
    let since = main.domain.generation();
    let twin = Twin {
        predicate,
        file: file.hold(),
        since,
    };
    let list = main.clauses();
    let (from, to) = list.bounds();
    let shared = list
        .entries(from, to)
        .filter(|(_, c)| !c.is_erased() && twin.has(c));
    let shared = shared.map(|(pointer, _)| pointer).collect();
    {
        let mut own = predicate.lock();
        put(predicate, &mut own, shared);
        // What it leaves out died by then.
        predicate.be_as_new_as(main.newest());
        kinds::be_dynamic(predicate, &own);
    }
    let others = std::mem::take(&mut w.twins);
    w.twins = others.into_iter().chain([twin]).collect();
    // (What it gets may stand behind what others add meanwhile.)
    w.links = w.links.wrapping_add(1);
    verify(main, &w);
    predicate
}

/// Adds a clause that has been read to the end of a twin. Without the memory for longer lists it is dropped.
pub fn add(
    twin: &'static Predicate,
    main: &'static Predicate,
    clause: Box<Clause>,
) -> Result<(), Refused> {
    let key = clause.key;
    let mut w = main.lock();
    if make_room(main, &mut w, true).is_err() {
        return refuse(clause, Refused::NoRoom);
    }
    clause.set_unread(true);
    let raw = Box::into_raw(clause);
    let linked = link_in(twin, &mut twin.lock(), raw, key, true);
    debug_assert!(linked.is_ok(), "there is room in all lists");
    be_born(raw, None);
    Ok(())
}

/// Ends a twin: the clauses of the file's new version, those that the twin has and then `rest`, take the place of the old ones, or come
/// before all that there was when the twin was made if there is none left of those. Where nothing of that age comes after them, what was
/// read after something had been asserted stays after that. The predicate is dynamic then. With `alone` what others have defined, and
/// what was asserted before the twin was there, goes.
///
/// Refused: there is no memory for longer lists. The predicate is as before, and what has been read is dropped.
pub fn close(
    main: &'static Predicate,
    twin: &'static Predicate,
    rest: Vec<Box<Clause>>,
    behind: FxHashSet<Atom>,
    alone: bool,
) -> Result<(), growth::Refused> {
    let mut w = main.lock();
    let Some(this) = detach(main, &mut w, twin) else {
        return Ok(());
    };
    // (A transaction's own has no place among what is everybody's, and stays its own.)
    let is_new = |c: &Clause| c.is_asserted_since(this.since) && !c.is_unborn();
    let is_old = |c: &Clause| alone && !is_new(c) && !c.is_unborn();
    let dies = |c: &Clause| !c.is_unread() && (c.file() == this.file || is_old(c));
    // What comes before something that was there already comes before all that has been asserted since.
    let list = main.clauses();
    let last = |files: &FxHashSet<Atom>| {
        let of_those = list.alive().enumerate();
        let of_those = of_those.filter(|(_, c)| files.contains(&c.file()));
        of_those.last().map(|(at, _)| at + 1)
    };
    let place = (list.alive().position(dies)).or_else(|| last(&behind));
    let place = place.unwrap_or(0);
    let at_end = (list.alive().skip(place)).all(|c| dies(c) || is_new(c));
    let (mut new, mut after) = (New::default(), None);
    new.since = Some(this.since);
    new.behind = behind;
    let mut put = Ok(());
    for (pointer, c) in twin.clauses().all().filter(|(_, c)| !c.is_erased()) {
        if c.is_unread() {
            put = put.and_then(|()| new.put(after, pointer));
        } else if at_end && is_new(c) {
            after = Some(pointer);
        }
    }
    if put.is_err() {
        empty(main, twin, true);
        drop(rest);
        verify(main, &w);
        return put;
    }
    for (_, c) in twin.clauses().all().filter(|(_, c)| !c.is_erased()) {
        c.set_unread(false);
    }
    empty(main, twin, false);
    for c in rest {
        let c = Box::into_raw(c);
        if new.put(after, c).is_err() {
            // SAFETY: just made, and nobody has seen it.
            drop(unsafe { Box::from_raw(c) });
            new.discard(main);
            verify(main, &w);
            return Err(growth::Refused);
        }
    }
    if !main.is_dynamic() {
        // (As in `exchange_raw`.)
        main.change(&w, 0, flag::DYNAMIC_BY_FILE);
    }
    kinds::be_dynamic(main, &w);
    let done = exchange_raw(main, &mut w, &dies, &new);
    if done.is_err() {
        new.discard(main);
    }
    verify(main, &w);
    done
}

/// Ends a twin if that has not been done; what has been read of the file is not put in place.
pub fn discard(main: &'static Predicate, twin: &'static Predicate) {
    let mut w = main.lock();
    if detach(main, &mut w, twin).is_some() {
        empty(main, twin, true);
    }
}

/// Takes a twin from its predicate, whose lock is held. Its list is as it was ([`empty`]).
fn detach(main: &'static Predicate, w: &mut Writer, twin: &'static Predicate) -> Option<Twin> {
    let mut twins = w.twins.iter();
    let at = twins.position(|t| std::ptr::eq(t.predicate, twin))?;
    verify(main, w);
    let mut twins = std::mem::take(&mut w.twins).into_vec();
    let this = twins.remove(at);
    w.twins = twins.into();
    Some(this)
}

/// Empties the list of a detached twin, whose predicate's lock is held. What was read for it, and is in no other list, goes if it has been erased, or with
/// `all` in any case. (Others know of theirs.)
fn empty(main: &'static Predicate, twin: &'static Predicate, all: bool) {
    let unread = || twin.clauses().all().filter(|(_, c)| c.is_unread());
    let mut dead = Chain::new();
    if unread().any(|(_, c)| !c.is_erased()) && all {
        let g = main.next_death();
        for (_, c) in unread().filter(|(_, c)| !c.is_erased()) {
            c.die(g, 0);
        }
    }
    for (pointer, c) in unread().filter(|(_, c)| c.is_erased()) {
        // (One that was erased under a snapshot has kept it.)
        c.forget_name();
        // SAFETY: no other list has it, and this one is unlinked before the chain is given away.
        unsafe { dead.retire(pointer) };
    }
    put(twin, &mut twin.lock(), Vec::new());
    if !dead.is_empty() {
        main.retire(Retired::Chain(dead));
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::db::database;
    use crate::db::list::REFUSALS;
    use crate::db::predicate::Domain;
    use samite_term::{Functor, atoms};

    const ROUNDS: usize = if cfg!(miri) { 300 } else { 20_000 };

    /// The predicate that others see and two twins, as lists of lines, with the files of the clauses.
    type Model = [Vec<(u32, Atom)>; 3];

    fn lines(p: &'static Predicate) -> Vec<u32> {
        p.visible_clauses().map(Clause::line).collect()
    }

    /// What a thread alone has read stays in its list, too, when all clauses go while somebody has a snapshot.
    #[test]
    fn what_was_read_is_held_with_the_others() {
        let domain = Domain::new();
        let me = domain.register(Box::new(|_| {}));
        let main = Predicate::new(domain, atoms::USER, Functor::new(atoms::MAIN, 1));
        database::make_dynamic(main);
        let clause = |line, file| {
            let mut c = Box::new(Clause::new(main, u64::from(line) * 8, None, None, line));
            c.set_file(file, file);
            c
        };
        let (ours, others) = (atoms::TRUE, atoms::FALSE);
        for before in [0, 3] {
            for line in 0..before {
                database::add(main, clause(line, others), true).unwrap();
            }
            let twin = open(main, None, ours);
            for line in [10, 11] {
                add(twin, main, clause(line, ours)).unwrap();
            }
            let snapshot = domain.clock().begin_snapshot();
            database::wipe(main);
            verify(main, &main.lock());
            me.enter();
            assert!(lines(main).is_empty() && lines(twin).is_empty());
            let counts = |p: &'static Predicate| {
                let w = p.lock();
                (w.live, w.erased)
            };
            let held = before as usize;
            assert_eq!((counts(main), counts(twin)), ((0, held), (0, held + 2)));
            add(twin, main, clause(12, ours)).unwrap();
            domain.free_unreachable();
            close(main, twin, Vec::new(), FxHashSet::default(), false).unwrap();
            assert_eq!(lines(main), [12]);
            domain.publish(&me, &[], None);
            domain.clock().end_snapshot(snapshot);
            database::wipe(main);
        }
        domain.unregister(&me);
    }

    /// Where there is no memory for the lists of afterwards a predicate and its twins stay as they are; what only takes clauses away does so.
    #[test]
    fn what_is_refused_changes_nothing() {
        let (ours, others) = (atoms::TRUE, atoms::FALSE);
        let domain = Domain::new();
        let me = domain.register(Box::new(|_| {}));
        let main = Predicate::new(domain, atoms::USER, Functor::new(atoms::MAIN, 1));
        database::make_dynamic(main);
        let clause = |line, file| {
            let mut c = Box::new(Clause::new(main, u64::from(line) * 8, None, None, line));
            c.set_file(file, file);
            c
        };
        let refused = |n, f: &dyn Fn() -> bool| {
            REFUSALS.set(n);
            assert!(f());
            REFUSALS.set(0);
        };
        me.enter();
        for (line, file) in [(1, ours), (2, others), (3, ours), (4, atoms::NIL)] {
            database::add(main, clause(line, file), true).unwrap();
        }
        let walk = main.view();
        let of_ours = |c: &Clause| c.file() == ours;
        refused(1, &|| {
            database::exchange(main, of_ours, vec![clause(9, ours)], FxHashSet::default()).is_err()
        });
        assert_eq!(lines(main), [1, 2, 3, 4]);
        let (one, two) = (open(main, None, ours), open(main, None, others));
        add(one, main, clause(5, ours)).unwrap();
        add(two, main, clause(6, others)).unwrap();
        refused(1, &|| {
            close(
                main,
                one,
                vec![clause(7, ours)],
                FxHashSet::default(),
                false,
            )
            .is_err()
        });
        assert_eq!(lines(main), [1, 2, 3, 4]);
        assert_eq!(lines(two), [1, 3, 4, 6]);
        // Of both lists.
        refused(usize::MAX, &|| {
            database::withdraw(main, of_ours);
            true
        });
        assert_eq!((lines(main), lines(two)), (vec![2, 4], vec![4, 6]));
        close(main, two, Vec::new(), FxHashSet::default(), false).unwrap();
        assert_eq!(lines(main), [6, 4]);
        // (What waits to be freed has no line any more.)
        let found: Vec<u64> = walk.clauses().map(|c| c.key / 8).collect();
        assert_eq!(found, [1, 2, 3, 4]);
        domain.publish(&me, &[], None);
        domain.unregister(&me);
    }

    /// What had been read when a walk over a twin began, the walk sees after the load too.
    #[test]
    fn a_walk_outlasts_the_load() {
        let domain = Domain::new();
        let me = domain.register(Box::new(|_| {}));
        let main = Predicate::new(domain, atoms::USER, Functor::new(atoms::MAIN, 1));
        database::make_dynamic(main);
        let clause = |line, file| {
            let mut c = Box::new(Clause::new(main, u64::from(line) * 8, None, None, line));
            c.set_file(file, file);
            c
        };
        me.enter();
        let twin = open(main, None, atoms::TRUE);
        for line in 1..=3 {
            add(twin, main, clause(line, atoms::TRUE)).unwrap();
        }
        let walk = twin.view();
        database::add(main, clause(4, atoms::NIL), true).unwrap();
        close(
            main,
            twin,
            vec![clause(5, atoms::TRUE)],
            FxHashSet::default(),
            false,
        )
        .unwrap();
        let found: Vec<u32> = walk.clauses().map(Clause::line).collect();
        assert_eq!(found, [1, 2, 3]);
        let mut found = lines(main);
        found.sort_unstable();
        assert_eq!(found, [1, 2, 3, 4, 5]);
        domain.publish(&me, &[], None);
        domain.unregister(&me);
    }

    /// Histories of additions, of what is read from two files, of erasures and ends of loads, against lists.
    #[test]
    fn each_sees_its_version_and_what_all_have() {
        let domain = Domain::new();
        let me = domain.register(Box::new(|_| {}));
        let files = [atoms::TRUE, atoms::FALSE];
        let main = Predicate::new(domain, atoms::USER, Functor::new(atoms::MAIN, 1));
        database::make_dynamic(main);
        let mut model = Model::default();
        let mut twins: [Option<&'static Predicate>; 2] = [None; 2];
        let (mut spare, mut begun) = ([None; 2], [0; 2]);
        let mut random: u32 = 5;
        let mut draw = move |n: usize| {
            random = random.wrapping_mul(1_103_515_245).wrapping_add(12345);
            (random >> 16) as usize % n
        };
        for line in 1..ROUNDS as u32 {
            me.enter();
            let clause_of = |line: u32, file| {
                let key = u64::from(line % 40 + 1) * 8;
                let mut c = Box::new(Clause::new(main, key, None, None, line));
                c.set_file(file, file);
                c
            };
            let clause = |file| clause_of(line, file);
            let which = draw(2);
            match (draw(40), twins[which]) {
                // A load begins.
                (0, None) => {
                    let twin = open(main, spare[which].take(), files[which]);
                    twins[which] = Some(twin);
                    begun[which] = line;
                    model[1 + which] = model[0].clone();
                    model[1 + which].retain(|c| c.1 != files[which]);
                }
                // It ends.
                (0, Some(twin)) => {
                    let file = files[which];
                    if draw(4) > 0 {
                        let older = |c: &(u32, Atom)| c.1 != atoms::NIL || c.0 < begun[which];
                        let main_model = &model[0];
                        let place = main_model.iter().position(|c| c.1 == file).unwrap_or(0);
                        let at_end = (main_model[place..].iter()).all(|c| c.1 == file || !older(c));
                        // With the last line asserted before each, since the load began, if nothing older comes after them.
                        let (mut new, mut after) = (Vec::new(), None);
                        for &c in &model[1 + which] {
                            if c.1 == file {
                                new.push((after, c));
                            } else if at_end && !older(&c) {
                                after = Some(c.0);
                            }
                        }
                        new.push((after, (line, file)));
                        close(main, twin, vec![clause(file)], FxHashSet::default(), false).unwrap();
                        for (i, m) in model.iter_mut().enumerate() {
                            if i > 0 && twins[i - 1].is_none() {
                                continue;
                            }
                            let place = m.iter().position(|c| c.1 == file);
                            m.retain(|c| c.1 != file);
                            let mut place =
                                place.unwrap_or_else(|| m.iter().position(older).unwrap_or(0));
                            for &(after, c) in &new {
                                if let Some(after) = after {
                                    let at = m.iter().rposition(|c| c.0 == after);
                                    place = at.expect("all have it") + 1;
                                    while m.get(place).is_some_and(|c| c.1 == file) {
                                        place += 1;
                                    }
                                }
                                m.insert(place, c);
                                place += 1;
                            }
                        }
                    } else {
                        discard(main, twin);
                    }
                    assert!(lines(twin).is_empty());
                    model[1 + which].clear();
                    spare[which] = twins[which].take();
                }
                (1..10, Some(twin)) => {
                    add(twin, main, clause(files[which])).unwrap();
                    model[1 + which].push((line, files[which]));
                }
                (10..24, _) => {
                    let at_end = draw(3) > 0;
                    database::add(main, clause(atoms::NIL), at_end).unwrap();
                    for (i, m) in model.iter_mut().enumerate() {
                        if i == 0 || twins[i - 1].is_some() {
                            let at = if at_end { m.len() } else { 0 };
                            m.insert(at, (line, atoms::NIL));
                        }
                    }
                }
                // Of what one of them sees.
                (24.., _) => {
                    let p = twins[which].unwrap_or(main);
                    let count = p.visible_clauses().count();
                    if draw(30) == 0 {
                        // Others exchange all that they see for copies, as when a predicate becomes static, while the loads go on.
                        let copies = (model[0].iter())
                            .map(|&(line, file)| clause_of(line, file))
                            .collect();
                        database::exchange(main, |_| true, copies, FxHashSet::default()).unwrap();
                        for (i, file) in [(1, files[0]), (2, files[1])] {
                            if twins[i - 1].is_some() {
                                let unread = |c: &(u32, Atom)| c.1 == file;
                                let first = model[i].iter().position(|c| !unread(c));
                                let place = first.unwrap_or(model[i].len());
                                model[i].retain(unread);
                                let mut copies = model[0].clone();
                                copies.retain(|c| !unread(c));
                                model[i].splice(place..place, copies);
                            }
                        }
                        // To the loads that go on they are what came since.
                        begun = [0; 2];
                    } else if count > 0 {
                        let erased = p.visible_clauses().nth(draw(count)).expect("counted");
                        let line = erased.line();
                        assert!(database::erase(erased, 1));
                        model.iter_mut().for_each(|m| m.retain(|c| c.0 != line));
                    }
                }
                _ => {}
            }
            let all = [Some(main), twins[0], twins[1]];
            for (p, m) in all.iter().zip(&model) {
                let expected: Vec<u32> = m.iter().map(|c| c.0).collect();
                assert_eq!(p.map_or(Vec::new(), lines), expected, "at {line}");
                if let Some(p) = p {
                    // Through its index, if it has one.
                    let key = u64::from(line % 40 + 1) * 8;
                    let found = crate::view::found(p, key, usize::MAX);
                    let found: Vec<u32> = found.into_iter().map(Clause::line).collect();
                    let of_key = expected
                        .into_iter()
                        .filter(|l| u64::from(l % 40 + 1) * 8 == key);
                    assert_eq!(found, of_key.collect::<Vec<_>>(), "at {line}");
                }
            }
            domain.publish(&me, &[], None);
        }
        domain.unregister(&me);
    }
}
