//! Terms as bytes: `fast_term_serialized/2`, `fast_write/2` and `fast_read/2`, once `library(fastrw)` has taken the cycles out of them.
//!
//! ```text
//! Term:     length of what follows, Node..., the last node is the term
//! Node:     tag byte, then for it, numbers being varints (seven bits a byte, the lowest first, the highest bit says that more follow):
//!           Variable n | Atom length text | Again n | Integer zigzag | Number length text | Float 8 bytes | String length text
//!           | List n: n elements and the tail precede it | Compound n: n arguments, then the name, an atom, precede it | Dict n: n values likewise
//! ```
//!
//! Names that come once more are told by their number (`Again`). The bytes are from anywhere, so each is looked at.
//!
//! *Invariant*: what [`encode`] makes, [`Decoder`] takes to a variant; it takes no other bytes to anything but an error.
//!
//! Differs from SWI-Prolog in: the bytes, which are of no other system; attributed variables are plain ones.

use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use rustc_hash::FxHashMap;
use samite_stream::StreamType;
use samite_term::cell::MAX_ARITY;
use samite_term::{Atom, Cell, Functor, Number, TermRef, View, atoms, dict, growth};

pub const TABLE: &[Entry] = &[
    // '$fast_bytes'(+Acyclic, -String): the bytes of a term, as the characters 0 to 255.
    det("$fast_bytes", 2, |m, a| {
        let bytes = encode(m, m.arg(a, 0))?;
        let mut text = growth::text_with_room(2 * bytes.len())?;
        text.extend(bytes.iter().map(|&b| char::from(b)));
        let text = m.heap.string(&text)?;
        Ok(m.unify_arg(a, 1, text))
    }),
    // '$fast_term'(+String, -Term).
    det("$fast_term", 2, |m, a| {
        let text = m.text_arg(m.arg(a, 0))?;
        let mut bytes = growth::with_room(text.len())?;
        for c in text.chars() {
            match u8::try_from(u32::from(c)) {
                Ok(b) => bytes.push(b),
                Err(_) => return Err(m.syntax_error(WRONG)),
            }
        }
        let term = decode(m, &bytes)?;
        Ok(m.unify_arg(a, 1, term))
    }),
    // '$fast_write'(+Stream, +Acyclic).
    det("$fast_write", 2, |m, a| {
        let t = m.any_target(a, 0)?;
        let bytes = encode(m, m.arg(a, 1))?;
        m.on_data(&t, false, StreamType::Binary, |s| {
            bytes.iter().try_for_each(|&b| s.put_byte(b))
        })?;
        Ok(true)
    }),
    // '$fast_read'(+Stream, -Term): `end_of_file` at its end.
    det("$fast_read", 2, fast_read),
];

/// The syntax error of bytes that are no term's.
const WRONG: &str = "fast_term_expected";

mod tag {
    pub const VARIABLE: u8 = 0;
    pub const ATOM: u8 = 1;
    pub const AGAIN: u8 = 2;
    pub const INTEGER: u8 = 3;
    pub const NUMBER: u8 = 4;
    pub const FLOAT: u8 = 5;
    pub const STRING: u8 = 6;
    pub const LIST: u8 = 7;
    pub const COMPOUND: u8 = 8;
    pub const DICT: u8 = 9;
    pub const NIL: u8 = 10;
}

/// What is left to be written.
enum Left<'a> {
    Term(TermRef<'a>),
    List(u64),
    Compound(Functor),
    Dict(u64),
}

/// Makes bytes.
struct Encoder {
    bytes: Vec<u8>,
    names: FxHashMap<Atom, u64>,
    variables: FxHashMap<u64, u64>,
}

impl Encoder {
    fn node(&mut self, tag: u8, n: u64) -> Result<(), Throw> {
        growth::have(&mut self.bytes, 11)?;
        self.bytes.push(tag);
        put_number(&mut self.bytes, n);
        Ok(())
    }
    fn text(&mut self, tag: u8, text: &str) -> Result<(), Throw> {
        self.node(tag, text.len() as u64)?;
        growth::have(&mut self.bytes, text.len())?;
        self.bytes.extend(text.as_bytes());
        Ok(())
    }
    fn name(&mut self, name: Atom) -> Result<(), Throw> {
        if let Some(&n) = self.names.get(&name) {
            return self.node(tag::AGAIN, n);
        }
        let next = self.names.len() as u64;
        growth::insert(&mut self.names, name, next)?;
        self.text(tag::ATOM, name.as_str())
    }
}

/// The bytes of a term without cycles, their number before them.
fn encode(m: &mut Ctx, term: Cell) -> Result<Vec<u8>, Throw> {
    let mut e = Encoder {
        bytes: Vec::new(),
        names: FxHashMap::default(),
        variables: FxHashMap::default(),
    };
    let mut refused = None;
    let mut left = vec![Left::Term(m.term(term))];
    while let Some(next) = left.pop() {
        let term = match next {
            Left::Term(term) => term,
            Left::List(n) => {
                e.node(tag::LIST, n)?;
                continue;
            }
            Left::Compound(f) => {
                e.name(f.name())?;
                e.node(tag::COMPOUND, f.arity() as u64)?;
                continue;
            }
            Left::Dict(n) => {
                e.node(tag::DICT, n)?;
                continue;
            }
        };
        match term.view() {
            View::Var(identity) | View::Attributed(identity) => {
                let next = e.variables.len() as u64;
                let n = *e.variables.get(&identity).unwrap_or(&next);
                growth::insert(&mut e.variables, identity, n)?;
                e.node(tag::VARIABLE, n)?;
            }
            View::Atom(atoms::NIL) => e.node(tag::NIL, 0)?,
            View::Atom(name) => e.name(name)?,
            View::Int(n) => e.node(tag::INTEGER, (n << 1 ^ n >> 63) as u64)?,
            View::Float(f) => {
                growth::have(&mut e.bytes, 9)?;
                e.bytes.push(tag::FLOAT);
                e.bytes.extend(f.to_bits().to_le_bytes());
            }
            View::Number(b) => match b.number() {
                Number::Rat(q) => {
                    let text = format!("{:x}/{:x}", q.numerator(), q.denominator());
                    e.text(tag::NUMBER, &text)?;
                }
                n => {
                    let n = n.to_big().unwrap_or_default();
                    e.text(tag::NUMBER, &format!("{n:x}"))?;
                }
            },
            View::Str(text) => e.text(tag::STRING, text)?,
            View::List(..) => {
                let (items, tail) = term.list_items();
                let more = items.len() + 2;
                growth::have(&mut left, more)?;
                left.push(Left::List(items.len() as u64));
                left.push(Left::Term(tail));
                left.extend(items.into_iter().rev().map(Left::Term));
            }
            View::Compound(c) => {
                growth::have(&mut left, c.arity() + 1)?;
                left.push(match c.name() == atoms::DICT {
                    true => Left::Dict(c.arity() as u64),
                    false => Left::Compound(c.functor()),
                });
                left.extend(c.args().rev().map(Left::Term));
            }
            View::Handle(_) | View::Blob(_) => {
                refused = Some(term.cell());
                break;
            }
        }
    }
    drop(left);
    if let Some(blob) = refused {
        return Err(m.permission_error("fast_serialize", "blob", blob));
    }
    let mut whole = growth::with_room(e.bytes.len() + 10)?;
    put_number(&mut whole, e.bytes.len() as u64);
    whole.extend(e.bytes);
    Ok(whole)
}

fn put_number(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

/// Takes bytes.
struct Decoder<'t> {
    bytes: &'t [u8],
    names: Vec<Atom>,
    variables: Vec<Cell>,
    stack: Vec<Cell>,
}

impl<'t> Decoder<'t> {
    fn number(&mut self) -> Option<u64> {
        let mut n = 0;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.bytes.split_first()?;
            self.bytes = rest;
            n |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(n);
            }
        }
        None
    }
    fn take(&mut self, n: u64) -> Option<&'t [u8]> {
        let n = usize::try_from(n).ok()?;
        let (taken, rest) = self.bytes.split_at_checked(n)?;
        self.bytes = rest;
        Some(taken)
    }
    fn text(&mut self) -> Option<&'t str> {
        let n = self.number()?;
        std::str::from_utf8(self.take(n)?).ok()
    }
    /// Where the last so many cells of the stack begin.
    fn base(&self, n: u64) -> Option<usize> {
        self.stack.len().checked_sub(usize::try_from(n).ok()?)
    }
    /// One node; whether there was one.
    fn node(&mut self, m: &mut Ctx) -> Result<Option<Cell>, Throw> {
        let Some((&tag, rest)) = self.bytes.split_first() else {
            return Ok(None);
        };
        self.bytes = rest;
        Ok(match tag {
            tag::VARIABLE => match self.number() {
                Some(n) if n < self.variables.len() as u64 => Some(self.variables[n as usize]),
                Some(n) if n == self.variables.len() as u64 => {
                    let v = m.heap.variable()?;
                    growth::push(&mut self.variables, v)?;
                    Some(v)
                }
                _ => None,
            },
            tag::ATOM => match self.text() {
                Some(text) => {
                    let name = m.atom_of_text(text)?;
                    growth::push(&mut self.names, name)?;
                    Some(Cell::atom(name))
                }
                None => None,
            },
            tag::AGAIN => {
                let n = self.number().and_then(|n| usize::try_from(n).ok());
                n.and_then(|n| self.names.get(n))
                    .map(|&name| Cell::atom(name))
            }
            tag::INTEGER => match self.number() {
                Some(n) => {
                    let n = (n >> 1) as i64 ^ -((n & 1) as i64);
                    Some(m.heap.number(&Number::Int(n))?)
                }
                None => None,
            },
            tag::NUMBER => match self.text().and_then(number_of) {
                Some(n) => Some(m.heap.number(&n)?),
                None => None,
            },
            tag::FLOAT => match self.take(8).and_then(|b| b.first_chunk()) {
                Some(&bits) => Some(m.heap.float(f64::from_bits(u64::from_le_bytes(bits)))?),
                None => None,
            },
            tag::STRING => match self.text() {
                Some(text) => Some(m.heap.string(text)?),
                None => None,
            },
            tag::NIL => self.number().map(|_| Cell::NIL),
            tag::LIST => {
                let n = self
                    .number()
                    .filter(|&n| n > 0)
                    .and_then(|n| n.checked_add(1));
                match (n.and_then(|n| self.base(n)), self.stack.last()) {
                    (Some(base), Some(&tail)) => {
                        let items = &self.stack[base..self.stack.len() - 1];
                        let list = m.heap.list(items, tail)?;
                        self.stack.truncate(base);
                        Some(list)
                    }
                    _ => None,
                }
            }
            tag::COMPOUND => {
                let n = self.number().filter(|&n| n <= MAX_ARITY as u64);
                let name = self.stack.last().filter(|c| c.is_atom());
                let base = n.and_then(|n| self.base(n + 1));
                match (base, name) {
                    (Some(base), Some(&name)) => {
                        let args = &self.stack[base..self.stack.len() - 1];
                        let made = compound(m, name.atom_of(), args)?;
                        self.stack.truncate(base);
                        Some(made)
                    }
                    _ => None,
                }
            }
            tag::DICT => {
                let n = self
                    .number()
                    .filter(|n| n % 2 == 1 && *n <= MAX_ARITY as u64);
                match n.and_then(|n| self.base(n)) {
                    Some(base) => match dict_of(m, &self.stack[base..])? {
                        Some(made) => {
                            self.stack.truncate(base);
                            Some(made)
                        }
                        None => None,
                    },
                    None => None,
                }
            }
            _ => None,
        })
    }
}

fn compound(m: &mut Ctx, name: Atom, args: &[Cell]) -> Result<Cell, Throw> {
    Ok(match *args {
        [head, tail] if name == atoms::DOT => m.heap.list_cell(head, tail)?,
        _ => m.heap.structure(Functor::new(name, args.len()), args)?,
    })
}

/// A dict of a tag, and values and keys in the order that dicts have them.
fn dict_of(m: &mut Ctx, args: &[Cell]) -> Result<Option<Cell>, Throw> {
    let (pairs, _) = args[1..].as_chunks::<2>();
    let is_key = |c: Cell| c.is_small() || c.is_atom();
    if !pairs.iter().all(|pair| is_key(pair[1])) {
        return Ok(None);
    }
    let mut sorted = growth::with_room(pairs.len())?;
    sorted.extend(pairs.iter().copied());
    sorted.sort_unstable_by(|x: &[Cell; 2], y| dict::order(x[1], y[1]));
    if sorted.windows(2).any(|w| w[0][1] == w[1][1]) {
        return Ok(None);
    }
    let mut all = growth::with_room(args.len())?;
    all.push(args[0]);
    all.extend(sorted.into_iter().flatten());
    Ok(Some(m.heap.structure(dict::functor(pairs.len()), &all)?))
}

/// An integer, or a fraction, in hexadecimal digits.
fn number_of(text: &str) -> Option<Number> {
    use samite_term::number::{IBig, Ratio};
    let digits = |text: &str| IBig::from_str_radix(text, 16).ok();
    Some(match text.split_once('/') {
        None => Number::from_big(digits(text)?),
        Some((num, den)) => {
            let den = digits(den).filter(|d| *d > IBig::ZERO)?;
            Number::from_rational(Ratio::from(digits(num)?) / Ratio::from(den))
        }
    })
}

fn decode(m: &mut Ctx, bytes: &[u8]) -> Result<Cell, Throw> {
    let mut d = Decoder {
        bytes,
        names: Vec::new(),
        variables: Vec::new(),
        stack: Vec::new(),
    };
    let whole = d.number() == Some(d.bytes.len() as u64);
    while whole && !d.bytes.is_empty() {
        match d.node(m)? {
            Some(cell) => growth::push(&mut d.stack, cell)?,
            None => return Err(m.syntax_error(WRONG)),
        }
    }
    match d.stack[..] {
        [term] => Ok(term),
        _ => Err(m.syntax_error(WRONG)),
    }
}

fn fast_read(m: &mut Ctx, a: Args) -> Res {
    let t = m.any_target(a, 0)?;
    let limit = m.thread.memory_limit / 4;
    // The bytes of one term, or of what there is of it.
    let bytes = m.on_data(&t, true, StreamType::Binary, |s| {
        let mut bytes = Vec::new();
        let (mut length, mut shift) = (0u64, 0);
        while let Some(b) = s.get_byte()? {
            bytes.push(b);
            if shift < 64 {
                length |= u64::from(b & 0x7f) << shift;
            }
            shift += 7;
            if b < 0x80 || shift > 70 {
                break;
            }
        }
        let whole = (bytes.len() as u64).saturating_add(length);
        while (bytes.len() as u64) < whole {
            if bytes.len() > limit || growth::have(&mut bytes, 1).is_err() {
                return Err(samite_stream::StreamError::TooLarge);
            }
            match s.get_byte()? {
                Some(b) => bytes.push(b),
                None => break,
            }
        }
        Ok(bytes)
    })?;
    let term = match bytes.is_empty() {
        true => Cell::atom(atoms::END_OF_FILE),
        false => decode(m, &bytes)?,
    };
    Ok(m.unify_arg(a, 1, term))
}
