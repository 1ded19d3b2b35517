//! Whether a table has an answer already, where answers are [rows](crate::rows).
//!
//! ```text
//! Few     at most LINEAR rows: compared one by one
//! Hashed  slots: 0, or the upper half of the hash and the number of the row + 1; open addressing, linear probing; rows ≤ ¾ · slots
//! Dense   one bit for each pair of values in a rectangle (of each value in an interval, if rows have one token): set for the rows that there are
//! ```
//!
//! *Dense* is for integers, or atoms, one after another: it takes a bit where a slot takes 64, and neighbouring answers are in one line of the cache. A table becomes dense when its slots would
//! have to double and the rectangle takes at most [`ENTER`] bytes a row, and is hashed again when a row outside would make it larger than [`STAY`] bytes a row: so what a change costs is
//! paid for by the rows that came since the last one.
//!
//! Source: open addressing, Knuth, The Art of Computer Programming 3, 6.4; folded multiplication for hashing as in wyhash (Wang Yi).
//! Called by [`crate::rows`] only.

use crate::alloc::{MIN_BUCKETS, StructAlloc};
use crate::rows::{View, array, free_array, is_narrow};
use crate::whole::All;
use samite_term::cell::{TAG_MASK, Tag};
use samite_term::growth::Refused;
use std::ptr::null_mut;

/// Rows that are compared one by one.
const LINEAR: usize = if cfg!(any(test, miri)) { 3 } else { 8 };
/// Bytes a row for which a table becomes dense.
const ENTER: usize = 8;
/// Bytes a row up to which it stays so.
const STAY: usize = 16;
/// Most tokens of a row in a rectangle.
pub(crate) const SIDES: usize = 2;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
enum Kind {
    Few,
    Hashed,
    Dense,
}

/// See the module text.
#[repr(C)]
pub(crate) struct Seen {
    table: *mut u64,
    dense: Rectangle,
    kind: Kind,
    /// Logarithm of the number of words, unless there is no table.
    log_words: u8,
}

/// Pairs of tokens (one token, if the second size is 1).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rectangle {
    /// The tokens that have the value 0.
    base: [u64; SIDES],
    size: [u32; SIDES],
    /// Bits of a token below its value.
    shift: [u8; SIDES],
}

impl Rectangle {
    const NOTHING: Rectangle = Rectangle {
        base: [0; SIDES],
        size: [1; SIDES],
        shift: [0; SIDES],
    };

    /// The bit of a row, unless it is outside.
    #[inline]
    pub(crate) fn bit(&self, tokens: &[u64]) -> Option<usize> {
        let mut bit = 0;
        for ((&t, &base), (&size, &shift)) in
            (tokens.iter().zip(&self.base)).zip(self.size.iter().zip(&self.shift))
        {
            // What is no multiple apart has its remainder in the highest bits.
            let value = t.wrapping_sub(base).rotate_right(u32::from(shift));
            if value >= u64::from(size) {
                return None;
            }
            bit = bit * size as usize + value as usize;
        }
        Some(bit)
    }

    /// By what bits are multiplied, for the value of the first token to be the upper half; 0: it is the bit.
    ///
    /// `r = ⌊2⁶⁴ / n⌋ + 1` gives `⌊b·r / 2⁶⁴⌋ = ⌊b / n⌋` where `b·n < 2⁶⁴` (Granlund and Montgomery, Division by Invariant Integers using Multiplication, PLDI 1994).
    pub(crate) fn reciprocal(&self) -> u64 {
        match u64::from(self.size[1]) {
            1 => 0,
            n => ((1 << 64) / u128::from(n)) as u64 + 1,
        }
    }

    /// Whether its tokens are atoms, on any side.
    pub(crate) fn has_atoms(&self) -> bool {
        self.base.iter().any(|&b| b & TAG_MASK == Tag::Con as u64)
    }

    /// Words for all bits, a power of two.
    pub(crate) fn words(&self) -> usize {
        let bits = u64::from(self.size[0]) * u64::from(self.size[1]);
        (bits.div_ceil(64) as usize)
            .next_power_of_two()
            .max(MIN_BUCKETS)
    }

    /// The smallest one with these rows and one more, if all are narrow integers or atoms.
    pub(crate) fn around(view: &View, count: usize, tokens: &[u64]) -> Option<Rectangle> {
        if view.wide {
            return None;
        }
        Rectangle::about(count, tokens, |i, k| view.token(i, k))
    }

    /// The same, where `token` says what there is.
    pub(crate) fn about(
        count: usize,
        tokens: &[u64],
        token: impl Fn(usize, usize) -> u64,
    ) -> Option<Rectangle> {
        if tokens.len() > SIDES || !tokens.iter().all(|&t| is_narrow(t)) {
            return None;
        }
        let mut r = Rectangle::NOTHING;
        for (k, &t) in tokens.iter().enumerate() {
            let shift = match t & TAG_MASK {
                tag if tag == Tag::Int as u64 => 3,
                tag if tag == Tag::Con as u64 => 8,
                _ => return None,
            };
            let low = (1 << shift) - 1;
            let (mut least, mut most) = (t as i64, t as i64);
            for i in 0..count {
                let other = token(i, k);
                if (other ^ t) & low != 0 {
                    return None;
                }
                least = least.min(other as i64);
                most = most.max(other as i64);
            }
            r.base[k] = least as u64;
            r.shift[k] = shift as u8;
            r.size[k] = u32::try_from((most - least) >> shift)
                .ok()?
                .checked_add(1)?;
        }
        Some(r)
    }

    /// One with this row too, and room for more where that made it grow.
    pub(crate) fn with(mut self, tokens: &[u64]) -> Option<Rectangle> {
        for (k, &t) in tokens.iter().enumerate() {
            let apart = t.wrapping_sub(self.base[k]) as i64;
            if apart & ((1 << self.shift[k]) - 1) != 0 || !is_narrow(t) {
                return None;
            }
            let value = apart >> self.shift[k];
            let size = i64::from(self.size[k]);
            let below = if value < 0 { size / 2 - value } else { 0 };
            let above = if value >= size {
                value + 1 + size / 2 - size
            } else {
                0
            };
            self.base[k] = self.base[k].wrapping_sub((below << self.shift[k]) as u64);
            self.size[k] = u32::try_from(size + below + above).ok()?;
        }
        Some(self)
    }

    /// One that is larger on all sides, of at least so many values in each of the first `sides`.
    pub(crate) fn padded(mut self, sides: usize, least: u32) -> Option<Rectangle> {
        for k in 0..sides {
            let size = self.size[k].saturating_add(self.size[k] / 2).max(least);
            let below = (size - self.size[k]) / 2;
            self.base[k] = self.base[k].wrapping_sub(u64::from(below) << self.shift[k]);
            self.size[k] = size;
        }
        // (Far more than anybody takes.)
        (u64::from(self.size[0]) * u64::from(self.size[1]) < 1 << 40).then_some(self)
    }
}

#[inline]
fn hash(tokens: &[u64]) -> u64 {
    hash_from(0xd6e8_feb8_6659_fd93, tokens)
}

/// A hash that is another one for another seed.
#[inline]
pub(crate) fn hash_from(seed: u64, tokens: &[u64]) -> u64 {
    const A: u64 = 0x9e37_79b9_7f4a_7c15;
    const B: u64 = 0xd6e8_feb8_6659_fd93;
    let mut h = seed;
    for &t in tokens {
        let product = u128::from(h ^ t) * u128::from(A);
        h = (product >> 64) as u64 ^ product as u64;
    }
    let product = u128::from(h ^ B) * u128::from(A);
    (product >> 64) as u64 ^ product as u64
}

/// The rows of a rectangle, by their bits. It is used as long as what it was made of is there.
#[derive(Clone, Copy)]
pub(crate) struct Bits {
    table: *const u64,
    words: usize,
    rectangle: *const Rectangle,
    /// That of the rectangle.
    reciprocal: u64,
}

impl Bits {
    /// # Safety
    /// The table has so many words and bits of no other rows, and none of both changes as long as this is used.
    #[inline(always)]
    pub(crate) unsafe fn new(
        (table, words): (*const u64, usize),
        rectangle: &Rectangle,
        reciprocal: u64,
    ) -> Bits {
        Bits {
            table,
            words,
            rectangle,
            reciprocal,
        }
    }
    /// The tokens of the row that has this bit; one that it has not is 0.
    #[inline(always)]
    pub(crate) fn tokens(&self, bit: usize) -> [u64; SIDES] {
        let r = self.rectangle();
        let by = r.size[1] as usize;
        let first = if self.reciprocal == 0 {
            bit
        } else if bit <= u32::MAX as usize {
            ((u128::from(self.reciprocal) * bit as u128) >> 64) as usize
        } else {
            bit / by
        };
        let of = |k: usize, value: usize| r.base[k].wrapping_add((value as u64) << r.shift[k]);
        [of(0, first), of(1, bit - first * by)]
    }
    pub(crate) fn reciprocal(&self) -> u64 {
        self.reciprocal
    }
    #[inline]
    pub(crate) fn rectangle(&self) -> &Rectangle {
        // SAFETY: promised to `new`.
        unsafe { &*self.rectangle }
    }
    pub(crate) fn table(&self) -> &[u64] {
        // SAFETY: promised to `new`.
        unsafe { std::slice::from_raw_parts(self.table, self.words) }
    }
    /// The same for `bit`, which comes so much behind another one that has these.
    #[inline]
    pub(crate) fn tokens_after(
        &self,
        mut before: [u64; SIDES],
        apart: usize,
        bit: usize,
    ) -> [u64; SIDES] {
        if self.reciprocal == 0 {
            before[0] = before[0].wrapping_add((apart as u64) << self.rectangle().shift[0]);
            return before;
        }
        self.tokens(bit)
    }
    /// The first row from this bit on.
    #[inline(always)]
    pub(crate) fn next(&self, from: usize) -> Option<usize> {
        let mut at = from / 64;
        if at >= self.words {
            return None;
        }
        // SAFETY: promised to `new`; the word is one of these.
        let mut word = unsafe { self.table.add(at).read() } & !0 << (from % 64);
        while word == 0 {
            at += 1;
            if at == self.words {
                return None;
            }
            // SAFETY: as above.
            word = unsafe { self.table.add(at).read() };
        }
        Some(at * 64 + word.trailing_zeros() as usize)
    }
    /// The last one.
    pub(crate) fn last(&self) -> Option<usize> {
        let at = self.table().iter().rposition(|&w| w != 0)?;
        Some(at * 64 + self.table()[at].ilog2() as usize)
    }
    /// All of them.
    pub(crate) fn all(self) -> impl Iterator<Item = usize> {
        std::iter::successors(self.next(0), move |&bit| self.next(bit + 1))
    }
    /// The bit of a row that is there.
    pub(crate) fn find(&self, tokens: &[u64]) -> Option<usize> {
        let bit = self.rectangle().bit(tokens)?;
        (self.table()[bit / 64] >> (bit % 64) & 1 == 1).then_some(bit)
    }
}

impl Seen {
    pub(crate) const NOTHING: Seen = Seen {
        table: null_mut(),
        dense: Rectangle::NOTHING,
        kind: Kind::Few,
        log_words: 0,
    };

    /// Words of the table.
    #[inline]
    fn words(&self) -> usize {
        if self.table.is_null() {
            0
        } else {
            1 << self.log_words
        }
    }
    /// The rows, for each of which there is a bit.
    #[inline(always)]
    pub(crate) fn bits(&self, reciprocal: u64) -> Bits {
        debug_assert_eq!(
            (self.kind, reciprocal),
            (Kind::Dense, self.dense.reciprocal())
        );
        // SAFETY: the table has so many words; the caller keeps this as long as there are no more rows.
        unsafe { Bits::new((self.table, self.words()), &self.dense, reciprocal) }
    }
    /// The reciprocal for these, if there are at most so many words.
    pub(crate) fn has_bits(&self, most: usize) -> Option<u64> {
        (self.kind == Kind::Dense && self.words() <= most).then(|| self.dense.reciprocal())
    }
    /// Bytes of the table.
    pub(crate) fn bytes(&self) -> usize {
        self.words() * 8
    }

    /// Calls `f` with the table and its length in words, if there is one.
    pub(crate) fn each_array(&self, mut f: impl FnMut(*mut u64, usize)) {
        if !self.table.is_null() {
            f(self.table, self.words());
        }
    }

    /// Frees the table.
    pub(crate) fn free(&mut self, alloc: &mut impl StructAlloc) {
        if !self.table.is_null() {
            // SAFETY: the table is used no more.
            unsafe { free_array(alloc, self.table, self.words()) };
        }
        *self = Seen::NOTHING;
    }

    /// The word and the bit of a row, if it is in the rectangle.
    #[inline]
    pub(crate) fn place(&mut self, tokens: &[u64]) -> Option<(&mut u64, u64)> {
        if self.kind != Kind::Dense {
            return None;
        }
        let bit = self.dense.bit(tokens)?;
        // SAFETY: a bit of the rectangle is one of the table.
        Some((unsafe { &mut *self.table.add(bit / 64) }, 1 << (bit % 64)))
    }

    /// Enters a row that will be number `count` of those in `view`; false: it is there already. Refused: nothing has changed.
    #[inline]
    pub(crate) fn add(
        &mut self,
        alloc: &mut impl StructAlloc,
        view: &View,
        count: usize,
        tokens: &[u64],
    ) -> Result<bool, Refused> {
        if let Some((word, mask)) = self.place(tokens) {
            let new = *word & mask == 0;
            *word |= mask;
            return Ok(new);
        }
        self.add_otherwise(alloc, view, count, tokens)
    }

    fn add_otherwise(
        &mut self,
        alloc: &mut impl StructAlloc,
        view: &View,
        count: usize,
        tokens: &[u64],
    ) -> Result<bool, Refused> {
        match self.kind {
            Kind::Few if count < LINEAR => Ok(!(0..count).any(|i| view.is(i, tokens))),
            Kind::Few => {
                // (The first one too many.)
                if (0..count).any(|i| view.is(i, tokens)) {
                    return Ok(false);
                }
                self.make_hashed(alloc, view, count)?;
                self.insert(hash(tokens), count);
                Ok(true)
            }
            Kind::Hashed => {
                let h = hash(tokens);
                if self.find(view, h, tokens) {
                    return Ok(false);
                }
                if 4 * (count + 1) > 3 * self.words() {
                    let around = (Rectangle::around(view, count, tokens), ENTER);
                    self.add_to_another(alloc, view, (count, tokens), around)?;
                    return Ok(true);
                }
                self.insert(h, count);
                Ok(true)
            }
            Kind::Dense => {
                // (Outside of it, so new.)
                let larger = (self.dense.with(tokens), STAY);
                self.add_to_another(alloc, view, (count, tokens), larger)?;
                Ok(true)
            }
        }
    }

    /// Whether a row is among the `count` rows in `view`, all of which have been entered.
    pub(crate) fn has(&self, view: &View, count: usize, tokens: &[u64]) -> bool {
        match self.kind {
            Kind::Few => (0..count).any(|i| view.is(i, tokens)),
            Kind::Hashed => self.find(view, hash(tokens), tokens),
            Kind::Dense => self.dense.bit(tokens).is_some_and(|bit| {
                // SAFETY: a bit of the rectangle is one of the table.
                unsafe { *self.table.add(bit / 64) >> (bit % 64) & 1 != 0 }
            }),
        }
    }

    #[inline]
    fn find(&self, view: &View, h: u64, tokens: &[u64]) -> bool {
        let mask = (1 << self.log_words) - 1;
        let mut at = h as usize & mask;
        loop {
            // SAFETY: masked.
            let slot = unsafe { self.table.add(at).read() };
            if slot == 0 {
                return false;
            }
            if slot >> 32 == h >> 32 && view.is(slot as u32 as usize - 1, tokens) {
                return true;
            }
            at = (at + 1) & mask;
        }
    }

    /// Enters number `i`, which is not there; there is a free slot.
    #[inline]
    fn insert(&mut self, h: u64, i: usize) {
        let mask = (1 << self.log_words) - 1;
        let mut at = h as usize & mask;
        // SAFETY: masked.
        unsafe {
            while self.table.add(at).read() != 0 {
                at = (at + 1) & mask;
            }
            self.table.add(at).write(h >> 32 << 32 | (i as u64 + 1));
        }
    }

    /// Replaces the table.
    fn replace(&mut self, alloc: &mut impl StructAlloc, table: *mut u64, words: usize, kind: Kind) {
        if !self.table.is_null() {
            // SAFETY: the old table is used no more.
            unsafe { free_array(alloc, self.table, self.words()) };
        }
        (self.table, self.kind) = (table, kind);
        self.log_words = words.trailing_zeros() as u8;
    }

    /// Hashes the rows that there are, with room for one more.
    #[cold]
    #[inline(never)]
    fn make_hashed(
        &mut self,
        alloc: &mut impl StructAlloc,
        view: &View,
        count: usize,
    ) -> Result<(), Refused> {
        // A slot has half a word for the number.
        if count >= u32::MAX as usize - 1 {
            return Err(Refused);
        }
        let words = (2 * (count + 1)).next_power_of_two().max(MIN_BUCKETS);
        let table = array(alloc, words)?;
        self.replace(alloc, table, words, Kind::Hashed);
        let mut i = 0;
        view.each(count, |row| {
            self.insert(hash(row), i);
            i += 1;
        });
        Ok(())
    }

    /// Makes room for a row that is new, and enters it: in the rectangle, if there is one that takes at most so many bytes a row, or in a slot.
    #[cold]
    #[inline(never)]
    fn add_to_another(
        &mut self,
        alloc: &mut impl StructAlloc,
        view: &View,
        (count, tokens): (usize, &[u64]),
        (rectangle, most): (Option<Rectangle>, usize),
    ) -> Result<(), Refused> {
        if let Some(r) = rectangle
            && r.words() * 8 <= most * count
            && let Ok(table) = array(alloc, r.words())
        {
            self.fill(alloc, view, count, table, &r);
        } else {
            self.make_hashed(alloc, view, count)?;
        }
        self.enter(tokens, count);
        Ok(())
    }

    /// Enters a row that is new, for which there is room.
    fn enter(&mut self, tokens: &[u64], count: usize) {
        match self.kind {
            Kind::Hashed => self.insert(hash(tokens), count),
            Kind::Dense => self.set(tokens),
            Kind::Few => (),
        }
    }

    fn set(&mut self, tokens: &[u64]) {
        let bit = self.dense.bit(tokens);
        debug_assert!(bit.is_some(), "a row outside of its rectangle");
        if let Some(bit) = bit {
            // SAFETY: a bit of the rectangle is one of the table.
            unsafe { *self.table.add(bit / 64) |= 1 << (bit % 64) };
        }
    }

    /// Takes this rectangle, and enters the rows that there are.
    fn fill(
        &mut self,
        alloc: &mut impl StructAlloc,
        view: &View,
        count: usize,
        table: *mut u64,
        r: &Rectangle,
    ) {
        self.replace(alloc, table, r.words(), Kind::Dense);
        self.dense = *r;
        view.each(count, |row| self.set(row));
    }

    /// Asserts that exactly these rows are there.
    pub(crate) fn verify(&self, rows: &All, count: usize) {
        match self.kind {
            Kind::Few => assert!(self.table.is_null()),
            Kind::Hashed => {
                assert!(4 * count <= 3 * self.words());
                rows.each(count, |row| assert!(self.find(&rows.view, hash(row), row)));
                // SAFETY: the table has so many words.
                let slots = (0..self.words()).map(|i| unsafe { self.table.add(i).read() });
                assert_eq!(slots.filter(|&s| s != 0).count(), count);
            }
            Kind::Dense => {
                rows.each(count, |row| {
                    let bit = self.dense.bit(row);
                    let bit = bit.expect("a row outside of its rectangle");
                    // SAFETY: a bit of the rectangle is one of the table.
                    assert!(unsafe { self.table.add(bit / 64).read() } >> (bit % 64) & 1 == 1);
                });
                // SAFETY: the table has so many words.
                let words = (0..self.words()).map(|i| unsafe { self.table.add(i).read() });
                assert_eq!(words.map(|w| w.count_ones() as usize).sum::<usize>(), count);
            }
        }
    }
}
