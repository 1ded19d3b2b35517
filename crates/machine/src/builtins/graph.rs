//! The graph of what incremental tables depend on, for library(increval).

use super::{Entry, det};
use crate::Args;
use crate::engine::ctx::Ctx;
use crate::engine::tabling::graph::Nodes;
use crate::error::{Res, Throw};
use samite_term::{Cell, View};

pub const TABLE: &[Entry] = &[
    // '$graph_nodes'(+Which, -Numbers): `invalid`, `of(Module:Head)`, `uses(N)` or `users(N)`.
    det("$graph_nodes", 2, nodes),
    // '$graph_goal'(+N, -Goal): fails if there is no such node any more.
    det("$graph_goal", 2, |m, a| {
        let n = number(m, a)?;
        Ok(match m.graph_goal(n)? {
            Some(goal) => m.unify_arg(a, 1, goal),
            None => false,
        })
    }),
    // '$graph_is_invalid'(+N).
    det("$graph_is_invalid", 1, |m, a| {
        let n = number(m, a)?;
        Ok(m.graph_is_invalid(n))
    }),
    // '$graph_invalidate'(+N).
    det("$graph_invalidate", 1, |m, a| {
        let n = number(m, a)?;
        m.graph_invalidate(n);
        Ok(true)
    }),
];

fn number(m: &mut Ctx, a: Args) -> Result<u32, Throw> {
    match m.view(a, 0).view() {
        View::Int(n) => Ok(u32::try_from(n).unwrap_or(u32::MAX)),
        _ => {
            let culprit = m.arg(a, 0);
            Err(m.type_error("integer", culprit))
        }
    }
}

fn nodes(m: &mut Ctx, a: Args) -> Res {
    let wanted = match m.view(a, 0).view() {
        View::Compound(c) => match (c.functor().name().as_str(), c.arg(0).view()) {
            ("uses", View::Int(n)) => Nodes::UsedBy(n as u32),
            ("users", View::Int(n)) => Nodes::Users(n as u32),
            _ => {
                let (goal, typein) = (c.arg(0).cell(), m.thread.modules.typein.get());
                let (head, module) = m.strip_module(goal, typein)?;
                match m.term(head).callable() {
                    Some((f, _)) => Nodes::Of(module, f),
                    None => return Err(m.type_error("callable", head)),
                }
            }
        },
        _ => Nodes::Invalid,
    };
    let numbers = m.graph_nodes(&wanted)?;
    let mut list = Cell::NIL;
    for n in numbers.into_iter().rev() {
        list = m.heap.list_cell(Cell::small(i64::from(n)), list)?;
    }
    Ok(m.unify_arg(a, 1, list))
}
