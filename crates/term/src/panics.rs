//! What panics say: a line for each, in a fixed place of its thread, made without memory and without a trace of the stack.
//!
//! The standard library's own hook allocates and reads the debug information of the program, whatever the panic was; where memory is what
//! is missing it never ends. The command's hook calls [`note`], and prints the line if nobody waited for that panic
//! ([`heavy::is_expected`](crate::heavy::is_expected)). Who makes an error of a panic takes the line ([`take`]).

use std::any::Any;
use std::cell::Cell;
use std::fmt::{self, Write};
use std::panic::PanicHookInfo;

const LENGTH: usize = 512;

/// What does not fit is cut off.
#[derive(Clone, Copy)]
pub struct Line {
    bytes: [u8; LENGTH],
    used: usize,
}

impl Line {
    const EMPTY: Line = Line {
        bytes: [0; LENGTH],
        used: 0,
    };

    /// Ends the line, in place of its last character if it is full.
    pub fn end(&mut self) {
        self.used = self.used.min(LENGTH - 1);
        self.bytes[self.used] = b'\n';
        self.used += 1;
    }
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.used]
    }
    pub fn as_str(&self) -> &str {
        let bytes = &self.bytes[..self.used];
        match std::str::from_utf8(bytes) {
            Ok(text) => text,
            // Cut off within a character.
            Err(e) => std::str::from_utf8(&bytes[..e.valid_up_to()]).unwrap_or(""),
        }
    }
}

impl Default for Line {
    fn default() -> Line {
        Line::EMPTY
    }
}

impl Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = &mut self.bytes[self.used..];
        let n = text.len().min(room.len());
        room[..n].copy_from_slice(&text.as_bytes()[..n]);
        self.used += n;
        Ok(())
    }
}

thread_local! {
    static LAST: Cell<Line> = const { Cell::new(Line::EMPTY) };
}

/// The text of a panic.
pub(crate) fn text(payload: &dyn Any) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("unknown reason")
}

/// Makes the line of a panic of the calling thread, and keeps it.
pub fn note(info: &PanicHookInfo<'_>) -> Line {
    let mut line = Line::EMPTY;
    // (A line takes whatever fits.)
    let _ = line.write_str("panicked at ");
    if let Some(place) = info.location() {
        let _ = write!(line, "{}:{}: ", place.file(), place.line());
    }
    let _ = line.write_str(text(info.payload()));
    // Not there any more when the thread ends: then nobody takes it.
    let _ = LAST.try_with(|l| l.set(line));
    line
}

/// The line of the calling thread's last panic, once; `None` if no hook has noted it.
pub fn take() -> Option<Line> {
    let line = LAST.try_with(|l| l.replace(Line::EMPTY)).ok()?;
    (line.used > 0).then_some(line)
}
