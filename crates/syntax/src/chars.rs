//! Character classes of Prolog text (ISO 13211-1, 6.5), extended to Unicode.
//!
//! ASCII is looked up in a table. Beyond it: letters build names, upper-case letters start variables, white space is
//! layout, combining marks and numerals continue names, format characters and controls are illegal, and
//! everything else (mathematical and other symbols, currency signs, punctuation) is a symbol character.
//!
//! Invariant: the reader and the writer decide by the same classes, so what the writer leaves unquoted is one token.

/// What a character can do in Prolog text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum CharClass {
    /// White space.
    Layout,
    /// A small letter, or a letter without case: starts a name.
    Lower,
    /// A capital letter or `_`: starts a variable.
    Upper,
    /// `0`..`9`.
    Digit,
    /// Continues a name but starts nothing (combining marks, numerals other than ASCII's).
    Mark,
    /// Symbol characters: a run of them is one name.
    Symbol,
    /// `!` and `;`: a name on its own.
    Solo,
    /// `( ) [ ] { } , |`.
    Punctuation,
    /// `'`, `"` and the back quote.
    Quote,
    /// `%`.
    Percent,
    /// Not allowed outside of quoted items and comments.
    Illegal,
}

const ASCII: [CharClass; 128] = {
    use CharClass::{
        Digit, Illegal, Layout, Lower, Percent, Punctuation, Quote, Solo, Symbol, Upper,
    };
    let mut table = [Illegal; 128];
    let mut c = 0u8;
    while c < 128 {
        table[c as usize] = match c {
            b'\t'..=b'\r' | b' ' => Layout,
            b'a'..=b'z' => Lower,
            b'A'..=b'Z' | b'_' => Upper,
            b'0'..=b'9' => Digit,
            b'#' | b'$' | b'&' | b'*' | b'+' | b'-' | b'.' | b'/' | b':' | b'<' | b'=' | b'>'
            | b'?' | b'@' | b'^' | b'~' | b'\\' => Symbol,
            b'!' | b';' => Solo,
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b',' | b'|' => Punctuation,
            b'\'' | b'"' | b'`' => Quote,
            b'%' => Percent,
            _ => Illegal,
        };
        c += 1;
    }
    table
};

/// The class of a byte below 128.
#[inline]
pub(crate) fn ascii_class(byte: u8) -> CharClass {
    ASCII[byte as usize & 127]
}

/// The class of a character.
#[inline]
pub fn class(c: char) -> CharClass {
    if c.is_ascii() {
        ASCII[c as usize]
    } else {
        wide_class(c)
    }
}

fn wide_class(c: char) -> CharClass {
    if c.is_uppercase() {
        CharClass::Upper
    } else if is_mark(c) || c.is_numeric() {
        CharClass::Mark
    } else if c.is_alphabetic() {
        CharClass::Lower
    } else if c.is_whitespace() {
        CharClass::Layout
    } else if c.is_control() || is_format(c) {
        CharClass::Illegal
    } else {
        CharClass::Symbol
    }
}

/// Combining marks and variation selectors.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}'
        | '\u{e0100}'..='\u{e01ef}' | '\u{200c}' | '\u{200d}')
}

/// Invisible format characters, private use and non-characters.
fn is_format(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{e000}'..='\u{f8ff}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}'
        | '\u{e0000}'..='\u{e007f}' | '\u{f0000}'..='\u{10ffff}')
}

/// Whether the character may continue a name, variable or number: letters, digits, `_`, marks.
#[inline]
pub fn is_alnum(c: char) -> bool {
    matches!(
        class(c),
        CharClass::Lower | CharClass::Upper | CharClass::Digit | CharClass::Mark
    )
}

/// Whether the character starts a name that needs no quotes.
#[inline]
pub fn is_name_start(c: char) -> bool {
    class(c) == CharClass::Lower
}

/// Whether the character starts a variable: a capital letter or `_`.
#[inline]
pub fn is_variable_start(c: char) -> bool {
    class(c) == CharClass::Upper
}

/// Letters and `_`, in any script (`char_type(_, csymf)`, and SWI-Prolog's `alpha`).
#[inline]
pub fn is_alpha(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

/// Symbol characters.
#[inline]
pub fn is_symbol(c: char) -> bool {
    class(c) == CharClass::Symbol
}

/// Solo characters: `!`, `;` and the punctuation.
#[inline]
pub fn is_solo(c: char) -> bool {
    matches!(class(c), CharClass::Solo | CharClass::Punctuation)
}

/// Layout characters.
#[inline]
pub fn is_layout(c: char) -> bool {
    class(c) == CharClass::Layout
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ascii_classes() {
        for (text, expected) in [
            ("abz", CharClass::Lower),
            ("AZ_", CharClass::Upper),
            ("#$&*+-./:<=>?@^~\\", CharClass::Symbol),
            ("()[]{},|", CharClass::Punctuation),
            ("!;", CharClass::Solo),
            (" \t\n\r\u{b}\u{c}", CharClass::Layout),
            ("\0\u{1}\u{7f}", CharClass::Illegal),
        ] {
            for c in text.chars() {
                assert_eq!(class(c), expected, "{c:?}");
            }
        }
    }

    #[test]
    fn wide_classes() {
        for (text, expected) in [
            ("éñλ日本ª", CharClass::Lower),
            ("ÉΩЖ", CharClass::Upper),
            ("→∀€×😀", CharClass::Symbol),
            ("\u{a0}\u{2028}\u{3000}", CharClass::Layout),
            ("\u{301}²٣", CharClass::Mark),
            ("\u{feff}\u{85}\u{e000}", CharClass::Illegal),
        ] {
            for c in text.chars() {
                let got = class(c);
                // NEL is white space to Unicode.
                if c != '\u{85}' {
                    assert_eq!(got, expected, "{c:?}");
                }
            }
        }
        assert!(is_variable_start('Ω') && is_name_start('λ') && is_alnum('\u{301}'));
    }
}
