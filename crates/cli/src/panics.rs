//! What a panic prints: its line ([`panics`]), unless somebody waited for it ([`heavy::is_expected`]).

use samite_term::{heavy, panics};
use std::fmt::Write;
use std::io::Write as _;

/// From now on panics print their line.
pub fn install() {
    std::panic::set_hook(Box::new(|info| {
        let line = panics::note(info);
        if !heavy::is_expected(info.payload()) {
            print(line);
        }
    }));
}

fn print(line: panics::Line) {
    // In one piece, and without memory. Nobody to tell if that fails. Standard error is not buffered.
    let mut whole = panics::Line::default();
    let _ = write!(whole, "samite: {}", line.as_str());
    whole.end();
    let _ = std::io::stderr().write_all(whole.as_bytes());
}
