//! The tries of a program by number, which is that of their handles: terms stored under keys that are terms, variants of each other being one key.
//!
//! A key is the sequence of its tokens ([`super::tokens`]), and a trie the entries in the order of these, so that those whose keys begin alike are neighbours: who
//! looks for what unifies with a pattern goes from one place where that may be to the next one ([`fits`]) and not over what lies between.
//!
//! Invariants:
//! 1. Each entry has a birth, a number of the trie's: a walk returns no entry younger than itself, and none twice, as its place only goes up. An entry that is
//!    taken out meanwhile is not returned any more. One that gets another value stays as old as it is.
//! 2. An entry is immutable, and counted for the handles in its key ([`Counted`]); its value is a record, which does so itself. Who has taken it out of the lock has it
//!    all, whatever becomes of the trie.
//! 3. `nodes` has exactly the entries with a node of tries that are not closed. It is changed under the lock of the trie.
//! 4. A trie that is out of the table is closed: nothing is put into it.
//! 5. Lock order: the table, a trie, `nodes`. None is held while a term is made or looked at, nor is anything freed but nodes of an ordered table.
//!
//! A handle is counted ([`samite_term::counted`]): when nobody can name a trie any more it goes. Tries that are in each other stay.

use super::tokens::{count_of_variables, end_of_term, extent, is_variable, variable_token};
use parking_lot::{Mutex, RwLock};
use rustc_hash::FxHashMap;
use samite_term::common::{self, Charge};
use samite_term::counted::{self, Counted};
use samite_term::growth::{self, Refused};
use samite_term::{Atom, Cell, HoldsAtoms, Record, walked};
use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes that a trie takes, about, with its place and its handle's.
pub(crate) const BYTES: usize = 320;

/// Bytes that a node of an entry takes.
pub(crate) const NODE: usize = 2 * size_of::<(u64, (u64, Key))>();

/// So many words of a key are where it is compared.
const FIRST: usize = 3;

/// A sequence of tokens, or the beginning of one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Key {
    /// The first ones, and zeros if there are no more. (Of two sequences that are different neither is the beginning of the other, so these are never what
    /// decides; and before them is what begins as they do.)
    first: [u64; FIRST],
    /// All of them, if there are more.
    all: Box<[u64]>,
}

impl Key {
    pub(crate) fn new(tokens: &[u64]) -> Key {
        let mut first = [0; FIRST];
        let n = tokens.len().min(FIRST);
        first[..n].copy_from_slice(&tokens[..n]);
        Key {
            first,
            all: if tokens.len() > FIRST {
                tokens.into()
            } else {
                Box::default()
            },
        }
    }
    /// The tokens; behind those of a short one there may be zeros.
    pub(crate) fn words(&self) -> &[u64] {
        if self.all.is_empty() {
            &self.first
        } else {
            &self.all
        }
    }
    /// Bytes that an entry with such a key takes beside its value.
    pub(crate) fn bytes_of_entry(tokens: &[u64]) -> usize {
        let apart = if tokens.len() > FIRST {
            8 * tokens.len() + 16
        } else {
            0
        };
        2 * size_of::<(Key, Arc<Entry>)>() + size_of::<Entry>() + 32 + apart
    }
}

/// What is stored under a key.
pub(crate) struct Entry {
    birth: u64,
    /// What a program has as its address, or 0.
    node: u64,
    /// `None` in a trie of keys only.
    pub(crate) value: Option<Record>,
    _named: Vec<Counted>,
    _charge: Charge,
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
    entries: BTreeMap<Key, Arc<Entry>>,
    form: Form,
    /// Entries made so far.
    births: u64,
    closed: bool,
}

/// See the module text.
pub(crate) struct Trie {
    number: u64,
    data: RwLock<Data>,
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

/// An entry that a walk has come to, and where it goes on, unless that is the end.
pub(crate) struct Found {
    pub(crate) key: Key,
    pub(crate) entry: Arc<Entry>,
    pub(crate) next: Option<Key>,
}

impl Trie {
    pub(crate) fn number(&self) -> u64 {
        self.number
    }
    pub(crate) fn form(&self) -> Form {
        self.data.read().form
    }
    /// So old is a walk that begins now.
    pub(crate) fn age(&self) -> u64 {
        self.data.read().births
    }
    pub(crate) fn get(&self, key: &Key) -> Option<Arc<Entry>> {
        self.data.read().entries.get(key).cloned()
    }
    /// Puts an entry there: a key without value if `value` is `None`.
    pub(crate) fn put(
        &self,
        tries: &Tries,
        tokens: &[u64],
        value: Option<Record>,
        how: How,
    ) -> Result<Put, Refused> {
        let key = Key::new(tokens);
        let form = match value {
            Some(_) => Form::Map,
            None => Form::Set,
        };
        let mut named = Vec::new();
        if counted::are_any() {
            counted::each_in_words(tokens, |h| named.push(Counted::of(Cell::of_handle(h))));
        }
        let bytes = Key::bytes_of_entry(tokens) + value.as_ref().map_or(0, |v| 8 * v.len());
        let mut entry = Entry {
            birth: 0,
            node: 0,
            value,
            _named: named,
            _charge: Charge::new(bytes),
        };
        // (Freed without the lock.)
        let mut replaced = None;
        let mut data = self.data.write();
        if data.closed {
            return Ok(Put::Closed);
        }
        if data.form != form && data.form != Form::Open {
            return Ok(Put::OtherForm);
        }
        if let Some(there) = data.entries.get_mut(&key) {
            if how != How::Update {
                return Ok(match (&there.value, &entry.value) {
                    (None, None) => Put::There,
                    (Some(a), Some(b)) if a.root().is_immediate() && a == b => Put::There,
                    _ => Put::Taken,
                });
            }
            (entry.birth, entry.node) = (there.birth, there.node);
            replaced = Some(std::mem::replace(there, Arc::new(entry)));
            drop(data);
            drop(replaced);
            return Ok(Put::Done { node: 0 });
        }
        if how == How::InsertNamed {
            entry.node = tries.new_node(self.number, &key)?;
        }
        let node = entry.node;
        data.form = form;
        data.births += 1;
        entry.birth = data.births;
        data.entries.insert(key, Arc::new(entry));
        drop(data);
        drop(replaced);
        Ok(Put::Done { node })
    }
    /// Takes this entry out; false if it is not there any more.
    pub(crate) fn take_out(&self, tries: &Tries, key: &Key, entry: &Arc<Entry>) -> bool {
        let mut data = self.data.write();
        let there = data.entries.get(key).is_some_and(|e| Arc::ptr_eq(e, entry));
        if there {
            let taken = data.entries.remove(key);
            if entry.node != 0 {
                tries.nodes.lock().remove(&entry.node);
            }
            drop(data);
            drop(taken);
        }
        there
    }
    /// The first entry from a place on that a walk of this age may return for a pattern, and where the next one is.
    pub(crate) fn next(&self, from: Option<Key>, pattern: &[u64], age: u64) -> Option<Found> {
        let data = self.data.read();
        let (mut from, mut found) = (from, None);
        loop {
            let from_here = from.as_ref().map_or(Bound::Unbounded, Bound::Included);
            let mut rest = data.entries.range((from_here, Bound::Unbounded));
            let place = loop {
                let Some((key, entry)) = rest.next() else {
                    return found;
                };
                match (fits(pattern, key.words()), &mut found) {
                    (Err(place), _) => break place,
                    (Ok(()), _) if entry.birth > age => (),
                    (Ok(()), None) => {
                        found = Some(Found {
                            key: key.clone(),
                            entry: entry.clone(),
                            next: None,
                        });
                    }
                    (Ok(()), Some(first)) => {
                        first.next = Some(key.clone());
                        return found;
                    }
                }
            };
            from = Some(place);
        }
    }
    /// Goes over all of it.
    pub(crate) fn sizes(&self) -> Sizes {
        let data = self.data.read();
        let mut sizes = Sizes {
            values: data.entries.len(),
            nodes: 1,
            forks: 0,
            bytes: BYTES,
        };
        // Where the path of the last key has nodes with several children, deepest last.
        let mut forks: Vec<usize> = Vec::new();
        let mut before: &[u64] = &[];
        for (key, entry) in &data.entries {
            let words = key.words();
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
            let value = entry.value.as_ref().map_or(0, |v| 8 * v.len());
            sizes.bytes += Key::bytes_of_entry(&words[..end]) + value;
        }
        sizes
    }
}

/// Whether a key may unify with a pattern, as far as that is seen without bindings: a variable of either stands for anything. If not, the first place behind it where one
/// that does may be.
fn fits(pattern: &[u64], key: &[u64]) -> Result<(), Key> {
    let (mut p, mut k) = (0, 0);
    while p < pattern.len() {
        if is_variable(Cell(pattern[p])) {
            p += 1;
            k = end_of_term(key, k);
        } else if is_variable(Cell(key[k])) {
            k += 1;
            p = end_of_term(pattern, p);
        } else {
            let wanted = &pattern[p..p + extent(pattern[p]).0];
            let found = &key[k..k + extent(key[k]).0];
            if wanted != found {
                return Err(place_behind(&key[..k], found, wanted));
            }
            p += wanted.len();
            k += found.len();
        }
    }
    Ok(())
}

/// The first place behind `found`, of what begins as `before`, where `wanted` or a variable is; or else behind all that begins so.
#[cold]
fn place_behind(before: &[u64], found: &[u64], wanted: &[u64]) -> Key {
    // The variables there are numbered from 0, and the next one has the next number.
    let variables = count_of_variables(before);
    let from = (found[0] >> 8) as usize;
    let number = if variable_token(from) > found[0] {
        from
    } else {
        from + 1
    };
    let variable = [variable_token(number)];
    let variable = (number <= variables).then_some(&variable[..]);
    let wanted = Some(wanted).filter(|&w| w > found);
    // (No token is this.)
    let end = [u64::MAX];
    let next = [variable, wanted].into_iter().flatten().min();
    Key::new(&[before, next.unwrap_or(&end)].concat())
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
            for (key, entry) in &trie.data.read().entries {
                walked::each_in_words(key.words(), f);
                entry.value.each_atom(f);
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
            data: RwLock::default(),
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
        data.closed = true;
        let entries = std::mem::take(&mut data.entries);
        let mut nodes = None;
        for entry in entries.values().filter(|e| e.node != 0) {
            (nodes.get_or_insert_with(|| self.nodes.lock())).remove(&entry.node);
        }
        drop(nodes);
        drop(data);
        drop(entries);
        true
    }
    fn new_node(&self, trie: u64, key: &Key) -> Result<u64, Refused> {
        let mut nodes = self.nodes.lock();
        if !growth::map_room(&mut nodes, |bytes| common::may_take(bytes, 0)) {
            return Err(Refused);
        }
        // Relaxed: numbers are different, and nothing else is said by them.
        let node = 1 + self.last_node.fetch_add(1, Ordering::Relaxed);
        nodes.insert(node, (trie, key.clone()));
        Ok(node)
    }
    /// The key and the entry of a node, unless the entry has been taken out.
    pub(crate) fn at_node(&self, node: u64) -> Option<(Key, Arc<Entry>)> {
        let (number, key) = self.nodes.lock().get(&node)?.clone();
        let entry = self.get(number)?.get(&key)?;
        (entry.node == node).then_some((key, entry))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use samite_term::{Functor, Kind};

    fn f(arity: usize) -> u64 {
        Functor::new(Atom::new("tries_f"), arity).bits()
    }
    fn n(i: i64) -> u64 {
        Cell::small(i).0
    }
    fn v(i: usize) -> u64 {
        variable_token(i)
    }
    fn float(x: f64) -> [u64; 2] {
        [Cell::header(Kind::Float, 0).0, x.to_bits()]
    }

    /// All terms of some depth, as tokens whose variables are numbered anew.
    fn terms() -> Vec<Vec<u64>> {
        let leaves: Vec<Vec<u64>> = vec![
            vec![n(-1)],
            vec![n(0)],
            vec![n(7)],
            vec![Cell::NIL.0],
            float(0.0).to_vec(),
            float(1.5).to_vec(),
            vec![v(0)],
            vec![v(1)],
        ];
        let mut all = leaves.clone();
        for a in &leaves {
            all.push([&[f(1)][..], a].concat());
            for b in &leaves {
                all.push([&[f(2)][..], a, b].concat());
                all.push([&[super::super::tokens::LIST, f(1)][..], a, b].concat());
            }
        }
        let mut all: Vec<_> = all.into_iter().map(renumbered).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn renumbered(tokens: Vec<u64>) -> Vec<u64> {
        let mut seen: Vec<u64> = Vec::new();
        let mut out = tokens.clone();
        let mut at = 0;
        while at < out.len() {
            let words = extent(out[at]).0;
            if is_variable(Cell(out[at])) {
                let i = seen.iter().position(|&s| s == out[at]).unwrap_or_else(|| {
                    seen.push(out[at]);
                    seen.len() - 1
                });
                out[at] = v(i);
            }
            at += words;
        }
        out
    }

    /// Whether they unify, each variable being another one.
    fn alike(a: &[u64], b: &[u64], i: &mut usize, j: &mut usize) -> bool {
        if is_variable(Cell(a[*i])) || is_variable(Cell(b[*j])) {
            (*i, *j) = (end_of_term(a, *i), end_of_term(b, *j));
            return true;
        }
        let (words, arguments) = extent(a[*i]);
        if b.get(*j..*j + words) != Some(&a[*i..*i + words]) {
            return false;
        }
        (*i, *j) = (*i + words, *j + words);
        (0..arguments).all(|_| alike(a, b, i, j))
    }

    #[test]
    fn a_walk_finds_what_unifies_in_few_steps() {
        let tries = Tries::default();
        tries.add(1).unwrap();
        let trie = tries.get(1).unwrap();
        let all = terms();
        for t in &all {
            assert!(matches!(
                trie.put(&tries, t, None, How::Insert),
                Ok(Put::Done { .. })
            ));
            assert!(matches!(
                trie.put(&tries, t, None, How::Insert),
                Ok(Put::There)
            ));
        }
        for pattern in &all {
            let mut found = Vec::new();
            let mut from = None;
            while let Some(f) = trie.next(from, pattern, trie.age()) {
                found.push(f.key);
                from = f.next;
                if from.is_none() {
                    break;
                }
            }
            let wanted: Vec<Key> = (all.iter())
                .filter(|t| alike(pattern, t, &mut 0, &mut 0))
                .map(|t| Key::new(t))
                .collect();
            let mut wanted = wanted;
            wanted.sort_unstable();
            assert_eq!(found, wanted, "{pattern:x?}");
        }
    }

    #[test]
    fn nodes_and_forks_are_those_of_a_tree() {
        let tries = Tries::default();
        tries.add(1).unwrap();
        let trie = tries.get(1).unwrap();
        for t in [
            &[n(1)][..],
            &[f(2), n(1), n(2)],
            &[f(2), n(1), n(3)],
            &[f(2), v(0), v(0)],
            &[&[f(1)][..], &float(0.5)].concat(),
        ] {
            let _ = trie.put(&tries, t, None, How::Insert);
        }
        let sizes = trie.sizes();
        assert_eq!((sizes.values, sizes.nodes, sizes.forks), (5, 10, 3));
    }

    #[test]
    fn what_is_younger_than_a_walk_is_not_met() {
        let tries = Tries::default();
        tries.add(1).unwrap();
        let trie = tries.get(1).unwrap();
        for i in [1, 3] {
            let _ = trie.put(&tries, &[n(i)], None, How::Insert);
        }
        let age = trie.age();
        let _ = trie.put(&tries, &[n(2)], None, How::Insert);
        let first = trie.next(None, &[v(0)], age).unwrap();
        assert_eq!(first.next, Some(Key::new(&[n(3)])));
        let entry = trie.get(&Key::new(&[n(3)])).unwrap();
        assert!(trie.take_out(&tries, &Key::new(&[n(3)]), &entry));
        assert!(trie.next(first.next.clone(), &[v(0)], age).is_none());
        assert!(tries.remove(1) && !tries.remove(1));
        assert!(matches!(
            trie.put(&tries, &[n(5)], None, How::Insert),
            Ok(Put::Closed)
        ));
    }
}
