//! The terminal the program was started from: reading queries and single keys; and `'$halt'/1`.
//!
//! Line editing is the host's: it puts a [`LineReader`] into [`Program::line_reader`](crate::state::program::Program::line_reader).
//!
//! *Invariant*: the terminal is read by the thread that has locked the stream of standard input; others wait for that, until an event is due for
//! them. Queries, keys and what programs read come in turn.
//!
//! *Equation*: what has been entered and was not used up is in the buffer of the stream of standard input, in order; what has been typed and was not
//! entered is with the system. A query is taken from the buffer up to its end token; what follows is for the next query, the key at a
//! choicepoint (`;` alone: nothing else is taken for a key that was entered with a text), or what the program reads; `abort/0` drops it. Each character is
//! looked at once to find the end tokens ([`Ends`]). What to do after Ctrl-C is said by a key that was typed since, and by nothing else.

use super::streams::Target;
use super::termio::Place;
use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use crate::state::line_reader::{Entered, LineReader};
use samite_stream::{Stream, StreamError, StreamId};
use samite_syntax::read::{Ends, ReadError, ReadFlags, StrSource, SyntaxError, read_term};
use samite_term::{Atom, Cell, atoms};
use samite_world::numbers::SIGINT;
use std::io::{self, ErrorKind, IsTerminal};
use std::sync::atomic::Ordering;

pub const TABLE: &[Entry] = &[
    det("$halt", 1, halt_1),
    det("$begin_halt", 1, begin_halt_1),
    det("$end_halt", 1, end_halt_1),
    det("$tty", 0, |m, _| Ok(is_tty(m))),
    det("$query_text", 2, query_text_2),
    det("$piped_query", 1, piped_query_1),
    det("$answer_key", 1, answer_key_1),
    det("$answering", 1, |m, a| {
        let on = m.arg(a, 0) == Cell::atom(atoms::TRUE);
        if_nobody_reads(m, |reader| reader.answering(on));
        Ok(true)
    }),
    det("$interrupted", 0, |m, _| {
        if_nobody_reads(m, |reader| reader.interrupted());
        Ok(true)
    }),
    det("$interrupt_key", 1, interrupt_key_1),
    det("$forget_entered", 0, |m, _| {
        forget_entered(m);
        Ok(true)
    }),
    det("get_single_char", 1, get_single_char_1),
];

/// `'$halt'(+Status)`: what `halt/1` does after the goals of `at_halt/1`. Status may be `interrupt`.
fn halt_1(m: &mut Ctx, a: Args) -> Res {
    let status = m.arg(a, 0);
    if status.is_ref() {
        return Err(m.instantiation_error());
    }
    if status == Cell::atom(Atom::new("abort")) {
        // Lost or not: the process does not end well.
        let _ = m.program.streams.flush_all();
        std::process::abort();
    }
    if status == Cell::atom(Atom::new("interrupt")) {
        (m.program.ending.interrupted).store(true, Ordering::Relaxed);
        return Err(Throw::Halt(128 + SIGINT));
    }
    if !status.is_small() {
        return Err(m.type_error("integer", status));
    }
    Err(Throw::Halt(status.small_value() as i32))
}

/// `'$begin_halt'(-Who)`: who runs the goals of `at_halt/1` from now on: `me`, for the caller, or the caller already (`within`), or another thread (`other`).
fn begin_halt_1(m: &mut Ctx, a: Args) -> Res {
    let me = m.thread.control.id().number();
    let mut halting = m.program.ending.runs_goals.lock();
    let who = match *halting {
        None => {
            *halting = Some(me);
            "me"
        }
        Some(number) if number == me => "within",
        Some(_) => "other",
    };
    drop(halting);
    Ok(m.unify_arg(a, 0, Cell::atom(Atom::new(who))))
}

/// `'$end_halt'(+Who)`: the goals of `at_halt/1` have run, if it was the caller who began.
fn end_halt_1(m: &mut Ctx, a: Args) -> Res {
    if m.arg(a, 0) == Cell::atom(Atom::new("me")) {
        *m.program.ending.runs_goals.lock() = None;
    }
    Ok(true)
}

/// Whether a person is at the other end: input and output are terminals, and the thread has no others in their place.
fn is_tty(m: &Ctx) -> bool {
    has_reader(m) && m.standard_stream(false) == StreamId::STDOUT && io::stdout().is_terminal()
}

/// Whether what the thread calls user_input is standard input, and that is a terminal that the host reads.
fn has_reader(m: &Ctx) -> bool {
    if m.standard_stream(true) != StreamId::STDIN {
        return false;
    }
    // Somebody reads there now, or nobody ever does.
    let reader = m.program.line_reader.try_lock();
    reader.is_none_or(|reader| reader.is_some())
}

/// Tells the terminal's reader something. Who reads there now has set what it needs.
fn if_nobody_reads(m: &Ctx, tell: impl FnOnce(&mut dyn LineReader)) {
    if let Some(mut reader) = m.program.line_reader.try_lock()
        && let Some(reader) = reader.as_mut()
    {
        tell(reader.as_mut());
    }
}

/// `'$query_text'(+Prompt, -Text)`: the text of one query of the terminal, up to its end token, as a string; `end_of_file` at the end.
fn query_text_2(m: &mut Ctx, a: Args) -> Res {
    let Some(prompt) = m.view(a, 0).as_atom() else {
        let culprit = m.arg(a, 0);
        return Err(m.type_error("atom", culprit));
    };
    let t = standard_input(m)?;
    let mut input = m.locked(&t)?;
    let text = loop {
        let taken = take_query(&mut input);
        let initial = match taken.map_err(|e| m.stream_error(&e, t.culprit))? {
            Taken::Whole(text) => break Some(text),
            Taken::Part(text) if is_blank(&text) => String::new(),
            Taken::Part(text) => text,
        };
        let entered = at_terminal(m, &t, |reader| reader.read_query(prompt.as_str(), &initial))?;
        // The terminal's cursor stands at the left margin again.
        if let Some(out) = m.program.streams.get(StreamId::STDOUT)
            && let Some(mut out) = out.try_lock()
        {
            out.set_line_position(0);
        }
        let fed = match entered {
            Entered::Text(text) => input.feed(&text),
            // Taken as it is; the syntax error will be reported.
            Entered::Last(text) => break Some(text),
            Entered::End => break None,
            Entered::GivenUp => Ok(()),
            // Ctrl-C, as a signal.
            Entered::Event(_) if m.attention.take_users() => Ok(()),
            Entered::Event(text) => {
                let _ = input.feed(&text);
                return Err(Throw::Interrupted);
            }
        };
        fed.map_err(|e| m.stream_error(&e, t.culprit))?;
    };
    drop(input);
    let Some(text) = text else {
        return Ok(m.unify_atom(a, 1, atoms::END_OF_FILE));
    };
    if let Some(reader) = m.program.line_reader.lock().as_mut() {
        reader.remember(text.trim());
    }
    let text = m.heap.string(text.trim_start())?;
    Ok(m.unify_arg(a, 1, text))
}

/// What has been written appears before the user is waited for. Errors of that are for who writes.
fn flush_standard_output(m: &mut Ctx) -> Result<(), Throw> {
    let id = m.standard_stream(false);
    let t = m.target_of(id, id.term())?;
    m.on(&t, |s| match s.flush() {
        Err(StreamError::Interrupted) => Err(StreamError::Interrupted),
        _ => Ok(()),
    })
}

/// Does something with the terminal; standard input is locked. Errors of it are those of the stream.
fn at_terminal<T>(
    m: &mut Ctx,
    input: &Target,
    f: impl FnOnce(&mut dyn LineReader) -> io::Result<T>,
) -> Result<T, Throw> {
    flush_standard_output(m)?;
    let program = m.program.clone();
    let result = m.waiting(&input.stream, || {
        match program.line_reader.lock().as_mut() {
            Some(reader) => f(reader.as_mut()),
            None => Err(ErrorKind::NotConnected.into()),
        }
    });
    result.map_err(|error| {
        if error.kind() == ErrorKind::Interrupted {
            return Throw::Interrupted;
        }
        let error = StreamError::Io {
            action: "read",
            error,
        };
        m.stream_error(&error, input.culprit)
    })
}

/// What was taken from a buffer.
enum Taken {
    /// A query, up to its end token.
    Whole(String),
    /// All that was there, without an end token.
    Part(String),
}

/// The next query of what is in the buffer of the terminal's stream. Layout and a comment behind it on its line go with it.
fn take_query(input: &mut Stream) -> Result<Taken, StreamError> {
    let mut text = String::new();
    let mut ends = Ends::default();
    while let Some(c) = buffered(input)? {
        if ends.push(c) {
            skip_to_line(input)?;
            return Ok(Taken::Whole(text));
        }
        input.get_char()?;
        text.push(c);
    }
    Ok(Taken::Part(text))
}

/// The next character of what has been entered.
fn buffered(input: &mut Stream) -> Result<Option<char>, StreamError> {
    match input.buffered_input() {
        0 => Ok(None),
        _ => input.peek_char(),
    }
}

/// Skips layout up to the next line, and a comment that ends this one.
fn skip_to_line(input: &mut Stream) -> Result<(), StreamError> {
    let mut comment = false;
    while let Some(c) = buffered(input)? {
        comment |= c == '%';
        if !comment && !c.is_whitespace() {
            break;
        }
        input.get_char()?;
        if c == '\n' {
            break;
        }
    }
    Ok(())
}

/// What was entered for what has been aborted is no query: it is dropped, unless another thread reads now.
fn forget_entered(m: &mut Ctx) {
    if !has_reader(m) {
        return;
    }
    if let Some(input) = m.program.streams.get(StreamId::STDIN)
        && let Some(mut input) = input.try_lock()
    {
        if_nobody_reads(m, |reader| reader.forget());
        while let Ok(Some(_)) = buffered(&mut input) {
            let _ = input.get_char();
        }
    }
}

/// Whether there is nothing but layout and whole comments.
fn is_blank(text: &str) -> bool {
    let mut ends = Ends::default();
    ends.push_str(text);
    ends.terms() == 0 && ends.is_blank()
}

/// `'$piped_query'(-Text)`: the next query of an input that is no terminal, up to its end token and not further, as a string;
/// `end_of_file` at the end. An end of the input within a query is a syntax error.
fn piped_query_1(m: &mut Ctx, a: Args) -> Res {
    let t = standard_input(m)?;
    let text = read_piped_query(m, &t)?;
    if is_blank(&text) {
        return Ok(m.unify_atom(a, 0, atoms::END_OF_FILE));
    }
    let text = m.heap.string(text.trim_start())?;
    Ok(m.unify_arg(a, 0, text))
}

fn read_piped_query(m: &mut Ctx, input: &Target) -> Result<String, Throw> {
    let (text, line, ended) = m.on(input, |s| {
        let mut text = String::new();
        let mut ends = Ends::default();
        let line = s.line();
        loop {
            let c = match s.get_char() {
                // Nothing was read, or nothing will be.
                Err(e @ (StreamError::Interrupted | StreamError::Io { .. })) => return Err(e),
                Err(_) | Ok(None) => return Ok((text, line, false)),
                Ok(Some(c)) => c,
            };
            text.push(c);
            if ends.push(c) {
                return Ok((text, line, true));
            }
        }
    })?;
    if !ended && let Some(mut e) = unended(m, &text) {
        e.position.line += line - 1;
        return Err(m.syntax_error_at(&e, Place::Stream, input.culprit));
    }
    Ok(text)
}

/// The error of a text that stops before its end token.
fn unended(m: &Ctx, text: &str) -> Option<SyntaxError> {
    let ops = m.program.code.operators(m.reading_module());
    match read_term(&mut StrSource::new(text), &ops, &ReadFlags::default()) {
        Err(ReadError::Syntax(e)) if e.message.starts_with("end_of_file") => Some(e),
        Err(ReadError::Syntax(e)) if !text.trim_end().ends_with('.') => Some(SyntaxError {
            message: "end_of_file",
            argument: None,
            ..e
        }),
        _ => None,
    }
}

/// What the thread calls user_input: standard input, unless `set_stream/2` has put another stream in its place.
fn standard_input(m: &mut Ctx) -> Result<Target, Throw> {
    let id = m.standard_stream(true);
    m.target_of(id, id.term())
}

/// `'$answer_key'(-Code)`: a key that says what to do with an answer; -1 at the end. A `;` that was entered behind a query is one.
fn answer_key_1(m: &mut Ctx, a: Args) -> Res {
    let t = standard_input(m)?;
    let mut input = m.locked(&t)?;
    let code = match takes_semicolon(&mut input) {
        true => i64::from(b';'),
        false => typed_key(m, &t, |reader| reader.key())?,
    };
    drop(input);
    m.unify_int(a, 0, code)
}

/// `'$interrupt_key'(-Code)`: a key that says what to do after Ctrl-C; -1 at the end.
fn interrupt_key_1(m: &mut Ctx, a: Args) -> Res {
    let t = standard_input(m)?;
    let input = m.locked(&t)?;
    let code = typed_key(m, &t, |reader| reader.key_after_interrupt())?;
    drop(input);
    m.unify_int(a, 0, code)
}

/// Whether a `;` is what has been entered next; it is taken then, with the layout before it.
fn takes_semicolon(input: &mut Stream) -> bool {
    while let Ok(Some(c)) = buffered(input) {
        if c == ';' || c.is_whitespace() {
            let _ = input.get_char();
        }
        if !c.is_whitespace() {
            return c == ';';
        }
    }
    false
}

/// `get_single_char(-Code)`: a key, without waiting for the end of a line if there is a terminal; -1 at the end. What has been entered and
/// not been read comes first.
fn get_single_char_1(m: &mut Ctx, a: Args) -> Res {
    let t = standard_input(m)?;
    let input = m.locked(&t)?;
    let code = if input.buffered_input() > 0 || !has_reader(m) {
        drop(input);
        next_character(m, &t)?
    } else {
        let code = typed_key(m, &t, |reader| reader.key())?;
        drop(input);
        code
    };
    m.unify_int(a, 0, code)
}

/// The next character of standard input; -1 at the end.
fn next_character(m: &mut Ctx, input: &Target) -> Result<i64, Throw> {
    flush_standard_output(m)?;
    let c = m.on(input, Stream::get_char)?;
    Ok(c.map_or(-1, |c| i64::from(u32::from(c))))
}

/// A key of the terminal; standard input is locked.
fn typed_key(
    m: &mut Ctx,
    input: &Target,
    key: impl FnOnce(&mut dyn LineReader) -> io::Result<Option<char>>,
) -> Result<i64, Throw> {
    let key = at_terminal(m, input, key)?;
    Ok(key.map_or(-1, |c| i64::from(u32::from(c))))
}
