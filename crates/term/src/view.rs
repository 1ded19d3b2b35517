//! Safe, borrowed reading of a term that lies in a heap.
//!
//! A [`TermRef`] is a cell together with the promise, made once where it is created, that the heap it lies in
//! neither moves nor changes during the lifetime `'a`. From there on reading is safe, which lets the reader, the writer
//! and the compiler forbid `unsafe`.

use crate::atom::Atom;
use crate::cell::{Cell, Functor, Kind, Tag};
use crate::growth;
use crate::handle::Handle;
use crate::heavy::{self, Patience};
use crate::number::Number;
use crate::positions::{self, Positions};
use std::marker::PhantomData;

/// A term in a heap that stays as it is for `'a`.
#[derive(Clone, Copy)]
pub struct TermRef<'a> {
    cell: Cell,
    heap: PhantomData<&'a ()>,
}

/// What a dereferenced term is.
#[derive(Clone, Copy)]
pub enum View<'a> {
    /// An unbound variable and its identity (the address of its cell).
    Var(u64),
    /// An unbound attributed variable and its identity.
    Attributed(u64),
    /// A small integer.
    Int(i64),
    /// A float.
    Float(f64),
    /// A big integer or rational; [`BoxRef::number`] takes it out.
    Number(BoxRef<'a>),
    /// An atom (including `[]`).
    Atom(Atom),
    /// An opaque constant with a name.
    Blob(Atom),
    /// An opaque constant with a number.
    Handle(Handle),
    /// A string object.
    Str(&'a str),
    /// `[Head|Tail]`.
    List(TermRef<'a>, TermRef<'a>),
    /// Any other compound.
    Compound(Compound<'a>),
}

/// A boxed number.
#[derive(Clone, Copy)]
pub struct BoxRef<'a>(&'a [u64]);

impl BoxRef<'_> {
    pub fn number(&self) -> Number {
        Number::read_box(self.0)
    }
    /// Header and raw words.
    pub fn words(&self) -> &[u64] {
        self.0
    }
}

/// A compound term that is not a list cell.
#[derive(Clone, Copy)]
pub struct Compound<'a> {
    functor: Functor,
    args: &'a [Cell],
}

impl<'a> Compound<'a> {
    pub fn functor(&self) -> Functor {
        self.functor
    }
    pub fn name(&self) -> Atom {
        self.functor.name()
    }
    pub fn arity(&self) -> usize {
        self.args.len()
    }
    /// Argument `i`, from 0.
    pub fn arg(&self, i: usize) -> TermRef<'a> {
        TermRef::of(self.args[i], self.args, i)
    }
    /// The arguments as stored, not dereferenced.
    pub fn cells(self) -> &'a [Cell] {
        self.args
    }
    pub fn args(self) -> impl DoubleEndedIterator<Item = TermRef<'a>> + ExactSizeIterator {
        (0..self.args.len()).map(move |i| self.arg(i))
    }
}

/// Follows references to the end: an unbound variable's own cell, an attributed variable's reference, or a value.
///
/// # Safety
/// `cell` must be a valid term whose heap nobody else changes meanwhile.
#[inline(always)]
pub unsafe fn deref(mut cell: Cell) -> Cell {
    while cell.is_ref() {
        // SAFETY: a reference points to a cell of the heap.
        let next = unsafe { *cell.ptr() };
        if next == cell || next.tag() == Tag::Att {
            break;
        }
        cell = next;
    }
    cell
}

/// A constant that is no atom; out of line, for [`TermRef::view`] to stay small where it is used.
#[cold]
#[inline(never)]
fn opaque<'a>(c: Cell) -> View<'a> {
    match c.handle() {
        Some(handle) => View::Handle(handle),
        None => View::Blob(c.atom_of()),
    }
}

impl<'a> TermRef<'a> {
    /// # Safety
    /// `cell` must be a valid term, and its heap must not be collected, backtracked or written to during `'a`.
    #[inline]
    pub unsafe fn new(cell: Cell) -> TermRef<'a> {
        TermRef {
            cell,
            heap: PhantomData,
        }
    }
    fn of(cell: Cell, _args: &'a [Cell], _i: usize) -> TermRef<'a> {
        TermRef {
            cell,
            heap: PhantomData,
        }
    }
    /// The cell as stored, not dereferenced.
    #[inline]
    pub fn cell(self) -> Cell {
        self.cell
    }
    /// The cell after following references.
    #[inline]
    pub fn deref(self) -> Cell {
        // SAFETY: promised to `new`.
        unsafe { deref(self.cell) }
    }
    /// What the term is. Always inline: a call of it costs more than what a caller that looks for one kind keeps of it.
    #[inline(always)]
    pub fn view(self) -> View<'a> {
        let c = self.deref();
        match c.tag() {
            // SAFETY (all blocks below): promised to `new`: pointers of a valid term point to objects of its heap.
            Tag::Ref => {
                // SAFETY: see above.
                if unsafe { *c.ptr() }.tag() == Tag::Att {
                    View::Attributed(c.address())
                } else {
                    View::Var(c.address())
                }
            }
            Tag::Int => View::Int(c.small_value()),
            Tag::Con if c.is_atom() => View::Atom(c.atom_of()),
            Tag::Con => opaque(c),
            Tag::Lst => {
                // SAFETY: see above.
                let pair: &'a [Cell] = unsafe { std::slice::from_raw_parts(c.ptr(), 2) };
                View::List(TermRef::of(pair[0], pair, 0), TermRef::of(pair[1], pair, 1))
            }
            Tag::Str => {
                // SAFETY: see above.
                let functor = Functor::from_cell(unsafe { *c.ptr() });
                // SAFETY: see above; the functor's arguments follow it.
                let args = unsafe { std::slice::from_raw_parts(c.ptr().add(1), functor.arity()) };
                View::Compound(Compound { functor, args })
            }
            Tag::Box => {
                // SAFETY: see above; the header says how many raw words follow.
                let words: &'a [u64] = unsafe {
                    let n = (*c.ptr()).box_words();
                    std::slice::from_raw_parts(c.ptr().cast(), n + 1)
                };
                let h = Cell(words[0]);
                match h.kind() {
                    Kind::Float => View::Float(f64::from_bits(words[1])),
                    Kind::String => View::Str(string_of(words)),
                    _ => View::Number(BoxRef(words)),
                }
            }
            Tag::Att | Tag::Hdr => unreachable!("{c:?} is not a term"),
        }
    }
    pub fn is_var(self) -> bool {
        self.deref().is_ref()
    }
    pub fn as_atom(self) -> Option<Atom> {
        let c = self.deref();
        c.is_atom().then(|| c.atom_of())
    }
    /// What can be called: an atom or a compound that is no dict.
    pub fn is_callable(self) -> bool {
        self.goal().is_some()
    }
    /// Functor and arguments of what can be called.
    #[inline(always)]
    pub fn goal(self) -> Option<(Functor, Args<'a>)> {
        self.callable()
            .filter(|(f, _)| f.name() != crate::atoms::DICT)
    }
    /// Functor and arguments of any compound, lists included (as `'[|]'/2`); atoms have arity 0.
    #[inline(always)]
    pub fn callable(self) -> Option<(Functor, Args<'a>)> {
        match self.view() {
            View::Atom(a) => Some((Functor::new(a, 0), Args::None)),
            View::List(h, t) => Some((Functor::new(crate::atoms::DOT, 2), Args::Pair(h, t))),
            View::Compound(c) => Some((c.functor(), Args::Compound(c))),
            _ => None,
        }
    }
    /// The number, if it is one.
    pub fn number(self) -> Option<Number> {
        match self.view() {
            View::Int(v) => Some(Number::Int(v)),
            View::Float(f) => Some(Number::Float(f)),
            View::Number(b) => Some(b.number()),
            _ => None,
        }
    }
    /// Items of a list and its tail: `[]`, a variable or anything else; of a cyclic list, some of the items and a list cell (Brent, An
    /// improved Monte Carlo factorization algorithm, 1980), or of one whose walk is given up.
    pub fn list_items(self) -> (Vec<TermRef<'a>>, TermRef<'a>) {
        let mut items = Vec::new();
        let mut patience = Patience::new();
        let mut t = self;
        let (mut mark, mut until) = (self.deref(), 64);
        while let View::List(h, rest) = t.view() {
            if growth::push(&mut items, h).is_err() {
                heavy::refuse();
                break;
            }
            t = rest;
            if t.deref() == mark || patience.is_over() {
                break;
            }
            if items.len() == until {
                (mark, until) = (t.deref(), until * 2);
            }
        }
        (items, t)
    }
    /// The text of an atom or a string, with its counts.
    pub fn positions(self) -> Option<Positions<'a>> {
        match self.view() {
            View::Atom(a) | View::Blob(a) => Some(Positions::of_atom(a)),
            View::Str(text) => {
                let c = self.deref();
                // SAFETY: promised to `new`; the box of a string has its counts behind its bytes (`record::write_string`).
                let counts = unsafe {
                    let from = c.ptr().add(1 + text.len().div_ceil(8));
                    std::slice::from_raw_parts(from.cast(), positions::counts_of(text.len()))
                };
                Some(Positions::counted(text, counts))
            }
            _ => None,
        }
    }
    pub fn is_nil(self) -> bool {
        self.deref() == Cell::NIL
    }
}

/// Arguments of a callable term.
#[derive(Clone, Copy)]
pub enum Args<'a> {
    None,
    Pair(TermRef<'a>, TermRef<'a>),
    Compound(Compound<'a>),
}

impl<'a> Args<'a> {
    /// Argument `i`, from 0; panics past the arity.
    pub fn get(&self, i: usize) -> TermRef<'a> {
        match self {
            Args::Pair(h, t) => [*h, *t][i],
            Args::Compound(c) => c.arg(i),
            Args::None => panic!("an atom has no arguments"),
        }
    }
}

/// The text of a string box (header and raw words).
pub fn string_of(words: &[u64]) -> &str {
    let bytes = (words[0] >> 8) as usize;
    // SAFETY: a string box holds `bytes` bytes of valid UTF-8 (written by `record::write_string`).
    unsafe {
        std::str::from_utf8_unchecked(std::slice::from_raw_parts(
            words[1..].as_ptr().cast(),
            bytes,
        ))
    }
}
