//! What builtins of all topics do with their arguments: lists, texts, integers, sizes, names.

use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use samite_stream::format::format_text;
use samite_term::{Atom, Cell, Number, TermRef, View};

impl Ctx<'_> {
    /// An argument that must be an atom.
    pub fn atom_argument(&mut self, a: Args, i: usize) -> Result<Atom, Throw> {
        let c = self.arg(a, i);
        if c.is_atom() {
            return Ok(c.atom_of());
        }
        Err(self.type_error("atom", c))
    }
    /// The text of an atom, string or list of codes or characters.
    pub(crate) fn text_arg(&mut self, c: Cell) -> Result<String, Throw> {
        if c == Cell::NIL {
            return Ok(String::new());
        }
        let text = match finite_list(self.term(c)) {
            Some(_) => format_text(self.term(c)).ok(),
            None => None,
        };
        match text {
            Some(t) => Ok(t),
            None => Err(self.type_error("text", c)),
        }
    }
}

/// Items and tail of a list; `None` if it is cyclic.
pub(crate) fn finite_list<'a>(list: TermRef<'a>) -> Option<(Vec<TermRef<'a>>, TermRef<'a>)> {
    let (items, tail) = list.list_items();
    (!matches!(tail.view(), View::List(..))).then_some((items, tail))
}

/// Items of a list and its tail. The tail of a cyclic list is a list cell.
pub(crate) fn list_parts(m: &Ctx, list: Cell) -> (Vec<Cell>, Cell) {
    let (items, tail) = m.term(list).list_items();
    // (In the same memory.)
    (items.into_iter().map(|t| t.cell()).collect(), tail.deref())
}

/// What is to become a list: with the flag `iso` a type error unless it is one, or may become one, as the standard says; else it fails to unify later.
pub(crate) fn partial_list(m: &mut Ctx, list: Cell) -> Result<(), Throw> {
    if !m.thread.arith.iso || list.is_ref() || list == Cell::NIL {
        return Ok(());
    }
    let is_one = finite_list(m.term(list)).is_some_and(|(_, tail)| {
        let tail = tail.deref();
        tail.is_ref() || tail == Cell::NIL
    });
    match is_one {
        true => Ok(()),
        false => Err(m.type_error("list", list)),
    }
}

/// Items of a proper list; instantiation and type errors for others.
pub(crate) fn proper_list(m: &mut Ctx, list: Cell) -> Result<Vec<Cell>, Throw> {
    let (items, tail) = list_parts(m, list);
    if tail == Cell::NIL {
        return Ok(items);
    }
    if tail.is_ref() {
        return Err(m.instantiation_error());
    }
    Err(m.type_error("list", list))
}

/// An integer argument; errors if it is none.
pub(crate) fn integer(m: &mut Ctx, c: Cell) -> Result<Number, Throw> {
    match m.term(c).number() {
        Some(n) if n.is_integer() => Ok(n),
        _ => Err(m.type_error("integer", c)),
    }
}

/// Whether an integer is negative.
pub(crate) fn is_negative(n: &Number) -> bool {
    match n {
        Number::Int(v) => *v < 0,
        Number::Big(b) => *b < samite_term::number::IBig::ZERO,
        _ => false,
    }
}

/// An integer argument that is not negative, or `None` if it is unbound. One too large for memory is a representation error.
pub(crate) fn size(m: &mut Ctx, c: Cell) -> Result<Option<usize>, Throw> {
    let c = m.deref(c);
    if c.is_ref() {
        return Ok(None);
    }
    if c.is_small() && c.small_value() >= 0 {
        return Ok(Some(c.small_value() as usize));
    }
    let n = integer(m, c)?;
    if is_negative(&n) {
        return Err(m.domain_error("not_less_than_zero", c));
    }
    match n {
        Number::Int(v) => Ok(Some(v as usize)),
        _ => Err(m.representation_error("size_t")),
    }
}

/// `X` if the term is `name(X)`.
pub(crate) fn only_argument(m: &Ctx, t: Cell, name: &str) -> Option<Cell> {
    match m.term(t).view() {
        View::Compound(c) if c.arity() == 1 && c.name().as_str() == name => Some(c.arg(0).deref()),
        _ => None,
    }
}

pub(crate) fn callable(m: &mut Ctx, c: Cell) -> Result<(), Throw> {
    if m.term(c).is_callable() {
        Ok(())
    } else {
        Err(m.type_error("callable", c))
    }
}

/// Runs one attempt of a nondeterministic builtin; a failed one leaves nothing behind.
pub(crate) fn attempt(m: &mut Ctx, f: impl FnOnce(&mut Ctx) -> Res) -> Res {
    let mark = m.heap.mark();
    let holds = f(m);
    if let Ok(false) = holds {
        // SAFETY: what a solution makes is referred to by its bindings only.
        unsafe { m.heap.rollback(mark) };
    } else {
        m.heap.commit(mark);
    }
    holds
}

/// The cell of an atom of this text, one of the machine's own names.
pub(crate) fn atom(text: &str) -> Cell {
    Cell::atom(Atom::of(text))
}
