//! What tabling offers as builtins.

use super::terms::is_ground;
use super::{Entry, det};
use crate::Args;
use crate::engine::ctx::Ctx;
use crate::error::Throw;
use crate::state::tabling::conditions::Literal;
use samite_table::FramePtr;
use samite_term::growth::Refused;
use samite_term::{Atom, Cell, Functor, View, atoms, growth, view};
use std::sync::atomic::{AtomicU64, Ordering};

/// The arguments of a goal.
fn cells_of(f: Functor, args: view::Args<'_>) -> Result<Vec<Cell>, Refused> {
    let mut cells = growth::with_room(f.arity())?;
    cells.extend((0..f.arity()).map(|i| args.get(i).cell()));
    Ok(cells)
}

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
    // '$next_renewal'(-Goal): the call of the next table that has changed, of those that one depends on which is about to be called; fails if there is none.
    det("$next_renewal", 1, |m, a| {
        Ok(match m.next_renewal()? {
            Some(goal) => m.unify_arg(a, 0, goal),
            None => false,
        })
    })
    .makes_terms(),
    // '$wait_for_answers': a shared evaluation has nothing to do before others have found something, or it is over; fails then.
    det("$wait_for_answers", 0, |m, _| m.wait_for_answers()),
    // '$table_cooperations'(-Opened, -Joined, -Left, -Completed, -Refused): how often the work of an evaluation was shared; why not, a list of numbers.
    det("$table_cooperations", 5, |m, a| {
        let counts = &m.program.shared_tables.offers.clone().counts;
        let of = |n: &AtomicU64| n.load(Ordering::Relaxed) as i64;
        let all = [
            &counts.opened,
            &counts.joined,
            &counts.left,
            &counts.completed,
        ]
        .map(of);
        for (i, n) in all.into_iter().enumerate() {
            if !m.unify_int(a, i, n)? {
                return Ok(false);
            }
        }
        let why = counts.refused.each_ref().map(|n| Cell::small(of(n)));
        let why = m.heap.list(&why, Cell::NIL)?;
        Ok(m.unify_arg(a, 4, why))
    })
    .makes_terms(),
    // '$abolish_private_tables': those of this thread.
    det("$abolish_private_tables", 0, |m, _| {
        // (Shared ones are the program's, whether others have asked for them or not.)
        m.publish_tables();
        m.abolish_all_tables();
        Ok(true)
    }),
    // '$abolish_shared_tables': those of all threads. (Who has read from one has made its own of it.)
    det("$abolish_shared_tables", 0, |m, _| {
        m.abolish_shared_tables();
        Ok(true)
    }),
    // '$delays'(-Literals): what the running derivation has put off, newest first.
    det("$delays", 1, |m, a| {
        m.give_names();
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
        let goal = match l.is_positive() {
            false => m.heap.structure(Functor::new(atoms::TNOT, 1), &[goal])?,
            true => goal,
        };
        Ok(m.unify_arg(a, 1, goal))
    }),
    // '$delay_lists'(+Literal, -Lists): a list of Literal-Literals, for each conditional answer that it is about and each of its delay lists.
    det("$delay_lists", 2, |m, a| {
        m.give_names();
        let Some(l) = known_literal(m, a) else {
            return Ok(m.unify_arg(a, 1, Cell::NIL));
        };
        let lists = m.lists_of_literal(l)?;
        Ok(m.unify_arg(a, 1, lists))
    }),
    // '$conditional_answers'(:Head, -Literals): those of the conditional answers in all tables of a predicate.
    det("$conditional_answers", 2, |m, a| {
        m.give_names();
        let (goal, typein) = (m.arg(a, 0), m.thread.modules.typein.get());
        let (head, module) = m.strip_module(goal, typein)?;
        let list = match m.term(head).callable() {
            Some((f, _)) => m.conditional_answers(module, f)?,
            None => return Err(m.type_error("callable", head)),
        };
        Ok(m.unify_arg(a, 1, list))
    }),
    // '$tables'(:Head, -Tables): a list of table(Literal, Module:Goal, State) for those that there are; of all predicates of the module if Head is unbound, and of all
    // modules if that is. Of a ground Head some that do not unify with it may be left out.
    det("$tables", 2, |m, a| {
        m.give_names();
        let (goal, typein) = (m.arg(a, 0), m.thread.modules.typein.get());
        if let View::Compound(t) = m.term(goal).view()
            && t.functor() == Functor::new(atoms::COLON, 2)
            && t.arg(0).deref().is_ref()
        {
            let f = m.term(t.arg(1).cell()).callable().map(|(f, _)| f);
            let list = m.tables_of(None, f, None)?;
            return Ok(m.unify_arg(a, 1, list));
        }
        let (head, module) = m.strip_module(goal, typein)?;
        let ground = is_ground(m, head)?;
        let (f, args) = match m.term(head).callable() {
            Some((f, args)) => (Some(f), ground.then(|| cells_of(f, args)).transpose()?),
            None if head.is_ref() => (None, None),
            None => return Err(m.type_error("callable", head)),
        };
        let list = m.tables_of(Some(module), f, args.as_deref())?;
        Ok(m.unify_arg(a, 1, list))
    }),
    // '$table'(:Goal, -Literal): of a variant of Goal; fails if there is none.
    det("$table", 2, |m, a| {
        m.give_names();
        let (goal, typein) = (m.arg(a, 0), m.thread.modules.typein.get());
        let (inner, module) = m.strip_module(goal, typein)?;
        let Some((f, args)) = m.term(inner).callable() else {
            return Err(m.type_error("callable", goal));
        };
        let cells = cells_of(f, args)?;
        let Some(p) = m.resolve(module, f) else {
            return Ok(false);
        };
        let Some(l) = m.table_of_variant(p, &cells)? else {
            return Ok(false);
        };
        let term = m.delay_term(l)?;
        Ok(m.unify_arg(a, 1, term))
    }),
    // '$table_answers'(+Literal, -Literals): the answers of a table, none if it is gone.
    det("$table_answers", 2, |m, a| {
        m.give_names();
        let list = match known_literal(m, a) {
            Some(l) => m.answers_of_table(l)?,
            None => Cell::NIL,
        };
        Ok(m.unify_arg(a, 1, list))
    }),
    // '$table_totals'(-Pairs): Key-Value, of the tables of this thread that new calls see.
    det("$table_totals", 1, |m, a| {
        m.give_names();
        let list = totals(m)?;
        Ok(m.unify_arg(a, 0, list))
    }),
    // '$table_totals'(+Table, -Pairs): the same of one table.
    det("$table_totals", 2, |m, a| {
        m.give_names();
        let term = m.arg(a, 0);
        let Some(table) = m.named_table(term) else {
            return Ok(false);
        };
        let list = totals_of(m, table)?;
        Ok(m.unify_arg(a, 1, list))
    }),
    // '$table_pages'(+Whose, -List): pages(Type, Bytes of a structure, Structures in use, Pages), of this `thread` or of `all`.
    det("$table_pages", 2, |m, a| {
        let kinds = match m.atom_argument(a, 0)?.as_str() {
            "all" => samite_table::all_kinds(),
            _ => m.thread.tabling.tables.kinds(),
        };
        let mut list = Cell::NIL;
        for k in kinds.iter().rev() {
            let cells = [k.size, k.in_use, k.pages].map(|n| Cell::small(n as i64));
            let name = Cell::atom(Atom::new(k.name));
            let item = m.structure("pages", &[name, cells[0], cells[1], cells[2]])?;
            list = m.heap.list_cell(item, list)?;
        }
        Ok(m.unify_arg(a, 1, list))
    }),
    // '$abolish_tables'(+Literals, +Singly): with those that depend on them, unless Singly is true.
    det("$abolish_tables", 2, |m, a| {
        let singly = m.atom_argument(a, 1)? == atoms::TRUE;
        let mut tables = Vec::new();
        for t in m.view(a, 0).list_items().0 {
            if let Some(l) = m.literal(t.deref()).filter(|l| *l != Literal::UNKNOWN) {
                growth::push(&mut tables, l)?;
            }
        }
        m.abolish_tables(&tables, singly)?;
        Ok(true)
    }),
];

/// A list of Key-Value.
fn pairs(m: &mut Ctx, all: &[(&str, usize)]) -> Result<Cell, Throw> {
    let mut list = Cell::NIL;
    for (key, value) in all.iter().rev() {
        let cells = [Cell::atom(Atom::of(key)), Cell::small(*value as i64)];
        let pair = m.structure("-", &cells)?;
        list = m.heap.list_cell(pair, list)?;
    }
    Ok(list)
}

fn totals(m: &mut Ctx) -> Result<Cell, Throw> {
    let tables = &m.thread.tabling.tables;
    let (s, counts) = (tables.statistics(), tables.counts);
    let mut seen = m.program.shared_tables.offers.contention.sum();
    (tables.all.iter()).for_each(|g| seen.add(g.space.contention()));
    if let Some(joint) = m.thread.tabling.joint() {
        seen.add(joint.memory.contention());
    }
    let all = [
        ("tables", s.subgoals),
        ("answers", s.answers),
        ("repeated_answers", s.repeated),
        ("calls", counts.calls as usize),
        ("evaluations", counts.evaluations as usize),
        ("reevaluations", counts.renewals as usize),
        ("looked_at", counts.looked_at as usize),
        ("subgoal_trie_nodes", s.subgoal_trie_nodes),
        ("answer_trie_nodes", s.answer_trie_nodes),
        ("hashed_nodes", s.hashed_nodes),
        ("bytes", s.bytes),
        ("bytes_held", tables.bytes()),
        ("common_writes", seen.writes as usize),
        ("failed_writes", seen.failed as usize),
        ("lock_waits", seen.waits as usize),
    ];
    pairs(m, &all)
}

fn totals_of(m: &mut Ctx, table: Literal) -> Result<Cell, Throw> {
    // SAFETY: the frame of a table of a generation that there is.
    let frame = unsafe { FramePtr::from_bits(table.frame) };
    let space = m.thread.tabling.tables.of(table.generation);
    let (s, depth) = space.statistics_of_table(frame)?;
    let all = [
        ("answers", s.answers),
        ("answer_trie_nodes", s.answer_trie_nodes),
        ("hashed_nodes", s.hashed_nodes),
        ("least_depth", depth.min),
        ("greatest_depth", depth.max),
        ("bytes", s.bytes),
    ];
    pairs(m, &all)
}

fn known_literal(m: &mut Ctx, a: Args) -> Option<Literal> {
    let term = m.arg(a, 0);
    m.literal(term).filter(|l| *l != Literal::UNKNOWN)
}
