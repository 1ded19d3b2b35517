//! Copies of terms within a heap, as `copy_term/2` and `duplicate_term/2` make them. A compound that occurs more than once in a term occurs as often in
//! the copy, and is one there, too, so that a program that changes it sees the change wherever it is (`setarg/3`). In `copy_term/2` what is ground is
//! the same in every copy, and in the original (`nb_setarg/3`).
//!
//! What fits into the nursery is copied depth-first ([`Heap::copy_young`]): an object whose arguments turn out to be ground is the last thing in the
//! copy when it is complete, and is taken back. Compounds that were met are marked as long as the copy is made, with what has become of them.
//!
//! What has attributes that are kept goes by a record with these ([`crate::copy`]), and is copied as a whole.
//!
//! What does not fit, and what is cyclic, goes by a record that keeps what the term shares in itself, made breadth-first ([`crate::copy`]): objects lie in the order
//! of the first pointer to each. So what the objects of the record are in the original is found by walking both at once.
//!
//! *Equation*: words of the copy = words of the distinct compounds of the term in which a variable occurs, at whatever depth; of `duplicate_term/2`: of all.

use crate::copy::{Attributes, Marks, are_some, record_of_attributed, words_within};
use crate::heap::{Heap, OutOfMemory};
use samite_term::growth;
use samite_term::{Cell, Functor, Kind, Tag, record};
use std::ops::Range;

/// What becomes of ground subterms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ground {
    /// They are those of the original.
    Shared,
    /// They are copied like everything else.
    Copied,
}

/// An object of the record.
#[derive(Debug)]
struct Object {
    /// Its first word in the record.
    at: u32,
    /// Its first word in the copy, [`GROUND`] if there is none.
    to: u32,
    /// The pointer to it in the original.
    original: Cell,
}

const GROUND: u32 = u32::MAX;

/// Terms of more words than this go by a record, for events are looked for while that is made.
const VISITS: usize = 1 << 16;

/// So many entries are kept.
const KEPT: usize = 4096;

/// What a copy needs for a while, kept to save allocations.
#[derive(Debug, Default)]
pub struct Scratch {
    words: Vec<u64>,
    marks: Marks,
    met: Vec<Met>,
    objects: Vec<Object>,
    open: Vec<Unfinished>,
}

/// A copy, and where what is new of it stands.
pub(crate) struct Copied {
    pub root: Cell,
    pub words: Range<*mut Cell>,
}

impl Copied {
    /// One with nothing new, or nothing that anybody asks for.
    fn nothing(root: Cell) -> Copied {
        let none = std::ptr::null_mut();
        Copied {
            root,
            words: none..none,
        }
    }
}

/// A compound that was met. Its first word is a mark with the number of this.
#[derive(Debug)]
struct Met {
    /// The first word, and what was there: a functor or the head of a list; for a head that was an unbound variable the reference to its copy.
    place: *mut Cell,
    old: Cell,
    /// The pointer that stands in the copy for pointers to it; NIL until it is complete.
    copy: Cell,
}

/// A compound that is being copied depth-first.
#[derive(Debug)]
struct Unfinished {
    /// The compound, and where the pointer to it or its copy goes.
    original: Cell,
    place: *mut Cell,
    /// The argument to be copied next, where to, and how many are left.
    from: *const Cell,
    to: *mut Cell,
    left: usize,
    /// The copy, and the number of its [`Met`].
    copy: *mut Cell,
    met: usize,
    /// A variable has been met, or what is ground is copied.
    is_open: bool,
}

impl Heap {
    /// A copy of a term of this heap; see the module text. `None`: the copy was given up, or there is no room for it ([`crate::copy::record_within`]).
    ///
    /// # Safety
    /// `term` is a term of this heap.
    pub unsafe fn copy_sharing(
        &mut self,
        term: Cell,
        ground: Ground,
        attributes: Attributes,
        room: impl Fn(&Heap, usize) -> bool,
    ) -> Result<Option<Cell>, OutOfMemory> {
        // SAFETY: promised by the caller.
        let copied = unsafe { self.copied(term, ground, attributes, room)? };
        Ok(copied.map(|copied| copied.root))
    }

    /// As [`Heap::copy_sharing`]. What is kept ([`crate::keeping`]) is copied as constants are.
    ///
    /// # Safety
    /// As there.
    pub(crate) unsafe fn copied(
        &mut self,
        term: Cell,
        ground: Ground,
        attributes: Attributes,
        room: impl Fn(&Heap, usize) -> bool,
    ) -> Result<Option<Copied>, OutOfMemory> {
        // SAFETY: promised by the caller.
        let t = unsafe { samite_term::view::deref(term) };
        if t.is_immediate() || t.is_kind(Kind::Raw) {
            return Ok(Some(Copied::nothing(t)));
        }
        let mut scratch = std::mem::take(&mut self.copying);
        let base = self.h;
        // SAFETY: as above.
        let young = unsafe { self.copy_young(t, ground, attributes, &mut scratch) };
        if let Some(root) = young {
            self.copying = scratch;
            let words = base..self.h;
            return Ok(Some(Copied { root, words }));
        }
        let (words, marks) = (&mut scratch.words, &mut scratch.marks);
        // SAFETY: as above; what was left in the vectors is cleared. The term does not change in between.
        unsafe {
            let mut met = attributes.asked();
            let done = words_within(self, t, &room, words, marks, &mut met);
            if are_some(&met) {
                return match record_of_attributed(self, t, &room) {
                    Some(record) => (self.instantiate(&record)).map(|c| Some(Copied::nothing(c))),
                    None => Ok(None),
                };
            }
            if !done {
                return Ok(None);
            }
            match ground {
                Ground::Shared => self.share(words, t, &mut scratch.objects).map(Some),
                Ground::Copied => self.whole(words).map(Some),
            }
        }
    }

    /// A copy within the nursery; `None` if it does not fit, or the term is cyclic or large, or it has attributes that are kept.
    ///
    /// # Safety
    /// `term` is a dereferenced term of this heap, and not immediate.
    unsafe fn copy_young(
        &mut self,
        term: Cell,
        ground: Ground,
        attributes: Attributes,
        scratch: &mut Scratch,
    ) -> Option<Cell> {
        let base = self.h;
        let mut root = Cell::NIL;
        // SAFETY: promised by the caller.
        let end = unsafe { self.copy_up(term, ground, attributes, &mut root, scratch) };
        // Compounds first: the head of a list that was bound to its copy was marked after that.
        for &Met { place, old, .. } in &scratch.met {
            // SAFETY: compounds that were marked just now.
            unsafe { *place = old };
        }
        for &(p, old) in &scratch.marks {
            // SAFETY: variables that were bound just now.
            unsafe { *p = old };
        }
        scratch.met.clear();
        scratch.marks.clear();
        scratch.open.clear();
        let kept = [
            scratch.open.capacity(),
            scratch.marks.capacity(),
            scratch.met.capacity(),
        ];
        if kept.iter().any(|&n| n > KEPT) {
            *scratch = Scratch::default();
        }
        let words = (end? as usize - base as usize) / 8;
        let taken = self.allocate_young(words);
        debug_assert!(taken == Some(base));
        Some(root)
    }

    /// Copies above `h`, which stays where it is; returns the end of the copy. Variables of the original are bound to their copies, compounds
    /// marked, and both left in the lists of them.
    ///
    /// # Safety
    /// As [`Heap::copy_young`].
    unsafe fn copy_up(
        &self,
        term: Cell,
        ground: Ground,
        attributes: Attributes,
        root: &mut Cell,
        scratch: &mut Scratch,
    ) -> Option<*mut Cell> {
        let base = self.h;
        let room = self.nursery_room();
        let mut top = base;
        let mut visits = VISITS;
        let (open, marks, met) = (&mut scratch.open, &mut scratch.marks, &mut scratch.met);
        // What is copied next, and where to.
        let (mut c, mut place) = (term, std::ptr::from_mut(root));
        // SAFETY: pointers of terms are valid; what lies between `base` and `top` is the copy's, and not more than there is room for.
        unsafe {
            loop {
                // A variable: reference to itself.
                while c.is_ref() {
                    let next = *c.ptr();
                    if next == c || next.tag() == Tag::Att {
                        break;
                    }
                    c = match next.is_kind(Kind::Copied) {
                        // The head of a list.
                        true => met[next.payload() as usize].old,
                        false => next,
                    };
                }
                match c.tag() {
                    Tag::Ref => {
                        let p = c.ptr();
                        if attributes == Attributes::Kept && (*p).tag() == Tag::Att {
                            return None;
                        }
                        let is_copy =
                            (p as usize).wrapping_sub(base as usize) < top as usize - base as usize;
                        if !is_copy {
                            if open.is_empty() {
                                // The term is a variable.
                                if room == 0 {
                                    return None;
                                }
                                place = top;
                                top = top.add(1);
                                *root = Cell::to(Tag::Ref, place);
                            }
                            if marks.len() == marks.capacity() {
                                marks.try_reserve(marks.len().max(16)).ok()?;
                            }
                            marks.push((p, *p));
                            c = Cell::to(Tag::Ref, place);
                            *p = c;
                        }
                        *place = c;
                        if let Some(o) = open.last_mut() {
                            o.is_open = true;
                        }
                    }
                    Tag::Lst | Tag::Str => {
                        let p = c.ptr();
                        let first = *p;
                        if first.is_kind(Kind::Copied) {
                            let copy = met[first.payload() as usize].copy;
                            if copy == Cell::NIL {
                                // A cycle.
                                return None;
                            }
                            *place = copy;
                            if let Some(o) = open.last_mut() {
                                o.is_open |= copy != c;
                            }
                        } else {
                            let (words, skip) = match c.tag() {
                                Tag::Lst => (2, 0),
                                _ => (1 + Functor::from_cell(first).arity(), 1),
                            };
                            if words > room - (top as usize - base as usize) / 8 || words > visits {
                                return None;
                            }
                            visits -= words;
                            if open.len() == open.capacity() {
                                open.try_reserve(open.len().max(16)).ok()?;
                            }
                            if met.len() == met.capacity() {
                                met.try_reserve(met.len().max(16)).ok()?;
                            }
                            let copy = top;
                            top = top.add(words);
                            let mut unfinished = Unfinished {
                                original: c,
                                place,
                                from: p.add(skip),
                                to: copy.add(skip),
                                left: words - skip,
                                copy,
                                met: met.len(),
                                is_open: ground == Ground::Copied,
                            };
                            let mut old = first;
                            if skip == 1 {
                                *copy = first;
                            } else {
                                // The head goes where it is not found any more.
                                if first == Cell::to(Tag::Ref, p) || first.tag() == Tag::Att {
                                    if marks.len() == marks.capacity() {
                                        marks.try_reserve(marks.len().max(16)).ok()?;
                                    }
                                    marks.push((p, first));
                                    old = Cell::to(Tag::Ref, copy);
                                    *copy = old;
                                }
                                (unfinished.from, unfinished.to) = (p.add(1), copy.add(1));
                                unfinished.left = 1;
                            }
                            *p = Cell::header(Kind::Copied, met.len() as u64);
                            met.push(Met {
                                place: p,
                                old,
                                copy: Cell::NIL,
                            });
                            open.push(unfinished);
                            if skip == 0 {
                                (c, place) = (old, copy);
                                continue;
                            }
                        }
                    }
                    Tag::Att => return None,
                    Tag::Int | Tag::Con | Tag::Box | Tag::Hdr => *place = c,
                }
                // What is next, after what is complete.
                loop {
                    let Some(o) = open.last_mut() else {
                        return Some(top);
                    };
                    if o.left > 0 {
                        (c, place) = (*o.from, o.to);
                        (o.from, o.to, o.left) = (o.from.add(1), o.to.add(1), o.left - 1);
                        break;
                    }
                    let is_open = o.is_open;
                    let pointer = if is_open {
                        Cell::to(o.original.tag(), o.copy)
                    } else {
                        top = o.copy;
                        o.original
                    };
                    *o.place = pointer;
                    met[o.met].copy = pointer;
                    open.pop();
                    if let Some(parent) = open.last_mut() {
                        parent.is_open |= is_open;
                    }
                }
            }
        }
    }

    /// A copy of all that is in a record.
    fn whole(&mut self, words: &[u64]) -> Result<Copied, OutOfMemory> {
        let p = self.allocate(words.len())?;
        // SAFETY: that many words were just allocated.
        let (out, end) = unsafe {
            let out = std::slice::from_raw_parts_mut(p.cast(), words.len());
            (out, p.add(words.len()))
        };
        let root = record::instantiate(words, out);
        Ok(Copied {
            root,
            words: p..end,
        })
    }

    /// # Safety
    /// `term` is a dereferenced term of this heap, and `words` those of its record.
    unsafe fn share(
        &mut self,
        words: &[u64],
        term: Cell,
        objects: &mut Vec<Object>,
    ) -> Result<Copied, OutOfMemory> {
        let is_tree = find_objects(words, objects).ok_or(OutOfMemory)?;
        match is_tree {
            true => open_tree(words, objects),
            false => open_graph(words, objects).ok_or(OutOfMemory)?,
        }
        let size = place_open(words, objects);
        if size + 1 == words.len() || objects.is_empty() {
            // Nothing is shared, or it is a variable.
            return self.whole(words);
        }
        if size == 0 {
            return Ok(Copied::nothing(term));
        }
        objects[0].original = term;
        // SAFETY: promised by the caller.
        unsafe { find_originals(words, objects, is_tree) };
        let base = self.allocate(size)?;
        for i in 0..objects.len() {
            let Object { at, to, .. } = objects[i];
            if to == GROUND {
                continue;
            }
            let source = object(words, objects, i);
            for (n, &word) in source.iter().enumerate() {
                // SAFETY: `size` words were allocated, of which each object with variables has its own.
                let place = unsafe { base.add(to as usize + n) };
                let c = value(words, Cell(word));
                let copied = match c.tag() {
                    Tag::Str | Tag::Lst | Tag::Box => {
                        let o = &objects[object_at(objects, c)];
                        match o.to {
                            GROUND => o.original,
                            // SAFETY: as above.
                            to => Cell::to(c.tag(), unsafe { base.add(to as usize) }),
                        }
                    }
                    Tag::Ref if c.address() as usize / 8 == at as usize + n => {
                        Cell::to(Tag::Ref, place)
                    }
                    Tag::Ref | Tag::Att => {
                        let home = &objects[object_at(objects, c)];
                        let first = c.address() as u32 / 8;
                        // SAFETY: as above; what has a variable in it is copied.
                        Cell::to(Tag::Ref, unsafe {
                            base.add((home.to + first - home.at) as usize)
                        })
                    }
                    Tag::Int | Tag::Con | Tag::Hdr => c,
                };
                // SAFETY: as above.
                unsafe { *place = copied };
            }
        }
        let root = Cell::to(Cell(words[0]).tag(), base);
        // SAFETY: as above.
        let end = unsafe { base.add(size) };
        Ok(Copied {
            root,
            words: base..end,
        })
    }
}

fn is_pointer(c: Cell) -> bool {
    matches!(c.tag(), Tag::Str | Tag::Lst | Tag::Box)
}

/// The words of an object; none of a box, which leads to nothing and is never open.
fn object<'a>(words: &'a [u64], objects: &[Object], i: usize) -> &'a [u64] {
    let end = objects.get(i + 1).map_or(words.len(), |o| o.at as usize);
    let object = &words[objects[i].at as usize..end];
    let first = Cell(object[0]);
    match first.tag() == Tag::Hdr && first.box_words() > 0 {
        true => &[],
        false => object,
    }
}

/// The object that a word leads into.
fn object_at(objects: &[Object], c: Cell) -> usize {
    let at = c.address() as u32 / 8;
    objects.partition_point(|o| o.at <= at) - 1
}

/// What a cell of a record stands for: references to the head of a list are followed to what that is, if it is no variable.
fn value(words: &[u64], cell: Cell) -> Cell {
    let mut c = cell;
    while c.tag() == Tag::Ref {
        let next = Cell(words[c.address() as usize / 8]);
        if next == c {
            break;
        }
        c = next;
    }
    c
}

/// The objects of a record; returns whether each has one pointer to it. `None`: there is no memory for the list.
fn find_objects(words: &[u64], objects: &mut Vec<Object>) -> Option<bool> {
    let (mut scan, mut next, mut is_tree) = (0, 1, true);
    objects.clear();
    while scan < words.len() {
        let c = Cell(words[scan]);
        if is_pointer(c) && c.address() as usize / 8 == next {
            let o = Object {
                at: u32::try_from(next).ok()?,
                to: GROUND,
                original: Cell::NIL,
            };
            growth::push(objects, o).ok()?;
            let first = Cell(words[next]);
            next += match c.tag() {
                Tag::Lst => 2,
                Tag::Box => 1 + first.box_words(),
                _ => 1 + Functor::from_cell(first).arity(),
            };
        } else if is_pointer(c) || value(words, c) != c {
            is_tree = false;
        } else if c.tag() == Tag::Hdr {
            scan += c.box_words();
        }
        scan += 1;
    }
    Some(is_tree)
}

/// Finds the objects in which a variable occurs: their `to` is another than [`GROUND`]. From the last on, as what an object refers to comes after it.
fn open_tree(words: &[u64], objects: &mut [Object]) {
    let mut child = objects.len();
    for i in (0..objects.len()).rev() {
        for &word in object(words, objects, i).iter().rev() {
            let open = match Cell(word).tag() {
                Tag::Str | Tag::Lst | Tag::Box => {
                    child -= 1;
                    objects[child].to != GROUND
                }
                Tag::Ref | Tag::Att => true,
                Tag::Int | Tag::Con | Tag::Hdr => false,
            };
            if open {
                objects[i].to = 0;
            }
        }
    }
}

/// The same where objects have several pointers to them, or refer to what they are part of: from each variable to all that leads there.
fn open_graph(words: &[u64], objects: &mut [Object]) -> Option<()> {
    let pointers = |objects: &[Object], i| {
        let cells = object(words, objects, i).iter();
        cells.map(|&w| value(words, Cell(w)))
    };
    // Who refers to object j: `from[ends[j - 1]..ends[j]]`, when all are filled in.
    let mut ends = growth::with_room::<u32>(objects.len() + 1).ok()?;
    ends.resize(objects.len() + 1, 0);
    let mut work = growth::with_room::<u32>(objects.len()).ok()?;
    for i in 0..objects.len() {
        let mut open = false;
        for c in pointers(objects, i) {
            match c.tag() {
                Tag::Str | Tag::Lst | Tag::Box => ends[object_at(objects, c) + 1] += 1,
                Tag::Ref | Tag::Att => open = true,
                Tag::Int | Tag::Con | Tag::Hdr => {}
            }
        }
        if open {
            objects[i].to = 0;
            work.push(i as u32);
        }
    }
    for j in 0..objects.len() {
        ends[j + 1] += ends[j];
    }
    let all = ends[objects.len()] as usize;
    let mut from = growth::with_room::<u32>(all).ok()?;
    from.resize(all, 0);
    for i in 0..objects.len() {
        for c in pointers(objects, i).filter(|&c| is_pointer(c)) {
            let end = &mut ends[object_at(objects, c)];
            from[*end as usize] = i as u32;
            *end += 1;
        }
    }
    while let Some(j) = work.pop() {
        let j = j as usize;
        let start = if j == 0 { 0 } else { ends[j - 1] };
        for &i in &from[start as usize..ends[j] as usize] {
            let o = &mut objects[i as usize];
            if o.to == GROUND {
                o.to = 0;
                work.push(i);
            }
        }
    }
    Some(())
}

/// Gives each object with variables its place in the copy; returns the words of all.
fn place_open(words: &[u64], objects: &mut [Object]) -> usize {
    let mut size = 0;
    for i in 0..objects.len() {
        if objects[i].to != GROUND {
            objects[i].to = size as u32;
            size += object(words, objects, i).len();
        }
    }
    size
}

/// Finds what the objects are in the original, where that of the first is known. In a tree what is below a ground one is not looked at by anybody.
///
/// # Safety
/// The original has an object of the same form wherever a pointer of the record leads.
unsafe fn find_originals(words: &[u64], objects: &mut [Object], is_tree: bool) {
    let mut child = 1;
    for i in 0..objects.len() {
        let Object { to, original, .. } = objects[i];
        for (n, &word) in object(words, objects, i).iter().enumerate() {
            let c = Cell(word);
            let is_next =
                is_pointer(c) && objects.get(child).map(|o| o.at) == Some(c.address() as u32 / 8);
            if is_next {
                if to != GROUND || !is_tree {
                    // SAFETY: promised by the caller.
                    let t = unsafe { samite_term::view::deref(*original.ptr().add(n)) };
                    objects[child].original = t;
                }
                child += 1;
            }
        }
    }
    debug_assert!(child == objects.len());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::HeapConfig;
    use samite_term::view::deref;
    use samite_term::{Atom, variant};
    use std::collections::{HashMap, HashSet};

    /// Which compounds of a term are the same, and which of them and of its variables are `old`.
    fn form(term: Cell, old: &HashSet<u64>) -> Vec<(u64, bool)> {
        let (mut numbers, mut form, mut work) = (HashMap::new(), vec![], vec![term]);
        while let Some(c) = work.pop() {
            // SAFETY: a term of a heap that nobody changes meanwhile.
            let c = unsafe { deref(c) };
            if matches!(c.tag(), Tag::Int | Tag::Con | Tag::Box) {
                form.push((c.tag() as u64, false));
                continue;
            }
            let n = numbers.len() as u64 + 8;
            let number = *numbers.entry(c.0).or_insert(n);
            form.push((number, old.contains(&c.0)));
            if number < n {
                continue;
            }
            // SAFETY: as above.
            unsafe {
                match c.tag() {
                    Tag::Lst => work.extend([*c.ptr(), *c.ptr().add(1)]),
                    Tag::Str => {
                        let arity = Functor::from_cell(*c.ptr()).arity();
                        work.extend((1..=arity).map(|i| *c.ptr().add(i)));
                    }
                    _ => {}
                }
            }
        }
        form
    }

    const ROUNDS: usize = if cfg!(miri) { 20 } else { 2000 };

    fn heap() -> Heap {
        let config = HeapConfig {
            nursery: 1 << 17,
            limit: 1 << 28,
            stress: 0,
            ..HeapConfig::default()
        };
        Heap::new(config).unwrap()
    }

    /// Both ways of copying keep what is shared in a term, and make new what has variables, or all, and nothing else; and leave the term as it was.
    #[test]
    fn copies_have_the_form_of_their_terms() {
        let mut seed = 0x9e37_79b9_7f4a_7c15u64;
        let mut next = move |n: usize| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed % n as u64) as usize
        };
        let (mut acyclic, mut copied_young) = (0, 0);
        for round in 0..ROUNDS {
            let mut h = heap();
            let start = h.h;
            let mut pool = vec![Cell::small(1), Cell::NIL];
            let mut made = vec![];
            for _ in 0..next(16) + 2 {
                let (a, b) = (pool[next(pool.len())], pool[next(pool.len())]);
                let f = Functor::new(Atom::new("f"), 2);
                let c = match next(if round % 2 == 0 { 12 } else { 5 }) {
                    0 => h.variable().unwrap(),
                    1 => h.float(next(100) as f64).unwrap(),
                    2 => {
                        // A list cell whose head is an unbound variable in place, or bound.
                        let l = h.list_cell(a, b).unwrap();
                        pool.push(Cell::to(Tag::Ref, l.ptr()));
                        if next(2) == 0 {
                            // SAFETY: the cell was just made.
                            unsafe { *l.ptr() = Cell::to(Tag::Ref, l.ptr()) };
                        }
                        l
                    }
                    3 | 4 => h.list_cell(a, b).unwrap(),
                    _ => h.structure(f, &[a, b]).unwrap(),
                };
                if c.tag() == Tag::Str {
                    made.push(c);
                }
                pool.push(c);
            }
            let is_cyclic = next(4) == 0 && !made.is_empty();
            if is_cyclic {
                let at = made[next(made.len())];
                // SAFETY: a structure of this heap.
                unsafe { *at.ptr().add(1) = pool[pool.len() - 1] };
            }
            let term = h.list(&pool, Cell::NIL).unwrap();
            // What there is, by the words that point to it.
            let mut old: HashSet<u64> = HashSet::new();
            for at in 0..(h.h as usize - start as usize) / 8 {
                let p = start.wrapping_add(at);
                old.extend([Tag::Ref, Tag::Lst, Tag::Str].map(|t| Cell::to(t, p).0));
            }
            let before = form(term, &HashSet::new());
            let shape = |f: &[(u64, bool)]| f.iter().map(|x| x.0).collect::<Vec<_>>();
            for ground in [Ground::Shared, Ground::Copied] {
                let mut scratch = Scratch::default();
                // SAFETY: a term of this heap.
                let (young, other) = unsafe {
                    let young = h.copy_young(term, ground, Attributes::Dropped, &mut scratch);
                    let mut scratch = Scratch::default();
                    let (words, marks) = (&mut scratch.words, &mut scratch.marks);
                    assert!(words_within(&h, term, |_, _| true, words, marks, &mut None));
                    let other = match ground {
                        Ground::Shared => h.share(words, term, &mut scratch.objects),
                        Ground::Copied => h.whole(words),
                    };
                    (young, other.unwrap().root)
                };
                assert_eq!(form(term, &HashSet::new()), before);
                let forms = [young, Some(other)].map(|c| c.map(|c| form(c, &old)));
                let [young_form, Some(other_form)] = forms else {
                    unreachable!("a copy was made")
                };
                assert_eq!(shape(&other_form), shape(&before), "{ground:?}");
                match young_form {
                    Some(form) => {
                        copied_young += 1;
                        assert_eq!(form, other_form, "{ground:?}");
                    }
                    None => assert!(is_cyclic),
                }
                if ground == Ground::Copied {
                    assert!(other_form.iter().all(|x| !x.1));
                }
                if !is_cyclic {
                    acyclic += 1;
                    // SAFETY: terms of this heap.
                    assert!(unsafe { variant::variant(term, other) });
                }
            }
        }
        assert!(copied_young >= acyclic && acyclic > ROUNDS);
    }
}
