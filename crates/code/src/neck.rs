//! Necks: what stands between the head of a clause and its body.
//!
//! `Head => Body` and `Head ?=> Body` are *rules of single-sided unification*: their heads do not bind arguments, and a call of their predicate that
//! no rule answers is an error (`existence_error(matching_rule, Call)`). `=>` commits to its rule where the head has matched, `?=>` does not: it is left by a cut, or by
//! backtracking to the next rule. `Head, Guard => Body` is `Head ?=> Guard, !, Body`.

use samite_term::{Atom, Functor, TermRef, View, atoms};

/// What a clause's neck says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Neck {
    /// `:-`, or none.
    Plain,
    /// `=>`.
    Commit,
    /// `?=>`.
    Choice,
}

impl Neck {
    /// Its name in a clause with a body.
    pub const fn name(self) -> Atom {
        match self {
            Neck::Plain => atoms::NECK,
            Neck::Commit => atoms::SSU,
            Neck::Choice => atoms::SSU_CHOICE,
        }
    }
    pub const fn functor(self) -> Functor {
        Functor::new(self.name(), 2)
    }
    /// The neck of clauses that are terms of this functor.
    #[inline]
    pub fn of_functor(f: Functor) -> Option<Neck> {
        // (Each clause that is added is asked several times.)
        match f {
            _ if f == const { Neck::Plain.functor() } => Some(Neck::Plain),
            _ if f == const { Neck::Commit.functor() } => Some(Neck::Commit),
            _ if f == const { Neck::Choice.functor() } => Some(Neck::Choice),
            _ => None,
        }
    }
    /// Whether the head does not bind arguments.
    pub fn is_one_sided(self) -> bool {
        self != Neck::Plain
    }
    /// The head, of what stands left of the neck in a text, and the guard that may follow it.
    #[inline]
    pub fn head_and_guard<'a>(self, left: TermRef<'a>) -> (TermRef<'a>, Option<TermRef<'a>>) {
        if self.is_one_sided()
            && let Some((f, args)) = left.callable()
            && f == Functor::new(atoms::COMMA, 2)
        {
            return (args.get(0), Some(args.get(1)));
        }
        (left, None)
    }
    /// A clause's term, taken apart: a fact has no body. Modules, and guards before the neck, are not looked for.
    #[inline]
    pub fn split(clause: TermRef) -> (Neck, TermRef, Option<TermRef>) {
        if let Some((f, args)) = clause.callable()
            && let Some(neck) = Neck::of_functor(f)
        {
            return (neck, args.get(0), Some(args.get(1)));
        }
        (Neck::Plain, clause, None)
    }
}

/// A unification at the beginning of a rule's body that belongs to its head.
#[derive(Clone, Copy)]
pub struct Moved<'a> {
    /// Which argument of the head it is about, a variable that does not stand in the arguments before.
    pub argument: usize,
    pub term: TermRef<'a>,
    /// The goal.
    pub goal: TermRef<'a>,
}

/// The unifications with which the body of a rule `Head ?=> Body` begins that say more of the head's arguments: `p(X) ?=> X = f(Y), …` is `p(f(Y)) ?=> …`, and so does not
/// bind. As in SWI-Prolog they stand before all other goals, but for unifications that stay what they are.
pub fn moved<'a>(head: TermRef<'a>, body: TermRef<'a>) -> Vec<Moved<'a>> {
    let mut moved: Vec<Moved> = Vec::new();
    let Some((f, args)) = head.callable() else {
        return moved;
    };
    let mut work = vec![body];
    while let Some(t) = work.pop() {
        let Some((g, parts)) = t.callable() else {
            break;
        };
        if g == Functor::new(atoms::COMMA, 2) {
            work.push(parts.get(1));
            work.push(parts.get(0));
            continue;
        }
        if t.as_atom() == Some(atoms::TRUE) {
            continue;
        }
        if g != Functor::new(atoms::EQUALS, 2) {
            break;
        }
        let (x, y) = (parts.get(0), parts.get(1));
        let (variable, term) = if x.is_var() { (x, y) } else { (y, x) };
        if variable.is_var() && !term.is_var() {
            let mut here = (0..f.arity()).filter(|&i| is_same(args.get(i), variable));
            if let Some(argument) = here.next()
                && moved.iter().all(|m| m.argument != argument)
                && (0..argument).all(|i| occurrences(args.get(i), variable) == 0)
            {
                moved.push(Moved {
                    argument,
                    term,
                    goal: t,
                });
            }
        }
    }
    moved
}

/// Whether both are one variable.
fn is_same(a: TermRef, b: TermRef) -> bool {
    a.is_var() && b.is_var() && a.deref() == b.deref()
}

/// How often a variable occurs in a term, as far as that is once or more often.
pub fn occurrences(t: TermRef, variable: TermRef) -> usize {
    let mut n = 0;
    let mut work = vec![t];
    while let Some(t) = work.pop() {
        match t.view() {
            View::List(head, tail) => work.extend([tail, head]),
            View::Compound(c) => work.extend(c.args()),
            _ => n += usize::from(is_same(t, variable)),
        }
        if n > 1 {
            break;
        }
    }
    n
}
