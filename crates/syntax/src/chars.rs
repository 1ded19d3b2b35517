//! Character classes of Prolog text (ISO 13211-1, 6.5), extended to Unicode.
//!
//! ASCII is looked up in a table. Beyond it: what starts identifiers (Unicode's XID_Start) builds names, upper-case letters
//! start variables, white space is layout, what only continues identifiers (XID_Continue: combining marks, decimal digits) does so,
//! punctuation and symbols are symbol characters, and everything else (format characters, controls, what is not assigned) is
//! illegal outside of quotes. The decimal digits of all scripts make numbers.
//!
//! Invariants: the reader and the writer decide by the same classes, so what the writer leaves unquoted is one token. The general
//! category is asked first, so a code point that it does not know is not assigned, whatever newer tables say.

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

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
    /// Continues a name (combining marks, and decimal digits other than ASCII's, which also start numbers).
    Mark,
    /// Symbol characters: a run of them is one name.
    Symbol,
    /// `!`, `;`, `²`: a name on its own.
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
    use GeneralCategory as G;
    // (Circled and squared capitals are symbols, and two symbols are letters.)
    if unicode_ident::is_xid_start(c) {
        return match c.is_uppercase() {
            true => CharClass::Upper,
            false => CharClass::Lower,
        };
    }
    match c.general_category() {
        G::ConnectorPunctuation if unicode_ident::is_xid_continue(c) => CharClass::Mark,
        // The soft hyphen, and the superscripts and fractions of Latin-1, are names on their own.
        G::Format | G::OtherNumber if c <= '\u{ff}' => CharClass::Solo,
        G::Control | G::Format | G::PrivateUse | G::Surrogate | G::Unassigned => CharClass::Illegal,
        G::SpaceSeparator | G::LineSeparator | G::ParagraphSeparator => CharClass::Layout,
        G::ConnectorPunctuation
        | G::DashPunctuation
        | G::OpenPunctuation
        | G::ClosePunctuation
        | G::InitialPunctuation
        | G::FinalPunctuation
        | G::OtherPunctuation
        | G::MathSymbol
        | G::CurrencySymbol
        | G::ModifierSymbol
        | G::OtherSymbol => CharClass::Symbol,
        _ if unicode_ident::is_xid_continue(c) => CharClass::Mark,
        _ => CharClass::Illegal,
    }
}

/// Whether the character leaves ink, as the C library's locales of today have it: it is assigned, no control and no space, except those spaces
/// that no line is broken at.
pub fn is_graph(c: char) -> bool {
    use GeneralCategory as G;
    match c {
        '!'..='~' => true,
        '\0'..='\u{9f}' => false,
        '\u{a0}' | '\u{2007}' | '\u{202f}' => true,
        _ => !matches!(
            c.general_category(),
            G::Control
                | G::Surrogate
                | G::Unassigned
                | G::SpaceSeparator
                | G::LineSeparator
                | G::ParagraphSeparator
        ),
    }
}

/// Whether a character stands for itself in a quoted item: it can be seen, and is told from others.
pub(crate) fn is_visible(c: char) -> bool {
    use GeneralCategory as G;
    match c {
        ' '..='~' => true,
        '\0'..='\u{a0}' => false,
        _ => !matches!(
            c.general_category(),
            G::Control
                | G::Format
                | G::PrivateUse
                | G::Surrogate
                | G::Unassigned
                | G::SpaceSeparator
                | G::LineSeparator
                | G::ParagraphSeparator
        ),
    }
}

/// The value of a decimal digit of any script. The digits of a script are ten code points in order, and scripts that touch follow each other
/// without gap (Unicode's stability policy).
pub fn decimal_digit(c: char) -> Option<u32> {
    if c.is_ascii() {
        return c.to_digit(10);
    }
    let is_decimal = |c: char| c.general_category() == GeneralCategory::DecimalNumber;
    if !is_decimal(c) {
        return None;
    }
    let before = (0..c as u32)
        .rev()
        .take_while(|&x| char::from_u32(x).is_some_and(is_decimal))
        .count() as u32;
    Some(before % 10)
}

/// Whether the character has two case variants and is neither (`ǅ`).
pub fn is_titlecase(c: char) -> bool {
    !c.is_ascii() && c.general_category() == GeneralCategory::TitlecaseLetter
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

/// Letters of any script, and the digits of other scripts than Latin.
#[inline]
pub fn is_letter(c: char) -> bool {
    c.is_alphabetic() || (!c.is_ascii() && decimal_digit(c).is_some())
}

/// Symbol characters.
#[inline]
pub fn is_symbol(c: char) -> bool {
    class(c) == CharClass::Symbol
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
            ("éñλ日本ªǅⅰ℘℮", CharClass::Lower),
            ("ÉΩЖⅠ", CharClass::Upper),
            ("→∀€×😀·🅰Ⓐ", CharClass::Symbol),
            ("\u{a0}\u{2028}\u{3000}", CharClass::Layout),
            ("\u{301}\u{fe0f}٣‿＿", CharClass::Mark),
            ("²¾", CharClass::Solo),
            ("\u{feff}\u{85}\u{e000}\u{378}\u{2155}", CharClass::Illegal),
        ] {
            for c in text.chars() {
                assert_eq!(class(c), expected, "{c:?}");
            }
        }
        assert!(is_variable_start('Ω') && is_name_start('λ') && is_alnum('\u{301}'));
    }

    #[test]
    fn digits_of_all_scripts() {
        for text in [
            "0123456789",
            "٠١٢٣٤٥٦٧٨٩",
            "０１２３４５６７８９",
            "𝟘𝟙𝟚𝟛𝟜𝟝𝟞𝟟𝟠𝟡",
        ] {
            let values: Vec<_> = text.chars().filter_map(decimal_digit).collect();
            assert_eq!(values, (0..10).collect::<Vec<_>>());
        }
        assert_eq!(decimal_digit('²'), None);
        // The policy that decimal_digit/1 relies on.
        let mut run = 0;
        for c in (0..=0x10ffff).filter_map(char::from_u32) {
            if !c.is_ascii() && decimal_digit(c).is_some() {
                run += 1;
            } else {
                assert_eq!(run % 10, 0, "before {c:?}");
                run = 0;
            }
        }
    }

    /// No table knows more characters than the one that is asked first.
    #[test]
    fn one_unicode() {
        let (major, _, _) = unicode_properties::UNICODE_VERSION;
        assert!(major >= u64::from(char::UNICODE_VERSION.0));
        for c in (0x80..=0x10ffff).filter_map(char::from_u32) {
            let assigned = c.general_category() != GeneralCategory::Unassigned;
            let known = c.is_alphabetic() || unicode_ident::is_xid_continue(c) || c.is_uppercase();
            assert!(assigned || !known, "{c:?}");
        }
    }
}
