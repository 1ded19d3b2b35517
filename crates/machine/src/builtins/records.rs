//! The recorded database: terms stored under keys, program by all threads (`recorda/3`, `recorded/3`, `erase/1` as in SWI-Prolog).
//!
//! A key is a constant or a functor; its records form a list ordered by position: `recorda/3` adds below the first position,
//! `recordz/3` above the last. Lists are divided over [`SHARDS`] locks by key, none of which is held while terms are unified: a reader
//! takes counted references to records, to one at first and to more at a time as it goes on in vain. The state between solutions is `'$records'(Next, Generation, Birth)`, raw: the
//! position to go on at, the generation at the call and, if the key is not given, the birth of the list of the current key.
//!
//! Invariants:
//! 1. Each record has a birth generation; a call of `recorded/3` returns no record younger than itself. A record that is erased
//!    meanwhile is not returned any more, and its memory is free when the last reader has let go of it.
//! 2. A list with no records is not there. `order` has exactly the lists that are there: it is changed under their locks.
//! 3. A record gets a name (a handle) when its reference is first asked for. `names` has exactly the named records that are in
//!    lists: both are changed under the lock of the list. Of the threads that erase a record one succeeds.
//! 4. Lock order: a shard, then `names`, then `order`.

use super::args::attempt;
use super::{Entry, det, nondet};
use crate::engine::ctx::Ctx;
use crate::engine::going::Step;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use crate::state::records::{Key, LIST, OVERHEAD, Stored};
use crate::state::told::Told;
use samite_sched::MessageKey;
use samite_term::{Cell, Functor, Handle, HandleKind, Kind, View, atoms};
use std::sync::Arc;
use std::sync::atomic::Ordering;

pub const TABLE: &[Entry] = &[
    det("recorda", 2, |m, a| add(m, a, false)).refuses_first(),
    det("recorda", 3, |m, a| add_named(m, a, false)).refuses_first(),
    det("recordz", 2, |m, a| add(m, a, true)).refuses_first(),
    det("recordz", 3, |m, a| add_named(m, a, true)).refuses_first(),
    nondet("recorded", 2, |m, a, s| recorded(m, a, s, false)),
    nondet("recorded", 3, |m, a, s| recorded(m, a, s, true)),
    nondet("current_key", 1, current_key),
    det("erase", 1, erase),
    det("instance", 2, |m, a| {
        if let Some(c) = super::clause_refs::clause_argument(m, a, 0)? {
            return super::clause_refs::instance(m, a, c);
        }
        let Some(stored) = referred(m, a, 0)? else {
            return Ok(false);
        };
        let term = m.heap.instantiate(&stored.term)?;
        Ok(m.unify_arg(a, 1, term))
    }),
];

/// Bytes that a name takes, about.
const NAME: usize = 64;

/// Key of a term; `None` for a variable.
fn key_of(m: &mut Ctx, c: Cell) -> Result<Option<Key>, Throw> {
    match m.term(c).view() {
        View::Var(_) | View::Attributed(_) => Ok(None),
        View::Atom(_) | View::Blob(_) | View::Handle(_) => Ok(Some(c.0)),
        View::Int(_) if c.is_small() => Ok(Some(c.0)),
        View::Compound(t) => Ok(Some(t.functor().bits())),
        View::List(..) => Ok(Some(Functor::new(atoms::DOT, 2).bits())),
        _ => Err(m.type_error("key", c)),
    }
}

/// The most general term with a key.
fn key_term(m: &mut Ctx, key: Key) -> Result<Cell, Throw> {
    let c = Cell(key);
    if !c.is_hdr() {
        m.heap.meet(c);
        return Ok(c);
    }
    let f = Functor::from_cell(c);
    let args = (0..f.arity())
        .map(|_| m.heap.variable())
        .collect::<Result<Vec<Cell>, _>>()?;
    if f == Functor::new(atoms::DOT, 2) {
        return Ok(m.heap.list_cell(args[0], args[1])?);
    }
    Ok(m.heap.structure(f, &args)?)
}

fn add(m: &mut Ctx, a: Args, at_end: bool) -> Res {
    add_to(m, a, at_end, false)?;
    Ok(true)
}

fn add_named(m: &mut Ctx, a: Args, at_end: bool) -> Res {
    let reference = m.arg(a, 2);
    if !reference.is_ref() {
        return Err(m.uninstantiation_error(reference, "3-rd argument"));
    }
    let name = add_to(m, a, at_end, true)?;
    Ok(name.is_some_and(|n| m.unify_arg(a, 2, Cell::of_handle(n))))
}

/// Adds a record; its name, if it is to have one.
fn add_to(m: &mut Ctx, a: Args, at_end: bool, named: bool) -> Result<Option<Handle>, Throw> {
    let Some(key) = key_of(m, m.arg(a, 0))? else {
        return Err(m.instantiation_error());
    };
    let term = m.record_shared(m.arg(a, 1), OVERHEAD + NAME + LIST)?;
    Ok((m.program.records).add(key, term, at_end, named)?)
}

/// The record that an argument refers to; `None` if it has been erased.
fn referred(m: &mut Ctx, a: Args, i: usize) -> Result<Option<Arc<Stored>>, Throw> {
    let c = m.arg(a, i);
    if c.is_ref() {
        return Err(m.instantiation_error());
    }
    match c.handle().filter(|h| h.kind() == HandleKind::Record) {
        Some(name) => Ok(m.program.records.named(name)),
        None => Err(m.type_error("db_reference", c)),
    }
}

fn erase(m: &mut Ctx, a: Args) -> Res {
    if let Some(c) = super::clause_refs::clause_argument(m, a, 0)? {
        if let Some(c) = c
            && let Some(goal) = m.erase_told(c, m.arg(a, 0))?
        {
            return Err(Throw::Rest(goal));
        }
    } else if m.program.told.is(Told::ERASED) && referred(m, a, 0)?.is_some() {
        return Err(m.erase_record_told(m.arg(a, 0)));
    }
    erase_untold(m, a)
}

/// The same when those who listen have heard of it, or nobody does.
pub(super) fn erase_untold(m: &mut Ctx, a: Args) -> Res {
    if let Some(c) = super::clause_refs::clause_argument(m, a, 0)? {
        return super::clause_refs::erase(m, a, c);
    }
    match referred(m, a, 0)? {
        Some(stored) => Ok(m.program.records.erase(&stored)),
        None => Ok(false),
    }
}

/// Unifies key and term of a record with the arguments.
fn matches(m: &mut Ctx, a: Args, stored: &Stored) -> Res {
    let given = key_of(m, m.arg(a, 0)).unwrap_or(Some(0));
    let holds = match given {
        Some(key) => key == stored.key,
        None => {
            let term = key_term(m, stored.key)?;
            m.unify_arg(a, 0, term)
        }
    };
    if !holds {
        return Ok(false);
    }
    let term = m.heap.instantiate(&stored.term)?;
    Ok(m.unify_arg(a, 1, term))
}

/// `recorded(?Key, ?Term, ?Reference)` and `recorded(?Key, ?Term)`; see the module text for the state.
fn recorded(m: &mut Ctx, a: Args, state: Option<Cell>, with_name: bool) -> Result<Step, Throw> {
    if state.is_none() && with_name && !m.arg(a, 2).is_ref() {
        let holds = match referred(m, a, 2)? {
            Some(stored) => matches(m, a, &stored)?,
            None => false,
        };
        return Ok(if holds { Step::Last } else { Step::Fail });
    }
    let given = key_of(m, m.arg(a, 0))?;
    let (mut next, generation, mut birth) = match state {
        // SAFETY: the state made below, of raw cells. It is read before anything is added to the heap.
        Some(s) => unsafe {
            let raw = |i: usize| (*s.ptr().add(i)).payload();
            (raw(1) as i64 + FIRST, raw(2), raw(3))
        },
        // Relaxed: see `Records::add`.
        None => (
            FIRST,
            m.program.records.generation.load(Ordering::Relaxed),
            0,
        ),
    };
    let pattern = MessageKey::of_term(m.view(a, 1));
    let mut taken = Taken::new();
    loop {
        let key = match given {
            Some(key) => key,
            None => match m.program.records.key_from(birth) {
                Some((b, key)) if b <= generation => {
                    if b != birth {
                        (next, birth) = (FIRST, b);
                        taken = Taken::new();
                    }
                    key
                }
                _ => return Ok(Step::Fail),
            },
        };
        let Some((stored, more)) = taken.next(|found| {
            (m.program.records).from(key, next, generation, pattern, found);
        }) else {
            if given.is_some() {
                return Ok(Step::Fail);
            }
            (next, birth) = (FIRST, birth + 1);
            taken = Taken::new();
            continue;
        };
        next = stored.position + 1;
        let holds = attempt(m, |m| {
            if with_name {
                let ask = |bytes| m.room(bytes).is_ok();
                let Some(name) = m.program.records.name(&stored, ask)? else {
                    return Ok(false);
                };
                if !m.unify_arg(a, 2, Cell::of_handle(name)) {
                    return Ok(false);
                }
            }
            matches(m, a, &stored)
        })?;
        if holds {
            if !more && given.is_some() {
                return Ok(Step::Last);
            }
            let raw = |v: u64| Cell::header(Kind::Raw, v);
            let state = [raw((next - FIRST) as u64), raw(generation), raw(birth)];
            let functor = Functor::new(atoms::RECORDS, 3);
            return Ok(Step::More(m.heap.structure(functor, &state)?));
        }
    }
}

/// So many records are taken at a time, at most.
const MOST_TAKEN: usize = 16;

/// References to records that are tried one after another: one at first, as mostly it is the one, twice as many each time.
#[derive(Default)]
struct Taken {
    records: [Option<Arc<Stored>>; MOST_TAKEN],
    next: usize,
    end: usize,
    most: usize,
    /// There were more when these were taken, or none were yet.
    more: bool,
}

impl Taken {
    fn new() -> Taken {
        Taken {
            more: true,
            ..Taken::default()
        }
    }
    /// The next one, and whether there are more. `find` is to give those behind the last one until it hears false.
    fn next(
        &mut self,
        find: impl FnOnce(&mut dyn FnMut(&Arc<Stored>) -> bool),
    ) -> Option<(Arc<Stored>, bool)> {
        if self.next == self.end && self.more {
            self.most = (2 * self.most).clamp(1, MOST_TAKEN);
            (self.next, self.end, self.more) = (0, 0, false);
            find(&mut |stored| {
                self.more = self.end == self.most;
                if !self.more {
                    self.records[self.end] = Some(stored.clone());
                    self.end += 1;
                }
                !self.more
            });
        }
        if self.next == self.end {
            return None;
        }
        let stored = self.records[self.next].take()?;
        self.next += 1;
        Some((stored, self.more || self.next < self.end))
    }
}

/// Below every position, and such that positions counted from it are raw words.
const FIRST: i64 = -(1 << 54);

/// `current_key(?Key)`: keys that have records. The state is where to go on among the births of their lists.
fn current_key(m: &mut Ctx, a: Args, state: Option<Cell>) -> Result<Step, Throw> {
    if let Some(key) = key_of(m, m.arg(a, 0))? {
        let there = m.program.records.has_key(key);
        return Ok(if there { Step::Last } else { Step::Fail });
    }
    let from = state.map_or(0, |s| s.small_value() as u64);
    let Some((birth, key)) = m.program.records.key_from(from) else {
        return Ok(Step::Fail);
    };
    let term = key_term(m, key)?;
    m.unify_arg(a, 0, term);
    Ok(Step::More(Cell::small(birth as i64 + 1)))
}
