//! Code generation: goals in order, cuts, and the margin.
//!
//! The generator walks the events of the analysis; control constructs are in [`super::constructs`]. Invariants, beside those of
//! [`State`]: alternatives of a disjunction start from registers only, restored from the choicepoint; where branches meet again, every
//! live variable is in the same register.
//!
//! Equation: on every path between two safe points the instructions of a clause allocate at most [`MARGIN`] words. A call and a
//! return are safe points, and an alternative starts with what was allocated when its choicepoint was made. [`State::allocated`] is the
//! sum on the way; where the next goal might pass the margin, the clause calls `true/0` first ([`Generator::make_room`]). [`super::check`]
//! counts again, in the code that came out.
//!
//! *Places*: goals that a binding wakes run before anything is done that they could change: between the head or a goal that may have bound a
//! variable and what comes next, unless that is a call or the end of the clause, which are safe points ([`Generator::wake_after`]). Nothing
//! is done there as long as nothing wakes: a bit in the next instruction says that a goal may run before it, and a `ComeBack` beside the code
//! says what is live ([`Generator::way_back`]). Cuts, which cleanup handlers run before, have one, too.

use super::analyse::Analysis;
use super::call::Spare;
use super::constructs::{Open, Saved};
use super::events::{At, Condition, Event, Goal, Qualify, Var, needs_barrier};
use super::state::{Excluded, State};
use super::{CompileError, Compiled, Parts, Room};
use crate::code_block::CodeBlock;
use crate::db::predicate::{Predicate, flag};
use crate::instr::{self, Op, word};
use samite_heap::heap::MARGIN;
use samite_term::frame::MAX_SLOTS;
use samite_term::{Record, TermRef, View};
use std::ops::Range;

/// A position in the code to be filled in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Label(usize);

/// Clauses whose code has more words for each of their cells than this, beyond the first ones, are too large.
const WORDS_FOR_A_CELL: usize = 40;
const FIRST_WORDS: usize = 1 << 18;
/// So many may stand together.
const MANY_WAYS_BACK: usize = 16;
/// Most registers that are live at a place: they fit into a frame beside E and B0.
const MOST_LIVE: usize = MAX_SLOTS - 2;
/// Bytes for a word of code, growing and copied into its block, and for labels and patches.
const CODE_WORD: usize = 24;
/// Clauses of so many cells cannot pass the margin: a cell never makes more than four words.
const SMALL: usize = (MARGIN - 300) / 4;

pub(super) struct Generator<'g, 'a> {
    pub code: Vec<u64>,
    #[allow(
        clippy::vec_box,
        reason = "instructions refer to the records by address"
    )]
    pub records: Vec<Box<Record>>,
    pub analysis: &'g Analysis<'a>,
    pub room: &'g Room<'g>,
    /// Words of code that room was asked for.
    code_asked: usize,
    /// Whether the clause's barrier is kept in a variable.
    barrier_kept: bool,
    /// A predicate that does nothing, to be called where a safe point is needed.
    nothing: &'static Predicate,
    pub excluded: Excluded,
    /// Code positions of labels, and words to patch: (word index, index of the instruction, label), in the upper half.
    labels: Vec<Option<usize>>,
    patches: Vec<(usize, usize, Label)>,
    /// Where a failing test goes; `None`: backtrack.
    pub on_fail: Option<Label>,
    /// Write-mode code to be emitted after the clause.
    pub pending_writes: Vec<super::unify::PendingWrite<'a>>,
    /// Where to come back to cuts and places, to be emitted beside what they belong to, and words that they take.
    ways_back: Vec<WayBack>,
    live: Vec<u16>,
    beside: usize,
    /// The instructions that get [`instr::PLACE`].
    places: Vec<usize>,
    /// What calls need for a moment, kept from one to the next.
    pub spare: Spare,
    /// Where the operation of arithmetic is that was emitted last.
    pub operation: usize,
    /// Words to be left free by the terms of the present goal.
    pub reserve: usize,
    /// The clause may pass the margin.
    large: bool,
    pub resumable: bool,
    /// The constructs that code is being generated for, innermost last ([`super::constructs`]).
    pub open: Vec<Open>,
}

/// Code that restores what is live at a place inside the clause and goes back there; see `Op::ComeBack`.
struct WayBack {
    entry: Label,
    /// The place, in the code.
    at: usize,
    back: Label,
    /// E is live.
    frame: bool,
    /// The live registers: where in [`Generator::live`] they begin.
    registers: Range<usize>,
}

/// Why an attempt to generate code failed.
pub(super) enum Failed {
    /// A cut after a call needs the clause's barrier in a variable.
    Barrier,
    Compile(CompileError),
}

impl From<CompileError> for Failed {
    fn from(e: CompileError) -> Failed {
        Failed::Compile(e)
    }
}

/// The code of a clause.
pub(super) fn generate<'a>(
    analysis: &Analysis<'a>,
    clause: Parts<'a>,
    nothing: &'static Predicate,
    room: &Room,
) -> Result<Compiled, CompileError> {
    let head = clause.head;
    let kept = needs_barrier(&analysis.events);
    let block = match attempt(analysis, head, nothing, kept, room) {
        Err(Failed::Barrier) => match attempt(analysis, head, nothing, true, room) {
            Ok(block) => block,
            Err(Failed::Compile(e)) => return Err(e),
            Err(Failed::Barrier) => return Err(CompileError::TooLarge),
        },
        Ok(block) => block,
        Err(Failed::Compile(e)) => return Err(e),
    };
    debug_assert!(super::check::margin_is_kept(&block.words));
    Ok(Compiled {
        block,
        key: super::head_key(clause),
    })
}

fn attempt<'a>(
    analysis: &Analysis<'a>,
    head: TermRef<'a>,
    nothing: &'static Predicate,
    barrier_kept: bool,
    room: &Room,
) -> Result<CodeBlock, Failed> {
    // What most rules need at least, so that it does not grow step by step.
    let some = if analysis.events.is_empty() { 0 } else { 8 };
    let mut g = Generator {
        code: Vec::with_capacity(8 + 2 * analysis.cells.min(1 << 12)),
        records: Vec::new(),
        analysis,
        room,
        code_asked: 0,
        barrier_kept,
        nothing,
        excluded: Excluded::default(),
        labels: Vec::with_capacity(some),
        patches: Vec::with_capacity(some),
        on_fail: None,
        pending_writes: Vec::new(),
        ways_back: Vec::with_capacity(some / 2),
        live: Vec::with_capacity(2 * some),
        beside: 0,
        places: Vec::new(),
        spare: Spare::default(),
        operation: 0,
        reserve: 0,
        large: analysis.cells > SMALL,
        resumable: false,
        open: Vec::new(),
    };
    let mut st = State::new(analysis.temporaries);
    if g.large && !analysis.events.is_empty() {
        // A first safe point must be possible.
        g.reserve = 2
            + (0..analysis.vars.len() as Var)
                .filter(|&v| analysis.at(v).len() > 1)
                .count();
    }
    g.head(head, &mut st)?;
    if !analysis.events.is_empty() {
        g.wake_after((0, 0), 0, 0, &st)?;
    }
    if barrier_kept {
        let r = st.allocate(None)?;
        g.emit(word(Op::GetB0, r, 0, 0));
        st.set_x(analysis.barrier, r);
    }
    g.body(&mut st)?;
    g.write_modes()?;
    g.emit_ways_back();
    g.patch();
    Ok(CodeBlock {
        words: g.code,
        records: g.records,
        resumable: g.resumable,
    })
}

impl<'a> Generator<'_, 'a> {
    pub fn emit(&mut self, w: u64) {
        self.code.push(w);
    }
    pub fn new_label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }
    pub fn place(&mut self, l: Label) {
        self.labels[l.0] = Some(self.code.len());
    }
    /// Emits an instruction whose upper half is the label.
    pub fn emit_label(&mut self, op: Op, a: u16, l: Label) {
        let at = self.code.len();
        self.patches.push((at, at, l));
        self.emit(word(op, a, 0, 0));
    }
    /// Emits a test of two registers with its label in an operand word.
    pub fn emit_test2(&mut self, op: Op, a: u16, b: u16) {
        self.emit_test3(op, a, b, 0);
    }
    /// The same with three registers.
    pub fn emit_test3(&mut self, op: Op, a: u16, b: u16, c: u16) {
        let at = self.code.len();
        self.emit(word(op, a, b, c));
        if let Some(l) = self.on_fail {
            self.patches.push((at + 1, at, l));
        }
        self.emit(0);
    }
    pub fn emit_test1(&mut self, op: Op, a: u16) {
        match self.on_fail {
            Some(l) => self.emit_label(op, a, l),
            None => self.emit(word(op, a, 0, 0)),
        }
    }
    /// Emits failure.
    pub fn emit_fail(&mut self) {
        match self.on_fail {
            Some(l) => self.emit_label(Op::Jump, 0, l),
            None => self.emit(word(Op::Fail, 0, 0, 0)),
        }
    }
    fn patch(&mut self) {
        for &(at, from, l) in &self.patches {
            let target = self.labels[l.0].unwrap_or(from);
            let distance = target as i64 - from as i64;
            let upper = (distance as i32 as u32 as u64) << 32;
            self.code[at] |= upper;
        }
        for &at in &self.places {
            self.code[at] |= instr::PLACE;
        }
    }

    // --- liveness and registers ---

    /// Whether the variable is needed after position `at`.
    pub fn live_after(&self, v: Var, at: At) -> bool {
        if v == self.analysis.barrier && !self.barrier_kept {
            return false;
        }
        self.excluded.is_live(self.analysis.at(v), at)
    }
    /// How often a variable occurs.
    pub fn count(&self, v: Var) -> u32 {
        self.analysis.vars[v as usize].count
    }
    pub fn var_of(&self, t: TermRef) -> Option<Var> {
        match t.view() {
            View::Var(v) | View::Attributed(v) => self.analysis.numbers.get(v),
            _ => None,
        }
    }
    /// The argument of the first call that a variable is, if it is not too late to put it there.
    pub fn hint(&self, st: &State, v: Var) -> Option<u16> {
        if st.called {
            None
        } else {
            self.analysis.vars[v as usize].hint
        }
    }
    /// A register for a variable that has no value yet.
    pub fn register_for(&self, st: &mut State, v: Var) -> Result<u16, CompileError> {
        let r = st.allocate(self.hint(st, v))?;
        st.set_x(v, r);
        Ok(r)
    }
    /// The variable in a register: loaded from its slot, or made.
    pub fn in_register(&mut self, st: &mut State, v: Var) -> Result<u16, CompileError> {
        if let Some(r) = st.x(v) {
            return Ok(r);
        }
        let slot = st.y(v);
        let r = self.register_for(st, v)?;
        match slot {
            Some(s) => self.emit(word(Op::Load, r, s, 0)),
            None => {
                self.emit(word(Op::PutVar, r, 0, 0));
                st.grow(1)?;
            }
        }
        Ok(r)
    }
    /// Frees the registers of variables that are dead after `at`.
    pub fn release_dead(&self, st: &mut State, at: At) {
        st.retain(|v| self.live_after(v, at));
    }
    /// Registers of the variables with a value that are live after `at`, loaded if need be.
    pub fn live_registers(&mut self, st: &mut State, at: At) -> Result<Saved, CompileError> {
        let live: Vec<Var> = st.variables().filter(|&v| self.live_after(v, at)).collect();
        if live.len() > super::call::MAX_FRAME {
            return Err(CompileError::TooLarge);
        }
        live.into_iter()
            .map(|v| Ok((v, self.in_register(st, v)?)))
            .collect()
    }

    // --- the margin ---

    /// Makes the goals from position `from` to `to`, which is the next to be done, fit into the margin.
    fn make_room_for(&mut self, (from, to): (At, At), st: &mut State) -> Result<(), CompileError> {
        if !self.large || self.on_fail.is_some() {
            return Ok(());
        }
        let (mut words, mut fixed) = (0, 0);
        for e in &self.analysis.events[from as usize - 1..to as usize] {
            if let Event::Goal(g) = e {
                let (w, f) = self.need(g, st);
                words += w;
                fixed += f;
            }
        }
        if self.code.len() > FIRST_WORDS + WORDS_FOR_A_CELL * self.analysis.cells {
            return Err(CompileError::TooLarge);
        }
        let more = self.code.len() - self.code_asked;
        self.room.take(more * CODE_WORD)?;
        self.code_asked += more;
        self.make_room(st, words + fixed, from - 1)?;
        self.reserve = fixed + st.alive() + 2;
        Ok(())
    }
    /// If so many words more, and a frame, may not fit into the margin: a safe point, after position `at`.
    pub fn make_room(&mut self, st: &mut State, words: usize, at: At) -> Result<(), CompileError> {
        if st.allocated > 0 && st.allocated + words + st.alive() + 2 > MARGIN {
            self.reserve = 0;
            self.call(self.nothing, &[], Qualify::NONE, st, (at, false))?;
        }
        Ok(())
    }
    /// Words of the terms that a goal builds, and words that it may allocate besides, a frame's slots for its new variables included.
    fn need(&self, goal: &Goal<'a>, st: &State) -> (usize, usize) {
        let mut pair = (0, 0);
        let mut term = |t: &TermRef<'a>| match self.var_of(*t) {
            Some(v) => pair.1 += if st.has_value(v) { 0 } else { 2 },
            None => {
                let n = super::unify::built(*t);
                pair.0 += 2 * n;
            }
        };
        match goal {
            Goal::True
            | Goal::Fail
            | Goal::Cut
            | Goal::CutTo(_)
            | Goal::Match(..)
            | Goal::NoRule(_)
            | Goal::EndRule(_)
            | Goal::Guard(_) => {}
            Goal::Call(_, args, q) => {
                self.analysis.args(*args).iter().for_each(&mut term);
                let mask = self.analysis.qualify(*q).mask;
                pair.1 += 3 * mask.count_ones() as usize;
            }
            Goal::Inline(_, args) | Goal::Arg(_, args) => {
                self.analysis.args(*args).iter().for_each(&mut term);
            }
            Goal::Test1(_, a) => term(a),
            Goal::Unify(a, b) | Goal::Test2(_, a, b) | Goal::Compare(_, a, b) | Goal::Is(a, b) => {
                term(a);
                term(b);
            }
        }
        pair
    }

    // --- goals and control ---

    /// Whether nothing comes after what ends before event number `next`.
    pub fn is_last(&self, next: usize) -> bool {
        self.open.last().is_none_or(|o| o.branch_last)
            && matches!(
                self.analysis.events.get(next),
                None | Some(Event::Next { .. } | Event::Else | Event::End)
            )
    }

    /// Emits the body; it ends by returning or by a last call.
    fn body(&mut self, st: &mut State) -> Result<(), Failed> {
        let mut ended = false;
        let events = &self.analysis.events;
        for (i, e) in events.iter().enumerate() {
            let at = i as At + 1;
            match e {
                Event::Goal(goal) => {
                    self.make_room_for((at, at), st)?;
                    let before = (self.code.len(), self.pending_writes.len());
                    ended = self.goal(goal, st, at, self.is_last(i + 1))?;
                    match goal {
                        Goal::Call(..) => {}
                        Goal::Inline(p, _) if p.has(flag::LEAVES_GOAL) && !self.is_last(i + 1) => {
                            self.places.push(self.code.len());
                            self.way_back(st, at, &[])?;
                        }
                        _ => self.wake_after(before, at, i + 1, st)?,
                    }
                }
                Event::Or { next, end, rule } => {
                    let op = if *rule { Op::TryRule } else { Op::TryElse };
                    self.begin_or(op, st, at, (*next, *end))?;
                }
                Event::Next { next } => self.next_alternative(st, at, *next, ended)?,
                Event::If {
                    condition,
                    then,
                    otherwise,
                    end,
                } => {
                    if condition.test {
                        self.make_room_for((at, *then), st)?;
                    }
                    self.begin_if(st, at, *condition, (*otherwise, *end))?;
                }
                Event::Then => self.then(st, at)?,
                Event::Else => self.otherwise(st, at, ended)?,
                Event::Not { condition, end } => {
                    if condition.test {
                        self.make_room_for((at, *end), st)?;
                    }
                    self.begin_not(st, at, *condition, *end)?;
                }
                Event::End => ended = self.end(st, at, ended)?,
            }
            if !matches!(e, Event::Goal(_) | Event::End) {
                ended = false;
            }
        }
        if !ended {
            self.emit(word(Op::Proceed, 0, 0, 0));
        }
        Ok(())
    }

    /// Emits one goal; true if control does not come back (in last position).
    fn goal(
        &mut self,
        goal: &Goal<'a>,
        st: &mut State,
        at: At,
        last: bool,
    ) -> Result<bool, Failed> {
        match goal {
            Goal::True => {}
            Goal::Fail => self.emit_fail(),
            Goal::Cut => {
                if st.called && !self.barrier_kept {
                    return Err(Failed::Barrier);
                }
                let barrier = st.called.then_some(self.analysis.barrier);
                self.cut(st, barrier, at)?;
            }
            Goal::CutTo(v) => self.cut(st, Some(*v), at)?,
            Goal::Call(p, args, q) => {
                let qualify = self.analysis.qualify(*q);
                self.call(p, self.analysis.args(*args), qualify, st, (at, last))?;
                return Ok(last);
            }
            Goal::Inline(p, args) => self.inline(p, self.analysis.args(*args), st)?,
            Goal::Arg(p, args) => {
                let args = self.analysis.args(*args);
                self.arg(p, [args[0], args[1], args[2]], st, (at, last))?;
            }
            Goal::Unify(a, b) => self.unify(*a, *b, st, at)?,
            Goal::Match(v, t) => self.matched(*v, *t, st)?,
            Goal::NoRule(p) => {
                self.emit(word(Op::NoRule, p.arity() as u16, 0, 0));
                self.emit(std::ptr::from_ref(*p) as u64);
                return Ok(true);
            }
            Goal::EndRule(v) => {
                let r = self.in_register(st, *v)?;
                if let Some(label) = self.open.last().and_then(Open::other) {
                    self.emit_label(Op::EndRule, r, label);
                }
            }
            Goal::Guard(p) => {
                self.emit(word(Op::Guard, 0, 0, 0));
                self.emit(std::ptr::from_ref(*p) as u64);
                // Cuts go back to what it has put there.
                if self.barrier_kept && self.live_after(self.analysis.barrier, at) {
                    let r = st.allocate(None)?;
                    self.emit(word(Op::SaveB, r, 0, 0));
                    st.move_to(self.analysis.barrier, r);
                }
            }
            Goal::Test1(op, t) => {
                let (r, temp) = self.value(*t, st)?;
                self.emit_test1(*op, r);
                self.drop_temp(st, r, temp);
            }
            Goal::Test2(op, a, b) => {
                let (r, t1) = self.value(*a, st)?;
                let (s, t2) = self.value(*b, st)?;
                if *op == Op::TestNotUnifiable {
                    self.place_before(st, at, &[r, s])?;
                }
                self.emit_test2(*op, r, s);
                self.drop_temp(st, r, t1);
                self.drop_temp(st, s, t2);
            }
            Goal::Compare(op, a, b) => self.compare(*op, *a, *b, st)?,
            Goal::Is(a, b) => self.is(*a, *b, st)?,
        }
        self.release_dead(st, at);
        Ok(false)
    }

    /// Cuts back to the barrier in a variable, or to B0. Cleanup handlers may have to run before the cut is done.
    pub fn cut(&mut self, st: &State, barrier: Option<Var>, at: At) -> Result<(), CompileError> {
        let needed: Vec<u16> = barrier.and_then(|v| st.x(v)).into_iter().collect();
        let entry = self.way_back(st, at, &needed)?;
        match barrier.map(|v| self.place_of(st, v)) {
            None => self.emit_label(Op::CutNeck, 0, entry),
            Some((Some(r), _)) => self.emit_label(Op::CutX, r, entry),
            Some((None, s)) => self.emit_label(Op::CutY, s.unwrap_or_default(), entry),
        }
        Ok(())
    }

    // --- places where goals may have to run ---

    /// Code that restores what is live after position `at`, and some registers more, and goes on here.
    fn way_back(&mut self, st: &State, at: At, needed: &[u16]) -> Result<Label, CompileError> {
        let here = self.code.len();
        let from = self.live.len();
        for (v, x) in st.registers() {
            if needed.contains(&x) || self.live_after(v, at) {
                self.live.push(x);
            }
        }
        // Those of no variable.
        for &r in needed {
            if !self.live[from..].contains(&r) {
                self.live.push(r);
            }
        }
        if let Some(w) = self.ways_back.last_mut()
            && w.at == here
        {
            // The same place: whatever is live for one of the two, which nearly always is the same.
            w.frame |= st.frame;
            let known = w.registers.clone();
            if self.live[from..] == self.live[known.clone()] {
                self.live.truncate(from);
                return Ok(w.entry);
            }
            for i in known {
                let r = self.live[i];
                if !self.live[from..].contains(&r) {
                    self.live.push(r);
                }
            }
            w.registers = from..self.live.len();
            return Ok(w.entry);
        }
        let words = 1 + (self.live.len() - from).div_ceil(4);
        self.beside += words;
        if self.live.len() - from > MOST_LIVE
            || self.beside > FIRST_WORDS + WORDS_FOR_A_CELL * self.analysis.cells
        {
            return Err(CompileError::TooLarge);
        }
        self.room.take(words * CODE_WORD)?;
        self.resumable = true;
        let (entry, back) = (self.new_label(), self.new_label());
        self.place(back);
        self.ways_back.push(WayBack {
            entry,
            at: here,
            back,
            frame: st.frame,
            registers: from..self.live.len(),
        });
        Ok(entry)
    }

    /// Goals may have to run here, after what was emitted for position `at` since there were so many words and write modes, if it may
    /// have bound a variable. Event number `next` is the next one.
    fn wake_after(
        &mut self,
        (from, writes): (usize, usize),
        at: At,
        next: usize,
        st: &State,
    ) -> Result<(), CompileError> {
        let safe = self.is_last(next)
            || matches!(
                self.analysis.events.get(next),
                Some(Event::Goal(Goal::Call(..)))
            );
        if safe || !(self.pending_writes.len() > writes || self.may_bind(from)) {
            return Ok(());
        }
        self.places.push(self.code.len());
        self.way_back(st, at, &[])?;
        Ok(())
    }

    /// The instruction before may leave for a call, and come back here, after position `at`, where some registers more are needed.
    pub fn come_back_here(
        &mut self,
        st: &State,
        at: At,
        needed: &[u16],
    ) -> Result<(), CompileError> {
        self.places.push(self.code.len());
        self.way_back(st, at, needed)?;
        Ok(())
    }

    /// Goals may have to run here, before the instruction for position `at`, which needs some registers.
    fn place_before(&mut self, st: &State, at: At, needed: &[u16]) -> Result<(), CompileError> {
        self.places.push(self.code.len());
        self.way_back(st, at - 1, needed)?;
        Ok(())
    }

    /// Whether an instruction from place `from` on may bind a variable.
    fn may_bind(&self, from: usize) -> bool {
        let mut i = from;
        while let Some(&w) = self.code.get(i) {
            if instr::row(instr::op(w)).effect == instr::Effect::Binds {
                return true;
            }
            i += instr::length(w);
        }
        false
    }

    /// Branches meet here, where the live variables are in the registers given and no slot is live: if the last one ended with a place,
    /// the others come there, too.
    pub fn places_meet(&mut self, homes: &[(Var, u16)]) {
        let here = self.code.len();
        if let Some(w) = self.ways_back.last_mut()
            && w.at == here
        {
            w.frame = false;
            let from = self.live.len();
            self.live.extend(homes.iter().map(|&(_, r)| r));
            w.registers = from..self.live.len();
        }
    }

    /// The cut at the end of a condition or a negated goal.
    pub fn cut_condition(&mut self, st: &State, c: &Condition, at: At) -> Result<(), CompileError> {
        self.cut(st, Some(c.barrier), at)?;
        if let Some(word) = self.code.last_mut() {
            *word |= instr::CONDITION;
        }
        self.decides(c.decides);
        Ok(())
    }

    /// Marks the cut that was just emitted, if it decides for something else.
    pub fn decides(&mut self, decides: bool) {
        if decides && let Some(word) = self.code.last_mut() {
            *word |= instr::DECIDES;
        }
    }

    /// Register and slot of a barrier.
    pub fn place_of(&self, st: &State, barrier: Var) -> (Option<u16>, Option<u16>) {
        let place = (st.x(barrier), st.y(barrier));
        debug_assert!(place != (None, None), "a cut barrier has no value");
        place
    }

    /// Emits them between two calls of a long clause, so that each is near its place, which looks for it.
    pub fn emit_many_ways_back(&mut self) {
        if self.ways_back.len() > MANY_WAYS_BACK {
            self.emit_ways_back();
        }
    }
    fn emit_ways_back(&mut self) {
        for w in std::mem::take(&mut self.ways_back) {
            self.place(w.entry);
            self.emit_label(Op::ComeBack, w.registers.len() as u16, w.back);
            if w.frame
                && let Some(word) = self.code.last_mut()
            {
                *word |= instr::WITH_FRAME;
            }
            let live = std::mem::take(&mut self.live);
            self.emit_register_list(live[w.registers].iter().copied());
            self.live = live;
        }
        self.live.clear();
    }

    pub fn drop_temp(&self, st: &mut State, r: u16, temp: bool) {
        if temp {
            st.release(r);
        }
    }

    /// Any term in a register; true if the register is a temporary.
    pub fn value(&mut self, t: TermRef<'a>, st: &mut State) -> Result<(u16, bool), CompileError> {
        if let Some(v) = self.var_of(t) {
            return Ok((self.in_register(st, v)?, false));
        }
        let r = st.allocate(None)?;
        self.put(t, r, st)?;
        Ok((r, true))
    }

    pub fn emit_register_list(&mut self, regs: impl Iterator<Item = u16>) {
        let mut w = 0u64;
        let mut n = 0;
        for r in regs {
            w |= u64::from(r) << (16 * (n % 4));
            n += 1;
            if n % 4 == 0 {
                self.emit(std::mem::take(&mut w));
            }
        }
        if n % 4 != 0 {
            self.emit(w);
        }
    }
}
