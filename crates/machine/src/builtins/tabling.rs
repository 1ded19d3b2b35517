//! What tabling offers as builtins.

use super::{Entry, det};
use crate::Args;
use crate::engine::ctx::Ctx;
use crate::state::tabling::conditions::Literal;
use samite_term::{Cell, Functor, atoms};

pub const TABLE: &[Entry] = &[
    // '$resumption'(-N): changes when the continuation that follows is resumed.
    det("$resumption", 1, |m, a| {
        let n = m.thread.tabling.resumption();
        m.unify_int(a, 0, n as i64)
    }),
    // '$same_resumption'(+N): raises an error if it has changed.
    det("$same_resumption", 1, |m, a| {
        let n = Cell::small(m.thread.tabling.resumption() as i64);
        if m.arg(a, 0) == n {
            return Ok(true);
        }
        Err(m.incomplete_error("collect"))
    }),
    // '$delays'(-Literals): what the running derivation has put off, newest first.
    det("$delays", 1, |m, a| {
        let list = m.delays();
        Ok(m.unify_arg(a, 0, list))
    }),
    // '$set_delays'(+Literals): until backtracking.
    det("$set_delays", 1, |m, a| {
        let list = m.arg(a, 0);
        m.set_delays(list)?;
        Ok(true)
    })
    .makes_terms(),
    // '$delayed_goal'(+Literal, -Goal): Module:Goal or tnot(Module:Goal); fails if its table is gone.
    det("$delayed_goal", 2, |m, a| {
        let Some(l) = known_literal(m, a) else {
            return Ok(false);
        };
        let goal = m.goal_of_literal(l)?;
        let goal = match l.answer {
            0 => m.heap.structure(Functor::new(atoms::TNOT, 1), &[goal])?,
            _ => goal,
        };
        Ok(m.unify_arg(a, 1, goal))
    }),
    // '$delay_lists'(+Literal, -Lists): a list of Literal-Literals, for each conditional answer that it is about and each of its delay lists.
    det("$delay_lists", 2, |m, a| {
        let Some(l) = known_literal(m, a) else {
            return Ok(m.unify_arg(a, 1, Cell::NIL));
        };
        let lists = m.lists_of_literal(l)?;
        Ok(m.unify_arg(a, 1, lists))
    }),
    // '$conditional_answers'(:Head, -Literals): those of the conditional answers in all tables of a predicate.
    det("$conditional_answers", 2, |m, a| {
        let (goal, typein) = (m.arg(a, 0), m.thread.modules.typein.get());
        let (head, module) = m.strip_module(goal, typein)?;
        let list = match m.term(head).callable() {
            Some((f, _)) => m.conditional_answers(module, f)?,
            None => return Err(m.type_error("callable", head)),
        };
        Ok(m.unify_arg(a, 1, list))
    }),
];

fn known_literal(m: &mut Ctx, a: Args) -> Option<Literal> {
    let term = m.arg(a, 0);
    m.literal(term).filter(|l| *l != Literal::UNKNOWN)
}
