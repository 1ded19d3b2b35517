//! The recorded database: what there is of it. Invariants: `builtins/records.rs`, whose builtins alone use it.

use super::record_list::RecordList;
use parking_lot::RwLock;
use rustc_hash::FxHashMap;
use samite_sched::MessageKey;
use samite_term::common::{self, Charge};
use samite_term::counted::Counted;
use samite_term::growth::{self, Refused};
use samite_term::slots::Slots;
use samite_term::{Atom, Cell, Handle, HandleKind, HoldsAtoms, Record};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of locks that keys are divided over.
pub(crate) const SHARDS: usize = 16;

/// Bits of a constant's cell, or of a functor.
pub(crate) type Key = u64;

/// What bytes of a record come to beside its words: the entry, its place in the list.
pub(crate) const OVERHEAD: usize = size_of::<Stored>() + 32;

/// What bytes the list of a key comes to: its places in two tables. (What its second record makes of it is part of what records come to, of which few are so small.)
pub(crate) const LIST: usize = 4 * size_of::<(Key, List)>();

/// One record.
pub(crate) struct Stored {
    pub(crate) key: Key,
    pub(crate) position: i64,
    pub(crate) birth: u64,
    /// What it looks like from outside; `None` for a variable.
    pub(crate) looks: Option<MessageKey>,
    pub(crate) term: Record,
    /// The number of its name, 0 before it has one. Set under the lock of its list.
    pub(crate) name: AtomicU64,
    pub(crate) _charge: Charge,
}

impl Stored {
    fn its_name(&self) -> Option<Handle> {
        match self.name.load(Ordering::Relaxed) {
            0 => None,
            number => Some(Handle::new(HandleKind::Record, number)),
        }
    }
    /// Names a record that has no name: there is room for it.
    fn give_name(self: &Arc<Stored>, names: &mut Slots<Arc<Stored>>) -> Handle {
        let place = names.insert(self.clone());
        let number = names.number(place);
        self.name.store(number, Ordering::Relaxed);
        Handle::new(HandleKind::Record, number)
    }
}

/// The records of one key.
pub(crate) struct List {
    /// The generation of its first record.
    pub(crate) birth: u64,
    pub(crate) records: RecordList,
    /// For the queue or mutex that the key may be.
    pub(crate) _counted: Counted,
    pub(crate) _charge: Charge,
}

/// All records of a program.
#[derive(Default)]
pub struct Records {
    pub(crate) shards: [RwLock<FxHashMap<Key, List>>; SHARDS],
    pub(crate) names: RwLock<Slots<Arc<Stored>>>,
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
                (list.records.from(i64::MIN)).for_each(|s| s.term.each_atom(f));
            }
        }
    }
}

impl Records {
    pub(crate) fn shard(&self, key: Key) -> &RwLock<FxHashMap<Key, List>> {
        let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        &self.shards[hash as usize % SHARDS]
    }
    /// Adds a record; its name, if it is to have one.
    pub(crate) fn add(
        &self,
        key: Key,
        term: Record,
        at_end: bool,
        named: bool,
    ) -> Result<Option<Handle>, Refused> {
        let charge = Charge::new(OVERHEAD + 8 * term.len());
        let ask = |bytes| common::may_take(bytes, 0);
        let mut shard = self.shard(key).write();
        let mut names = named.then(|| self.names.write());
        if !growth::map_room(&mut shard, ask)
            || (names.as_mut()).is_some_and(|names| !names.have_room(ask))
        {
            return Err(Refused);
        }
        if let Some(list) = shard.get_mut(&key) {
            list.records.have_room(ask)?;
        }
        // Relaxed: calls on this thread see it; other threads' calls are before or after.
        let birth = 1 + self.generation.fetch_add(1, Ordering::Relaxed);
        let list = shard.entry(key).or_insert_with(|| {
            self.order.write().insert(birth, key);
            List {
                birth,
                records: RecordList::default(),
                _counted: Counted::of(Cell(key)),
                _charge: Charge::new(LIST),
            }
        });
        let position = list.records.next_position(at_end);
        let stored = Arc::new(Stored {
            key,
            position,
            birth,
            looks: MessageKey::of_record(&term),
            term,
            name: AtomicU64::new(0),
            _charge: charge,
        });
        let name = names.map(|mut names| stored.give_name(&mut names));
        list.records.insert(stored);
        Ok(name)
    }
    /// Gives the records from a position on that a call of this generation may return for a pattern, until it hears false.
    pub(crate) fn from(
        &self,
        key: Key,
        from: i64,
        generation: u64,
        pattern: Option<MessageKey>,
        found: &mut dyn FnMut(&Arc<Stored>) -> bool,
    ) {
        let shard = self.shard(key).read();
        let Some(list) = shard.get(&key) else {
            return;
        };
        let may = |s: &&Arc<Stored>| {
            s.birth <= generation && (pattern.is_none() || s.looks.is_none() || s.looks == pattern)
        };
        list.records.from(from).filter(may).all(found);
    }
    /// The name of a record; `None` if it has been erased. Where the table of names has a place left it is given although memory is full: to
    /// be erased by it, say.
    pub(crate) fn name(
        &self,
        stored: &Arc<Stored>,
        ask: impl Fn(usize) -> bool,
    ) -> Result<Option<Handle>, Refused> {
        if let Some(name) = stored.its_name() {
            return Ok(Some(name));
        }
        let shard = self.shard(stored.key).write();
        let list = shard.get(&stored.key);
        if !list.is_some_and(|l| l.records.has(stored)) {
            return Ok(None);
        }
        // (Another thread may have given it one by now.)
        if let Some(name) = stored.its_name() {
            return Ok(Some(name));
        }
        let mut names = self.names.write();
        if !names.have_room(ask) {
            return Err(Refused);
        }
        Ok(Some(stored.give_name(&mut names)))
    }
    pub(crate) fn named(&self, name: Handle) -> Option<Arc<Stored>> {
        self.names.read().get(name.number()).cloned()
    }
    /// Takes a record out of its list; false if another thread did.
    pub(crate) fn erase(&self, stored: &Arc<Stored>) -> bool {
        let mut shard = self.shard(stored.key).write();
        let Some(list) = shard.get_mut(&stored.key) else {
            return false;
        };
        if !list.records.has(stored) {
            return false;
        }
        list.records.remove(stored);
        if list.records.is_empty() {
            self.order.write().remove(&list.birth);
            shard.remove(&stored.key);
        }
        if let Some(name) = stored.its_name() {
            let mut names = self.names.write();
            names.take(name.number());
            names.shrink();
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
