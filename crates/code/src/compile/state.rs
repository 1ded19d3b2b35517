//! Where the variables of a clause are while its code is generated, and which registers are in use.
//!
//! Invariants of [`State`] at every point: a variable's value is in a register or in a slot of the frame just left (or both), or it has
//! none yet; a register is in `used` exactly if it holds a variable or a temporary; after a call no register is used and only slots are
//! known. Only variables with a value are listed, so that copying a state costs what is alive, not what the clause has in all.

use super::CompileError;
use super::events::{At, Var};
use crate::instr::REGISTERS;
use samite_heap::heap::MARGIN;

const NONE: u16 = u16::MAX;

/// Where a variable is.
#[derive(Clone, Copy)]
struct Place {
    x: u16,
    y: u16,
}

/// See the module text.
#[derive(Clone)]
pub(super) struct State {
    /// Ordered by variable.
    places: Vec<(Var, Place)>,
    used: Vec<bool>,
    /// No register below, from the temporaries on, is free.
    full: usize,
    /// Lowest register that is no argument of the head or of a call.
    temporaries: usize,
    /// A call may have run since the clause was entered on this path: B0 is lost.
    pub called: bool,
    /// E is the frame of the last call of this clause.
    pub frame: bool,
    /// Words that the instructions on this path, or on another one that leads here, have allocated since the last safe point, at most.
    pub allocated: usize,
}

fn known(r: u16) -> Option<u16> {
    Some(r).filter(|&r| r != NONE)
}

impl State {
    pub fn new(temporaries: u16) -> State {
        State {
            places: Vec::with_capacity(8),
            used: vec![false; temporaries.into()],
            full: temporaries.into(),
            temporaries: temporaries.into(),
            called: false,
            frame: false,
            allocated: 0,
        }
    }

    // --- variables ---

    fn find(&self, v: Var) -> Result<usize, usize> {
        self.places.binary_search_by_key(&v, |&(w, _)| w)
    }
    fn place(&mut self, v: Var) -> &mut Place {
        let i = match self.find(v) {
            Ok(i) => i,
            Err(i) => {
                self.places.insert(i, (v, Place { x: NONE, y: NONE }));
                i
            }
        };
        &mut self.places[i].1
    }
    /// Register of a variable.
    pub fn x(&self, v: Var) -> Option<u16> {
        self.find(v).ok().and_then(|i| known(self.places[i].1.x))
    }
    /// Slot of a variable.
    pub fn y(&self, v: Var) -> Option<u16> {
        self.find(v).ok().and_then(|i| known(self.places[i].1.y))
    }
    pub fn has_value(&self, v: Var) -> bool {
        self.find(v).is_ok()
    }
    pub fn set_x(&mut self, v: Var, r: u16) {
        self.place(v).x = r;
    }
    /// The variable has another value, in this register.
    pub fn move_to(&mut self, v: Var, r: u16) {
        if let Some(old) = self.x(v) {
            self.release(old);
        }
        *self.place(v) = Place { x: r, y: NONE };
    }
    pub fn set_y(&mut self, v: Var, slot: u16) {
        self.place(v).y = slot;
    }
    /// The variables that have a value, in order.
    pub fn variables(&self) -> impl Iterator<Item = Var> + '_ {
        self.places.iter().map(|&(v, _)| v)
    }
    /// Those of them that are in registers, with these.
    pub fn registers(&self) -> impl Iterator<Item = (Var, u16)> + '_ {
        (self.places.iter()).filter_map(|&(v, p)| Some((v, known(p.x)?)))
    }
    /// Number of variables that have a value.
    pub fn alive(&self) -> usize {
        self.places.len()
    }
    /// Forgets the variables that are not to be kept, and frees their registers.
    pub fn retain(&mut self, keep: impl Fn(Var) -> bool) {
        let (used, full) = (&mut self.used, &mut self.full);
        let temporaries = self.temporaries;
        self.places.retain(|&(v, p)| {
            let kept = keep(v);
            if !kept && p.x != NONE {
                used[p.x as usize] = false;
                if usize::from(p.x) >= temporaries {
                    *full = (*full).min(p.x.into());
                }
            }
            kept
        });
    }
    /// Forgets everything but the variables given, which are in the slots of the frame just returned to.
    pub fn returned(&mut self, slots: &[(Var, u16)]) {
        self.places.clear();
        for (i, &(v, _)) in slots.iter().enumerate() {
            self.set_y(v, i as u16);
        }
        self.used.fill(false);
        self.full = self.temporaries;
        self.called = true;
        self.frame = true;
        self.allocated = 0;
    }
    /// The state in which nothing is known but that these variables are in registers.
    pub fn only(&self, registers: &[(Var, u16)], called: bool) -> State {
        let mut s = State::new(self.temporaries as u16);
        s.used.resize(self.used.len(), false);
        s.called = called;
        s.allocated = self.allocated;
        for &(v, r) in registers {
            s.set_x(v, r);
            s.take(r);
        }
        s
    }

    // --- registers ---

    /// Marks a register as used.
    pub fn take(&mut self, r: u16) {
        let r = usize::from(r);
        if self.used.len() <= r {
            self.used.resize(r + 1, false);
        }
        self.used[r] = true;
    }
    pub fn release(&mut self, r: u16) {
        let r = usize::from(r);
        self.used[r] = false;
        if r >= self.temporaries {
            self.full = self.full.min(r);
        }
    }
    pub fn is_used(&self, r: u16) -> bool {
        self.used.get(usize::from(r)).copied().unwrap_or(false)
    }
    /// No register from here on is used, nor one that is an argument.
    pub fn top(&self) -> usize {
        self.used
            .iter()
            .rposition(|&u| u)
            .map_or(0, |r| r + 1)
            .max(self.temporaries)
    }
    /// A free register: `hint` if it is free, else the lowest above the argument registers.
    pub fn allocate(&mut self, hint: Option<u16>) -> Result<u16, CompileError> {
        if let Some(h) = hint
            && !self.is_used(h)
        {
            self.take(h);
            return Ok(h);
        }
        let mut r = self.full;
        while self.used.get(r).copied().unwrap_or(false) {
            r += 1;
        }
        if r >= REGISTERS - 2 {
            return Err(CompileError::TooLarge);
        }
        self.full = r;
        self.take(r as u16);
        Ok(r as u16)
    }

    // --- the margin ---

    /// So many more words are allocated without asking.
    pub fn grow(&mut self, words: usize) -> Result<(), CompileError> {
        self.allocated += words;
        if self.allocated > MARGIN {
            return Err(CompileError::TooLarge);
        }
        Ok(())
    }
}

/// The positions that cannot be reached any more from where we are, although they come later: the other branches of the constructs
/// around. The ranges lie one around the other, the innermost last and first in the clause; what adjoins is joined.
#[derive(Default)]
pub(super) struct Excluded(Vec<Range>);

struct Range {
    from: At,
    to: At,
    /// How many ranges below this one are not part of it.
    below: usize,
}

impl Excluded {
    pub fn push(&mut self, from: At, to: At) {
        let joined = self
            .0
            .last()
            .filter(|r| r.from == to)
            .map(|r| (r.to, r.below));
        let (to, below) = joined.unwrap_or((to, self.0.len()));
        self.0.push(Range { from, to, below });
    }
    pub fn pop(&mut self) {
        self.0.pop();
    }
    /// Whether a variable that occurs at the positions `at` is needed after `p`.
    pub fn is_live(&self, at: &[At], p: At) -> bool {
        let Some(&last) = at.last() else {
            return false;
        };
        if last <= p {
            return false;
        }
        let mut i = at.partition_point(|&q| q <= p);
        let mut n = self.0.len();
        while let Some(&q) = at.get(i) {
            // The innermost range that ends after `q`.
            let Some(r) = n.checked_sub(1).map(|n| &self.0[n]) else {
                return true;
            };
            if q < r.from {
                return true;
            }
            if q < r.to {
                i += at[i..].partition_point(|&q| q < r.to);
            }
            n = r.below;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_another_branch_is_not_live() {
        let mut e = Excluded::default();
        assert!(e.is_live(&[3, 9], 3) && !e.is_live(&[3, 9], 9));
        e.push(20, 30);
        e.push(12, 15);
        e.push(8, 12); // joined to 8..15
        assert!(e.is_live(&[7], 5));
        assert!(!e.is_live(&[8, 11, 12, 14], 5));
        assert!(e.is_live(&[8, 11, 15], 5));
        assert!(!e.is_live(&[11, 20, 29], 5));
        assert!(e.is_live(&[11, 20, 30], 5));
        e.pop();
        assert!(e.is_live(&[8], 5));
        assert!(!e.is_live(&[12], 5));
    }
}
