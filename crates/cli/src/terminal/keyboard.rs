//! The keys of the terminal on standard input.
//!
//! *Invariant*: no byte is read before it is needed. What has been typed or pasted and not been taken stays with the system, so the line
//! editor, single keys and the programs that are started all continue where the one before has stopped. Two exceptions: what was typed before a
//! Ctrl-C that is a signal, and waits then, is set aside, as what is typed behind it answers a question that is asked first; and a single byte
//! that waits where Ctrl-C becomes a signal again, as it may be one, which nobody else would hear of. Another one has been looked at, and is the next:
//! also of a question that is asked again when a loop of its own has ended, for it was typed behind that. So is the byte that shows that a character or an
//! escape sequence before it was broken off.
//!
//! *Equation*: what is taken next is what was set aside, then what was looked at, then what the system has, in order; the answer to a question
//! is the first of what was not set aside.

use crate::interrupt;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::stdio::stdin;
use samite_machine::blocked;
use samite_sched::readiness::Ready;
use samite_sched::registry::ThreadControl;
use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::sync::Arc;

/// A key, or what the terminal sends for other reasons.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Key {
    Char(char),
    /// With the control key, as its letter.
    Ctrl(char),
    /// With the alt key, or after Escape.
    Alt(char),
    Enter,
    Backspace,
    Delete,
    Up,
    Down,
    Left,
    Right,
    WordLeft,
    WordRight,
    Home,
    End,
    /// A bracketed paste.
    Paste(String),
    /// Something without a meaning here.
    Other,
}

/// How long the rest of an escape sequence may take, in milliseconds.
const SEQUENCE: i64 = 50;
/// What ends a bracketed paste.
const PASTE_END: &[u8] = b"\x1b[201~";
/// Ctrl-C.
const INTERRUPT: u8 = 3;
/// What the control key leaves of a letter.
const CONTROL: u8 = 0x1f;

/// See the module text.
pub struct Keyboard {
    /// The thread that is told of Ctrl-C.
    main: Arc<ThreadControl>,
    /// What was typed before a question.
    aside: VecDeque<u8>,
    /// What was looked at.
    looked_at: Option<u8>,
    /// Whether what was taken last had been set aside.
    last_was_aside: bool,
    /// What has come of a bracketed paste whose end has not.
    pasted: Option<Vec<u8>>,
}

impl Keyboard {
    pub fn new(main: Arc<ThreadControl>) -> Keyboard {
        Keyboard {
            main,
            aside: VecDeque::new(),
            looked_at: None,
            last_was_aside: false,
            pasted: None,
        }
    }

    /// The rest of a paste is no part of a line any more.
    pub fn give_up_paste(&mut self) {
        self.pasted = None;
    }

    /// Sets aside what was looked at: Ctrl-C was typed behind it.
    pub fn set_looked_at_aside(&mut self) {
        self.aside.extend(self.looked_at.take());
    }

    /// Sets aside what has been typed.
    pub fn set_aside(&mut self) {
        self.set_looked_at_aside();
        let mut byte = [0];
        while is_ready(0) && matches!(read(&mut byte), Ok(1)) {
            self.aside.push_back(byte[0]);
        }
    }

    /// From here on Ctrl-C is a signal: one that was typed before that, and since the last key was taken, acts as it. (The system
    /// says how much waits, not what: where that is more than one byte, it is somebody's text, and stays.)
    pub fn signals_are_on(&mut self) {
        let mut byte = [0];
        if self.looked_at == Some(INTERRUPT) && self.aside.is_empty() {
            self.looked_at = None;
            self.interrupt();
        }
        if self.has_taken()
            || !matches!(rustix::io::ioctl_fionread(stdin()), Ok(1))
            || !is_ready(0)
            || !matches!(read(&mut byte), Ok(1))
        {
            return;
        }
        if byte[0] == INTERRUPT {
            self.interrupt();
        } else {
            self.looked_at = Some(byte[0]);
        }
    }

    /// Whether there are bytes that the system has no more.
    fn has_taken(&self) -> bool {
        !self.aside.is_empty() || self.looked_at.is_some()
    }

    /// Does something with what has not been set aside.
    pub fn with_the_rest<T>(&mut self, f: impl FnOnce(&mut Keyboard) -> T) -> T {
        let aside = std::mem::take(&mut self.aside);
        let result = f(self);
        debug_assert!(
            self.aside.is_empty(),
            "nothing is set aside while a question waits"
        );
        self.aside = aside;
        result
    }

    /// Ctrl-C was typed where it is no signal.
    pub fn interrupt(&self) {
        interrupt::raise(self.main.attention());
    }

    /// Whether there is a byte without waiting.
    pub fn is_ready(&self) -> bool {
        self.is_ready_within(0)
    }

    fn is_ready_within(&self, milliseconds: i64) -> bool {
        self.has_taken() || is_ready(milliseconds)
    }

    /// Bytes, without looking for events; none at the end.
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        self.last_was_aside = !self.aside.is_empty();
        if !self.last_was_aside {
            return match (self.looked_at, room.first_mut()) {
                (Some(byte), Some(to)) => {
                    *to = byte;
                    self.looked_at = None;
                    Ok(1)
                }
                _ => read(room),
            };
        }
        let n = room.len().min(self.aside.len());
        for (to, byte) in room.iter_mut().zip(self.aside.drain(..n)) {
            *to = byte;
        }
        Ok(n)
    }

    /// Waits for a byte. [`ErrorKind::Interrupted`] if something else wants the thread.
    fn wait(&self) -> io::Result<()> {
        let attention = blocked::attention().filter(|_| !self.has_taken());
        let waited = attention.map(|a| a.until_ready(stdin(), Ready::Read, None));
        match waited {
            Some(Err(_)) => Err(ErrorKind::Interrupted.into()),
            _ => Ok(()),
        }
    }

    /// A byte; `None` at the end. [`ErrorKind::Interrupted`] if something else wants the thread; nothing is taken then.
    pub fn byte(&mut self) -> io::Result<Option<u8>> {
        loop {
            self.wait()?;
            let mut byte = [0];
            match self.read(&mut byte) {
                Ok(0) => return Ok(None),
                Ok(_) => return Ok(Some(byte[0])),
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
    }

    /// A byte that belongs to the one before; `None` if it does not come.
    fn next(&mut self) -> Option<u8> {
        self.is_ready_within(SEQUENCE).then_some(())?;
        let mut byte = [0];
        matches!(self.read(&mut byte), Ok(1)).then_some(byte[0])
    }

    /// The byte that was taken last is the next one.
    fn give_back(&mut self, byte: u8) {
        if self.last_was_aside {
            self.aside.push_front(byte);
        } else {
            self.looked_at = Some(byte);
        }
    }

    /// A key; `None` at the end.
    pub fn key(&mut self) -> io::Result<Option<Key>> {
        if self.pasted.is_some() {
            return self.paste().map(Some);
        }
        let Some(first) = self.byte()? else {
            return Ok(None);
        };
        let key = match first {
            b'\r' | b'\n' => Key::Enter,
            0x7f | 0x08 => Key::Backspace,
            b'\t' => Key::Char('\t'),
            0x1b => self.escape(),
            0..=0x1f => Key::Ctrl(char::from((first | 0x40).to_ascii_lowercase())),
            _ => Key::Char(self.character(first).unwrap_or(char::REPLACEMENT_CHARACTER)),
        };
        match self.pasted {
            Some(_) => self.paste().map(Some),
            None => Ok(Some(key)),
        }
    }

    /// The character that starts with this byte; `None` if it is none. The byte that cannot go on with a character is the next one.
    pub fn character(&mut self, first: u8) -> Option<char> {
        let mut bytes = [first, 0, 0, 0];
        for n in 1..=bytes.len() {
            match std::str::from_utf8(&bytes[..n]) {
                Ok(text) => return text.chars().next(),
                // More of it may come.
                Err(e) if e.error_len().is_none() && n < bytes.len() => bytes[n] = self.next()?,
                Err(_) if n > 1 => {
                    self.give_back(bytes[n - 1]);
                    return None;
                }
                Err(_) => return None,
            }
        }
        None
    }

    /// Behind an escape character.
    fn escape(&mut self) -> Key {
        match self.next() {
            Some(b'[') => self.sequence(),
            Some(b'O') => match self.next() {
                Some(last) if is_printed(last) => arrow(last, false),
                other => self.broken_off(other),
            },
            Some(0x7f | 0x08) => Key::Ctrl('w'),
            Some(b'\r' | b'\n') => Key::Alt('\r'),
            Some(b) if b > CONTROL => self.character(b).map_or(Key::Other, Key::Alt),
            other => self.broken_off(other),
        }
    }

    /// Behind `ESC [`: numbers, and the character that ends it.
    fn sequence(&mut self) -> Key {
        let mut numbers = Vec::new();
        let last = loop {
            match self.next() {
                Some(b) if (0x40..0x7f).contains(&b) && !(b == b'[' && numbers.is_empty()) => {
                    break b;
                }
                Some(b) if is_printed(b) => numbers.push(b),
                other => return self.broken_off(other),
            }
        };
        let with_modifier = numbers.contains(&b';');
        match (last, numbers.split(|&b| b == b';').next()) {
            (b'~', Some(b"1" | b"7")) => Key::Home,
            (b'~', Some(b"4" | b"8")) => Key::End,
            (b'~', Some(b"3")) => Key::Delete,
            (b'~', Some(b"200")) => {
                self.pasted = Some(Vec::new());
                Key::Other
            }
            (b'~', _) => Key::Other,
            _ => arrow(last, with_modifier),
        }
    }

    /// A sequence has no meaning, as this follows, which does not belong to it.
    fn broken_off(&mut self, by: Option<u8>) -> Key {
        if let Some(byte) = by {
            self.give_back(byte);
        }
        Key::Other
    }

    /// The rest of a bracketed paste. Reads at most what may belong to its end: nothing behind it. [`ErrorKind::Interrupted`] if something else wants the
    /// thread: what has come is kept.
    fn paste(&mut self) -> io::Result<Key> {
        let mut bytes = self.pasted.take().unwrap_or_default();
        while !bytes.ends_with(PASTE_END) {
            if let Err(e) = self.wait() {
                self.pasted = Some(bytes);
                return Err(e);
            }
            let matched = (1..PASTE_END.len())
                .rev()
                .find(|&n| bytes.ends_with(&PASTE_END[..n]));
            let mut room = [0; PASTE_END.len()];
            match self.read(&mut room[..PASTE_END.len() - matched.unwrap_or(0)]) {
                // The end was lost, and the user wants out.
                Ok(n) if room[..n].contains(&INTERRUPT) => return Ok(Key::Ctrl('c')),
                Ok(n) if n > 0 => bytes.extend_from_slice(&room[..n]),
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                _ => return Ok(Key::Other),
            }
        }
        bytes.truncate(bytes.len() - PASTE_END.len());
        let text = String::from_utf8_lossy(&bytes);
        Ok(Key::Paste(text.replace("\r\n", "\n").replace('\r', "\n")))
    }
}

/// Whether it may stand in a sequence of characters that says a key (ECMA-48, 5.4).
fn is_printed(byte: u8) -> bool {
    (0x20..0x7f).contains(&byte)
}

fn arrow(last: u8, with_modifier: bool) -> Key {
    match last {
        b'A' => Key::Up,
        b'B' => Key::Down,
        b'C' if with_modifier => Key::WordRight,
        b'D' if with_modifier => Key::WordLeft,
        b'C' => Key::Right,
        b'D' => Key::Left,
        b'H' => Key::Home,
        b'F' => Key::End,
        b'M' => Key::Enter,
        _ => Key::Other,
    }
}

fn is_ready(milliseconds: i64) -> bool {
    let timeout = Timespec {
        tv_sec: 0,
        tv_nsec: milliseconds * 1_000_000,
    };
    let stdin = rustix::stdio::stdin();
    let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
    poll(&mut fds, Some(&timeout)).is_ok_and(|n| n > 0)
}

fn read(room: &mut [u8]) -> io::Result<usize> {
    match rustix::io::read(rustix::stdio::stdin(), room) {
        // The terminal is gone.
        Err(rustix::io::Errno::IO) => Ok(0),
        other => Ok(other?),
    }
}
