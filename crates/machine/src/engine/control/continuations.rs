//! Delimited continuations: `reset/3`, `shift/1`, `call_continuation/1`, after Schrijvers, Demoen, Desouter and Wielemaker, "Delimited
//! Continuations for Prolog" (ICLP 2013).
//!
//! `shift/1` makes the frames between K and the innermost `ResetExit` whose ball unifies a term:
//!
//! ```text
//! call_continuation([Part, ...])      the innermost first
//! Part    '$cont$'(ResumePoint, Slot, ...)      a frame
//!         call(Goal)                            a goal that was interrupted before it began; a catch/3 with what is left of its goal
//! ```
//!
//! and goes on behind the reset. Nothing is left: choicepoints stay where they are, as do the cleanup handlers that wait in them.
//! A frame of `findall/3`, of a table, of a transaction, of redirected output, or of a goal that runs for an event or a handler belongs to who made it, and cannot be
//! captured: for `shift/1` there is no `reset/3` behind one.
//!
//! A frame refers to choicepoints that may be gone when the continuation is called: it cuts to what is the newest one then.
//!
//! *Invariant*: what is made a frame is what a frame of its resume point holds ([`crate::state::resume_points`]), whatever a program has done with the
//! term in between.

use crate::engine::going::Go;
use crate::engine::worker::{Pc, Worker};
use crate::error::Throw;
use crate::state::choice::{is_marked_gone, is_offset, marked_gone};
use crate::state::frame::{resume_of, slots_of};
use crate::state::internal::{Internal, cells, code, of_number};
use crate::state::resume_points::SlotKind;
use samite_code::Predicate;
use samite_code::instr::{self, Op, op};
use samite_term::{Atom, Cell, Functor, Handle, HandleKind, Kind, Tag, atoms, growth};

/// Frames in slots of frames in slots: more than the compiler makes, so what has more was made by hand.
const NESTED: usize = 8;

/// A frame of the chain that `shift/1` goes through.
enum Link {
    /// It goes on, in code or in a control construct.
    Frame,
    /// What is inside is inside a `catch/3`.
    Catch,
    /// A goal to be entered.
    Goal,
    Reset,
    /// It is the way out of what stays.
    Passed,
    /// Nothing gets through.
    Wall,
}

fn part() -> Atom {
    Atom::new("$cont$")
}

/// What a frame is to `shift/1`.
///
/// # Safety
/// It is a frame.
unsafe fn link(f: *mut Cell) -> Link {
    // SAFETY: what a frame resumes at is code.
    let at = unsafe { resume_of(*f) };
    // SAFETY: as above.
    let w = unsafe { *at };
    if op(w) != Op::Internal {
        return Link::Frame;
    }
    match of_number(instr::a(w)) {
        Internal::Conjunction
        | Internal::Then
        | Internal::SoftThen
        | Internal::NotFail
        | Internal::OnceExit
        | Internal::LimitedExit
        | Internal::DepthExit
        | Internal::Context
        | Internal::Deeper => Link::Frame,
        Internal::CatchExit => Link::Catch,
        Internal::Interrupted => Link::Goal,
        Internal::ResetExit => Link::Reset,
        Internal::CleanupExit | Internal::DetExit => Link::Passed,
        _ => Link::Wall,
    }
}

/// A frame's parent.
///
/// # Safety
/// It is a frame.
unsafe fn parent(f: *mut Cell) -> *mut Cell {
    // SAFETY: promised by the caller.
    unsafe { (*f.add(1)).frame() }
}

impl Worker {
    /// `reset/3`: the continuation is a frame that ends it.
    pub(super) fn reset_continuation(&mut self) -> Result<Go, Throw> {
        let goal = self.register(0);
        let (ball, continuation) = (self.register(1), self.register(2));
        self.push(cells::ResetExit { ball, continuation })?;
        self.call_goal(goal, self.thread.modules.typein.get())
    }

    /// The goal of a `reset/3` has exited.
    pub(super) fn reset_exit(&mut self, continuation: Cell) -> Go {
        if self.unify(continuation, Cell::ZERO) {
            Go::Proceed
        } else {
            Go::Fail
        }
    }

    /// `shift/1`, `shift_for_copy/1`.
    pub(super) fn shift(&mut self, p: &'static Predicate) -> Result<Go, Throw> {
        let ball = self.register(0);
        let Some(reset) = self.reset_for(ball) else {
            let t = self.existence_error("reset", ball);
            return Err(self.add_context(t, p));
        };
        let term = self.captured(reset)?;
        // SAFETY: a frame [ball, continuation].
        unsafe {
            let continuation = *reset.add(3);
            self.k = parent(reset);
            Ok(if self.unify(continuation, term) {
                Go::Proceed
            } else {
                Go::Fail
            })
        }
    }

    /// The frame of the innermost `reset/3` whose ball unifies with this one, which is done.
    fn reset_for(&mut self, ball: Cell) -> Option<*mut Cell> {
        let mut f = self.k;
        while !f.is_null() {
            // SAFETY: K is a chain of frames.
            unsafe {
                match link(f) {
                    Link::Reset if self.unify_or_undo(*f.add(2), ball) => return Some(f),
                    Link::Wall => return None,
                    _ => f = parent(f),
                }
            }
        }
        None
    }

    /// The frames between K and that of a `reset/3`, as a term to be called.
    fn captured(&mut self, reset: *mut Cell) -> Result<Cell, Throw> {
        let mut parts = Vec::new();
        let mut f = self.k;
        while f != reset {
            // SAFETY: K is a chain of frames.
            unsafe {
                match link(f) {
                    Link::Catch => {
                        let inside = self.continuation(&parts)?;
                        let catch = self.structure("catch", &[inside, *f.add(3), *f.add(4)])?;
                        parts.clear();
                        growth::push(&mut parts, self.structure("call", &[catch])?)?;
                    }
                    Link::Goal => {
                        let goal = self.frozen_goal(f)?;
                        growth::push(&mut parts, self.structure("call", &[goal])?)?;
                    }
                    Link::Passed => self.look_no_more(f),
                    _ => growth::push(&mut parts, self.part_of(f)?)?,
                }
                f = parent(f);
            }
        }
        self.continuation(&parts)
    }

    /// `call_continuation(Parts)`.
    fn continuation(&mut self, parts: &[Cell]) -> Result<Cell, Throw> {
        let list = self.heap.list(parts, Cell::NIL)?;
        self.structure("call_continuation", &[list])
    }

    /// The goal of a frame made by [`Worker::freeze`](super::safe_points).
    ///
    /// # Safety
    /// It is one.
    unsafe fn frozen_goal(&mut self, f: *mut Cell) -> Result<Cell, Throw> {
        // SAFETY: promised by the caller; predicates live as long as the process.
        let (p, args) = unsafe {
            let p: &'static Predicate = &*((*f.add(2)).small_value() as *const Predicate);
            let args: Vec<Cell> = (0..p.arity()).map(|i| *f.add(3 + i)).collect();
            (p, args)
        };
        let goal = if args.is_empty() {
            Cell::atom(p.name())
        } else {
            self.heap
                .structure(Functor::new(p.name(), args.len()), &args)?
        };
        self.structure(":", &[Cell::atom(p.module()), goal])
    }

    /// A frame as a term.
    ///
    /// # Safety
    /// It is a frame that goes on in code, in a control construct, or behind a `reset/3`.
    unsafe fn part_of(&mut self, f: *mut Cell) -> Result<Cell, Throw> {
        // SAFETY: promised by the caller.
        let (address, n) = unsafe { (resume_of(*f) as usize, slots_of(*f)) };
        let mut kinds = Vec::with_capacity(n);
        let mut args = Vec::with_capacity(n + 1);
        args.push(Cell::ZERO);
        for i in 0..n {
            // SAFETY: the frame has so many slots.
            let slot = unsafe { *f.add(2 + i) };
            let (kind, arg) = if is_offset(slot) || is_marked_gone(slot) {
                (SlotKind::Choicepoint, marked_gone(slot))
            } else if !slot.is_hdr() {
                (SlotKind::Term, slot)
            } else if slot.frame().is_null() {
                (SlotKind::NoFrame, Cell::NIL)
            } else {
                // What is read of a clause's frame while it waits inside of itself.
                assert_eq!(slot.kind(), Kind::FramePtr);
                // SAFETY: a pointer to a frame.
                (SlotKind::Frame, unsafe { self.part_of(slot.frame())? })
            };
            kinds.push(kind);
            args.push(arg);
        }
        // (The lock is not held while waiting for the other.)
        let known = self.program.resume_points.read().find(address, &kinds);
        let number = match known {
            Some(n) => n,
            None => {
                let mut points = self.program.resume_points.write();
                let n = points.add(address, kinds)?;
                if cfg!(debug_assertions) {
                    points.verify();
                }
                n
            }
        };
        args[0] = Cell::of_handle(Handle::new(HandleKind::ResumePoint, number as u64));
        Ok(self
            .heap
            .structure(Functor::new(part(), args.len()), &args)?)
    }

    /// `call_continuation(Parts)`: the continuation becomes theirs, and this one behind them.
    pub(super) fn call_continuation(&mut self) -> Result<Go, Throw> {
        let list = self.register(0);
        // SAFETY: nothing is collected or undone while the views are used.
        let (items, end) = unsafe { self.term(list) }.list_items();
        let parts = growth::list(items.into_iter().map(|t| t.cell()))?;
        let end = end.deref();
        if end != Cell::NIL {
            return Err(self.type_error("list", list_or(end, list)));
        }
        let barrier = self.choices.offset(self.b);
        let mut k = self.k;
        for &part in parts.iter().rev() {
            k = self.frame_of(part, k, barrier, 0)?;
        }
        self.k = k;
        Ok(Go::Proceed)
    }

    /// The frame that a part of a continuation is, with the given parent. `depth`: of frames that hold it in a slot.
    fn frame_of(
        &mut self,
        part_term: Cell,
        parent: *mut Cell,
        barrier: Cell,
        depth: usize,
    ) -> Result<*mut Cell, Throw> {
        let t = self.deref(part_term);
        if t.is_ref() {
            return Err(self.instantiation_error());
        }
        let wrong = |m: &mut Worker| m.type_error("continuation", t);
        if t.tag() != Tag::Str {
            return Err(wrong(self));
        }
        // SAFETY: a structure of this heap; nothing is collected here.
        let functor = Functor::from_cell(unsafe { *t.ptr() });
        let args: Vec<Cell> = (0..functor.arity())
            .map(|i| self.deref(Cell::to(Tag::Ref, t.ptr().wrapping_add(1 + i))))
            .collect();
        if functor == Functor::new(atoms::CALL, 1) {
            let module = Cell::atom(self.thread.modules.typein.get());
            let slots = &[t, barrier, module];
            return self.make_frame(code(Internal::Conjunction), parent, slots);
        }
        let handle = args.first().and_then(|a| a.handle());
        let Some(handle) =
            handle.filter(|h| functor.name() == part() && h.kind() == HandleKind::ResumePoint)
        else {
            return Err(wrong(self));
        };
        // (Nothing is locked while the frames in its slots are made.)
        let point = self.program.resume_points.read().get(handle.number());
        let Some(point) = point.filter(|p| p.slots.len() + 1 == args.len() && depth < NESTED)
        else {
            return Err(wrong(self));
        };
        let mut slots = Vec::with_capacity(args.len());
        for (&kind, &arg) in point.slots.iter().zip(&args[1..]) {
            slots.push(match kind {
                SlotKind::Choicepoint => marked_gone(barrier),
                SlotKind::Term => arg,
                SlotKind::NoFrame => Cell::frame_ptr(std::ptr::null_mut()),
                SlotKind::Frame => {
                    Cell::frame_ptr(self.frame_of(arg, parent, barrier, depth + 1)?)
                }
            });
        }
        let resume = point.address as Pc;
        if !is_sound(resume, &slots) {
            return Err(wrong(self));
        }
        self.make_frame(resume, parent, &slots)
    }
}

/// What is no list: a variable, if it ends in one.
fn list_or(end: Cell, list: Cell) -> Cell {
    if end.is_ref() { end } else { list }
}

/// Whether a frame's slots are what the machine's own code takes for granted.
fn is_sound(resume: Pc, slots: &[Cell]) -> bool {
    // SAFETY: the address of a resume point.
    let w = unsafe { *resume };
    if op(w) != Op::Internal {
        return true;
    }
    match of_number(instr::a(w)) {
        Internal::Conjunction | Internal::Then | Internal::SoftThen => {
            slots.last().is_some_and(|m| m.is_atom())
        }
        _ => true,
    }
}
