//! The recorded database: what there is of it. Invariants: `builtins/records.rs`, whose builtins alone use it.

use parking_lot::RwLock;
use rustc_hash::FxHashMap;
use samite_sched::MessageKey;
use samite_term::common::{self, Charge};
use samite_term::counted::Counted;
use samite_term::growth::{self, Refused};
use samite_term::{Atom, Cell, Handle, HandleKind, HoldsAtoms, Record};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// Number of locks that keys are divided over.
pub(crate) const SHARDS: usize = 16;

/// Bits of a constant's cell, or of a functor.
pub(crate) type Key = u64;

/// What bytes of a record come to beside its words: the entry, its place in the list.
pub(crate) const OVERHEAD: usize = size_of::<Stored>() + 32;

/// What bytes the list of a key comes to: its places in two tables, and the first node of the records.
pub(crate) const LIST: usize = 4 * size_of::<(Key, List)>() + 13 * size_of::<(i64, Arc<Stored>)>();

/// One record.
pub(crate) struct Stored {
    pub(crate) key: Key,
    pub(crate) position: i64,
    pub(crate) birth: u64,
    /// What it looks like from outside; `None` for a variable.
    pub(crate) looks: Option<MessageKey>,
    pub(crate) term: Record,
    pub(crate) name: OnceLock<Handle>,
    pub(crate) _charge: Charge,
}

/// The records of one key.
pub(crate) struct List {
    /// The generation of its first record.
    pub(crate) birth: u64,
    pub(crate) records: BTreeMap<i64, Arc<Stored>>,
    /// For the queue or mutex that the key may be.
    pub(crate) _counted: Counted,
    pub(crate) _charge: Charge,
}

/// All records of a program.
#[derive(Default)]
pub struct Records {
    pub(crate) shards: [RwLock<FxHashMap<Key, List>>; SHARDS],
    pub(crate) names: RwLock<FxHashMap<Handle, Arc<Stored>>>,
    /// Keys by the birth of their lists.
    pub(crate) order: RwLock<BTreeMap<u64, Key>>,
    /// Records made so far.
    pub(crate) generation: AtomicU64,
}

impl HoldsAtoms for Records {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        for shard in &self.shards {
            for (&key, list) in shard.read().iter() {
                if let Some(a) = Cell(key).atom_in() {
                    f(a);
                }
                list.records.values().for_each(|s| s.term.each_atom(f));
            }
        }
    }
}

impl Records {
    pub(crate) fn shard(&self, key: Key) -> &RwLock<FxHashMap<Key, List>> {
        let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        &self.shards[hash as usize % SHARDS]
    }
    /// Adds a record, with a name if wanted. False: there is no memory for it.
    pub(crate) fn add(&self, key: Key, term: Record, at_end: bool, name: Option<Handle>) -> bool {
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
                _counted: Counted::of(Cell(key)),
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
    pub(crate) fn next(
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
    pub(crate) fn name(
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
    pub(crate) fn named(&self, name: Handle) -> Option<Arc<Stored>> {
        self.names.read().get(&name).cloned()
    }
    /// Takes a record out of its list; false if another thread did.
    pub(crate) fn erase(&self, stored: &Arc<Stored>) -> bool {
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
    pub(crate) fn has_key(&self, key: Key) -> bool {
        self.shard(key).read().contains_key(&key)
    }
    /// The key whose list is the oldest born at a generation or later, and its birth.
    pub(crate) fn key_from(&self, birth: u64) -> Option<(u64, Key)> {
        let order = self.order.read();
        order.range(birth..).next().map(|(&b, &k)| (b, k))
    }
}

pub(crate) fn new_name() -> Handle {
    static COUNT: AtomicU64 = AtomicU64::new(1);
    let n = COUNT.fetch_add(1, Ordering::Relaxed);
    Handle::new(HandleKind::Record, n)
}
