//! From a clause term to instructions.
//!
//! [`analyse`] turns the clause into a row of goals and marks ([`events`]) and notes at which of them each variable occurs; [`codegen`] walks that row
//! and emits code, knowing for every variable whether it lives in an X register, in a slot of the frame just returned to, or not yet.
//!
//! Control constructs, unification, type tests and arithmetic are compiled in place, however deep they are nested. A clause
//! with more variables alive than registers or frames hold, or whose code would grow faster than its text, is kept as a record
//! instead, whose body is run goal by goal ([`whole`]).

mod analyse;
pub mod arith;
mod body;
mod call;
mod check;
mod codegen;
mod constructs;
mod events;
mod flat;
mod numbers;
mod record;
mod state;
mod unify;
pub mod whole;

pub use body::look_at_body;

use crate::code_block::CodeBlock;
use crate::neck::{self, Neck};
use crate::program::Program;
use samite_term::{Atom, Functor, TermRef, atoms, heavy};
use std::cell::Cell;

/// Why a clause cannot be compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompileError {
    /// A goal of the body is not callable: `type_error(callable, Body)`.
    NotCallable,
    /// More cells than a clause can have, or a cyclic term: `resource_error(clause_size)`.
    TooLarge,
    /// There is no room for what compiling takes: `resource_error(memory)`. Also where the work was given up.
    NoRoom,
}

/// What compiling a clause may take: the caller is asked before it is taken, if it is much, whether there is room for so many bytes.
///
/// Invariant: what was taken and not asked for is at most [`Room::UNASKED`]. Bytes are estimated, and never given back: a clause is compiled at
/// once, and most of what is made for it lives until it is.
pub struct Room<'r> {
    ask: &'r dyn Fn(usize) -> bool,
    taken: Cell<usize>,
    asked: Cell<usize>,
}

impl<'r> Room<'r> {
    /// Clauses that take no more do not ask.
    pub const UNASKED: usize = 1 << 20;

    pub fn new(ask: &'r dyn Fn(usize) -> bool) -> Room<'r> {
        Room {
            ask,
            taken: Cell::new(0),
            asked: Cell::new(Room::UNASKED),
        }
    }
    fn take(&self, bytes: usize) -> Result<(), CompileError> {
        let taken = self.taken.get() + bytes;
        self.taken.set(taken);
        if taken > self.asked.get() {
            return self.ask();
        }
        Ok(())
    }
    #[cold]
    fn ask(&self) -> Result<(), CompileError> {
        let next = self.taken.get() + Room::UNASKED;
        self.asked.set(next);
        if (self.ask)(next) && !heavy::is_given_up() {
            Ok(())
        } else {
            Err(CompileError::NoRoom)
        }
    }
}

/// A compiled clause.
#[derive(Debug)]
pub struct Compiled {
    pub block: CodeBlock,
    /// First-argument key.
    pub key: u64,
}

/// `@/2`: calls a goal with another module as its context.
pub const AT_MODULE: &str = "@";
/// What calls a goal of a transparent predicate's clause: with the module of that one's caller as its context. (`'$in_context'(Module:Goal)`.)
pub const IN_CONTEXT: &str = "$in_context";
/// The same for a goal that a variable stands for.
pub const CALL_IN_CONTEXT: &str = "$call_in_context";

/// A clause to be compiled, taken apart.
#[derive(Clone, Copy)]
pub struct Parts<'a> {
    pub neck: Neck,
    /// It is callable.
    pub head: TermRef<'a>,
    pub body: Option<TermRef<'a>>,
    /// The body is `Module:Body` because the text of the clause belongs to that module, and its head to another (`m:p :- q`).
    pub placed: bool,
}

impl<'a> Parts<'a> {
    /// Those of a clause as it is kept.
    pub fn of(clause: TermRef<'a>) -> Parts<'a> {
        let (neck, head, body) = Neck::split(clause);
        let placed = false;
        Parts {
            neck,
            head,
            body,
            placed,
        }
    }
}

/// Compiles a clause of `module`.
pub fn compile(
    program: &Program,
    module: Atom,
    clause: Parts,
    room: &Room,
) -> Result<Compiled, CompileError> {
    let Parts {
        neck, head, body, ..
    } = clause;
    if body.is_none()
        && !neck.is_one_sided()
        && let Some(block) = flat::fact(head)
    {
        let key = head_key(clause);
        return Ok(Compiled { block, key });
    }
    general(program, module, clause, room)
}

/// The same for any clause.
fn general(
    program: &Program,
    module: Atom,
    clause: Parts,
    room: &Room,
) -> Result<Compiled, CompileError> {
    let nothing = program.callee(atoms::SYSTEM, Functor::new(atoms::TRUE, 0));
    let compiled = match analyse::analyse(program, module, clause, room)? {
        Some(analysis) => codegen::generate(&analysis, clause, nothing, room),
        None => Err(CompileError::TooLarge),
    };
    match compiled {
        Err(CompileError::TooLarge) => whole::generate(program, module, clause, room),
        result => result,
    }
}

/// The first-argument key of a clause.
pub fn head_key(clause: Parts) -> u64 {
    let mut first = match clause.head.callable() {
        Some((f, args)) if f.arity() > 0 => args.get(0),
        _ => return crate::db::predicate::ANY_KEY,
    };
    if clause.neck == Neck::Choice
        && let Some(body) = clause.body
        && let Some(m) = (neck::moved(clause.head, body).iter()).find(|m| m.argument == 0)
    {
        first = m.term;
    }
    // SAFETY: a `TermRef` is a live term.
    unsafe { crate::db::predicate::key_of(first.deref()) }
}
