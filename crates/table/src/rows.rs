//! Answers as rows: the tokens of one behind those of another, in the order in which they were found.
//!
//! Most tables have answers of a few tokens each, all of the same number. Those need no trie: consumers read them one after the other, by their numbers, and what is asked of
//! the table is only whether it has an answer already ([`crate::seen`]), and not even that once it is complete. So an answer of two small tokens takes eight bytes where a trie takes 40 to 80.
//! What does not fit is kept in a trie, to which a table is turned at any time ([`TableSpace::answers_to_trie`]): answers with conditions or values, of different lengths,
//! longer than [`MOST_OF_ROW`], or that name queues or mutexes.
//!
//! ```text
//! form of a frame: Trie (also without answers) | Inline: in the two words that it has for first and newest answer | Rows: `first` refers to a header
//! answer i: the handle 2·i + 1 (as in `frozen`); its tokens are elements i·width .. (i+1)·width
//! elements: 32 bits, sign-extended, or 64 where a token needs them (`wide`); never both in one table
//! header.words ≤ CHUNK: data is an array of so many words; else a directory of arrays of CHUNK words, room for words / CHUNK rounded up to a power of two
//! count · width elements ≤ header.words
//! an array once written does not change: readers hold numbers, never addresses
//! of a complete table that is dense only the bits may be left, if they take less: data is null, words the reciprocal of the rectangle, and the number of an answer is that of its bit
//! ```
//!
//! Memory comes from the allocator of the table space; what is refused changes nothing. Called by [`crate::space`] only.

use crate::alloc::{MIN_BUCKETS, StructAlloc, StructType};
use crate::frame::{Form, FramePtr};
use crate::node::AnswerPtr;
use crate::seen::{Bits, Seen};
use crate::space::TableSpace;
use crate::trie::{self, Store};
use samite_term::Cell;
use samite_term::growth::{self, Refused};
use std::ptr::{NonNull, null_mut};

/// Most tokens of a row.
pub const MOST_OF_ROW: usize = 8;

/// Words of an array, where there is a directory.
pub(crate) const CHUNK: usize = if cfg!(any(test, miri)) { 32 } else { 1 << 10 };

/// Words of a table from which on it is kept as bits, if that takes less.
const BITS_FROM: usize = if cfg!(any(test, miri, debug_assertions)) {
    16
} else {
    128
};

/// Words in the frame itself.
const INLINE: usize = 2;

/// See the module text.
#[repr(C)]
pub struct Rows {
    data: *mut u64,
    words: usize,
    pub(crate) seen: Seen,
}

const _: () = assert!(size_of::<Rows>() == 64 && CHUNK >= MIN_BUCKETS);

/// Whether a token may be one of a row.
#[inline]
pub fn is_row_token(token: u64) -> bool {
    Cell(token).counted_handle().is_none()
}

/// Where a word is.
///
/// # Safety
/// `data` and `words` are those of a live header, and `at` is below `words`.
#[inline]
unsafe fn place(data: *mut u64, words: usize, at: usize) -> *mut u64 {
    debug_assert!(at < words);
    // SAFETY: within the array, or the array that the directory has for it.
    unsafe {
        if words <= CHUNK {
            data.add(at)
        } else {
            let chunk = data.cast::<*mut u64>().add(at / CHUNK).read();
            chunk.add(at % CHUNK)
        }
    }
}

/// How the tokens of a frame's rows are to be read, as long as their arrays are the same.
#[derive(Clone, Copy)]
pub(crate) struct View {
    inline: [u64; INLINE],
    /// Null: they are inline.
    data: *mut u64,
    pub(crate) words: usize,
    /// Tokens of a row.
    pub(crate) width: usize,
    pub(crate) wide: bool,
}

/// Whether 32 bits are enough for a token.
#[inline]
pub(crate) fn is_narrow(token: u64) -> bool {
    token as i32 as i64 as u64 == token
}

fn directory(words: usize) -> usize {
    (words / CHUNK).next_power_of_two().max(MIN_BUCKETS)
}

/// Words for so many elements.
#[inline]
pub(crate) fn words_for(elements: usize, wide: bool) -> usize {
    if wide { elements } else { elements.div_ceil(2) }
}

impl View {
    /// That of a frame with rows.
    #[inline]
    pub(crate) fn of(frame: FramePtr) -> View {
        let (data, words) = View::array_of(frame);
        View {
            inline: frame.inline_words(),
            data,
            words,
            width: frame.width(),
            wide: frame.is_wide(),
        }
    }

    /// Whether the rows of the frame, of which this was made, are where they were. (They are moved to make room for one that turns out to be there already.)
    #[inline]
    pub(crate) fn is_recent(&self, frame: FramePtr) -> bool {
        View::array_of(frame) == (self.data, self.words) && frame.is_wide() == self.wide
    }

    /// Where the words of its rows are, and how many; null: inline.
    #[inline]
    fn array_of(frame: FramePtr) -> (*mut u64, usize) {
        match frame.form() {
            // SAFETY: a live header, of which two fields are read.
            Form::Rows => unsafe {
                let rows = frame.rows().as_ptr();
                ((*rows).data, (*rows).words)
            },
            _ => (null_mut(), INLINE),
        }
    }

    #[inline]
    fn word(&self, at: usize) -> u64 {
        if self.data.is_null() {
            return self.inline[at];
        }
        // SAFETY: a word below `words` (module text), written when its row was added.
        unsafe { place(self.data, self.words, at).read() }
    }

    #[inline]
    fn element(&self, at: usize) -> u64 {
        if self.wide {
            self.word(at)
        } else {
            let word = self.word(at / 2);
            (word >> (at % 2 * 32)) as i32 as i64 as u64
        }
    }

    /// Token `k` of row `i`.
    #[inline]
    pub(crate) fn token(&self, i: usize, k: usize) -> u64 {
        debug_assert!(k < self.width);
        self.element(i * self.width + k)
    }

    /// Whether row `i` is this one.
    #[inline]
    pub(crate) fn is(&self, i: usize, tokens: &[u64]) -> bool {
        let first = i * self.width;
        (tokens.iter().enumerate()).all(|(k, &t)| self.element(first + k) == t)
    }

    /// Calls `f` with the tokens of each of the first `count` rows.
    pub(crate) fn each(&self, count: usize, mut f: impl FnMut(&[u64])) {
        let mut row = [0; MOST_OF_ROW];
        for i in 0..count {
            for (k, t) in row[..self.width].iter_mut().enumerate() {
                *t = self.token(i, k);
            }
            f(&row[..self.width]);
        }
    }
}

impl FramePtr {
    /// Adds this answer to a frame that is not complete, if that is done at once: it repeats one, or has its place in a dense table. Whether it is new, which it may be if `may_be_new`
    /// says so.
    #[inline]
    pub fn add_row_at_once(
        self,
        tokens: &[u64],
        may_be_new: impl FnOnce() -> bool,
    ) -> Option<bool> {
        if self.form() != Form::Rows || self.width() != tokens.len() {
            return None;
        }
        // SAFETY: a live header, to which no other reference exists.
        let rows = unsafe { &mut *self.rows().as_ptr() };
        let words = rows.words;
        let (word, mask) = rows.seen.place(tokens)?;
        if *word & mask != 0 {
            self.entry().count_repeated();
            return Some(false);
        }
        let (count, wide) = (self.answer_count(), self.is_wide());
        let at = count * tokens.len();
        if words_for(at + tokens.len(), wide) > words
            || !(wide || tokens.iter().all(|&t| is_narrow(t)))
            || !may_be_new()
        {
            return None;
        }
        *word |= mask;
        for (k, &t) in tokens.iter().enumerate() {
            // SAFETY: there is room for it.
            unsafe { set(rows.word(word_of(at + k, wide)), at + k, wide, t) };
        }
        self.set_answer_count(count + 1);
        self.entry().count(0, 1);
        Some(true)
    }

    /// The rows of a frame that has bits of its own.
    #[inline(always)]
    pub(crate) fn own_bits(self) -> Bits {
        // SAFETY: a live header, whose rows are complete.
        unsafe {
            let rows = self.rows().as_ptr();
            (*rows).seen.bits((*rows).words as u64)
        }
    }
}

impl Rows {
    fn new(data: *mut u64, words: usize) -> Rows {
        Rows {
            data,
            words,
            seen: Seen::NOTHING,
        }
    }

    #[inline]
    fn word(&self, at: usize) -> *mut u64 {
        // SAFETY: the arrays of a live header.
        unsafe { place(self.data, self.words, at) }
    }

    /// Makes room for so many words in all.
    #[inline]
    fn have(&mut self, alloc: &mut impl StructAlloc, words: usize) -> Result<(), Refused> {
        while self.words < words {
            self.grow(alloc)?;
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, alloc: &mut impl StructAlloc) -> Result<(), Refused> {
        if self.words < CHUNK {
            let new = array(alloc, 2 * self.words)?;
            // SAFETY: both arrays have so many words; the old one is used no more.
            unsafe {
                new.copy_from_nonoverlapping(self.data, self.words);
                free_array(alloc, self.data, self.words);
            }
            self.data = new;
            self.words *= 2;
            return Ok(());
        }
        let used = self.words / CHUNK;
        let had = if used == 1 { 0 } else { directory(self.words) };
        let chunk = array(alloc, CHUNK)?;
        if used == 1 || used == had {
            let wanted = directory(self.words + CHUNK);
            let new = match array(alloc, wanted) {
                Ok(new) => new.cast::<*mut u64>(),
                Err(refused) => {
                    // SAFETY: from just now; nobody knows of it.
                    unsafe { free_array(alloc, chunk, CHUNK) };
                    return Err(refused);
                }
            };
            // SAFETY: the directory has room for what there is, which is one array, or a directory that is freed.
            unsafe {
                if used == 1 {
                    new.write(self.data);
                } else {
                    new.copy_from_nonoverlapping(self.data.cast(), used);
                    free_array(alloc, self.data, had);
                }
            }
            self.data = new.cast();
        }
        // SAFETY: the directory has room for one more.
        unsafe { self.data.cast::<*mut u64>().add(used).write(chunk) };
        self.words += CHUNK;
        Ok(())
    }

    /// Calls `f` with each array and its length in words; each is read no more once it is told.
    fn each_array(&self, mut f: impl FnMut(*mut u64, usize)) {
        if self.data.is_null() {
            // (There are only bits.)
        } else if self.words <= CHUNK {
            f(self.data, self.words);
        } else {
            for i in 0..self.words / CHUNK {
                // SAFETY: the directory of a live header.
                f(unsafe { self.data.cast::<*mut u64>().add(i).read() }, CHUNK);
            }
            f(self.data, directory(self.words));
        }
        self.seen.each_array(f);
    }

    /// Frees what is not bits.
    fn forget_data(&mut self, alloc: &mut impl StructAlloc, reciprocal: u64) {
        let seen = std::mem::replace(&mut self.seen, Seen::NOTHING);
        // SAFETY: the arrays are used no more.
        self.each_array(|array, words| unsafe { free_array(alloc, array, words) });
        (self.data, self.words, self.seen) = (null_mut(), reciprocal as usize, seen);
    }

    /// Gives back half of an array, and more, that holds only so many words; who is refused keeps it.
    fn shrink(&mut self, alloc: &mut impl StructAlloc, used: usize) {
        let wanted = used.next_power_of_two().max(MIN_BUCKETS);
        if self.words > CHUNK || wanted >= self.words {
            return;
        }
        if let Ok(new) = array(alloc, wanted) {
            // SAFETY: both arrays have so many words; the old one is used no more.
            unsafe {
                new.copy_from_nonoverlapping(self.data, used);
                free_array(alloc, self.data, self.words);
            }
            self.data = new;
            self.words = wanted;
        }
    }

    /// Bytes of the arrays.
    fn bytes(&self) -> usize {
        if self.data.is_null() {
            return self.seen.bytes();
        }
        let directory = if self.words <= CHUNK {
            0
        } else {
            directory(self.words)
        };
        (self.words + directory) * 8 + self.seen.bytes()
    }
}

/// An array of `words` zeros, a power of two.
pub(crate) fn array(alloc: &mut impl StructAlloc, words: usize) -> Result<*mut u64, Refused> {
    let array = alloc.alloc_buckets(words).ok_or(Refused)?;
    Ok(array.as_ptr().cast())
}

/// # Safety
/// The array is from [`array`], of so many words, and not used any more.
pub(crate) unsafe fn free_array(alloc: &mut impl StructAlloc, array: *mut u64, words: usize) {
    // SAFETY: promised by the caller.
    unsafe { alloc.free_buckets(words, NonNull::new_unchecked(array).cast()) };
}

/// Frees what a frame's rows take.
pub(crate) fn free<A: StructAlloc>(store: &mut Store<A>, frame: FramePtr) {
    if frame.form() == Form::Rows {
        free_header(&mut store.alloc, frame.rows());
    }
    frame.clear_rows();
}

fn free_header(alloc: &mut impl StructAlloc, header: NonNull<Rows>) {
    // SAFETY: the header of a frame that is about to forget it; no other reference exists.
    unsafe {
        header
            .as_ref()
            .each_array(|array, words| free_array(alloc, array, words));
        alloc.free(StructType::Rows, header.cast());
    }
}

/// Calls `f` with each array of the rows, and its length in words; what it does may free it.
///
/// # Safety
/// The header is in use.
pub(crate) unsafe fn each_array(header: NonNull<Rows>, f: &mut impl FnMut(NonNull<u8>, usize)) {
    // SAFETY: promised by the caller; no array is null.
    unsafe {
        let rows = header.as_ref();
        rows.each_array(|array, words| f(NonNull::new_unchecked(array).cast(), words));
    }
}

/// Bytes of a frame's rows beside the frame, and whether there is a header among them.
pub(crate) fn bytes(frame: FramePtr) -> (usize, bool) {
    match frame.form() {
        // SAFETY: a live header; the reference ends here.
        Form::Rows => (unsafe { frame.rows().as_ref() }.bytes(), true),
        _ => (0, false),
    }
}

/// A header with room for so many words.
fn new_header(alloc: &mut impl StructAlloc, words: usize) -> Result<NonNull<Rows>, Refused> {
    let memory = alloc.alloc(StructType::Rows).ok_or(Refused)?;
    let data = match array(alloc, MIN_BUCKETS) {
        Ok(data) => data,
        Err(refused) => {
            // SAFETY: from just now; nobody knows of it.
            unsafe { alloc.free(StructType::Rows, memory) };
            return Err(refused);
        }
    };
    let header = memory.cast::<Rows>();
    // SAFETY: fresh memory for a header, to which no other reference exists.
    unsafe {
        header.write(Rows::new(data, MIN_BUCKETS));
        let rows = &mut *header.as_ptr();
        if let Err(refused) = rows.have(alloc, words) {
            free_header(alloc, header);
            return Err(refused);
        }
    }
    Ok(header)
}

/// Writes an element of an array of words.
///
/// # Safety
/// `word` is that of the element.
#[inline]
unsafe fn set(word: *mut u64, at: usize, wide: bool, token: u64) {
    // SAFETY: promised by the caller.
    unsafe {
        if wide {
            word.write(token);
        } else {
            word.cast::<u32>().add(at % 2).write(token as u32);
        }
    }
}

const _: () = assert!(
    cfg!(target_endian = "little"),
    "elements are halves of words"
);

/// The word that an element is in.
#[inline]
fn word_of(element: usize, wide: bool) -> usize {
    if wide { element } else { element / 2 }
}

impl<A: StructAlloc> TableSpace<A> {
    /// Whether an answer of so many tokens, none of which is a handle, can be a row of this frame, whose answers have no values.
    #[inline]
    pub fn takes_row(&self, frame: FramePtr, width: usize) -> bool {
        match frame.form() {
            Form::Trie => {
                (1..=MOST_OF_ROW).contains(&width)
                    && frame.answer_count() == 0
                    && frame.root().is_bare()
            }
            Form::Inline | Form::Rows => frame.width() == width,
        }
    }

    /// Whether a frame that is not complete has the answer with these tokens, as many as its call has variables.
    pub fn has_answer(&self, frame: FramePtr, tokens: &[u64]) -> bool {
        let count = frame.answer_count();
        match frame.form() {
            Form::Rows if frame.width() == tokens.len() => {
                // SAFETY: a live header, whose rows have all been entered.
                let rows = unsafe { &*frame.rows().as_ptr() };
                rows.seen.has(&View::of(frame), count, tokens)
            }
            Form::Rows => false,
            Form::Inline => {
                let view = View::of(frame);
                (0..count).any(|i| view.is(i, tokens))
            }
            _ => self.answer_find(frame, tokens).is_some(),
        }
    }

    /// Adds an answer that [`TableSpace::takes_row`] allows; whether it is new.
    #[inline]
    pub fn add_row(&mut self, frame: FramePtr, tokens: &[u64]) -> Result<bool, Refused> {
        debug_assert!(self.takes_row(frame, tokens.len()));
        debug_assert!(tokens.iter().all(|&t| is_row_token(t)));
        let new = if frame.form() == Form::Rows {
            if !frame.is_wide() && !tokens.iter().all(|&t| is_narrow(t)) {
                self.widen(frame)?;
            }
            add(&mut self.store.alloc, frame, tokens)?
        } else {
            self.add_inline(frame, tokens)?
        };
        if new {
            frame.entry().count(0, 1);
        } else {
            frame.entry().count_repeated();
        }
        Ok(new)
    }

    /// The same where there is no header yet.
    fn add_inline(&mut self, frame: FramePtr, tokens: &[u64]) -> Result<bool, Refused> {
        let count = frame.answer_count();
        let view = View::of(frame);
        if frame.form() == Form::Inline && (0..count).any(|i| view.is(i, tokens)) {
            return Ok(false);
        }
        let needs_wide = !tokens.iter().all(|&t| is_narrow(t));
        let wide = needs_wide || frame.form() == Form::Inline && frame.is_wide();
        let elements = (count + 1) * tokens.len();
        if words_for(elements, wide) > INLINE {
            self.make_header(frame, tokens.len(), wide)?;
            return add(&mut self.store.alloc, frame, tokens);
        }
        let mut words = [0; INLINE];
        let mut at = 0;
        let mut put = |t| {
            let to = &raw mut words[word_of(at, wide)];
            // SAFETY: the word of the element.
            unsafe { set(to, at, wide, t) };
            at += 1;
        };
        if frame.form() == Form::Inline {
            view.each(count, |row| row.iter().for_each(|&t| put(t)));
        }
        tokens.iter().for_each(|&t| put(t));
        frame.set_inline(tokens.len(), wide, words, count + 1);
        Ok(true)
    }

    /// The rows of a frame get a header, with room for one more.
    #[cold]
    #[inline(never)]
    fn make_header(&mut self, frame: FramePtr, width: usize, wide: bool) -> Result<(), Refused> {
        let alloc = &mut self.store.alloc;
        let old = View::of(frame);
        let count = frame.answer_count();
        let header = new_header(alloc, words_for((count + 1) * width, wide))?;
        // SAFETY: new; no other reference exists.
        let rows = unsafe { &mut *header.as_ptr() };
        let mut at = 0;
        old.each(count, |row| {
            for &t in row {
                // SAFETY: there is room for all rows.
                unsafe { set(rows.word(word_of(at, wide)), at, wide, t) };
                at += 1;
            }
        });
        frame.set_rows(width, wide, header);
        Ok(())
    }

    /// The tokens of a frame's rows get 64 bits each.
    #[cold]
    #[inline(never)]
    fn widen(&mut self, frame: FramePtr) -> Result<(), Refused> {
        let old = frame.rows();
        self.make_header(frame, frame.width(), true)?;
        let alloc = &mut self.store.alloc;
        // SAFETY: both headers are live, and not the same; the old one is used no more.
        unsafe {
            std::mem::swap(
                &mut (*frame.rows().as_ptr()).seen,
                &mut (*old.as_ptr()).seen,
            );
        }
        free_header(alloc, old);
        Ok(())
    }

    /// No rows come to this frame any more, which is complete: forgets what is only needed to tell whether they are new.
    /// Where they are in order anyway, as bits, these may be all that is left of a large table, and its answers get other handles, if nobody has one
    /// (`unseen`).
    pub fn seal(&mut self, frame: FramePtr, unseen: bool) {
        self.select_remove(frame);
        if frame.form() == Form::Rows {
            let used = words_for(frame.answer_count() * frame.width(), frame.is_wide());
            // SAFETY: a live header; the reference ends here.
            let rows = unsafe { &mut *frame.rows().as_ptr() };
            if unseen
                && used >= BITS_FROM
                && let Some(reciprocal) = rows.seen.has_bits(used / 2)
            {
                rows.forget_data(&mut self.store.alloc, reciprocal);
                frame.set_bits();
                return;
            }
            rows.seen.free(&mut self.store.alloc);
            rows.shrink(&mut self.store.alloc, used);
        }
    }

    /// Turns the rows of a frame into a trie: answer `i` is leaf `i` of what is returned. Refused: nothing has changed.
    #[cold]
    #[inline(never)]
    pub fn answers_to_trie(&mut self, frame: FramePtr) -> Result<Vec<AnswerPtr>, Refused> {
        let form = frame.form();
        if form == Form::Trie {
            return Ok(Vec::new());
        }
        self.select_remove(frame);
        let count = frame.answer_count();
        debug_assert!(!frame.has_bits());
        let mut leaves = growth::with_room(count)?;
        let view = View::of(frame);
        let header = (form == Form::Rows).then(|| frame.rows());
        frame.clear_rows();
        let store = &mut self.store;
        for i in 0..count {
            let mut node = frame.root();
            for k in 0..view.width {
                let Some(next) = trie::step(store, node, view.token(i, k)) else {
                    trie::prune(store, node);
                    trie::free_below(store, frame.root(), |_, _| ());
                    match header {
                        Some(header) => frame.set_rows(view.width, view.wide, header),
                        None => frame.set_inline(view.width, view.wide, view.inline, count),
                    }
                    frame.set_answer_count(count);
                    return Err(Refused);
                };
                node = next;
            }
            frame.append(node);
            leaves.push(node);
        }
        if let Some(header) = header {
            free_header(&mut store.alloc, header);
        }
        Ok(leaves)
    }
}

/// Adds a row to a frame that has a header, with elements that are wide enough; whether it is new.
#[inline]
fn add(alloc: &mut impl StructAlloc, frame: FramePtr, tokens: &[u64]) -> Result<bool, Refused> {
    let (count, wide) = (frame.answer_count(), frame.is_wide());
    // SAFETY: a live header, to which no other reference exists; a `View` refers to the arrays.
    let rows = unsafe { &mut *frame.rows().as_ptr() };
    let at = count * tokens.len();
    rows.have(alloc, words_for(at + tokens.len(), wide))?;
    if !rows.seen.add(alloc, &View::of(frame), count, tokens)? {
        return Ok(false);
    }
    for (k, &t) in tokens.iter().enumerate() {
        // SAFETY: there is room for it.
        unsafe { set(rows.word(word_of(at + k, wide)), at + k, wide, t) };
    }
    frame.set_answer_count(count + 1);
    Ok(true)
}

#[cfg(test)]
pub(crate) mod tests {
    use crate::{FramePtr, TableSpace};
    use std::collections::HashSet;

    pub(crate) fn int(v: i64) -> u64 {
        (v << 3 | 4) as u64
    }

    pub(crate) fn fill(
        answers: impl Iterator<Item = Vec<u64>>,
    ) -> (TableSpace, FramePtr, Vec<Vec<u64>>) {
        let mut space = TableSpace::new();
        let root = space.subgoal_root(1).unwrap();
        let node = space.subgoal_step(root, 1).unwrap();
        let (frame, _) = space.subgoal_leaf(node).unwrap();
        let (mut all, mut known) = (Vec::new(), HashSet::new());
        for answer in answers {
            assert_eq!(
                space.add_row(frame, &answer),
                Ok(known.insert(answer.clone()))
            );
            if all.len() < known.len() {
                all.push(answer);
            }
        }
        space.verify();
        (space, frame, all)
    }

    fn same(space: &TableSpace, frame: FramePtr, all: &[Vec<u64>]) {
        let mut out = Vec::new();
        assert_eq!(frame.answer_count(), all.len());
        for (answer, expected) in space.answers(frame).zip(all) {
            space.answer_tokens(frame, answer, &mut out).unwrap();
            assert_eq!(&out, expected);
        }
    }

    /// Rows of all shapes come and are there, when they are sealed and when they are a trie too.
    #[test]
    fn rows_are_what_was_added() {
        let n = if cfg!(miri) { 60 } else { 3000 };
        let some = |i: i64| i.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 7;
        let shapes: [fn(i64, i64) -> Vec<u64>; 9] = [
            |i, _| vec![int(i)],
            |i, _| vec![int(-i)],
            |i, x| vec![int(x % 50), int(i % 7 - 3)],
            |i, x| {
                vec![
                    int(x.rem_euclid(40)),
                    int(x.rem_euclid(1600) / 40),
                    int(i % 3),
                ]
            },
            |i, x| vec![int(i % 64 + i / 64), int(x.rem_euclid(64))],
            |i, x| vec![int(x >> 20), int(i)],
            |i, x| vec![(i % 90) as u64 * 256 + 5, int(x.rem_euclid(90) - 45)],
            |i, x| {
                vec![
                    if i % 100 == 99 { int(x) } else { int(i) },
                    (i % 5) as u64 * 256 + 5,
                ]
            },
            |i, x| {
                (0..8)
                    .map(|k| int((x >> (k % 3 + 20) & 1) | (i % 2)))
                    .collect()
            },
        ];
        for shape in shapes {
            for count in [1, 2, 4, 5, 17, n] {
                let rows = (0..count).map(|i| shape(i, some(i)));
                let (mut space, frame, all) = fill(rows);
                same(&space, frame, &all);
                assert!(frame.has_rows());
                space.seal(frame, false);
                space.verify();
                same(&space, frame, &all);
                let leaves = space.answers_to_trie(frame).unwrap();
                assert_eq!(leaves.len(), all.len());
                space.verify();
                same(&space, frame, &all);
                space.remove_subgoal(frame);
                space.verify();
            }
        }
    }

    /// Dense answers take little, and so does looking whether they are there.
    #[test]
    fn bytes_of_rows() {
        let n: i64 = if cfg!(miri) { 20 } else { 300 };
        let (mut space, frame, all) =
            fill((0..n * n).map(|i| vec![int(i % n), int((i / n + i) % n)]));
        let count = all.len();
        let bytes = space.statistics_of(1).bytes;
        assert!(bytes <= 8 * count + 4 * count + 2048, "{bytes} for {count}");
        space.seal(frame, false);
        let bytes = space.statistics_of(1).bytes;
        assert!(bytes <= 8 * count + count + 1024, "{bytes} for {count}");
        // As many nodes as there are pairs, and one for each first token.
        assert_eq!(space.nodes_of_rows(), Ok(count + n as usize));
    }
}
