//! Clauses that do not fit into registers and frames: a record of all arguments and the body is copied, the head unified with the
//! arguments, and the body run by `'$body'(Body, Barrier, Module)`, goal by goal, with the clause's cut barrier. Its
//! variables are cells of that copy, however many there are; copying asks for the memory.

use super::record::Recorder;
use super::{CompileError, Compiled, Room};
use crate::code_block::CodeBlock;
use crate::instr::{MAX_PREDICATE_ARITY, Op, word};
use crate::program::Program;
use samite_term::{Atom, Cell, Functor, TermRef, atoms};

/// Name and arity of the predicate that runs a body.
pub const BODY: (&str, usize) = ("$body", 3);

/// The code of such a clause.
pub(super) fn generate(
    program: &Program,
    module: Atom,
    head: TermRef,
    body: Option<TermRef>,
    room: &Room,
) -> Result<Compiled, CompileError> {
    let Some((f, args)) = head.callable() else {
        return Err(CompileError::NotCallable);
    };
    let n = f.arity();
    if n > MAX_PREDICATE_ARITY {
        return Err(CompileError::TooLarge);
    }
    let mut recorder = Recorder::new(room);
    let functor = Functor::new(atoms::RESUME, n + 1);
    let first = recorder.structure(functor)? + 1;
    if let Some(b) = body {
        recorder.body(first, b)?;
    }
    for i in 0..n {
        recorder.term(first + 1 + i, args.get(i))?;
    }
    let record = recorder.finish();
    // Above the arguments of the head and of the call.
    let r = n.max(BODY.1) as u16;
    let mut words = vec![
        word(Op::PutRecord, r, 0, 0),
        std::ptr::from_ref(&*record) as u64,
        word(Op::GetStruct, r, 0, 0),
        functor.bits(),
    ];
    words.extend((0..n as u16).map(|i| word(Op::UnifyValue, i, i + 1, 0)));
    if body.is_some() {
        let run = program.callee(atoms::SYSTEM, Functor::new(Atom::new(BODY.0), BODY.1));
        words.extend([
            word(Op::UnifyVar, 0, 0, 0),
            word(Op::GetB0, 1, 0, 0),
            word(Op::PutConst, 2, 0, 0),
            Cell::atom(module).0,
            word(Op::Execute, 0, 0, 0),
            std::ptr::from_ref(run) as u64,
        ]);
    } else {
        words.push(word(Op::Proceed, 0, 0, 0));
    }
    Ok(Compiled {
        block: CodeBlock {
            words,
            records: vec![record],
            resumable: false,
        },
        key: super::head_key(head),
    })
}
