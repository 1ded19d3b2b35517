//! Tokens (ISO 13211-1, 6.4).
//!
//! Works on a text in memory. ASCII is classified by table, byte by byte; other characters by [`crate::chars`].
//! Names are interned as they are read; the text of quoted items lands in one reused buffer.

use super::{Fault, ReadFlags, number};
use crate::chars::{CharClass, ascii_class, class, decimal_digit, is_alnum};
use samite_term::{Atom, Number, atoms, growth};

/// What a token is.
#[derive(Clone, Debug)]
pub(super) enum TokenKind<'t> {
    /// A name that is not quoted.
    Name(Atom),
    /// A quoted name.
    Quoted(Atom),
    /// A variable.
    Var(&'t str),
    /// A number without sign.
    Number(Number),
    /// A double-quoted item; its text is [`Lexer::quoted`].
    DoubleQuoted,
    /// A back-quoted item; its text is [`Lexer::quoted`].
    BackQuoted,
    /// `( ) [ ] { } , |`, and `[]`, `{}` and `{|` as `E`, `C` and `Q`.
    Punctuation(u8),
    /// The end token.
    End,
    /// The end of the text.
    Eof,
}

/// [`TokenKind::Punctuation`] of `[]`.
pub(super) const EMPTY_LIST: u8 = b'E';
/// [`TokenKind::Punctuation`] of `{}`.
pub(super) const EMPTY_BLOCK: u8 = b'C';
/// [`TokenKind::Punctuation`] of `{|`, which opens a quasi quotation.
pub(super) const QUASI_QUOTATION: u8 = b'Q';

/// A token and where it starts.
#[derive(Clone, Debug)]
pub(super) struct Token<'t> {
    pub kind: TokenKind<'t>,
    pub at: usize,
}

/// Makes tokens of a text.
pub(super) struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    pos: usize,
    flags: ReadFlags,
    /// The text of the last quoted item.
    pub quoted: String,
}

/// How much of a text, from its beginning, is layout and comments, as far as these are ones.
pub(super) fn layout(text: &str) -> usize {
    let mut lexer = Lexer::new(text, &ReadFlags::default());
    // What does not end is no comment: the parser will say so.
    let _ = lexer.skip_layout();
    lexer.pos
}

impl<'t> Lexer<'t> {
    pub fn new(text: &'t str, flags: &ReadFlags) -> Lexer<'t> {
        Lexer {
            text,
            bytes: text.as_bytes(),
            pos: 0,
            flags: *flags,
            quoted: String::new(),
        }
    }

    /// A part of the text.
    pub fn slice(&self, range: std::ops::Range<usize>) -> &'t str {
        &self.text[range]
    }
    /// Where the last character before `at` is that is no layout.
    pub fn last_before(&self, at: usize) -> usize {
        let before = self.text[..at].trim_end();
        before.char_indices().next_back().map_or(0, |(i, _)| i)
    }
    /// Behind the last token.
    #[inline]
    pub fn offset(&self) -> usize {
        self.pos
    }
    /// Whether the last token is directly followed by `(`.
    #[inline]
    pub fn at_open(&self) -> bool {
        self.bytes.get(self.pos) == Some(&b'(')
    }
    /// Whether the last token is directly followed by `{`.
    #[inline]
    pub fn at_curly(&self) -> bool {
        self.bytes.get(self.pos) == Some(&b'{')
    }
    /// Whether the name at `at` is the tag of a dict if `{` follows: it is quoted, or begins with a letter.
    pub fn is_tag(&self, at: usize) -> bool {
        let class = self.class_at(at).map(|(class, _)| class);
        matches!(class, Some(CharClass::Lower | CharClass::Upper))
            || self.bytes.get(at) == Some(&b'\'')
    }
    /// Whether the name of symbol characters at `at` is the tag of a dict, as the `{` that [`Lexer::at_curly`] saw and what follows it, `}` or a key
    /// and its colon, look like one: else it is an operator before a term in curly brackets.
    pub fn is_dict_ahead(&self, at: usize) -> bool {
        if !matches!(self.class_at(at), Some((CharClass::Symbol, _))) {
            return false;
        }
        let mut ahead = Lexer::new(self.text, &self.flags);
        ahead.pos = self.pos + 1;
        let mut next = || ahead.next().ok().map(|token| token.kind);
        let key = match next() {
            Some(TokenKind::Punctuation(b'}')) => return true,
            Some(TokenKind::Name(atoms::MINUS)) => match next() {
                Some(TokenKind::Number(_)) => next(),
                other => other,
            },
            Some(
                TokenKind::Name(_)
                | TokenKind::Quoted(_)
                | TokenKind::Number(_)
                | TokenKind::Punctuation(EMPTY_LIST | EMPTY_BLOCK),
            ) => next(),
            _ => None,
        };
        matches!(key, Some(TokenKind::Name(atoms::COLON)))
    }
    /// Takes the bracket that [`Lexer::at_open`] or [`Lexer::at_curly`] saw; where it is.
    #[inline]
    pub fn skip_open(&mut self) -> usize {
        self.pos += 1;
        self.pos - 1
    }
    /// Whether the last token is directly followed by a bar.
    #[inline]
    pub fn at_bar(&self) -> bool {
        self.bytes.get(self.pos) == Some(&b'|')
    }
    /// Takes the second bar of a quasi quotation, which [`Lexer::at_bar`] saw, and the text behind it with its end: where the text is.
    pub fn quasi_text(&mut self) -> Result<std::ops::Range<usize>, Fault> {
        let from = self.pos + 1;
        match self.text[from..].find("|}") {
            Some(n) => {
                self.pos = from + n + 2;
                Ok(from..from + n)
            }
            None => Err(Fault::new("end_of_file_in_quasi_quotation", from - 2)),
        }
    }
    /// Whether the last token is directly followed by a digit.
    #[inline]
    pub fn at_digit(&self) -> bool {
        self.bytes.get(self.pos).is_some_and(u8::is_ascii_digit)
    }

    fn char_at(&self, pos: usize) -> Option<char> {
        match self.bytes.get(pos) {
            Some(&b) if b < 128 => Some(b as char),
            Some(_) => self.text[pos..].chars().next(),
            None => None,
        }
    }

    /// The class of the character at `pos` and its length; `None` at the end.
    #[inline]
    fn class_at(&self, pos: usize) -> Option<(CharClass, usize)> {
        match self.bytes.get(pos) {
            Some(&b) if b < 128 => Some((ascii_class(b), 1)),
            Some(_) => {
                let c = self.text[pos..].chars().next()?;
                Some((class(c), c.len_utf8()))
            }
            None => None,
        }
    }

    /// Moves past characters of a name.
    #[inline]
    fn skip_alnum(&mut self) {
        loop {
            match self.bytes.get(self.pos) {
                Some(&b) if b.is_ascii_alphanumeric() || b == b'_' => self.pos += 1,
                Some(&b) if b >= 128 => match self.char_at(self.pos) {
                    Some(c) if is_alnum(c) => self.pos += c.len_utf8(),
                    _ => return,
                },
                _ => return,
            }
        }
    }

    fn skip_symbols(&mut self) {
        while let Some((CharClass::Symbol, len)) = self.class_at(self.pos) {
            self.pos += len;
        }
    }

    /// Moves past layout and comments.
    fn skip_layout(&mut self) -> Result<(), Fault> {
        loop {
            match self.bytes.get(self.pos) {
                Some(b' ' | b'\n' | b'\t' | b'\r' | 0xb | 0xc) => self.pos += 1,
                Some(b'%') => {
                    let rest = &self.bytes[self.pos..];
                    let line = rest.iter().position(|&b| b == b'\n');
                    self.pos += line.unwrap_or(rest.len());
                }
                Some(b'/') if self.bytes.get(self.pos + 1) == Some(&b'*') => {
                    match self.text[self.pos + 2..].find("*/") {
                        Some(n) => self.pos += n + 4,
                        None => return Err(Fault::new("end_of_file_in_block_comment", self.pos)),
                    }
                }
                Some(&b) if b >= 128 => match self.class_at(self.pos) {
                    Some((CharClass::Layout, len)) => self.pos += len,
                    _ => return Ok(()),
                },
                _ => return Ok(()),
            }
        }
    }

    /// The next token.
    pub fn next(&mut self) -> Result<Token<'t>, Fault> {
        self.skip_layout()?;
        let at = self.pos;
        let Some((class, len)) = self.class_at(at) else {
            return Ok(Token {
                kind: TokenKind::Eof,
                at,
            });
        };
        self.pos += len;
        let kind = match class {
            CharClass::Lower => {
                self.skip_alnum();
                TokenKind::Name(Atom::of(&self.text[at..self.pos]))
            }
            CharClass::Upper => {
                self.skip_alnum();
                let name = &self.text[at..self.pos];
                if self.flags.var_prefix && !name.starts_with('_') {
                    TokenKind::Name(Atom::of(name))
                } else {
                    TokenKind::Var(name)
                }
            }
            CharClass::Digit => TokenKind::Number(self.number(at)?),
            CharClass::Mark if starts_number(&self.text[at..]) => {
                TokenKind::Number(self.number(at)?)
            }
            CharClass::Symbol => self.symbol(at),
            CharClass::Solo => TokenKind::Name(Atom::of(&self.text[at..self.pos])),
            CharClass::Punctuation => self.punctuation(at)?,
            CharClass::Quote => self.quoted_item(at)?,
            CharClass::Layout | CharClass::Percent | CharClass::Mark | CharClass::Illegal => {
                return Err(Fault::new("illegal_character", at));
            }
        };
        Ok(Token { kind, at })
    }

    /// The number that starts at `at`, which is a digit.
    pub fn number(&mut self, at: usize) -> Result<Number, Fault> {
        let (number, end) = number::scan(self.text, at)?;
        self.pos = end;
        Ok(number)
    }

    fn symbol(&mut self, at: usize) -> TokenKind<'t> {
        if self.bytes[at] == b'.' {
            match self.class_at(self.pos) {
                None | Some((CharClass::Layout | CharClass::Percent, _)) => return TokenKind::End,
                _ => {}
            }
        }
        self.skip_symbols();
        TokenKind::Name(Atom::of(&self.text[at..self.pos]))
    }

    /// Recognises `[]` and `{}`, which may have layout inside.
    fn punctuation(&mut self, at: usize) -> Result<TokenKind<'t>, Fault> {
        let open = self.bytes[at];
        if open == b'{' && self.flags.quasi_quotations && self.at_bar() {
            self.pos += 1;
            return Ok(TokenKind::Punctuation(QUASI_QUOTATION));
        }
        let (close, empty) = match open {
            b'[' => (b']', EMPTY_LIST),
            b'{' => (b'}', EMPTY_BLOCK),
            _ => return Ok(TokenKind::Punctuation(open)),
        };
        self.skip_layout()?;
        if self.bytes.get(self.pos) == Some(&close) {
            self.pos += 1;
            Ok(TokenKind::Punctuation(empty))
        } else {
            Ok(TokenKind::Punctuation(open))
        }
    }

    /// The quoted item whose opening quote is at `at`.
    fn quoted_item(&mut self, at: usize) -> Result<TokenKind<'t>, Fault> {
        let quote = self.bytes[at];
        self.quoted.clear();
        loop {
            let rest = &self.bytes[self.pos..];
            let Some(n) = rest.iter().position(|&b| b == quote || b == b'\\') else {
                return Err(Fault::with("end_of_file_in_quoted", quote as char, at));
            };
            growth::must(
                growth::push_text(&mut self.quoted, &self.text[self.pos..self.pos + n]).is_ok(),
            );
            self.pos += n;
            if self.bytes[self.pos] == b'\\' {
                let (c, end) = escape(self.text, self.pos, self.flags.iso)?;
                self.quoted.extend(c);
                self.pos = end;
            } else if self.bytes.get(self.pos + 1) == Some(&quote) {
                self.quoted.push(quote as char);
                self.pos += 2;
            } else {
                self.pos += 1;
                break;
            }
        }
        Ok(match quote {
            b'\'' => TokenKind::Quoted(Atom::of(&self.quoted)),
            b'"' => TokenKind::DoubleQuoted,
            _ => TokenKind::BackQuoted,
        })
    }
}

/// Decodes the escape sequence whose backslash is at `at`: its character, if it stands for one, and where it ends.
pub(super) fn escape(text: &str, at: usize, iso: bool) -> Result<(Option<char>, usize), Fault> {
    let mut rest = text[at + 1..].chars();
    let Some(c) = rest.next() else {
        return Err(Fault::new("end_of_file", at));
    };
    // A line may end in carriage return and newline.
    let (c, after) = match c {
        '\r' if rest.as_str().starts_with('\n') => ('\n', at + 3),
        _ => (c, at + 1 + c.len_utf8()),
    };
    let simple = match c {
        'a' => '\u{7}',
        'b' => '\u{8}',
        'e' => '\u{1b}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        's' => ' ',
        't' => '\t',
        'v' => '\u{b}',
        '\\' | '\'' | '"' | '`' => c,
        '\n' if iso => return Ok((None, after)),
        '\n' => {
            let skipped = text[after..].find(|c| c == '\n' || !char::is_whitespace(c));
            return Ok((None, skipped.map_or(text.len(), |n| after + n)));
        }
        'c' => {
            let skipped = text[after..].find(|c| !char::is_whitespace(c));
            return Ok((None, skipped.map_or(text.len(), |n| after + n)));
        }
        'x' => return numeric_escape(text, at, after, 16),
        '0'..='7' => return numeric_escape(text, at, after - 1, 8),
        'u' => return fixed_escape(text, at, after, 4),
        'U' => return fixed_escape(text, at, after, 8),
        _ => return Err(Fault::with("undefined_char_escape", c, at)),
    };
    Ok((Some(simple), after))
}

/// `\xHH…\` and `\NNN\`; the closing backslash may be missing.
fn numeric_escape(
    text: &str,
    at: usize,
    digits: usize,
    radix: u32,
) -> Result<(Option<char>, usize), Fault> {
    let tail = &text[digits..];
    let n = tail
        .find(|c: char| !c.is_digit(radix))
        .unwrap_or(tail.len());
    if n == 0 {
        return Err(Fault::with("undefined_char_escape", "x", at));
    }
    let c = code(&tail[..n], radix, at)?;
    let closed = tail[n..].starts_with('\\');
    Ok((Some(c), digits + n + usize::from(closed)))
}

/// `\uXXXX` and `\UXXXXXXXX`.
fn fixed_escape(
    text: &str,
    at: usize,
    digits: usize,
    count: usize,
) -> Result<(Option<char>, usize), Fault> {
    match text.get(digits..digits + count) {
        Some(hex) if hex.bytes().all(|b| b.is_ascii_hexdigit()) => {
            Ok((Some(code(hex, 16, at)?), digits + count))
        }
        _ => Err(Fault::new("Illegal \\u or \\U sequence", at)),
    }
}

/// Whether the text starts with a decimal digit of some script.
pub(super) fn starts_number(text: &str) -> bool {
    text.chars()
        .next()
        .is_some_and(|c| decimal_digit(c).is_some())
}

fn code(digits: &str, radix: u32, at: usize) -> Result<char, Fault> {
    u32::from_str_radix(digits, radix)
        .ok()
        .and_then(char::from_u32)
        .ok_or_else(|| Fault::new("Illegal character code", at))
}
