//! Where characters come from, and how positions are counted.
//!
//! A source may offer characters in advance ([`CharSource::at_hand`]), which are then taken many at a time: the same characters, in the same
//! order, as [`CharSource::next`] would give.

use std::str::Chars;

/// A place in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// Characters before it.
    pub char_count: u64,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 0; a tab moves to the next multiple of 8.
    pub column: u32,
    /// Bytes before it.
    pub byte_count: u64,
}

impl Default for Position {
    fn default() -> Self {
        Position {
            char_count: 0,
            line: 1,
            column: 0,
            byte_count: 0,
        }
    }
}

impl Position {
    /// Moves past `c` (as UTF-8).
    #[inline]
    pub fn advance(&mut self, c: char) {
        self.char_count += 1;
        if matches!(c, ' '..='~') {
            self.byte_count += 1;
            self.column += 1;
            return;
        }
        self.byte_count += c.len_utf8() as u64;
        match c {
            '\n' => {
                self.line += 1;
                self.column = 0;
            }
            '\r' => self.column = 0,
            '\t' => self.column = (self.column | 7) + 1,
            '\u{8}' => self.column = self.column.saturating_sub(1),
            _ => self.column += 1,
        }
    }
}

/// Why a source cannot deliver characters.
#[derive(Debug)]
pub enum SourceError {
    /// Input failed.
    Io(std::io::Error),
    /// The bytes are not text in the source's encoding.
    Encoding,
    /// Anything else, such as a time limit or an interrupt.
    Other(String),
}

impl std::fmt::Display for SourceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SourceError::Io(e) => e.fmt(f),
            SourceError::Encoding => f.write_str("invalid byte sequence"),
            SourceError::Other(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for SourceError {}

/// Characters with one of look-ahead.
pub trait CharSource {
    /// The next character without taking it; `None` at the end.
    fn peek(&mut self) -> Result<Option<char>, SourceError>;
    /// Takes the next character; `None` at the end.
    fn next(&mut self) -> Result<Option<char>, SourceError>;
    /// Where the next character is.
    fn position(&self) -> Position;
    /// Characters that come next, as far as they are there already; there may be more.
    fn at_hand(&self) -> &str {
        ""
    }
    /// Takes so many bytes of [`CharSource::at_hand`], which are visible ASCII characters and spaces.
    fn pass(&mut self, n: usize) {
        debug_assert_eq!(n, 0, "nothing is at hand");
    }
}

/// Characters of a text in memory.
#[derive(Clone, Debug)]
pub struct StrSource<'a> {
    rest: Chars<'a>,
    position: Position,
}

impl<'a> StrSource<'a> {
    /// A source at the start of `text`.
    pub fn new(text: &'a str) -> StrSource<'a> {
        StrSource {
            rest: text.chars(),
            position: Position::default(),
        }
    }
    /// What has not been taken yet.
    pub fn rest(&self) -> &'a str {
        self.rest.as_str()
    }
}

impl CharSource for StrSource<'_> {
    #[inline]
    fn peek(&mut self) -> Result<Option<char>, SourceError> {
        Ok(self.rest.clone().next())
    }
    #[inline]
    fn next(&mut self) -> Result<Option<char>, SourceError> {
        let c = self.rest.next();
        if let Some(c) = c {
            self.position.advance(c);
        }
        Ok(c)
    }
    fn position(&self) -> Position {
        self.position
    }
    #[inline]
    fn at_hand(&self) -> &str {
        self.rest()
    }
    #[inline]
    fn pass(&mut self, n: usize) {
        let rest = self.rest();
        debug_assert!(
            rest.as_bytes()[..n]
                .iter()
                .all(|b| (b' '..=b'~').contains(b))
        );
        self.rest = rest[n..].chars();
        self.position.char_count += n as u64;
        self.position.byte_count += n as u64;
        self.position.column += n as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_tabs_and_bytes() {
        let mut s = StrSource::new("aé\n\tb");
        while s.next().unwrap().is_some() {}
        let p = s.position();
        assert_eq!((p.char_count, p.line, p.column, p.byte_count), (5, 2, 9, 6));
    }
}
