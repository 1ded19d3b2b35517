//! Code for heads, unification goals and building terms.
//!
//! A structure in a head is matched in read mode in line; its write mode (the argument was unbound) builds the whole structure, nested
//! ones included, as one block at H, in code after the clause. Both leave the same variables in the same registers.

use super::CompileError;
use super::analyse::Var;
use super::codegen::{Generator, Label, State};
use crate::instr::{Op, word, word_label};
use samite_term::{Cell, Functor, RecordBuilder, Tag, TermRef, View, atoms};
use std::collections::VecDeque;

/// Terms of more cells than this are copied from a record instead of built by instructions.
const MAX_BUILD: usize = 128;
/// Most words that a clause may allocate unchecked between two safe points.
const MAX_ALLOCATED: usize = 900;

/// Write mode of a head structure, to be emitted after the clause.
pub(super) struct PendingWrite<'a> {
    register: u16,
    term: TermRef<'a>,
    entry: Label,
    back: Label,
    before: State,
    /// Registers of variables that are new in the term.
    after: Vec<Option<u16>>,
}

/// Functor and arguments of a compound; `None` for atomic terms and variables.
fn compound<'a>(t: TermRef<'a>) -> Option<(Functor, Vec<TermRef<'a>>)> {
    match t.view() {
        View::List(h, t) => Some((Functor::new(atoms::DOT, 2), vec![h, t])),
        View::Compound(c) => Some((c.functor(), c.args().collect())),
        _ => None,
    }
}

/// Number of cells of a term, counted up to `limit`.
fn size(t: TermRef, limit: usize) -> usize {
    let mut n = 0;
    let mut work = vec![t];
    while let Some(t) = work.pop() {
        n += 1;
        if n > limit {
            return n;
        }
        if let Some((_, args)) = compound(t) {
            n += args.len().min(limit);
            work.extend(args.into_iter().take(limit));
        } else if !t.is_var() && !t.deref().is_immediate() {
            return limit + 1; // boxed values come from a record
        }
    }
    n
}

impl<'a> Generator<'a> {
    /// Whether a term is built by instructions.
    fn buildable(&self, t: TermRef) -> bool {
        size(t, MAX_BUILD) <= MAX_BUILD && self.allocated < MAX_ALLOCATED
    }

    pub fn head(&mut self, head: TermRef<'a>, st: &mut State) -> Result<(), CompileError> {
        let Some((f, args)) = head.callable() else {
            return Err(CompileError::NotCallable);
        };
        let n = f.arity();
        for r in 0..n {
            st.used[r] = true;
        }
        // Variables that are whole arguments stay where they are.
        let mut rest = Vec::new();
        for i in 0..n {
            let t = args.get(i);
            match self.var_of(t) {
                Some(v) if !self.has_value(st, v) => {
                    if self.vars[v as usize].count == 1 {
                        st.used[i] = false;
                    } else {
                        st.x[v as usize] = Some(i as u16);
                    }
                }
                _ => rest.push((i as u16, t)),
            }
        }
        for (r, t) in rest {
            st.used[r as usize] = false;
            self.get(r, t, st)?;
        }
        self.release_dead(st, 0);
        Ok(())
    }

    /// Unifies register `r`, which may be reused for parts of the term, with a term.
    fn get(&mut self, r: u16, t: TermRef<'a>, st: &mut State) -> Result<(), CompileError> {
        if let Some(v) = self.var_of(t) {
            match (st.x[v as usize], st.y[v as usize]) {
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
        if c.is_immediate() {
            self.emit(word(Op::GetConst, r, 0, 0));
            self.emit(c.0);
            return Ok(());
        }
        if compound(t).is_none() || !self.buildable(t) {
            // Keep `r` while the other side is built.
            let kept = st.used[r as usize];
            st.used[r as usize] = true;
            let s = self.allocate(st, None)?;
            self.put(t, s, st)?;
            self.emit(word(Op::GetValue, r, s, 0));
            self.release(st, s);
            st.used[r as usize] = kept;
            return Ok(());
        }
        self.get_compound(r, t, st)
    }

    fn get_compound(&mut self, r: u16, t: TermRef<'a>, st: &mut State) -> Result<(), CompileError> {
        let Some((f, args)) = compound(t) else {
            return Err(CompileError::NotCallable);
        };
        let entry = self.new_label();
        let back = self.new_label();
        let before = st.clone();
        let is_list = f == Functor::new(atoms::DOT, 2);
        let fresh = |g: &Self, st: &State, t: TermRef| {
            g.var_of(t)
                .filter(|&v| !g.has_value(st, v) && g.vars[v as usize].count > 1)
        };
        if is_list && let Some(tl) = fresh(self, st, args[1]) {
            // The frequent lists need no write mode of their own.
            if let Some(h) = fresh(self, st, args[0]).filter(|&h| h != tl) {
                let a = self.register_for(st, h)?;
                let b = self.register_for(st, tl)?;
                self.emit(word(Op::GetListVars, r, a, b));
                self.allocated += 2;
                return Ok(());
            }
            if let Some(a) = self.var_of(args[0]).and_then(|h| st.x[h as usize]) {
                let b = self.register_for(st, tl)?;
                self.emit(word(Op::GetListValueVar, r, a, b));
                self.allocated += 2;
                return Ok(());
            }
        }
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
                    if self.has_value(st, v) {
                        self.unify_known(v, i, st);
                    } else if self.vars[v as usize].count > 1 {
                        let s = self.register_for(st, v)?;
                        self.emit(word(Op::UnifyVar, s, i, 0));
                    }
                    continue;
                }
                let c = t.deref();
                if c.is_immediate() {
                    self.emit(word(Op::UnifyConst, 0, i, 0));
                    self.emit(c.0);
                } else {
                    let s = self.allocate(st, None)?;
                    self.emit(word(Op::UnifyVar, s, i, 0));
                    nested.push((s, t));
                }
            }
            for (s, t) in nested {
                self.get(s, t, st)?;
                // The temporary may have become a variable's register only through a hint, which it never equals.
                self.release(st, s);
            }
        }
        self.place(back);
        self.allocated += size(t, MAX_BUILD);
        self.pending_writes.push(PendingWrite {
            register: r,
            term: t,
            entry,
            back,
            before,
            after: st.x.clone(),
        });
        Ok(())
    }

    /// Unifies argument `i` of the structure that is read with a variable that has a value.
    fn unify_known(&mut self, v: Var, i: u16, st: &State) {
        match (st.x[v as usize], st.y[v as usize]) {
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
        for mut w in std::mem::take(&mut self.pending_writes) {
            self.place(w.entry);
            self.build(w.term, w.register, true, &mut w.before, Some(&w.after))?;
            self.emit_label(Op::Jump, 0, w.back);
        }
        Ok(())
    }

    /// Puts a term that is not a known variable into register `r`.
    pub fn put(&mut self, t: TermRef<'a>, r: u16, st: &mut State) -> Result<(), CompileError> {
        let c = t.deref();
        if c.is_immediate() {
            self.emit(word(Op::PutConst, r, 0, 0));
            self.emit(c.0);
            Ok(())
        } else if compound(t).is_some() && self.buildable(t) {
            self.allocated += size(t, MAX_BUILD);
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
        after: Option<&[Option<u16>]>,
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
                    && !self.has_value(st, v)
                    && self.vars[v as usize].count == 1
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
                    if c.is_immediate() {
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
        after: Option<&[Option<u16>]>,
    ) -> Result<(), CompileError> {
        match (st.x[v as usize], st.y[v as usize]) {
            (Some(s), _) => self.emit(word(Op::PushX, s, 0, 0)),
            (None, Some(y)) => self.emit(word(Op::PushY, y, 0, 0)),
            (None, None) => {
                let s = match after {
                    Some(after) => {
                        let s = after[v as usize].ok_or(CompileError::TooLarge)?;
                        st.x[v as usize] = Some(s);
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
        let mut b = RecordBuilder::new();
        let mut vars: Vec<(Var, Cell)> = Vec::new();
        let term = self.record_of(t, &mut b, &mut vars);
        let mut args = vec![term];
        args.extend(vars.iter().map(|&(_, c)| c));
        let root = if vars.is_empty() {
            term
        } else {
            b.structure(Functor::new(atoms::RESUME, args.len()), &args)
        };
        let record = Box::new(b.finish(root));
        self.emit(word(Op::PutRecord, r, 0, 0));
        self.emit(std::ptr::from_ref(&*record) as u64);
        self.records.push(record);
        if vars.is_empty() {
            return Ok(());
        }
        // Take it apart: S is at the fresh structure.
        let never = self.new_label();
        self.emit_label(Op::GetStruct, r, never);
        self.emit(Functor::new(atoms::RESUME, args.len()).bits());
        for (i, (v, _)) in vars.into_iter().enumerate() {
            let i = u16::try_from(i + 1).map_err(|_| CompileError::TooLarge)?;
            if self.has_value(st, v) {
                self.unify_known(v, i, st);
            } else if self.vars[v as usize].count > 1 {
                let s = self.register_for(st, v)?;
                self.emit(word(Op::UnifyVar, s, i, 0));
            }
        }
        self.emit(word(Op::UnifyVar, r, 0, 0));
        Ok(())
    }

    /// Copies a term into a record builder, bottom-up with a work list; variables are collected.
    fn record_of(
        &self,
        t: TermRef<'a>,
        b: &mut RecordBuilder,
        vars: &mut Vec<(Var, Cell)>,
    ) -> Cell {
        enum Step<'a> {
            Visit(TermRef<'a>),
            Build(Functor),
        }
        let mut known: rustc_hash::FxHashMap<Var, Cell> = rustc_hash::FxHashMap::default();
        let mut work = vec![Step::Visit(t)];
        let mut done: Vec<Cell> = Vec::new();
        while let Some(step) = work.pop() {
            match step {
                Step::Build(f) => {
                    let at = done.len() - f.arity();
                    let args: Vec<Cell> = done.split_off(at);
                    done.push(if f == Functor::new(atoms::DOT, 2) {
                        b.list_cell(args[0], args[1])
                    } else {
                        b.structure(f, &args)
                    });
                }
                Step::Visit(t) => {
                    if let Some(v) = self.var_of(t) {
                        let c = *known.entry(v).or_insert_with(|| {
                            let c = b.variable();
                            vars.push((v, c));
                            c
                        });
                        done.push(c);
                        continue;
                    }
                    match t.view() {
                        View::Str(s) => done.push(b.string(s)),
                        View::Float(_) | View::Number(_) => {
                            if let Some(n) = t.number() {
                                done.push(b.number(&n));
                            }
                        }
                        _ => match compound(t) {
                            Some((f, args)) => {
                                work.push(Step::Build(f));
                                work.extend(args.into_iter().rev().map(Step::Visit));
                            }
                            None => done.push(t.deref()),
                        },
                    }
                }
            }
        }
        done.pop().unwrap_or(Cell::NIL)
    }

    /// `a = b`.
    pub fn unify(
        &mut self,
        a: TermRef<'a>,
        b: TermRef<'a>,
        st: &mut State,
        at: u32,
    ) -> Result<(), CompileError> {
        let mut work = vec![(a, b)];
        while let Some((a, b)) = work.pop() {
            match (self.var_of(a), self.var_of(b)) {
                (Some(v), Some(w)) => {
                    if v == w {
                        continue;
                    }
                    let (v, w) = if self.has_value(st, v) {
                        (v, w)
                    } else {
                        (w, v)
                    };
                    let r = self.in_register(st, v)?;
                    if self.has_value(st, w) {
                        let s = self.in_register(st, w)?;
                        self.emit(word(Op::GetValue, r, s, 0));
                    } else if self.vars[w as usize].count > 1 {
                        let s = self.register_for(st, w)?;
                        self.emit(word(Op::Move, s, r, 0));
                    }
                }
                (Some(v), None) | (None, Some(v)) => {
                    let t = if self.var_of(a).is_some() { b } else { a };
                    if self.has_value(st, v) {
                        let r = self.in_register(st, v)?;
                        self.get(r, t, st)?;
                    } else if self.vars[v as usize].count > 1 && self.live_or_in(v, at, t) {
                        if self.occurs_in(v, t) {
                            // X = f(X): the variable must exist first.
                            let r = self.in_register(st, v)?;
                            self.get(r, t, st)?;
                        } else {
                            let r = self.allocate(st, self.hint(st, v))?;
                            self.put(t, r, st)?;
                            st.x[v as usize] = Some(r);
                        }
                    }
                }
                (None, None) => match (compound(a), compound(b)) {
                    (Some((f, x)), Some((g, y))) if f == g => {
                        work.extend(x.into_iter().zip(y).rev());
                    }
                    (None, None)
                        if samite_term::order::compare(a, b) == std::cmp::Ordering::Equal => {}
                    _ => match self.on_fail {
                        Some(l) => self.emit_label(Op::Jump, 0, l),
                        None => self.emit(word(Op::Fail, 0, 0, 0)),
                    },
                },
            }
        }
        Ok(())
    }

    fn hint(&self, st: &State, v: Var) -> Option<u16> {
        if st.called {
            None
        } else {
            self.hints.get(&v).copied()
        }
    }

    /// A new variable unified with a term is worth building if it is used later.
    fn live_or_in(&self, v: Var, at: u32, t: TermRef) -> bool {
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
