//! Counts in finished code what the instructions of a clause allocate between two safe points: the equation of [`super::codegen`].
//! Debug builds do so for every clause; knowing nothing of how the code came about, it would notice a path the generator forgot.

use crate::instr::{self, Op};
use samite_heap::heap::MARGIN;
use std::ops::ControlFlow;

/// Longer code is not checked: branches that meet are looked at again when a longer way there is found.
const MOST_WORDS: usize = 1 << 14;

/// Most words allocated between two safe points, before an instruction to which `visit` is told.
fn walk(code: &[u64], mut visit: impl FnMut(usize) -> ControlFlow<()>) {
    // What was allocated on the longest way to an instruction so far, plus 1.
    let mut before = vec![0usize; code.len()];
    let mut work = vec![(0, 0)];
    while let Some((mut at, mut n)) = work.pop() {
        while before[at] <= n {
            before[at] = n + 1;
            let w = code[at];
            let after = n + instr::pushes(w);
            if visit(after).is_break() {
                return;
            }
            let l = instr::target(code, at);
            let target = at.wrapping_add_signed(l);
            match instr::op(w) {
                Op::Proceed | Op::Execute | Op::Fail | Op::NoRule => break,
                Op::Jump => {
                    at = target;
                    n = after;
                    continue;
                }
                // The clause goes on there when the call has returned.
                Op::MakeFrame => work.push((target, 0)),
                _ if l != 0 => work.push((target, n)),
                _ => {}
            }
            n = after;
            at += instr::length(w);
        }
    }
}

/// Whether the code of a clause allocates at most the margin between two safe points.
pub(super) fn margin_is_kept(code: &[u64]) -> bool {
    let mut kept = true;
    if code.len() <= MOST_WORDS {
        walk(code, |n| {
            kept &= n <= MARGIN;
            if kept {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instr::{word, word_label};

    fn most(code: &[u64]) -> usize {
        let mut most = 0;
        walk(code, |n| {
            most = most.max(n);
            ControlFlow::Continue(())
        });
        most
    }

    #[test]
    fn the_longest_way_counts() {
        let code = [
            word(Op::PutVar, 0, 0, 0),
            word_label(Op::TestVar, 0, 3), // to the second PushVoid
            word(Op::PushVoid, 5, 0, 0),
            word_label(Op::Jump, 0, 2),
            word(Op::PushVoid, 7, 0, 0),
            word(Op::PutVar, 1, 0, 0),
            word_label(Op::MakeFrame, 3, 4),
            0,
            word(Op::Execute, 0, 0, 0),
            0,
            word(Op::PushVoid, 11, 0, 0),
            word(Op::Proceed, 0, 0, 0),
        ];
        assert_eq!(most(&code), 1 + 7 + 1 + 5);
        assert_eq!(most(&code[10..]), 11);
    }
}
