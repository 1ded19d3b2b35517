//! Terms of a clause as records, which instructions copy from: large terms, boxed values, and the bodies of clauses that are not
//! compiled.
//!
//! The record is built breadth-first: its words from `scan` on are cells of the clause still to be copied, and nothing recurses or
//! is kept beside the record but the variables. Room is asked for before the record grows.

use super::{CompileError, Room};
use rustc_hash::FxHashMap;
use samite_term::{Cell, Functor, Record, Tag, TermRef, View, atoms, record};
use std::collections::VecDeque;

/// A record in the making. Word 0 is its root.
pub(super) struct Recorder<'r> {
    words: Vec<u64>,
    room: &'r Room<'r>,
    /// By the variable's address.
    known: FxHashMap<u64, Cell>,
    /// The variables in order of their first occurrence.
    pub variables: Vec<(u64, Cell)>,
    /// Words still to be copied that are goals, ascending.
    goals: VecDeque<usize>,
}

/// What a variable takes in `known` and `variables`.
const VARIABLE: usize = 48;

impl<'r> Recorder<'r> {
    pub fn new(room: &'r Room<'r>) -> Recorder<'r> {
        // What most terms need.
        let mut words = Vec::with_capacity(24);
        words.push(Cell::NIL.0);
        Recorder {
            words,
            room,
            known: FxHashMap::default(),
            variables: Vec::new(),
            goals: VecDeque::new(),
        }
    }
    /// Makes word `at` a copy of the term.
    pub fn term(&mut self, at: usize, t: TermRef) -> Result<(), CompileError> {
        self.words[at] = t.deref().0;
        self.copy(at)
    }
    /// The same of a body, in which variables as goals become `call/1`.
    pub fn body(&mut self, at: usize, t: TermRef) -> Result<(), CompileError> {
        self.goals.push_back(at);
        self.term(at, t)
    }
    /// A structure at the root, whose arguments are the words after the one returned.
    pub fn structure(&mut self, f: Functor) -> Result<usize, CompileError> {
        let at = self.words.len();
        self.grow(1 + f.arity())?;
        self.words.push(f.bits());
        self.words.resize(at + 1 + f.arity(), Cell::NIL.0);
        self.words[0] = Cell::pointer(Tag::Str, at as u64 * 8).0;
        Ok(at)
    }
    /// A word that was copied, and its replacement: a cell of this record.
    pub fn root(&self) -> Cell {
        Cell(self.words[0])
    }
    pub fn set(&mut self, at: usize, c: Cell) {
        self.words[at] = c.0;
    }
    pub fn finish(self) -> Box<Record> {
        Box::new(Record::from_words(self.words))
    }

    /// Copies what word `at` refers to, a cell of the clause.
    fn copy(&mut self, at: usize) -> Result<(), CompileError> {
        let mut scan = self.words.len();
        self.copy_word(at)?;
        while scan < self.words.len() {
            // A box was copied whole.
            match Cell(self.words[scan]) {
                c if c.tag() == Tag::Hdr => scan += c.box_words(),
                _ => self.copy_word(scan)?,
            }
            scan += 1;
        }
        debug_assert!(self.goals.is_empty());
        Ok(())
    }
    fn copy_word(&mut self, at: usize) -> Result<(), CompileError> {
        let is_goal = self.goals.pop_front_if(|&mut g| g == at).is_some();
        // SAFETY: a cell of the clause, which lives while it is compiled.
        let t = unsafe { TermRef::new(Cell(self.words[at])) };
        let here = self.words.len();
        let offset = here as u64 * 8;
        self.words[at] = match t.view() {
            View::Var(v) | View::Attributed(v) => {
                if is_goal {
                    self.grow(2)?;
                    self.words.push(Functor::new(atoms::CALL, 1).bits());
                    self.words.push(t.deref().0);
                    Cell::pointer(Tag::Str, offset).0
                } else {
                    self.variable(v, at)?.0
                }
            }
            View::List(h, t) => {
                self.grow(2)?;
                self.words.extend([h.deref().0, t.deref().0]);
                Cell::pointer(Tag::Lst, offset).0
            }
            View::Compound(c) => {
                let f = c.functor();
                self.grow(1 + f.arity())?;
                self.words.push(f.bits());
                self.words.extend(c.args().map(|a| a.deref().0));
                if is_goal && is_control(f) {
                    self.goals.extend(here + 1..=here + f.arity());
                }
                Cell::pointer(Tag::Str, offset).0
            }
            View::Str(s) => {
                let n = record::string_words(s);
                self.grow(n)?;
                self.words.resize(here + n, 0);
                record::write_string(s, &mut self.words[here..]);
                Cell::pointer(Tag::Box, offset).0
            }
            _ => match t.number().filter(|_| !t.deref().is_immediate()) {
                Some(n) => {
                    self.grow(n.box_words())?;
                    self.words.resize(here + n.box_words(), 0);
                    n.write_box(&mut self.words[here..]);
                    Cell::pointer(Tag::Box, offset).0
                }
                None => t.deref().0,
            },
        };
        Ok(())
    }
    /// The cell of the variable at an address; if it is new, it is word `at`.
    fn variable(&mut self, v: u64, at: usize) -> Result<Cell, CompileError> {
        if let Some(&c) = self.known.get(&v) {
            return Ok(c);
        }
        self.room.take(VARIABLE)?;
        let c = Cell::pointer(Tag::Ref, at as u64 * 8);
        self.known.insert(v, c);
        self.variables.push((v, c));
        Ok(c)
    }
    /// Makes room for so many words more.
    fn grow(&mut self, words: usize) -> Result<(), CompileError> {
        let n = self.words.len();
        if n + words > self.words.capacity() {
            // By a half and not by doubling: what is taken is what was asked for.
            let more = words.max(n / 2).max(16);
            self.room.take(more * 8)?;
            self.words.reserve_exact(more);
        }
        Ok(())
    }
}

/// Whether the arguments of a goal are goals of the same clause.
fn is_control(f: Functor) -> bool {
    let name = f.name();
    match f.arity() {
        2 => [
            atoms::COMMA,
            atoms::SEMICOLON,
            atoms::BAR,
            atoms::ARROW,
            atoms::SOFT_ARROW,
        ]
        .contains(&name),
        1 => name == atoms::NOT,
        _ => false,
    }
}
