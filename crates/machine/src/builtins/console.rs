//! The terminal the program was started from: reading queries and single keys; and `'$halt'/1`.
//!
//! Line editing is the host's: it puts a [`LineReader`] into [`Shared::line_reader`](crate::machine::Shared::line_reader). Only the
//! thread that runs the toplevel calls these; the lock of the reader is held while a line is read.

use super::Entry::{self, Det};
use crate::error::{Res, Throw};
use crate::machine::{Args, Machine};
use parking_lot::Mutex;
use samite_stream::{SharedStream, StreamId};
use samite_syntax::read::{ReadError, ReadFlags, StrSource, SyntaxError, read_term};
use samite_term::{Atom, Cell, atoms};
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::os::fd::AsRawFd;

/// Reads lines with editing and history.
pub trait LineReader: Send {
    /// The next line without its newline; `None` at the end of the input. [`ErrorKind::Interrupted`] if the user gave the line up.
    fn read_line(&mut self, prompt: &str) -> io::Result<Option<String>>;
    /// A whole query was read: for the history.
    fn remember(&mut self, _query: &str) {}
}

pub const TABLE: &[Entry] = &[
    Det("$halt", 1, halt_1),
    Det("$begin_halt", 1, begin_halt_1),
    Det("$end_halt", 1, end_halt_1),
    Det("$tty", 0, |_, _| Ok(is_tty())),
    Det("$query_text", 2, query_text_2),
    Det("$piped_query", 1, piped_query_1),
    Det("$get_single_char", 1, get_single_char_1),
    Det("get_single_char", 1, get_single_char_1),
];

/// Prompt of the second and further lines of a query.
const CONTINUE: &str = "|    ";

/// `'$halt'(+Status)`: what `halt/1` does after the goals of `at_halt/1`.
fn halt_1(m: &mut Machine, a: Args) -> Res {
    let status = m.arg(a, 0);
    if status.is_ref() {
        return Err(m.instantiation_error());
    }
    if !status.is_small() {
        return Err(m.type_error("integer", status));
    }
    Err(Throw::Halt(status.small_value() as i32))
}

/// The number of the thread that runs the goals of `at_halt/1`.
static HALTING: Mutex<Option<u32>> = parking_lot::const_mutex(None);

/// `'$begin_halt'(-Who)`: who runs the goals of `at_halt/1` from now on: `me`, for the caller, or the caller already (`within`), or another thread (`other`).
fn begin_halt_1(m: &mut Machine, a: Args) -> Res {
    let me = m.thread.id().number();
    let mut halting = HALTING.lock();
    let who = match *halting {
        None => {
            *halting = Some(me);
            "me"
        }
        Some(number) if number == me => "within",
        Some(_) => "other",
    };
    Ok(m.unify_arg(a, 0, Cell::atom(Atom::new(who))))
}

/// `'$end_halt'(+Who)`: the goals of `at_halt/1` have run, if it was the caller who began.
fn end_halt_1(m: &mut Machine, a: Args) -> Res {
    if m.arg(a, 0) == Cell::atom(Atom::new("me")) {
        *HALTING.lock() = None;
    }
    Ok(true)
}

/// Whether a person is at the other end: input and output are terminals.
fn is_tty() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// `'$query_text'(+Prompt, -Text)`: the lines of one query, up to its end token, as a string; `end_of_file` at the end.
fn query_text_2(m: &mut Machine, a: Args) -> Res {
    let Some(prompt) = m.view(a, 0).as_atom() else {
        let culprit = m.arg(a, 0);
        return Err(m.type_error("atom", culprit));
    };
    m.before_wait();
    let query = read_query(m, prompt);
    m.after_wait();
    let query = match query {
        Ok(query) => query,
        Err(e) => {
            let message = e.to_string();
            let formal = m.structure(
                "io_error",
                &[Cell::atom(Atom::new("read")), Cell::atom(atoms::USER_INPUT)],
            )?;
            return Err(m.error_with_message(formal, &message));
        }
    };
    // The terminal's cursor stands at the left margin again.
    if let Some(out) = m.shared.streams.get(StreamId::STDOUT) {
        out.lock().set_line_position(0);
    }
    match query {
        None => Ok(m.unify_atom(a, 1, atoms::END_OF_FILE)),
        Some(text) => {
            let text = m.heap.string(&text)?;
            Ok(m.unify_arg(a, 1, text))
        }
    }
}

/// `'$piped_query'(-Text)`: the next query of an input that is no terminal, up to its end token and not further, as a string;
/// `end_of_file` at the end. An end of the input within a query is a syntax error.
fn piped_query_1(m: &mut Machine, a: Args) -> Res {
    let Some(input) = standard_input(m) else {
        return Ok(m.unify_atom(a, 0, atoms::END_OF_FILE));
    };
    m.before_wait();
    let read = read_piped_query(m, &input);
    m.after_wait();
    let text = read?;
    if matches!(query_state(m, &text), State::Blank) {
        return Ok(m.unify_atom(a, 0, atoms::END_OF_FILE));
    }
    let text = m.heap.string(text.trim_start())?;
    Ok(m.unify_arg(a, 0, text))
}

fn read_piped_query(m: &mut Machine, input: &SharedStream) -> Result<String, Throw> {
    let mut text = String::new();
    let line = input.lock().line();
    loop {
        let next = input.lock().get_char();
        let Ok(Some(c)) = next else {
            if let Some(mut e) = unended(m, &text) {
                e.position.line += line - 1;
                let stream = StreamId::STDIN.term();
                return Err(m.syntax_error_at(&e, "stream", stream));
            }
            break;
        };
        let ends = text.ends_with('.') && (c.is_whitespace() || c == '%');
        text.push(c);
        if ends && matches!(query_state(m, &text), State::Complete) {
            break;
        }
    }
    Ok(text)
}

fn read_query(m: &mut Machine, prompt: Atom) -> io::Result<Option<String>> {
    let shared = m.shared.clone();
    let mut reader = shared.line_reader.lock();
    let mut text = String::new();
    loop {
        let shown = if text.is_empty() {
            prompt.as_str()
        } else {
            CONTINUE
        };
        let line = match reader.as_mut() {
            Some(reader) => reader.read_line(shown),
            None => plain_line(m, shown),
        };
        match line {
            Ok(Some(line)) => {
                text.push_str(&line);
                text.push('\n');
            }
            // What is there is taken as it is; the syntax error will be reported.
            Ok(None) if !text.is_empty() => return Ok(Some(text)),
            Ok(None) => return Ok(None),
            Err(e) if e.kind() == ErrorKind::Interrupted => {
                text.clear();
                continue;
            }
            Err(e) => return Err(e),
        }
        match query_state(m, &text) {
            State::Blank => text.clear(),
            State::Unfinished => {}
            State::Complete => break,
        }
    }
    if let Some(reader) = reader.as_mut() {
        reader.remember(text.trim_end());
    }
    Ok(Some(text))
}

enum State {
    /// Nothing but layout and comments.
    Blank,
    Unfinished,
    Complete,
}

/// Whether a text has its end token. One with another syntax error is complete: more lines would not help it.
fn query_state(m: &Machine, text: &str) -> State {
    let ops = m.shared.program.operators(m.typein);
    match read_term(&mut StrSource::new(text), &ops, &ReadFlags::default()) {
        Ok(read) if read.is_eof => State::Blank,
        Ok(_) => State::Complete,
        Err(ReadError::Syntax(e)) if e.message.starts_with("end_of_file") => State::Unfinished,
        Err(_) => State::Complete,
    }
}

/// The error of a text that stops before its end token.
fn unended(m: &Machine, text: &str) -> Option<SyntaxError> {
    let ops = m.shared.program.operators(m.typein);
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

/// A line of standard input without editing.
fn plain_line(m: &Machine, prompt: &str) -> io::Result<Option<String>> {
    let mut out = io::stdout();
    out.write_all(prompt.as_bytes())?;
    out.flush()?;
    let Some(input) = standard_input(m) else {
        return Ok(None);
    };
    let line = input.lock().read_line();
    line.map_err(|e| io::Error::other(e.to_string()))
}

fn standard_input(m: &Machine) -> Option<SharedStream> {
    m.shared.streams.get(StreamId::STDIN)
}

/// `get_single_char(-Code)`: a key, without waiting for the end of a line if there is a terminal; -1 at the end.
fn get_single_char_1(m: &mut Machine, a: Args) -> Res {
    if let Some(out) = m.shared.streams.get(StreamId::STDOUT) {
        let _ = out.lock().flush();
    }
    let code = if io::stdin().is_terminal() {
        key()
    } else {
        match standard_input(m).map(|input| input.lock().get_char()) {
            Some(Ok(Some(c))) => i64::from(u32::from(c)),
            _ => -1,
        }
    };
    m.unify_int(a, 0, code)
}

/// The terminal's settings before it was made raw; put back when dropped.
struct Cooked {
    fd: i32,
    settings: libc::termios,
}

impl Cooked {
    /// Makes the terminal deliver single keys without echo, Ctrl-C among them.
    fn make_raw(fd: i32) -> Option<Cooked> {
        // SAFETY: `termios` is a plain struct of numbers; the calls only read and write it.
        unsafe {
            let mut settings: libc::termios = std::mem::zeroed();
            if libc::tcgetattr(fd, &mut settings) != 0 {
                return None;
            }
            let mut raw = settings;
            raw.c_lflag &= !(libc::ICANON | libc::ECHO | libc::ISIG);
            raw.c_cc[libc::VMIN] = 1;
            raw.c_cc[libc::VTIME] = 0;
            if libc::tcsetattr(fd, libc::TCSADRAIN, &raw) != 0 {
                return None;
            }
            Some(Cooked { fd, settings })
        }
    }
}

impl Drop for Cooked {
    fn drop(&mut self) {
        // SAFETY: the settings came from the same terminal.
        unsafe {
            libc::tcsetattr(self.fd, libc::TCSADRAIN, &self.settings);
        }
    }
}

/// A key of the terminal, a whole character; -1 at the end.
fn key() -> i64 {
    let fd = io::stdin().as_raw_fd();
    let _cooked = Cooked::make_raw(fd);
    let Some(first) = key_byte(fd) else {
        return -1;
    };
    let more = match first {
        0xC0..=0xDF => 1,
        0xE0..=0xEF => 2,
        0xF0..=0xF7 => 3,
        _ => 0,
    };
    let mut bytes = vec![first];
    bytes.extend((0..more).map_while(|_| key_byte(fd)));
    let c = std::str::from_utf8(&bytes)
        .ok()
        .and_then(|s| s.chars().next());
    c.map_or(i64::from(first), |c| i64::from(u32::from(c)))
}

fn key_byte(fd: i32) -> Option<u8> {
    let mut byte = 0u8;
    loop {
        // SAFETY: there is room for the one byte asked for.
        let n = unsafe { libc::read(fd, (&raw mut byte).cast(), 1) };
        match n {
            1 => return Some(byte),
            0 => return None,
            _ if io::Error::last_os_error().kind() == ErrorKind::Interrupted => {}
            _ => return None,
        }
    }
}
