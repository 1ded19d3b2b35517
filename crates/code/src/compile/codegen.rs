//! Code generation: control flow, register allocation, frames, calls.
//!
//! Invariants of [`State`] at every point: a variable's value is in `x[v]` or `y[v]` (or both), or it has none yet; a
//! register is in `used` exactly if it holds a variable or a temporary; after a call no register is used and only slots
//! of the frame just left are known. Alternatives of a disjunction start from registers only, restored from the choicepoint;
//! where branches meet again, every live variable is in the same register.

use super::analyse::{Analysis, Branch, Goal, Leaf, Qualify, Range, Var, VarInfo, needs_barrier};
use super::{CompileError, Compiled};
use crate::code_block::CodeBlock;
use crate::instr::{self, Op, REGISTERS, SLOT, word};
use crate::predicate::Predicate;
use rustc_hash::FxHashMap;
use samite_term::cell::MAX_SLOTS;
use samite_term::{Cell, Functor, Record, TermRef, View, atoms};

/// Where things are; see the module text.
#[derive(Clone)]
pub(super) struct State {
    pub x: Vec<Option<u16>>,
    pub y: Vec<Option<u16>>,
    pub used: Vec<bool>,
    /// A call may have run since the clause was entered on this path: B0 is lost.
    pub called: bool,
    /// E is the frame of the last call of this clause.
    pub frame: bool,
}

/// A position in the code to be filled in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Label(pub usize);

pub(super) struct Generator<'a> {
    pub code: Vec<u64>,
    #[allow(
        clippy::vec_box,
        reason = "instructions refer to the records by address"
    )]
    pub records: Vec<Box<Record>>,
    pub vars: Vec<VarInfo>,
    pub numbers: FxHashMap<u64, Var>,
    pub hints: FxHashMap<Var, u16>,
    pub temporaries: u16,
    barrier: Var,
    /// Ranges that cannot be reached any more from where we are.
    excluded: Vec<Range>,
    /// Code positions of labels, and words to patch: (word index, label, in the upper half).
    labels: Vec<Option<usize>>,
    patches: Vec<(usize, usize, Label)>,
    /// Where a failing test goes; `None`: backtrack.
    pub on_fail: Option<Label>,
    /// Write-mode code to be emitted after the clause.
    pub pending_writes: Vec<super::unify::PendingWrite<'a>>,
    /// Where to come back to cuts, to be emitted after the clause.
    ways_back: Vec<WayBack>,
    /// Words allocated without check since the last safe point.
    pub allocated: usize,
    resumable: bool,
    pub marker: std::marker::PhantomData<&'a ()>,
}

pub(super) fn generate<'a>(a: Analysis<'a>, head: TermRef<'a>) -> Result<Compiled, CompileError> {
    let n = a.vars.len();
    let mut called = false;
    let barrier_needed = needs_barrier(&a.body.goals, &mut called);
    let mut g = Generator {
        code: Vec::new(),
        records: Vec::new(),
        vars: a.vars,
        numbers: a.numbers,
        hints: a.hints,
        temporaries: a.temporaries,
        barrier: a.barrier,
        excluded: Vec::new(),
        labels: Vec::new(),
        patches: Vec::new(),
        on_fail: None,
        pending_writes: Vec::new(),
        ways_back: Vec::new(),
        allocated: 0,
        resumable: false,
        marker: std::marker::PhantomData,
    };
    if !barrier_needed {
        g.vars[a.barrier as usize].at.clear();
    }
    let mut st = State {
        x: vec![None; n],
        y: vec![None; n],
        used: vec![false; a.temporaries as usize],
        called: false,
        frame: false,
    };
    g.head(head, &mut st)?;
    if barrier_needed {
        let r = g.allocate(&mut st, None)?;
        g.emit(word(Op::GetB0, r, 0, 0));
        st.x[a.barrier as usize] = Some(r);
    }
    g.sequence(&a.body, &mut st, true)?;
    g.write_modes()?;
    g.emit_ways_back();
    g.patch();
    Ok(Compiled {
        block: CodeBlock {
            words: g.code,
            records: g.records,
            resumable: g.resumable,
        },
        key: super::head_key(head),
    })
}

impl<'a> Generator<'a> {
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
        let at = self.code.len();
        self.emit(word(op, a, b, 0));
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
    fn patch(&mut self) {
        for &(at, from, l) in &self.patches {
            let target = self.labels[l.0].unwrap_or(from);
            let distance = target as i64 - from as i64;
            let upper = (distance as i32 as u32 as u64) << 32;
            self.code[at] |= upper;
        }
    }

    // --- liveness and registers ---

    /// Whether the variable is needed after position `at`.
    pub fn live_after(&self, v: Var, at: u32) -> bool {
        self.vars[v as usize]
            .at
            .iter()
            .rev()
            .take_while(|&&p| p > at)
            .any(|&p| !self.excluded.iter().any(|&(a, b)| a <= p && p < b))
    }
    /// A free register: `hint` if it is free, else the lowest above the argument registers.
    pub fn allocate(&mut self, st: &mut State, hint: Option<u16>) -> Result<u16, CompileError> {
        if let Some(h) = hint
            && !st.used[h as usize]
        {
            st.used[h as usize] = true;
            return Ok(h);
        }
        let from = self.temporaries as usize;
        let r = (from..st.used.len())
            .find(|&r| !st.used[r])
            .unwrap_or(st.used.len().max(from));
        if r >= REGISTERS - 2 {
            return Err(CompileError::TooLarge);
        }
        if r == st.used.len() {
            st.used.push(true);
        } else {
            st.used[r] = true;
        }
        Ok(r as u16)
    }
    pub fn release(&self, st: &mut State, r: u16) {
        st.used[r as usize] = false;
    }
    pub fn var_of(&self, t: TermRef) -> Option<Var> {
        match t.view() {
            View::Var(v) | View::Attributed(v) => self.numbers.get(&v).copied(),
            _ => None,
        }
    }
    /// A register for a variable that has no value yet.
    pub fn register_for(&mut self, st: &mut State, v: Var) -> Result<u16, CompileError> {
        let hint = if st.called {
            None
        } else {
            self.hints.get(&v).copied()
        };
        let r = self.allocate(st, hint)?;
        st.x[v as usize] = Some(r);
        Ok(r)
    }
    pub fn has_value(&self, st: &State, v: Var) -> bool {
        st.x[v as usize].is_some() || st.y[v as usize].is_some()
    }
    /// The variable in a register: loaded from its slot, or made.
    pub fn in_register(&mut self, st: &mut State, v: Var) -> Result<u16, CompileError> {
        if let Some(r) = st.x[v as usize] {
            return Ok(r);
        }
        let slot = st.y[v as usize];
        let r = self.register_for(st, v)?;
        match slot {
            Some(s) => self.emit(word(Op::Load, r, s, 0)),
            None => {
                self.emit(word(Op::PutVar, r, 0, 0));
                self.allocated += 1;
            }
        }
        Ok(r)
    }
    /// Frees the registers of variables that are dead after `at`.
    pub fn release_dead(&self, st: &mut State, at: u32) {
        for v in 0..st.x.len() {
            if (st.x[v].is_some() || st.y[v].is_some()) && !self.live_after(v as Var, at) {
                if let Some(r) = st.x[v].take() {
                    st.used[r as usize] = false;
                }
                st.y[v] = None;
            }
        }
    }

    // --- sequences and control ---

    /// Emits a branch; in the last position it ends by returning or by a last call.
    fn sequence(&mut self, b: &Branch<'a>, st: &mut State, last: bool) -> Result<(), CompileError> {
        let n = b.goals.len();
        let mut ended = false;
        for (i, leaf) in b.goals.iter().enumerate() {
            ended = self.goal(leaf, st, last && i + 1 == n)?;
        }
        if last && !ended {
            self.emit(word(Op::Proceed, 0, 0, 0));
        }
        Ok(())
    }

    /// Emits one goal; true if control does not come back (in last position).
    fn goal(&mut self, leaf: &Leaf<'a>, st: &mut State, last: bool) -> Result<bool, CompileError> {
        let at = leaf.at;
        match &leaf.goal {
            Goal::True => {}
            Goal::Fail => match self.on_fail {
                Some(l) => self.emit_label(Op::Jump, 0, l),
                None => self.emit(word(Op::Fail, 0, 0, 0)),
            },
            Goal::Cut => {
                let barrier = st.called.then_some(self.barrier);
                self.cut(st, barrier, at);
            }
            Goal::CutTo(v) => self.cut(st, Some(*v), at),
            Goal::SoftCut(v) => match self.place_of(st, *v) {
                (Some(r), _) => self.emit(word(Op::SoftCutX, r, 0, 0)),
                (_, s) => self.emit(word(Op::SoftCutY, s.unwrap_or_default(), 0, 0)),
            },
            Goal::Call(p, args, qualify) => {
                self.call(p, args, *qualify, st, (at, last))?;
                return Ok(last);
            }
            Goal::Inline(p, args) => self.inline(p, args, st)?,
            Goal::Unify(a, b) => self.unify(*a, *b, st, at)?,
            Goal::Test1(op, t) => {
                let (r, temp) = self.value(*t, st)?;
                self.emit_test1(*op, r);
                self.drop_temp(st, r, temp);
            }
            Goal::Test2(op, a, b) => {
                let (r, t1) = self.value(*a, st)?;
                let (s, t2) = self.value(*b, st)?;
                self.emit_test2(*op, r, s);
                self.drop_temp(st, r, t1);
                self.drop_temp(st, s, t2);
            }
            Goal::Compare(op, a, b) => self.compare(*op, *a, *b, st)?,
            Goal::Is(a, b) => self.is(*a, *b, st)?,
            Goal::Or(branches) => {
                self.or(branches, st, last)?;
                return Ok(last);
            }
            Goal::IfThenElse {
                condition,
                then,
                otherwise,
                barrier,
                local,
                soft,
            } => {
                let barriers = (*barrier, *local, *soft);
                self.if_then_else(condition, then, otherwise, barriers, st, last)?;
                return Ok(last);
            }
            Goal::Not {
                goals,
                barrier,
                local,
            } => self.not(goals, (*barrier, *local), st)?,
        }
        self.release_dead(st, at);
        Ok(false)
    }

    /// Cuts back to the barrier in a variable, or to B0. Goals may have to run before the cut is done (cleanup handlers), and
    /// then more than arguments is live: the instruction refers to code that restores all of it and comes back.
    fn cut(&mut self, st: &State, barrier: Option<Var>, at: u32) {
        let (entry, back) = (self.new_label(), self.new_label());
        self.place(back);
        match barrier.map(|v| self.place_of(st, v)) {
            None => self.emit_label(Op::CutNeck, 0, entry),
            Some((Some(r), _)) => self.emit_label(Op::CutX, r, entry),
            Some((None, s)) => self.emit_label(Op::CutY, s.unwrap_or_default(), entry),
        }
        let registers = (0..st.x.len() as Var)
            .filter(|&v| Some(v) == barrier || self.live_after(v, at))
            .filter_map(|v| st.x[v as usize])
            .collect();
        self.resumable = true;
        self.ways_back.push(WayBack {
            entry,
            back,
            frame: st.frame,
            registers,
        });
    }

    /// Register and slot of a barrier.
    fn place_of(&self, st: &State, barrier: Var) -> (Option<u16>, Option<u16>) {
        let place = (st.x[barrier as usize], st.y[barrier as usize]);
        debug_assert!(place != (None, None), "a cut barrier has no value");
        place
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
            self.emit_register_list(&w.registers);
        }
    }

    fn drop_temp(&self, st: &mut State, r: u16, temp: bool) {
        if temp {
            self.release(st, r);
        }
    }

    /// Any term in a register; true if the register is a temporary.
    pub fn value(&mut self, t: TermRef<'a>, st: &mut State) -> Result<(u16, bool), CompileError> {
        if let Some(v) = self.var_of(t) {
            return Ok((self.in_register(st, v)?, false));
        }
        let r = self.allocate(st, None)?;
        self.put(t, r, st)?;
        Ok((r, true))
    }

    /// A builtin in place, on a window of consecutive registers.
    fn inline(
        &mut self,
        p: &'static Predicate,
        args: &[TermRef<'a>],
        st: &mut State,
    ) -> Result<(), CompileError> {
        let from = st
            .used
            .iter()
            .rposition(|&u| u)
            .map_or(0, |r| r + 1)
            .max(self.temporaries as usize);
        // Variables first seen here get registers above the window.
        let window: Vec<u16> = (0..args.len()).map(|i| (from + i) as u16).collect();
        if from + args.len() + 2 >= REGISTERS {
            return Err(CompileError::TooLarge);
        }
        if st.used.len() < from + args.len() {
            st.used.resize(from + args.len(), false);
        }
        for &r in &window {
            st.used[r as usize] = true;
        }
        for (&t, &r) in args.iter().zip(&window) {
            match self.var_of(t) {
                Some(v) => match (st.x[v as usize], st.y[v as usize]) {
                    (Some(s), _) => self.emit(word(Op::Move, r, s, 0)),
                    (None, Some(y)) => self.emit(word(Op::Load, r, y, 0)),
                    (None, None) => {
                        self.emit(word(Op::PutVar, r, 0, 0));
                        self.allocated += 1;
                        if self.vars[v as usize].count > 1 {
                            let s = self.register_for(st, v)?;
                            self.emit(word(Op::Move, s, r, 0));
                        }
                    }
                },
                None => self.put(t, r, st)?,
            }
        }
        self.emit(word(Op::Inline, args.len() as u16, from as u16, 0));
        self.emit(std::ptr::from_ref(p) as u64);
        for r in window {
            self.release(st, r);
        }
        Ok(())
    }

    /// Registers of the variables with a value that are live after `at`, loaded if need be, except `without`.
    fn live_registers(
        &mut self,
        st: &mut State,
        at: u32,
        without: Option<Var>,
    ) -> Result<Vec<(Var, u16)>, CompileError> {
        let mut out = Vec::new();
        for v in 0..st.x.len() as Var {
            if Some(v) != without && self.has_value(st, v) && self.live_after(v, at) {
                out.push((v, self.in_register(st, v)?));
            }
        }
        if out.len() > MAX_SLOTS {
            return Err(CompileError::TooLarge);
        }
        Ok(out)
    }

    fn emit_register_list(&mut self, regs: &[u16]) {
        for four in regs.chunks(4) {
            let mut w = 0u64;
            for (i, &r) in four.iter().enumerate() {
                w |= u64::from(r) << (16 * i);
            }
            self.emit(w);
        }
    }

    fn choice(&mut self, op: Op, saved: &[(Var, u16)], alternative: Option<Label>) {
        let n = saved.len() as u16;
        self.resumable = true;
        match alternative {
            Some(l) => self.emit_label(op, n, l),
            None => self.emit(word(op, n, 0, 0)),
        }
        let regs: Vec<u16> = saved.iter().map(|&(_, r)| r).collect();
        self.emit_register_list(&regs);
    }

    /// State at an alternative: only what the choicepoint saved.
    fn restored(&self, st: &State, saved: &[(Var, u16)], called: bool) -> State {
        let mut s = State {
            x: vec![None; st.x.len()],
            y: vec![None; st.y.len()],
            used: vec![false; st.used.len()],
            called,
            frame: false,
        };
        for &(v, r) in saved {
            s.x[v as usize] = Some(r);
            s.used[r as usize] = true;
        }
        s
    }

    fn or(
        &mut self,
        branches: &[Branch<'a>],
        st: &mut State,
        last: bool,
    ) -> Result<(), CompileError> {
        let outer = self.on_fail.take();
        let end = branches[branches.len() - 1].range.1;
        let saved = self.live_registers(st, branches[0].range.1 - 1, None)?;
        let before = st.called;
        let mut meet = Meet::new(self.new_label(), end - 1);
        let mut current = st.clone();
        for (i, b) in branches.iter().enumerate() {
            let more = i + 1 < branches.len();
            if i > 0 {
                current = self.restored(st, &saved, before);
            }
            let next = self.new_label();
            match (i, more) {
                (0, _) => self.choice(Op::TryElse, &saved, Some(next)),
                (_, true) => self.choice(Op::RetryElse, &saved, Some(next)),
                (_, false) => self.choice(Op::TrustElse, &saved, None),
            }
            self.excluded.push((b.range.1, end));
            self.release_dead(&mut current, b.range.0 - 1);
            self.sequence(b, &mut current, last)?;
            self.excluded.pop();
            if !last {
                self.meet(&mut meet, &mut current, more)?;
            }
            self.place(next);
        }
        self.finish_meet(meet, st, current, last);
        self.on_fail = outer;
        Ok(())
    }

    fn if_then_else(
        &mut self,
        condition: &Branch<'a>,
        then: &Branch<'a>,
        otherwise: &Branch<'a>,
        (barrier, local, soft): (Var, Var, bool),
        st: &mut State,
        last: bool,
    ) -> Result<(), CompileError> {
        let outer = self.on_fail.take();
        let end = otherwise.range.1;
        let else_label = self.new_label();
        let mut meet = Meet::new(self.new_label(), end - 1);
        let mut current;
        let alternative;
        if condition.is_test() {
            // No choicepoint: a failing test jumps.
            let snapshot = st.clone();
            current = st.clone();
            self.on_fail = Some(else_label);
            let n = condition.goals.len();
            for leaf in &condition.goals[..n - 1] {
                self.goal(leaf, &mut current, false)?;
            }
            self.on_fail = None;
            alternative = (snapshot, None);
        } else {
            let before = st.called;
            let saved = self.live_registers(st, otherwise.range.0 - 1, None)?;
            current = st.clone();
            let r = self.allocate(&mut current, None)?;
            current.x[barrier as usize] = Some(r);
            if !soft {
                self.emit(word(Op::SaveB, r, 0, 0));
            }
            self.choice(Op::TryElse, &saved, Some(else_label));
            if soft {
                self.emit(word(Op::SaveB, r, 0, 0));
            }
            self.local_barrier(local, &mut current)?;
            alternative = (self.restored(st, &saved, before), Some(saved));
            self.excluded.push(otherwise.range);
            self.sequence(condition, &mut current, false)?;
            self.excluded.pop();
        }
        self.excluded.push(otherwise.range);
        self.release_dead(&mut current, then.range.0 - 1);
        self.sequence(then, &mut current, last)?;
        self.excluded.pop();
        if !last {
            self.meet(&mut meet, &mut current, true)?;
        }
        self.place(else_label);
        let (mut other, saved) = alternative;
        if let Some(saved) = &saved {
            self.choice(Op::TrustElse, saved, None);
        }
        self.release_dead(&mut other, otherwise.range.0 - 1);
        self.sequence(otherwise, &mut other, last)?;
        other.called |= current.called;
        if !last {
            self.meet(&mut meet, &mut other, false)?;
        }
        self.finish_meet(meet, st, other, last);
        self.on_fail = outer;
        Ok(())
    }

    fn not(
        &mut self,
        goals: &Branch<'a>,
        (barrier, local): (Var, Var),
        st: &mut State,
    ) -> Result<(), CompileError> {
        let outer = self.on_fail.take();
        let end = goals.range.1;
        if goals.is_test() {
            let mut inner = st.clone();
            let cont = self.new_label();
            self.on_fail = Some(cont);
            let n = goals.goals.len();
            // No choicepoint gives registers back: what is used behind the negation stays where it is.
            for leaf in &goals.goals[..n - 1] {
                self.goal(leaf, &mut inner, false)?;
            }
            match outer {
                Some(l) => self.emit_label(Op::Jump, 0, l),
                None => self.emit(word(Op::Fail, 0, 0, 0)),
            }
            self.place(cont);
            self.on_fail = outer;
            return Ok(());
        }
        let cont = self.new_label();
        let before = st.called;
        let saved = self.live_registers(st, end - 1, None)?;
        let mut inner = st.clone();
        let r = self.allocate(&mut inner, None)?;
        inner.x[barrier as usize] = Some(r);
        self.emit(word(Op::SaveB, r, 0, 0));
        self.choice(Op::TryElse, &saved, Some(cont));
        self.local_barrier(local, &mut inner)?;
        self.excluded.push((end, u32::MAX));
        self.sequence(goals, &mut inner, false)?;
        self.excluded.pop();
        self.emit(word(Op::Fail, 0, 0, 0));
        self.place(cont);
        self.choice(Op::TrustElse, &saved, None);
        // The slots of E are as before only if nothing was called inside; registers were restored anyway.
        *st = self.restored(st, &saved, before);
        self.on_fail = outer;
        Ok(())
    }

    /// After the choicepoint of a condition: the barrier of cuts in it, if there are any.
    fn local_barrier(&mut self, local: Var, st: &mut State) -> Result<(), CompileError> {
        if !self.vars[local as usize].at.is_empty() {
            let r = self.allocate(st, None)?;
            st.x[local as usize] = Some(r);
            self.emit(word(Op::SaveB, r, 0, 0));
        }
        Ok(())
    }

    // --- where branches meet ---

    /// At the end of a branch: puts the live variables where the first branch left them.
    fn meet(&mut self, m: &mut Meet, st: &mut State, jump: bool) -> Result<(), CompileError> {
        let live: Vec<Var> = (0..st.x.len() as Var)
            .filter(|&v| {
                self.live_after(v, m.after) && (m.homes.is_some() || self.wanted(st, v, m.after))
            })
            .collect();
        match &m.homes {
            None => {
                let mut homes = Vec::new();
                for v in live {
                    homes.push((v, self.in_register(st, v)?));
                }
                m.homes = Some(homes);
            }
            Some(homes) => {
                let homes = homes.clone();
                // Variables with no value yet are made in free registers first.
                let mut moves = Vec::new();
                for &(v, home) in &homes {
                    let src = match (st.x[v as usize], st.y[v as usize]) {
                        (Some(r), _) => Source::Register(r),
                        (None, Some(s)) => Source::Slot(s),
                        (None, None) => Source::Fresh,
                    };
                    moves.push((home, src));
                }
                let top = homes
                    .iter()
                    .map(|&(_, r)| r as usize + 1)
                    .max()
                    .unwrap_or(0);
                if st.used.len() < top {
                    st.used.resize(top, false);
                }
                self.parallel_move(&moves, st)?;
                for &(v, home) in &homes {
                    st.x[v as usize] = Some(home);
                }
            }
        }
        m.called |= st.called;
        if jump {
            self.emit_label(Op::Jump, 0, m.label);
        }
        Ok(())
    }
    /// Whether a live variable must have a value where branches meet: it occurs in the disjunction or before it.
    fn wanted(&self, st: &State, v: Var, after: u32) -> bool {
        self.has_value(st, v)
            || self.vars[v as usize]
                .at
                .first()
                .is_some_and(|&p| p <= after)
    }
    fn finish_meet(&mut self, m: Meet, st: &mut State, end: State, last: bool) {
        self.place(m.label);
        let called = m.called || end.called;
        if last {
            st.called = called;
            return;
        }
        let homes = m.homes.unwrap_or_default();
        let mut s = self.restored(&end, &[], called);
        for (v, r) in homes {
            s.x[v as usize] = Some(r);
            s.used[r as usize] = true;
        }
        *st = s;
    }

    // --- calls ---

    fn call(
        &mut self,
        p: &'static Predicate,
        args: &[TermRef<'a>],
        qualify: Qualify,
        st: &mut State,
        (at, last): (u32, bool),
    ) -> Result<(), CompileError> {
        // 1. Arguments that must be built, and fresh variables, in registers of their own.
        let mut moves: Vec<(u16, Source)> = Vec::with_capacity(args.len());
        for (i, &t) in args.iter().enumerate() {
            let dst = i as u16;
            if i < 64 && qualify.mask >> i & 1 == 1 {
                let (inner, temp) = self.value(t, st)?;
                let r = self.allocate(st, None)?;
                self.emit(word(Op::PutStruct, r, 0, 0));
                self.emit(Functor::new(atoms::COLON, 2).bits());
                self.emit(word(Op::PushConst, 0, 0, 0));
                self.emit(Cell::atom(qualify.module).0);
                self.emit(word(Op::PushX, inner, 0, 0));
                self.allocated += 3;
                self.drop_temp(st, inner, temp);
                moves.push((dst, Source::Register(r)));
                continue;
            }
            let src = match self.var_of(t) {
                Some(v) => match (st.x[v as usize], st.y[v as usize]) {
                    (Some(r), _) => Source::Register(r),
                    (None, Some(s)) => Source::Slot(s),
                    (None, None) => {
                        if self.vars[v as usize].count == 1 {
                            Source::Fresh
                        } else {
                            let hint = Some(dst)
                                .filter(|&d| !st.used.get(d as usize).copied().unwrap_or(true));
                            let r = self.allocate(st, hint)?;
                            st.x[v as usize] = Some(r);
                            self.emit(word(Op::PutVar, r, 0, 0));
                            self.allocated += 1;
                            Source::Register(r)
                        }
                    }
                },
                None => {
                    let c = t.deref();
                    if c.is_immediate() {
                        Source::Constant(c)
                    } else {
                        let hint = Some(dst)
                            .filter(|&d| !st.used.get(d as usize).copied().unwrap_or(true));
                        let r = self.allocate(st, hint)?;
                        self.put(t, r, st)?;
                        Source::Register(r)
                    }
                }
            };
            moves.push((dst, src));
        }
        // 2. The frame.
        let mut slots: Vec<(Var, u16)> = Vec::new();
        let resume = self.new_label();
        if !last {
            for v in 0..st.x.len() as Var {
                if self.has_value(st, v) && self.live_after(v, at) {
                    let src = match (st.x[v as usize], st.y[v as usize]) {
                        (Some(r), _) => r,
                        (None, Some(s)) => s | SLOT,
                        (None, None) => continue,
                    };
                    slots.push((v, src));
                }
            }
            if slots.len() > 1000 {
                return Err(CompileError::TooLarge);
            }
            self.resumable = true;
            let reuse = st.frame
                && slots.len() <= instr::MAX_REUSE
                && !moves.iter().any(|(_, s)| matches!(s, Source::Slot(_)));
            self.emit_label(Op::MakeFrame, slots.len() as u16, resume);
            if reuse && let Some(w) = self.code.last_mut() {
                *w |= instr::REUSE;
            }
            let sources: Vec<u16> = slots.iter().map(|&(_, s)| s).collect();
            self.emit_register_list(&sources);
            self.allocated += slots.len() + 2;
        }
        // 3. Arguments into place, and go.
        self.parallel_move(&moves, st)?;
        self.emit(word(Op::Execute, 0, 0, 0));
        self.emit(std::ptr::from_ref(p) as u64);
        self.place(resume);
        // 4. Afterwards only the frame is left.
        st.x.iter_mut().for_each(|x| *x = None);
        st.y.iter_mut().for_each(|y| *y = None);
        st.used.iter_mut().for_each(|u| *u = false);
        for (i, &(v, _)) in slots.iter().enumerate() {
            st.y[v as usize] = Some(i as u16);
        }
        st.called = true;
        st.frame = true;
        self.allocated = 0;
        Ok(())
    }

    /// Moves everything to its destination register as if at once.
    fn parallel_move(
        &mut self,
        moves: &[(u16, Source)],
        st: &mut State,
    ) -> Result<(), CompileError> {
        let mut pending: Vec<(u16, u16)> = Vec::new();
        for &(d, s) in moves {
            if let Source::Register(r) = s
                && r != d
            {
                pending.push((d, r));
            }
        }
        while !pending.is_empty() {
            let ready = pending
                .iter()
                .position(|&(d, _)| !pending.iter().any(|&(_, s)| s == d));
            match ready {
                Some(i) => {
                    let (d, s) = pending.swap_remove(i);
                    self.emit(word(Op::Move, d, s, 0));
                }
                None => {
                    // A cycle: free one source through a scratch register above everything in use.
                    let top = moves
                        .iter()
                        .flat_map(|&(d, s)| [d, if let Source::Register(r) = s { r } else { 0 }])
                        .max()
                        .unwrap_or(0) as usize;
                    let scratch = (st.used.len().max(top + 1)) as u16;
                    if scratch as usize >= REGISTERS - 2 {
                        return Err(CompileError::TooLarge);
                    }
                    let (_, s) = pending[0];
                    self.emit(word(Op::Move, scratch, s, 0));
                    for p in &mut pending {
                        if p.1 == s {
                            p.1 = scratch;
                        }
                    }
                }
            }
        }
        for &(d, s) in moves {
            match s {
                Source::Register(_) => {}
                Source::Slot(y) => self.emit(word(Op::Load, d, y, 0)),
                Source::Constant(c) => {
                    self.emit(word(Op::PutConst, d, 0, 0));
                    self.emit(c.0);
                }
                Source::Fresh => {
                    self.emit(word(Op::PutVar, d, 0, 0));
                    self.allocated += 1;
                }
            }
        }
        Ok(())
    }
}

/// Where an argument comes from.
#[derive(Clone, Copy)]
enum Source {
    Register(u16),
    Slot(u16),
    Constant(Cell),
    /// A new variable.
    Fresh,
}

/// Code that restores what is live at a place inside the clause and goes back there; see `Op::ComeBack`.
struct WayBack {
    entry: Label,
    back: Label,
    /// E is live.
    frame: bool,
    registers: Vec<u16>,
}

/// The place where the branches of a disjunction meet.
struct Meet {
    label: Label,
    /// Last position of the disjunction.
    after: u32,
    /// Registers that live variables are in there, as the first branch left them.
    homes: Option<Vec<(Var, u16)>>,
    called: bool,
}

impl Meet {
    fn new(label: Label, after: u32) -> Meet {
        Meet {
            label,
            after,
            homes: None,
            called: false,
        }
    }
}
