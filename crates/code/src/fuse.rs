//! Fused instructions: some that often come one after the other are run by one handler.
//!
//! The words stay where they are. Only the number in the lowest byte of the first one becomes that of a handler that does the work of both (or of all
//! three) and goes on behind them. Labels, listings, lengths, the check of the margin and whoever else reads code know nothing of it:
//! [`crate::instr::op`] gives the operation that stood there. A jump to the second instruction finds it, as do what runs instructions one at a time and a handler
//! that has to leave the straight path in between.
//!
//! Which: the rows of [`crate::fusions`], those that the programs of `bench/programs` run most often (superinstructions; Ertl and Gregg, The structure and performance of efficient interpreters,
//! 2003). Invariants: all of the instructions but the last are quiet or do nothing where they are hindered, so that no goal can have been woken between two of them; only the first
//! may be a place ([`crate::instr::PLACE`]).

use crate::instr::{self, FUSED, FUSIONS, OPS, Op};

/// What the number becomes, if it comes before that operation; 0 is nothing.
static BECOMES: [[u8; OPS]; OPS + FUSED] = {
    let mut table = [[0; OPS]; OPS + FUSED];
    let mut i = 0;
    while i < FUSED {
        let (first, next, fused) = FUSIONS[i];
        assert!(first < fused, "rows stand below what they begin with");
        table[first as usize][next as usize] = fused;
        i += 1;
    }
    table
};

/// Words of each operation; with `LISTS` a list follows.
static LENGTHS: [u8; OPS] = {
    let mut table = [0; OPS];
    let mut i = 0;
    while i < OPS {
        let lists = instr::row(instr::op(i as u64)).lists();
        table[i] = instr::length(i as u64) as u8 | if lists { LISTS } else { 0 };
        i += 1;
    }
    table
};
const LISTS: u8 = 1 << 7;

/// Fuses what can be fused in the code of a clause that is complete. Every clause that is compiled passes through here: tables alone are asked.
pub(crate) fn fuse(code: &mut [u64]) {
    // What the next instruction may be fused to: where it is, and its number.
    let (mut first, mut number) = (0, usize::from(Op::Fail as u8));
    let mut at = 0;
    while at < code.len() {
        let w = code[at];
        let op = usize::from(w as u8);
        assert!(op < OPS, "not an instruction, or fused already");
        let becomes = BECOMES[number][op];
        if becomes != 0 && w & instr::PLACE == 0 {
            number = usize::from(becomes);
            code[first] = code[first] & !0xff | number as u64;
        } else {
            (first, number) = (at, op);
        }
        let length = LENGTHS[op];
        at += usize::from(length & !LISTS);
        if length & LISTS != 0 {
            at += instr::list_words(instr::a(w));
        }
    }
}

/// The word as it was before it was fused with others.
pub fn plain(w: u64) -> u64 {
    w & !0xff | instr::op(w) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instr::{Fused, PLACE, word};

    #[test]
    fn the_longest_row_is_taken_and_what_stands_there_is_read_as_before() {
        let moves = [
            word(Op::Move, 1, 2, 0),
            word(Op::Move, 3, 4, 0),
            word(Op::Execute, 0, 0, 0),
            7,
            word(Op::Proceed, 0, 0, 0),
        ];
        let mut code = moves;
        fuse(&mut code);
        assert_eq!(code[0] as u8, Fused::MoveMoveExecute as u8);
        assert_eq!(code[1..], moves[1..]);
        assert_eq!(plain(code[0]), moves[0]);
        assert!(instr::op(code[0]) == Op::Move && instr::length(code[0]) == 1);
    }

    #[test]
    fn a_place_begins_anew() {
        let mut code = [
            word(Op::Move, 1, 2, 0) | PLACE,
            word(Op::Move, 3, 4, 0) | PLACE,
            word(Op::Load, 0, 0, 0),
        ];
        fuse(&mut code);
        assert_eq!(code[0] as u8, Op::Move as u8);
        assert_eq!(code[1] as u8, Fused::MoveLoad as u8);
    }
}
