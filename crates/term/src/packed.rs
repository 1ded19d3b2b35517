//! The terms of a text in bytes that depend on no atom table, so that what is read when Samite is built is not read when it runs.
//!
//! Names first, each once; functors (a name and an arity); then the terms, each in postorder and ended by its line. A number `n` with a kind `k` is
//! one varint, `n << 3 | k`: seven bits a byte, the lowest first, the highest bit says that more follow.
//!
//! *Invariant*: at the end of a term the stack of the reader holds one cell.
//!
//! Written by the build script of the crate `samite` ([`Packer`]), read by who loads its libraries ([`Packed`]), which trusts it: other bytes panic.

use crate::atom::{Atom, atoms};
use crate::cell::{Cell, Functor};
use crate::number::Number;
use crate::record::{Record, RecordBuilder};
use crate::view::{TermRef, View};
use crate::walked::HoldsAtoms;
use rustc_hash::FxHashMap;

/// What a byte string goes on with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A name's number.
    Atom,
    /// A variable's number: 0 for the first that the term shows.
    Variable,
    /// A small integer; see [`fold`].
    Int,
    /// A functor's number; its arguments precede it.
    Structure,
    /// `[]`, which is not the atom of this name (0), or a list cell, whose head and tail precede it (1).
    List,
    /// The length of the bytes that follow.
    Text,
    /// The eight bytes that follow are those of a float (0) or of an integer (1).
    Word,
    /// The line in which the term begins.
    End,
}

const KINDS: [Kind; 8] = [
    Kind::Atom,
    Kind::Variable,
    Kind::Int,
    Kind::Structure,
    Kind::List,
    Kind::Text,
    Kind::Word,
    Kind::End,
];

/// Small absolute values become small numbers, whatever their sign.
fn fold(n: i64) -> u64 {
    (n << 1 ^ n >> 63) as u64
}

fn unfold(n: u64) -> i64 {
    (n >> 1) as i64 ^ -((n & 1) as i64)
}

/// A term of a kind that is not packed: a number beyond 64 bits, a handle, an attributed variable, a dict. No library's text has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotPacked;

/// Packs terms.
#[derive(Debug, Default)]
pub struct Packer {
    names: Vec<Atom>,
    name_numbers: FxHashMap<Atom, u64>,
    functors: Vec<(u64, usize)>,
    functor_numbers: FxHashMap<Functor, u64>,
    bytes: Vec<u8>,
}

/// What is left to be written of a term.
enum Left<'a> {
    Term(TermRef<'a>),
    Structure(u64),
    List,
}

impl Packer {
    pub fn new() -> Packer {
        Packer::default()
    }
    /// Adds a term that begins in a line of its text.
    pub fn add(&mut self, term: TermRef, line: u32) -> Result<(), NotPacked> {
        let mut variables = FxHashMap::default();
        let mut left = vec![Left::Term(term)];
        while let Some(next) = left.pop() {
            let term = match next {
                Left::Term(term) => term,
                Left::Structure(functor) => {
                    self.put(Kind::Structure, functor);
                    continue;
                }
                Left::List => {
                    self.put(Kind::List, 1);
                    continue;
                }
            };
            match term.view() {
                View::Atom(atoms::NIL) => self.put(Kind::List, 0),
                View::Atom(name) => {
                    let name = self.name(name);
                    self.put(Kind::Atom, name);
                }
                View::Var(identity) => {
                    let next = variables.len() as u64;
                    self.put(Kind::Variable, *variables.entry(identity).or_insert(next));
                }
                View::Int(n) => self.put(Kind::Int, fold(n)),
                View::Float(f) => {
                    self.put(Kind::Word, 0);
                    self.bytes.extend(f.to_bits().to_le_bytes());
                }
                View::Number(b) => {
                    let Number::Int(n) = b.number() else {
                        return Err(NotPacked);
                    };
                    self.put(Kind::Word, 1);
                    self.bytes.extend(n.to_le_bytes());
                }
                View::Str(text) => {
                    self.put(Kind::Text, text.len() as u64);
                    self.bytes.extend(text.as_bytes());
                }
                View::List(head, tail) => {
                    left.extend([Left::List, Left::Term(tail), Left::Term(head)]);
                }
                View::Compound(c) if c.name() == atoms::DICT => return Err(NotPacked),
                View::Compound(c) => {
                    left.push(Left::Structure(self.functor(c.functor())));
                    left.extend(c.args().rev().map(Left::Term));
                }
                View::Handle(_) | View::Blob(_) | View::Attributed(_) => {
                    return Err(NotPacked);
                }
            }
        }
        self.put(Kind::End, line.into());
        Ok(())
    }
    /// The whole text.
    pub fn finish(self) -> Vec<u8> {
        let mut out = Vec::new();
        put_number(&mut out, self.names.len() as u64);
        for name in &self.names {
            put_number(&mut out, name.as_str().len() as u64);
            out.extend(name.as_str().as_bytes());
        }
        put_number(&mut out, self.functors.len() as u64);
        for &(name, arity) in &self.functors {
            put_number(&mut out, name);
            put_number(&mut out, arity as u64);
        }
        out.extend(self.bytes);
        out
    }
    fn put(&mut self, kind: Kind, n: u64) {
        put_number(&mut self.bytes, n << 3 | kind as u64);
    }
    fn name(&mut self, name: Atom) -> u64 {
        let next = self.names.len() as u64;
        *self.name_numbers.entry(name).or_insert_with(|| {
            self.names.push(name);
            next
        })
    }
    fn functor(&mut self, functor: Functor) -> u64 {
        let name = self.name(functor.name());
        let next = self.functors.len() as u64;
        *self.functor_numbers.entry(functor).or_insert_with(|| {
            self.functors.push((name, functor.arity()));
            next
        })
    }
}

fn put_number(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

/// Reads what a [`Packer`] has written: the terms in their order, each with its line.
#[derive(Debug)]
pub struct Packed<'t> {
    /// Atoms. It is walked for them ([`crate::walked`]), as for the functors.
    names: Vec<Cell>,
    /// Headers of structures.
    functors: Vec<Cell>,
    rest: Bytes<'t>,
    stack: Vec<Cell>,
    variables: Vec<Cell>,
}

/// What has not been read of a packed text: where a reader is.
#[derive(Debug, Clone, Copy)]
pub struct Bytes<'t>(&'t [u8]);

impl<'t> Bytes<'t> {
    fn number(&mut self) -> u64 {
        let mut n = 0;
        let mut shift = 0;
        loop {
            let b = self.take(1)[0];
            n |= u64::from(b & 0x7f) << shift;
            if b < 0x80 {
                return n;
            }
            shift += 7;
        }
    }
    fn take(&mut self, len: usize) -> &'t [u8] {
        let (taken, rest) = self.0.split_at(len);
        self.0 = rest;
        taken
    }
    fn text(&mut self, len: u64) -> &'t str {
        std::str::from_utf8(self.take(len as usize)).expect("packed text is UTF-8")
    }
}

impl<'t> Packed<'t> {
    /// A reader at the first term.
    pub fn new(bytes: &'t [u8]) -> Packed<'t> {
        let mut rest = Bytes(bytes);
        let names: Vec<Cell> = (0..rest.number())
            .map(|_| {
                let len = rest.number();
                Cell::atom(Atom::of(rest.text(len)))
            })
            .collect();
        let functors = (0..rest.number())
            .map(|_| {
                let name = names[rest.number() as usize].atom_of();
                Functor::new(name, rest.number() as usize).cell()
            })
            .collect();
        Packed {
            names,
            functors,
            rest,
            stack: Vec::new(),
            variables: Vec::new(),
        }
    }
    /// Where the reader is.
    pub fn place(&self) -> Bytes<'t> {
        self.rest
    }
    /// Goes back to where it was.
    pub fn go_to(&mut self, place: Bytes<'t>) {
        self.rest = place;
    }
}

impl HoldsAtoms for Packed<'_> {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        // Those of the functors are among them.
        self.names.iter().for_each(|name| f(name.atom_of()));
    }
}

impl Iterator for Packed<'_> {
    type Item = (Record, u32);

    fn next(&mut self) -> Option<(Record, u32)> {
        if self.rest.0.is_empty() {
            return None;
        }
        self.variables.clear();
        let mut builder = RecordBuilder::new();
        loop {
            let word = self.rest.number();
            let n = word >> 3;
            let cell = match KINDS[(word & 7) as usize] {
                Kind::Atom => self.names[n as usize],
                Kind::Variable => {
                    if n as usize == self.variables.len() {
                        self.variables.push(builder.variable());
                    }
                    self.variables[n as usize]
                }
                Kind::Int => Cell::small(unfold(n)),
                Kind::Structure => {
                    let functor = Functor::from_cell(self.functors[n as usize]);
                    let at = self.stack.len() - functor.arity();
                    let cell = builder.structure(functor, &self.stack[at..]);
                    self.stack.truncate(at);
                    cell
                }
                Kind::List if n == 0 => Cell::NIL,
                Kind::List => {
                    let tail = self.stack.pop().expect("a list cell has a tail");
                    let head = self.stack.pop().expect("a list cell has a head");
                    builder.list_cell(head, tail)
                }
                Kind::Text => builder.string(self.rest.text(n)),
                Kind::Word => {
                    let word = self.rest.take(8).try_into().expect("eight bytes");
                    let word = u64::from_le_bytes(word);
                    builder.number(&match n {
                        0 => Number::Float(f64::from_bits(word)),
                        _ => Number::Int(word as i64),
                    })
                }
                Kind::End => {
                    let root = self.stack.pop().expect("a term");
                    debug_assert!(self.stack.is_empty());
                    return Some((builder.finish(root), n as u32));
                }
            };
            self.stack.push(cell);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::{MAX_SMALL, MIN_SMALL};

    fn check(record: &Record, line: u32, packer: &mut Packer) {
        let mut words = vec![0; record.heap_words()];
        let root = record.instantiate(&mut words);
        // SAFETY: `words` holds the term and stays as it is.
        packer.add(unsafe { TermRef::new(root) }, line).unwrap();
    }

    #[test]
    fn what_was_packed_comes_out() {
        let mut records = Vec::new();
        for n in [0, 1, -1, 63, -64, 1 << 40, MIN_SMALL, MAX_SMALL] {
            let mut b = RecordBuilder::new();
            let (x, y) = (b.variable(), b.variable());
            let f = b.number(&Number::Float(n as f64 / 3.0));
            let s = b.string("räksmörgås");
            let i = b.number(&Number::Int(i64::MIN + n.abs()));
            let brackets = Cell::atom(Atom::new("[]"));
            let items = [Cell::small(n), i, y, x, Cell::NIL, brackets, s, f];
            let l = b.list(&items, x);
            let inner = b.structure(Functor::new(Atom::new("inner"), 0), &[]);
            let args = [l, y, inner, Cell::atom(atoms::TRUE)];
            let root = b.structure(Functor::new(atoms::TRUE, 4), &args);
            records.push(b.finish(root));
        }
        records.push(Record::immediate(Cell::atom(Atom::new("alone"))));
        let mut packer = Packer::new();
        for (line, record) in records.iter().enumerate() {
            check(record, line as u32 * 100, &mut packer);
        }
        let bytes = packer.finish();
        let mut packed = Packed::new(&bytes);
        let start = packed.place();
        for _ in 0..2 {
            let mut again = Packer::new();
            let mut lines = Vec::new();
            for (record, line) in &mut packed {
                record.verify();
                check(&record, line, &mut again);
                lines.push(line);
            }
            assert_eq!(again.finish(), bytes);
            let of_each: Vec<u32> = (0..records.len() as u32).map(|n| n * 100).collect();
            assert_eq!(lines, of_each);
            packed.go_to(start);
        }
    }

    #[test]
    fn big_numbers_are_refused() {
        let mut b = RecordBuilder::new();
        let big = "123456789012345678901234567890".parse().map(Number::Big);
        let root = b.number(&big.unwrap());
        let record = b.finish(root);
        let mut words = vec![0; record.heap_words()];
        let root = record.instantiate(&mut words);
        // SAFETY: `words` holds the term and stays as it is.
        let refused = Packer::new().add(unsafe { TermRef::new(root) }, 1);
        assert_eq!(refused, Err(NotPacked));
    }
}
