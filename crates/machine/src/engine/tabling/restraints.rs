//! Limits of calls and answers: how deep their terms are, how many answers a call has (XSB's and SWI-Prolog's *restraints* and *tripwires*; Grosof and Swift,
//! "Radial Restraint", AAAI 2013).
//!
//! A limit is declared for a predicate (`as subgoal_abstract(N)`, `answer_abstract(N)`, `max_answers(N)`), and then is a restraint, or a flag says it for all of them, and
//! what is to be done.
//!
//! | exceeded | the restraint |
//! |---|---|
//! | depth of a call's arguments | what is deeper becomes a variable; the caller reads its answers from the table of that more general call |
//! | depth of an answer's | what is deeper becomes a variable, under `radial_restraint/0`, which is undefined |
//! | answers of a call | one more, the call itself under `answer_count_restraint/0`, and its clauses do nothing more (so what is undefined by then stays so) |
//!
//! The depth of a term is the number of compound terms that lie in each other; an answer's may be one more than the limit says, as in SWI-Prolog.
//! Anything else is the goal `'$tripwire'/3`, behind which the call or answer is taken as it is, and that limit of the subgoal is none any more.
//!
//! *Invariant*: a subgoal that is [`FULL`](crate::state::tabling::schedule::FULL) has its own call as an answer, or that is on its way to be recorded; neither answers nor consumers that would make answers of it
//! are looked at any more.
//!
//! Negative calls are not restrained (a more general one says nothing of them), nor are answers with modes. One that a restraint may have made general, so that it is not ground, is
//! undefined if some of its instances have answers, whether its table is complete or not ([`Worker::is_general`], which alone says which ones these are).

use super::tabled;
use crate::engine::going::Go;
use crate::engine::worker::Worker;
use crate::error::Throw;
use crate::state::internal::cells;
use crate::state::tabling::conditions::Literal;
use crate::state::tabling::raw;
use crate::state::tabling::restraints::{Action, Wire};
use crate::state::tabling::schedule::{COUNT, FULL, MODED, SIZE};
use crate::state::tokens::count_of_variables;
use rustc_hash::FxHashMap;
use samite_code::modes::Restraints;
use samite_code::predicate::{Declared, Predicate};
use samite_heap::OutOfMemory;
use samite_table::FramePtr;
use samite_term::growth::{self, Refused};
use samite_term::view::deref;
use samite_term::{Atom, Cell, Functor, Tag, atoms};

/// A limit, and what is done where it is exceeded.
#[derive(Clone, Copy)]
struct Limit {
    most: usize,
    action: Action,
}

/// The variables that stand for what was cut off a call, with that.
pub(super) type Cut = FxHashMap<Cell, Cell>;

/// What becomes of a call that is limited.
pub(super) enum Restrained {
    /// It is taken as it is.
    No,
    /// It has other arguments.
    Cut(Vec<Cell>, Cut),
    /// This goal says so, and makes the call.
    Told(Cell),
}

/// A term that is being copied: its arguments so far.
struct Open {
    source: Cell,
    built: Vec<Cell>,
}

/// Bytes of an open term, with its arguments.
const BYTES_PER_LEVEL: usize = 64;

/// The number of arguments of a term, if it is compound.
fn arity(t: Cell) -> Option<usize> {
    match t.tag() {
        Tag::Lst => Some(2),
        // SAFETY: a structure of this heap.
        Tag::Str => Some(Functor::from_cell(unsafe { *t.ptr() }).arity()),
        _ => None,
    }
}

fn argument(t: Cell, i: usize) -> Cell {
    let first = usize::from(t.tag() == Tag::Str);
    // SAFETY: `i` is below the term's arity; arguments are terms of this heap.
    unsafe { deref(*t.ptr().add(first + i)) }
}

impl Worker {
    /// Flags say nothing of the system's own tables, of which some are what restraints rest on, and one takes goals.
    fn limit(&self, wire: Wire, p: &Predicate, declared: Option<u32>) -> Option<Limit> {
        if let Some(most) = declared {
            return Some(Limit {
                most: most as usize,
                action: Action::Restrain,
            });
        }
        let most = self.program.wires.most(wire)? as usize;
        if p.module() == atoms::SYSTEM {
            return None;
        }
        let action = self.program.wires.action(wire);
        Some(Limit { most, action })
    }

    fn limit_of_answers(&self, frame: FramePtr, wire: Wire) -> Option<Limit> {
        let of: Restraints = tabled::restraints(frame);
        let declared = match wire {
            Wire::SubgoalSize => of.subgoal,
            Wire::AnswerSize => of.answer,
            Wire::Answers => of.answers,
        };
        self.limit(wire, tabled::predicate(frame), declared)
    }

    /// Whether an answer that is a row, of immediate terms or not, is within the limits of its subgoal, if that has any.
    #[inline]
    pub(super) fn row_is_within(&self, frame: FramePtr, kind: u8, immediate: bool) -> bool {
        kind == 0 || self.limited_row_is_within(frame, kind, immediate)
    }

    #[cold]
    fn limited_row_is_within(&self, frame: FramePtr, kind: u8, immediate: bool) -> bool {
        if kind & MODED != 0 || (kind & SIZE != 0 && !immediate) {
            return false;
        }
        kind & COUNT == 0
            || self
                .limit_of_answers(frame, Wire::Answers)
                .is_none_or(|limit| frame.answer_count() < limit.most)
    }

    /// Which limits hold for the answers of a new subgoal, as bits of its kind.
    pub(super) fn limits(&self, frame: FramePtr) -> u8 {
        if !tabled::modes(frame).is_empty() {
            return 0;
        }
        let bit = |wire, bit| self.limit_of_answers(frame, wire).map_or(0, |_| bit);
        bit(Wire::AnswerSize, SIZE) | bit(Wire::Answers, COUNT)
    }

    /// Whether a call is within its limit.
    #[inline]
    pub(super) fn restrained_call(
        &mut self,
        p: &'static Predicate,
        declared: Option<&'static Declared>,
        args: &[Cell],
    ) -> Result<Restrained, Throw> {
        let declared = declared.and_then(|d| d.restraints.subgoal);
        match self.limit(Wire::SubgoalSize, p, declared) {
            None => Ok(Restrained::No),
            Some(limit) => self.limited_call(p, limit, args),
        }
    }

    #[cold]
    fn limited_call(
        &mut self,
        p: &'static Predicate,
        limit: Limit,
        args: &[Cell],
    ) -> Result<Restrained, Throw> {
        if !self.are_deeper(args, limit.most)? {
            return Ok(Restrained::No);
        }
        if limit.action == Action::Restrain {
            self.program.wires.generalize();
            let mut cut = Cut::default();
            let args = self.cut_off(args, limit.most, &mut cut)?;
            return Ok(Restrained::Cut(args, cut));
        }
        let call = tabled::call(&mut self.heap, p, args)?;
        let say = self.tripwire(Wire::SubgoalSize, limit.action, call)?;
        let call = self.as_it_is(call)?;
        Ok(Restrained::Told(
            self.heap
                .structure(Functor::new(atoms::COMMA, 2), &[say, call])?,
        ))
    }

    /// A call of a tabled predicate that no limit holds for.
    pub(super) fn as_it_is(&mut self, call: Cell) -> Result<Cell, OutOfMemory> {
        let f = Functor::new(Atom::new("$tabled_as_is"), 1);
        self.heap.structure(f, &[call])
    }

    /// An answer of a limited subgoal, before it is recorded: `None` if it is to be, as it is.
    #[cold]
    pub(super) fn limited_answer(
        &mut self,
        frame: FramePtr,
        template: Cell,
    ) -> Result<Option<Go>, Throw> {
        let index = frame.tag() as usize;
        let kind = self.thread.tabling.stack[index].kind;
        let args: Vec<Cell> = match template.tag() {
            Tag::Str => (0..arity(template).unwrap_or(0))
                .map(|i| argument(template, i))
                .collect(),
            _ => Vec::new(),
        };
        if kind & SIZE != 0
            && let Some(limit) = self.limit_of_answers(frame, Wire::AnswerSize)
            && self.are_deeper(&args, limit.most + 1)?
        {
            match limit.action {
                Action::Fail => return Ok(Some(self.point_if_wanted()?.unwrap_or(Go::Fail))),
                Action::Restrain => {
                    self.program.wires.generalize();
                    let args = self.cut_off(&args, limit.most + 1, &mut Cut::default())?;
                    let template = self.template(&args)?;
                    return self
                        .answer_under("radial_restraint", frame, template)
                        .map(Some);
                }
                _ => {
                    return self
                        .answer_told(Wire::AnswerSize, limit, frame, template)
                        .map(Some);
                }
            }
        }
        if kind & COUNT != 0
            && let Some(limit) = self.limit_of_answers(frame, Wire::Answers)
            && frame.answer_count() >= limit.most
            && !self.knows_answer(frame, template)?
        {
            if limit.action != Action::Restrain {
                return self
                    .answer_told(Wire::Answers, limit, frame, template)
                    .map(Some);
            }
            if kind & FULL == 0 {
                self.program.wires.generalize();
                let mut general = growth::with_room(args.len())?;
                for _ in &args {
                    general.push(self.heap.variable()?);
                }
                let template = self.template(&general)?;
                // It stands for all that is not looked at, whatever becomes of what was derived last.
                self.begin_delays();
                let go = self.answer_under("answer_count_restraint", frame, template)?;
                // (Who is refused the memory for that comes here again.)
                self.thread.tabling.stack[index].kind |= FULL;
                return Ok(Some(go));
            }
            if !are_different_variables(&args) {
                self.complete_early(index);
                return Ok(Some(self.point_if_wanted()?.unwrap_or(Go::Fail)));
            }
        }
        Ok(None)
    }

    /// Whether a negative call that the running derivation makes may be more general than it would be without limits: some limit has made a call or an answer of the program
    /// more general, this call has variables, and
    /// - what it was derived from is undefined, as answers are that a limit has made general, or
    /// - the call whose clauses run has variables, too: its callers may have cut it, or had such an answer.
    ///
    /// Then an answer says only of some of its instances that they are true.
    pub(super) fn is_general(&mut self, frame: FramePtr, generation: u32) -> Result<bool, Refused> {
        if !self.program.wires.have_generalized() {
            return Ok(false);
        }
        let delays = self.delays() != Cell::NIL;
        if !self.has_variables(frame, generation)? {
            return Ok(false);
        }
        if delays || self.thread.tabling.stack.is_empty() {
            return Ok(delays);
        }
        let (_, owner) = self.evaluation_of_continuation();
        match self.thread.tabling.stack.get(owner as usize) {
            Some(s) => {
                let (frame, generation) = (s.frame, s.generation);
                self.has_variables(frame, generation)
            }
            None => Ok(false),
        }
    }

    /// Whether the call that a table is of has variables.
    fn has_variables(&mut self, frame: FramePtr, generation: u32) -> Result<bool, Refused> {
        let mut tokens = Vec::new();
        let space = self.thread.tabling.tables.of(generation);
        space.subgoal_tokens(frame, &mut tokens)?;
        Ok(count_of_variables(&tokens) > 0)
    }

    /// Records the answer `template` if a goal of the system's, which is undefined, is true.
    fn answer_under(
        &mut self,
        goal: &'static str,
        frame: FramePtr,
        template: Cell,
    ) -> Result<Go, Throw> {
        self.push(cells::Answer {
            subgoal: raw(frame.to_bits()),
            template,
        })?;
        self.call_goal(Cell::atom(Atom::new(goal)), atoms::SYSTEM)
    }

    /// Says that a limit is exceeded, which is none of this subgoal any more, and records the answer.
    fn answer_told(
        &mut self,
        wire: Wire,
        limit: Limit,
        frame: FramePtr,
        template: Cell,
    ) -> Result<Go, Throw> {
        let call = self.call_of(frame)?;
        let say = self.tripwire(wire, limit.action, call)?;
        let bit = if wire == Wire::AnswerSize {
            SIZE
        } else {
            COUNT
        };
        self.push(cells::Answer {
            subgoal: raw(frame.to_bits()),
            template,
        })?;
        let go = self.call_goal(say, atoms::SYSTEM)?;
        // (As above.)
        self.thread.tabling.stack[frame.tag() as usize].kind &= !bit;
        Ok(go)
    }

    fn tripwire(&mut self, wire: Wire, action: Action, call: Cell) -> Result<Cell, Throw> {
        let word = |name| Cell::atom(Atom::new(name));
        let f = Functor::new(Atom::new("$tripwire"), 3);
        Ok(self
            .heap
            .structure(f, &[word(wire.name()), word(action.word()), call])?)
    }

    /// The call that a table is of.
    fn call_of(&mut self, frame: FramePtr) -> Result<Cell, Throw> {
        let generation = self.thread.tabling.stack[frame.tag() as usize].generation;
        self.goal_of_literal(Literal::negative(frame, generation))
    }

    /// Whether the subgoal has the answer already.
    fn knows_answer(&mut self, frame: FramePtr, template: Cell) -> Result<bool, Throw> {
        if template.tag() != Tag::Str {
            return Ok(frame.answer_count() > 0);
        }
        let Ok(tokens) = self.tokens_of(template, false) else {
            // Whoever records it says what is wrong with it.
            return Ok(true);
        };
        // The first one is that of the template.
        let tokens = &tokens[1..];
        let space = self.thread.tabling.tables_of(frame);
        Ok(space.answer_find(frame, tokens).is_some())
    }

    /// Whether one of these terms has compound terms in more than so many levels. (What is too large to be looked through is too large
    /// for a table.)
    fn are_deeper(&self, args: &[Cell], levels: usize) -> Result<bool, Refused> {
        let mut work: Vec<(Cell, usize)> = growth::list(args.iter().map(|&a| (a, 0)))?;
        let mut left = self.most_tokens();
        while let Some((t, level)) = work.pop() {
            // SAFETY: a term of this heap.
            let t = unsafe { deref(t) };
            let Some(n) = arity(t) else { continue };
            if level == levels {
                return Ok(true);
            }
            let Some(rest) = left.checked_sub(n) else {
                return Ok(false);
            };
            left = rest;
            growth::have(&mut work, n)?;
            work.extend((0..n).map(|i| (argument(t, i), level + 1)));
        }
        Ok(false)
    }

    /// These terms with variables of their own, which are told, for the compound ones below so many levels.
    fn cut_off(&mut self, args: &[Cell], levels: usize, cut: &mut Cut) -> Result<Vec<Cell>, Throw> {
        let mut all = growth::with_room(args.len())?;
        for &t in args {
            all.push(self.cut_off_term(t, levels, cut)?);
        }
        Ok(all)
    }

    /// Whether a term that is being copied may lie twice as deep: the thread's memory counts what that takes.
    fn room_for_levels(&self, open: usize) -> Result<(), Throw> {
        let most = self.heap.limit_and_grace();
        let held = self.bytes_with_tables();
        if held.saturating_add(2 * open * BYTES_PER_LEVEL) > most {
            return Err(Throw::Memory);
        }
        Ok(())
    }

    fn cut_off_term(&mut self, t: Cell, levels: usize, cut: &mut Cut) -> Result<Cell, Throw> {
        let mut open: Vec<Open> = Vec::new();
        // SAFETY: a term of this heap.
        let mut t = unsafe { deref(t) };
        loop {
            let mut value = match arity(t) {
                Some(n) if n > 0 && open.len() < levels => {
                    if open.len() == open.capacity() {
                        self.room_for_levels(open.len())?;
                    }
                    let built = growth::with_room(n)?;
                    growth::push(&mut open, Open { source: t, built })?;
                    t = argument(t, 0);
                    continue;
                }
                Some(_) if open.len() >= levels => {
                    let v = self.heap.variable()?;
                    growth::insert(cut, v, t)?;
                    v
                }
                _ => t,
            };
            loop {
                let Some(of) = open.last_mut() else {
                    return Ok(value);
                };
                of.built.push(value);
                if let Some(n) = arity(of.source)
                    && of.built.len() < n
                {
                    t = argument(of.source, of.built.len());
                    break;
                }
                value = match of.source.tag() {
                    Tag::Lst => self.heap.list_cell(of.built[0], of.built[1])?,
                    _ => {
                        // SAFETY: a structure of this heap.
                        let f = Functor::from_cell(unsafe { *of.source.ptr() });
                        self.heap.structure(f, &of.built)?
                    }
                };
                open.pop();
            }
        }
    }
}

/// The terms that the variables of a call stand for where it is made.
pub(super) fn uncut(variables: &[Cell], cut: &Cut) -> Result<Vec<Cell>, Refused> {
    growth::list(variables.iter().map(|v| *cut.get(v).unwrap_or(v)))
}

fn are_different_variables(args: &[Cell]) -> bool {
    let is_new = |(i, a): (usize, &Cell)| a.is_ref() && !args[..i].contains(a);
    args.iter().enumerate().all(is_new)
}
