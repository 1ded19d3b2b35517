//! From a clause term to instructions.
//!
//! [`analyse`] turns the clause into goals and notes at which of them each variable occurs; [`codegen`] walks the goals and emits code,
//! knowing for every variable whether it lives in an X register, in a slot of the frame just returned to, or not yet. There
//! is no local stack: before a non-last call a frame is built from exactly the variables that are live after it.
//!
//! Control constructs, unification, type tests and arithmetic are compiled in place. Whatever is nested too deep
//! to compile in place is left to `call/1`.

mod analyse;
pub mod arith;
mod codegen;
mod unify;

use crate::code_block::CodeBlock;
use crate::program::Program;
use samite_term::{Atom, TermRef};

/// Why a clause cannot be compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompileError {
    /// A goal of the body is not callable: `type_error(callable, Body)`.
    NotCallable,
    /// Too many variables, arguments or words: `resource_error(clause_size)`.
    TooLarge,
}

/// A compiled clause.
#[derive(Debug)]
pub struct Compiled {
    pub block: CodeBlock,
    /// First-argument key.
    pub key: u64,
}

/// Compiles `head :- body` for `module`; `head` is callable.
pub fn compile(
    program: &Program,
    module: Atom,
    head: TermRef,
    body: Option<TermRef>,
) -> Result<Compiled, CompileError> {
    let analysis = analyse::analyse(program, module, head, body)?;
    codegen::generate(analysis, head)
}

/// The first-argument key of a head.
pub fn head_key(head: TermRef) -> u64 {
    match head.callable() {
        Some((f, args)) if f.arity() > 0 => {
            // SAFETY: a `TermRef` is a live term.
            unsafe { crate::predicate::key_of(args.get(0).deref()) }
        }
        _ => crate::predicate::ANY_KEY,
    }
}
