//! Copies of terms: out of the heap into records, and facts about terms found on the way.
//!
//! The record is built breadth-first, Cheney's way: the cells copied so far are the work list. A first pass expands shared
//! subterms; when the copy grows suspiciously large (huge terms), or many of the cells that are still to be copied are the same (cyclic terms, or
//! ones that share much: [`repeats`]), it starts again, leaving marks in the
//! original compounds, so that sharing and cycles are kept and the copy is linear. Marks and variable
//! marks are undone before returning. With sharing, the host is asked now and then whether to give up ([`samite_term::heavy`]), and the
//! caller whether there is room for so many bytes, record and marks, before they are taken; if not there is no record, nor if the system
//! refuses them.
//!
//! Attributed variables come out as plain ones, or with their attributes beside the term ([`Attributes::Kept`]): the root of the record is `ATT k`
//! then, where the list at `k` is `[Term, V1, Attributes1, V2, Attributes2, ...]`, with all attributed variables that are met in the term and in
//! attributes. [`Heap::instantiate`] makes them of it.

use crate::address_space;
use crate::heap::Heap;
use samite_term::{Cell, Functor, Kind, Record, Tag, heavy};

/// A copy of more words than this is made with sharing.
const SHARE_FROM: usize = 1 << 20;

/// The work list is looked at for what is shared after so many words, and each time that they have doubled.
const LOOK_FROM: usize = 1 << 12;

/// So many cells of the work list are looked at, and this many must be the same as others of them.
const SAMPLE: usize = 256;
const REPEATED: usize = 32;
/// Or one compound has come so often since the last look.
const AGAIN: usize = 32;

// Bit 0 of a mark's payload: the cell is the head of a list cell that was copied to that offset (in either case a
// reference to the marked cell is a reference to the offset).

/// Words copied with sharing between two looks for events.
const BETWEEN_LOOKS: usize = 1 << 18;

/// Objects of more words than this are asked for one by one.
const LARGE: usize = 1 << 16;

/// Undo list: addresses and what was there.
pub(crate) type Marks = Vec<(*mut Cell, Cell)>;

/// From so many bytes on the address space is asked for what is left to others.
const ASKED_FROM: usize = 1 << 16;

/// What becomes of attributed variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attributes {
    /// They are plain ones in the copy.
    Dropped,
    /// The copy has a copy of the attributes, too.
    Kept,
}

/// The attributed variables that were met, and their attributes. `None`: nobody asks.
pub(crate) type Attributed = Option<Vec<(*mut Cell, Cell)>>;

impl Attributes {
    /// Where they are collected.
    pub(crate) fn asked(self) -> Attributed {
        match self {
            Attributes::Dropped => None,
            Attributes::Kept => Some(Vec::new()),
        }
    }
}

/// Whether some were met.
pub(crate) fn are_some(attributed: &Attributed) -> bool {
    attributed.as_ref().is_some_and(|all| !all.is_empty())
}

/// Copies a term out of `heap`, however large it is. `None`: the copy was given up, or the system has no memory for it.
///
/// # Safety
/// As [`record_within`].
pub unsafe fn record(heap: &mut Heap, term: Cell, attributes: Attributes) -> Option<Record> {
    // SAFETY: promised by the caller.
    unsafe { record_within(heap, term, attributes, |_, _| true) }
}

/// Copies a term out of `heap`. `None`: the copy was given up, or there is no room for as many bytes as it needs; for small copies only the
/// system is asked.
///
/// # Safety
/// `term` is a term of `heap`.
pub unsafe fn record_within(
    heap: &mut Heap,
    term: Cell,
    attributes: Attributes,
    room: impl Fn(&Heap, usize) -> bool,
) -> Option<Record> {
    // SAFETY: promised by the caller.
    unsafe {
        let t = samite_term::view::deref(term);
        if t.is_immediate() {
            return Some(Record::immediate(t));
        }
        let (mut words, mut marks) = (Vec::with_capacity(16), Marks::new());
        let mut met = attributes.asked();
        let mut done = flatten(&mut words, t, &mut marks, SHARE_FROM, &|_| false, &mut met);
        restore(&mut marks);
        if !done && !are_some(&met) {
            words.clear();
            done = words_within(heap, t, &room, &mut words, &mut marks, &mut met);
        }
        if are_some(&met) {
            return record_of_attributed(heap, t, &room);
        }
        done.then(|| Record::from_words(words))
    }
}

/// [`record_within`] of a term with attributed variables, and of their attributes.
///
/// # Safety
/// As [`words_within`].
#[cold]
#[inline(never)]
pub(crate) unsafe fn record_of_attributed(
    heap: &Heap,
    t: Cell,
    room: &dyn Fn(&Heap, usize) -> bool,
) -> Option<Record> {
    let (mut words, mut marks) = (Vec::new(), Marks::new());
    // SAFETY: promised by the caller.
    let done = unsafe {
        let done = flatten_beside(&mut words, t, &mut marks, &|n| room(heap, n));
        restore(&mut marks);
        done
    };
    done.then(|| Record::from_words(words))
}

/// Where the list is in a record with attributes: behind the root.
const KEPT: usize = 1;

/// [`flatten`] with sharing, with the attributes of what is met beside the term: what changes in one of these is seen in the others.
///
/// # Safety
/// As [`flatten`].
unsafe fn flatten_beside(
    words: &mut Vec<u64>,
    t: Cell,
    marks: &mut Marks,
    room: &impl Fn(usize) -> bool,
) -> bool {
    let list_at = |at: usize| Cell::pointer(Tag::Lst, at as u64 * 8).0;
    let mut met: Attributed = Some(Vec::new());
    words.push(Cell::pointer(Tag::Att, KEPT as u64 * 8).0);
    words.push(t.0);
    // Where the rest of the list goes when all has been copied: the pointers of a record are none of the heap.
    let mut tail = words.len();
    words.push(Cell::NIL.0);
    let (mut scan, mut seen) = (KEPT, 0);
    let mut links = Vec::new();
    loop {
        // SAFETY: promised by the caller.
        if !unsafe { scan_on(words, &mut scan, marks, usize::MAX, room, &mut met) } {
            return false;
        }
        let new = met.as_deref().unwrap_or_default();
        if seen == new.len() {
            break;
        }
        for &(variable, attributes) in &new[seen..] {
            if !has_room(words, 4) {
                return false;
            }
            let at = words.len();
            links.push((tail, at));
            links.push((at + 1, at + 2));
            words.extend([Cell::to(Tag::Ref, variable), Cell::NIL].map(|c| c.0));
            words.extend([attributes, Cell::NIL].map(|c| c.0));
            tail = at + 3;
        }
        seen = new.len();
    }
    for (from, to) in links {
        words[from] = list_at(to);
    }
    true
}

/// As [`record_within`], of a term that is not immediate, and keeps what it shares in itself: the words of the record. False: there is none.
///
/// # Safety
/// As [`record_within`]; the vectors are empty.
pub(crate) unsafe fn words_within(
    heap: &Heap,
    t: Cell,
    room: impl Fn(&Heap, usize) -> bool,
    words: &mut Vec<u64>,
    marks: &mut Marks,
    met: &mut Attributed,
) -> bool {
    // SAFETY: promised by the caller.
    unsafe {
        let done = flatten(words, t, marks, usize::MAX, &|n| room(heap, n), met);
        restore(marks);
        done
    }
}

/// # Safety
/// The marks were left by [`flatten`] and nothing moved since.
unsafe fn restore(marks: &mut Marks) {
    while let Some((p, old)) = marks.pop() {
        // SAFETY: promised by the caller.
        unsafe { *p = old };
    }
}

/// Room for what is added until the next look: the words of `next`, which is about to be copied, and those of small objects after it.
/// False: there is none, or the work was given up.
fn make_room(
    words: &mut Vec<u64>,
    marks: &mut Marks,
    next: usize,
    room: &impl Fn(usize) -> bool,
) -> bool {
    // By a quarter at a time, and not by doubling: what is taken is what was asked for.
    let more = (words.len() / 4).max(BETWEEN_LOOKS) + next;
    let more_marks = (marks.len() / 4).max(BETWEEN_LOOKS);
    let after =
        (words.len() + more) * 8 + (marks.len() + more_marks) * size_of::<(*mut Cell, Cell)>();
    !heavy::is_given_up()
        && room(after)
        && address_space::has_room(after)
        && words.try_reserve_exact(more).is_ok()
        && marks.try_reserve_exact(more_marks).is_ok()
}

/// Room for `n` more. False: the system refuses it.
#[inline(always)]
fn has_room<T>(v: &mut Vec<T>, n: usize) -> bool {
    v.capacity() - v.len() >= n || grow(v, n)
}

#[cold]
#[inline(never)]
fn grow<T>(v: &mut Vec<T>, n: usize) -> bool {
    let more = n.max(v.capacity()).max(16);
    let bytes = (v.len() + more) * size_of::<T>();
    (bytes < ASKED_FROM || address_space::has_room(bytes)) && v.try_reserve_exact(more).is_ok()
}

/// Whether many of the compounds in the work list are the same: in a term that shares its subterms at many levels the list of those still to be
/// copied grows, and what they are does not.
#[cold]
#[inline(never)]
fn repeats(work: &[u64]) -> bool {
    let mut sample = [0; SAMPLE];
    let mut n = 0;
    let step = (work.len() / SAMPLE).max(1);
    for &word in work.iter().step_by(step).take(SAMPLE) {
        if matches!(Cell(word).tag(), Tag::Lst | Tag::Str) {
            sample[n] = word;
            n += 1;
        }
    }
    let sample = &mut sample[..n];
    sample.sort_unstable();
    sample.windows(2).filter(|two| two[0] == two[1]).count() >= REPEATED
}

/// Builds the words of a record of `root`. Compounds are marked if `limit` is `usize::MAX`; otherwise false is returned
/// when more than `limit` words come out, or the work was given up, or there is no room for them.
///
/// # Safety
/// `root` is a dereferenced term of a live heap that nobody else uses meanwhile.
unsafe fn flatten(
    words: &mut Vec<u64>,
    root: Cell,
    marks: &mut Marks,
    limit: usize,
    room: &impl Fn(usize) -> bool,
    met: &mut Attributed,
) -> bool {
    words.push(root.0);
    // SAFETY: promised by the caller.
    unsafe { scan_on(words, &mut 0, marks, limit, room, met) }
}

/// Copies what the words from `from` on are on the heap, and what they lead to, until all words are of the record.
///
/// # Safety
/// As [`flatten`].
unsafe fn scan_on(
    words: &mut Vec<u64>,
    from: &mut usize,
    marks: &mut Marks,
    limit: usize,
    room: &impl Fn(usize) -> bool,
    met: &mut Attributed,
) -> bool {
    let share = limit == usize::MAX;
    // What is small is not asked for.
    let mut pause = if share { BETWEEN_LOOKS } else { LOOK_FROM };
    // The compound that was copied last before the last look, and how often it has come since: a cycle comes back to it.
    let (mut seen, mut again) = (std::ptr::null_mut(), 0);
    let mut last = std::ptr::null_mut();
    let mut scan = *from;
    while scan < words.len() {
        let mut c = Cell(words[scan]);
        // SAFETY: pointers of terms are valid; marks are told from terms by their kind.
        unsafe {
            // References, to the end or to a variable already numbered.
            while c.is_ref() {
                let next = *c.ptr();
                if next.is_kind(Kind::Copied) {
                    c = next;
                    break;
                }
                if next == c || next.tag() == Tag::Att {
                    let full = marks.len() == marks.capacity();
                    let large = share && words.len() > BETWEEN_LOOKS;
                    if full && !(large && make_room(words, marks, 0, room) || grow(marks, 1)) {
                        return false;
                    }
                    if next != c
                        && let Some(all) = met
                    {
                        all.push((c.ptr(), *next.ptr().add(1)));
                    }
                    let offset = scan as u64 * 8;
                    marks.push((c.ptr(), next));
                    *c.ptr() = Cell::header(Kind::Copied, offset);
                    c = Cell::header(Kind::Copied, offset);
                    break;
                }
                c = next;
            }
            let here = words.len() as u64 * 8;
            let at = scan;
            words[at] = match c.tag() {
                Tag::Int | Tag::Con => c.0,
                Tag::Lst => {
                    let p = c.ptr();
                    let (head, tail) = (*p, *p.add(1));
                    if share && head.is_kind(Kind::Copied) && head.payload() & 1 == 1 {
                        Cell::pointer(Tag::Lst, head.payload() & !1).0
                    } else {
                        // A head that is marked as a variable, or unbound in place, is resolved when it is scanned.
                        if !has_room(words, 2) {
                            return false;
                        }
                        words.extend_from_slice(&[head.0, tail.0]);
                        again += usize::from(p == seen);
                        last = p;
                        if share {
                            if !has_room(marks, 1) {
                                return false;
                            }
                            marks.push((p, head));
                            *p = Cell::header(Kind::Copied, here | 1);
                        }
                        Cell::pointer(Tag::Lst, here).0
                    }
                }
                Tag::Str => {
                    let p = c.ptr();
                    let f = *p;
                    if f.is_kind(Kind::Copied) {
                        Cell::pointer(Tag::Str, f.payload()).0
                    } else {
                        let arity = Functor::from_cell(f).arity();
                        if arity > LARGE && (!share || !make_room(words, marks, arity, room)) {
                            return false;
                        }
                        if !has_room(words, 1 + arity) {
                            return false;
                        }
                        words.extend((0..=arity).map(|i| (*p.add(i)).0));
                        again += usize::from(p == seen);
                        last = p;
                        if share {
                            if !has_room(marks, 1) {
                                return false;
                            }
                            marks.push((p, f));
                            *p = Cell::header(Kind::Copied, here);
                        }
                        Cell::pointer(Tag::Str, here).0
                    }
                }
                Tag::Box => {
                    let p = c.ptr();
                    let raw = (*p).box_words();
                    if raw > LARGE && (!share || !make_room(words, marks, raw, room)) {
                        return false;
                    }
                    if !has_room(words, 1 + raw) {
                        return false;
                    }
                    words.extend((0..=raw).map(|i| (*p.add(i)).0));
                    Cell::pointer(Tag::Box, here).0
                }
                Tag::Hdr if c.is_kind(Kind::Copied) => Cell::pointer(Tag::Ref, c.payload() & !1).0,
                Tag::Hdr => {
                    scan += c.box_words();
                    c.0
                }
                Tag::Ref | Tag::Att => unreachable!("references were followed"),
            };
        }
        if words.len() > pause {
            if share {
                if !make_room(words, marks, 0, room) {
                    return false;
                }
                pause = words.len() + BETWEEN_LOOKS;
            } else {
                if words.len() > limit || again >= AGAIN || repeats(&words[scan + 1..]) {
                    return false;
                }
                (seen, again) = (last, 0);
                pause = limit.min(2 * words.len());
            }
        }
        scan += 1;
    }
    *from = scan;
    true
}
