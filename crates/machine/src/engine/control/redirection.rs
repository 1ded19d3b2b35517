//! Redirected output: `'$output_of'(Goal, Column, Text)`, `'$output_to'(Goal, Stream)`.
//!
//! A goal is run once with current output somewhere else. The redirection belongs to a choicepoint `Redirected` and ends with it: when it is
//! backtracked to, when an exception passes it ([`super::exceptions`]), or when the goal has succeeded, whose choicepoints go with it. It takes
//! no goal and no memory to end it, and there is no safe point between its beginning or its end and that of the choicepoint. So
//!
//! ```text
//! redirected.len()  =  number of `Redirected` choicepoints  =  buffers of these that are open + redirections to streams
//! ```
//!
//! and whatever interrupts the goal finds output where it was.

use crate::engine::going::Go;
use crate::engine::services::services;
use crate::engine::worker::{Args, Worker};
use crate::error::Throw;
use crate::state::choice::Choice;
use crate::state::internal::{Internal, cells, code};
use crate::state::streams::Redirection;
use samite_code::Predicate;
use samite_stream::{Stream, StreamId, Unrepresentable};
use samite_term::{Cell, View, common, growth};

impl Worker {
    /// `'$output_of'/3`, where output goes to a text that starts at a column (or `Column-Highest`: for what has no character above that one; or
    /// `like(Column, Highest, How)`, where characters above that one are written so), and `'$output_to'/2`.
    pub(in crate::engine) fn redirect(&mut self, p: &'static Predicate) -> Result<Go, Throw> {
        let goal = self.register(0);
        let into_text = p.arity() == 3;
        let (text, stream) = if into_text {
            let (column, highest, how) = match self.ctx().view(Args(0), 1).view() {
                View::Compound(c) => {
                    let code = c.arg(1).deref().small_value();
                    let highest = u32::try_from(code).ok().and_then(char::from_u32);
                    let how = (c.arity() == 3).then(|| c.arg(2).as_atom()).flatten();
                    let how = how.and_then(|how| Unrepresentable::from_name(how.as_str()));
                    (c.arg(0).deref().small_value(), highest, how)
                }
                _ => (self.ctx().int_arg(Args(0), 1)?, None, None),
            };
            self.room_to_go_on(Stream::BYTES, common::RESERVE / 2)?;
            let mut stream = Stream::to_limited_buffer(self.thread.memory_limit);
            stream.set_line_position(u32::try_from(column).unwrap_or(0));
            stream.set_highest(highest.unwrap_or(char::MAX));
            stream.set_unrepresentable(how.unwrap_or(Unrepresentable::Error));
            (self.register(2), Ok(stream))
        } else {
            (Cell::NIL, Err((services().output)(self.ctx(), Args(0), 1)?))
        };
        growth::have(&mut self.thread.io.redirected, 1)?;
        self.push_alternative(cells::Redirected {})?;
        let (id, buffer) = match stream {
            Ok(stream) => {
                let id = self.program.streams.add(stream);
                (id, Some(id))
            }
            Err(id) => (id, None),
        };
        self.thread.io.redirections += 1;
        let number = self.thread.io.redirections;
        let before = std::mem::replace(&mut self.thread.io.current_output, id);
        self.thread.io.redirected.push(Redirection {
            number,
            buffer,
            before,
        });
        self.push(cells::RedirectedExit {
            choicepoint: self.choices.offset(self.b),
            number: Cell::small(number as i64),
            text,
        })?;
        let module = self.thread.modules.typein.get();
        self.call_goal(goal, module)
    }

    /// The goal of the redirection succeeded whose choicepoint this is; `again` is its frame.
    pub(in crate::engine) fn redirected_exit(
        &mut self,
        c: Choice,
        number: Cell,
        text: Cell,
        again: *mut Cell,
    ) -> Result<Go, Throw> {
        let number = number.small_value() as u64;
        if self
            .thread
            .io
            .redirected
            .last()
            .is_none_or(|r| r.number != number)
        {
            // A continuation captured by tabling comes back when the redirection is over.
            return Err(self.incomplete_error("collect"));
        }
        if let Some(go) = self.cut_before(c, again)? {
            return Ok(go);
        }
        self.cut(c.previous());
        let into_text = self
            .thread
            .io
            .redirected
            .last()
            .is_some_and(|r| r.buffer.is_some());
        let written = self.end_redirection();
        if !into_text {
            return Ok(Go::Proceed);
        }
        let written = self.heap.string(&written)?;
        Ok(if self.unify(text, written) {
            Go::Proceed
        } else {
            Go::Fail
        })
    }

    /// The choicepoint of the newest redirection is about to go: output goes where it went before. What was written to its buffer, if there is
    /// one and the goal has not closed it. (Taken from it: the stream itself may be kept a while by who used it last.)
    pub(in crate::engine) fn end_redirection(&mut self) -> String {
        let Some(r) = self.thread.io.redirected.pop() else {
            return String::new();
        };
        self.thread.io.current_output = r.before;
        let Some(id) = r.buffer else {
            return String::new();
        };
        if self.thread.io.current_input == id {
            self.thread.io.current_input = self.standard_stream(true);
        }
        match self.program.streams.remove(id) {
            Some(buffer) => buffer.lock().take_buffer(),
            None => String::new(),
        }
    }

    /// All choicepoints go.
    pub(in crate::engine) fn end_redirections(&mut self) {
        while !self.thread.io.redirected.is_empty() {
            self.end_redirection();
        }
    }

    /// Checks the invariant of this file, with that of the heap.
    pub(in crate::engine) fn verify_redirections(&self) {
        let (mut n, mut b) = (0, self.b);
        while !b.is_null() {
            n += usize::from(b.alternative() == code(Internal::Redirected));
            b = b.previous();
        }
        assert_eq!(
            n,
            self.thread.io.redirected.len(),
            "redirections and their choicepoints"
        );
    }

    /// A stream is closed: output does not go back to it.
    pub(crate) fn forget_output(&mut self, id: StreamId) {
        let standard = self.standard_stream(false);
        for r in &mut self.thread.io.redirected {
            if r.before == id {
                r.before = standard;
            }
        }
        if self.thread.io.current_output == id {
            self.thread.io.current_output = standard;
        }
    }
}
