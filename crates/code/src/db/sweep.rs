//! Erased clauses leave the lists of a predicate with twins, whose lock is held: all lists at once, as they have the same clauses.

use super::chain::Chain;
use super::index::sweep_index;
use super::list::Entry;
use super::list::NoRoom;
use super::lists::{keep, retire_gone};
use super::predicate::{Clause, ClauseList, Leaving, Predicate, Retired, Writer};

/// Before a clause is added to a predicate with twins: all lists have room for it. (Growing a list leaves its erased clauses out, which
/// others may have.)
pub(crate) fn make_room(
    main: &'static Predicate,
    w: &mut Writer,
    at_end: bool,
) -> Result<(), NoRoom> {
    let full = |p: &Predicate| p.clauses().growth(at_end) > 0;
    if full(main) || w.twins.iter().any(|t| full(t.predicate)) {
        refit(main, w, at_end, full)
    } else {
        Ok(())
    }
}

/// Takes erased clauses out of all lists and retires them, if there is the memory for that.
pub(crate) fn sweep_all(main: &'static Predicate, w: &mut Writer) {
    // Else another time.
    _ = refit(main, w, true, |_| false);
}

/// Replaces the lists with erased clauses, and those that are to be longer, or none of them.
fn refit(
    main: &'static Predicate,
    w: &mut Writer,
    at_end: bool,
    longer: impl Fn(&Predicate) -> bool,
) -> Result<(), NoRoom> {
    let oldest = main.domain.oldest();
    let prepare = |p: &'static Predicate, w: &Writer| {
        let grows = longer(p).then_some(at_end);
        match w.erased > 0 || grows.is_some() {
            true => (p.compacted(w.live, grows, oldest).map(Some)).ok_or(NoRoom),
            false => Ok(None),
        }
    };
    let mut new = vec![prepare(main, w)?];
    for t in &w.twins {
        new.push(prepare(t.predicate, &t.predicate.lock())?);
    }
    let mut dead = Chain::new();
    let mut replace = |p: &'static Predicate, w: &mut Writer, new: Option<Box<ClauseList>>| {
        if let Some(new) = new {
            let gone = p.clauses().all().filter(|(_, c)| c.is_dead_to(oldest));
            let gone = gone.count();
            // SAFETY: what is gone leaves all lists here.
            unsafe { retire_gone(&mut dead, p.clauses(), oldest) };
            let old = p.install(new);
            let erased = w.erased;
            w.erased -= gone;
            if erased > 0 {
                let predicate = p;
                sweep_index(&Leaving { predicate, oldest });
                keep(p, w);
            }
            p.retire_list(old);
        }
    };
    let mut new = new.into_iter();
    replace(main, w, new.next().flatten());
    for (t, new) in w.twins.iter().zip(new) {
        replace(t.predicate, &mut t.predicate.lock(), new);
    }
    if !dead.is_empty() {
        main.retire(Retired::Chain(dead));
    }
    verify(main, w);
    Ok(())
}

/// Checks the equations in debug builds: panics if they do not hold.
pub(crate) fn verify(main: &'static Predicate, w: &Writer) {
    if !cfg!(debug_assertions) {
        return;
    }
    let count = |p: &'static Predicate, has: &dyn Fn(&Clause) -> bool| {
        let (from, to) = p.clauses().bounds();
        let alive = (p.clauses().between(from, to)).filter(|c| !c.is_erased());
        alive
            .inspect(|c| assert!(std::ptr::eq(c.predicate, main)))
            .filter(|c| has(c))
            .count()
    };
    assert_eq!(count(main, &|c| !c.is_unread()), w.live);
    for t in &w.twins {
        let live = t.predicate.lock().live;
        assert_eq!(count(t.predicate, &|c| t.has(c)), live);
        let shared = |c: &Clause| !c.is_unread() && c.file() != t.file;
        assert_eq!(count(main, &shared), count(t.predicate, &shared));
    }
}
