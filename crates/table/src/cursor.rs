//! Reading rows one after the other, however they are kept: in arrays ([`crate::rows`]), as the bits that they have in a rectangle ([`crate::seen`]), or shared ([`crate::frozen`]).
//!
//! Each has a type of its own, so that a loop over rows is compiled for it. A cursor is at a row, and is to be used as long as the frame is there and nobody has tried to add something to it
//! (rows are moved to make room before it is seen that one is there already: [`Array::is_recent`]).

use crate::frame::FramePtr;
use crate::frozen::{self, Frozen};
use crate::node::AnswerPtr;
use crate::rows::View;
use crate::seen::{Bits, SIDES};

/// See the module text.
pub trait Cursor {
    /// How many tokens the row has.
    fn width(&self) -> usize;
    /// One of them, from 0.
    fn token(&self, k: usize) -> u64;
    /// The handle of the row.
    fn answer(&self) -> AnswerPtr;
    /// Goes on to the row behind it; false: there is none.
    fn advance(&mut self) -> bool;
}

/// A cursor of the kind that a frame has.
pub enum Rows {
    Array(Array),
    Bits(OfBits),
    Shared(Shared),
}

/// In an array.
pub struct Array {
    view: View,
    number: usize,
    count: usize,
}

/// Bits in a rectangle.
pub struct OfBits {
    bits: Bits,
    number: usize,
    tokens: [u64; SIDES],
    width: usize,
}

/// Shared rows of few tokens.
pub struct Shared {
    /// Those of an import of the frame.
    rows: *const Frozen,
    number: usize,
    tokens: [u64; SIDES],
    width: usize,
}

impl FramePtr {
    /// At an answer of this frame, if it is a row; of shared ones, a short one.
    #[inline(always)]
    pub fn rows_from(self, answer: AnswerPtr) -> Option<Rows> {
        let number = answer.number()?;
        if self.has_bits() {
            let (bits, width) = (self.bits()?, self.width());
            return Some(Rows::Bits(OfBits {
                bits,
                number,
                tokens: bits.tokens(number),
                width,
            }));
        }
        if let Some(rows) = self.frozen() {
            // SAFETY: liveness: the answers are those of an import of this frame.
            let (tokens, width) = unsafe { (*rows).few_tokens_of(number) }?;
            return Some(Rows::Shared(Shared {
                rows,
                number,
                tokens,
                width,
            }));
        }
        self.array_from(answer).map(Rows::Array)
    }

    /// The same where they are in arrays of the frame's own.
    #[inline]
    pub fn array_from(self, answer: AnswerPtr) -> Option<Array> {
        if !self.has_rows() || self.has_bits() {
            return None;
        }
        Some(Array {
            view: View::of(self),
            number: answer.number()?,
            count: self.answer_count(),
        })
    }
}

impl Array {
    /// Whether the cursor, which was made of this frame, can still be used: nothing has been added since, nor have rows been moved or changed their form.
    #[inline]
    pub fn is_recent(&self, frame: FramePtr) -> bool {
        self.count == frame.answer_count() && !frame.has_bits() && self.view.is_recent(frame)
    }
}

impl Cursor for Array {
    #[inline]
    fn width(&self) -> usize {
        self.view.width
    }
    #[inline]
    fn token(&self, k: usize) -> u64 {
        self.view.token(self.number, k)
    }
    #[inline]
    fn answer(&self) -> AnswerPtr {
        frozen::handle(self.number)
    }
    #[inline]
    fn advance(&mut self) -> bool {
        let more = self.number + 1 < self.count;
        self.number += usize::from(more);
        more
    }
}

impl Cursor for OfBits {
    #[inline]
    fn width(&self) -> usize {
        self.width
    }
    #[inline]
    fn token(&self, k: usize) -> u64 {
        self.tokens[k]
    }
    #[inline]
    fn answer(&self) -> AnswerPtr {
        frozen::handle(self.number)
    }
    #[inline]
    fn advance(&mut self) -> bool {
        let Some(next) = self.bits.next(self.number + 1) else {
            return false;
        };
        let apart = next - self.number;
        self.tokens = self.bits.tokens_after(self.tokens, apart, next);
        self.number = next;
        true
    }
}

impl Cursor for Shared {
    #[inline]
    fn width(&self) -> usize {
        self.width
    }
    #[inline]
    fn token(&self, k: usize) -> u64 {
        self.tokens[k]
    }
    #[inline]
    fn answer(&self) -> AnswerPtr {
        frozen::handle(self.number)
    }
    #[inline]
    fn advance(&mut self) -> bool {
        // SAFETY: they are there as long as the frame has them.
        let rows = unsafe { &*self.rows };
        if self.number + 1 >= rows.count() {
            return false;
        }
        let Some((tokens, _)) = rows.few_tokens_of(self.number + 1) else {
            return false;
        };
        (self.tokens, self.number) = (tokens, self.number + 1);
        true
    }
}
