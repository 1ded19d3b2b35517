//! Code for heads, unification goals and building terms.
//!
//! A structure in a head is matched in read mode in line; its write mode (the argument was unbound) builds the whole structure, nested
//! ones included, as one block at H, in code after the clause. Both leave the same variables in the same registers.

use super::CompileError;
use super::codegen::{Generator, Label};
use super::events::{At, Var};
use super::record::Recorder;
use super::state::State;
use crate::instr::{Op, word, word_label};
use samite_heap::heap::MARGIN;
use samite_term::{Functor, Tag, TermRef, View, atoms};
use std::collections::VecDeque;

/// Terms of more cells than this are copied from a record instead of built by instructions.
const MAX_BUILD: usize = 128;

/// Write mode of a head structure, to be emitted after the clause.
pub(super) struct PendingWrite<'a> {
    register: u16,
    term: TermRef<'a>,
    entry: Label,
    back: Label,
    /// Where the variables of the term are before, and the registers of those that are new in it.
    variables: Vec<Placed>,
}

struct Placed {
    variable: Var,
    x: Option<u16>,
    y: Option<u16>,
    after: Option<u16>,
}

/// Functor and arguments of a compound; `None` for atomic terms and variables.
pub(super) fn compound<'a>(t: TermRef<'a>) -> Option<(Functor, Vec<TermRef<'a>>)> {
    match t.view() {
        View::List(h, t) => Some((Functor::new(atoms::DOT, 2), vec![h, t])),
        View::Compound(c) => Some((c.functor(), c.args().collect())),
        _ => None,
    }
}

/// Number of cells that building a term by instructions takes, if it is built so; 0: it is copied from a record, or is no compound.
pub(super) fn built(t: TermRef) -> usize {
    let mut left = MAX_BUILD;
    match takes(t, &mut left) {
        true => MAX_BUILD - left,
        false => 0,
    }
}

/// Takes the cells of a term from those that are left (no deeper than there are); whether there were enough.
fn takes(mut t: TermRef, left: &mut usize) -> bool {
    loop {
        let n = match t.view() {
            View::List(..) => 2,
            View::Compound(c) => 1 + c.arity(),
            // Boxed values come from a record, and handles that are counted.
            _ => return t.is_var() || t.deref().is_plain(),
        };
        let Some(rest) = left.checked_sub(n) else {
            return false;
        };
        *left = rest;
        match t.view() {
            View::List(head, tail) => {
                if !takes(head, left) {
                    return false;
                }
                t = tail;
            }
            View::Compound(c) => return c.args().all(|a| takes(a, left)),
            _ => {}
        }
    }
}

impl<'a> Generator<'_, 'a> {
    /// Cells of a term, if it is built by instructions.
    fn buildable(&self, t: TermRef, st: &State) -> Option<usize> {
        let n = built(t);
        (n > 0 && st.allocated + n + self.reserve <= MARGIN).then_some(n)
    }

    pub fn head(&mut self, head: TermRef<'a>, st: &mut State) -> Result<(), CompileError> {
        let Some((f, args)) = head.callable() else {
            return Err(CompileError::NotCallable);
        };
        let n = f.arity();
        for r in 0..n as u16 {
            st.take(r);
        }
        if let Some(arguments) = &self.analysis.arguments {
            // Goals of the body say what they are to be like.
            for (&v, r) in arguments.iter().zip(0..) {
                st.set_x(v, r);
            }
            self.release_dead(st, 0);
            return Ok(());
        }
        // Variables that are whole arguments stay where they are.
        let mut rest = Vec::with_capacity(n);
        for i in 0..n {
            let t = args.get(i);
            match self.var_of(t) {
                Some(v) if !st.has_value(v) => {
                    if self.count(v) == 1 {
                        st.release(i as u16);
                    } else {
                        st.set_x(v, i as u16);
                    }
                }
                _ => rest.push((i as u16, t)),
            }
        }
        for (r, t) in rest {
            st.release(r);
            self.get(r, t, st)?;
        }
        self.release_dead(st, 0);
        Ok(())
    }

    /// A rule's argument, which is in its register, is to be like a term of the head: variables of the argument are not bound, those of the head that have a
    /// value are what stands there. Nothing is written to registers of arguments, which tell the next rule or the error what the call was.
    pub fn matched(&mut self, v: Var, t: TermRef<'a>, st: &mut State) -> Result<(), CompileError> {
        // Registers, and whether they are temporaries; the last one is the next.
        let mut work = vec![(self.in_register(st, v)?, false, t)];
        while let Some((r, temporary, t)) = work.pop() {
            let release = |st: &mut State| {
                if temporary {
                    st.release(r);
                }
            };
            if let Some(v) = self.var_of(t) {
                if st.has_value(v) {
                    let s = self.in_register(st, v)?;
                    self.emit_test2(Op::TestIdentical, r, s);
                    release(st);
                } else if temporary {
                    st.set_x(v, r);
                }
                continue;
            }
            let c = t.deref();
            if c.is_plain() {
                self.emit_test1(Op::MatchConst, r);
                self.emit(c.0);
                release(st);
                continue;
            }
            let Some((f, args)) = compound(t) else {
                let s = st.allocate(None)?;
                self.put_record(t, s, st)?;
                self.emit_test2(Op::TestIdentical, r, s);
                st.release(s);
                release(st);
                continue;
            };
            let mut fresh = Vec::with_capacity(args.len());
            for (i, &t) in args.iter().enumerate() {
                let v = self.var_of(t).filter(|&v| !st.has_value(v));
                let is_new = |&v: &Var| fresh.iter().all(|&(_, w)| w != v);
                fresh.extend(v.filter(is_new).map(|v| (i, v)));
            }
            if f != Functor::new(atoms::DOT, 2) {
                self.emit_test1(Op::MatchStruct, r);
                self.emit(f.bits());
            } else if let [(0, h), (1, tl)] = fresh[..]
                && self.count(h) > 1
                && self.count(tl) > 1
            {
                release(st);
                let a = self.register_for(st, h)?;
                let b = self.register_for(st, tl)?;
                self.emit_test3(Op::MatchListVars, r, a, b);
                continue;
            } else {
                self.emit_test1(Op::MatchList, r);
            }
            release(st);
            let from = work.len();
            for (i, t) in args.into_iter().enumerate() {
                let n = u16::try_from(i).map_err(|_| CompileError::TooLarge)?;
                if let Some(&(_, v)) = fresh.iter().find(|&&(at, _)| at == i) {
                    if self.count(v) > 1 {
                        let s = self.register_for(st, v)?;
                        self.emit(word(Op::UnifyVar, s, n, 0));
                    }
                } else {
                    let s = st.allocate(None)?;
                    self.emit(word(Op::UnifyVar, s, n, 0));
                    work.push((s, true, t));
                }
            }
            work[from..].reverse();
        }
        Ok(())
    }

    /// Unifies register `r`, which may be reused for parts of the term, with a term.
    fn get(&mut self, r: u16, t: TermRef<'a>, st: &mut State) -> Result<(), CompileError> {
        if let Some(v) = self.var_of(t) {
            match (st.x(v), st.y(v)) {
                (Some(s), _) => self.emit(word(Op::GetValue, r, s, 0)),
                (None, Some(y)) => self.emit(word(Op::GetValueY, r, y, 0)),
                (None, None) => {
                    let s = self.register_for(st, v)?;
                    if s != r {
                        self.emit(word(Op::Move, s, r, 0));
                    }
                }
            }
            return Ok(());
        }
        let c = t.deref();
        if c.is_plain() {
            self.emit(word(Op::GetConst, r, 0, 0));
            self.emit(c.0);
            return Ok(());
        }
        if let Some(n) = self.buildable(t, st) {
            return self.get_compound(r, t, n, st);
        }
        // Keep `r` while the other side is built.
        let kept = st.is_used(r);
        st.take(r);
        let s = st.allocate(None)?;
        self.put_record(t, s, st)?;
        self.emit(word(Op::GetValue, r, s, 0));
        st.release(s);
        if !kept {
            st.release(r);
        }
        Ok(())
    }

    /// The same for a compound of `cells` cells.
    fn get_compound(
        &mut self,
        r: u16,
        t: TermRef<'a>,
        cells: usize,
        st: &mut State,
    ) -> Result<(), CompileError> {
        let Some((f, args)) = compound(t) else {
            return Err(CompileError::NotCallable);
        };
        let entry = self.new_label();
        let back = self.new_label();
        let is_list = f == Functor::new(atoms::DOT, 2);
        let fresh = |g: &Self, st: &State, t: TermRef| {
            g.var_of(t).filter(|&v| !st.has_value(v) && g.count(v) > 1)
        };
        if is_list && let Some(tl) = fresh(self, st, args[1]) {
            // The frequent lists need no write mode of their own.
            if let Some(h) = fresh(self, st, args[0]).filter(|&h| h != tl) {
                let a = self.register_for(st, h)?;
                let b = self.register_for(st, tl)?;
                self.emit(word(Op::GetListVars, r, a, b));
                return st.grow(2);
            }
            if let Some(a) = self.var_of(args[0]).and_then(|h| st.x(h)) {
                let b = self.register_for(st, tl)?;
                self.emit(word(Op::GetListValueVar, r, a, b));
                return st.grow(2);
            }
        }
        let mut variables = self.placed(t, st);
        let before = st.allocated;
        {
            if is_list {
                self.emit_label(Op::GetList, r, entry);
            } else {
                self.emit_label(Op::GetStruct, r, entry);
                self.emit(f.bits());
            }
            let mut nested = Vec::new();
            for (i, t) in args.into_iter().enumerate() {
                let i = u16::try_from(i).map_err(|_| CompileError::TooLarge)?;
                if let Some(v) = self.var_of(t) {
                    if st.has_value(v) {
                        self.unify_known(v, i, st);
                    } else if self.count(v) > 1 {
                        let s = self.register_for(st, v)?;
                        self.emit(word(Op::UnifyVar, s, i, 0));
                    }
                    continue;
                }
                let c = t.deref();
                if c.is_plain() {
                    self.emit(word(Op::UnifyConst, 0, i, 0));
                    self.emit(c.0);
                } else {
                    let s = st.allocate(None)?;
                    self.emit(word(Op::UnifyVar, s, i, 0));
                    nested.push((s, t));
                }
            }
            for (s, t) in nested {
                self.get(s, t, st)?;
                // The temporary may have become a variable's register only through a hint, which it never equals.
                st.release(s);
            }
        }
        self.place(back);
        // Either all of it is built here, or parts of it further in.
        let parts = st.allocated - before;
        st.grow(cells.saturating_sub(parts))?;
        for p in &mut variables {
            p.after = st.x(p.variable);
        }
        self.pending_writes.push(PendingWrite {
            register: r,
            term: t,
            entry,
            back,
            variables,
        });
        Ok(())
    }
    /// Where the variables of a term are.
    fn placed(&self, t: TermRef<'a>, st: &State) -> Vec<Placed> {
        let mut out: Vec<Placed> = Vec::new();
        let mut work = vec![t];
        while let Some(t) = work.pop() {
            if let Some(variable) = self.var_of(t) {
                out.push(Placed {
                    variable,
                    x: st.x(variable),
                    y: st.y(variable),
                    after: None,
                });
            }
            match t.view() {
                View::List(h, t) => work.extend([t, h]),
                View::Compound(c) => work.extend(c.args().rev()),
                _ => {}
            }
        }
        out
    }

    /// Unifies argument `i` of the structure that is read with a variable that has a value.
    fn unify_known(&mut self, v: Var, i: u16, st: &State) {
        match (st.x(v), st.y(v)) {
            (Some(s), _) => self.emit(word(Op::UnifyValue, s, i, 0)),
            (None, y) => self.emit(word(Op::UnifyValueY, y.unwrap_or(0), i, 0)),
        }
    }

    fn flush_void(&mut self, n: &mut u16) {
        if *n > 0 {
            self.emit(word(Op::PushVoid, *n, 0, 0));
            *n = 0;
        }
    }

    /// Emits the write modes collected so far.
    pub fn write_modes(&mut self) -> Result<(), CompileError> {
        for w in std::mem::take(&mut self.pending_writes) {
            self.place(w.entry);
            let mut before = State::new(self.analysis.temporaries);
            for p in &w.variables {
                if let Some(x) = p.x {
                    before.set_x(p.variable, x);
                }
                if let Some(y) = p.y {
                    before.set_y(p.variable, y);
                }
            }
            self.build(w.term, w.register, true, &mut before, Some(&w.variables))?;
            self.emit_label(Op::Jump, 0, w.back);
        }
        Ok(())
    }

    /// Puts a term that is not a known variable into register `r`.
    pub fn put(&mut self, t: TermRef<'a>, r: u16, st: &mut State) -> Result<(), CompileError> {
        let c = t.deref();
        if c.is_plain() {
            self.emit(word(Op::PutConst, r, 0, 0));
            self.emit(c.0);
            Ok(())
        } else if let Some(n) = self.buildable(t, st) {
            st.grow(n)?;
            self.build(t, r, false, st, None)
        } else {
            self.put_record(t, r, st)
        }
    }

    /// Builds a compound as one block at H, breadth first. With `bind`, register `r` is an unbound variable that gets bound to it.
    /// With `after`, variables that are new go to the registers given there (write mode of a head).
    fn build(
        &mut self,
        t: TermRef<'a>,
        r: u16,
        bind: bool,
        st: &mut State,
        after: Option<&[Placed]>,
    ) -> Result<(), CompileError> {
        let mut queue: VecDeque<(usize, usize, TermRef<'a>)> = VecDeque::new();
        // Cells pushed so far; position of the pointer cell to patch and its instruction.
        let mut cells = 0usize;
        let mut next = Some((t, None));
        while let Some((t, pointer)) = next {
            let Some((f, args)) = compound(t) else {
                return Err(CompileError::NotCallable);
            };
            let is_list = f == Functor::new(atoms::DOT, 2);
            if let Some((cell, instruction)) = pointer {
                let distance = cells as i64 - cell as i64;
                let tag = if is_list { Tag::Lst } else { Tag::Str };
                self.code[instruction] = word_label(Op::PushPointer, tag as u16, distance as i32);
                if !is_list {
                    self.emit(word(Op::PushFunctor, 0, 0, 0));
                    self.emit(f.bits());
                    cells += 1;
                }
            } else if is_list {
                let op = if bind { Op::BindList } else { Op::PutList };
                self.emit(word(op, r, 0, 0));
            } else {
                let op = if bind { Op::BindStruct } else { Op::PutStruct };
                self.emit(word(op, r, 0, 0));
                self.emit(f.bits());
                cells += 1;
            }
            let mut void = 0u16;
            for t in args {
                if let Some(v) = self.var_of(t)
                    && !st.has_value(v)
                    && self.count(v) == 1
                {
                    void += 1;
                    cells += 1;
                    continue;
                }
                self.flush_void(&mut void);
                if let Some(v) = self.var_of(t) {
                    self.push_variable(v, st, after)?;
                } else {
                    let c = t.deref();
                    if c.is_plain() {
                        self.emit(word(Op::PushConst, 0, 0, 0));
                        self.emit(c.0);
                    } else {
                        queue.push_back((cells, self.code.len(), t));
                        self.emit(0);
                    }
                }
                cells += 1;
            }
            self.flush_void(&mut void);
            next = queue.pop_front().map(|(cell, at, t)| (t, Some((cell, at))));
        }
        Ok(())
    }

    fn push_variable(
        &mut self,
        v: Var,
        st: &mut State,
        after: Option<&[Placed]>,
    ) -> Result<(), CompileError> {
        match (st.x(v), st.y(v)) {
            (Some(s), _) => self.emit(word(Op::PushX, s, 0, 0)),
            (None, Some(y)) => self.emit(word(Op::PushY, y, 0, 0)),
            (None, None) => {
                let s = match after {
                    Some(after) => {
                        let placed = after.iter().find(|p| p.variable == v);
                        let s = placed.and_then(|p| p.after).ok_or(CompileError::TooLarge)?;
                        st.set_x(v, s);
                        s
                    }
                    None => self.register_for(st, v)?,
                };
                self.emit(word(Op::PushVar, s, 0, 0));
            }
        }
        Ok(())
    }

    /// Copies a large term, or one with boxed values, from a record: `'$t'(Term, V1, …, Vn)` with its variables.
    fn put_record(&mut self, t: TermRef<'a>, r: u16, st: &mut State) -> Result<(), CompileError> {
        let mut recorder = Recorder::new(self.room);
        recorder.term(0, t)?;
        let mut args = vec![recorder.root()];
        let mut vars: Vec<Var> = Vec::new();
        for (address, cell) in &recorder.variables {
            if let Some(v) = self.analysis.numbers.get(*address)
                && self.count(v) > 1
            {
                vars.push(v);
                args.push(*cell);
            }
        }
        let functor = Functor::new(atoms::RESUME, args.len());
        if !vars.is_empty() {
            let at = recorder.structure(functor)?;
            for (i, &c) in args.iter().enumerate() {
                recorder.set(at + 1 + i, c);
            }
        }
        let record = recorder.finish();
        self.emit(word(Op::PutRecord, r, 0, 0));
        self.emit(std::ptr::from_ref(&*record) as u64);
        self.records.push(record);
        if vars.is_empty() {
            return Ok(());
        }
        // Take it apart: S is at the fresh structure.
        let never = self.new_label();
        self.emit_label(Op::GetStruct, r, never);
        self.emit(functor.bits());
        for (i, v) in vars.into_iter().enumerate() {
            let i = u16::try_from(i + 1).map_err(|_| CompileError::TooLarge)?;
            if st.has_value(v) {
                self.unify_known(v, i, st);
            } else {
                let s = self.register_for(st, v)?;
                self.emit(word(Op::UnifyVar, s, i, 0));
            }
        }
        self.emit(word(Op::UnifyVar, r, 0, 0));
        Ok(())
    }

    /// `a = b`.
    pub fn unify(
        &mut self,
        a: TermRef<'a>,
        b: TermRef<'a>,
        st: &mut State,
        at: At,
    ) -> Result<(), CompileError> {
        if let (Some(_), Some(_)) = (compound(a), compound(b))
            && (built(a) == 0 || built(b) == 0)
        {
            // Too large to be taken apart here.
            let (r, s) = (st.allocate(None)?, st.allocate(None)?);
            self.put(a, r, st)?;
            self.put(b, s, st)?;
            self.emit(word(Op::GetValue, r, s, 0));
            st.release(r);
            st.release(s);
            return Ok(());
        }
        let mut work = vec![(a, b)];
        // A variable of one pair may occur in another one, before the goal is over.
        let pairs = compound(a).is_some() && compound(b).is_some();
        while let Some((a, b)) = work.pop() {
            match (self.var_of(a), self.var_of(b)) {
                (Some(v), Some(w)) => {
                    if v == w {
                        continue;
                    }
                    let (v, w) = if st.has_value(v) { (v, w) } else { (w, v) };
                    let r = self.in_register(st, v)?;
                    if st.has_value(w) {
                        let s = self.in_register(st, w)?;
                        self.emit(word(Op::GetValue, r, s, 0));
                    } else if self.count(w) > 1 {
                        let s = self.register_for(st, w)?;
                        self.emit(word(Op::Move, s, r, 0));
                    }
                }
                (Some(v), None) | (None, Some(v)) => {
                    let t = if self.var_of(a).is_some() { b } else { a };
                    if st.has_value(v) {
                        let r = self.in_register(st, v)?;
                        self.get(r, t, st)?;
                    } else if self.count(v) > 1 && (pairs || self.live_or_in(v, at, t)) {
                        if self.occurs_in(v, t) {
                            // X = f(X): the variable must exist first.
                            let r = self.in_register(st, v)?;
                            self.get(r, t, st)?;
                        } else {
                            let r = st.allocate(self.hint(st, v))?;
                            self.put(t, r, st)?;
                            st.set_x(v, r);
                        }
                    }
                }
                (None, None) => match (compound(a), compound(b)) {
                    (Some((f, x)), Some((g, y))) if f == g => {
                        work.extend(x.into_iter().zip(y).rev());
                    }
                    (None, None)
                        if samite_term::order::compare(a, b) == std::cmp::Ordering::Equal => {}
                    _ => self.emit_fail(),
                },
            }
        }
        Ok(())
    }

    /// A new variable unified with a term is worth building if it is used later.
    fn live_or_in(&self, v: Var, at: At, t: TermRef) -> bool {
        self.live_after(v, at) || self.occurs_in(v, t)
    }

    fn occurs_in(&self, v: Var, t: TermRef) -> bool {
        let mut work = vec![t];
        while let Some(t) = work.pop() {
            if self.var_of(t) == Some(v) {
                return true;
            }
            match t.view() {
                View::List(h, t) => work.extend([h, t]),
                View::Compound(c) => work.extend(c.args()),
                _ => {}
            }
        }
        false
    }
}
