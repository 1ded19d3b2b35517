//! What the code of a clause says of its arguments: the terms that are matched with them, as far as they are known before anything else happens.
//!
//! Head unification stands at the beginning of the code; unifications that begin the body (`p(X) :- X = a, …`) follow, and are taken for the head's. The code is followed
//! once, as far as there is nothing else, by what the registers hold: an argument, a part of one, or a term of the clause's. So it becomes known of these what they are
//! matched with, at any depth.
//!
//! *Equation*: a call that gets past these instructions has at each [`Place`] what is known of it there, or a variable. What is not known for certain is
//! [`Part::Any`].

use super::key::{ANY_KEY, LIST_KEY, Part};
use super::place::{PARTS, Place};
use crate::instr::{self, Op};
use samite_term::{Cell, Functor, Record};

/// Registers with higher numbers hold what is not known.
const REGISTERS: usize = 256;
/// Things in registers: of longer heads the rest is not known.
const MOST: usize = 1024;

/// See the module text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head<'h> {
    /// Arguments first, as they are numbered; then parts of others, those of one structure side by side.
    things: &'h [Thing],
    arity: usize,
}

/// Those of several clauses of a predicate.
#[derive(Debug)]
pub(super) struct Heads {
    things: Vec<Thing>,
    /// Where what there is of each ends.
    ends: Vec<usize>,
    arity: usize,
}

impl Heads {
    /// # Safety
    /// As [`Look::at_code`], of the code of each.
    pub(super) unsafe fn of(
        codes: impl ExactSizeIterator<Item = *const u64>,
        arity: usize,
    ) -> Heads {
        let mut look = Look::default();
        let mut heads = Heads {
            things: Vec::with_capacity(codes.len() * (arity.min(REGISTERS) + 2)),
            ends: Vec::with_capacity(codes.len()),
            arity: arity.min(REGISTERS),
        };
        for code in codes {
            // SAFETY: the caller's promise.
            unsafe { look.at_code(code, arity) };
            heads.things.extend_from_slice(&look.things);
            heads.ends.push(heads.things.len());
        }
        heads
    }
    pub(super) fn get(&self, i: usize) -> Option<Head<'_>> {
        let end = *self.ends.get(i)?;
        let start = i.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(Head {
            things: &self.things[start..end],
            arity: self.arity,
        })
    }
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }
}

/// What is in a register, or in a structure.
#[derive(Clone, Copy, Debug)]
enum Thing {
    Unknown,
    /// It has this key; if it is a structure the first of its parts, as far as these are looked at.
    Is(u64, usize),
    /// A term of the clause's.
    Of(*const Record),
}

/// What is known while the code is followed. The same serves for one clause after the other.
#[derive(Default)]
pub(super) struct Look {
    things: Vec<Thing>,
    /// What registers hold; none: unknown.
    registers: Vec<Option<usize>>,
    /// The structure that S is in, its parts and how many there are.
    s: Option<(usize, usize)>,
}

impl Look {
    /// What the code of a clause says.
    ///
    /// # Safety
    /// `code` is that of a clause of a predicate with so many arguments, and is not freed as long as what is found is used.
    pub(super) unsafe fn at_code(&mut self, code: *const u64, arity: usize) -> Head<'_> {
        let arity = arity.min(REGISTERS);
        self.things.clear();
        self.things.resize(arity, Thing::Unknown);
        self.registers.clear();
        self.registers.extend((0..arity).map(Some));
        self.s = None;
        let mut pc = code;
        // SAFETY: the caller's promise: instruction follows instruction, and the last is none of those that are passed.
        unsafe {
            loop {
                let n = instr::length(*pc);
                let instruction = std::slice::from_raw_parts(pc, n);
                if is_condition(instruction) || self.things.len() > MOST || !self.pass(instruction)
                {
                    break;
                }
                pc = pc.add(n);
            }
        }
        Head {
            things: &self.things,
            arity,
        }
    }
}

impl Head<'_> {
    /// What is known to be at a place.
    pub(super) fn at(&self, place: Place) -> Part {
        let mut at = usize::from(place.argument);
        if at >= self.arity {
            return Part::Any;
        }
        for (depth, step) in place.steps().iter().enumerate() {
            match self.things[at] {
                Thing::Unknown => return Part::Any,
                // SAFETY: promised where it was made: a record of the clause.
                Thing::Of(record) => return unsafe { place.within_record(depth, &*record) },
                Thing::Is(key, parts) => match *step {
                    (functor, i) if functor == key => at = parts + usize::from(i),
                    (ANY_KEY, _) => return Part::Any,
                    _ => return Part::Never,
                },
            }
        }
        match self.things[at] {
            Thing::Unknown => Part::Any,
            Thing::Is(key, _) => Part::of_key(key),
            // SAFETY: as above.
            Thing::Of(record) => unsafe { place.within_record(place.steps().len(), &*record) },
        }
    }
}

/// Whether it is a test of the body that goes on elsewhere than with the next clause: it says nothing of the head's arguments.
fn is_condition(instruction: &[u64]) -> bool {
    let is_test = matches!(
        instr::op(instruction[0]),
        Op::TestIdentical | Op::MatchConst | Op::MatchStruct | Op::MatchList | Op::MatchListVars
    );
    is_test && instr::target(instruction, 0) != 0
}

impl Look {
    /// Passes an instruction; `false`: it is none of those that begin a clause.
    fn pass(&mut self, instruction: &[u64]) -> bool {
        let w = instruction[0];
        let (a, b, c) = (instr::a(w), instr::b(w), instr::c(w));
        match instr::op(w) {
            Op::GetConst | Op::MatchConst => {
                let thing = self.held(a);
                self.is(thing, instruction[1]);
            }
            Op::GetStruct | Op::MatchStruct => self.enter(a, instruction[1]),
            Op::GetList | Op::MatchList => self.enter(a, LIST_KEY),
            Op::GetListVars | Op::MatchListVars => {
                self.enter(a, LIST_KEY);
                self.load(b, 0);
                self.load(c, 1);
                self.s = None;
            }
            Op::GetListValueVar => {
                self.enter(a, LIST_KEY);
                self.unify_part(b, 0);
                self.load(c, 1);
                self.s = None;
            }
            Op::GetValue | Op::TestIdentical => {
                let (one, other) = (self.held(a), self.held(b));
                self.are_equal(one, other);
            }
            // (What a rule does where its head or guard fails is no part of either.)
            Op::GetValueY | Op::UnifyValueY | Op::TryRule => {}
            Op::UnifyValue => self.unify_part(a, b),
            Op::UnifyVar => self.load(a, b),
            Op::UnifyConst => {
                let part = self.part(b);
                self.is(part, instruction[1]);
            }
            Op::PutRecord => {
                let thing = self.add(Thing::Of(instruction[1] as *const Record));
                self.hold(a, thing);
            }
            Op::PutConst => {
                let thing = self.add(Thing::Is(instruction[1], 0));
                self.hold(a, thing);
            }
            Op::Move => {
                let thing = self.held(b);
                self.hold(a, Some(thing));
            }
            Op::GetB0 => self.hold(a, None),
            _ => return false,
        }
        true
    }
    fn add(&mut self, thing: Thing) -> Option<usize> {
        self.things.push(thing);
        Some(self.things.len() - 1)
    }
    /// What a register holds.
    fn held(&mut self, register: usize) -> usize {
        if let Some(&Some(thing)) = self.registers.get(register) {
            return thing;
        }
        let thing = self.add(Thing::Unknown);
        self.hold(register, thing);
        self.things.len() - 1
    }
    /// A register is written.
    fn hold(&mut self, register: usize, thing: Option<usize>) {
        if register < REGISTERS {
            if register >= self.registers.len() {
                self.registers.resize(register + 1, None);
            }
            self.registers[register] = thing;
        }
    }
    /// Part `i` of what S is in.
    fn part(&mut self, i: usize) -> usize {
        match self.s {
            Some((parts, n)) if i < n => parts + i,
            _ => {
                self.things.push(Thing::Unknown);
                self.things.len() - 1
            }
        }
    }
    fn load(&mut self, register: usize, i: usize) {
        let part = self.part(i);
        self.hold(register, Some(part));
    }
    fn unify_part(&mut self, register: usize, i: usize) {
        let (one, other) = (self.held(register), self.part(i));
        self.are_equal(one, other);
    }
    /// A thing is matched with what has this key, and no parts that are known.
    fn is(&mut self, thing: usize, key: u64) {
        if let Thing::Unknown = self.things[thing] {
            self.things[thing] = Thing::Is(key, 0);
        }
    }
    /// What a register holds is matched with a structure, and S is in it.
    fn enter(&mut self, register: usize, functor: u64) {
        let thing = self.held(register);
        let arity = Functor::from_cell(Cell(functor)).arity().min(PARTS);
        self.s = match self.things[thing] {
            Thing::Unknown => {
                let parts = self.things.len();
                self.things.resize(parts + arity, Thing::Unknown);
                self.things[thing] = Thing::Is(functor, parts);
                Some((parts, arity))
            }
            Thing::Is(key, parts) if key == functor => Some((parts, arity)),
            // (Nothing is, or it is known as a whole.)
            Thing::Is(..) | Thing::Of(_) => None,
        };
    }
    /// Two things are unified: what is known of one is known of the other, but for what becomes known later.
    fn are_equal(&mut self, one: usize, other: usize) {
        let things = &mut self.things;
        match (things[one], things[other]) {
            (Thing::Unknown, known) => things[one] = known,
            (known, Thing::Unknown) => things[other] = known,
            _ => {}
        }
    }
}
