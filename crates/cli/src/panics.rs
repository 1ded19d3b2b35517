//! What a panic prints: one line, made without memory and without a trace of the stack.
//!
//! The library's own hook allocates and reads the debug information of the program, whatever the panic was; where memory is what is
//! missing it never ends. Panics that are caught on purpose ([`heavy::guard`]) print nothing.

use samite_term::heavy;
use std::fmt::{self, Write};
use std::io::Write as _;
use std::panic::PanicHookInfo;

/// A line in a fixed place; what does not fit is cut off.
struct Line {
    bytes: [u8; 512],
    used: usize,
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

/// From now on panics print their line.
pub fn install() {
    std::panic::set_hook(Box::new(|info| {
        if !heavy::is_guarded() {
            report(info);
        }
    }));
}

fn report(info: &PanicHookInfo) {
    let mut line = Line {
        bytes: [0; 512],
        used: 0,
    };
    let payload = info.payload();
    let text = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let _ = line.write_str("samite: panicked at ");
    if let Some(place) = info.location() {
        let _ = write!(line, "{}:{}: ", place.file(), place.line());
    }
    let _ = line.write_str(text.unwrap_or("unknown reason"));
    let used = line.used.min(line.bytes.len() - 1);
    line.bytes[used] = b'\n';
    // Nobody to tell if that fails. Standard error is not buffered.
    let _ = std::io::stderr().write_all(&line.bytes[..=used]);
}
