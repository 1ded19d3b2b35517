//! Where terms end in a text that comes bit by bit, without reading it again for each bit.
//!
//! *Equation*: after the same characters, [`Ends`] has seen as many end tokens as `clause::collect` finds by taking clause after clause, and
//! is [`Ends::is_blank`] where that would find no further one. The two differ only in who asks for the next character.

use super::clause::radix;
use crate::chars::{CharClass, class, is_alnum};

/// What the characters so far leave open.
#[derive(Clone, PartialEq, Eq, Debug)]
enum State {
    /// Between tokens.
    Plain,
    /// In a name, a variable, or a number that cannot be `0'c` or have a radix.
    Word,
    /// In a number, with its characters as far as a radix may have.
    Number(String),
    /// Behind the quote of `R'`, R being this radix.
    Radix(u32),
    /// Behind `0'`.
    CharCode,
    /// Behind `0''`.
    CharCodeQuote,
    /// In a quoted item.
    Quoted(char),
    /// Behind a backslash, in an item with this quote or, without, in `0'\c`.
    Escape(Option<char>),
    /// In the digits of an escape sequence, of this radix.
    Digits(u32, Option<char>),
    /// Behind a `.` that may be the end token.
    Dot,
    /// Behind a `/` that may begin a comment.
    Slash,
    /// In a symbol-character atom.
    Symbol,
    Line,
    Block,
    /// Behind a `*` in a block comment.
    BlockStar,
    /// Behind `{`.
    Brace,
    /// Behind a bar that is in the syntax of a quasi quotation.
    Bar,
    /// In the text of a quasi quotation.
    Quotation,
    /// Behind a bar there.
    QuotationBar,
}

/// See the module text.
#[derive(Clone, Debug)]
pub struct Ends {
    state: State,
    /// Whether a term has begun that has not ended.
    begun: bool,
    /// Behind the `{|` of a quasi quotation, before its double bar.
    in_syntax: bool,
    seen: usize,
}

impl Default for Ends {
    fn default() -> Self {
        Ends {
            state: State::Plain,
            begun: false,
            in_syntax: false,
            seen: 0,
        }
    }
}

impl Ends {
    /// Adds a character. Whether it is the first one behind an end token: that is known only then.
    pub fn push(&mut self, c: char) -> bool {
        let before = self.seen;
        self.state = match std::mem::replace(&mut self.state, State::Plain) {
            State::Plain => self.begin(c),
            State::Word if is_alnum(c) => State::Word,
            State::Number(mut digits) if is_alnum(c) => {
                if digits.len() <= 2 {
                    digits.push(c);
                }
                State::Number(digits)
            }
            State::Number(digits) if c == '\'' && digits == "0" => State::CharCode,
            State::Number(digits) if c == '\'' => match radix(&digits) {
                Some(radix) => State::Radix(radix),
                None => State::Quoted('\''),
            },
            State::Radix(radix) if c.is_digit(radix) => State::Word,
            State::Radix(_) => quoted('\'', c),
            State::CharCode => match c {
                '\'' => State::CharCodeQuote,
                '\\' => State::Escape(None),
                _ => State::Plain,
            },
            State::CharCodeQuote if c == '\'' => State::Plain,
            State::Quoted(quote) => quoted(quote, c),
            State::Escape(within) => match c {
                'x' => State::Digits(16, within),
                '0'..='7' => State::Digits(8, within),
                _ => resume(within),
            },
            State::Digits(radix, within) if c.is_digit(radix) => State::Digits(radix, within),
            State::Digits(_, within) if c == '\\' => resume(within),
            State::Digits(_, Some(quote)) => quoted(quote, c),
            State::Dot if c == '%' || class(c) == CharClass::Layout => {
                self.seen += 1;
                self.begun = false;
                self.in_syntax = false;
                self.begin(c)
            }
            State::Brace if c == '|' => {
                self.in_syntax = true;
                State::Plain
            }
            State::Bar if c == '|' => {
                self.in_syntax = false;
                State::Quotation
            }
            State::QuotationBar if c == '}' => State::Plain,
            State::Quotation | State::QuotationBar => match c {
                '|' => State::QuotationBar,
                _ => State::Quotation,
            },
            State::Slash if c == '*' => State::Block,
            State::Dot | State::Slash | State::Symbol if class(c) == CharClass::Symbol => {
                self.begun = true;
                State::Symbol
            }
            State::Line if c != '\n' => State::Line,
            State::BlockStar if c == '/' => State::Plain,
            State::Block | State::BlockStar if c == '*' => State::BlockStar,
            State::Block | State::BlockStar => State::Block,
            State::Slash => {
                self.begun = true;
                self.begin(c)
            }
            _ => self.begin(c),
        };
        self.seen > before
    }

    /// Adds a text.
    pub fn push_str(&mut self, text: &str) {
        for c in text.chars() {
            self.push(c);
        }
    }

    /// The state behind the first character of a token, or of what is between tokens.
    fn begin(&mut self, c: char) -> State {
        let class = class(c);
        if !matches!(class, CharClass::Layout | CharClass::Percent) && c != '/' {
            self.begun = true;
        }
        match class {
            CharClass::Lower | CharClass::Upper => State::Word,
            CharClass::Digit => State::Number(c.to_string()),
            CharClass::Symbol if c == '.' => State::Dot,
            CharClass::Symbol if c == '/' => State::Slash,
            CharClass::Symbol => State::Symbol,
            CharClass::Percent => State::Line,
            CharClass::Quote => State::Quoted(c),
            CharClass::Punctuation if c == '{' => State::Brace,
            CharClass::Punctuation if c == '|' && self.in_syntax => State::Bar,
            _ => State::Plain,
        }
    }

    /// How many terms have ended, if what follows is layout or nothing.
    pub fn terms(&self) -> usize {
        self.seen + usize::from(self.state == State::Dot)
    }

    /// Whether nothing but layout and whole comments has followed the last term.
    pub fn is_blank(&self) -> bool {
        let within = matches!(self.state, State::Slash | State::Block | State::BlockStar);
        self.state == State::Dot || (!self.begun && !within)
    }

    /// The quote of the quoted item that has begun and not ended.
    pub fn quote(&self) -> Option<char> {
        match self.state {
            State::Quoted(quote) => Some(quote),
            State::Escape(within) | State::Digits(_, within) => within,
            _ => None,
        }
    }

    /// Whether a comment has begun that has not ended.
    pub fn in_comment(&self) -> bool {
        matches!(self.state, State::Line | State::Block | State::BlockStar)
    }
}

/// Behind a character of an item with this quote.
fn quoted(quote: char, c: char) -> State {
    match c {
        '\\' => State::Escape(Some(quote)),
        _ if c == quote => State::Plain,
        _ => State::Quoted(quote),
    }
}

/// Behind an escape sequence.
fn resume(within: Option<char>) -> State {
    within.map_or(State::Plain, State::Quoted)
}

#[cfg(test)]
mod tests {
    use super::Ends;
    use crate::read::{ReadError, StrSource, clause::collect};

    /// Ends found, and whether there is no further term, by the reader's own scanner.
    fn by_clauses(text: &str) -> (usize, bool) {
        let mut source = StrSource::new(text);
        let mut terms = 0;
        loop {
            match collect(&mut source, false, true) {
                Ok(clause) if clause.text.is_none() => return (terms, true),
                Ok(_) => terms += 1,
                Err(ReadError::Syntax(_)) => return (terms, false),
                Err(e) => panic!("{e:?}"),
            }
        }
    }

    #[test]
    fn agrees_with_the_reader() {
        // Pieces that mean something in some context, put together at random.
        const PIECES: &[&str] = &[
            ".", ". ", ".\n", ".%", "%", "\n", " ", "/*", "*/", "*", "/", "'", "\"", "`", "\\",
            "\\x", "\\x41\\", "0'", "0", "16'", "37'", "1", "a", "f", "X", "é", "(", "]", ",", "|",
            "+", ".(", "0'\\", "0''", "\t", "!", "{", "}", "{|", "||", "|}",
        ];
        let mut seed = 7u64;
        let mut below = |n: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % n
        };
        for _ in 0..40_000 {
            let text: String = (0..1 + below(12))
                .map(|_| PIECES[below(PIECES.len())])
                .collect();
            let mut ends = Ends::default();
            ends.push_str(&text);
            assert_eq!(
                (ends.terms(), ends.is_blank()),
                by_clauses(&text),
                "{text:?}"
            );
        }
    }
}
