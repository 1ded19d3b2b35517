//! Edinburgh I/O: `see/1`, `tell/1` and their relatives, which name current input and output by files.
//!
//! As in SWI-Prolog: a file that one of these opened, and that is still open, is meant again by its name; what others opened is not. Opening a
//! file puts what was current aside; `seen/0` and `told/0` close what is current and come back to what was put aside last, if it is still
//! open, else to standard input or output. What is only made current (`set_output/1`, a stream as argument) puts nothing aside.

use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use crate::state::streams::Files;
use samite_stream::{Mode, OpenOptions, Stream, StreamId};
use samite_term::{Cell, atoms, common, growth};

pub const TABLE: &[Entry] = &[
    det("see", 1, |m, a| begin(m, a, Mode::Read)),
    det("tell", 1, |m, a| begin(m, a, Mode::Write)),
    det("append", 1, |m, a| begin(m, a, Mode::Append)),
    det("seeing", 1, |m, a| current(m, a, true)),
    det("telling", 1, |m, a| current(m, a, false)),
    det("seen", 0, |m, _| end(m, true)),
    det("told", 0, |m, _| end(m, false)),
];

impl Ctx<'_> {
    fn files(&mut self, input: bool) -> &mut Files {
        match input {
            true => &mut self.thread.io.seen,
            false => &mut self.thread.io.told,
        }
    }

    fn make_current(&mut self, id: StreamId, input: bool) {
        match input {
            true => self.thread.io.current_input = id,
            false => self.thread.io.current_output = id,
        }
    }

    /// The stream that was opened here for a file.
    fn open_for(&mut self, path: &str, input: bool) -> Option<StreamId> {
        let program = self.program.clone();
        let files = self.files(input);
        files.opened.retain(|&id| program.streams.is_open(id));
        files.opened.iter().copied().find(|&id| {
            let stream = program.streams.get(id);
            stream.is_some_and(|s| (s.try_lock()).is_some_and(|s| s.file_name() == Some(path)))
        })
    }
}

/// A stream, or a file, which is opened unless it already is.
fn begin(m: &mut Ctx, a: Args, mode: Mode) -> Res {
    let c = m.arg(a, 0);
    let input = mode == Mode::Read;
    let id = if m.term(c).as_atom() == Some(atoms::USER) {
        m.standard_stream(input)
    } else if m.find_stream(c).is_some() || c.is_blob() || c.handle().is_some() || c.is_ref() {
        m.target(a, 0, input)?.id
    } else {
        let path = m.text_arg(c)?;
        match m.open_for(&path, input) {
            Some(id) => id,
            None => open(m, c, &path, mode)?,
        }
    };
    m.make_current(id, input);
    Ok(true)
}

/// Opens a file, and puts what is current aside.
fn open(m: &mut Ctx, culprit: Cell, path: &str, mode: Mode) -> Result<StreamId, Throw> {
    let input = mode == Mode::Read;
    m.room_to_go_on(Stream::BYTES, common::RESERVE / 2)?;
    let files = m.files(input);
    growth::have(&mut files.opened, 1)?;
    growth::have(&mut files.before, 1)?;
    let before = m.side(Args(0), false, input)?.id;
    match m.open_file(path, mode, OpenOptions::default()) {
        Ok(id) => {
            let files = m.files(input);
            files.opened.push(id);
            files.before.push(before);
            Ok(id)
        }
        Err(e) => Err(m.stream_error(&e, culprit)),
    }
}

/// Closes what is current, and comes back to what was before it was opened.
fn end(m: &mut Ctx, input: bool) -> Res {
    let id = m.side(Args(0), false, input)?.id;
    let culprit = if input { Cell::NIL } else { id.term() };
    let closed = m.close_stream(id, culprit, input);
    if matches!(closed, Err(Throw::Interrupted)) {
        // It is called again.
        return closed;
    }
    let before = m.files(input).before.pop();
    let before = before.filter(|&id| m.program.streams.is_open(id));
    let standard = m.standard_stream(input);
    m.make_current(before.unwrap_or(standard), input);
    closed
}

/// Standard input and output are called `user`.
fn current(m: &mut Ctx, a: Args, input: bool) -> Res {
    let id = m.side(a, false, input)?.id;
    let c = m.arg(a, 0);
    if c.is_ref() {
        let name = match id == m.standard_stream(input) {
            true => Cell::atom(atoms::USER),
            false => id.term(),
        };
        return Ok(m.unify(c, name));
    }
    if m.term(c).as_atom() == Some(atoms::USER) {
        return Ok(id == m.standard_stream(input));
    }
    Ok(m.stream_of(c)? == id)
}
