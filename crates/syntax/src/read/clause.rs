//! Takes the text of one clause from a character source.
//!
//! This is a small scanner that knows just enough of the syntax to find the end token: quoted items, comments,
//! character codes (`0'c`), radix notation, runs of symbol characters and quasi quotations (`{|Syntax||Text|}`: what
//! stands before the double bar consists of tokens, the text does not).

use super::{CharSource, Comment, Fault, Position, ReadError, StrSource};
use crate::chars::{CharClass, class, is_alnum};
use samite_term::{common, growth};

/// The text of a clause.
pub(super) struct Clause {
    /// From its first token to its end token; `None` at the end of the source.
    pub text: Option<String>,
    /// Where the text starts.
    pub start: Position,
    /// How many characters are before it on its line.
    pub column: u32,
    /// The comments before and in it, if they are asked for.
    pub comments: Vec<Comment>,
}

/// Takes one clause. Layout and comments before it are skipped, and written down if somebody asks.
pub(super) fn collect<S: CharSource + ?Sized>(
    src: &mut S,
    comments: bool,
    quasi_quotations: bool,
) -> Result<Clause, ReadError> {
    let mut scanner = Scanner {
        start: src.position(),
        src,
        quasi_quotations,
        in_syntax: false,
        text: String::with_capacity(500),
        line_begins: None,
        comments: comments.then(Vec::new),
    };
    let found = scanner.clause()?;
    let (start, column) = (scanner.start, scanner.column());
    Ok(Clause {
        text: found.then_some(scanner.text),
        start,
        column,
        comments: scanner.comments.unwrap_or_default(),
    })
}

/// The comments of a text up to its end token, or its end.
pub(super) fn comments(text: &str, quasi_quotations: bool) -> Result<Vec<Comment>, ReadError> {
    let mut source = StrSource::new(text);
    let start = source.position();
    let mut scanner = Scanner {
        src: &mut source,
        quasi_quotations,
        in_syntax: false,
        text: String::new(),
        start,
        line_begins: None,
        comments: Some(Vec::new()),
    };
    match scanner.clause() {
        Err(ReadError::Memory) => Err(ReadError::Memory),
        // (The end token may be missing. What else is wrong the parser says.)
        _ => Ok(scanner.comments.unwrap_or_default()),
    }
}

struct Scanner<'s, S: ?Sized> {
    src: &'s mut S,
    text: String,
    start: Position,
    /// Characters before the line that the clause starts on, if that line begins behind the clause before.
    line_begins: Option<u64>,
    /// The comments so far, if somebody asks for them.
    comments: Option<Vec<Comment>>,
    /// Whether `{|` opens a quasi quotation.
    quasi_quotations: bool,
    /// Behind the `{|` of one, before its double bar.
    in_syntax: bool,
}

impl<S: CharSource + ?Sized> Scanner<'_, S> {
    /// Takes a character into the text.
    #[inline]
    fn bump(&mut self) -> Result<Option<char>, ReadError> {
        if let Some(&b) = self.src.at_hand().as_bytes().first()
            && is_visible(b)
            && self.text.len() < self.text.capacity()
        {
            self.text.push(char::from(b));
            self.src.pass(1);
            return Ok(Some(char::from(b)));
        }
        self.bump_any()
    }
    // (Out of line: the way above saves no registers.)
    #[inline(never)]
    fn bump_any(&mut self) -> Result<Option<char>, ReadError> {
        let c = self.src.next()?;
        if let Some(c) = c {
            // (Room for any character: its length need not be known twice.)
            if !growth::text_room(&mut self.text, 4, common::system_has) {
                return Err(ReadError::Memory);
            }
            self.text.push(c);
        }
        Ok(c)
    }
    #[inline]
    fn peek(&mut self) -> Result<Option<char>, ReadError> {
        Ok(self.src.peek()?)
    }
    /// Takes characters into the text while they pass.
    #[inline]
    fn bump_while(&mut self, test: impl Fn(char) -> bool) -> Result<(), ReadError> {
        let ahead = self.src.at_hand();
        let plain = |&b: &u8| is_visible(b) && test(char::from(b));
        let run = ahead.bytes().position(|b| !plain(&b));
        let run = run.unwrap_or(ahead.len());
        if run > 0 {
            growth::push_text(&mut self.text, &ahead[..run]).map_err(|_| ReadError::Memory)?;
            self.src.pass(run);
        }
        while self.peek()?.is_some_and(&test) {
            self.bump()?;
        }
        Ok(())
    }
    fn fail<T>(&self, fault: Fault) -> Result<T, ReadError> {
        Err(ReadError::Syntax(fault.locate(
            &self.text,
            self.start,
            self.column(),
        )))
    }
    /// The characters before the clause on its line. (A position's column is that of a terminal: tabs count more.)
    fn column(&self) -> u32 {
        match (self.line_begins, self.start.line) {
            (Some(begins), _) => (self.start.char_count - begins) as u32,
            // (What is called the first line may not be the stream's.)
            (None, 1) => (self.start.char_count as u32).min(self.start.column),
            (None, _) => self.start.column,
        }
    }
    /// What has been taken so far is before the clause.
    fn skip(&mut self) {
        if let Some(line) = self.text.rfind('\n') {
            let behind = self.text[line + 1..].chars().count() as u64;
            self.line_begins = Some(self.src.position().char_count - behind);
        }
        self.text.clear();
    }

    /// What has been taken from `at` on is a comment that began at `start`.
    fn comment(&mut self, start: Option<Position>, at: usize) -> Result<(), ReadError> {
        if let (Some(start), Some(comments)) = (start, &mut self.comments) {
            let mut text = String::new();
            growth::push_text(&mut text, &self.text[at..]).map_err(|_| ReadError::Memory)?;
            growth::push(comments, Comment { start, text }).map_err(|_| ReadError::Memory)?;
        }
        Ok(())
    }

    /// Whether there is a clause.
    fn clause(&mut self) -> Result<bool, ReadError> {
        loop {
            let at = self.text.len();
            if at == 0 {
                self.start = self.src.position();
            }
            let begins = self.comments.is_some().then(|| self.src.position());
            let Some(c) = self.bump()? else {
                if at == 0 {
                    return Ok(false);
                }
                let end = self.text.trim_end().len();
                return self.fail(Fault::new("end_of_file", end));
            };
            match class(c) {
                CharClass::Layout if at == 0 => self.skip(),
                CharClass::Layout => self.bump_while(|c| c == ' ')?,
                CharClass::Lower | CharClass::Upper => self.bump_while(is_alnum)?,
                CharClass::Digit => self.number(c, at)?,
                CharClass::Symbol => {
                    let next = self.peek()?;
                    if c == '.' && next.is_none_or(|n| n == '%' || class(n) == CharClass::Layout) {
                        return Ok(true);
                    }
                    if c == '/' && next == Some('*') {
                        self.block_comment(at)?;
                        self.comment(begins, at)?;
                        if at == 0 {
                            self.skip();
                        }
                    } else {
                        self.bump_while(|n| class(n) == CharClass::Symbol)?;
                    }
                }
                CharClass::Percent => {
                    self.bump_while(|n| n != '\n')?;
                    self.comment(begins, at)?;
                    if at == 0 {
                        self.skip();
                    }
                }
                CharClass::Quote => self.quoted(c, at)?,
                CharClass::Punctuation if self.quasi_quotations => self.quasi_quotation(c, at)?,
                _ => {}
            }
        }
    }

    /// Behind the first digit of a number.
    fn number(&mut self, first: char, at: usize) -> Result<(), ReadError> {
        self.bump_while(is_alnum)?;
        if self.peek()? != Some('\'') {
            return Ok(());
        }
        if first == '0' && self.text.len() == at + 1 {
            self.bump()?;
            return self.char_code();
        }
        let radix = radix(&self.text[at..]);
        let quote = self.text.len();
        self.bump()?;
        match radix {
            Some(radix) if self.peek()?.is_some_and(|c| c.is_digit(radix)) => {
                self.bump_while(is_alnum)
            }
            _ => self.quoted('\'', quote),
        }
    }

    /// Behind `0'`.
    fn char_code(&mut self) -> Result<(), ReadError> {
        match self.bump()? {
            Some('\'') if self.peek()? == Some('\'') => {
                self.bump()?;
            }
            Some('\\') => self.escape()?,
            _ => {}
        }
        Ok(())
    }

    /// Behind the backslash of an escape sequence.
    fn escape(&mut self) -> Result<(), ReadError> {
        match self.bump()? {
            Some('x') => {
                self.bump_while(|c| c.is_ascii_hexdigit())?;
                self.closing_backslash()
            }
            Some('0'..='7') => {
                self.bump_while(|c| c.is_digit(8))?;
                self.closing_backslash()
            }
            _ => Ok(()),
        }
    }

    fn closing_backslash(&mut self) -> Result<(), ReadError> {
        if self.peek()? == Some('\\') {
            self.bump()?;
        }
        Ok(())
    }

    /// Behind an opening quote, up to the closing one (a doubled quote just starts the next item).
    fn quoted(&mut self, quote: char, at: usize) -> Result<(), ReadError> {
        loop {
            self.bump_while(|c| c != quote && c != '\\')?;
            match self.bump()? {
                Some('\\') => self.escape()?,
                Some(c) if c == quote => return Ok(()),
                Some(_) => {}
                None => return self.fail(Fault::with("end_of_file_in_quoted", quote, at)),
            }
        }
    }

    /// Behind a character of punctuation, which may be of a quasi quotation.
    fn quasi_quotation(&mut self, c: char, at: usize) -> Result<(), ReadError> {
        match c {
            '{' if self.peek()? == Some('|') => {
                self.bump()?;
                self.in_syntax = true;
            }
            '|' if self.in_syntax && self.peek()? == Some('|') => {
                self.bump()?;
                self.in_syntax = false;
                return self.quoted_text(at);
            }
            _ => {}
        }
        Ok(())
    }

    /// Behind the double bar of a quasi quotation, up to its end.
    fn quoted_text(&mut self, at: usize) -> Result<(), ReadError> {
        loop {
            self.bump_while(|c| c != '|')?;
            match self.bump()? {
                Some(_) if self.peek()? == Some('}') => {
                    self.bump()?;
                    return Ok(());
                }
                Some(_) => {}
                None => return self.fail(Fault::new("end_of_file_in_quasi_quotation", at)),
            }
        }
    }

    /// Behind `/` of `/*`.
    fn block_comment(&mut self, at: usize) -> Result<(), ReadError> {
        self.bump()?;
        loop {
            match self.bump()? {
                Some('*') if self.peek()? == Some('/') => {
                    self.bump()?;
                    return Ok(());
                }
                Some(_) => {}
                None => return self.fail(Fault::new("end_of_file_in_block_comment", at)),
            }
        }
    }
}

/// A visible ASCII character or a space.
fn is_visible(b: u8) -> bool {
    (b' '..=b'~').contains(&b)
}

/// The radix that digits before a quote stand for.
pub(super) fn radix(digits: &str) -> Option<u32> {
    if digits.len() > 2 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok().filter(|r| (2..=36).contains(r))
}
