//! Code for calls: arguments, frames, builtins in place; moving values to registers as if at once.
//!
//! There is no local stack: before a non-last call a frame is built from exactly the variables that are live after it.

use super::CompileError;
use super::codegen::Generator;
use super::events::{At, Qualify, Var};
use super::state::State;
use crate::db::predicate::Predicate;
use crate::instr::{self, Op, REGISTERS, SLOT, word};
use samite_term::frame::MAX_SLOTS;
use samite_term::{Cell, Functor, TermRef, atoms};

/// Most variables alive over a call or in a choicepoint of a disjunction.
pub(super) const MAX_FRAME: usize = 1000;

const _: () = assert!(MAX_FRAME <= MAX_SLOTS);

/// Where an argument comes from.
#[derive(Clone, Copy)]
pub(super) enum Source {
    Register(u16),
    Slot(u16),
    Constant(Cell),
    /// A new variable.
    Fresh,
}

impl Source {
    /// Where a variable is.
    pub fn of(st: &State, v: Var) -> Source {
        match (st.x(v), st.y(v)) {
            (Some(r), _) => Source::Register(r),
            (None, Some(s)) => Source::Slot(s),
            (None, None) => Source::Fresh,
        }
    }
}

/// Buffers of calls.
#[derive(Default)]
pub(super) struct Spare {
    moves: Vec<(u16, Source)>,
    slots: Vec<(Var, u16)>,
    readers: Vec<u16>,
    source: Vec<Option<u16>>,
    ready: Vec<u16>,
}

impl<'a> Generator<'_, 'a> {
    /// A builtin in place, on a window of consecutive registers.
    pub fn inline(
        &mut self,
        p: &'static Predicate,
        args: &[TermRef<'a>],
        st: &mut State,
    ) -> Result<(), CompileError> {
        // Variables first seen here get registers above the window.
        let from = st.top();
        if from + args.len() + 2 >= REGISTERS {
            return Err(CompileError::TooLarge);
        }
        let window: Vec<u16> = (0..args.len()).map(|i| (from + i) as u16).collect();
        for &r in &window {
            st.take(r);
        }
        for (&t, &r) in args.iter().zip(&window) {
            let Some(v) = self.var_of(t) else {
                self.put(t, r, st)?;
                continue;
            };
            match Source::of(st, v) {
                Source::Register(s) => self.emit(word(Op::Move, r, s, 0)),
                Source::Slot(y) => self.emit(word(Op::Load, r, y, 0)),
                Source::Constant(_) | Source::Fresh => {
                    self.emit(word(Op::PutVar, r, 0, 0));
                    st.grow(1)?;
                    if self.count(v) > 1 {
                        let s = self.register_for(st, v)?;
                        self.emit(word(Op::Move, s, r, 0));
                    }
                }
            }
        }
        self.emit(word(Op::Inline, args.len() as u16, from as u16, 0));
        self.emit(std::ptr::from_ref(p) as u64);
        for r in window {
            st.release(r);
        }
        Ok(())
    }

    /// `arg/3` in place. Its argument comes into a register, and is unified then. Where that is more than looking at a term (the number is not
    /// known, or there is an error) the predicate is called with a new variable, and comes back behind the instruction.
    pub fn arg(
        &mut self,
        p: &'static Predicate,
        [number, term, argument]: [TermRef<'a>; 3],
        st: &mut State,
        (at, last): (At, bool),
    ) -> Result<(), CompileError> {
        let (n, n_temp) = self.value(number, st)?;
        let (t, t_temp) = self.value(term, st)?;
        let variable = self.var_of(argument);
        let fresh = variable.filter(|&v| !st.has_value(v));
        let known = match variable {
            Some(v) if fresh.is_none() => Some(self.in_register(st, v)?),
            _ => None,
        };
        let to = match fresh {
            Some(v) if self.count(v) > 1 => self.register_for(st, v)?,
            _ => st.allocate(None)?,
        };
        self.emit(word(Op::Arg, to, n, t));
        self.emit(std::ptr::from_ref(p) as u64);
        self.drop_temp(st, n, n_temp);
        self.drop_temp(st, t, t_temp);
        match (fresh, known) {
            (Some(v), _) => {
                // (In last position it is the call that returns.)
                if !last {
                    self.come_back_here(st, at, &[])?;
                }
                self.drop_temp(st, to, self.count(v) == 1);
                return Ok(());
            }
            (None, Some(r)) => {
                self.come_back_here(st, at, &[to, r])?;
                self.emit(word(Op::GetValue, to, r, 0));
            }
            (None, None) => {
                self.come_back_here(st, at, &[to])?;
                self.emit(word(Op::GetConst, to, 0, 0));
                self.emit(argument.deref().0);
            }
        }
        st.release(to);
        Ok(())
    }

    /// A call, after which the clause goes on unless it is the last.
    pub fn call(
        &mut self,
        p: &'static Predicate,
        args: &[TermRef<'a>],
        qualify: Qualify,
        st: &mut State,
        (at, last): (At, bool),
    ) -> Result<(), CompileError> {
        // 1. Arguments that must be built, and fresh variables, in registers of their own.
        let mut moves = std::mem::take(&mut self.spare.moves);
        moves.clear();
        for (i, &t) in args.iter().enumerate() {
            let qualified = i < 64 && qualify.mask >> i & 1 == 1;
            let src = if qualified {
                let always = qualify.always >> i & 1 == 1;
                self.qualified_argument(t, qualify.module, always, st)?
            } else {
                self.argument(t, i as u16, st)?
            };
            moves.push((i as u16, src));
        }
        // 2. The frame.
        let resume = self.new_label();
        let mut slots = std::mem::take(&mut self.spare.slots);
        slots.clear();
        if !last {
            let sources = st.variables().filter(|&v| self.live_after(v, at));
            slots.extend(sources.map(|v| match (st.x(v), st.y(v)) {
                (None, Some(s)) => (v, s | SLOT),
                (r, _) => (v, r.unwrap_or(0)),
            }));
            if slots.len() > MAX_FRAME {
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
            self.emit_register_list(slots.iter().map(|&(_, s)| s));
            st.grow(slots.len() + 2)?;
        }
        // 3. Arguments into place, and go.
        self.parallel_move(&moves, st)?;
        self.emit(word(Op::Execute, 0, 0, 0));
        self.emit(std::ptr::from_ref(p) as u64);
        if !last {
            self.emit_many_ways_back();
        }
        self.place(resume);
        // 4. Afterwards only the frame is left.
        st.returned(&slots);
        (self.spare.moves, self.spare.slots) = (moves, slots);
        Ok(())
    }

    /// The source of an argument that is to be qualified.
    fn qualified_argument(
        &mut self,
        t: TermRef<'a>,
        module: samite_term::Atom,
        always: bool,
        st: &mut State,
    ) -> Result<Source, CompileError> {
        let (inner, temp) = self.value(t, st)?;
        let r = st.allocate(None)?;
        // What it is is known when it is called, or it names modules within modules.
        let may_name = t
            .callable()
            .is_none_or(|(f, _)| f == Functor::new(atoms::COLON, 2));
        if may_name && !always {
            self.emit(word(Op::Qualify, r, inner, 0));
            self.emit(Cell::atom(module).0);
            self.drop_temp(st, inner, temp);
            return Ok(Source::Register(r));
        }
        self.emit(word(Op::PutStruct, r, 0, 0));
        self.emit(Functor::new(atoms::COLON, 2).bits());
        self.emit(word(Op::PushConst, 0, 0, 0));
        self.emit(Cell::atom(module).0);
        self.emit(word(Op::PushX, inner, 0, 0));
        st.grow(3)?;
        self.drop_temp(st, inner, temp);
        Ok(Source::Register(r))
    }

    /// The source of argument `dst`.
    fn argument(
        &mut self,
        t: TermRef<'a>,
        dst: u16,
        st: &mut State,
    ) -> Result<Source, CompileError> {
        if let Some(v) = self.var_of(t) {
            let src = Source::of(st, v);
            if !matches!(src, Source::Fresh) || self.count(v) == 1 {
                return Ok(src);
            }
            let r = st.allocate(Some(dst))?;
            st.set_x(v, r);
            self.emit(word(Op::PutVar, r, 0, 0));
            st.grow(1)?;
            return Ok(Source::Register(r));
        }
        let c = t.deref();
        if c.is_plain() {
            return Ok(Source::Constant(c));
        }
        let r = st.allocate(Some(dst))?;
        self.put(t, r, st)?;
        Ok(Source::Register(r))
    }

    /// Moves everything to its destination register as if at once.
    pub fn parallel_move(
        &mut self,
        moves: &[(u16, Source)],
        st: &mut State,
    ) -> Result<(), CompileError> {
        self.move_registers(moves, st)?;
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
                    st.grow(1)?;
                }
            }
        }
        Ok(())
    }

    fn move_registers(
        &mut self,
        moves: &[(u16, Source)],
        st: &mut State,
    ) -> Result<(), CompileError> {
        let pending = moves.iter().filter_map(|&(d, s)| match s {
            Source::Register(s) if s != d => Some((d, s)),
            _ => None,
        });
        let Some(top) = pending.clone().map(|(d, s)| d.max(s)).max() else {
            return Ok(());
        };
        let top = top as usize + 1;
        // How many moves still read a register, and where what is to be moved there comes from.
        let Spare {
            mut readers,
            mut source,
            mut ready,
            ..
        } = std::mem::take(&mut self.spare);
        readers.clear();
        readers.resize(top, 0);
        source.clear();
        source.resize(top, None);
        ready.clear();
        for (d, s) in pending.clone() {
            readers[s as usize] += 1;
            source[d as usize] = Some(s);
        }
        let free = pending.clone().map(|(d, _)| d);
        ready.extend(free.filter(|&d| readers[d as usize] == 0));
        while let Some(d) = ready.pop() {
            let Some(s) = source[d as usize].take() else {
                continue;
            };
            self.emit(word(Op::Move, d, s, 0));
            readers[s as usize] -= 1;
            if readers[s as usize] == 0 && source[s as usize].is_some() {
                ready.push(s);
            }
        }
        // What is left are cycles: each is opened through a scratch register above everything in use.
        let scratch = st.top().max(top);
        for (first, _) in pending {
            if source[first as usize].is_none() {
                continue;
            }
            if scratch >= REGISTERS - 2 {
                return Err(CompileError::TooLarge);
            }
            self.emit(word(Op::Move, scratch as u16, first, 0));
            let mut d = first;
            while let Some(s) = source[d as usize].take() {
                let s = if s == first { scratch as u16 } else { s };
                self.emit(word(Op::Move, d, s, 0));
                d = if s == scratch as u16 { first } else { s };
            }
        }
        (self.spare.readers, self.spare.source, self.spare.ready) = (readers, source, ready);
        Ok(())
    }
}
