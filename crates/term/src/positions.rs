//! Characters of a text by number, in a text whose characters have one to four bytes.
//!
//! Beside a long text lie *counts*: of the characters that begin before each multiple of [`BLOCK`] bytes. They are behind the bytes of
//! a string in its box (`record::write_string`), and made once for an atom whose characters are asked for by number. Then a position is found
//! in the logarithm of the text's length, else by counting.
//!
//! Equation: `counts[k] = ` number of characters that begin before byte `BLOCK * (k + 1)`, for each `k < bytes / BLOCK`; or there are no counts.

use crate::atom::Atom;
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{OnceLock, RwLock};

/// Bytes between two counts.
pub const BLOCK: usize = 256;

/// Ends of parts of so few characters are looked for from their beginnings on.
const NEAR: usize = 16;

/// So often the block of a position is guessed before it is searched for.
const GUESSES: usize = 4;

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

/// The counts of an atom, and behind them the number of all its characters, for as long as an [`Atom`] is good: they go with it ([`forget`]).
type OfAtom = &'static [u64];

/// Those of atoms that have been asked for, by their numbers.
static COUNTS: OnceLock<RwLock<FxHashMap<u32, OfAtom>>> = OnceLock::new();

/// How often atoms have been freed: what is kept by thread is good if none has been since.
static FREED: AtomicU32 = AtomicU32::new(0);

/// Atoms have died, and nobody has what is kept of them.
pub(crate) fn forget(atoms: &mut dyn Iterator<Item = Atom>) {
    // Relaxed: who gets one of their numbers, or a text where theirs was, gets it from who has called this.
    FREED.fetch_add(1, Ordering::Relaxed);
    let Some(mut all) = COUNTS.get().and_then(|all| all.write().ok()) else {
        return;
    };
    if all.is_empty() {
        return;
    }
    for atom in atoms {
        if let Some(counts) = all.remove(&atom.index()) {
            // SAFETY: leaked by `counts_of_atom`, and nobody has them.
            drop(unsafe { Box::from_raw(std::ptr::from_ref(counts).cast_mut()) });
        }
    }
}

thread_local! {
    /// The atom whose counts this thread asked for last.
    static LAST: Cell<Option<(Atom, OfAtom, u32)>> = const { Cell::new(None) };
    /// The character of an atom with counts that this thread looked for last.
    static FOUND: Cell<Found> = const { Cell::new(Found { text: 0, n: 0, at: 0, freed: 0 }) };
}

/// Where a character lies, in a text that stays where it is: the next is looked for from there on.
#[derive(Clone, Copy)]
struct Found {
    /// The text's address; 0 of none.
    text: usize,
    n: usize,
    at: usize,
    /// [`FREED`] then.
    freed: u32,
}

/// The counts of an atom that are kept, made if there are none yet.
fn counts_of_atom(atom: Atom) -> Option<OfAtom> {
    let freed = FREED.load(Ordering::Relaxed);
    if let Some((last, counts, then)) = LAST.get()
        && last == atom
        && then == freed
    {
        return Some(counts);
    }
    let all = COUNTS.get_or_init(RwLock::default);
    let known = all
        .read()
        .ok()
        .and_then(|all| all.get(&atom.index()).copied());
    let counts = known.or_else(|| {
        let text = atom.as_str();
        let n = counts_of(text.len());
        let mut made = vec![0; n + 1];
        write_counts(text, &mut made);
        let before = n.checked_sub(1).map_or(0, |last| made[last]);
        made[n] = before + beginnings(&text.as_bytes()[n * BLOCK..]) as u64;
        all.write().ok().map(|mut all| {
            *all.entry(atom.index())
                .or_insert_with(|| Box::leak(made.into_boxed_slice()))
        })
    })?;
    LAST.set(Some((atom, counts, freed)));
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

/// A bit in each byte: the lowest.
const ONES: u64 = 0x0101_0101_0101_0101;

/// The lowest bits of those of eight bytes with which a character begins, the first byte in the lowest place.
fn marks(bytes: [u8; 8]) -> u64 {
    let word = u64::from_le_bytes(bytes);
    // Bytes of the form 10xxxxxx go on with a character.
    (!(word >> 7) | word >> 6) & ONES
}

/// [`beginnings`] of a piece of [`PIECE`] bytes: eight words of marks are added byte by byte, then the bytes of the sum.
fn beginnings_of_piece(words: &[[u8; 8]; PIECE / 8]) -> usize {
    let sum: u64 = words.iter().map(|&w| marks(w)).sum();
    (sum.wrapping_mul(ONES) >> 56) as usize
}

const PIECE: usize = 64;
const _: () = assert!(PIECE <= 255 && BLOCK.is_multiple_of(PIECE));

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
        if self.all.is_none() {
            return self.searched(n);
        }
        let text = self.text.as_ptr().addr();
        let found = FOUND.get();
        let freed = FREED.load(Ordering::Relaxed);
        let near = n.wrapping_sub(found.n);
        let at = match found.text == text && found.freed == freed && near <= NEAR {
            true => found.at + self.length_from(found.at, near),
            false => self.searched(n),
        };
        FOUND.set(Found { text, n, at, freed });
        at
    }
    /// The bytes of so few characters from there on, or of all that there are.
    fn length_from(self, at: usize, n: usize) -> usize {
        let rest = &self.text.as_bytes()[at..];
        let mut ends = rest.iter().enumerate().filter(|&(_, &b)| begins(b));
        ends.nth(n).map_or(rest.len(), |(i, _)| i)
    }
    /// [`Positions::offset`] by the counts.
    fn searched(self, n: usize) -> usize {
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
        let (words, _) = bytes[at..].as_chunks();
        let (pieces, _) = words.as_chunks();
        let mut passed = 0;
        for piece in pieces {
            let n = beginnings_of_piece(piece);
            if n > left {
                break;
            }
            left -= n;
            passed += piece.len();
        }
        for &word in &words[passed..] {
            let mut marks = marks(word);
            let n = marks.count_ones() as usize;
            if n > left {
                for _ in 0..left {
                    marks &= marks - 1;
                }
                return at + passed * 8 + marks.trailing_zeros() as usize / 8;
            }
            left -= n;
            passed += 1;
        }
        at += passed * 8;
        let rest = bytes[at..].iter().enumerate();
        let mut begun = rest.filter(|&(_, &b)| begins(b)).map(|(i, _)| i);
        begun.nth(left).map_or(bytes.len(), |i| at + i)
    }
    /// Characters `from..from + n`.
    pub fn slice(self, from: usize, n: usize) -> &'a str {
        let begin = self.offset(from);
        let length = if n <= NEAR {
            self.length_from(begin, n)
        } else {
            self.offset(from + n) - begin
        };
        &self.text[begin..begin + length]
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
        // Or all blocks have about as many: what is missing at one says how far away the next guess is.
        if let Some(&counted) = self.counts.last() {
            let share = self.counts.len() as f64 / counted as f64;
            let mut guess = 0;
            for _ in 0..GUESSES {
                let missing = n as f64 - self.counted_before(guess) as f64;
                let by = missing * share;
                // Down. (`floor` would be a call.)
                let by = match by as isize - isize::from(by < 0.0) {
                    0 => 1,
                    by => by,
                };
                guess = guess.saturating_add_signed(by).min(self.counts.len());
                if is_there(guess) {
                    return guess;
                }
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
                Positions::of_atom(Atom::of(text)),
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
