//! Terms as sequences of tokens, the paths of a trie, and back.
//!
//! What a token is: [`crate::state::tokens`].
//!
//! The cost is linear in the term: variables are numbered through a hash table where they are many, and nobody walks over a term
//! beforehand to see whether it is finite. A finite term without shared subterms is a path; what turns out to be longer than
//! [`SUSPICIOUS`] is looked at once.

use crate::engine::worker::Worker;
use crate::error::Throw;
pub(super) use crate::state::tokens::{LIST, Unfit, is_variable, variable_token};
use rustc_hash::FxHashMap;
use samite_term::growth::{self, Refused};
use samite_term::view::{TermRef, deref};
use samite_term::{Cell, Functor, Kind, Tag, cycle};

/// Bytes of memory that there must be for each token of a call or an answer.
pub(super) const BYTES_PER_TOKEN: usize = 128;

/// After so many tokens of a term it is made sure that there is an end.
const SUSPICIOUS: usize = if cfg!(debug_assertions) {
    1 << 6
} else {
    1 << 16
};

/// Variables up to which a number is found by comparing.
const FEW: usize = 8;

/// The variables met in the terms of a call or an answer, in the order of their numbers.
#[derive(Debug, Default)]
pub(super) struct Variables {
    cells: Vec<Cell>,
    /// The numbers, once there are more than [`FEW`].
    numbers: FxHashMap<Cell, u32>,
    of_answer: bool,
}

impl Variables {
    /// Those of an answer, which has no attributed ones: a table does not keep what belongs to them. (A call's filter the answers.)
    pub fn of_answer() -> Variables {
        Variables {
            of_answer: true,
            ..Variables::default()
        }
    }

    /// The variables in the order of their numbers.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Forgets all but the first `n`.
    pub fn truncate(&mut self, n: usize) {
        if n <= FEW {
            self.numbers.clear();
        } else {
            for v in &self.cells[n..] {
                self.numbers.remove(v);
            }
        }
        self.cells.truncate(n);
    }

    fn number(&mut self, v: Cell) -> Result<usize, Refused> {
        if self.cells.len() <= FEW {
            if let Some(n) = self.cells.iter().position(|&c| c == v) {
                return Ok(n);
            }
        } else {
            if self.numbers.is_empty() {
                let known = self.cells.iter().enumerate();
                self.numbers.extend(known.map(|(n, &c)| (c, n as u32)));
            }
            let next = self.cells.len() as u32;
            match self.numbers.get(&v) {
                Some(&n) => return Ok(n as usize),
                None => growth::insert(&mut self.numbers, v, next)?,
            };
        }
        growth::push(&mut self.cells, v)?;
        Ok(self.cells.len() - 1)
    }
}

/// Cells that are to be filled, the next one last: a few of them, mostly.
struct Places {
    few: [*mut Cell; FEW_PLACES],
    /// Of these.
    len: usize,
    /// None, unless those are used up.
    more: Vec<*mut Cell>,
}

const FEW_PLACES: usize = 8;

impl Default for Places {
    #[inline]
    fn default() -> Places {
        Places {
            few: [std::ptr::null_mut(); FEW_PLACES],
            len: 0,
            more: Vec::new(),
        }
    }
}

impl Places {
    #[inline]
    fn push(&mut self, place: *mut Cell) -> Result<(), Refused> {
        match self.few.get_mut(self.len) {
            Some(free) => {
                *free = place;
                self.len += 1;
                Ok(())
            }
            None => growth::push(&mut self.more, place),
        }
    }
    #[inline]
    fn pop(&mut self) -> Option<*mut Cell> {
        if let Some(place) = self.more.pop() {
            return Some(place);
        }
        self.len = self.len.checked_sub(1)?;
        self.few.get(self.len).copied()
    }
}

/// Encodes a term as tokens, given to `step` one after the other, which may refuse them. An error may come after part of the tokens.
///
/// # Safety
/// `term` is a term of a live heap.
#[inline]
pub(super) unsafe fn encode(
    term: Cell,
    variables: &mut Variables,
    work: &mut Vec<Cell>,
    limit: usize,
    step: &mut impl FnMut(u64) -> Result<(), Refused>,
) -> Result<(), Unfit> {
    work.clear();
    work.push(term);
    let mut suspicious = SUSPICIOUS;
    let mut tokens = 0;
    while let Some(t) = work.pop() {
        tokens += 1;
        if tokens >= suspicious {
            if tokens > limit {
                return Err(Unfit::TooLong);
            }
            // SAFETY: promised by the caller.
            if suspicious == SUSPICIOUS && !cycle::is_acyclic(unsafe { TermRef::new(term) }) {
                return Err(Unfit::Cyclic);
            }
            suspicious = limit.max(tokens + 1);
        }
        // SAFETY: promised by the caller; pointers of terms are valid.
        unsafe {
            let c = deref(t);
            match c.tag() {
                Tag::Int | Tag::Con => step(c.0)?,
                Tag::Ref => {
                    if variables.of_answer && (*c.ptr()).tag() == Tag::Att {
                        return Err(Unfit::Attributed);
                    }
                    step(variable_token(variables.number(c)?))?;
                }
                Tag::Lst => {
                    step(LIST)?;
                    growth::push(work, *c.ptr().add(1))?;
                    growth::push(work, *c.ptr())?;
                }
                Tag::Str => {
                    let f = Functor::from_cell(*c.ptr());
                    step(f.bits())?;
                    growth::have(work, f.arity())?;
                    for i in (1..=f.arity()).rev() {
                        work.push(*c.ptr().add(i));
                    }
                }
                Tag::Box => {
                    for i in 0..=(*c.ptr()).box_words() {
                        step((*c.ptr().add(i)).0)?;
                    }
                }
                Tag::Att | Tag::Hdr => unreachable!("not a term"),
            }
        }
    }
    Ok(())
}

/// The same of a dereferenced argument; most are one token.
///
/// # Safety
/// As [`encode`].
#[inline]
pub(super) unsafe fn encode_argument(
    argument: Cell,
    variables: &mut Variables,
    work: &mut Vec<Cell>,
    limit: usize,
    step: &mut impl FnMut(u64) -> Result<(), Refused>,
) -> Result<(), Unfit> {
    if argument.is_immediate() {
        return step(argument.0).map_err(Unfit::from);
    }
    // SAFETY: promised by the caller.
    unsafe { encode(argument, variables, work, limit, step) }
}

impl Worker {
    /// Tokens that a call or an answer may have.
    pub(in crate::engine) fn most_tokens(&self) -> usize {
        self.thread.memory_limit / BYTES_PER_TOKEN
    }

    /// The tokens of a key of a trie that programs have, or of a pattern, which may have attributed variables.
    pub(crate) fn tokens_of(&self, term: Cell, is_pattern: bool) -> Result<Vec<u64>, Unfit> {
        let mut variables = match is_pattern {
            true => Variables::default(),
            false => Variables::of_answer(),
        };
        let (mut tokens, mut work) = (Vec::with_capacity(8), Vec::with_capacity(8));
        let limit = self.most_tokens();
        let mut step = |t| growth::push(&mut tokens, t);
        // SAFETY: a term of this heap.
        unsafe { encode(term, &mut variables, &mut work, limit, &mut step) }?;
        Ok(tokens)
    }

    /// The term of such tokens, with new variables.
    pub(crate) fn term_of_tokens(&mut self, tokens: &[u64]) -> Result<Cell, Throw> {
        self.decode(tokens, &mut 0, &mut FxHashMap::default())
    }

    /// As [`Worker::decode`], whatever garbage there is (`Heap::on_credit`).
    pub(in crate::engine) fn decode_on_credit(
        &mut self,
        tokens: &[u64],
        at: &mut usize,
        variables: &mut FxHashMap<u64, Cell>,
    ) -> Result<Cell, Throw> {
        let before = self.heap.set_credit(true);
        let term = self.decode(tokens, at, variables);
        self.heap.end_credit(before);
        term
    }

    /// Builds the term that starts at token `at`; explicit stack.
    pub(in crate::engine) fn decode(
        &mut self,
        tokens: &[u64],
        at: &mut usize,
        variables: &mut FxHashMap<u64, Cell>,
    ) -> Result<Cell, Throw> {
        let mut root = Cell::ZERO;
        let mut places = Places::default();
        places.push(&raw mut root)?;
        while let Some(place) = places.pop() {
            let t = Cell(tokens[*at]);
            *at += 1;
            let c = match t.tag() {
                Tag::Int | Tag::Con => {
                    self.heap.meet(t);
                    t
                }
                _ if t.0 == LIST => {
                    let l = self.heap.list_cell(Cell::NIL, Cell::NIL)?;
                    places.push(l.ptr().wrapping_add(1))?;
                    places.push(l.ptr())?;
                    l
                }
                _ => match t.kind() {
                    Kind::Functor => {
                        let n = Functor::from_cell(t).arity();
                        let p = self.heap.allocate(1 + n)?;
                        // SAFETY: that many cells were just allocated.
                        unsafe { *p = t };
                        for i in (1..=n).rev() {
                            // SAFETY: as above; a valid cell until the token is read.
                            unsafe { *p.add(i) = Cell::NIL };
                        }
                        for i in (1..=n).rev() {
                            places.push(p.wrapping_add(i))?;
                        }
                        Cell::to(Tag::Str, p)
                    }
                    Kind::Copied => match variables.get(&t.0) {
                        Some(&v) => v,
                        None => {
                            let v = self.heap.variable()?;
                            growth::insert(variables, t.0, v)?;
                            v
                        }
                    },
                    _ => {
                        let n = t.box_words();
                        let p = self.heap.allocate(1 + n)?;
                        // SAFETY: that many cells were just allocated.
                        unsafe {
                            *p = t;
                            for i in 1..=n {
                                *p.add(i) = Cell(tokens[*at]);
                                *at += 1;
                            }
                        }
                        Cell::to(Tag::Box, p)
                    }
                },
            };
            // SAFETY: a cell of a structure made above, or `root`.
            unsafe { *place = c };
        }
        Ok(root)
    }
}
