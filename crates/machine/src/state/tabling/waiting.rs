//! Suspended calls that wait for *one* answer of a more general call: `p(a, b)` while `p(a, _)` is incomplete (`engine/tabling/feeding.rs`).
//!
//! Such a consumer has the answer as its key, and is found by it: buckets lead to chains of consumers, the newest first, by the subgoal and the key. So an answer looks at
//! those who wait for it and at nobody else, and a call that never becomes true takes what is saved of it, its consumer and a word, but no table.
//!
//! ```text
//! a consumer has a key  ⇔  it is in the chain of its bucket, once, until it goes;  chains are in descending order
//! it waits  ⇒  its subgoal has not got the answer                                      (Tabling::verify_waiting)
//! waiting of a subgoal  =  consumers of it that wait for one answer
//! somebody has a key  ⇒  there is room in `ready` for all consumers: to wake needs no memory
//! ```

use super::Tabling;
use super::negation::Wait;
use super::schedule::{Consumer, NONE, give_back};
use rustc_hash::FxHasher;
use samite_term::growth;
use samite_term::walked::each_in_words;
use samite_term::{Atom, Cell, Functor};
use std::hash::Hasher;

/// What the key of a consumer is, its `position`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Key {
    /// It has none.
    None,
    /// The only token of the answer.
    One,
    /// Both tokens, as integers of 32 bits.
    Two,
    /// A hash of the tokens, which are the arguments of its template.
    Many,
}

impl Key {
    /// That of an answer, and its bits.
    pub(crate) fn of(row: &[u64]) -> (Key, u64) {
        let half = |t: u64| t as i32 as u32;
        match *row {
            [a] => (Key::One, a),
            [a, b] if [a, b].iter().all(|&t| widened(half(t)) == t) => {
                (Key::Two, u64::from(half(a)) << 32 | u64::from(half(b)))
            }
            _ => {
                let mut hash = FxHasher::default();
                row.iter().for_each(|&t| hash.write_u64(t));
                (Key::Many, hash.finish())
            }
        }
    }
}

fn widened(half: u32) -> u64 {
    half as i32 as i64 as u64
}

/// The buckets; see the module text.
#[derive(Default)]
pub(crate) struct Waiting {
    buckets: Vec<u32>,
    /// Consumers with a key.
    count: usize,
}

/// Fewest buckets.
const LEAST: usize = if cfg!(debug_assertions) { 2 } else { 64 };

impl Waiting {
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }
    pub(crate) fn bytes(&self) -> usize {
        growth::vec_bytes(&self.buckets)
    }
    fn bucket(&self, subgoal: u32, bits: u64) -> usize {
        let mut hash = FxHasher::default();
        hash.write_u32(subgoal);
        hash.write_u64(bits);
        // (The best bits are above.)
        (hash.finish().rotate_left(26)) as usize & (self.buckets.len() - 1)
    }
    /// A consumer with a key is the newest one of its bucket.
    fn enter(&mut self, number: u32, c: &mut Consumer) {
        let bucket = self.bucket(c.subgoal, c.position);
        c.next = std::mem::replace(&mut self.buckets[bucket], number);
    }
}

/// The tokens of an answer that a consumer waits for.
///
/// # Safety
/// It has a key, and its template is a term of a live heap.
pub(crate) unsafe fn each_token(c: &Consumer, mut f: impl FnMut(u64)) {
    match c.key {
        Key::None => (),
        Key::One => f(c.position),
        Key::Two => {
            f(widened((c.position >> 32) as u32));
            f(widened(c.position as u32));
        }
        Key::Many => {
            // SAFETY: promised by the caller: a structure, as it was made with the key.
            unsafe {
                let t = c.template.ptr();
                let n = Functor::from_cell(*t).arity();
                (1..=n).for_each(|i| f((*t.add(i)).0));
            }
        }
    }
}

impl Tabling {
    /// Room for one more consumer with a key, for whom there is a place among the consumers.
    pub(crate) fn room_to_wait(&mut self, ask: impl Fn(usize) -> bool) -> bool {
        let (count, buckets) = (self.waiting.count, self.waiting.buckets.len());
        if count == buckets {
            let more = buckets.max(LEAST);
            let bytes = (buckets + more) * size_of::<u32>();
            let room = ask(bytes) && growth::have(&mut self.waiting.buckets, more).is_ok();
            if !room {
                return false;
            }
            self.waiting.buckets.clear();
            self.waiting.buckets.resize(buckets + more, NONE);
            for (number, c) in self.consumers.iter_mut().enumerate() {
                if c.key != Key::None {
                    self.waiting.enter(number as u32, c);
                }
            }
        }
        self.has_room_to_wake(1) || self.make_room_to_wake(ask)
    }

    /// Whether all consumers, and so many more, may be ready at once, if any of them can be woken.
    pub(crate) fn has_room_to_wake(&self, more: usize) -> bool {
        self.ready.capacity() >= self.consumers.len() + more
    }

    /// Makes it so for all that there are places for.
    pub(crate) fn make_room_to_wake(&mut self, ask: impl Fn(usize) -> bool) -> bool {
        let all = self.consumers.capacity();
        let more = all.saturating_sub(self.ready.len());
        ask(all * size_of::<u32>()) && growth::have(&mut self.ready, more).is_ok()
    }

    /// The newest consumer waits for the answer of its key; there is [room](Tabling::room_to_wait).
    pub(crate) fn wait_for_answer(&mut self) {
        let number = self.consumers.len() as u32 - 1;
        if let Some(c) = self.consumers.last_mut() {
            self.waiting.enter(number, c);
            self.waiting.count += 1;
            self.stack[c.subgoal as usize].waiting += 1;
        }
    }

    /// The subgoal at `index` has this answer: who waits for it goes on.
    #[inline(never)]
    pub(crate) fn wake(&mut self, index: usize, row: &[u64]) {
        if self.waiting.is_empty() {
            return;
        }
        let (key, bits) = Key::of(row);
        let mut at = self.waiting.buckets[self.waiting.bucket(index as u32, bits)];
        while at != NONE {
            let c = &mut self.consumers[at as usize];
            if c.wait == Wait::Answer
                && c.subgoal as usize == index
                && (c.key, c.position) == (key, bits)
            {
                let mut same = true;
                if key == Key::Many {
                    let mut own = row.iter();
                    // SAFETY: it has a key, and consumers' templates are roots.
                    unsafe { each_token(c, |t| same &= own.next() == Some(&t)) };
                }
                if same {
                    c.wait = Wait::Ready { put_off: false };
                    self.stack[index].waiting -= 1;
                    debug_assert!(self.ready.len() < self.ready.capacity());
                    self.ready.push(at);
                }
            }
            at = c.next;
        }
    }

    /// The same of an answer with variables: a pattern of tokens and, for variables, of references, the same for the same one.
    #[cold]
    pub(crate) fn wake_instances(&mut self, index: usize, pattern: &[u64]) {
        let mut tokens = Vec::new();
        for (at, c) in self.consumers.iter_mut().enumerate() {
            if self.stack[index].waiting == 0 {
                break;
            }
            if c.wait != Wait::Answer || c.subgoal as usize != index {
                continue;
            }
            tokens.clear();
            // SAFETY: as above. (A handful of tokens.)
            unsafe { each_token(c, |t| tokens.push(t)) };
            let first = |a: u64| pattern.iter().position(|&b| a == b);
            let fits = |(&a, &t): (&u64, &u64)| match Cell(a).is_ref() {
                true => first(a).is_some_and(|i| tokens[i] == t),
                false => a == t,
            };
            if pattern.len() == tokens.len() && pattern.iter().zip(&tokens).all(fits) {
                c.wait = Wait::Ready { put_off: false };
                self.stack[index].waiting -= 1;
                self.ready.push(at as u32);
            }
        }
    }

    /// Consumers from `first` on are about to go.
    pub(crate) fn leave_waiting(&mut self, first: usize) {
        if self.waiting.is_empty() {
            return;
        }
        for c in &self.consumers[first..] {
            // (Its subgoal may have gone before it.)
            if c.wait == Wait::Answer
                && let Some(s) = self.stack.get_mut(c.subgoal as usize)
            {
                s.waiting -= 1;
            }
        }
        if first == 0 {
            self.waiting.count = 0;
            self.waiting.buckets.clear();
            give_back(&mut self.waiting.buckets);
            return;
        }
        for (number, c) in self.consumers.iter().enumerate().skip(first).rev() {
            if c.key != Key::None {
                let bucket = self.waiting.bucket(c.subgoal, c.position);
                debug_assert_eq!(self.waiting.buckets[bucket] as usize, number);
                self.waiting.buckets[bucket] = c.next;
                self.waiting.count -= 1;
            }
        }
    }

    /// The atoms in keys.
    pub(crate) fn each_awaited_atom(&self, f: &mut dyn FnMut(Atom)) {
        if self.waiting.is_empty() {
            return;
        }
        for c in &self.consumers {
            // (The collector knows templates.)
            if matches!(c.key, Key::One | Key::Two) {
                // SAFETY: nothing is read of the heap.
                unsafe { each_token(c, |t| each_in_words(&[t], f)) };
            }
        }
    }

    /// Asserts what the module text says.
    pub(crate) fn verify_waiting(&self) {
        let keyed = self.consumers.iter().filter(|c| c.key != Key::None).count();
        assert_eq!(keyed, self.waiting.count);
        assert!(keyed == 0 || self.has_room_to_wake(0));
        let mut chained = 0;
        for &newest in &self.waiting.buckets {
            let mut at = newest;
            while at != NONE {
                let c = &self.consumers[at as usize];
                assert!(c.key != Key::None && (c.next == NONE || c.next < at));
                chained += 1;
                at = c.next;
            }
        }
        assert_eq!(chained, keyed);
        let mut waiting = vec![0; self.stack.len()];
        for c in &self.consumers {
            if c.wait == Wait::Answer {
                waiting[c.subgoal as usize] += 1;
            }
        }
        assert!(self.stack.iter().map(|s| s.waiting).eq(waiting));
    }
}
