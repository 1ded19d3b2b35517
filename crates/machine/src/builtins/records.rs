//! The recorded database: terms stored under keys, program by all threads (`recorda/3`, `recorded/3`, `erase/1` as in SWI-Prolog).
//!
//! A key is a constant or a functor; its records form a list ordered by position: `recorda/3` adds below the first position,
//! `recordz/3` above the last. Lists are divided over [`SHARDS`] locks by key, none of which is held while terms are unified: a reader
//! takes a counted reference to one record at a time. The state between solutions is `'$records'(Next, Generation, Birth)`, raw: the
//! position to go on at, the generation at the call and, if the key is not given, the birth of the list of the current key.
//!
//! Invariants:
//! 1. Each record has a birth generation; a call of `recorded/3` returns no record younger than itself. A record that is erased
//!    meanwhile is not returned any more, and its memory is free when the last reader has let go of it.
//! 2. A list with no records is not there. `order` has exactly the lists that are there: it is changed under their locks.
//! 3. A record gets a name (a handle) when its reference is first asked for. `names` has exactly the named records that are in
//!    lists: both are changed under the lock of the list. Of the threads that erase a record one succeeds.
//! 4. Lock order: a shard, then `names`, then `order`.

use super::Entry::{self, Det, Nondet};
use super::terms::attempt;
use crate::ctx::Ctx;
use crate::engine::run::Step;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use parking_lot::RwLock;
use rustc_hash::FxHashMap;
use samite_sched::MessageKey;
use samite_term::common::{self, Charge};
use samite_term::growth::{self, Refused};
use samite_term::{Atom, Cell, Functor, Handle, HandleKind, Kind, Record, View, atoms};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

pub const TABLE: &[Entry] = &[
    Det("recorda", 2, |m, a| add(m, a, false)),
    Det("recorda", 3, |m, a| add_named(m, a, false)),
    Det("recordz", 2, |m, a| add(m, a, true)),
    Det("recordz", 3, |m, a| add_named(m, a, true)),
    Nondet("recorded", 2, |m, a, s| recorded(m, a, s, false)),
    Nondet("recorded", 3, |m, a, s| recorded(m, a, s, true)),
    Nondet("current_key", 1, current_key),
    Det("erase", 1, erase),
    Det("instance", 2, |m, a| {
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

/// Number of locks that keys are divided over.
const SHARDS: usize = 16;

/// What bytes of a record come to beside its words: the entry, its place in the list.
const OVERHEAD: usize = size_of::<Stored>() + 32;

/// What bytes the list of a key comes to: its places in two tables, and the first node of the records.
const LIST: usize = 4 * size_of::<(Key, List)>() + 13 * size_of::<(i64, Arc<Stored>)>();

/// Bits of a constant's cell, or of a functor.
type Key = u64;

/// One record.
struct Stored {
    key: Key,
    position: i64,
    birth: u64,
    /// What it looks like from outside; `None` for a variable.
    looks: Option<MessageKey>,
    term: Record,
    name: OnceLock<Handle>,
    _charge: Charge,
}

/// The records of one key.
struct List {
    /// The generation of its first record.
    birth: u64,
    records: BTreeMap<i64, Arc<Stored>>,
    _charge: Charge,
}

/// All records of a program.
#[derive(Default)]
pub struct Records {
    shards: [RwLock<FxHashMap<Key, List>>; SHARDS],
    names: RwLock<FxHashMap<Handle, Arc<Stored>>>,
    /// Keys by the birth of their lists.
    order: RwLock<BTreeMap<u64, Key>>,
    /// Records made so far.
    generation: AtomicU64,
}

impl Records {
    fn shard(&self, key: Key) -> &RwLock<FxHashMap<Key, List>> {
        let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        &self.shards[hash as usize % SHARDS]
    }
    /// Adds a record, with a name if wanted. False: there is no memory for it.
    fn add(&self, key: Key, term: Record, at_end: bool, name: Option<Handle>) -> bool {
        let charge = Charge::new(OVERHEAD + 8 * term.len());
        let ask = |bytes| common::may_take(bytes, 0);
        let mut shard = self.shard(key).write();
        let mut names = name.map(|name| (name, self.names.write()));
        if !growth::map_room(&mut shard, ask)
            || (names.as_mut()).is_some_and(|(_, names)| !growth::map_room(names, ask))
        {
            return false;
        }
        // Relaxed: calls on this thread see it; other threads' calls are before or after.
        let birth = 1 + self.generation.fetch_add(1, Ordering::Relaxed);
        let list = shard.entry(key).or_insert_with(|| {
            self.order.write().insert(birth, key);
            List {
                birth,
                records: BTreeMap::new(),
                _charge: Charge::new(LIST),
            }
        });
        let position = if at_end {
            list.records.last_key_value().map_or(0, |(p, _)| p + 1)
        } else {
            list.records.first_key_value().map_or(0, |(p, _)| p - 1)
        };
        let stored = Arc::new(Stored {
            key,
            position,
            birth,
            looks: MessageKey::of_record(&term),
            term,
            name: name.map_or_else(OnceLock::new, OnceLock::from),
            _charge: charge,
        });
        if let Some((name, names)) = &mut names {
            names.insert(*name, stored.clone());
        }
        list.records.insert(position, stored);
        true
    }
    /// The first record from a position on that a call of this generation may return for a pattern, and whether there are more.
    fn next(
        &self,
        key: Key,
        from: i64,
        generation: u64,
        pattern: Option<MessageKey>,
    ) -> Option<(Arc<Stored>, bool)> {
        let shard = self.shard(key).read();
        let mut found = shard.get(&key)?.records.range(from..).filter(|(_, s)| {
            s.birth <= generation && (pattern.is_none() || s.looks.is_none() || s.looks == pattern)
        });
        let first = found.next()?.1.clone();
        Some((first, found.next().is_some()))
    }
    /// The name of a record; `None` if it has been erased. Where the table of names has a place left it is given although memory is full: to
    /// be erased by it, say.
    fn name(
        &self,
        stored: &Arc<Stored>,
        ask: impl Fn(usize) -> bool,
    ) -> Result<Option<Handle>, Refused> {
        if let Some(&name) = stored.name.get() {
            return Ok(Some(name));
        }
        let shard = self.shard(stored.key).write();
        let list = shard.get(&stored.key);
        let there = list.and_then(|l| l.records.get(&stored.position));
        if !there.is_some_and(|s| Arc::ptr_eq(s, stored)) {
            return Ok(None);
        }
        let mut names = self.names.write();
        if !growth::map_room(&mut names, ask) {
            return Err(Refused);
        }
        let name = *stored.name.get_or_init(new_name);
        names.insert(name, stored.clone());
        Ok(Some(name))
    }
    fn named(&self, name: Handle) -> Option<Arc<Stored>> {
        self.names.read().get(&name).cloned()
    }
    /// Takes a record out of its list; false if another thread did.
    fn erase(&self, stored: &Arc<Stored>) -> bool {
        let mut shard = self.shard(stored.key).write();
        let Some(list) = shard.get_mut(&stored.key) else {
            return false;
        };
        if !list
            .records
            .get(&stored.position)
            .is_some_and(|s| Arc::ptr_eq(s, stored))
        {
            return false;
        }
        list.records.remove(&stored.position);
        if list.records.is_empty() {
            self.order.write().remove(&list.birth);
            shard.remove(&stored.key);
        }
        if let Some(name) = stored.name.get() {
            self.names.write().remove(name);
        }
        true
    }
    fn has_key(&self, key: Key) -> bool {
        self.shard(key).read().contains_key(&key)
    }
    /// The key whose list is the oldest born at a generation or later, and its birth.
    fn key_from(&self, birth: u64) -> Option<(u64, Key)> {
        let order = self.order.read();
        order.range(birth..).next().map(|(&b, &k)| (b, k))
    }
}

fn new_name() -> Handle {
    static COUNT: AtomicU64 = AtomicU64::new(1);
    let n = COUNT.fetch_add(1, Ordering::Relaxed);
    Handle::new(HandleKind::Record, n)
}

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
    let name = named.then(new_name);
    if !m.program.records.add(key, term, at_end, name) {
        return Err(Throw::Memory);
    }
    Ok(name)
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
    let program = m.program.clone();
    let records = &program.records;
    let given = key_of(m, m.arg(a, 0))?;
    let (mut next, generation, mut birth) = match state {
        // SAFETY: the state made below, of raw cells. It is read before anything is added to the heap.
        Some(s) => unsafe {
            let raw = |i: usize| (*s.ptr().add(i)).payload();
            (raw(1) as i64 + FIRST, raw(2), raw(3))
        },
        // Relaxed: see `Records::add`.
        None => (FIRST, records.generation.load(Ordering::Relaxed), 0),
    };
    let pattern = MessageKey::of_term(m.view(a, 1));
    loop {
        let key = match given {
            Some(key) => key,
            None => match records.key_from(birth) {
                Some((b, key)) if b <= generation => {
                    if b != birth {
                        (next, birth) = (FIRST, b);
                    }
                    key
                }
                _ => return Ok(Step::Fail),
            },
        };
        let Some((stored, more)) = records.next(key, next, generation, pattern) else {
            if given.is_some() {
                return Ok(Step::Fail);
            }
            (next, birth) = (FIRST, birth + 1);
            continue;
        };
        next = stored.position + 1;
        let holds = attempt(m, |m| {
            if with_name {
                let ask = |bytes| m.room(bytes).is_ok();
                let Some(name) = records.name(&stored, ask)? else {
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
            let functor = Functor::new(Atom::new("$records"), 3);
            return Ok(Step::More(m.heap.structure(functor, &state)?));
        }
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
