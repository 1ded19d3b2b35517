//! Copies of terms within a heap that share what is ground with the original, as `copy_term/2` makes them: what has no variables is the same
//! in every copy, so a program that changes it (`nb_setarg/3`) sees the change in all.
//!
//! What fits into the nursery is copied depth-first ([`Heap::copy_young`]): an object whose arguments turn out to be ground is the last thing in the
//! copy when it is complete, and is taken back.
//!
//! What does not goes by a record of the term, made breadth-first ([`crate::copy`]): the k-th pointer in it refers to the k-th object, and
//! objects lie in that order. So what the objects of the record are in the original is found by walking both at once.
//!
//! *Equation*: words of the copy = words of the term's compounds in which a variable occurs, at whatever depth. A compound that occurs more than once
//! is as many, unless the record keeps what the term shares in itself (very large terms, cyclic ones, those that share much): then the copy is
//! that of the whole record.

use crate::copy::{Marks, words_within};
use crate::heap::{Heap, OutOfMemory};
use samite_term::{Cell, Functor, Tag, record};

/// An object of the record.
#[derive(Debug)]
struct Object {
    /// Its first word in the record.
    at: u32,
    /// Its first word in the copy, [`GROUND`] if there is none.
    to: u32,
    /// The pointer to it in the original; known for those of which the copy has a pointer.
    original: Cell,
}

const GROUND: u32 = u32::MAX;

/// Terms of more words than this go by a record, which keeps what they share in themselves.
const VISITS: usize = 1 << 16;

/// So many entries are kept.
const KEPT: usize = 4096;

/// What a copy needs for a while, kept to save allocations.
#[derive(Debug, Default)]
pub struct Scratch {
    words: Vec<u64>,
    marks: Marks,
    objects: Vec<Object>,
    open: Vec<Unfinished>,
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
    /// The copy.
    copy: *mut Cell,
    /// A variable has been met.
    is_open: bool,
}

impl Heap {
    /// A copy of a term of this heap, that shares with it the subterms without variables. One whose record keeps what was shared in
    /// it is copied whole. `None`: the copy was given up, or there is no room for it ([`crate::copy::record_within`]).
    ///
    /// # Safety
    /// `term` is a term of this heap.
    pub unsafe fn copy_sharing(
        &mut self,
        term: Cell,
        room: impl Fn(&Heap, usize) -> bool,
    ) -> Result<Option<Cell>, OutOfMemory> {
        // SAFETY: promised by the caller.
        let t = unsafe { samite_term::view::deref(term) };
        if t.is_immediate() {
            return Ok(Some(t));
        }
        let mut scratch = std::mem::take(&mut self.copying);
        // SAFETY: as above.
        let young = unsafe { self.copy_young(t, &mut scratch) };
        if let Some(copy) = young {
            self.copying = scratch;
            return Ok(Some(copy));
        }
        let (words, marks) = (&mut scratch.words, &mut scratch.marks);
        // SAFETY: as above; what was left in the vectors is cleared. The term does not change in between.
        unsafe {
            match words_within(self, t, room, words, marks) {
                true => self.share(words, t, &mut scratch.objects).map(Some),
                false => Ok(None),
            }
        }
    }

    /// A copy within the nursery; `None` if it does not fit, or is not a tree of such a size.
    ///
    /// # Safety
    /// `term` is a dereferenced term of this heap, and not immediate.
    unsafe fn copy_young(&mut self, term: Cell, scratch: &mut Scratch) -> Option<Cell> {
        let base = self.h;
        let mut root = Cell::NIL;
        // SAFETY: promised by the caller.
        let end = unsafe { self.copy_up(term, &mut root, scratch) };
        while let Some((p, old)) = scratch.marks.pop() {
            // SAFETY: variables that were bound just now.
            unsafe { *p = old };
        }
        scratch.open.clear();
        if scratch.open.capacity() > KEPT || scratch.marks.capacity() > KEPT {
            *scratch = Scratch::default();
        }
        let words = (end? as usize - base as usize) / 8;
        let taken = self.allocate_young(words);
        debug_assert!(taken == Some(base));
        Some(root)
    }

    /// Copies above `h`, which stays where it is; returns the end of the copy. Variables of the original are bound to their copies and left in
    /// the marks.
    ///
    /// # Safety
    /// As [`Heap::copy_young`].
    unsafe fn copy_up(
        &self,
        term: Cell,
        root: &mut Cell,
        scratch: &mut Scratch,
    ) -> Option<*mut Cell> {
        let base = self.h;
        let room = self.nursery_room();
        let mut top = base;
        // What is shared in a term is walked more than once.
        let mut visits = VISITS;
        let (open, marks) = (&mut scratch.open, &mut scratch.marks);
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
                    c = next;
                }
                match c.tag() {
                    Tag::Ref => {
                        let p = c.ptr();
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
                        let (from, left) = match c.tag() {
                            Tag::Lst => (p, 2),
                            _ => (p.add(1), Functor::from_cell(*p).arity()),
                        };
                        let words = left + usize::from(c.tag() == Tag::Str);
                        if words > room - (top as usize - base as usize) / 8 || words > visits {
                            return None;
                        }
                        visits -= words;
                        if open.len() == open.capacity() {
                            open.try_reserve(open.len().max(16)).ok()?;
                        }
                        let copy = top;
                        top = top.add(words);
                        if c.tag() == Tag::Str {
                            *copy = *p;
                        }
                        open.push(Unfinished {
                            original: c,
                            place,
                            from,
                            to: copy.add(words - left),
                            left,
                            copy,
                            is_open: false,
                        });
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
                    if is_open {
                        *o.place = Cell::to(o.original.tag(), o.copy);
                    } else {
                        top = o.copy;
                        *o.place = o.original;
                    }
                    open.pop();
                    if let Some(parent) = open.last_mut() {
                        parent.is_open |= is_open;
                    }
                }
            }
        }
    }

    /// # Safety
    /// `term` is a dereferenced term of this heap, and `words` those of its record.
    unsafe fn share(
        &mut self,
        words: &[u64],
        term: Cell,
        objects: &mut Vec<Object>,
    ) -> Result<Cell, OutOfMemory> {
        let size = match find_objects(words, objects) {
            Some(0) if !objects.is_empty() => return Ok(term),
            Some(size) if size > 0 && size + 1 < words.len() => size,
            // Not known, a variable, or nothing is shared.
            _ => {
                let p = self.allocate(words.len())?;
                // SAFETY: that many words were just allocated.
                let out = unsafe { std::slice::from_raw_parts_mut(p.cast(), words.len()) };
                return Ok(record::instantiate(words, out));
            }
        };
        objects[0].original = term;
        let base = self.allocate(size)?;
        // The first object that no pointer was found to yet.
        let mut child = 1;
        for i in 0..objects.len() {
            let Object { at, to, original } = objects[i];
            let end = objects.get(i + 1).map_or(words.len(), |o| o.at as usize);
            let source = &words[at as usize..end];
            if to == GROUND {
                child += pointers(source);
                continue;
            }
            for (n, &word) in source.iter().enumerate() {
                let c = Cell(word);
                // SAFETY: `size` words were allocated, of which each object with variables has its own; the original has an object of
                // the same form here.
                unsafe {
                    let place = base.add(to as usize + n);
                    *place = match c.tag() {
                        Tag::Str | Tag::Lst | Tag::Box => {
                            let o = &mut objects[child];
                            child += 1;
                            o.original = samite_term::view::deref(*original.ptr().add(n));
                            match o.to {
                                GROUND => o.original,
                                to => Cell::to(c.tag(), base.add(to as usize)),
                            }
                        }
                        Tag::Ref if c.address() as usize / 8 == at as usize + n => {
                            Cell::to(Tag::Ref, place)
                        }
                        Tag::Ref | Tag::Att => {
                            let first = c.address() as u32 / 8;
                            let home = &objects[objects.partition_point(|o| o.at <= first) - 1];
                            Cell::to(Tag::Ref, base.add((home.to + first - home.at) as usize))
                        }
                        Tag::Int | Tag::Con | Tag::Hdr => c,
                    };
                }
            }
        }
        debug_assert!(child == objects.len());
        Ok(Cell::to(Cell(words[0]).tag(), base))
    }
}

fn is_pointer(c: Cell) -> bool {
    matches!(c.tag(), Tag::Str | Tag::Lst | Tag::Box)
}

/// The pointers in an object.
fn pointers(object: &[u64]) -> usize {
    match is_box(object) {
        true => 0,
        false => object.iter().filter(|&&w| is_pointer(Cell(w))).count(),
    }
}

/// Whether what is in an object are raw words.
fn is_box(object: &[u64]) -> bool {
    let c = Cell(object[0]);
    c.tag() == Tag::Hdr && c.box_words() > 0
}

/// The objects of a record, with their places in a copy of which ground ones are no part; returns its size. `None`: it is not a tree, or
/// there is no memory for the list.
fn find_objects(words: &[u64], objects: &mut Vec<Object>) -> Option<usize> {
    let (mut scan, mut next) = (0, 1);
    while scan < words.len() {
        let c = Cell(words[scan]);
        if is_pointer(c) {
            if c.address() as usize / 8 != next {
                return None;
            }
            if objects.len() == objects.capacity() {
                objects.try_reserve(objects.len().max(8)).ok()?;
            }
            objects.push(Object {
                at: u32::try_from(next).ok()?,
                to: GROUND,
                original: Cell::NIL,
            });
            let first = Cell(words[next]);
            next += match c.tag() {
                Tag::Lst => 2,
                Tag::Box => 1 + first.box_words(),
                _ => 1 + Functor::from_cell(first).arity(),
            };
        } else if c.tag() == Tag::Hdr {
            scan += c.box_words();
        }
        scan += 1;
    }
    // From the last on: what an object refers to comes after it.
    let mut child = objects.len();
    let mut end = words.len();
    for i in (0..objects.len()).rev() {
        let at = objects[i].at as usize;
        let object = &words[at..end];
        end = at;
        if is_box(object) {
            continue;
        }
        for &word in object.iter().rev() {
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
    let mut size = 0;
    for i in 0..objects.len() {
        if objects[i].to != GROUND {
            let end = objects.get(i + 1).map_or(words.len(), |o| o.at as usize);
            objects[i].to = size as u32;
            size += end - objects[i].at as usize;
        }
    }
    Some(size)
}
