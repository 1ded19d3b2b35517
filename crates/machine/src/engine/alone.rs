//! Instructions run one at a time, from where goals were woken to where they can run; see [`crate::engine::control::wakeup`].
//!
//! The instruction is copied, with something behind the copy that ends the run of handlers: so handlers need not know of it, whether they jump to the
//! next one or return. Only those are run so that may stand between a binding and the next place ([`instr::builds`]); if another one comes
//! first, a safe point does, too, and what was woken runs there. Safety: see [`crate::engine::ops`].

use crate::engine::going::Go;
use crate::engine::ops::HANDLERS;
use crate::engine::worker::{At, How, Pc, Worker};
use crate::error::Throw;
use samite_code::fuse::plain;
use samite_code::instr::{self, Op, Operand};
use samite_term::{Cell, atoms};

/// The copy of an instruction that is run alone: its words, and where it goes on.
type Copy = [u64; 4];
/// The longest one, and where it goes on if it goes to its label.
const WORDS: usize = 2;
const TO_LABEL: usize = WORDS + 1;

// What may be run alone can be copied, and depends on where it is by its label only: a row that is put among these and is otherwise does not compile.
const _: () = {
    let mut i = 0;
    while i < instr::OPS {
        let w = instr::word(instr::op(i as u64), 0, 0, 0);
        let row = instr::row(instr::op(w));
        let mut o = 0;
        while instr::builds(row.op) && o < row.operands.len() {
            let stays = matches!(row.operands[o], Operand::WayBack | Operand::LabelWord);
            assert!(
                !stays && instr::length(w) <= WORDS && !row.lists(),
                "this row cannot stand between `GetConst` and `Load`: see `instr::builds`"
            );
            o += 1;
        }
        i += 1;
    }
};

impl Worker {
    /// Runs the instruction at hand with its handler, and no other, or the goals before it, if it is a place.
    ///
    /// # Safety
    /// As left by the handler before.
    #[cold]
    pub(in crate::engine) unsafe fn run_alone(&mut self, pc: Pc, h: At, k: At, e: At, how: How) {
        // SAFETY: promised by the caller; words that no handler expects behind a copied instruction end its run.
        unsafe {
            let w = *pc;
            let op = instr::op(w);
            let is_place = how != How::Again && w & instr::PLACE != 0;
            if is_place && (how == How::Straight || self.has_woken_goals()) {
                self.save(h, k);
                let go = self.wake_at(pc, e);
                return self.leave(go);
            }
            if is_place || !instr::builds(op) {
                return HANDLERS[op as usize](self, pc, h, k, e);
            }
            let n = instr::length(w);
            assert!(n <= WORDS, "an instruction too long to be copied");
            let mut copy: Copy = [instr::word(Op::Alone, 0, 0, 0); 4];
            for (i, word) in copy.iter_mut().enumerate().take(WORDS) {
                // (One by one: they are few, and read as words.)
                if i < n {
                    *word = *pc.add(i);
                }
            }
            copy[0] = plain(w);
            let label = match instr::row(op).operands.contains(&Operand::Label) {
                true => instr::label(w),
                false => 0,
            };
            if label != 0 {
                copy[0] = instr::word_label(op, instr::a(w) as u16, TO_LABEL as i32);
            }
            let start: Pc = copy.as_ptr();
            HANDLERS[op as usize](self, start, h, k, e);
            if let Some(next) = &mut self.between {
                // Elsewhere after a failure; the same if it was hindered.
                if next.pc == start {
                    (next.pc, next.how) = (pc, How::Again);
                } else if next.pc == start.add(TO_LABEL) {
                    (next.pc, next.how) = (pc.offset(label), How::Alone);
                } else if next.pc == start.add(n) {
                    (next.pc, next.how) = (pc.add(n), How::Alone);
                }
            }
        }
    }

    /// Calls what was woken, then comes back to the place `pc`.
    ///
    /// # Safety
    /// The registers and `e` are those of the place; `H` and K are saved.
    unsafe fn wake_at(&mut self, pc: Pc, e: At) -> Result<Go, Throw> {
        let goal = match self.take_woken()? {
            Some(goal) => goal,
            // At each place, for tests: what does nothing, at a safe point.
            None => self.structure_on_credit("call", &[Cell::atom(atoms::TRUE)])?,
        };
        // SAFETY: promised by the caller.
        unsafe { self.pause(instr::way_back(pc), e)? };
        self.call_goal(goal, atoms::USER)
    }
}
