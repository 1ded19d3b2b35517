//! The terminal on standard input: editing of queries and of what the program reads, single keys, history.
//!
//! There is one queue of input, the system's, from which [`keyboard`] takes a byte when one is needed; and one place for text that was
//! entered and is not used up, the buffer of the stream `user_input` ([`samite_machine::builtins::console`]). Line editors that are crates keep what
//! they read ahead to themselves, where single keys and other programs cannot get at it.
//!
//! Without an output that is a terminal, or on one that cannot move its cursor (`TERM=dumb`), lines are edited by the system.
//!
//! The thread that edits holds the lock of the [`LineReader`]; the screen has one of its own, which others take to write.

mod completion;
mod editor;
mod history;
mod keyboard;
mod line;
pub mod screen;

use completion::Names;
use history::History;
use keyboard::Keyboard;
use parking_lot::Mutex;
use samite_machine::Program;
use samite_machine::state::line_reader::{Entered, LineReader};
use samite_sched::registry::ThreadControl;
use samite_stream::StreamId;
use samite_syntax::read::Ends;
use screen::{CONTINUE, Mode, Through, screen, try_screen};
use std::io::{self, ErrorKind, IsTerminal, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// See the module text.
struct Terminal {
    keyboard: Keyboard,
    history: History,
    names: Names,
    /// What was cut last.
    cut: String,
    /// What was entered of a line when an event took the thread away: the next line begins with it.
    begun: Vec<u8>,
    /// What was entered of a line and has not been given to the stream.
    left: Arc<Mutex<Vec<u8>>>,
    /// Whether the terminal can show a text that is edited.
    edits: bool,
}

/// Connects the program with the terminal, if there is one. Ctrl-C is an event of the thread `main`; waiting for a key is ended by the events of who waits.
pub fn connect(program: &Arc<Program>, main: Arc<ThreadControl>) {
    if !io::stdin().is_terminal() {
        return;
    }
    let output = io::stdout().is_terminal();
    let edits = output && can_edit();
    let left = Arc::new(Mutex::new(Vec::new()));
    *program.line_reader.lock() = Some(Box::new(Terminal {
        keyboard: Keyboard::new(main),
        history: if edits {
            History::load()
        } else {
            History::none()
        },
        names: Names::new(program),
        cut: String::new(),
        begun: Vec::new(),
        left: left.clone(),
        edits,
    }));
    let stream = |id| program.streams.get(id);
    if let Some(input) = stream(StreamId::STDIN) {
        let source = UserInput {
            program: program.clone(),
            left,
        };
        let _ = input.lock().set_source(Box::new(source));
    }
    if edits {
        if let Some(output) = stream(StreamId::STDOUT) {
            let _ = output.lock().set_sink(Box::new(Through(io::stdout())));
        }
        if let Some(error) = stream(StreamId::STDERR).filter(|_| io::stderr().is_terminal()) {
            let _ = error.lock().set_sink(Box::new(Through(io::stderr())));
        }
    }
    CONNECTED.store(true, Ordering::Relaxed);
    // SAFETY: the function is one.
    unsafe { libc::atexit(leave) };
}

/// Whether there is a terminal: [`connect`] has been called with one.
pub fn is_connected() -> bool {
    // Relaxed: it is set before there are other threads.
    CONNECTED.load(Ordering::Relaxed)
}

static CONNECTED: AtomicBool = AtomicBool::new(false);

/// However the process ends, the terminal is as it was.
extern "C" fn leave() {
    screen().set_mode(Mode::Lines);
}

/// The terminal is as it was, unless somebody keeps writing to it: the process is about to be ended by force, which must not wait for that. It stays so: nobody
/// changes it again who is not ended yet.
pub fn give_back() {
    for _ in 0..100 {
        if let Some(mut screen) = try_screen() {
            screen.set_mode(Mode::Lines);
            std::mem::forget(screen);
            return;
        }
        samite_world::threads::sleep(Duration::from_millis(1));
    }
}

/// Whether the terminal can move its cursor.
fn can_edit() -> bool {
    let name = std::env::var("TERM").unwrap_or_default();
    !matches!(name.as_str(), "" | "dumb" | "cons25" | "emacs")
}

/// A mode of the terminal, until it is dropped.
struct InMode(Mode);

impl InMode {
    fn new(mode: Mode) -> InMode {
        let mut screen = screen();
        let before = screen.mode();
        screen.set_mode(mode);
        InMode(before)
    }
}

impl Drop for InMode {
    fn drop(&mut self) {
        screen().set_mode(self.0);
    }
}

impl LineReader for Terminal {
    fn read_query(&mut self, prompt: &str, initial: &str) -> io::Result<Entered> {
        if self.edits {
            return self.edit(prompt, initial, true);
        }
        let mut text = initial.to_owned();
        let mut ends = Ends::default();
        ends.push_str(initial);
        let mut prompt = if initial.is_empty() { prompt } else { CONTINUE };
        loop {
            let (line, more) = match self.plain_line(prompt) {
                Ok(line) => line,
                Err(e) if e.kind() == ErrorKind::Interrupted => return Ok(Entered::Event(text)),
                Err(e) => return Err(e),
            };
            ends.push_str(&line);
            text.push_str(&line);
            prompt = CONTINUE;
            if !more {
                return Ok(match text.is_empty() {
                    true => Entered::End,
                    false => Entered::Last(text),
                });
            }
            if ends.terms() > 0 || ends.is_blank() {
                return Ok(Entered::Text(text));
            }
        }
    }

    fn read_line(&mut self, prompt: &str) -> io::Result<Option<String>> {
        if !self.edits {
            let (line, more) = self.plain_line(prompt)?;
            return Ok((more || !line.is_empty()).then_some(line));
        }
        let begun = std::mem::take(&mut self.begun);
        match self.edit(prompt, &String::from_utf8_lossy(&begun), false)? {
            Entered::Text(text) => Ok(Some(text)),
            Entered::Last(_) | Entered::End => Ok(None),
            Entered::GivenUp => {
                self.keyboard.interrupt();
                Err(ErrorKind::Interrupted.into())
            }
            Entered::Event(text) => {
                self.begun = text.into_bytes();
                Err(ErrorKind::Interrupted.into())
            }
        }
    }

    fn key(&mut self) -> io::Result<Option<char>> {
        self.in_mode(Mode::Keys, |t| single_key(&mut t.keyboard))
    }

    fn interrupted(&mut self) {
        // Elsewhere the system has thrown away what was typed before Ctrl-C, or that was a key itself.
        match screen().mode() {
            Mode::Ahead => self.keyboard.set_aside(),
            _ => self.keyboard.set_looked_at_aside(),
        }
    }

    fn key_after_interrupt(&mut self) -> io::Result<Option<char>> {
        // (What is typed behind this key may answer the next question, and must not be set aside.)
        let _mode = InMode::new(Mode::Keys);
        self.keyboard.with_the_rest(single_key)
    }

    fn answering(&mut self, on: bool) {
        // Who edits with the system's means sees what he types when he does.
        if !self.edits {
            return;
        }
        screen().set_mode(if on { Mode::Ahead } else { Mode::Lines });
    }

    fn forget(&mut self) {
        self.begun.clear();
        self.left.lock().clear();
        self.keyboard.give_up_paste();
    }

    fn remember(&mut self, query: &str) {
        if self.edits {
            self.history.add(query);
        }
    }
}

/// A character, as soon as it is typed; `None` at the end. Ctrl-Z stops the process meanwhile: in this mode it is no signal.
fn single_key(keyboard: &mut Keyboard) -> io::Result<Option<char>> {
    loop {
        match keyboard.byte()? {
            None => return Ok(None),
            Some(STOP) => editor::suspend(),
            Some(first) => {
                return Ok(Some(keyboard.character(first).unwrap_or(char::from(first))));
            }
        }
    }
}

/// Ctrl-Z.
const STOP: u8 = 26;

impl Terminal {
    /// Does something while Ctrl-C is a key.
    fn in_mode<T>(&mut self, mode: Mode, f: impl FnOnce(&mut Terminal) -> T) -> T {
        let until_dropped = InMode::new(mode);
        let result = f(self);
        drop(until_dropped);
        self.keyboard.signals_are_on();
        result
    }

    /// A line that the system lets the user edit, and whether it is a whole one.
    fn plain_line(&mut self, prompt: &str) -> io::Result<(String, bool)> {
        let mut out = io::stdout();
        out.write_all(prompt.as_bytes())
            .and_then(|()| out.flush())?;
        let mut line = std::mem::take(&mut self.begun);
        let whole = loop {
            match self.keyboard.byte() {
                Ok(None) => {
                    // The system shows nothing for Ctrl-D.
                    out.write_all(b"\n").and_then(|()| out.flush())?;
                    break false;
                }
                Ok(Some(byte)) => line.push(byte),
                Err(e) => {
                    self.begun = line;
                    // What the event shows, and the prompt that comes again, have lines of their own.
                    out.write_all(b"\n").and_then(|()| out.flush())?;
                    return Err(e);
                }
            }
            if line.ends_with(b"\n") {
                break true;
            }
        };
        Ok((String::from_utf8_lossy(&line).into_owned(), whole))
    }
}

/// What the program reads from the terminal: lines, each asked for by the prompt of `prompt/2`, or once that of `prompt1/1`.
struct UserInput {
    program: Arc<Program>,
    /// What was entered and not read.
    left: Arc<Mutex<Vec<u8>>>,
}

impl Read for UserInput {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if self.left.lock().is_empty() {
            let mut reader = self.program.line_reader.lock();
            let reader = reader.as_mut().ok_or(ErrorKind::NotConnected)?;
            let outside = &self.program.outside;
            let line = reader.read_line(outside.next_prompt().as_str())?;
            outside.line_was_read();
            let Some(line) = line else {
                return Ok(0);
            };
            *self.left.lock() = line.into_bytes();
        }
        let mut left = self.left.lock();
        let n = room.len().min(left.len());
        room[..n].copy_from_slice(&left[..n]);
        left.drain(..n);
        Ok(n)
    }
}
