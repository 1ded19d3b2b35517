//! Calls of tabled predicates.

use super::codec::{Unfit, Variables, encode};
use super::feeding::Fed;
use super::incremental::Current;
use super::negation::NEGATIVE;
use super::restraints::{Cut, Restrained, uncut};
use super::tabled;
use crate::engine::going::Go;
use crate::engine::worker::Worker;
use crate::error::Throw;
use crate::state::internal::cells;
use crate::state::tabling::conditions::Literal;
use crate::state::tabling::raw;
use crate::state::tabling::schedule::{MODED, Subgoal};
use samite_code::index;
use samite_code::modes::Mode;
use samite_code::predicate::Declared;
use samite_code::predicate::{Predicate, flag};
use samite_table::{FramePtr, State};
use samite_term::{Cell, Functor, atoms, growth};

/// A call whose table has been found.
pub(super) enum Call {
    /// Of a complete table, with the call's template.
    Answers(FramePtr, u32, Cell),
    /// It waits for its answers.
    Suspended,
    /// A negative one that need not wait for what is incomplete.
    PutOff(Literal),
    /// Its evaluation is to begin, with the arguments in the registers and this template.
    Begun(FramePtr, Cell),
    /// It is true.
    True,
    /// This goal makes the call when other tables have been made anew.
    After(Cell),
}

/// How a tabled predicate is called.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Asked {
    Plainly,
    /// By `tnot/1`.
    Negatively,
    /// However large the call is.
    AsItIs,
}

/// The incomplete tables that there are for a call.
enum Incomplete {
    None,
    /// One of the evaluation that the call is part of.
    Within(FramePtr),
    /// One of an evaluation that was interrupted.
    Around(FramePtr),
    /// And one of an evaluation that was interrupted before.
    AroundTwice,
}

impl Worker {
    /// A call of a tabled predicate. One that is refused has changed nothing, and is made again if that was for garbage ([`Worker::call_again`]).
    pub(in crate::engine) fn enter_tabled(&mut self, p: &'static Predicate) -> Result<Go, Throw> {
        let go = self.enter_table_of(p, Asked::Plainly);
        if let Err(Throw::Memory) = go {
            self.blamed = Some(p);
        }
        go
    }

    /// The same, however it is asked.
    pub(super) fn enter_table_of(
        &mut self,
        p: &'static Predicate,
        asked: Asked,
    ) -> Result<Go, Throw> {
        match self.table_of_call(p, asked)? {
            Call::Answers(frame, generation, NEGATIVE) => self.after_negative(frame, generation),
            Call::Answers(frame, generation, template) => {
                self.return_answers(frame, generation, template)
            }
            Call::Suspended => {
                self.suspended = true;
                Ok(Go::Fail)
            }
            Call::PutOff(literal) => {
                self.put_off(literal)?;
                Ok(Go::Proceed)
            }
            Call::Begun(frame, inner) => self.generate(p, frame, inner),
            Call::True => Ok(Go::Proceed),
            Call::After(goal) => self.call_goal(goal, atoms::SYSTEM),
        }
    }

    fn table_of_call(&mut self, p: &'static Predicate, asked: Asked) -> Result<Call, Throw> {
        let n = p.arity();
        let mut args: Vec<Cell> = (0..n).map(|i| self.register(i)).collect();
        let negative = asked == Asked::Negatively;
        self.thread.tabling.tables.counts.calls += 1;
        let declared = p.modes();
        let mut cut = Cut::default();
        if asked == Asked::Plainly {
            match self.restrained_call(p, declared, &args)? {
                Restrained::No => (),
                Restrained::Cut(general, of) => (args, cut) = (general, of),
                Restrained::Told(goal) => return Ok(Call::After(goal)),
            }
        }
        if !negative
            && declared.is_none()
            && cut.is_empty()
            && let Some(fed) = self.call_fed(p, &args)?
        {
            return Ok(match fed {
                Fed::True => Call::True,
                Fed::Waits => Call::Suspended,
            });
        }
        let modes: &[Mode] = declared.map_or(&[], |d| &d.modes);
        let values = self.moded_arguments(modes, &args)?;
        let mut variables = Variables::default();
        let incremental = declared.is_some_and(|d| d.incremental);
        if self.thread.tabling.tables.retired_answers() > 0 {
            self.free_retired_tables()?;
        }
        let (mut frame, generation) = self.find_table(p, declared, &args, &mut variables)?;
        let mut renewed = false;
        if incremental {
            // (Who calls it again calls what was called.)
            let called: Vec<Cell> = (0..n).map(|i| self.register(i)).collect();
            match self.current_table(p, frame, generation, &called, asked)? {
                Current::Is(is) => frame = is,
                Current::Renewed(new) => (frame, renewed) = (new, true),
                Current::After(goal) => return Ok(Call::After(goal)),
            }
        }
        if incremental && frame.state() == State::Fresh && !renewed {
            self.begin_node(frame, generation)
                .inspect_err(|_| self.thread.tabling.forget_table(frame, generation))?;
        }
        let asks = (values, variables, cut);
        let found = self.call_of_table(p, declared, (frame, generation), args, asks, negative);
        if found.is_err() && frame.state() == State::Fresh {
            // Nobody has seen it.
            self.thread.tabling.forget_table(frame, generation);
        }
        found
    }

    /// The same, of whose table it is known that it is `fresh`, or right. (How it was declared when it was found: another thread may have loaded its file again.)
    fn call_of_table(
        &mut self,
        p: &'static Predicate,
        declared: Option<&'static Declared>,
        (frame, generation): (FramePtr, u32),
        mut args: Vec<Cell>,
        (values, variables, cut): (Vec<Cell>, Variables, Cut),
        negative: bool,
    ) -> Result<Call, Throw> {
        let modes: &[Mode] = declared.map_or(&[], |d| &d.modes);
        let incremental = declared.is_some_and(|d| d.incremental);
        let keys = variables.cells().len();
        let mut free = growth::with_room(keys + values.len())?;
        free.extend(variables.cells());
        free.extend(values);
        let template = match negative {
            true => NEGATIVE,
            false if cut.is_empty() => self.template(&free)?,
            false => self.template(&uncut(&free, &cut)?)?,
        };
        if incremental {
            self.uses_table(frame, generation)?;
        }
        match frame.state() {
            State::Complete => Ok(Call::Answers(frame, generation, template)),
            State::Incomplete => {
                let index = frame.tag() as usize;
                if index < self.thread.transactions.first_subgoal() {
                    return Err(self.transaction_error(p));
                }
                self.thread.tabling.depend_on(index);
                if negative {
                    let (_, owner) = self.evaluation_of_continuation();
                    let literal = self.negative_literal(frame, generation)?;
                    if self
                        .thread
                        .tabling
                        .put_off_at_once(&literal, index, owner)?
                    {
                        return Ok(Call::PutOff(literal));
                    }
                }
                self.suspend(index, template)?;
                Ok(Call::Suspended)
            }
            State::Fresh => {
                if !negative
                    && !incremental
                    && cut.is_empty()
                    && declared.is_some_and(|d| d.subsumptive)
                {
                    match self.more_general(frame, &args) {
                        Ok(None) => (),
                        found => {
                            self.thread.tabling.forget_table(frame, generation);
                            if let Some((general, template)) = found? {
                                return Ok(Call::Answers(general, generation, template));
                            }
                        }
                    }
                }
                self.begin_table(frame, modes, &mut args, &mut free, keys)?;
                let inner = self.prepare(frame, generation, template, &args, &free)?;
                Ok(Call::Begun(frame, inner))
            }
        }
    }

    /// Before the evaluation of a call, of which the first `keys` of the variables `free` are those of ordinary arguments: values are computed
    /// whatever the caller's variables for them are otherwise.
    fn begin_table(
        &mut self,
        frame: FramePtr,
        modes: &[Mode],
        args: &mut [Cell],
        free: &mut Vec<Cell>,
        keys: usize,
    ) -> Result<(), Throw> {
        self.tables_within_limit()?;
        self.tables_within_space()?;
        self.thread.tabling.tables.counts.evaluations += 1;
        if modes.is_empty() {
            return Ok(());
        }
        self.thread.tabling.tables.space()?.moded_begin(frame)?;
        free.truncate(keys);
        for (a, mode) in args.iter_mut().zip(modes.iter()) {
            if *mode != Mode::Index {
                *a = self.heap.variable()?;
                growth::push(free, *a)?;
            }
        }
        Ok(())
    }

    /// The table of a call, made if there is none, and its generation.
    fn find_table(
        &mut self,
        p: &'static Predicate,
        declared: Option<&'static Declared>,
        args: &[Cell],
        variables: &mut Variables,
    ) -> Result<(FramePtr, u32), Throw> {
        self.see_redefinitions();
        let shared = declared.is_some_and(|d| d.shared && !d.incremental);
        if shared {
            self.see_abolition();
        }
        let limit = self.most_tokens();
        let id = tabled::number(p, declared);
        let modes: &[Mode] = declared.map_or(&[], |d| &d.modes);
        let is_key = |i: usize| modes.get(i).is_none_or(|m| *m == Mode::Index);
        let mut work = Vec::new();
        let first = self
            .thread
            .tabling
            .first_within(self.thread.events.masks.apart);
        if let Some(oldest) = self.thread.tabling.stack.first()
            && (first > 0 || oldest.generation != self.thread.tabling.tables.current())
        {
            // Tables were abolished during this evaluation, which goes on; or what runs is apart from some.
            let mut tokens = Vec::new();
            for (_, &a) in args.iter().enumerate().filter(|&(i, _)| is_key(i)) {
                // SAFETY: arguments are terms of this heap.
                unsafe {
                    encode(a, variables, &mut work, limit, &mut |t| {
                        growth::push(&mut tokens, t)
                    })
                }
                .map_err(|u| self.unfit_call(u, p, args))?;
            }
            match self.incomplete_table(id, &tokens, first) {
                Incomplete::None => {}
                Incomplete::Within(frame) => {
                    let generation = self.thread.tabling.stack[frame.tag() as usize].generation;
                    return Ok((frame, generation));
                }
                // Another is evaluated, unless that has been done.
                Incomplete::Around(frame) => {
                    let around = self.thread.tabling.stack[frame.tag() as usize].generation;
                    if around == self.thread.tabling.tables.current() {
                        self.abolish_all_tables();
                    }
                }
                Incomplete::AroundTwice => return Err(self.apart_error(p)),
            }
            *variables = Variables::default();
        }
        let generation = self.thread.tabling.tables.current();
        if declared.is_some_and(|d| d.subgoal_shared) {
            return self.find_common_table(p, id, modes, args, variables);
        }
        let shared_tables = &self.program.shared_tables;
        let tables = &mut self.thread.tabling.tables;
        let space = tables.space_from(|| shared_tables.origin())?;
        let mut node = space.subgoal_root(id)?;
        let mut unfit = None;
        for (i, &a) in args.iter().enumerate() {
            if !is_key(i) {
                continue;
            }
            // SAFETY: arguments are terms of this heap.
            let done = unsafe {
                encode(a, variables, &mut work, limit, &mut |t| {
                    node = space.subgoal_step(node, t)?;
                    Ok(())
                })
            };
            if let Err(u) = done {
                unfit = Some(u);
                break;
            }
        }
        let found = match unfit {
            None => space.subgoal_leaf(node).map_err(Unfit::from),
            Some(u) => Err(u),
        };
        match found {
            Ok((frame, new)) => {
                let mut frame = frame;
                if !new && self.thread.tabling.tables.is_hidden(frame) {
                    frame = self.thread.tabling.tables.show_again(frame)?;
                }
                self.thread.tabling.tables.made += u64::from(new);
                if shared
                    && frame.state() == State::Fresh
                    && let Err(refused) = self.import_table(frame, generation)
                {
                    self.thread.tabling.forget_table(frame, generation);
                    return Err(refused.into());
                }
                Ok((frame, generation))
            }
            Err(u) => {
                space.subgoal_forget(node);
                Err(self.unfit_call(u, p, args))
            }
        }
    }

    /// The incomplete table of a call by what runs in the evaluations from the subgoal `first` on.
    fn incomplete_table(&self, id: usize, tokens: &[u64], first: usize) -> Incomplete {
        let mut around = Incomplete::None;
        for frame in self.thread.tabling.tables.incomplete(id, tokens) {
            around = match around {
                _ if frame.tag() as usize >= first => return Incomplete::Within(frame),
                Incomplete::None => Incomplete::Around(frame),
                _ => Incomplete::AroundTwice,
            };
        }
        around
    }

    /// The error of a call that has no path in a trie.
    pub(super) fn unfit_call(&mut self, unfit: Unfit, p: &Predicate, args: &[Cell]) -> Throw {
        let goal = match unfit {
            Unfit::TooLong => return Throw::Memory,
            Unfit::Cyclic | Unfit::Attributed => tabled::call(&mut self.heap, p, args),
        };
        match goal {
            Ok(goal) => self.type_error("acyclic_term", goal),
            Err(_) => Throw::Memory,
        }
    }

    /// The answer template of a call: its variables.
    pub(super) fn template(&mut self, variables: &[Cell]) -> Result<Cell, Throw> {
        if variables.is_empty() {
            return Ok(Cell::atom(atoms::ANSWER));
        }
        let f = Functor::new(atoms::ANSWER, variables.len());
        Ok(self.heap.structure(f, variables)?)
    }

    /// Makes a new subgoal incomplete, with the choicepoint that completes it, and its arguments in the registers; its answer template.
    /// `template` is that of the caller, `variables` those of the call `args`.
    fn prepare(
        &mut self,
        frame: FramePtr,
        generation: u32,
        template: Cell,
        args: &[Cell],
        variables: &[Cell],
    ) -> Result<Cell, Throw> {
        // A copy of the call with variables of its own. The registers refer to nothing of the caller, not even to a
        // variable that is bound: it is unbound again when a consumer of this evaluation is resumed.
        let copied = if args.iter().all(|&a| self.deref(a).is_immediate()) {
            None
        } else {
            let mut all = growth::list(args.iter().copied())?;
            growth::push(&mut all, self.template(variables)?)?;
            let call = self
                .heap
                .structure(Functor::new(atoms::TABLED_CALL, all.len()), &all)?;
            let r = self.record_plain(call)?;
            Some(self.heap.instantiate(&r)?)
        };
        let index = self.thread.tabling.stack.len();
        if index >= u32::MAX as usize {
            return Err(Throw::Memory);
        }
        self.room_to_evaluate()?;
        self.push_alternative(cells::Complete {
            template,
            subgoal: raw(frame.to_bits()),
            index: Cell::small(index as i64),
        })?;
        // From here on nothing is refused.
        for (i, &a) in args.iter().enumerate() {
            let a = match copied {
                // SAFETY: a structure with one more argument than the call.
                Some(copied) => unsafe { *copied.ptr().add(1 + i) },
                None => self.deref(a),
            };
            self.set_register(i, a);
        }
        self.begin_delays();
        let none = Cell::atom(atoms::ANSWER);
        // SAFETY: as above.
        let inner = copied.map_or(none, |c| unsafe { *c.ptr().add(1 + args.len()) });
        frame.set_state(State::Incomplete);
        frame.set_tag(index as u64);
        let kind = match tabled::modes(frame).is_empty() {
            true => self.limits(frame),
            false => MODED,
        };
        self.thread
            .tabling
            .begin(Subgoal::new(frame, generation, kind));
        Ok(inner)
    }

    /// Starts the evaluation of a new subgoal.
    fn generate(
        &mut self,
        p: &'static Predicate,
        frame: FramePtr,
        inner: Cell,
    ) -> Result<Go, Throw> {
        self.push(cells::Answer {
            subgoal: raw(frame.to_bits()),
            template: inner,
        })?;
        self.b0 = self.b;
        if !p.is_dynamic() {
            let body = p.body();
            if !body.is_null() {
                return Ok(Go::Code(body));
            }
            if index::is_due(p) {
                let code = index::link(p);
                if !p.is_dynamic() {
                    return Ok(Go::Code(code));
                }
            }
        }
        if p.has(flag::INCREMENTAL) {
            self.uses_clauses(p)?;
        }
        Ok(match self.enter_dynamic(p)? {
            Some(code) => Go::Code(code),
            None => Go::Fail,
        })
    }
}
