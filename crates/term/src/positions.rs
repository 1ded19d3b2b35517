//! Characters of a text by number, in a text whose characters have one to four bytes.
//!
//! Beside a long text lie *counts*: of the characters that begin before each multiple of [`BLOCK`] bytes. They are behind the bytes of
//! a string in its box (`record::write_string`), and made once for an atom whose characters are asked for by number. Then a position is found
//! in the logarithm of the text's length, else by counting.
//!
//! Equation: `counts[k] = ` number of characters that begin before byte `BLOCK * (k + 1)`, for each `k < bytes / BLOCK`; or there are no counts.

use crate::atom::Atom;
use crate::held::HeldAtom;
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::sync::{OnceLock, RwLock};

/// Bytes between two counts.
pub const BLOCK: usize = 256;

/// Ends of parts of so few characters are looked for from their beginnings on.
const NEAR: usize = 16;

/// Number of counts of a text of so many bytes.
#[inline]
pub const fn counts_of(bytes: usize) -> usize {
    bytes / BLOCK
}

/// A text and its counts, if it has any.
#[derive(Clone, Copy, Debug)]
pub struct Positions<'a> {
    text: &'a str,
    counts: &'a [u64],
    /// How many characters there are, if that is known.
    all: Option<usize>,
}

/// The counts of an atom, and behind them the number of all its characters. They stay, and so does the atom.
type OfAtom = &'static [u64];

thread_local! {
    /// The atom whose counts this thread asked for last.
    static LAST: Cell<Option<(Atom, OfAtom)>> = const { Cell::new(None) };
}

/// The counts of an atom that are kept, made if there are none yet.
fn counts_of_atom(atom: Atom) -> Option<OfAtom> {
    static COUNTS: OnceLock<RwLock<FxHashMap<HeldAtom, OfAtom>>> = OnceLock::new();
    if let Some((last, counts)) = LAST.get()
        && last == atom
    {
        return Some(counts);
    }
    let all = COUNTS.get_or_init(RwLock::default);
    let known = all.read().ok().and_then(|all| all.get(&atom).copied());
    let counts = known.or_else(|| {
        let text = atom.as_str();
        let n = counts_of(text.len());
        let mut made = vec![0; n + 1];
        write_counts(text, &mut made);
        let before = n.checked_sub(1).map_or(0, |last| made[last]);
        made[n] = before + beginnings(&text.as_bytes()[n * BLOCK..]) as u64;
        all.write()
            .ok()
            .map(|mut all| *all.entry(atom.hold()).or_insert_with(|| made.leak()))
    })?;
    LAST.set(Some((atom, counts)));
    Some(counts)
}

/// Whether a character begins with this byte.
fn begins(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}

/// In pieces that a byte counts: many of them at once in the registers of vectors.
fn beginnings(bytes: &[u8]) -> usize {
    let pieces = bytes.chunks(255);
    let counts = pieces.map(|p| p.iter().map(|&b| u8::from(begins(b))).sum::<u8>());
    counts.map(usize::from).sum()
}

/// The same of eight bytes.
fn beginnings_of_eight(bytes: [u8; 8]) -> usize {
    let word = u64::from_le_bytes(bytes);
    // Bytes of the form 10xxxxxx go on with a character.
    let others = word >> 7 & !(word >> 6) & 0x0101_0101_0101_0101;
    8 - others.count_ones() as usize
}

/// Writes the counts of a text.
pub fn write_counts(text: &str, out: &mut [u64]) {
    let mut n = 0;
    for (count, block) in out.iter_mut().zip(text.as_bytes().chunks_exact(BLOCK)) {
        n += beginnings(block) as u64;
        *count = n;
    }
}

impl<'a> Positions<'a> {
    /// Of a text without counts.
    pub fn uncounted(text: &'a str) -> Positions<'a> {
        Positions {
            text,
            counts: &[],
            all: None,
        }
    }
    /// Of a text and its counts.
    pub fn counted(text: &'a str, counts: &'a [u64]) -> Positions<'a> {
        debug_assert_eq!(counts.len(), counts_of(text.len()));
        Positions {
            text,
            counts,
            all: None,
        }
    }
    /// Of an atom.
    pub fn of_atom(atom: Atom) -> Positions<'static> {
        let text = atom.as_str();
        if text.len() < BLOCK {
            return Positions::uncounted(text);
        }
        match counts_of_atom(atom).and_then(<[u64]>::split_last) {
            Some((&all, counts)) => Positions {
                text,
                counts,
                all: Some(all as usize),
            },
            None => Positions::uncounted(text),
        }
    }
    pub fn text(self) -> &'a str {
        self.text
    }
    /// Number of characters.
    pub fn chars(self) -> usize {
        self.all.unwrap_or_else(|| self.before(self.text.len()))
    }
    /// Number of characters that begin before a byte.
    pub fn before(self, byte: usize) -> usize {
        let block = (byte / BLOCK).min(self.counts.len());
        let counted = self.counted_before(block);
        counted + beginnings(&self.text.as_bytes()[block * BLOCK..byte])
    }
    /// The byte that character `n` begins with; the end if there are fewer.
    pub fn offset(self, n: usize) -> usize {
        let block = self.block(n);
        let from = block * BLOCK;
        let mut left = n - self.counted_before(block);
        let all = self.counts.get(block).map(|&c| c as usize);
        if all == Some(n - left + BLOCK) {
            // Each of the block's characters has one byte.
            return from + left;
        }
        let mut at = from;
        let bytes = self.text.as_bytes();
        // In pieces first: counting is quicker than looking.
        for piece in bytes[from..].chunks(64) {
            let n = beginnings(piece);
            if n > left {
                break;
            }
            left -= n;
            at += piece.len();
        }
        let (words, _) = bytes[at..].as_chunks();
        for &word in words {
            let n = beginnings_of_eight(word);
            if n > left {
                break;
            }
            left -= n;
            at += word.len();
        }
        let rest = bytes[at..].iter().enumerate();
        let mut begun = rest.filter(|&(_, &b)| begins(b)).map(|(i, _)| i);
        begun.nth(left).map_or(bytes.len(), |i| at + i)
    }
    /// Characters `from..from + n`.
    pub fn slice(self, from: usize, n: usize) -> &'a str {
        let begin = self.offset(from);
        let rest = &self.text[begin..];
        let length = if n <= NEAR {
            let mut ends = rest.bytes().enumerate().filter(|&(_, b)| begins(b));
            ends.nth(n).map_or(rest.len(), |(i, _)| i)
        } else {
            self.offset(from + n) - begin
        };
        &rest[..length]
    }
    /// The character of a number.
    pub fn char(self, n: usize) -> Option<char> {
        self.text[self.offset(n)..].chars().next()
    }
    /// The block in which character `n` begins.
    fn block(self, n: usize) -> usize {
        let is_there = |block: usize| {
            block <= self.counts.len()
                && self.counted_before(block) <= n
                && self.counts.get(block).is_none_or(|&c| c > n as u64)
        };
        // All characters before it have one byte.
        let guess = n / BLOCK;
        if is_there(guess) {
            return guess;
        }
        // Or all of the text about as many.
        if let Some(&counted) = self.counts.last() {
            let share = self.counts.len() as f64 / counted as f64;
            let guess = (n as f64 * share) as usize;
            let near = [guess, guess.saturating_add(1), guess.saturating_sub(1)];
            if let Some(block) = near.into_iter().find(|&block| is_there(block)) {
                return block;
            }
        }
        self.counts.partition_point(|&c| c <= n as u64)
    }
    fn counted_before(self, block: usize) -> usize {
        block.checked_sub(1).map_or(0, |b| self.counts[b] as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_those_that_counting_finds() {
        let texts = [
            String::new(),
            "short".to_owned(),
            "a".repeat(5 * BLOCK),
            "a".repeat(BLOCK - 1) + "\u{e9}\u{4e00}" + &"b".repeat(2 * BLOCK),
            "\u{4e00}".repeat(3 * BLOCK),
            "\u{1f600}x".repeat(BLOCK) + "y",
            "a".repeat(3 * BLOCK) + "\u{4e00}",
        ];
        for text in &texts {
            let mut counts = vec![0; counts_of(text.len())];
            write_counts(text, &mut counts);
            for p in [
                Positions::uncounted(text),
                Positions::counted(text, &counts),
                Positions::of_atom(Atom::new(text)),
            ] {
                assert_eq!(p.chars(), text.chars().count());
                for (n, (i, c)) in text.char_indices().enumerate() {
                    if n % 7 == 0 || i.abs_diff(BLOCK) < 20 {
                        assert_eq!((p.offset(n), p.before(i), p.char(n)), (i, n, Some(c)));
                    }
                }
                let n = text.chars().count();
                assert_eq!(p.offset(n), text.len());
                assert_eq!(p.offset(n + 5000), text.len());
                assert_eq!(p.slice(n / 2, n), &text[p.offset(n / 2)..]);
                for from in [0, n / 2, n.saturating_sub(NEAR)] {
                    for k in 0..=NEAR + 2 {
                        let part: String = text.chars().skip(from).take(k).collect();
                        assert_eq!(p.slice(from, k), part);
                    }
                }
            }
        }
    }

    #[test]
    fn a_position_is_found_without_looking_at_what_is_before() {
        let text = "\u{4e00}".repeat(100 * BLOCK);
        let mut counts = vec![0; counts_of(text.len())];
        write_counts(&text, &mut counts);
        for n in (0..100 * BLOCK).step_by(999) {
            let p = Positions::counted(&text, &counts);
            assert!(3 * n - p.block(n) * BLOCK < BLOCK + 3);
        }
    }
}
