//! A term flattened into one relocatable block, outside every heap.
//!
//! Records are how terms leave a heap: clauses and messages, exceptions, `findall/3` results, and what the
//! reader makes. A record has the layout of [`crate::cell`] except that pointers are byte offsets into the block;
//! word 0 is the root cell. Putting a record on a heap is one linear pass ([`Record::instantiate`]).
//!
//! A builder within [`heavy::guard`](crate::heavy::guard) that is refused memory abandons the work; elsewhere records are small.
//!
//! Invariants: every pointer cell points into the block; raw words follow a box header; a variable is a
//! cell that refers to itself; there are no attributed variables and no frames in a record. (Attributes may lie beside the term: the root has the
//! tag `ATT` then, and what it refers to is for the heap alone that makes variables of them, `heap/copy.rs`.)
//! A record is immutable and may be read from any thread. As long as it lives it counts for the queues and mutexes whose handles it has
//! ([`crate::counted`]).

use crate::atom;
use crate::cell::{Cell, Functor, Kind, Tag};
use crate::counted;
use crate::growth;
use crate::number::Number;
use crate::positions;
use std::mem::ManuallyDrop;

/// An immutable term outside of every heap.
#[derive(PartialEq, Eq, Debug)]
pub struct Record {
    words: ManuallyDrop<Box<[u64]>>,
}

impl Clone for Record {
    fn clone(&self) -> Record {
        Record::counted((*self.words).clone())
    }
}

impl Drop for Record {
    #[inline(always)]
    fn drop(&mut self) {
        free(&mut self.words);
    }
}

/// One call, and no more, of each place where a record may be dropped: these are many, such as all that get an error from somewhere.
#[inline(never)]
fn free(words: &mut ManuallyDrop<Box<[u64]>>) {
    if counted::are_any() {
        counted::release_in(words);
    }
    // SAFETY: called by `drop`, once.
    unsafe { ManuallyDrop::drop(words) };
}

/// While atoms are collected: other threads may find those of a new record.
#[cold]
fn mark_in(words: &[u64]) {
    crate::walked::each_in_words(words, &mut |a| a.mark());
}

impl Record {
    #[inline]
    fn counted(words: Box<[u64]>) -> Record {
        if counted::are_any() {
            counted::retain_in(&words);
        }
        if atom::is_collecting() {
            mark_in(&words);
        }
        Record {
            words: ManuallyDrop::new(words),
        }
    }
    /// Takes over finished words (layout as in the module text).
    #[inline]
    pub fn from_words(words: Vec<u64>) -> Record {
        let r = Record::counted(words.into_boxed_slice());
        #[cfg(debug_assertions)]
        r.verify();
        r
    }
    /// A record of an immediate cell (atom or small integer).
    pub fn immediate(cell: Cell) -> Record {
        debug_assert!(cell.is_immediate());
        Record::counted(Box::new([cell.0]))
    }
    /// Number of words, root included.
    pub fn len(&self) -> usize {
        self.words.len()
    }
    /// Never: a record has a root.
    pub fn is_empty(&self) -> bool {
        false
    }
    /// Whether the term has no variables. Takes time linear in its size.
    pub fn is_ground(&self) -> bool {
        let mut i = 0;
        while i < self.words.len() {
            let c = Cell(self.words[i]);
            match c.tag() {
                Tag::Ref | Tag::Att => return false,
                Tag::Hdr => i += c.box_words(),
                _ => {}
            }
            i += 1;
        }
        true
    }
    /// The words; pointers are byte offsets.
    pub fn words(&self) -> &[u64] {
        &self.words
    }
    /// The root cell; a pointer in it is a byte offset.
    pub fn root(&self) -> Cell {
        Cell(self.words[0])
    }
    /// Words that [`Record::instantiate`] needs.
    pub fn heap_words(&self) -> usize {
        if self.root().is_immediate() {
            0
        } else {
            self.words.len()
        }
    }
    /// Copies the term into `out` ([`Record::heap_words`] long), relocated to the address of `out`; returns its root.
    pub fn instantiate(&self, out: &mut [u64]) -> Cell {
        let root = self.root();
        if root.is_immediate() {
            return root;
        }
        instantiate(&self.words, out)
    }
    /// The same of the words of a record; its root is not immediate.
    pub fn instantiate_words(words: &[u64], out: &mut [u64]) -> Cell {
        instantiate(words, out)
    }

    /// Checks the invariants of the module text. Panics with the first violation.
    pub fn verify(&self) {
        let n = self.words.len();
        let mut i = 0;
        while i < n {
            let c = Cell(self.words[i]);
            match c.tag() {
                Tag::Int | Tag::Con => {}
                Tag::Ref | Tag::Str | Tag::Lst | Tag::Box => {
                    let at = c.address() as usize / 8;
                    assert!(at < n, "record: pointer outside at word {i}");
                    let target = Cell(self.words[at]);
                    match c.tag() {
                        Tag::Str => {
                            assert!(target.is_kind(Kind::Functor), "record: STR to no functor");
                            assert!(at + Functor::from_cell(target).arity() < n);
                        }
                        Tag::Lst => assert!(at + 1 < n),
                        Tag::Box => assert!(target.box_words() > 0 || target.is_kind(Kind::String)),
                        _ => {}
                    }
                }
                Tag::Att => assert!(i == 0 && c.address() == 8, "record: attributed variable"),
                Tag::Hdr => i += c.box_words(),
            }
            i += 1;
        }
        assert_eq!(i, n, "record: last object is cut short");
    }
}

/// Builds a [`Record`] bottom-up. Cells it returns are only valid in the same builder.
#[derive(Debug)]
pub struct RecordBuilder {
    words: Vec<u64>,
}

impl Default for RecordBuilder {
    fn default() -> Self {
        RecordBuilder::new()
    }
}

impl RecordBuilder {
    pub fn new() -> RecordBuilder {
        // (Room for most terms that are read. What is left over is given back at the end.)
        let mut words = Vec::with_capacity(64);
        words.push(Cell::NIL.0);
        RecordBuilder { words }
    }
    fn offset(&self) -> u64 {
        self.words.len() as u64 * 8
    }
    /// A fresh variable.
    pub fn variable(&mut self) -> Cell {
        let c = Cell::pointer(Tag::Ref, self.offset());
        growth::must_push(&mut self.words, c.0);
        c
    }
    /// A compound term. With no arguments: `name()`.
    pub fn structure(&mut self, functor: Functor, args: &[Cell]) -> Cell {
        debug_assert_eq!(functor.arity(), args.len());
        let c = Cell::pointer(Tag::Str, self.offset());
        growth::must_have(&mut self.words, 1 + args.len());
        self.words.push(functor.bits());
        self.words.extend(args.iter().map(|a| a.0));
        c
    }
    /// A list cell.
    pub fn list_cell(&mut self, head: Cell, tail: Cell) -> Cell {
        let c = Cell::pointer(Tag::Lst, self.offset());
        growth::must_have(&mut self.words, 2);
        self.words.push(head.0);
        self.words.push(tail.0);
        c
    }
    /// The list of `items` that ends in `tail`.
    pub fn list(&mut self, items: &[Cell], tail: Cell) -> Cell {
        let mut list = tail;
        for &item in items.iter().rev() {
            list = self.list_cell(item, list);
        }
        list
    }
    pub fn number(&mut self, n: &Number) -> Cell {
        if let Some(c) = n.as_small() {
            return c;
        }
        let at = self.words.len();
        growth::must_have(&mut self.words, n.box_words());
        self.words.resize(at + n.box_words(), 0);
        n.write_box(&mut self.words[at..]);
        Cell::pointer(Tag::Box, at as u64 * 8)
    }
    pub fn string(&mut self, text: &str) -> Cell {
        let at = self.words.len();
        growth::must_have(&mut self.words, string_words(text));
        self.words.resize(at + string_words(text), 0);
        write_string(text, &mut self.words[at..]);
        Cell::pointer(Tag::Box, at as u64 * 8)
    }
    /// The finished term.
    pub fn finish(mut self, root: Cell) -> Record {
        self.words[0] = root.0;
        Record::from_words(self.words)
    }
}

/// Copies the words of a record, whose root is no immediate cell, into `out`, which is as long, relocated to its address; returns the root.
pub fn instantiate(words: &[u64], out: &mut [u64]) -> Cell {
    let base = out.as_ptr() as u64;
    // (A float, or another number of one word: frequent constants of clauses.)
    if let (&[root, header, value], [a, b, c]) = (words, &mut *out)
        && Cell(root).tag() == Tag::Box
    {
        (*a, *b, *c) = (root + base, header, value);
        return Cell(*a);
    }
    let mut i = 0;
    let n = words.len();
    while i < n {
        let c = Cell(words[i]);
        match c.tag() {
            Tag::Int | Tag::Con => out[i] = c.0,
            Tag::Ref | Tag::Str | Tag::Lst | Tag::Box | Tag::Att => out[i] = c.0 + base,
            Tag::Hdr => {
                out[i] = c.0;
                let raw = c.box_words();
                out[i + 1..=i + raw].copy_from_slice(&words[i + 1..=i + raw]);
                i += raw;
            }
        }
        i += 1;
    }
    Cell(out[0])
}

/// Words of a string box, header included.
pub fn string_words(text: &str) -> usize {
    1 + text.len().div_ceil(8) + positions::counts_of(text.len())
}

/// Writes the box of a string ([`string_words`] long): its bytes, and their counts (see [`crate::positions`]).
pub fn write_string(text: &str, out: &mut [u64]) {
    out[0] = Cell::header(Kind::String, text.len() as u64).0;
    for (o, chunk) in out[1..].iter_mut().zip(text.as_bytes().chunks(8)) {
        let mut w = [0u8; 8];
        w[..chunk.len()].copy_from_slice(chunk);
        *o = u64::from_ne_bytes(w);
    }
    positions::write_counts(text, &mut out[1 + text.len().div_ceil(8)..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atom::{Atom, atoms};

    #[test]
    fn a_built_record_verifies_and_relocates() {
        let mut b = RecordBuilder::new();
        let v = b.variable();
        let s = b.string("hello world");
        let f = b.number(&Number::Float(1.5));
        let l = b.list(&[v, s, f], Cell::NIL);
        let t = b.structure(Functor::new(Atom::new("foo"), 2), &[l, v]);
        let r = b.finish(t);
        r.verify();
        assert!(!r.is_ground());
        let mut out = vec![0; r.heap_words()];
        let root = r.instantiate(&mut out);
        assert_eq!(root.tag(), Tag::Str);
        let at = (root.address() - out.as_ptr() as u64) as usize / 8;
        assert_eq!(out[at], Functor::new(Atom::new("foo"), 2).bits());
    }

    #[test]
    fn immediates_need_no_heap() {
        let r = Record::immediate(Cell::atom(atoms::TRUE));
        assert_eq!(r.heap_words(), 0);
        assert_eq!(r.instantiate(&mut []), Cell::atom(atoms::TRUE));
    }
}
