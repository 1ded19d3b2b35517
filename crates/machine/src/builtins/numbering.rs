//! Variables that are numbered, and those that occur once: `numbervars/1,3`, what `numbervars/4` does (`library/terms/numbervars.pl`), `term_singletons/2`.
//!
//! A walk marks the variables that it meets in their own cells ([`ONCE`], then [`MANY`]); nobody else sees the heap meanwhile. So it is linear, and nobody
//! has to remember which were met.

use super::args::integer;
use super::terms::variables;
use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use samite_term::cell::Kind;
use samite_term::cycle::{self, Met};
use samite_term::growth::{self, Refused};
use samite_term::{Atom, Cell, Functor, Number, Tag, atoms};

pub const TABLE: &[Entry] = &[
    det("numbervars", 1, |m, a| {
        let t = m.arg(a, 0);
        number(m, t, 0, &Numbering::PLAIN).map(|_| true)
    })
    .makes_terms(),
    det("numbervars", 3, |m, a| {
        let end = from(m, a, &Numbering::PLAIN)?;
        m.unify_int(a, 2, end)
    })
    .core()
    .makes_terms(),
    // '$numbervars'(+Term, +Start, -End, +Name, +Singletons, +Skip): whether variables that occur once become Name('_'), whether attributed ones stay.
    det("$numbervars", 6, |m, a| {
        let how = Numbering {
            name: m.atom_argument(a, 3)?,
            singletons: m.arg(a, 4) == Cell::atom(atoms::TRUE),
            skips: m.arg(a, 5) == Cell::atom(atoms::TRUE),
        };
        let end = from(m, a, &how)?;
        m.unify_int(a, 2, end)
    })
    .makes_terms(),
    det("term_singletons", 2, term_singletons).makes_terms(),
];

/// What variables become.
struct Numbering {
    name: Atom,
    /// Those that occur once have no number.
    singletons: bool,
    /// Attributed variables stay; else there must be none.
    skips: bool,
}

impl Numbering {
    const PLAIN: Numbering = Numbering {
        name: atoms::VARN,
        singletons: false,
        skips: false,
    };
}

/// Numbers of `'$VAR'/1` that `numbervars/3` gives are smaller, on both sides of 0 (SWI-Prolog 9).
const MOST_NUMBERVAR: i64 = 1 << 59;

/// Words that `'$VAR'(N)` takes.
const WORDS_OF_NUMBERED: usize = 2;

/// The same with what it takes to bind a variable to it.
const NUMBERED: usize = 2 * WORDS_OF_NUMBERED;

/// Numbers the variables of argument 0 from argument 1 on.
fn from(m: &mut Ctx, a: Args, how: &Numbering) -> Result<i64, Throw> {
    let start = m.arg(a, 1);
    let Number::Int(start) = integer(m, start)? else {
        return Err(m.representation_error("long"));
    };
    let t = m.arg(a, 0);
    number(m, t, start, how)
}

/// Binds the variables of a term to `'$VAR'(N)`; returns the next number.
fn number(m: &mut Ctx, t: Cell, start: i64, how: &Numbering) -> Result<i64, Throw> {
    let (mut once, mut found) = match how.singletons {
        true => {
            let all = occurrences(m, t)?;
            (all.once, all.many)
        }
        false => (Vec::new(), variables(m, t)?),
    };
    // SAFETY: variables of this heap.
    let is_attributed = |m: &Ctx, v: &Cell| unsafe { m.heap.attributes(*v) }.is_some();
    if how.skips {
        once.retain(|v| !is_attributed(m, v));
        found.retain(|v| !is_attributed(m, v));
    } else if once.iter().chain(&found).any(|v| is_attributed(m, v)) {
        return Err(m.type_error("free_of_attvar", t));
    }
    let end = start.saturating_add(found.len() as i64);
    if start <= -MOST_NUMBERVAR || end > MOST_NUMBERVAR {
        return Err(m.representation_error("tagged_integer"));
    }
    // Before the first is bound.
    m.heap_room((found.len() + once.len()) * NUMBERED * size_of::<Cell>())?;
    let unnumbered = usize::from(!once.is_empty());
    if found.len() + unnumbered == 0 {
        return Ok(end);
    }
    // In one piece: what is made outside of the nursery costs a collection something for each.
    let words = (found.len() + unnumbered) * WORDS_OF_NUMBERED;
    let mut next = m.heap.allocate(words)?;
    let header = Functor::new(how.name, 1).cell();
    for (n, &v) in (start..).zip(&found) {
        // SAFETY: so many words were just allocated for each; the numbers are small. What was found is unbound, and each once.
        unsafe {
            *next = header;
            *next.add(1) = Cell::small(n);
            m.heap.bind(v.ptr(), Cell::to(Tag::Str, next));
            next = next.add(WORDS_OF_NUMBERED);
        }
    }
    if unnumbered == 1 {
        // SAFETY: the words that are left; the variables as above.
        unsafe {
            *next = header;
            *next.add(1) = Cell::atom(Atom::new("_"));
            for v in once {
                m.heap.bind(v.ptr(), Cell::to(Tag::Str, next));
            }
        }
    }
    Ok(end)
}

/// `term_singletons(+Term, -Vars)`: those that occur once, in order.
fn term_singletons(m: &mut Ctx, a: Args) -> Res {
    let t = m.arg(a, 0);
    let all = occurrences(m, t)?;
    if all.shares && !cycle::is_acyclic(m.term(t)) {
        return Err(m.representation_error("acyclic_term"));
    }
    let list = m.heap.list(&all.once, Cell::NIL)?;
    Ok(m.unify_arg(a, 1, list))
}

/// What is in the cell of a variable that has been met: no term has such cells.
const ONCE: Cell = Cell::header(Kind::Raw, 1);
const MANY: Cell = Cell::header(Kind::Raw, 2);

/// The variables of a term, in order of appearance.
struct Occurrences {
    once: Vec<Cell>,
    many: Vec<Cell>,
    /// The walk came to a compound a second time and knew it: those of a cyclic term do.
    shares: bool,
}

/// A walk that marks variables.
#[derive(Default)]
struct Marking {
    found: Vec<Cell>,
    /// Which of them have attributes, and what is in their cells then instead of themselves.
    attributed: Vec<(usize, Cell)>,
    /// Compounds that were met before: what is in them occurs more than once.
    again: Vec<Cell>,
    /// There were some.
    shares: bool,
}

fn occurrences(m: &mut Ctx, t: Cell) -> Result<Occurrences, Refused> {
    let mut marking = Marking::default();
    // SAFETY: a term of this heap, where nothing else happens until the marks are gone.
    let marked = unsafe { marking.all(m.deref(t)) };
    let (mut once, mut many) = (Vec::new(), Vec::new());
    let found = marking.found.len();
    let roomy = marked.and_then(|()| {
        growth::have(&mut once, found)?;
        growth::have(&mut many, found)
    });
    for &v in &marking.found {
        // SAFETY: the cell of a variable that was marked; if there is no room, only the marks are taken off.
        unsafe {
            match roomy {
                Ok(()) if *v.ptr() == ONCE => once.push(v),
                Ok(()) => many.push(v),
                Err(_) => {}
            }
            *v.ptr() = v;
        }
    }
    for &(i, before) in &marking.attributed {
        // SAFETY: as above.
        unsafe { *marking.found[i].ptr() = before };
    }
    let shares = marking.shares;
    roomy.map(|()| Occurrences { once, many, shares })
}

impl Marking {
    /// Marks all variables of a term.
    ///
    /// # Safety
    /// It is a dereferenced term of this thread's heap; nobody looks at that before the marks are gone.
    unsafe fn all(&mut self, t: Cell) -> Result<(), Refused> {
        // SAFETY: promised by the caller.
        unsafe {
            self.walk(vec![t], true)?;
            self.shares = !self.again.is_empty();
            let again = std::mem::take(&mut self.again);
            self.walk(again, false)
        }
    }

    /// Walks over terms, from left to right if it is the `first` time; the second time all variables in them occur more than once.
    ///
    /// # Safety
    /// As for `all`.
    unsafe fn walk(&mut self, mut work: Vec<Cell>, first: bool) -> Result<(), Refused> {
        let mut met = Met::new();
        let mut next = work.pop();
        while let Some(t) = next {
            // SAFETY: promised by the caller.
            let (t, content) = unsafe { end(t) };
            let (args, arity) = match t.tag() {
                Tag::Ref => {
                    // SAFETY: `end` found a variable.
                    unsafe { self.meet(t, content, first)? };
                    next = work.pop();
                    continue;
                }
                Tag::Lst => (t.ptr(), 2),
                // SAFETY: a structure starts with its functor; its arguments follow.
                Tag::Str => unsafe { (t.ptr().add(1), Functor::from_cell(*t.ptr()).arity()) },
                _ => {
                    next = work.pop();
                    continue;
                }
            };
            if met.again(t) {
                if first {
                    growth::push(&mut self.again, t)?;
                }
                next = work.pop();
                continue;
            }
            growth::have(&mut work, arity)?;
            for i in (0..arity).rev() {
                // SAFETY: an argument of the compound. A variable that lives there and has been met is one no more: it occurs again.
                unsafe {
                    let argument = args.add(i);
                    match *argument {
                        ONCE => *argument = MANY,
                        MANY => {}
                        other if other.is_immediate() => {}
                        other => work.push(other),
                    }
                }
            }
            next = work.pop();
        }
        Ok(())
    }

    /// Marks a variable that the walk has come to.
    ///
    /// # Safety
    /// It is one of this thread's heap, and `content` is in its cell.
    unsafe fn meet(&mut self, v: Cell, content: Cell, first: bool) -> Result<(), Refused> {
        let mark = match content {
            ONCE | MANY => MANY,
            // (Met nowhere before: the walk was given up.)
            _ if !first => return Ok(()),
            _ => {
                growth::have(&mut self.attributed, 1)?;
                growth::push(&mut self.found, v)?;
                if content != v {
                    self.attributed.push((self.found.len() - 1, content));
                }
                ONCE
            }
        };
        // SAFETY: promised by the caller.
        unsafe { *v.ptr() = mark };
        Ok(())
    }
}

/// The end of a chain of references: a variable with what is in its cell, marked or not, or another term.
///
/// # Safety
/// It is a cell of a term of this thread's heap.
#[inline]
unsafe fn end(mut t: Cell) -> (Cell, Cell) {
    while t.is_ref() {
        // SAFETY: a reference points to a cell of the heap.
        let next = unsafe { *t.ptr() };
        if next == t || matches!(next.tag(), Tag::Att | Tag::Hdr) {
            return (t, next);
        }
        t = next;
    }
    (t, t)
}
