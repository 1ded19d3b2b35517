//! The dispatch loop.
//!
//! `pc`, `h`, `k`, `e` and `s` live in local variables while the loop runs; everything that is called with `&mut self` finds
//! `H` and `K` in the machine (`save!`) and may have changed them when it comes back (`load!`). Nothing here recurses on the native
//! stack: control predicates set up continuations and choicepoints and return an address to go on from.
//!
//! SAFETY of the whole loop: code words come from the compiler of `samite-code`, so registers are below `REGISTERS`, slots
//! inside the frame, constants are immediate cells, and labels stay inside the clause. Terms in registers are terms of this heap.
//! Cells pushed at `h` between two safe points are fewer than the margin that safe points keep free.

use crate::choice::{Choice, Saved};
use crate::error::{Res, Throw};
use crate::internal::{Internal, code};
use crate::machine::{Args, Machine, Outcome, frame_header, resume_of};
use samite_code::index::{self, Switch};
use samite_code::instr::{self, Op, SLOT};
use samite_code::predicate::{LIST_KEY, Predicate, flag};
use samite_heap::unify::{boxes_equal, unify};
use samite_term::view::deref;
use samite_term::{Cell, Functor, Kind, Record, Tag, order};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A deterministic builtin.
pub type Builtin = fn(&mut Machine, Args) -> Res;

/// One solution of a nondeterministic builtin.
#[derive(Debug)]
pub enum Step {
    /// No (more) solutions.
    Fail,
    /// The last solution.
    Last,
    /// A solution; call again with this state for the next one.
    More(Cell),
}

/// A nondeterministic builtin: `None` at the first call, then the state it returned.
pub type Nondet = fn(&mut Machine, Args, Option<Cell>) -> Result<Step, Throw>;

/// Where the loop goes next.
#[derive(Debug)]
pub enum Go {
    /// Run the code here.
    Code(*const u64),
    /// Enter a predicate: its arguments are in the registers. A safe point.
    Enter(&'static Predicate),
    /// Return to the continuation.
    Proceed,
    /// Backtrack.
    Fail,
    /// Leave the loop.
    Stop(Outcome),
}

impl Machine {
    /// The first solution of the query that was started.
    pub fn first_solution(&mut self) -> Outcome {
        let goal = self.register(0);
        let r = self.call_goal(goal, self.typein);
        self.run(r)
    }
    /// The next solution of a query whose last outcome was `True(true)`.
    pub fn next_solution(&mut self) -> Outcome {
        self.run(Ok(Go::Fail))
    }

    /// The dispatch loop; see the module text.
    fn run(&mut self, start: Result<Go, Throw>) -> Outcome {
        let x = self.x;
        let mut pc: *const u64;
        let mut h: *mut Cell;
        let mut k: *mut Cell;
        let mut e: *mut Cell = std::ptr::null_mut();
        let mut s: *mut Cell = std::ptr::null_mut();
        let limit = self.attention.limit_address().cast::<AtomicUsize>();
        let mut go = start;

        macro_rules! save {
            () => {
                self.heap.h = h;
                self.k = k;
            };
        }
        macro_rules! load {
            () => {
                h = self.heap.h;
                k = self.k;
            };
        }
        macro_rules! x {
            ($i:expr) => {
                *register(x, $i)
            };
        }
        macro_rules! slot {
            ($i:expr) => {
                *register(e, 2 + $i)
            };
        }
        macro_rules! push {
            ($c:expr) => {
                let cell: Cell = $c;
                *register(h, 0) = cell;
                h = h.wrapping_add(1);
            };
        }
        macro_rules! word {
            ($i:expr) => {
                code_word(pc, $i)
            };
        }

        'outer: loop {
            // Something outside of the inner loop decided where to go.
            match go {
                Ok(Go::Code(p)) => {
                    pc = p;
                    load!();
                }
                Ok(Go::Enter(p)) => {
                    load!();
                    self.inferences += 1;
                    self.b0 = self.b;
                    // SAFETY: the limit word lives as long as the thread.
                    if h as usize > unsafe { (*limit).load(Ordering::Relaxed) } {
                        save!();
                        match self.safe_point(p) {
                            Ok(Some(next)) => {
                                go = Ok(next);
                                continue 'outer;
                            }
                            Ok(None) => {
                                load!();
                            }
                            Err(t) => {
                                go = Err(t);
                                continue 'outer;
                            }
                        }
                        self.b0 = self.b;
                    }
                    pc = p.entry();
                }
                Ok(Go::Proceed) => {
                    load!();
                    // SAFETY: K is a frame; at the bottom of every query there is one.
                    unsafe {
                        e = k;
                        pc = resume_of(*k);
                        k = (*k.add(1)).frame();
                    }
                }
                Ok(Go::Fail) => {
                    pc = self.backtrack();
                    load!();
                }
                Ok(Go::Stop(outcome)) => return outcome,
                Err(t) => {
                    go = self.unwind(t);
                    continue 'outer;
                }
            }

            'inner: loop {
                let w = word!(0);
                match instr::op(w) {
                    // --- control ---
                    Op::Proceed => {
                        // SAFETY: the limit word lives as long as the thread.
                        if h as usize > unsafe { (*limit).load(Ordering::Relaxed) } {
                            save!();
                            if let Err(t) = self.return_point() {
                                go = Err(t);
                                continue 'outer;
                            }
                            load!();
                        }
                        // SAFETY: K is a frame.
                        unsafe {
                            e = k;
                            pc = resume_of(*k);
                            k = (*k.add(1)).frame();
                        }
                    }
                    Op::Execute => {
                        // SAFETY: the operand is a predicate, which lives for ever.
                        let p: &'static Predicate = unsafe { &*(word!(1) as *const Predicate) };
                        self.inferences += 1;
                        self.b0 = self.b;
                        // SAFETY: the limit word lives as long as the thread.
                        if h as usize > unsafe { (*limit).load(Ordering::Relaxed) } {
                            save!();
                            match self.safe_point(p) {
                                Ok(None) => {
                                    load!();
                                    self.b0 = self.b;
                                }
                                Ok(Some(next)) => {
                                    go = Ok(next);
                                    continue 'outer;
                                }
                                Err(t) => {
                                    go = Err(t);
                                    continue 'outer;
                                }
                            }
                        }
                        pc = p.entry();
                    }
                    Op::MakeFrame => {
                        let n = instr::a(w);
                        // SAFETY: see the module text.
                        unsafe {
                            let resume = pc.offset(instr::label(w));
                            // The frame just returned to can be used again if it is ours alone: newer than the newest
                            // choicepoint and not captured since. The compiler allows it where nothing reads the old slots later.
                            if w & instr::REUSE != 0
                                && e >= self.heap.hb
                                && e < h
                                && (*e).0 >> 52 == n as u64
                            {
                                let mut values = [Cell::ZERO; instr::MAX_REUSE];
                                for (i, v) in values[..n].iter_mut().enumerate() {
                                    let r = (word!(1 + i / 4) >> (16 * (i % 4))) as u16;
                                    *v = if r & SLOT != 0 {
                                        *e.add(2 + (r & !SLOT) as usize)
                                    } else {
                                        *x.add(r as usize)
                                    };
                                }
                                *e = frame_header(resume, n);
                                for (i, v) in values[..n].iter().enumerate() {
                                    *e.add(2 + i) = *v;
                                }
                                k = e;
                                pc = pc.add(1 + n.div_ceil(4));
                                continue 'inner;
                            }
                            let f = h;
                            *f = frame_header(resume, n);
                            *f.add(1) = Cell::frame_ptr(k);
                            let mut i = 0;
                            let mut at = 1;
                            while i < n {
                                let mut four = word!(at);
                                at += 1;
                                let end = n.min(i + 4);
                                while i < end {
                                    let r = four as u16;
                                    four >>= 16;
                                    *f.add(2 + i) = if r & SLOT != 0 {
                                        *e.add(2 + (r & !SLOT) as usize)
                                    } else {
                                        *x.add(r as usize)
                                    };
                                    i += 1;
                                }
                            }
                            h = f.add(2 + n);
                            k = f;
                            pc = pc.add(at);
                        }
                    }
                    Op::Jump => {
                        // SAFETY: see the module text.
                        pc = unsafe { pc.offset(instr::label(w)) };
                    }
                    Op::Fail => {
                        pc = self.backtrack();
                        load!();
                    }
                    Op::TryElse => {
                        let n = instr::a(w);
                        // SAFETY: see the module text.
                        let alternative = unsafe { pc.offset(instr::label(w)) };
                        let saved = Saved {
                            alternative,
                            top: h,
                            trail: self.heap.trail.top(),
                            frame: k,
                            barrier: self.b0,
                        };
                        let Some(c) = self.choices.push(self.b, n, saved) else {
                            save!();
                            go = Err(Throw::Memory);
                            continue 'outer;
                        };
                        for i in 0..n {
                            let r = (word!(1 + i / 4) >> (16 * (i % 4))) as u16;
                            // SAFETY: the choicepoint has `n` arguments.
                            unsafe { *c.arg(i) = x!(r as usize) };
                        }
                        self.b = c;
                        self.heap.hb = h;
                        // SAFETY: see the module text.
                        pc = unsafe { pc.add(1 + n.div_ceil(4)) };
                    }
                    Op::RetryElse | Op::TrustElse => {
                        let n = instr::a(w);
                        let c = self.b;
                        for i in 0..n {
                            let r = (word!(1 + i / 4) >> (16 * (i % 4))) as u16;
                            x!(r as usize) = c.arg_value(i);
                        }
                        self.b0 = c.barrier();
                        if instr::op(w) == Op::RetryElse {
                            // SAFETY: see the module text.
                            c.set_alternative(unsafe { pc.offset(instr::label(w)) });
                        } else {
                            self.set_b(c.previous());
                        }
                        // SAFETY: see the module text.
                        pc = unsafe { pc.add(1 + n.div_ceil(4)) };
                    }
                    Op::CutNeck => {
                        let to = self.b0;
                        if self.b != to {
                            self.cut(to);
                        }
                        // SAFETY: see the module text.
                        pc = unsafe { pc.add(1) };
                    }
                    Op::GetB0 => {
                        x!(instr::a(w)) = self.choices.offset(self.b0);
                        // SAFETY: see the module text.
                        pc = unsafe { pc.add(1) };
                    }
                    Op::SaveB => {
                        x!(instr::a(w)) = self.choices.offset(self.b);
                        // SAFETY: see the module text.
                        pc = unsafe { pc.add(1) };
                    }
                    Op::CutX | Op::CutY => {
                        let c = if instr::op(w) == Op::CutX {
                            x!(instr::a(w))
                        } else {
                            slot!(instr::a(w))
                        };
                        let to = self.choices.at(c);
                        if self.b != to {
                            self.cut(to);
                        }
                        // SAFETY: see the module text.
                        pc = unsafe { pc.add(1) };
                    }
                    Op::SoftCutX | Op::SoftCutY => {
                        let c = if instr::op(w) == Op::SoftCutX {
                            x!(instr::a(w))
                        } else {
                            slot!(instr::a(w))
                        };
                        let c = self.choices.at(c);
                        self.soft_cut(c);
                        // SAFETY: see the module text.
                        pc = unsafe { pc.add(1) };
                    }

                    // --- clause selection ---
                    Op::Try => {
                        let n = instr::a(w);
                        let saved = Saved {
                            // SAFETY: see the module text.
                            alternative: unsafe { pc.add(2) },
                            top: h,
                            trail: self.heap.trail.top(),
                            frame: k,
                            barrier: self.b0,
                        };
                        let Some(c) = self.choices.push(self.b, n, saved) else {
                            save!();
                            go = Err(Throw::Memory);
                            continue 'outer;
                        };
                        for i in 0..n {
                            // SAFETY: the choicepoint has `n` arguments.
                            unsafe { *c.arg(i) = x!(i) };
                        }
                        self.b = c;
                        self.heap.hb = h;
                        pc = word!(1) as *const u64;
                    }
                    Op::Retry => {
                        let c = self.b;
                        for i in 0..instr::a(w) {
                            x!(i) = c.arg_value(i);
                        }
                        self.b0 = c.barrier();
                        // SAFETY: see the module text.
                        c.set_alternative(unsafe { pc.add(2) });
                        pc = word!(1) as *const u64;
                    }
                    Op::Trust => {
                        let c = self.b;
                        for i in 0..instr::a(w) {
                            x!(i) = c.arg_value(i);
                        }
                        self.b0 = c.barrier();
                        self.set_b(c.previous());
                        pc = word!(1) as *const u64;
                    }
                    Op::Switch => {
                        // SAFETY: the operand is a switch, which lives for ever.
                        let switch: &'static Switch = unsafe { &*(word!(1) as *const Switch) };
                        // SAFETY: see the module text.
                        let c = unsafe { deref(x!(0)) };
                        x!(0) = c;
                        pc = match c.tag() {
                            Tag::Lst => switch.list,
                            Tag::Ref => switch.variable,
                            Tag::Int | Tag::Con => switch.get(c.0),
                            // SAFETY: a structure starts with its functor.
                            Tag::Str => switch.get(unsafe { (*c.ptr()).0 }),
                            _ => switch.get(samite_code::predicate::BOX_KEY),
                        };
                    }
                    Op::Link => {
                        // SAFETY: the operand is a predicate, which lives for ever.
                        let p: &'static Predicate = unsafe { &*(word!(1) as *const Predicate) };
                        index::link(p);
                        pc = p.entry();
                    }
                    Op::Dynamic => {
                        // SAFETY: the operand is a predicate, which lives for ever.
                        let p: &'static Predicate = unsafe { &*(word!(1) as *const Predicate) };
                        save!();
                        match self.enter_dynamic(p) {
                            Ok(Some(code)) => {
                                pc = code;
                                load!();
                            }
                            Ok(None) => {
                                pc = self.backtrack();
                                load!();
                            }
                            Err(t) => {
                                go = Err(t);
                                continue 'outer;
                            }
                        }
                    }
                    Op::DynamicNext => {
                        save!();
                        match self.next_dynamic() {
                            Ok(code) => {
                                pc = code;
                                load!();
                            }
                            Err(t) => {
                                go = Err(t);
                                continue 'outer;
                            }
                        }
                    }
                    Op::Undefined => {
                        // SAFETY: the operand is a predicate, which lives for ever.
                        let p: &'static Predicate = unsafe { &*(word!(1) as *const Predicate) };
                        save!();
                        go = self.undefined(p);
                        continue 'outer;
                    }
                    Op::Builtin => {
                        // SAFETY: the operand is a predicate with a builtin's function (see `builtins::register`).
                        let (p, f) = unsafe {
                            let p: &'static Predicate = &*(word!(1) as *const Predicate);
                            let f = p.function.load(Ordering::Relaxed);
                            (p, std::mem::transmute::<usize, Builtin>(f))
                        };
                        save!();
                        match f(self, Args(0)) {
                            Ok(true) => {
                                load!();
                                // SAFETY: K is a frame.
                                unsafe {
                                    e = k;
                                    pc = resume_of(*k);
                                    k = (*k.add(1)).frame();
                                }
                            }
                            Ok(false) => {
                                pc = self.backtrack();
                                load!();
                            }
                            Err(Throw::Interrupted) => {
                                go = self.interrupted(p);
                                continue 'outer;
                            }
                            Err(t) => {
                                go = Err(self.add_context(t, p));
                                continue 'outer;
                            }
                        }
                    }
                    Op::Inline => {
                        // SAFETY: the operand is a predicate with a builtin's function.
                        let (p, f) = unsafe {
                            let p: &'static Predicate = &*(word!(1) as *const Predicate);
                            let f = p.function.load(Ordering::Relaxed);
                            (p, std::mem::transmute::<usize, Builtin>(f))
                        };
                        save!();
                        match f(self, Args(instr::b(w))) {
                            Ok(true) => {
                                load!();
                                // SAFETY: see the module text.
                                pc = unsafe { pc.add(2) };
                            }
                            Ok(false) => {
                                pc = self.backtrack();
                                load!();
                            }
                            Err(t) => {
                                go = Err(self.add_context(t, p));
                                continue 'outer;
                            }
                        }
                    }
                    Op::Nondet => {
                        // SAFETY: the operand is a predicate, which lives for ever.
                        let p: &'static Predicate = unsafe { &*(word!(1) as *const Predicate) };
                        save!();
                        // SAFETY: the alternative follows in the same code (see `builtins::register`).
                        go = self.nondet(p, unsafe { pc.add(2) }, None);
                        continue 'outer;
                    }
                    Op::NondetNext => {
                        // SAFETY: the operand is a predicate, which lives for ever.
                        let p: &'static Predicate = unsafe { &*(word!(1) as *const Predicate) };
                        save!();
                        let b = self.b;
                        let n = b.size() - 1;
                        for i in 0..n {
                            x!(i) = b.arg_value(i);
                        }
                        self.b0 = b.barrier();
                        go = self.nondet(p, pc, Some(b.arg_value(n)));
                        continue 'outer;
                    }
                    Op::Control => {
                        // SAFETY: the operand is a predicate, which lives for ever.
                        let p: &'static Predicate = unsafe { &*(word!(1) as *const Predicate) };
                        save!();
                        go = self.control(instr::a(w), p);
                        if go.is_err() {
                            go = go.map_err(|t| self.add_context(t, p));
                        }
                        continue 'outer;
                    }
                    Op::Tabled => {
                        // SAFETY: the operand is a predicate, which lives for ever.
                        let p: &'static Predicate = unsafe { &*(word!(1) as *const Predicate) };
                        save!();
                        go = self.enter_tabled(p);
                        continue 'outer;
                    }
                    Op::Internal => {
                        save!();
                        go = self.internal(crate::internal::of_number(instr::a(w)), e);
                        continue 'outer;
                    }

                    // --- head and unification ---
                    Op::GetConst => {
                        // SAFETY: see the module text.
                        unsafe {
                            let c = deref(x!(instr::a(w)));
                            let v = Cell(word!(1));
                            if c == v {
                                pc = pc.add(2);
                            } else if c.is_ref() {
                                self.heap.bind(c.ptr(), v);
                                pc = pc.add(2);
                            } else {
                                pc = self.backtrack();
                                load!();
                            }
                        }
                    }
                    Op::GetStruct => {
                        // SAFETY: see the module text.
                        unsafe {
                            let c = deref(x!(instr::a(w)));
                            if c.tag() == Tag::Str && (*c.ptr()).0 == word!(1) {
                                s = c.ptr().add(1);
                                pc = pc.add(2);
                            } else if c.is_ref() {
                                x!(instr::a(w)) = c;
                                pc = pc.offset(instr::label(w));
                            } else {
                                pc = self.backtrack();
                                load!();
                            }
                        }
                    }
                    Op::GetList => {
                        // SAFETY: see the module text.
                        unsafe {
                            let c = deref(x!(instr::a(w)));
                            if c.tag() == Tag::Lst {
                                s = c.ptr();
                                pc = pc.add(1);
                            } else if c.is_ref() {
                                x!(instr::a(w)) = c;
                                pc = pc.offset(instr::label(w));
                            } else {
                                pc = self.backtrack();
                                load!();
                            }
                        }
                    }
                    Op::GetListVars => {
                        // SAFETY: see the module text.
                        unsafe {
                            let c = deref(x!(instr::a(w)));
                            if c.tag() == Tag::Lst {
                                let p = c.ptr();
                                x!(instr::b(w)) = *p;
                                x!(instr::c(w)) = *p.add(1);
                                pc = pc.add(1);
                            } else if c.is_ref() {
                                self.heap.bind(c.ptr(), Cell::to(Tag::Lst, h));
                                let (head, tail) =
                                    (Cell::to(Tag::Ref, h), Cell::to(Tag::Ref, h.add(1)));
                                push!(head);
                                push!(tail);
                                x!(instr::b(w)) = head;
                                x!(instr::c(w)) = tail;
                                pc = pc.add(1);
                            } else {
                                pc = self.backtrack();
                                load!();
                            }
                        }
                    }
                    Op::GetListValueVar => {
                        // SAFETY: see the module text.
                        unsafe {
                            let c = deref(x!(instr::a(w)));
                            if c.is_ref() {
                                let head = x!(instr::b(w));
                                self.heap.bind(c.ptr(), Cell::to(Tag::Lst, h));
                                let tail = Cell::to(Tag::Ref, h.add(1));
                                push!(head);
                                push!(tail);
                                x!(instr::c(w)) = tail;
                                pc = pc.add(1);
                            } else if c.tag() == Tag::Lst && {
                                let p = c.ptr();
                                let same = self.unify_quick(*p, x!(instr::b(w)));
                                x!(instr::c(w)) = *p.add(1);
                                same
                            } {
                                pc = pc.add(1);
                            } else {
                                pc = self.backtrack();
                                load!();
                            }
                        }
                    }
                    Op::GetValue | Op::GetValueY => {
                        let a = x!(instr::a(w));
                        let b = if instr::op(w) == Op::GetValue {
                            x!(instr::b(w))
                        } else {
                            slot!(instr::b(w))
                        };
                        // SAFETY: see the module text.
                        if unsafe { self.unify_quick(a, b) } {
                            // SAFETY: see the module text.
                            pc = unsafe { pc.add(1) };
                        } else {
                            pc = self.backtrack();
                            load!();
                        }
                    }
                    Op::UnifyVar => {
                        // SAFETY: see the module text.
                        unsafe {
                            x!(instr::a(w)) = *s;
                            s = s.add(1);
                            pc = pc.add(1);
                        }
                    }
                    Op::UnifyValue | Op::UnifyValueY => {
                        let b = if instr::op(w) == Op::UnifyValue {
                            x!(instr::a(w))
                        } else {
                            slot!(instr::a(w))
                        };
                        // SAFETY: see the module text.
                        unsafe {
                            if self.unify_quick(*s, b) {
                                s = s.add(1);
                                pc = pc.add(1);
                            } else {
                                pc = self.backtrack();
                                load!();
                            }
                        }
                    }
                    Op::UnifyConst => {
                        // SAFETY: see the module text.
                        unsafe {
                            let c = deref(*s);
                            let v = Cell(word!(1));
                            if c == v {
                                s = s.add(1);
                                pc = pc.add(2);
                            } else if c.is_ref() {
                                self.heap.bind(c.ptr(), v);
                                s = s.add(1);
                                pc = pc.add(2);
                            } else {
                                pc = self.backtrack();
                                load!();
                            }
                        }
                    }
                    Op::UnifyVoid => {
                        // SAFETY: see the module text.
                        unsafe {
                            s = s.add(instr::a(w));
                            pc = pc.add(1);
                        }
                    }
                    Op::BindStruct => {
                        // SAFETY: see the module text.
                        unsafe {
                            self.heap.bind(x!(instr::a(w)).ptr(), Cell::to(Tag::Str, h));
                            push!(Cell(word!(1)));
                            pc = pc.add(2);
                        }
                    }
                    Op::BindList => {
                        // SAFETY: see the module text.
                        unsafe {
                            self.heap.bind(x!(instr::a(w)).ptr(), Cell::to(Tag::Lst, h));
                            pc = pc.add(1);
                        }
                    }

                    // --- building ---
                    Op::PutStruct => {
                        x!(instr::a(w)) = Cell::to(Tag::Str, h);
                        push!(Cell(word!(1)));
                        // SAFETY: see the module text.
                        pc = unsafe { pc.add(2) };
                    }
                    Op::PutList => {
                        x!(instr::a(w)) = Cell::to(Tag::Lst, h);
                        // SAFETY: see the module text.
                        pc = unsafe { pc.add(1) };
                    }
                    Op::PushX => {
                        push!(x!(instr::a(w)));
                        // SAFETY: see the module text.
                        pc = unsafe { pc.add(1) };
                    }
                    Op::PushY => {
                        push!(slot!(instr::a(w)));
                        // SAFETY: see the module text.
                        pc = unsafe { pc.add(1) };
                    }
                    Op::PushConst | Op::PushFunctor => {
                        push!(Cell(word!(1)));
                        // SAFETY: see the module text.
                        pc = unsafe { pc.add(2) };
                    }
                    Op::PushVar => {
                        let v = Cell::to(Tag::Ref, h);
                        x!(instr::a(w)) = v;
                        push!(v);
                        // SAFETY: see the module text.
                        pc = unsafe { pc.add(1) };
                    }
                    Op::PushVoid => {
                        for _ in 0..instr::a(w) {
                            push!(Cell::to(Tag::Ref, h));
                        }
                        // SAFETY: see the module text.
                        pc = unsafe { pc.add(1) };
                    }
                    Op::PushPointer => {
                        let target = h.wrapping_offset(instr::label(w));
                        push!(Cell(target as u64 | instr::a(w) as u64));
                        // SAFETY: see the module text.
                        pc = unsafe { pc.add(1) };
                    }
                    Op::PutVar => {
                        let v = Cell::to(Tag::Ref, h);
                        x!(instr::a(w)) = v;
                        push!(v);
                        // SAFETY: see the module text.
                        pc = unsafe { pc.add(1) };
                    }
                    Op::PutConst => {
                        x!(instr::a(w)) = Cell(word!(1));
                        // SAFETY: see the module text.
                        pc = unsafe { pc.add(2) };
                    }
                    Op::PutRecord => {
                        // SAFETY: the operand is a record of the clause's code block.
                        let r = unsafe { &*(word!(1) as *const Record) };
                        save!();
                        match self.heap.instantiate(r) {
                            Ok(c) => x!(instr::a(w)) = c,
                            Err(_) => {
                                go = Err(Throw::Memory);
                                continue 'outer;
                            }
                        }
                        load!();
                        // SAFETY: see the module text.
                        pc = unsafe { pc.add(2) };
                    }
                    Op::Move => {
                        x!(instr::a(w)) = x!(instr::b(w));
                        // SAFETY: see the module text.
                        pc = unsafe { pc.add(1) };
                    }
                    Op::Load => {
                        x!(instr::a(w)) = slot!(instr::b(w));
                        // SAFETY: see the module text.
                        pc = unsafe { pc.add(1) };
                    }

                    // --- tests ---
                    Op::TestVar
                    | Op::TestNonvar
                    | Op::TestAtom
                    | Op::TestInteger
                    | Op::TestFloat
                    | Op::TestNumber
                    | Op::TestAtomic
                    | Op::TestCompound
                    | Op::TestCallable
                    | Op::TestString => {
                        // SAFETY: see the module text.
                        let c = unsafe { deref(x!(instr::a(w))) };
                        if type_test(instr::op(w), c) {
                            // SAFETY: see the module text.
                            pc = unsafe { pc.add(1) };
                        } else if instr::label(w) != 0 {
                            // SAFETY: see the module text.
                            pc = unsafe { pc.offset(instr::label(w)) };
                        } else {
                            pc = self.backtrack();
                            load!();
                        }
                    }
                    Op::TestIdentical | Op::TestNotIdentical | Op::TestNotUnifiable => {
                        let (a, b) = (x!(instr::a(w)), x!(instr::b(w)));
                        let holds = match instr::op(w) {
                            Op::TestIdentical => self.identical(a, b),
                            Op::TestNotIdentical => !self.identical(a, b),
                            _ => {
                                save!();
                                !self.unifiable(a, b)
                            }
                        };
                        let l = instr::label(word!(1));
                        if holds {
                            // SAFETY: see the module text.
                            pc = unsafe { pc.add(2) };
                        } else if l != 0 {
                            // SAFETY: see the module text.
                            pc = unsafe { pc.offset(l) };
                        } else {
                            pc = self.backtrack();
                            load!();
                        }
                    }

                    // --- arithmetic ---
                    Op::AddImm => {
                        // SAFETY: see the module text.
                        let c = unsafe { deref(x!(instr::b(w))) };
                        let v = instr::c(w) as u16 as i16 as i64;
                        if c.is_small()
                            && let Some(r) = Cell::try_small(c.small_value() + v)
                        {
                            x!(instr::a(w)) = r;
                        } else {
                            save!();
                            match self.arithmetic(Op::Add, c, Cell::small(v)) {
                                Ok(r) => x!(instr::a(w)) = r,
                                Err(t) => {
                                    go = Err(t);
                                    continue 'outer;
                                }
                            }
                            load!();
                        }
                        // SAFETY: see the module text.
                        pc = unsafe { pc.add(1) };
                    }
                    Op::Add
                    | Op::Sub
                    | Op::Mul
                    | Op::IntDiv
                    | Op::Mod
                    | Op::Rem
                    | Op::BitAnd
                    | Op::BitOr
                    | Op::Shl
                    | Op::Shr
                    | Op::Min
                    | Op::Max => {
                        // SAFETY: see the module text.
                        let (a, b) = unsafe { (deref(x!(instr::b(w))), deref(x!(instr::c(w)))) };
                        let quick = if a.is_small() && b.is_small() {
                            small_operation(instr::op(w), a.small_value(), b.small_value())
                        } else {
                            None
                        };
                        match quick {
                            Some(r) => x!(instr::a(w)) = r,
                            None => {
                                save!();
                                match self.arithmetic(instr::op(w), a, b) {
                                    Ok(r) => x!(instr::a(w)) = r,
                                    Err(t) => {
                                        go = Err(t);
                                        continue 'outer;
                                    }
                                }
                                load!();
                            }
                        }
                        // SAFETY: see the module text.
                        pc = unsafe { pc.add(1) };
                    }
                    Op::Neg | Op::Evaluate | Op::Function1 | Op::Function2 => {
                        save!();
                        let a = instr::a(w);
                        let r = match instr::op(w) {
                            Op::Evaluate => self.evaluate_cell(x!(a)),
                            Op::Neg => self.negate(x!(instr::b(w))),
                            Op::Function1 => self.function1(word!(1) as u16, x!(instr::b(w))),
                            _ => self.function2(word!(1) as u16, x!(instr::b(w)), x!(instr::c(w))),
                        };
                        match r {
                            Ok(v) => x!(a) = v,
                            Err(t) => {
                                go = Err(t);
                                continue 'outer;
                            }
                        }
                        load!();
                        let two = matches!(instr::op(w), Op::Function1 | Op::Function2);
                        // SAFETY: see the module text.
                        pc = unsafe { pc.add(1 + usize::from(two)) };
                    }
                    Op::CmpEq | Op::CmpNe | Op::CmpLt | Op::CmpLe | Op::CmpGt | Op::CmpGe => {
                        // SAFETY: see the module text.
                        let (a, b) = unsafe { (deref(x!(instr::a(w))), deref(x!(instr::b(w)))) };
                        let holds = if a.is_small() && b.is_small() {
                            let (a, b) = (a.0 as i64, b.0 as i64);
                            match instr::op(w) {
                                Op::CmpEq => a == b,
                                Op::CmpNe => a != b,
                                Op::CmpLt => a < b,
                                Op::CmpLe => a <= b,
                                Op::CmpGt => a > b,
                                _ => a >= b,
                            }
                        } else {
                            save!();
                            match self.compare_values(instr::op(w), a, b) {
                                Ok(holds) => {
                                    load!();
                                    holds
                                }
                                Err(t) => {
                                    go = Err(t);
                                    continue 'outer;
                                }
                            }
                        };
                        if holds {
                            // SAFETY: see the module text.
                            pc = unsafe { pc.add(2) };
                        } else {
                            let l = instr::label(word!(1));
                            if l != 0 {
                                // SAFETY: see the module text.
                                pc = unsafe { pc.offset(l) };
                            } else {
                                pc = self.backtrack();
                                load!();
                            }
                        }
                    }
                }
            }
        }
    }

    /// Unification with the frequent cases first.
    ///
    /// # Safety
    /// Both are terms of this heap.
    #[inline(always)]
    unsafe fn unify_quick(&mut self, a: Cell, b: Cell) -> bool {
        // SAFETY: promised by the caller.
        unsafe {
            let (a, b) = (deref(a), deref(b));
            if a == b {
                return true;
            }
            if a.is_immediate() && b.is_immediate() {
                return false;
            }
            unify(&mut self.heap, a, b)
        }
    }

    /// Goes back to the newest choicepoint: undoes bindings, restores `H` and `K`; returns its alternative.
    #[inline(always)]
    pub(crate) fn backtrack(&mut self) -> *const u64 {
        let c = self.b;
        // SAFETY: the height was saved with the state that is being restored.
        unsafe { self.heap.trail.undo(c.trail()) };
        self.heap.reset_to(c.top());
        self.heap.hb = self.heap.h;
        self.k = c.frame();
        c.alternative()
    }

    /// A call of a nondeterministic builtin, the first (`state` is `None`) or a later one, whose choicepoint is the newest.
    ///
    /// The first call runs with everything older than now trailed, so that a choicepoint for the state before it can still be
    /// pushed when it turns out to have more solutions.
    fn nondet(
        &mut self,
        p: &'static Predicate,
        next: *const u64,
        state: Option<Cell>,
    ) -> Result<Go, Throw> {
        // SAFETY: registered as a nondeterministic builtin.
        let f = unsafe { std::mem::transmute::<usize, Nondet>(p.function.load(Ordering::Relaxed)) };
        if state.is_some() {
            return self.nondet_again(p, f, state);
        }
        let n = p.arity();
        let (h, trail, hb) = (self.heap.h, self.heap.trail.top(), self.heap.hb);
        self.heap.hb = h;
        let step = f(self, Args(0), None);
        if let Ok(Step::More(state)) = step {
            let saved = Saved {
                alternative: next,
                top: h,
                trail,
                frame: self.k,
                barrier: self.b0,
            };
            let Some(c) = self.choices.push(self.b, n + 1, saved) else {
                return Err(Throw::Memory);
            };
            for i in 0..n {
                // SAFETY: the choicepoint has `n + 1` arguments.
                unsafe { *c.arg(i) = self.register(i) };
            }
            // SAFETY: as above.
            unsafe { *c.arg(n) = state };
            self.set_b(c);
            return Ok(Go::Proceed);
        }
        self.heap.hb = hb;
        match step {
            Ok(Step::Fail) => Ok(Go::Fail),
            Ok(_) => Ok(Go::Proceed),
            Err(Throw::Interrupted) => self.interrupted(p),
            Err(t) => Err(self.add_context(t, p)),
        }
    }

    fn nondet_again(
        &mut self,
        p: &'static Predicate,
        f: Nondet,
        state: Option<Cell>,
    ) -> Result<Go, Throw> {
        let n = p.arity();
        let b = self.b;
        match f(self, Args(0), state) {
            Ok(Step::More(state)) => {
                // A choicepoint that a collection has scanned gets a new term: it must be scanned again.
                if b.is_scanned() && !state.is_immediate() {
                    self.unscan();
                }
                // SAFETY: the choicepoint has `n + 1` arguments.
                unsafe { *b.arg(n) = state };
                Ok(Go::Proceed)
            }
            Ok(Step::Last) => {
                self.pop_choice();
                Ok(Go::Proceed)
            }
            Ok(Step::Fail) => {
                self.pop_choice();
                Ok(Go::Fail)
            }
            Err(Throw::Interrupted) => {
                self.pop_choice();
                self.interrupted(p)
            }
            Err(t) => {
                self.pop_choice();
                Err(self.add_context(t, p))
            }
        }
    }

    /// Clears the scanned bit of the newest choicepoint, which now refers to newer terms.
    fn unscan(&mut self) {
        self.b.clear_scanned();
    }

    /// Whether two terms are identical.
    #[inline]
    pub(crate) fn identical(&self, a: Cell, b: Cell) -> bool {
        let (a, b) = (self.deref(a), self.deref(b));
        if a == b {
            return true;
        }
        match (a.tag(), b.tag()) {
            (Tag::Lst, Tag::Lst) | (Tag::Str, Tag::Str) => {
                order::compare(self.term(a), self.term(b)) == std::cmp::Ordering::Equal
            }
            // SAFETY: boxes of this heap.
            (Tag::Box, Tag::Box) => unsafe { boxes_equal(a, b) },
            _ => false,
        }
    }

    /// Whether two terms unify; leaves no bindings.
    pub(crate) fn unifiable(&mut self, a: Cell, b: Cell) -> bool {
        let (da, db) = (self.deref(a), self.deref(b));
        if da == db {
            return true;
        }
        if da.is_ref() || db.is_ref() {
            return true;
        }
        if da.tag() != db.tag() || da.is_immediate() {
            return false;
        }
        // Everything must be trailed to be undone.
        let hb = std::mem::replace(&mut self.heap.hb, self.heap.h);
        let top = self.heap.trail.top();
        let scanned = self.heap.trail.scanned();
        let holds = self.unify(da, db);
        // SAFETY: undoing our own bindings.
        unsafe { self.heap.trail.undo(top) };
        debug_assert!(self.heap.trail.scanned() <= scanned);
        self.heap.hb = hb;
        holds
    }

    /// Cuts back to `to`. Cleanup handlers of choicepoints cut off run at the next safe point.
    pub(crate) fn cut(&mut self, to: Choice) {
        // A barrier kept in a continuation captured by tabling is older than the choicepoint it is resumed under.
        let to = to.max(self.tabling.barrier);
        if to.0 >= self.b.0 {
            return;
        }
        if self.cleanups > 0 {
            self.cut_cleanups(to);
        }
        self.set_b(to);
    }

    /// Turns a choicepoint into a mere failure.
    pub(crate) fn soft_cut(&mut self, c: Choice) {
        if self.b == c {
            self.pop_choice();
        } else if c.0 < self.b.0 && c > self.tabling.barrier {
            c.set_alternative(code(Internal::Dead));
        }
    }

    /// A goal as a view, with functor: for predicates about to be entered.
    pub(crate) fn goal_of(&mut self, p: &Predicate) -> Result<Cell, Throw> {
        let args: Vec<Cell> = (0..p.arity()).map(|i| self.register(i)).collect();
        if args.is_empty() {
            return Ok(Cell::atom(p.name()));
        }
        Ok(self
            .heap
            .structure(Functor::new(p.name(), args.len()), &args)?)
    }

    /// An undefined predicate was called: its definition elsewhere, failure (dynamic or declared), or an error.
    fn undefined(&mut self, p: &'static Predicate) -> Result<Go, Throw> {
        if p.has(flag::DEFINED) {
            return Ok(Go::Fail);
        }
        if let Some(target) = self.shared.program.resolve(p.module, p.functor)
            && !std::ptr::eq(target, p)
        {
            // SAFETY: entry code is at least one word.
            if instr::op(unsafe { *target.entry() }) == Op::Link {
                index::link(target);
            }
            // Libraries do not change once they are loaded: from now on the entry leads straight to them.
            if target.has(flag::LIBRARY | flag::SYSTEM) && !self.loading_system {
                p.set_entry(target.entry());
            }
            return Ok(Go::Code(target.entry()));
        }
        if let Some(go) = self.autoload(p)? {
            return Ok(go);
        }
        if self.unknown_fails() {
            return Ok(Go::Fail);
        }
        let indicator = self.indicator(p.functor)?;
        let culprit =
            if p.module == samite_term::atoms::USER || p.module == samite_term::atoms::SYSTEM {
                indicator
            } else {
                self.structure(":", &[Cell::atom(p.module), indicator])?
            };
        let t = self.existence_error("procedure", culprit);
        Err(self.add_culprit_context(t, indicator))
    }
}

/// Cell `i` of the registers, of a frame, or of the free nursery.
#[inline(always)]
fn register<'r>(base: *mut Cell, i: usize) -> &'r mut Cell {
    // SAFETY: see the module text. Only the loop calls this, one cell at a time.
    unsafe { &mut *base.add(i) }
}

/// Word `i` after `pc`.
#[inline(always)]
fn code_word(pc: *const u64, i: usize) -> u64 {
    // SAFETY: see the module text.
    unsafe { *pc.add(i) }
}

#[inline(always)]
fn small_operation(op: Op, a: i64, b: i64) -> Option<Cell> {
    match op {
        Op::Add => Cell::try_small(a + b),
        Op::Sub => Cell::try_small(a - b),
        Op::Mul => a.checked_mul(b).and_then(Cell::try_small),
        Op::IntDiv if b != 0 => Cell::try_small(a / b),
        Op::Mod if b != 0 => {
            let r = a % b;
            Some(Cell::small(if r != 0 && (r < 0) != (b < 0) {
                r + b
            } else {
                r
            }))
        }
        Op::Rem if b != 0 => Some(Cell::small(a % b)),
        Op::BitAnd => Some(Cell::small(a & b)),
        Op::BitOr => Some(Cell::small(a | b)),
        Op::Shl if (0..60).contains(&b) => {
            let r = a << b;
            if r >> b == a {
                Cell::try_small(r)
            } else {
                None
            }
        }
        Op::Shr if b >= 0 => Some(Cell::small(a >> b.min(63))),
        Op::Min => Some(Cell::small(a.min(b))),
        Op::Max => Some(Cell::small(a.max(b))),
        _ => None,
    }
}

/// Type tests on a dereferenced cell.
#[inline]
pub(crate) fn type_test(op: Op, c: Cell) -> bool {
    // SAFETY: a box starts with its header.
    let box_kind = || unsafe { (*c.ptr()).kind() };
    match op {
        Op::TestVar => c.is_ref(),
        Op::TestNonvar => !c.is_ref(),
        // `[]` is a reserved constant, no atom.
        Op::TestAtom => c.is_atom() && c != Cell::NIL,
        Op::TestInteger => c.is_small() || (c.tag() == Tag::Box && box_kind() == Kind::BigInt),
        Op::TestFloat => c.tag() == Tag::Box && box_kind() == Kind::Float,
        Op::TestNumber => c.is_small() || (c.tag() == Tag::Box && box_kind() != Kind::String),
        Op::TestAtomic => matches!(c.tag(), Tag::Int | Tag::Con | Tag::Box),
        Op::TestCompound => matches!(c.tag(), Tag::Str | Tag::Lst),
        Op::TestCallable => {
            (c.is_atom() && c != Cell::NIL) || matches!(c.tag(), Tag::Str | Tag::Lst)
        }
        _ => c.tag() == Tag::Box && box_kind() == Kind::String,
    }
}

const _: () = assert!(LIST_KEY != 0);
