//! Reading terms (ISO 13211-1, 6 and 7.10).
//!
//! ```text
//! CharSource ──clause──▶ text of one clause ──lexer──▶ tokens ──parser──▶ Record
//! ```
//!
//! `clause` takes exactly one clause, up to its end token, from a source that only offers one character of
//! look-ahead; so a syntax error later on needs no resynchronisation, and tokens are made from a plain `&str`.
//! The layout after the end token is left in the source.
//!
//! Invariant: `clause` and `lexer` agree on where quoted items, comments, character codes and the end token are.
//!
//! Differs from SWI-Prolog in: a quoted atom may be an infix or postfix operator (as in ISO; not a prefix operator);
//! `-{a}` is read; digit groups take `_` only; no block operators; an error is placed at the
//! offending token, not behind the one before it.

mod clause;
mod ends;
mod lexer;
mod number;
mod parser;
mod positions;
mod source;
mod variables;

pub use ends::Ends;
pub use number::{parse_number, parse_number_or_error};
pub use source::{CharSource, Position, SourceError, StrSource};

use crate::ops::Operators;
use samite_term::{Record, growth, heavy};

/// What a quoted item that is not an atom stands for: flags `double_quotes` and `back_quotes`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QuoteKind {
    /// A list of character codes.
    Codes,
    /// A list of one-character atoms.
    Chars,
    /// An atom.
    Atom,
    /// A string.
    String,
}

/// The Prolog flags the reader depends on.
#[derive(Clone, Copy, Debug)]
pub struct ReadFlags {
    /// Meaning of `"…"`.
    pub double_quotes: QuoteKind,
    /// Meaning of back-quoted items.
    pub back_quotes: QuoteKind,
    /// Only names that start with `_` are variables.
    pub var_prefix: bool,
    /// Strict ISO: arguments and list elements have at most priority 999, `\newline` skips no layout.
    pub iso: bool,
    /// `{|Syntax||Text|}` is a quasi quotation.
    pub quasi_quotations: bool,
}

impl Default for ReadFlags {
    /// SWI-Prolog's defaults.
    fn default() -> Self {
        ReadFlags {
            double_quotes: QuoteKind::String,
            back_quotes: QuoteKind::Codes,
            var_prefix: false,
            iso: false,
            quasi_quotations: true,
        }
    }
}

/// What is wanted of a term besides it.
#[derive(Clone, Copy, Default, Debug)]
pub struct Wanted {
    /// Where its parts are in the text.
    pub positions: bool,
    /// The comments before and in it.
    pub comments: bool,
}

/// Where a quasi quotation is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QuasiPlace {
    /// Where its text begins.
    pub text: Position,
    /// Where the last character of its syntax is.
    pub syntax_end: Position,
}

/// A comment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comment {
    /// Where it begins.
    pub start: Position,
    /// With the characters that make it one, without the newline.
    pub text: String,
}

/// A term that was read.
#[derive(Clone, Debug)]
pub struct ReadTerm {
    /// `'$read'(Term, Variables, VariableNames, Singletons, Positions, Quasi)`: all variables in order of appearance, `Name = Var`
    /// for the named ones, `Name = Var` for those that appear once and whose name does not start with `_`; where its parts are,
    /// as SWI-Prolog's `subterm_positions` say it, or `[]` if nobody asks; `quasi(Syntax, Text, Result)` for each quasi quotation, for
    /// which the variable Result stands in the term.
    pub record: Record,
    /// Where the quasi quotations are.
    pub quasi: Vec<QuasiPlace>,
    /// The comments before and in it, if they are asked for.
    pub comments: Vec<Comment>,
    /// Where the first token of the term starts.
    pub start: Position,
    /// Behind the end token.
    pub end: Position,
    /// There was no further term; it is `end_of_file`.
    pub is_eof: bool,
}

/// Why a term could not be read.
#[derive(Debug)]
pub enum ReadError {
    /// The text is not a term. The whole clause has been consumed.
    Syntax(SyntaxError),
    /// The source failed.
    Source(SourceError),
    /// There is no memory for it.
    Memory,
}

/// What is wrong with a text and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    /// SWI-Prolog's name of the error, such as `operator_expected`.
    pub message: &'static str,
    /// The argument of the error term where it has one: `undefined_char_escape(z)`, `end_of_file_in_quoted('\'')`.
    pub argument: Option<Box<str>>,
    /// Where the term begins.
    pub start: Position,
    /// Where the offending token or character is.
    pub position: Position,
    /// The text around the place, at most some 800 characters.
    pub text: Box<str>,
    /// Offset of the place in `text`, in characters.
    pub text_offset: usize,
    /// What else is worth saying.
    pub note: Option<Note>,
}

/// Where the reason of a syntax error may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Note {
    /// A bracket that was opened there (line, column) and not closed.
    Opened(char, u32, u32),
    /// The line on which the term begins, which has run on to the error's for want of an end.
    Begins(u32),
    /// The same, for want of a quote: what is opened last and not closed may be what lies between two quoted items.
    BeginsQuoted(u32),
}

impl std::fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let p = &self.position;
        write!(f, "{}:{}: {}", p.line, p.column, self.message)?;
        if let Some(a) = &self.argument {
            write!(f, "({a})")?;
        }
        Ok(())
    }
}

impl std::error::Error for SyntaxError {}

impl From<SourceError> for ReadError {
    fn from(e: SourceError) -> Self {
        ReadError::Source(e)
    }
}

/// A fault at an offset into the text at hand.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub message: &'static str,
    pub argument: Option<String>,
    pub at: usize,
    /// Where the innermost open bracket is, if that it is open is the fault.
    pub opened: Option<usize>,
}

impl Fault {
    pub(crate) fn new(message: &'static str, at: usize) -> Fault {
        Fault {
            message,
            argument: None,
            at,
            opened: None,
        }
    }
    pub(crate) fn with(message: &'static str, argument: impl Into<String>, at: usize) -> Fault {
        Fault {
            message,
            argument: Some(argument.into()),
            at,
            opened: None,
        }
    }
    /// The error, given that `text` starts at `start`, with `column` characters before it on its line. The column of an error is
    /// a number of characters too.
    pub(crate) fn locate(self, text: &str, start: Position, column: u32) -> SyntaxError {
        let mut at = self.at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let place = |at: usize| {
            let mut position = start;
            let before = &text[..at];
            before.chars().for_each(|c| position.advance(c));
            position.column = match before.rfind('\n') {
                Some(line) => before[line + 1..].chars().count() as u32,
                None => column + before.chars().count() as u32,
            };
            position
        };
        let position = place(at);
        let note = match self.opened {
            Some(open) => {
                let opened = place(open);
                let bracket = text[open..].chars().next().unwrap_or('(');
                Some(Note::Opened(bracket, opened.line, opened.column))
            }
            None => {
                let line = &text[..at];
                let line = &line[line.rfind('\n').map_or(0, |i| i + 1)..];
                let begins = match self.message {
                    "operator_expected" if line.trim().is_empty() => Some(Note::Begins(start.line)),
                    "end_of_file" => Some(Note::Begins(start.line)),
                    "end_of_file_in_quoted" => Some(Note::BeginsQuoted(start.line)),
                    _ => None,
                };
                begins.filter(|_| position.line > start.line)
            }
        };
        let (excerpt, text_offset) = excerpt(text, at);
        SyntaxError {
            message: self.message,
            argument: self.argument.map(Into::into),
            start,
            position,
            text: excerpt.into(),
            text_offset,
            note,
        }
    }
}

/// Characters of context kept on each side of an error: a term that people write is shown as a whole.
const CONTEXT: usize = 400;

/// The text around offset `at`, cut to [`CONTEXT`] characters on each side, without the layout around it, and the place in it.
fn excerpt(text: &str, at: usize) -> (String, usize) {
    let (before, behind) = text.split_at(at);
    let from = before.char_indices().rev().nth(CONTEXT - 1);
    let to = behind.char_indices().nth(CONTEXT);
    let before = before[from.map_or(0, |(i, _)| i)..].trim_start();
    let behind = behind[..to.map_or(behind.len(), |(i, _)| i)].trim_end();
    ([before, behind].concat(), before.chars().count())
}

/// Reads one clause, up to and including its end token; the layout behind it stays in the source. At the end of
/// the source the term is `end_of_file`. After an error the clause has been consumed, so that reading can go on.
pub fn read_term<S: CharSource + ?Sized>(
    src: &mut S,
    ops: &Operators,
    flags: &ReadFlags,
) -> Result<ReadTerm, ReadError> {
    read_term_with(src, ops, flags, Wanted::default())
}

/// As [`read_term`], with what else is wanted.
pub fn read_term_with<S: CharSource + ?Sized>(
    src: &mut S,
    ops: &Operators,
    flags: &ReadFlags,
    wanted: Wanted,
) -> Result<ReadTerm, ReadError> {
    let clause = clause::collect(src, wanted.comments, flags.quasi_quotations)?;
    let ((record, quasi), is_eof) = match &clause.text {
        None => (
            (parser::end_of_file(clause.start.char_count), Vec::new()),
            true,
        ),
        Some(text) => {
            let place = TextPlace {
                start: clause.start,
                column: clause.column,
                positions: wanted.positions,
            };
            let ending = parser::Ending::Required;
            (parse(text, place, ops, flags, ending)?, false)
        }
    };
    Ok(ReadTerm {
        record,
        quasi,
        comments: clause.comments,
        start: clause.start,
        end: src.position(),
        is_eof,
    })
}

/// Where a text is, and whether it is asked where the parts of its term are.
struct TextPlace {
    start: Position,
    column: u32,
    positions: bool,
}

/// Parses the text of a term that is at `place`. What the parser makes grows with the text, and so does what the number library
/// does: without memory the work is abandoned, or panics.
fn parse(
    text: &str,
    place: TextPlace,
    ops: &Operators,
    flags: &ReadFlags,
    ending: parser::Ending,
) -> Result<(Record, Vec<QuasiPlace>), ReadError> {
    let TextPlace { start, column, .. } = place;
    let positions_from = place.positions.then_some(start.char_count);
    let parsed = heavy::guard(|| parser::parse(text, ops, flags, ending, positions_from))
        .map_err(|_| ReadError::Memory)?
        .map_err(|fault| ReadError::Syntax(fault.locate(text, start, column)))?;
    let mut quasi = growth::with_room(parsed.quasi.len()).map_err(|_| ReadError::Memory)?;
    let (mut position, mut at) = (start, 0);
    let mut place = |to: usize| {
        text[at..to].chars().for_each(|c| position.advance(c));
        at = to;
        position
    };
    for q in &parsed.quasi {
        quasi.push(QuasiPlace {
            syntax_end: place(q.syntax_end),
            text: place(q.text.start),
        });
    }
    Ok((parsed.record, quasi))
}

/// Reads a term from a text whose end token is optional. An empty text gives `end_of_file`; what is behind the end
/// token is ignored, as `term_to_atom/2` does.
pub fn parse_text(text: &str, ops: &Operators, flags: &ReadFlags) -> Result<ReadTerm, ReadError> {
    parse_text_with(text, ops, flags, Wanted::default())
}

/// As [`parse_text`], with what else is wanted.
pub fn parse_text_with(
    text: &str,
    ops: &Operators,
    flags: &ReadFlags,
    wanted: Wanted,
) -> Result<ReadTerm, ReadError> {
    let comments = match wanted.comments {
        true => clause::comments(text, flags.quasi_quotations)?,
        false => Vec::new(),
    };
    let layout = lexer::layout(text);
    let mut start = Position::default();
    text[..layout].chars().for_each(|c| start.advance(c));
    let mut end = start;
    text[layout..].chars().for_each(|c| end.advance(c));
    let is_eof = layout == text.len();
    let (record, quasi) = if is_eof {
        (parser::end_of_file(end.char_count), Vec::new())
    } else {
        let place = TextPlace {
            start: Position::default(),
            column: 0,
            positions: wanted.positions,
        };
        parse(text, place, ops, flags, parser::Ending::Optional)?
    };
    Ok(ReadTerm {
        record,
        quasi,
        comments,
        start,
        end,
        is_eof,
    })
}
