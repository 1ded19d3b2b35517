//! Quoting of atoms and strings.

use super::WriteOptions;
use crate::chars::{CharClass, ascii_class, class, is_alnum, is_visible};
use std::fmt::Write;

/// Whether an atom of this text is one token without quotes. (The text `[]` is not: unquoted it is the empty list.)
pub fn is_plain_atom(text: &str) -> bool {
    let bytes = text.as_bytes();
    let Some(&first) = bytes.first() else {
        return false;
    };
    if first < 128 {
        match ascii_class(first) {
            CharClass::Lower => {
                if bytes
                    .iter()
                    .all(|b| b.is_ascii_alphanumeric() || *b == b'_')
                {
                    return true;
                }
            }
            CharClass::Symbol => {}
            CharClass::Solo => return text.len() == 1,
            _ => return text == "{}",
        }
    }
    let Some(first) = text.chars().next() else {
        return false;
    };
    match class(first) {
        CharClass::Lower => text.chars().all(is_alnum),
        CharClass::Solo => text.chars().nth(1).is_none(),
        CharClass::Symbol => {
            text != "."
                && !text.starts_with("/*")
                && text.chars().all(|c| class(c) == CharClass::Symbol)
        }
        _ => false,
    }
}

/// Appends an atom of this text, quoted if it needs to be.
pub fn quote_atom(out: &mut String, text: &str) {
    if is_plain_atom(text) {
        out.push_str(text);
    } else {
        quote(out, text, '\'', &WriteOptions::default());
    }
}

/// Appends a string in double quotes.
pub fn quote_string(out: &mut String, text: &str) {
    quote(out, text, '"', &WriteOptions::default());
}

/// Appends `text` between quotes.
pub(super) fn quote(out: &mut String, text: &str, quote: char, options: &WriteOptions) {
    out.push(quote);
    let mut rest = text;
    // What lies between special characters is copied at once.
    while let Some(n) =
        rest.find(|c| c == quote || c == '\\' || !is_visible(c) || c > options.highest)
    {
        out.push_str(&rest[..n]);
        let mut tail = rest[n..].chars();
        if let Some(c) = tail.next() {
            special(out, c, quote, options);
        }
        rest = tail.as_str();
    }
    out.push_str(rest);
    out.push(quote);
}

fn special(out: &mut String, c: char, quote: char, options: &WriteOptions) {
    if c == quote || c == '\\' {
        let doubled = c == quote && !options.character_escapes;
        out.push(if doubled { c } else { '\\' });
        out.push(c);
        return;
    }
    if !options.character_escapes {
        out.push(c);
        return;
    }
    let letter = match c {
        '\u{7}' => 'a',
        '\u{8}' => 'b',
        '\t' => 't',
        '\n' => 'n',
        '\u{b}' => 'v',
        '\u{c}' => 'f',
        '\r' => 'r',
        _ => {
            let code = u32::from(c);
            let written = if !options.character_escapes_unicode {
                write!(out, "\\x{code:X}\\")
            } else if code > 0xffff {
                write!(out, "\\U{code:08X}")
            } else {
                write!(out, "\\u{code:04X}")
            };
            debug_assert!(written.is_ok());
            return;
        }
    };
    out.push('\\');
    out.push(letter);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(text: &str) -> String {
        let mut out = String::new();
        quote_atom(&mut out, text);
        out
    }

    #[test]
    fn atoms_that_need_no_quotes() {
        for text in [
            "a", "aB_1", "é", "日本", "+", "->", "..", "+.", "//*", "→", "!", ";", "{}",
        ] {
            assert_eq!(quoted(text), text);
        }
    }

    #[test]
    fn atoms_that_need_quotes() {
        for (text, expected) in [
            ("", "''"),
            ("A", "'A'"),
            ("_a", "'_a'"),
            ("a b", "'a b'"),
            (".", "'.'"),
            ("/*", "'/*'"),
            (",", "','"),
            ("|", "'|'"),
            ("[]", "'[]'"),
            ("!!", "'!!'"),
            ("+a", "'+a'"),
            ("it's", "'it\\'s'"),
            ("a\\", "'a\\\\'"),
            ("a\nb\t", "'a\\nb\\t'"),
            ("\u{1b}\0", "'\\u001B\\u0000'"),
            ("\u{e000}\u{10ffff}", "'\\uE000\\U0010FFFF'"),
            ("%", "'%'"),
            ("\"", "'\"'"),
        ] {
            assert_eq!(quoted(text), expected);
        }
    }
}
