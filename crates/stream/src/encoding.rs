//! Encodings of text: bytes ↔ characters, and byte order marks.
//!
//! Decoding never fails: a byte sequence that is no character comes out as U+FFFD (in [`Encoding::Ascii`], as the
//! ISO Latin-1 character), marked so that the stream can count it. Encoding fails for a character that
//! the encoding does not have.

/// How characters are stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Encoding {
    /// Bytes; as text, codes 0..255.
    Octet,
    /// 7-bit characters.
    Ascii,
    /// ISO 8859-1.
    Latin1,
    /// UTF-8.
    Utf8,
    /// UTF-16, low byte first.
    Utf16Le,
    /// UTF-16, high byte first.
    Utf16Be,
}

/// What the front of a byte sequence is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Decoded {
    /// A character of so many bytes.
    Char(char, usize),
    /// So many bytes are no character; to be read as this.
    Bad(char, usize),
    /// More bytes are needed.
    Incomplete,
}

const REPLACEMENT: char = char::REPLACEMENT_CHARACTER;

impl Encoding {
    /// The encoding of this name, as `open/4` and `set_stream/2` take it. `text` is the locale's, always UTF-8.
    pub fn from_name(name: &str) -> Option<Encoding> {
        Some(match name {
            "octet" => Encoding::Octet,
            "ascii" | "us_ascii" => Encoding::Ascii,
            "iso_latin_1" => Encoding::Latin1,
            "utf8" | "text" => Encoding::Utf8,
            "utf16le" | "unicode_le" => Encoding::Utf16Le,
            "utf16be" | "unicode_be" => Encoding::Utf16Be,
            _ => return None,
        })
    }

    /// The name, as `stream_property/2` shows it.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Octet => "octet",
            Encoding::Ascii => "ascii",
            Encoding::Latin1 => "iso_latin_1",
            Encoding::Utf8 => "utf8",
            Encoding::Utf16Le => "utf16le",
            Encoding::Utf16Be => "utf16be",
        }
    }

    /// Whether every byte is a character.
    pub fn is_single_byte(self) -> bool {
        matches!(self, Encoding::Octet | Encoding::Ascii | Encoding::Latin1)
    }

    /// Whether a byte below 128 is always the ASCII character.
    pub(crate) fn extends_ascii(self) -> bool {
        !matches!(self, Encoding::Utf16Le | Encoding::Utf16Be)
    }

    /// Whether the encoding has this character.
    pub fn has(self, c: char) -> bool {
        match self {
            Encoding::Octet | Encoding::Latin1 => u32::from(c) < 0x100,
            Encoding::Ascii => c.is_ascii(),
            Encoding::Utf8 | Encoding::Utf16Le | Encoding::Utf16Be => true,
        }
    }

    /// The byte order mark; empty if the encoding has none.
    pub fn bom(self) -> &'static [u8] {
        match self {
            Encoding::Utf8 => b"\xef\xbb\xbf",
            Encoding::Utf16Le => b"\xff\xfe",
            Encoding::Utf16Be => b"\xfe\xff",
            _ => b"",
        }
    }

    /// The encoding whose byte order mark starts `bytes`.
    pub fn of_bom(bytes: &[u8]) -> Option<Encoding> {
        [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be]
            .into_iter()
            .find(|e| bytes.starts_with(e.bom()))
    }

    /// The text that these bytes are, all of it.
    pub fn text_of(self, bytes: &[u8]) -> String {
        let mut text = String::with_capacity(bytes.len());
        let mut rest = bytes;
        while !rest.is_empty() {
            let (c, n) = match self.decode(rest, true) {
                Decoded::Char(c, n) | Decoded::Bad(c, n) => (c, n),
                Decoded::Incomplete => (REPLACEMENT, rest.len()),
            };
            text.push(c);
            rest = &rest[n..];
        }
        text
    }

    /// A text in this encoding, if it has all of its characters.
    pub fn bytes_of(self, text: &str) -> Option<Vec<u8>> {
        let mut bytes = Vec::with_capacity(text.len());
        let all = text.chars().all(|c| self.encode(c, &mut bytes));
        all.then_some(bytes)
    }

    /// Decodes the first character of `bytes`, which is not empty. `last`: no more bytes will follow.
    #[inline]
    pub(crate) fn decode(self, bytes: &[u8], last: bool) -> Decoded {
        let first = bytes[0];
        match self {
            Encoding::Utf8 if first < 0x80 => Decoded::Char(char::from(first), 1),
            Encoding::Utf8 => decode_utf8(bytes, last),
            Encoding::Ascii if first >= 0x80 => Decoded::Bad(char::from(first), 1),
            Encoding::Octet | Encoding::Latin1 | Encoding::Ascii => {
                Decoded::Char(char::from(first), 1)
            }
            Encoding::Utf16Le => decode_utf16(bytes, last, u16::from_le_bytes),
            Encoding::Utf16Be => decode_utf16(bytes, last, u16::from_be_bytes),
        }
    }

    /// Appends a character; `false` if the encoding does not have it.
    #[inline]
    pub(crate) fn encode(self, c: char, out: &mut Vec<u8>) -> bool {
        if !self.has(c) {
            return false;
        }
        match self {
            Encoding::Utf8 => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            Encoding::Octet | Encoding::Latin1 | Encoding::Ascii => out.push(c as u8),
            Encoding::Utf16Le | Encoding::Utf16Be => {
                for &unit in c.encode_utf16(&mut [0; 2]).iter() {
                    out.extend_from_slice(&match self {
                        Encoding::Utf16Le => unit.to_le_bytes(),
                        _ => unit.to_be_bytes(),
                    });
                }
            }
        }
        true
    }
}

fn decode_utf8(bytes: &[u8], last: bool) -> Decoded {
    let length = match bytes[0] {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return Decoded::Bad(REPLACEMENT, 1),
    };
    let sequence = &bytes[..length.min(bytes.len())];
    match std::str::from_utf8(sequence) {
        Ok(text) => match text.chars().next() {
            Some(c) => Decoded::Char(c, length),
            None => Decoded::Bad(REPLACEMENT, 1),
        },
        Err(e) => match e.error_len() {
            Some(bad) => Decoded::Bad(REPLACEMENT, bad),
            None if last => Decoded::Bad(REPLACEMENT, sequence.len()),
            None => Decoded::Incomplete,
        },
    }
}

fn decode_utf16(bytes: &[u8], last: bool, unit: fn([u8; 2]) -> u16) -> Decoded {
    let short = |n| {
        if last {
            Decoded::Bad(REPLACEMENT, n)
        } else {
            Decoded::Incomplete
        }
    };
    let [a, b, rest @ ..] = bytes else {
        return short(bytes.len());
    };
    let high = unit([*a, *b]);
    match high {
        0xd800..=0xdbff => {
            let [c, d, ..] = rest else {
                return short(bytes.len());
            };
            match char::decode_utf16([high, unit([*c, *d])]).next() {
                Some(Ok(c)) => Decoded::Char(c, 4),
                _ => Decoded::Bad(REPLACEMENT, 2),
            }
        }
        _ => match char::from_u32(u32::from(high)) {
            Some(c) => Decoded::Char(c, 2),
            None => Decoded::Bad(REPLACEMENT, 2),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Encoding; 6] = [
        Encoding::Octet,
        Encoding::Ascii,
        Encoding::Latin1,
        Encoding::Utf8,
        Encoding::Utf16Le,
        Encoding::Utf16Be,
    ];

    #[test]
    fn characters_round_trip_wherever_they_exist() {
        for e in ALL {
            assert_eq!(Encoding::from_name(e.name()), Some(e));
            for c in [
                '\0',
                'a',
                '\x7f',
                'é',
                'ÿ',
                'Ā',
                '日',
                '\u{ffff}',
                '😀',
                char::MAX,
            ] {
                let mut bytes = Vec::new();
                assert_eq!(e.encode(c, &mut bytes), e.has(c));
                if e.has(c) {
                    assert_eq!(e.decode(&bytes, false), Decoded::Char(c, bytes.len()));
                    for n in 1..bytes.len() {
                        assert_eq!(e.decode(&bytes[..n], false), Decoded::Incomplete);
                        assert_eq!(e.decode(&bytes[..n], true), Decoded::Bad(REPLACEMENT, n));
                    }
                }
            }
        }
    }

    #[test]
    fn bad_sequences_make_progress() {
        let utf8 = |b: &[u8]| Encoding::Utf8.decode(b, false);
        assert_eq!(utf8(b"\xff"), Decoded::Bad(REPLACEMENT, 1));
        assert_eq!(utf8(b"\xc3("), Decoded::Bad(REPLACEMENT, 1));
        assert_eq!(utf8(b"\xed\xa0\x80"), Decoded::Bad(REPLACEMENT, 1));
        assert_eq!(utf8(b"\xc0\x80"), Decoded::Bad(REPLACEMENT, 1));
        let lone = Encoding::Utf16Be.decode(b"\xd8\x00\x00a", false);
        assert_eq!(lone, Decoded::Bad(REPLACEMENT, 2));
        assert_eq!(Encoding::Ascii.decode(b"\xe9", false), Decoded::Bad('é', 1));
    }
}
