//! Whether a predicate is *Horn*: static clauses whose bodies are goals of Horn predicates, unifications, arithmetic and disjunctions, and nothing that
//! looks at how it is called (type tests, `==`, cuts, conditions, negation, builtins with effects or none). Then what a call of it finds is what a more general
//! call finds that the call unifies with: Lloyd, Foundations of Logic Programming (1987), theorem 7.4. (Arithmetic on what is not bound raises an error in the more
//! general call, whatever is called beside it.)
//!
//! The code of the clauses is looked at, of which none need be kept as terms.
//!
//! Called by the tabling engine, which remembers the answer until something is loaded.

use super::predicate::{Clause, Predicate, flag};
use crate::instr::{self, Op};
use rustc_hash::FxHashSet;
use samite_term::common;
use samite_term::growth::{self, Refused};

/// What a predicate of a program is not that is made of clauses and nothing else.
const OTHERWISE: u32 = flag::DYNAMIC
    | flag::THREAD_LOCAL
    | flag::BUILTIN
    | flag::CONTROL
    | flag::INLINE
    | flag::LOADING
    | flag::RELOADING
    | flag::INCREMENTAL
    | flag::LISTENED
    | flag::ONE_SIDED
    | flag::DET;

/// The predicates by address that are Horn as this one is: those that it calls, directly or not, and itself; `None`: it is not.
pub fn horn(p: &'static Predicate) -> Result<Option<FxHashSet<usize>>, Refused> {
    let (mut seen, mut todo) = (FxHashSet::default(), vec![p]);
    while let Some(p) = todo.pop() {
        let p = p.link().unwrap_or(p);
        if seen.contains(&key(p)) {
            continue;
        }
        if !growth::set_room(&mut seen, common::system_has) {
            return Err(Refused);
        }
        seen.insert(key(p));
        // (A declaration says that its tables are not of the ordinary kind.)
        if p.flags() & OTHERWISE != 0 || p.modes().is_some() || p.is_wrapped() || p.is_transparent()
        {
            return Ok(None);
        }
        let _w = p.lock();
        let mut clauses = p.clauses().alive().peekable();
        if clauses.peek().is_none() {
            return Ok(None);
        }
        for c in clauses {
            if !look_at(c, &mut todo)? {
                return Ok(None);
            }
        }
    }
    Ok(Some(seen))
}

fn key(p: &'static Predicate) -> usize {
    std::ptr::from_ref(p).addr()
}

/// Whether a clause is one of a Horn predicate if those are that it calls, which are added.
fn look_at(c: &Clause, calls: &mut Vec<&'static Predicate>) -> Result<bool, Refused> {
    let range = c.code_range();
    let mut pc = c.code();
    if pc.is_null() {
        return Ok(false);
    }
    while pc.addr() < range.end {
        // SAFETY: the code of a clause that is alive, whose predicate's lock is held: one instruction behind the other.
        let w = unsafe { *pc };
        match instr::op(w) {
            Op::Execute => {
                // SAFETY: the operand, a predicate, which lives as long as the process.
                let callee = unsafe {
                    let operand = *pc.add(1) as usize;
                    &*std::ptr::with_exposed_provenance(operand)
                };
                growth::push(calls, callee)?;
            }
            op if is_plain(op) => (),
            // SAFETY: the words of an instruction.
            op if is_comparison(op) && unsafe { fails(pc) } => (),
            _ => return Ok(false),
        }
        // SAFETY: as above.
        pc = unsafe { pc.add(instr::length(w)) };
    }
    Ok(true)
}

/// Whether an instruction unifies, builds, computes, or goes from one goal to the next.
fn is_plain(op: Op) -> bool {
    let moves = matches!(
        op,
        Op::Proceed
            | Op::MakeFrame
            | Op::Jump
            | Op::Fail
            | Op::TryElse
            | Op::RetryElse
            | Op::TrustElse
    );
    // (What is evaluated when it is called, and functions with a name, may be random, or the time.)
    let computes = instr::is_operation(op) && !matches!(op, Op::Function1 | Op::Function2);
    let unifies = (Op::GetConst as u8..=Op::Load as u8).contains(&(op as u8));
    moves || unifies && op != Op::Qualify || computes
}

fn is_comparison(op: Op) -> bool {
    (Op::CmpEq as u8..=Op::CmpGe as u8).contains(&(op as u8))
}

/// Whether a test that does not hold is a failure, and no other way to go on.
///
/// # Safety
/// `pc` is at an instruction.
unsafe fn fails(pc: *const u64) -> bool {
    // SAFETY: promised by the caller.
    let code = unsafe { std::slice::from_raw_parts(pc, instr::length(*pc)) };
    instr::target(code, 0) == 0
}
