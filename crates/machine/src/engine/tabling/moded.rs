//! Mode-directed tabling: answers whose moded arguments are joined into one value (`:- table path(_, _, min)`).
//!
//! The template of a moded subgoal is that of its ordinary variables followed by its moded arguments. The former make the key of
//! an answer in the trie, the latter its value (see `samite_table::moded`). An answer with a known key is joined with the value in the
//! table, argument by argument; only if that changes the value do the consumers see the answer again. User-defined joins run
//! as goals above a frame `Joined`.
//!
//! A join of the user's that is suspended, because it calls an incomplete table, or that leads to other answers on its way, may find another
//! value in the table when it is done: then it is made again with that.
//!
//! An evaluation ends if there are finitely many calls and keys, and the value of each key changes finitely often: only a change is news
//! ([`Tabling::news`](super::Tabling)), and what is no news leads to no resumption (the cost in `schedule`). That is the program's part: a value
//! is replaced by a strictly better one with `min`, `max` and `po`, by a greater one with a lattice, but `last` and `sum` may go on for ever in a loop.
//!
//! As in SWI-Prolog, moded arguments of a call must be unbound.

use super::codec::{Variables, encode, encode_argument, variable_token};
use super::tabled;
use crate::state::internal::cells;
use crate::state::tabling::{frame_of, raw};

use crate::engine::going::Go;
use crate::engine::worker::Worker;
use crate::error::Throw;
use crate::state::internal::Once;
use rustc_hash::FxHashMap;
use samite_code::modes::Mode;
use samite_table::{AnswerPtr, FramePtr};
use samite_term::view::deref;
use samite_term::{Cell, Functor, atoms, growth};
use std::cmp::Ordering;

/// Where an answer belongs, and the variables of its key in the order of their numbers.
struct Key {
    node: AnswerPtr,
    variables: Variables,
    /// Position of the first value among the arguments of the template.
    first: usize,
}

/// The modes of the values of a subgoal.
fn value_modes(frame: FramePtr) -> Vec<&'static Mode> {
    let modes = tabled::modes(frame).iter();
    modes.filter(|&m| *m != Mode::Index).collect()
}

/// Argument `i` (from 0) of a template.
fn argument(template: Cell, i: usize) -> Cell {
    // SAFETY: a template of a moded subgoal is a structure with at least one argument for each value.
    unsafe { deref(*template.ptr().add(1 + i)) }
}

impl Worker {
    /// The moded arguments of a call, which must be unbound.
    pub(in crate::engine) fn moded_arguments(
        &mut self,
        modes: &[Mode],
        args: &[Cell],
    ) -> Result<Vec<Cell>, Throw> {
        let mut values = Vec::new();
        for (mode, &a) in modes.iter().zip(args) {
            if *mode != Mode::Index {
                let a = self.deref(a);
                if !a.is_ref() {
                    let formal = self.structure("uninstantiation_error", &[a])?;
                    return Err(self.error_term(formal));
                }
                values.push(a);
            }
        }
        Ok(values)
    }

    /// Finds or makes the path of an answer's key. The template has `values` values.
    fn answer_key(&mut self, frame: FramePtr, template: Cell, values: usize) -> Result<Key, Throw> {
        let limit = self.most_tokens();
        let space = self.thread.tabling.tables_of(frame);
        let mut node = space.answer_root(frame);
        // SAFETY: a template of a moded subgoal is a structure.
        let first = Functor::from_cell(unsafe { *template.ptr() }).arity() - values;
        let (mut variables, mut work) = (Variables::of_answer(), Vec::new());
        for i in 0..first {
            let a = argument(template, i);
            let mut step = |t| {
                node = space.answer_step(node, t)?;
                Ok(())
            };
            // SAFETY: arguments of the template are terms of this heap.
            let done = unsafe { encode_argument(a, &mut variables, &mut work, limit, &mut step) };
            if let Err(u) = done {
                space.answer_forget(node);
                return Err(self.unfit_answer(u, template));
            }
        }
        Ok(Key {
            node,
            variables,
            first,
        })
    }

    /// The tokens of an answer's values.
    fn value_tokens(
        &mut self,
        frame: FramePtr,
        key: &mut Key,
        values: &[Cell],
    ) -> Result<Vec<u64>, Throw> {
        let limit = self.most_tokens();
        let mut tokens = Vec::new();
        let mut work = Vec::new();
        let of_key = key.variables.cells().len();
        for &v in values {
            // SAFETY: values are terms of this heap.
            let done = unsafe {
                encode(v, &mut key.variables, &mut work, limit, &mut |t| {
                    growth::push(&mut tokens, t)
                })
            };
            if let Err(u) = done {
                // The key may be that of no answer yet.
                self.thread.tabling.tables_of(frame).answer_forget(key.node);
                return Err(self.unfit_answer(u, v));
            }
        }
        key.variables.truncate(of_key);
        Ok(tokens)
    }

    /// A solution of the clauses of a moded generator. What joining it makes is looked at at the next safe point: the solution does not come again.
    pub(in crate::engine) fn moded_answer(
        &mut self,
        frame: FramePtr,
        template: Cell,
    ) -> Result<Go, Throw> {
        let before = self.heap.set_credit(true);
        let joined = self.join_answer(frame, template);
        self.heap.end_credit(before);
        match joined? {
            Some(go) => Ok(go),
            None => self.answer_recorded(),
        }
    }

    /// Joins an immediate value with one that is in the table, if no goal is called for it and the one there is immediate too; false: it has not been.
    fn improve(
        &mut self,
        frame: FramePtr,
        key: &Key,
        mode: &Mode,
        new: Cell,
    ) -> Result<bool, Throw> {
        let wanted = match mode {
            Mode::Min => Ordering::Less,
            Mode::Max => Ordering::Greater,
            _ => return Ok(false),
        };
        if !new.is_small() {
            return Ok(false);
        }
        let space = self.thread.tabling.tables_of(frame);
        let mut known_is_small = true;
        let better = |known: u64| {
            let known = Cell(known);
            known_is_small = known.is_small();
            known_is_small && new.small_value().cmp(&known.small_value()) == wanted
        };
        let changed = space.moded_improve(frame, key.node, new.0, better)?;
        if changed.is_none() || !known_is_small {
            return Ok(false);
        }
        space.answer_leaf(frame, key.node);
        if changed == Some(true) {
            self.moded_news(frame);
        }
        Ok(true)
    }

    /// The same; what is to be called for it, or nothing, and it has been recorded.
    fn join_answer(&mut self, frame: FramePtr, template: Cell) -> Result<Option<Go>, Throw> {
        let modes = value_modes(frame);
        let mut key = self.answer_key(frame, template, modes.len())?;
        if let [mode] = modes[..]
            && key.node.is_leaf()
            && self.thread.tabling.conditions.is_empty()
            && self.delays() == Cell::NIL
            && self.improve(frame, &key, mode, argument(template, key.first))?
        {
            return Ok(None);
        }
        let new: Vec<Cell> = (0..modes.len())
            .map(|i| argument(template, key.first + i))
            .collect();
        let tokens = self.value_tokens(frame, &mut key, &new)?;
        let space = self.thread.tabling.tables_of(frame);
        if !key.node.is_leaf() {
            // The value first: an answer has one.
            let set = space.moded_set(frame, key.node, &tokens);
            if set.is_err() {
                space.answer_forget(key.node);
                return Err(Throw::Memory);
            }
            space.answer_leaf(frame, key.node);
            self.moded_news(frame);
            self.moded_conditions(frame, template, &mut key, &tokens, true)?;
            return Ok(None);
        }
        space.answer_leaf(frame, key.node);
        let event = space.moded_event(frame, key.node);
        let known = space.moded_value(frame, key.node).unwrap_or_default();
        let known = growth::list(known.iter().copied())?;
        if known == tokens
            && !modes
                .iter()
                .any(|m| matches!(m, Mode::Sum | Mode::Lattice { .. }))
        {
            self.moded_conditions(frame, template, &mut key, &tokens, false)?;
            return Ok(None);
        }
        // The values in the table, as terms.
        let mut variables: FxHashMap<u64, Cell> = FxHashMap::default();
        for (n, &v) in key.variables.cells().iter().enumerate() {
            growth::insert(&mut variables, variable_token(n), v)?;
        }
        let mut at = 0;
        let mut old = Vec::with_capacity(modes.len());
        for _ in 0..modes.len() {
            old.push(self.decode(&known, &mut at, &mut variables)?);
        }
        let mut joined = Vec::with_capacity(modes.len());
        let mut goals = Vec::new();
        for ((&mode, &old), &new) in modes.iter().zip(&old).zip(&new) {
            joined.push(match mode {
                Mode::First | Mode::Index => old,
                Mode::Last => new,
                Mode::Min | Mode::Max => {
                    // SAFETY: nothing is collected or undone before the view was used for the last time.
                    let (x, y) = (unsafe { self.term(new) }, unsafe { self.term(old) });
                    let order = self.heap.compare(x, y);
                    let better = match mode {
                        Mode::Min => Ordering::Less,
                        _ => Ordering::Greater,
                    };
                    if order == better { new } else { old }
                }
                Mode::Sum => {
                    let sum = self.structure("+", &[old, new])?;
                    let sum = self.evaluate(sum)?;
                    self.heap.number(&sum)?
                }
                Mode::Lattice { module, name } => {
                    let result = self.heap.variable()?;
                    let goal = self
                        .heap
                        .structure(Functor::new(name.get(), 3), &[old, new, result])?;
                    goals.push(self.structure(":", &[Cell::atom(module.get()), goal])?);
                    result
                }
                Mode::Order { module, name } => {
                    let result = self.heap.variable()?;
                    let test = self
                        .heap
                        .structure(Functor::new(name.get(), 2), &[old, new])?;
                    let test = self.structure(":", &[Cell::atom(module.get()), test])?;
                    let yes = self.structure("=", &[result, new])?;
                    let no = self.structure("=", &[result, old])?;
                    let then = self.structure("->", &[test, yes])?;
                    goals.push(self.structure(";", &[then, no])?);
                    result
                }
            });
        }
        let Some(mut goal) = goals.pop() else {
            return self
                .moded_update(frame, template, &mut key, &joined)
                .map(|()| None);
        };
        while let Some(g) = goals.pop() {
            goal = self.structure(",", &[g, goal])?;
        }
        let values = self
            .heap
            .structure(Functor::new(atoms::ANSWER, joined.len()), &joined)?;
        let event = Cell::small(event as i64);
        self.push(cells::Joined {
            subgoal: raw(frame.to_bits()),
            template,
            values,
            event,
        })?;
        let mark = self.choices.offset(self.b);
        let why = Once::Solution.cell();
        self.push(cells::OnceExit { mark, why })?;
        self.call_goal(goal, atoms::USER).map(Some)
    }

    /// Frame `Joined`: the values of an answer are known.
    pub(in crate::engine) fn tabling_joined(
        &mut self,
        frame: Cell,
        template: Cell,
        values: Cell,
        event: Cell,
    ) -> Result<Go, Throw> {
        // SAFETY: the cell was made from a frame that stays while its subgoal is incomplete.
        let frame = unsafe { frame_of(frame) };
        let (template, values) = (self.deref(template), self.deref(values));
        // SAFETY: made by `moded_answer` as a structure.
        let n = Functor::from_cell(unsafe { *values.ptr() }).arity();
        let joined: Vec<Cell> = (0..n).map(|i| argument(values, i)).collect();
        let mut key = self.answer_key(frame, template, n)?;
        let now = self
            .thread
            .tabling
            .tables_of(frame)
            .moded_event(frame, key.node);
        if now != event.small_value() as usize {
            return self.moded_answer(frame, template);
        }
        self.moded_update(frame, template, &mut key, &joined)?;
        self.answer_recorded()
    }

    /// Stores values that differ from those in the table.
    fn moded_update(
        &mut self,
        frame: FramePtr,
        template: Cell,
        key: &mut Key,
        values: &[Cell],
    ) -> Result<(), Throw> {
        let tokens = self.value_tokens(frame, key, values)?;
        let space = self.thread.tabling.tables_of(frame);
        let changed = space.moded_value(frame, key.node) != Some(&tokens);
        if changed {
            space.moded_set(frame, key.node, &tokens)?;
            self.moded_news(frame);
        }
        self.moded_conditions(frame, template, key, &tokens, changed)
    }

    /// What a value holds under, `tokens`, after a derivation has been joined: what that put off if it is that derivation's own, what it held under if it
    /// has not changed, else both.
    fn moded_conditions(
        &mut self,
        frame: FramePtr,
        template: Cell,
        key: &mut Key,
        tokens: &[u64],
        changed: bool,
    ) -> Result<(), Throw> {
        if self.thread.tabling.conditions.is_empty() && self.delays() == Cell::NIL {
            return Ok(());
        }
        let values = value_modes(frame).len();
        let derived: Vec<Cell> = (0..values)
            .map(|i| argument(template, key.first + i))
            .collect();
        let own = self.value_tokens(frame, key, &derived)? == tokens;
        let list = self.conditions_of_derivation()?;
        // One that holds anyway needs no other with the same value.
        if !(changed || own && list.is_empty()) {
            return Ok(());
        }
        let t = &mut self.thread.tabling;
        let generation = t.stack[frame.tag() as usize].generation;
        t.conditions.join(frame, generation, key.node, own, list)?;
        Ok(())
    }

    /// The value of an answer was set, for the consumers to see.
    fn moded_news(&mut self, frame: FramePtr) {
        self.thread.tabling.news(frame.tag() as usize);
    }
}
