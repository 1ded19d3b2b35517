//! Growing tables: who adds to a table that the program makes as large as it likes asks for its growth before it is made.
//!
//! A table that is full doubles, and is there twice while it is copied. Where memory ends that is the largest thing that is asked for at
//! once, so it must not be one of those that cannot be refused (see `samite_heap::address_space`):
//!
//! ```text
//! after vec_room(t, ask) or map_room(t, ask): there is a free place in t, or nothing has changed and the caller refuses
//! ```
//!
//! What an operation makes for its own use while it runs (a list of work, the items of a list, a text) grows by [`push`], [`insert`], [`add`],
//! [`push_text`] and [`with_room`], which ask the system. There are three ways to go on without room, one for each kind of code:
//!
//! ```text
//! a function that returns errors      passes on Refused, or makes it its own error
//! a walk that returns something else  gives up: calls heavy::refuse, and what it returns is looked at by nobody
//! work within heavy::guard            is abandoned (must_push, must_have)
//! ```
//!
//! Less than [`LITTLE`] is not asked for: a message about memory that is missing may need it. `ask` is [`common::may_take`](crate::common::may_take) for what all threads have in common. Much is taken by one thread at a time: two that
//! ask at once would both be told that there is room. From any thread; `ask` must not grow another table.

use crate::{common, heavy};
use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, Hash};
use std::sync::Mutex;

/// Fewer bytes are not asked for.
pub const LITTLE: usize = 16 << 10;

/// From so many bytes on it is much.
pub const MUCH: usize = 1 << 20;

static GROWING: Mutex<()> = Mutex::new(());

/// Makes room for one more entry; false: there is none.
#[inline]
pub fn vec_room<T>(v: &mut Vec<T>, ask: impl FnOnce(usize) -> bool) -> bool {
    v.len() < v.capacity() || grow_vec(v, ask)
}

/// The same for so few more entries.
pub fn vec_room_for<T>(v: &mut Vec<T>, few: usize, ask: impl FnOnce(usize) -> bool) -> bool {
    debug_assert!(few <= 4);
    v.capacity() - v.len() >= few || grow_vec(v, ask)
}

/// The same for so many more elements of a queue.
pub fn deque_have<T>(v: &mut VecDeque<T>, n: usize, ask: impl FnOnce(usize) -> bool) -> bool {
    if v.capacity() - v.len() >= n {
        return true;
    }
    let more = v.capacity().max(4).max(n);
    asking((v.len() + more) * size_of::<T>(), ask, || {
        v.try_reserve(more).is_ok()
    })
}

/// The same for a table of keys.
#[inline]
pub fn map_room<K: Eq + Hash, V, S: BuildHasher>(
    map: &mut HashMap<K, V, S>,
    ask: impl FnOnce(usize) -> bool,
) -> bool {
    map.len() < map.capacity() || grow_map(map, ask)
}

/// The same for a set.
#[inline]
pub fn set_room<K: Eq + Hash, S: BuildHasher>(
    set: &mut HashSet<K, S>,
    ask: impl FnOnce(usize) -> bool,
) -> bool {
    set.len() < set.capacity() || grow_set(set, ask)
}

/// Sets the value of a key; false: there is no room for a new one. `HashMap::insert` alone makes room for one even where
/// the key is there: a full table of old keys would grow without anybody asked.
pub fn map_insert<K: Eq + Hash, V, S: BuildHasher>(
    map: &mut HashMap<K, V, S>,
    key: K,
    value: V,
    ask: impl FnOnce(usize) -> bool,
) -> bool {
    if let Some(old) = map.get_mut(&key) {
        *old = value;
        return true;
    }
    let room = map_room(map, ask);
    if room {
        map.insert(key, value);
    }
    room
}

/// The same for so many bytes more of a text.
#[inline]
pub fn text_room(s: &mut String, n: usize, ask: impl FnOnce(usize) -> bool) -> bool {
    s.capacity() - s.len() >= n || grow_text(s, n, ask)
}

#[cold]
fn grow_text(s: &mut String, n: usize, ask: impl FnOnce(usize) -> bool) -> bool {
    let more = n.max(s.len());
    asking(s.len() + more, ask, || s.try_reserve_exact(more).is_ok())
}

#[cold]
fn grow_vec<T>(v: &mut Vec<T>, ask: impl FnOnce(usize) -> bool) -> bool {
    let more = v.len().max(4);
    asking((v.len() + more) * size_of::<T>(), ask, || {
        v.try_reserve_exact(more).is_ok()
    })
}

#[cold]
fn grow_map<K: Eq + Hash, V, S: BuildHasher>(
    map: &mut HashMap<K, V, S>,
    ask: impl FnOnce(usize) -> bool,
) -> bool {
    let more = map.capacity().max(3);
    let bytes = (map.len() + more) * place::<K, V>();
    asking(bytes, ask, || map.try_reserve(more).is_ok())
}

/// Takes `bytes` if there is room for them: also for what is made at once in the size that a program wants.
#[inline]
pub fn asking(bytes: usize, ask: impl FnOnce(usize) -> bool, take: impl FnOnce() -> bool) -> bool {
    if bytes < LITTLE {
        take()
    } else {
        asking_for_more(bytes, ask, take)
    }
}

#[inline(never)]
fn asking_for_more(
    bytes: usize,
    ask: impl FnOnce(usize) -> bool,
    take: impl FnOnce() -> bool,
) -> bool {
    let _alone = (bytes >= MUCH).then(|| GROWING.lock().unwrap_or_else(|e| e.into_inner()));
    ask(bytes) && take()
}

#[cold]
fn grow_set<K: Eq + Hash, S: BuildHasher>(
    set: &mut HashSet<K, S>,
    ask: impl FnOnce(usize) -> bool,
) -> bool {
    let more = set.capacity().max(3);
    let bytes = (set.len() + more) * place::<K, ()>();
    asking(bytes, ask, || set.try_reserve(more).is_ok())
}

/// There is no room.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refused;

fn granted(room: bool) -> Result<(), Refused> {
    if room { Ok(()) } else { Err(Refused) }
}

/// Adds to a list.
#[inline]
pub fn push<T>(v: &mut Vec<T>, x: T) -> Result<(), Refused> {
    if v.len() == v.capacity() && !grow_vec(v, common::system_has) {
        return Err(Refused);
    }
    v.push(x);
    Ok(())
}

/// Sets the value of a key; the one that it had.
#[inline]
pub fn insert<K: Eq + Hash, V, S: BuildHasher>(
    map: &mut HashMap<K, V, S>,
    key: K,
    value: V,
) -> Result<Option<V>, Refused> {
    granted(map_room(map, common::system_has))?;
    Ok(map.insert(key, value))
}

/// Adds to a set; whether it is new.
#[inline]
pub fn add<K: Eq + Hash, S: BuildHasher>(set: &mut HashSet<K, S>, key: K) -> Result<bool, Refused> {
    granted(set_room(set, common::system_has))?;
    Ok(set.insert(key))
}

/// Room for so many more in a set.
pub fn set_have<K: Eq + Hash, S: BuildHasher>(
    set: &mut HashSet<K, S>,
    n: usize,
) -> Result<(), Refused> {
    if set.capacity() - set.len() >= n {
        return Ok(());
    }
    let more = n.max(set.len());
    let bytes = (set.len() + more).saturating_mul(place::<K, ()>());
    granted(asking(bytes, common::system_has, || {
        set.try_reserve(more).is_ok()
    }))
}

/// The same in a map.
pub fn map_have<K: Eq + Hash, V, S: BuildHasher>(
    map: &mut HashMap<K, V, S>,
    n: usize,
) -> Result<(), Refused> {
    if map.capacity() - map.len() >= n {
        return Ok(());
    }
    let more = n.max(map.len());
    let bytes = (map.len() + more).saturating_mul(place::<K, V>());
    granted(asking(bytes, common::system_has, || {
        map.try_reserve(more).is_ok()
    }))
}

/// Adds to a text.
#[inline]
pub fn push_text(s: &mut String, more: &str) -> Result<(), Refused> {
    granted(text_room(s, more.len(), common::system_has))?;
    s.push_str(more);
    Ok(())
}

/// Adds a character to a text.
#[inline]
pub fn push_char(s: &mut String, c: char) -> Result<(), Refused> {
    granted(text_room(s, c.len_utf8(), common::system_has))?;
    s.push(c);
    Ok(())
}

/// Room for so many more.
#[inline]
pub fn have<T>(v: &mut Vec<T>, n: usize) -> Result<(), Refused> {
    granted(v.capacity() - v.len() >= n || have_more(v, n))
}

#[cold]
fn have_more<T>(v: &mut Vec<T>, n: usize) -> bool {
    let more = n.max(v.len());
    let bytes = v.len().saturating_add(more).saturating_mul(size_of::<T>());
    asking(bytes, common::system_has, || {
        v.try_reserve_exact(more).is_ok()
    })
}

/// Small pieces of which a program wants so many that together they have that size.
pub fn asked(bytes: usize) -> Result<(), Refused> {
    granted(asking(bytes, common::system_has, || true))
}

/// An empty list with room for `n`.
pub fn with_room<T>(n: usize) -> Result<Vec<T>, Refused> {
    let mut v = Vec::new();
    have(&mut v, n)?;
    Ok(v)
}

/// An empty text with room for `n` bytes.
#[inline]
pub fn text_with_room(n: usize) -> Result<String, Refused> {
    let mut s = String::new();
    granted(text_room(&mut s, n, common::system_has))?;
    Ok(s)
}

/// A list of what there is.
pub fn list<T>(items: impl IntoIterator<Item = T>) -> Result<Vec<T>, Refused> {
    let items = items.into_iter();
    let mut v = with_room(items.size_hint().0)?;
    for item in items {
        push(&mut v, item)?;
    }
    Ok(v)
}

/// A copy of a text.
pub fn text(of: &str) -> Result<String, Refused> {
    let mut s = String::new();
    push_text(&mut s, of)?;
    Ok(s)
}

/// Adds to a list, or abandons the work ([`heavy::guard`]). Outside of a guard there are small lists only.
#[inline]
pub fn must_push<T>(v: &mut Vec<T>, x: T) {
    if v.len() == v.capacity() {
        must(vec_room(v, common::system_has));
    }
    v.push(x);
}

/// Room for so many more, or abandons the work.
#[inline]
pub fn must_have<T>(v: &mut Vec<T>, n: usize) {
    must(have(v, n).is_ok());
}

/// Abandons the work if it was refused room.
#[inline]
pub fn must(room: bool) {
    if !room && heavy::is_guarded() {
        heavy::abandon();
    }
}

/// Bytes of a place in a table of keys, with its share of those that stay free.
const fn place<K, V>() -> usize {
    (size_of::<(K, V)>() + 1) * 8 / 7
}

/// Bytes that the places of a vector take.
pub fn vec_bytes<T>(v: &Vec<T>) -> usize {
    v.capacity() * size_of::<T>()
}

/// Bytes that the places of a table of keys take.
pub fn map_bytes<K, V, S>(map: &HashMap<K, V, S>) -> usize {
    map.capacity() * place::<K, V>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_refused_stays_as_it_was() {
        let (mut v, mut map) = (Vec::new(), HashMap::new());
        let mut asked = (0, 0);
        for i in 0..10_000u64 {
            let ask = |n: &mut usize, bytes| {
                *n += 1;
                assert!(bytes > i as usize * 8);
                true
            };
            assert!(vec_room(&mut v, |b| ask(&mut asked.0, b)));
            v.push(i);
            assert!(map_room(&mut map, |b| ask(&mut asked.1, b)));
            map.insert(i, i);
        }
        assert!(
            (1..8).contains(&asked.0) && (1..8).contains(&asked.1),
            "{asked:?}"
        );
        v.shrink_to_fit();
        map.shrink_to_fit();
        while map.len() < map.capacity() {
            map.insert(map.len() as u64, 0);
        }
        let (before, keys) = (v.capacity(), map.capacity());
        assert!(!vec_room(&mut v, |_| false) && !map_room(&mut map, |_| false));
        for key in [0, 9, 5_000] {
            assert!(map_insert(&mut map, key, 7, |_| false));
            assert_eq!(map[&key], 7);
        }
        assert!(!map_insert(&mut map, u64::MAX, 7, |_| false));
        assert_eq!((v.capacity(), map.capacity()), (before, keys));
    }
}
