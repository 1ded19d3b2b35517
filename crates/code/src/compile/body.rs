//! Bodies of clauses that are compiled later: a walk over their goals finds what is an error in them when they are added. For who adds clauses.
//!
//! Equation: [`look_at_body`] says [`CompileError::NotCallable`] of the bodies of which [`super::analyse`] does, and [`CompileError::TooLarge`] of clauses with
//! more cells than that takes (a term that shares what is in it may be small and have more than memory holds when it is written out, as code is).

use super::CompileError;
use super::analyse::{MAX_CELLS, is_control};
use super::events::{comparison, term_test, type_test};
use crate::program::Program;
use samite_term::heavy::Patience;
use samite_term::{Functor, TermRef, atoms};

/// What can be said of a body before it is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Body {
    /// A goal of it is a variable.
    pub has_variables: bool,
    /// Each goal but the last is one that leaves no choicepoint, whatever it is called with: nothing comes back into the body.
    pub is_straight: bool,
}

/// Whether goals of this name leave no choicepoint. They are the core's, which no program defines otherwise.
fn is_determinate(f: Functor) -> bool {
    let name = f.name();
    match f.arity() {
        0 => [atoms::TRUE, atoms::FAIL, atoms::FALSE].contains(&name),
        1 => name != atoms::STRING && type_test(name).is_some(),
        2 => {
            name == atoms::EQUALS
                || name == atoms::IS
                || comparison(name).is_some()
                || term_test(name).is_some()
        }
        _ => false,
    }
}

/// Looks at the goals of a body, as the analysis finds them: clauses that are compiled when they are first called are refused by this before. Modules
/// that they name are there afterwards, as in compiled ones; `may_take` says whether there is room for a new one.
pub fn look_at_body(
    program: &Program,
    head: TermRef,
    body: TermRef,
    may_take: impl Fn(usize) -> bool + Copy,
) -> Result<Body, CompileError> {
    let mut has_variables = false;
    let mut is_straight = true;
    let mut work: Vec<TermRef> = Vec::new();
    let mut terms: Vec<TermRef> = Vec::new();
    let mut patience = Patience::new();
    let mut t = body;
    let mut room = MAX_CELLS;
    take_cells(head, &mut terms, &mut room, &mut patience)?;
    loop {
        room = room.checked_sub(1).ok_or(CompileError::TooLarge)?;
        if patience.is_over() {
            return Err(CompileError::NoRoom);
        }
        let (f, args) = match t.goal() {
            Some(goal) => goal,
            None if t.is_var() => {
                has_variables = true;
                let Some(next) = work.pop() else {
                    break;
                };
                is_straight = false;
                t = next;
                continue;
            }
            None => return Err(CompileError::NotCallable),
        };
        // The goal that stands last in this one, if it is a construct.
        let last = match f.arity() {
            _ if !is_control(f) => {
                is_straight &= work.is_empty() || is_determinate(f);
                take_cells(t, &mut terms, &mut room, &mut patience)?;
                None
            }
            1 => {
                is_straight = false;
                Some(args.get(0))
            }
            2 if f.name() == atoms::COLON => {
                is_straight = false;
                let (x, y) = (args.get(0), args.get(1));
                if let Some(module) = x.as_atom()
                    && !program.mention(module, may_take)
                {
                    return Err(CompileError::NoRoom);
                }
                let goes_on = (x.as_atom().is_some() && !y.is_var())
                    || (x.is_var() && y.callable().is_some_and(|(f, _)| is_control(f)));
                goes_on.then_some(y)
            }
            2 => {
                is_straight &= f.name() == atoms::COMMA;
                work.push(args.get(1));
                Some(args.get(0))
            }
            _ => None,
        };
        match last.or_else(|| work.pop()) {
            Some(next) => t = next,
            None => break,
        }
    }
    Ok(Body {
        has_variables,
        is_straight,
    })
}

/// Takes the cells of a term off `room`, as they are when it is written out. `work` is empty, before and after.
fn take_cells<'a>(
    t: TermRef<'a>,
    work: &mut Vec<TermRef<'a>>,
    room: &mut usize,
    patience: &mut Patience,
) -> Result<(), CompileError> {
    let mut next = Some(t);
    while let Some(t) = next.take().or_else(|| work.pop()) {
        let Some((f, args)) = t.callable() else {
            continue;
        };
        *room = (room.checked_sub(1 + f.arity())).ok_or(CompileError::TooLarge)?;
        if patience.is_over() {
            return Err(CompileError::NoRoom);
        }
        // Of a list the first element is the next one: what waits stays little.
        for i in (0..f.arity()).rev() {
            let arg = args.get(i);
            if !arg.deref().is_immediate() {
                work.push(arg);
            }
        }
    }
    Ok(())
}
