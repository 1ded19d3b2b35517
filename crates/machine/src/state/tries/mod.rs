//! The tries of a program by number, which is that of their handles: terms stored under keys that are terms, variants of each other being one key.
//!
//! A key is the sequence of its tokens ([`super::tokens`]), and a trie a hash table of entries. Who looks for what unifies with a pattern goes over the entries in the order of
//! their keys ([`order`]), where those that begin alike are neighbours: from one place where what unifies may be to the next one, and not over what lies between. The order
//! is kept while entries come in order or walks come, given up when there have been [`many_changes`] without one, and made again for the next one.
//!
//! Invariants:
//! 1. Each entry has a birth, a number of the trie's: a walk returns no entry younger than itself, and none twice, as its place only goes up. An entry that is
//!    taken out meanwhile is not returned any more. One that gets another value stays as old as it is.
//! 2. An entry is immutable, and counted for the handles in its key ([`Counted`]); its value is a record, which does so itself. Who has taken it out of the lock has it
//!    all, whatever becomes of the trie.
//! 3. `nodes` has exactly the entries with a node of tries that are not closed. It is changed under the lock of the trie.
//! 4. A trie that is out of the table is closed: nothing is put into it.
//! 5. Lock order: the table, a trie, `nodes`. None is held while a term is made or looked at, nor is an entry freed.
//! 6. `order`, if there is one, has the entries of `entries`. What a walk has found ([`Batch`]) is there, at its place, as long as `changes` is what it was.
//! 7. `with_variables` is the number of entries whose keys have variables.
//!
//! A handle is counted ([`samite_term::counted`]): when nobody can name a trie any more it goes. Tries that are in each other stay.

mod key;
mod order;

pub(crate) use key::{Key, has_variables};

use key::{Hashing, beginning};
use order::{Order, Place};
use parking_lot::{Mutex, RwLock, RwLockReadGuard, RwLockWriteGuard};
use rustc_hash::FxHashMap;
use samite_term::common::{self, Charge};
use samite_term::counted::{self, Counted};
use samite_term::growth::{self, Refused};
use samite_term::{Atom, Cell, HoldsAtoms, Record, walked};
use std::borrow::Borrow;
use std::collections::HashSet;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use super::tokens::{end_of_term, extent};

/// Bytes that a trie takes, about, with its place and its handle's.
pub(crate) const BYTES: usize = 320;

/// Bytes that a node of an entry takes.
pub(crate) const NODE: usize = 2 * size_of::<(u64, (u64, Key))>();

/// What is stored under a key.
pub(crate) struct Entry {
    key: Key,
    birth: u64,
    /// What a program has as its address, or 0.
    node: u64,
    /// `None` in a trie of keys only.
    pub(crate) value: Option<Record>,
    named: Box<[Counted]>,
}

impl Entry {
    pub(crate) fn words(&self) -> &[u64] {
        self.key.words()
    }
    /// None in a trie of keys only.
    pub(crate) fn words_of_value(&self) -> &[u64] {
        self.value.as_ref().map_or(&[], Record::words)
    }
    /// Whether terms can be made of a copy, as long as it is there; see [`Ahead`].
    fn is_copied(&self) -> bool {
        let value = self.words_of_value();
        let mut has_handles = !self.named.is_empty();
        if counted::are_any() {
            counted::each_in_words(&value[..value.len().min(LARGE)], |_| has_handles = true);
        }
        self.words().len() + value.len() <= LARGE && !has_handles
    }
    /// Bytes that one with so many tokens takes beside its value: with its places in the table and in the order.
    pub(crate) fn bytes(tokens: usize) -> usize {
        size_of::<Entry>() + 64 + Key::apart(tokens)
    }
    fn charged(&self) -> usize {
        Entry::bytes(self.words().len()) + self.value.as_ref().map_or(0, |v| 8 * v.len())
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        common::release(self.charged());
    }
}

/// An entry, found by the words of its key.
struct ByKey(Arc<Entry>);

impl Borrow<[u64]> for ByKey {
    #[inline]
    fn borrow(&self) -> &[u64] {
        self.0.words()
    }
}

impl Hash for ByKey {
    #[inline]
    fn hash<H: Hasher>(&self, h: &mut H) {
        self.0.words().hash(h);
    }
}

impl PartialEq for ByKey {
    fn eq(&self, other: &ByKey) -> bool {
        key::same(self.0.words(), other.0.words())
    }
}

impl Eq for ByKey {}

/// What a key has as its value.
pub(crate) enum Value {
    /// No handle.
    Constant(Cell),
    Of(Arc<Entry>),
}

/// What the first entry has made of a trie, for good.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Form {
    #[default]
    Open,
    /// Keys only.
    Set,
    /// Keys with values.
    Map,
}

#[derive(Default)]
struct Data {
    entries: HashSet<ByKey, Hashing>,
    order: Option<Order>,
    form: Form,
    /// Entries made so far.
    births: u64,
    with_variables: usize,
}

impl Data {
    fn get(&self, key: &[u64]) -> Option<&Arc<Entry>> {
        Some(&self.entries.get(key)?.0)
    }
}

/// Tables of so many places keep these.
const FEW: usize = 64;

/// So many entries may come and go while nobody walks over what is in order, and the order be kept.
fn many_changes(entries: usize) -> usize {
    entries / 4 + 64
}

/// See the module text.
pub(crate) struct Trie {
    number: u64,
    data: RwLock<Data>,
    /// How often entries have come, gone or got another value; see [`Trie::changes`].
    changes: AtomicU64,
    /// Changes since the last step of a walk. Counted under the lock; forgotten by walks, which share it.
    unwatched: AtomicUsize,
    /// Set under the lock.
    closed: AtomicBool,
    _charge: Charge,
}

/// What has come of putting an entry into a trie.
pub(crate) enum Put {
    Done {
        node: u64,
    },
    /// The key is there, with a value that is the same and a constant, or in a trie of keys.
    There,
    /// It is there, and cannot be put there once more.
    Taken,
    /// The trie is of the other form.
    OtherForm,
    /// It has been destroyed.
    Closed,
}

/// How an entry is put into a trie.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    Insert,
    /// With a node.
    InsertNamed,
    /// In the place of another one.
    Update,
}

/// How large a trie is.
#[derive(Default)]
pub(crate) struct Sizes {
    pub(crate) values: usize,
    /// Nodes of a tree that has a token a node, numbers and strings being one, and its root.
    pub(crate) nodes: usize,
    /// Those with several children.
    pub(crate) forks: usize,
    pub(crate) bytes: usize,
}

/// What a walk has come to.
pub(crate) struct Batch {
    pub(crate) first: Arc<Entry>,
    /// What comes after it, in words that a heap can keep: see [`Ahead`].
    pub(crate) ahead: Vec<u64>,
}

/// What is ahead of a walk: copies of entries, each to be returned unless the trie has changed since, and then where it goes on, if it does.
///
/// ```text
/// age of the walk, Trie::changes(), entries looked for, items …
/// item   words of the key | words of the value << 32, those of the key, those of its record      an entry
///        words of the key | ONWARD << 32, a place, those of the key                              where it goes on
/// ```
///
/// Entries that are large, or have handles, are not copied: who makes terms of these has to have a share in them.
#[derive(Clone, Copy)]
pub(crate) struct Ahead<'a>(pub(crate) &'a [u64]);

/// An item of [`Ahead`].
#[derive(Clone, Copy)]
pub(crate) enum Item<'a> {
    Entry {
        key: &'a [u64],
        /// None in a trie of keys only.
        value: &'a [u64],
        next: usize,
    },
    Onward(Start<'a>),
}

/// Where the first item is.
pub(crate) const FIRST_ITEM: usize = 3;
const ONWARD: u64 = u32::MAX as u64;

/// An entry that has more words is large.
const LARGE: usize = 64;

impl<'a> Ahead<'a> {
    pub(crate) fn age(self) -> u64 {
        self.0[0]
    }
    pub(crate) fn changes(self) -> u64 {
        self.0[1]
    }
    /// Entries that were looked for.
    pub(crate) fn most(self) -> usize {
        self.0[2] as usize
    }
    /// The item at a place; `None` at the end.
    pub(crate) fn item(self, at: usize) -> Option<Item<'a>> {
        let head = *self.0.get(at)?;
        let (key, value) = (head as u32 as usize, head >> 32);
        let at = at + 1;
        if value == ONWARD {
            return Some(Item::Onward(Start::At {
                key: &self.0[at + 1..at + 1 + key],
                place: self.0[at],
                changes: self.changes(),
            }));
        }
        let next = at + key + value as usize;
        Some(Item::Entry {
            key: &self.0[at..at + key],
            value: &self.0[at + key..next],
            next,
        })
    }
}

/// Where a batch begins.
#[derive(Clone, Copy)]
pub(crate) enum Start<'a> {
    First,
    Key(&'a [u64]),
    /// At a key, which is at this place if the trie has changed so often.
    At {
        key: &'a [u64],
        place: u64,
        changes: u64,
    },
}

impl Trie {
    pub(crate) fn number(&self) -> u64 {
        self.number
    }
    /// Whether it has been destroyed.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }
    pub(crate) fn form(&self) -> Form {
        self.data.read().form
    }
    /// So old is a walk that begins now.
    pub(crate) fn age(&self) -> u64 {
        self.data.read().births
    }
    pub(crate) fn len(&self) -> usize {
        self.data.read().entries.len()
    }
    pub(crate) fn get(&self, key: &[u64]) -> Option<Arc<Entry>> {
        self.data.read().get(key).cloned()
    }
    pub(crate) fn value(&self, key: &[u64]) -> Option<Value> {
        let data = self.data.read();
        let entry = data.get(key)?;
        Some(match &entry.value {
            Some(v) if v.root().is_immediate() && v.root().counted_handle().is_none() => {
                Value::Constant(v.root())
            }
            _ => Value::Of(entry.clone()),
        })
    }
    /// The only entry that a pattern without variables may unify with, if any; `None` if there may be several.
    pub(crate) fn only(&self, pattern: &[u64]) -> Option<Option<Arc<Entry>>> {
        let data = self.data.read();
        (data.with_variables == 0).then(|| data.get(pattern).cloned())
    }
    /// Puts an entry there: a key without value if `value` is `None`.
    pub(crate) fn put(
        &self,
        tries: &Tries,
        tokens: &[u64],
        value: Option<Record>,
        how: How,
    ) -> Result<Put, Refused> {
        let form = match value {
            Some(_) => Form::Map,
            None => Form::Set,
        };
        let mut named = Vec::new();
        if counted::are_any() {
            counted::each_in_words(tokens, |h| named.push(Counted::of(Cell::of_handle(h))));
        }
        let mut entry = Entry {
            key: Key::new(tokens),
            birth: 0,
            node: 0,
            value,
            named: named.into(),
        };
        common::charge(entry.charged());
        let mut data = self.data.write();
        if self.is_closed() {
            return Ok(Put::Closed);
        }
        if data.form != form && data.form != Form::Open {
            return Ok(Put::OtherForm);
        }
        let there = data.get(tokens);
        if let Some(there) = there.filter(|_| how != How::Update) {
            return Ok(match (&there.value, &entry.value) {
                (None, None) => Put::There,
                (Some(a), Some(b)) if a.root().is_immediate() && a == b => Put::There,
                _ => Put::Taken,
            });
        }
        let there = there.map(|there| (there.birth, there.node));
        // (In the place of another one it takes none, but the table does not know beforehand.)
        if !growth::set_room(&mut data.entries, |bytes| common::may_take(bytes, 0)) {
            return Err(Refused);
        }
        if let Some(there) = there {
            (entry.birth, entry.node) = there;
            let entry = Arc::new(entry);
            let unordered = self.count_change(&mut data, false);
            if let Some(order) = &mut data.order {
                order.replace(&entry);
            }
            let replaced = data.entries.replace(ByKey(entry));
            drop(data);
            drop((replaced, unordered));
            return Ok(Put::Done { node: 0 });
        }
        if how == How::InsertNamed {
            entry.node = tries.new_node(self.number, tokens)?;
        }
        let node = entry.node;
        data.form = form;
        data.births += 1;
        entry.birth = data.births;
        data.with_variables += usize::from(has_variables(tokens));
        let entry = Arc::new(entry);
        let is_behind = (data.order.as_ref()).is_some_and(|o| o.is_behind(tokens));
        let mut unordered = self.count_change(&mut data, is_behind);
        if let Some(order) = &mut data.order
            && order.insert(entry.clone()).is_err()
        {
            unordered = data.order.take();
        }
        data.entries.insert(ByKey(entry));
        drop(data);
        drop(unordered);
        Ok(Put::Done { node })
    }
    /// Takes this entry out; false if it is not there any more.
    pub(crate) fn take_out(&self, tries: &Tries, entry: &Arc<Entry>) -> bool {
        let mut data = self.data.write();
        let there = (data.get(entry.words())).is_some_and(|e| Arc::ptr_eq(e, entry));
        if there {
            data.with_variables -= usize::from(has_variables(entry.words()));
            let unordered = self.count_change(&mut data, false);
            if let Some(order) = &mut data.order {
                order.remove(entry);
            }
            let taken = data.entries.take(entry.words());
            let (len, room) = (data.entries.len(), data.entries.capacity());
            if room > FEW && len < room / 8 && common::system_has(room / 4 * size_of::<ByKey>()) {
                data.entries.shrink_to(2 * len);
            }
            if entry.node != 0 {
                tries.nodes.lock().remove(&entry.node);
            }
            drop(data);
            drop((taken, unordered));
        }
        there
    }
    /// How often the trie has changed. Who has found something knows by this, without the lock, that it is still so.
    #[inline]
    pub(crate) fn changes(&self) -> u64 {
        // Acquire: who sees a change sees what had been done before it, and so what he was told of by who made the change.
        self.changes.load(Ordering::Acquire)
    }
    /// Something is about to change: gives up the order if that costs something and nobody looks at it, to be freed without the lock.
    fn count_change(&self, data: &mut Data, is_cheap: bool) -> Option<Order> {
        // (Under the lock.)
        self.changes.fetch_add(1, Ordering::Release);
        let order = data.order.as_ref()?;
        if is_cheap {
            return None;
        }
        let n = self.unwatched.load(Ordering::Relaxed) + 1;
        self.unwatched.store(n, Ordering::Relaxed);
        if n <= many_changes(order.len()) {
            return None;
        }
        data.order.take()
    }
    /// Makes the order if there is none, and says that it is of use.
    fn in_order(&self) -> Result<RwLockReadGuard<'_, Data>, Refused> {
        // Relaxed: whether an order is worth its while is all that depends on it.
        if self.unwatched.load(Ordering::Relaxed) != 0 {
            self.unwatched.store(0, Ordering::Relaxed);
        }
        let data = self.data.read();
        if data.order.is_some() {
            return Ok(data);
        }
        drop(data);
        let mut data = self.data.write();
        if data.order.is_none() {
            let entries = data.entries.iter().map(|e| &e.0);
            data.order = Some(Order::new(data.entries.len(), entries)?);
            self.unwatched.store(0, Ordering::Relaxed);
        }
        Ok(RwLockWriteGuard::downgrade(data))
    }
    /// At most so many entries from a place on that a walk of this age returns for a pattern. `None` if there are none.
    pub(crate) fn batch(
        &self,
        start: Start,
        pattern: &[u64],
        age: u64,
        most: usize,
    ) -> Result<Option<Batch>, Refused> {
        let mut ahead: Vec<u64> = growth::with_room(6 * most)?;
        let data = self.in_order()?;
        let Some(order) = &data.order else {
            return Ok(None);
        };
        let changes = self.changes();
        let beginning = beginning(pattern).filter(|_| data.with_variables == 0);
        let start = match start {
            Start::First => order.from(Place::default(), beginning.unwrap_or_default()),
            Start::At {
                place, changes: n, ..
            } if n == changes => Place::unpacked(place),
            // (A key with variables, which has been taken out, comes before all that begin as the pattern does.)
            Start::Key(key) | Start::At { key, .. } => {
                let key = beginning.map_or(key, |words| key.max(words));
                order.from(Place::default(), key)
            }
        };
        let next = |at| {
            let place = match beginning {
                Some(words) => order.next_beginning(at, words, age),
                None => order.next(at, pattern, age),
            }?;
            Some((place, order.get(place)?))
        };
        let Some((mut at, first)) = next(start) else {
            return Ok(None);
        };
        ahead.extend([age, changes, most as u64]);
        let mut left = most - 1;
        while let Some((place, entry)) = next(order.behind(at)) {
            let (key, value) = (entry.words(), entry.words_of_value());
            if left == 0 || !entry.is_copied() {
                growth::have(&mut ahead, 2 + key.len())?;
                ahead.extend([key.len() as u64 | ONWARD << 32, place.packed()]);
                ahead.extend(key);
                break;
            }
            growth::have(&mut ahead, 1 + key.len() + value.len())?;
            ahead.push(key.len() as u64 | (value.len() as u64) << 32);
            ahead.extend(key);
            ahead.extend(value);
            at = place;
            left -= 1;
        }
        Ok(Some(Batch {
            first: first.clone(),
            ahead,
        }))
    }
    /// Goes over all of it.
    pub(crate) fn sizes(&self) -> Result<Sizes, Refused> {
        let data = self.in_order()?;
        let mut sizes = Sizes {
            values: data.entries.len(),
            nodes: 1,
            forks: 0,
            bytes: BYTES,
        };
        // Where the path of the last key has nodes with several children, deepest last.
        let mut forks: Vec<usize> = Vec::new();
        let mut before: &[u64] = &[];
        for entry in data.order.iter().flat_map(Order::iter) {
            let words = entry.words();
            let (mut shared, mut fresh) = (0, 0);
            let mut at = 0;
            let mut alike = !before.is_empty();
            let end = end_of_term(words, 0);
            while at < end {
                let next = at + extent(words[at]).0;
                alike = alike && before.get(at..next) == Some(&words[at..next]);
                match alike {
                    true => shared = next,
                    false => fresh += 1,
                }
                at = next;
            }
            sizes.nodes += fresh;
            if !before.is_empty() {
                while forks.last().is_some_and(|&f| f > shared) {
                    forks.pop();
                }
                if forks.last() != Some(&shared) {
                    forks.push(shared);
                    sizes.forks += 1;
                }
            }
            before = words;
            sizes.bytes += entry.charged();
        }
        Ok(sizes)
    }
}

/// All tries of a program.
#[derive(Default)]
pub struct Tries {
    table: RwLock<FxHashMap<u64, Arc<Trie>>>,
    /// The trie and the key of an entry, by its node.
    nodes: Mutex<FxHashMap<u64, (u64, Key)>>,
    last_node: AtomicU64,
}

impl HoldsAtoms for Tries {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        for trie in self.table.read().values() {
            for entry in &trie.data.read().entries {
                walked::each_in_words(entry.0.words(), f);
                entry.0.value.each_atom(f);
            }
        }
    }
}

impl Tries {
    /// A new one, with this number.
    pub(crate) fn add(&self, number: u64) -> Result<(), Refused> {
        let mut table = self.table.write();
        if !growth::map_room(&mut table, |bytes| common::may_take(bytes, 0)) {
            return Err(Refused);
        }
        let trie = Trie {
            number,
            data: RwLock::new(Data {
                order: Some(Order::default()),
                ..Data::default()
            }),
            changes: AtomicU64::new(0),
            unwatched: AtomicUsize::new(0),
            closed: AtomicBool::new(false),
            _charge: Charge::new(BYTES),
        };
        table.insert(number, Arc::new(trie));
        Ok(())
    }
    /// Unless it has been destroyed.
    pub(crate) fn get(&self, number: u64) -> Option<Arc<Trie>> {
        self.table.read().get(&number).cloned()
    }
    /// The numbers of all.
    pub(crate) fn numbers(&self) -> Vec<u64> {
        let mut all: Vec<u64> = self.table.read().keys().copied().collect();
        all.sort_unstable();
        all
    }
    /// Takes one out, and frees what is in it; false if somebody else did.
    pub(crate) fn remove(&self, number: u64) -> bool {
        let Some(trie) = self.table.write().remove(&number) else {
            return false;
        };
        let mut data = trie.data.write();
        trie.closed.store(true, Ordering::Release);
        trie.changes.fetch_add(1, Ordering::Release);
        let (entries, order) = (std::mem::take(&mut data.entries), data.order.take());
        let mut nodes = None;
        for entry in entries.iter().filter(|e| e.0.node != 0) {
            (nodes.get_or_insert_with(|| self.nodes.lock())).remove(&entry.0.node);
        }
        drop(nodes);
        drop(data);
        drop((entries, order));
        true
    }
    fn new_node(&self, trie: u64, key: &[u64]) -> Result<u64, Refused> {
        let mut nodes = self.nodes.lock();
        if !growth::map_room(&mut nodes, |bytes| common::may_take(bytes, 0)) {
            return Err(Refused);
        }
        // Relaxed: numbers are different, and nothing else is said by them.
        let node = 1 + self.last_node.fetch_add(1, Ordering::Relaxed);
        nodes.insert(node, (trie, Key::new(key)));
        Ok(node)
    }
    /// The entry of a node, unless it has been taken out.
    pub(crate) fn at_node(&self, node: u64) -> Option<Arc<Entry>> {
        let (number, key) = self.nodes.lock().get(&node)?.clone();
        let entry = self.get(number)?.get(key.words())?;
        (entry.node == node).then_some(entry)
    }
}

#[cfg(test)]
mod tests;
