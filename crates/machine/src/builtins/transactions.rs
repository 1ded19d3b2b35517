//! Transactions: what is under `library(transactions)`. Changes and what is seen of them: [`samite_code::transaction`].
//!
//! Tables that depend on incremental predicates ([`crate::state::tabling::dependencies`]) are evaluated with what the transaction sees, and marked by its changes as by others'. When it ends, what
//! was evaluated in it may be about changes that are given up, or without those that others have made meanwhile: then the thread reads the
//! logs of changes once more from where it had been when the transaction began.
//!
//! ```text
//! afterwards a table is clean only if what it depends on is as it was when it was evaluated:
//!   nothing was given up that was changed since the beginning, and nobody else has changed anything since
//!   or it depends on nothing that the logs have from the beginning on
//! ```

use super::{Entry, det, pure};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use crate::state::thread::Thread;
use crate::state::transactions::Level;
use rustc_hash::FxHashMap;
use samite_code::predicate::{Clause, flag};
use samite_code::readers::ReaderSlot;
use samite_code::transaction::{Action, Cannot, Change, Transaction};
use samite_code::{Domain, Predicate, database};
use samite_term::{Atom, Cell, atoms, growth};

pub const TABLE: &[Entry] = &[
    // '$begin_transaction'(-Depth, +Quiet): the thread is in so many. With true nobody hears of changes until it is over, or '$tell_now'.
    det("$begin_transaction", 2, begin),
    // '$tell_now': this transaction has no wish any more that nobody hears of changes.
    det("$tell_now", 0, |m, _| {
        if let Some(level) = m.thread.transactions.levels.last_mut() {
            level.quiet = false;
        }
        Ok(true)
    }),
    // '$commit_transaction'(+Depth): that one, the innermost, ends, with its changes.
    det("$commit_transaction", 1, commit),
    // '$give_up_transaction'(+Depth, -Stale): that one ends, and those in it, and their changes are given up, if it has not ended. Whether that has been so, and the thread has
    // tables, which may be about those changes.
    det("$give_up_transaction", 2, give_up),
    // '$renew_transaction': what others have committed is seen from now on, if the transaction is no other's part.
    det("$renew_transaction", 0, renew),
    // '$in_transaction'(?Depth): the thread is in so many; fails if in none.
    pure("$in_transaction", 1, |m, a| {
        let depth = m.thread.transactions.levels.len();
        Ok(depth > 0 && m.unify_int(a, 0, depth as i64)?)
    }),
    det("transaction_updates", 1, |m, a| updates(m, a, false)),
    // '$told_updates'(-Updates): told(Name, Module, Arity, Action, Ref) of those that somebody listens to, and may hear of now.
    det("$told_updates", 1, |m, a| updates(m, a, true)),
];

/// What a change that cannot be made throws.
fn cannot(m: &mut Ctx, why: Cannot, p: &'static Predicate) -> Throw {
    match why {
        Cannot::Refused(why) => m.refused(p, why),
        Cannot::TooMany => m.representation_error("transaction_generations"),
        Cannot::Memory => Throw::Memory,
    }
}

impl Ctx<'_> {
    /// Adds a clause of a dynamic predicate, for all or as a change of the transaction.
    #[inline]
    pub(crate) fn add_clause(
        &mut self,
        p: &'static Predicate,
        clause: Box<Clause>,
        at_end: bool,
    ) -> Result<(), Throw> {
        match self.thread.transactions.open {
            None => database::add(p, clause, at_end).map_err(|why| self.refused(p, why)),
            Some(_) => self.add_within(p, clause, at_end),
        }
    }
    #[cold]
    #[inline(never)]
    fn add_within(
        &mut self,
        p: &'static Predicate,
        clause: Box<Clause>,
        at_end: bool,
    ) -> Result<(), Throw> {
        match self.thread.transactions.open.as_mut() {
            Some(t) if p.is_transactional() && p.is_dynamic() => {
                // (What is loaded counts as loaded, and is not loaded again, whatever becomes of the transaction.)
                let added = match clause.file() {
                    atoms::NIL => t.add(p, clause, at_end),
                    _ => t.load(p, clause, at_end),
                };
                added.map_err(|why| cannot(self, why, p))
            }
            _ => database::add(p, clause, at_end).map_err(|why| self.refused(p, why)),
        }
    }
    /// Erases a clause, in the same way; false if that has been done before.
    #[inline]
    pub(crate) fn erase_clause(&mut self, c: &'static Clause) -> Result<bool, Throw> {
        match self.thread.transactions.open.as_mut() {
            None => Ok(database::erase(c, self.reader.number())),
            Some(_) => self.erase_within(c),
        }
    }
    #[cold]
    fn erase_within(&mut self, c: &'static Clause) -> Result<bool, Throw> {
        let by = self.reader.number();
        let open = self.thread.transactions.open.as_mut();
        match open.filter(|_| c.predicate.is_transactional() && c.predicate.is_dynamic()) {
            Some(t) => {
                let erased = t.erase(c, by);
                erased.map_err(|why| cannot(self, why, c.predicate))
            }
            None => Ok(database::erase(c, by)),
        }
    }
    /// Whether a clause that a walk of this thread has found may be taken: what this thread has erased since the walk began, the walk still sees; what
    /// another has taken is its. In a transaction others take nothing.
    #[inline]
    pub(crate) fn may_take(&self, c: &Clause) -> bool {
        !c.is_erased() || c.erased_by(self.reader.number()) || self.is_within(c.predicate)
    }
    /// Whether somebody is to hear of changes of a predicate.
    #[inline]
    pub(crate) fn tells_of(&self, p: &Predicate) -> bool {
        p.has(flag::LISTENED) && !self.thread.transactions.is_quiet()
    }
    /// Whether changes of a predicate are those of a transaction.
    pub(crate) fn is_within(&self, p: &Predicate) -> bool {
        self.thread.transactions.is_open() && p.is_transactional()
    }
    /// How many clauses of its own a predicate has for this thread, which has entered.
    pub(crate) fn count_clauses(&self, own: &'static Predicate) -> usize {
        match self.is_within(own) {
            true => own.view_of(&self.reader).walked().count(),
            false => own.lock().public(),
        }
    }
}

fn begin(m: &mut Ctx, a: Args) -> Res {
    let domain = m.program.code.domain;
    let mut level = Level {
        // Before the snapshot: what others change from now on is noticed.
        revision: domain.revision(),
        logged: 0,
        changes: 0,
        quiet: m.view(a, 1).as_atom() == Some(atoms::TRUE),
        in_quiet: m.thread.transactions.is_quiet(),
        tables: m.thread.tabling.tables.current(),
        read: FxHashMap::default(),
        subgoals: m.thread.tabling.stack.len(),
    };
    if let Some(d) = m.thread.tabling.tables.present_dependencies() {
        d.note_read(&mut level.read)?;
    }
    growth::have(&mut m.thread.transactions.levels, 1)?;
    match m.thread.transactions.open.as_mut() {
        Some(t) => {
            if let Err(Cannot::Memory | Cannot::Refused(_) | Cannot::TooMany) = t.nest() {
                return Err(Throw::Memory);
            }
            (level.logged, level.changes) = (t.logged, t.len());
        }
        None => match Transaction::begin(domain, &m.reader) {
            Ok(t) => m.thread.transactions.open = Some(Box::new(t)),
            Err(_) => return Err(m.resource_error("transactions")),
        },
    }
    m.thread.transactions.levels.push(level);
    let depth = m.thread.transactions.levels.len() as i64;
    let unified = m.unify_int(a, 0, depth);
    debug_assert!(matches!(unified, Ok(true)));
    unified
}

fn commit(m: &mut Ctx, a: Args) -> Res {
    let innermost = m.thread.transactions.levels.len() as i64;
    let depth = m.view(a, 0);
    if !matches!(depth.view(), samite_term::View::Int(depth) if depth == innermost) {
        // (Who has begun one gives its depth: see the invariant of `state/transactions.rs`.)
        let depth = depth.cell();
        return Err(m.permission_error("commit", "transaction", depth));
    }
    let reader = m.reader.clone();
    let domain = m.program.code.domain;
    let thread = &mut *m.thread;
    let transactions = &mut thread.transactions;
    let Some(t) = transactions.open.as_mut() else {
        return Ok(false);
    };
    if t.is_nested() {
        t.keep_level();
        transactions.levels.pop();
        return Ok(true);
    }
    let tables = &mut thread.tabling.tables;
    t.commit(&reader, |p, before, after| {
        if let Some(d) = tables.present_dependencies() {
            d.pass_over(p, before, after);
        }
    })?;
    let logged = t.logged;
    transactions.open = None;
    let level = transactions.levels.pop();
    if let Some(level) = level
        && others_changed(domain, &level, logged)
    {
        read_again(thread, level);
    }
    Ok(true)
}

/// Whether others have changed incremental predicates since a transaction began, which has said so itself so many times.
fn others_changed(domain: &Domain, level: &Level, logged: u64) -> bool {
    domain.revision() - level.revision != logged - level.logged
}

/// The thread's tables are told once more of what they have been told since a transaction began.
fn read_again(thread: &mut Thread, level: Level) {
    let tables = &mut thread.tabling.tables;
    let read = match level.tables == tables.current() {
        true => level.read,
        false => FxHashMap::default(),
    };
    if let Some(d) = tables.present_dependencies() {
        d.read_again(&read);
    }
}

fn give_up(m: &mut Ctx, a: Args) -> Res {
    let samite_term::View::Int(depth) = m.view(a, 0).view() else {
        return Ok(true);
    };
    let domain = m.program.code.domain;
    let reader = m.reader.clone();
    let mut some = false;
    while m.thread.transactions.levels.len() as i64 >= depth.max(1) {
        some |= give_innermost_up(domain, &mut m.thread, &reader);
    }
    let stale = some && m.thread.tabling.tables.statistics().subgoals > 0;
    Ok(m.unify_atom(a, 1, Atom::new(if stale { "true" } else { "false" })))
}

/// Gives up the innermost transaction of a thread. Whether it had made changes.
fn give_innermost_up(domain: &'static Domain, thread: &mut Thread, reader: &ReaderSlot) -> bool {
    let transactions = &mut thread.transactions;
    let Some(level) = transactions.levels.pop() else {
        return false;
    };
    let (mut logged, mut made) = (0, 0);
    if let Some(t) = transactions.open.as_mut() {
        (logged, made) = (t.logged, t.len() - level.changes);
        if !transactions.levels.is_empty() {
            t.give_level_up(reader.number());
        }
    }
    if transactions.levels.is_empty()
        && let Some(t) = transactions.open.take()
    {
        t.abort(reader);
    }
    if made > 0 || others_changed(domain, &level, logged) {
        read_again(thread, level);
    }
    made > 0
}

fn renew(m: &mut Ctx, _: Args) -> Res {
    let domain = m.program.code.domain;
    let thread = &mut *m.thread;
    let transactions = &mut thread.transactions;
    let (Some(t), [level]) = (transactions.open.as_mut(), &mut transactions.levels[..]) else {
        return Ok(true);
    };
    t.renew();
    if others_changed(domain, level, t.logged) {
        let read = std::mem::take(&mut level.read);
        let tables = &mut thread.tabling.tables;
        let same = level.tables == tables.current();
        let none = FxHashMap::default();
        if let Some(d) = tables.present_dependencies() {
            d.read_again(if same { &read } else { &none });
        }
        level.read = read;
    }
    Ok(true)
}

/// The changes of the innermost transaction: `asserta(Ref)`, `assertz(Ref)`, `erased(Ref)`, in order; fails if there is none.
fn updates(m: &mut Ctx, a: Args, told: bool) -> Res {
    let Some(t) = &m.thread.transactions.open else {
        return Ok(false);
    };
    if told && m.thread.transactions.is_quiet() {
        return Ok(m.unify_arg(a, 0, Cell::NIL));
    }
    let all: Vec<Change> = growth::list(t.pending())?;
    let mut items = growth::with_room(all.len())?;
    for Change { clause, action, .. } in all {
        // (Of a thread's own copy of a predicate the shared one is asked.)
        let of = clause.predicate;
        let is_listened = |p: &'static Predicate| p.has(flag::LISTENED);
        let shared = || m.program.code.find(of.module(), of.functor());
        if told && !shared().is_some_and(is_listened) {
            continue;
        }
        let name = super::clause_refs::name_of(m, clause)?;
        let what = match (action, told) {
            (Action::Asserta, _) => "asserta",
            (Action::Assertz, _) => "assertz",
            (Action::Erased, false) => "erased",
            (Action::Erased, true) => "retract",
        };
        items.push(match told {
            false => m.structure(what, &[name])?,
            true => {
                let (of, module) = (of.functor(), Cell::atom(of.module()));
                let (of, arity) = (Cell::atom(of.name()), Cell::small(of.arity() as i64));
                let what = Cell::atom(Atom::new(what));
                m.structure("told", &[of, module, arity, what, name])?
            }
        });
    }
    let list = m.heap.list(&items, Cell::NIL)?;
    Ok(m.unify_arg(a, 0, list))
}
