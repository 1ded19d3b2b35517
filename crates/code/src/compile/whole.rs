//! Clauses that do not fit into registers and frames: a record of all arguments and the body is copied, the head unified with the
//! arguments, and the body run by `'$body'(Body, Barrier, Module)`, goal by goal, with the clause's cut barrier. Its
//! variables are cells of that copy, however many there are; copying asks for the memory. The head of a rule of single-sided unification is matched by a builtin.

use super::record::Recorder;
use super::{CompileError, Compiled, Parts, Room};
use crate::code_block::CodeBlock;
use crate::db::predicate::Predicate;
use crate::instr::{self, MAX_PREDICATE_ARITY, Op, word, word_label};
use crate::neck::{self, Neck};
use crate::program::Program;
use samite_term::{Atom, Cell, Functor, Tag, atoms};

/// Name and arity of the predicate that runs a body.
pub const BODY: (&str, usize) = ("$body", 3);

/// Name and arity of the builtin that matches the arguments of a rule's head, a fresh term, with a call's.
pub const MATCHES: (&str, usize) = ("$rule_matches", 2);

/// The code of such a clause.
pub(super) fn generate(
    program: &Program,
    module: Atom,
    clause: Parts,
    room: &Room,
) -> Result<Compiled, CompileError> {
    let Parts {
        neck, head, body, ..
    } = clause;
    let Some((f, args)) = head.callable() else {
        return Err(CompileError::NotCallable);
    };
    let n = f.arity();
    if n > MAX_PREDICATE_ARITY {
        return Err(CompileError::TooLarge);
    }
    if neck.is_one_sided() {
        return rule(program, module, clause, room);
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
        run_body(program, module, &mut words);
    } else {
        words.push(word(Op::Proceed, 0, 0, 0));
    }
    Ok(Compiled {
        block: CodeBlock {
            words,
            records: vec![record],
            resumable: false,
        },
        key: super::head_key(clause),
    })
}

/// Runs the body that S is at.
fn run_body(program: &Program, module: Atom, words: &mut Vec<u64>) {
    let run = program.callee(atoms::SYSTEM, Functor::new(Atom::new(BODY.0), BODY.1));
    words.extend([
        word(Op::UnifyVar, 0, 0, 0),
        word(Op::GetB0, 1, 0, 0),
        word(Op::PutConst, 2, 0, 0),
        Cell::atom(module).0,
        word(Op::Execute, 0, 0, 0),
        std::ptr::from_ref(run) as u64,
    ]);
}

/// The code of a rule of single-sided unification: the record is `'$resume'(Body, '$resume'(A1, …, An, T…))`, with what
/// the beginning of the body says of arguments behind those of the head.
fn rule(
    program: &Program,
    module: Atom,
    clause: Parts,
    room: &Room,
) -> Result<Compiled, CompileError> {
    let Parts {
        neck, head, body, ..
    } = clause;
    let (Some((f, args)), Some(body)) = (head.callable(), body) else {
        return Err(CompileError::NotCallable);
    };
    let moved = match neck {
        Neck::Choice => neck::moved(head, body),
        _ => Vec::new(),
    };
    let n = f.arity();
    let m = n + moved.len();
    let (inner, outer) = (
        Functor::new(atoms::RESUME, m),
        Functor::new(atoms::RESUME, 2),
    );
    let mut recorder = Recorder::new(room);
    let first = recorder.structure(inner)?;
    let whole = recorder.structure(outer)?;
    recorder.set(whole + 2, Cell::pointer(Tag::Str, first as u64 * 8));
    recorder.body(whole + 1, body)?;
    for i in 0..n {
        recorder.term(first + 1 + i, args.get(i))?;
    }
    for (i, said) in moved.iter().enumerate() {
        recorder.term(first + 1 + n + i, said.term)?;
    }
    let record = recorder.finish();
    // Above the arguments of the head and of the call: the copy, its part for the arguments, and those of the call.
    let r = n.max(BODY.1) as u16;
    let mut words = Vec::new();
    begin_rule(program.predicate(module, f), &mut words);
    words.extend([
        word(Op::PutRecord, r, 0, 0),
        std::ptr::from_ref(&*record) as u64,
        word(Op::GetStruct, r, 0, 0),
        outer.bits(),
        word(Op::UnifyVar, r + 1, 1, 0),
        word(Op::PutStruct, r + 2, 0, 0),
        inner.bits(),
    ]);
    words.extend((0..n as u16).map(|i| word(Op::PushX, i, 0, 0)));
    words.extend((moved.iter()).map(|m| word(Op::PushX, m.argument as u16, 0, 0)));
    let matches = program.callee(atoms::SYSTEM, Functor::new(Atom::new(MATCHES.0), MATCHES.1));
    words.extend([
        word(Op::Inline, MATCHES.1 as u16, r + 1, 0),
        std::ptr::from_ref(matches) as u64,
    ]);
    if neck == Neck::Commit {
        // No goal comes between.
        words.push(word(Op::CutNeck, 0, 0, 0));
    }
    words.extend([word(Op::GetStruct, r, 0, 0), outer.bits()]);
    run_body(program, module, &mut words);
    Ok(Compiled {
        block: CodeBlock {
            words,
            records: vec![record],
            resumable: true,
        },
        key: super::head_key(clause),
    })
}

/// What a rule of single-sided unification begins with: an alternative that says that it is not the rule, unless others follow.
fn begin_rule(p: &'static Predicate, words: &mut Vec<u64>) {
    let n = p.arity() as u16;
    let mut registers = vec![0u64; instr::list_words(n.into())];
    for r in 0..n {
        registers[usize::from(r) / 4] |= u64::from(r) << (16 * (r % 4));
    }
    let list = registers.len() as i32;
    words.push(word_label(Op::TryRule, n, list + 2));
    words.extend(&registers);
    // Over the alternative.
    words.push(word_label(Op::Jump, 0, list + 4));
    words.push(word(Op::TrustElse, n, 0, 0));
    words.extend(&registers);
    words.push(word(Op::NoRule, n, 0, 0));
    words.push(std::ptr::from_ref(p) as u64);
}
