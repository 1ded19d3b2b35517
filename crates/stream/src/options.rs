//! How streams are opened and behave: the options of `open/4` and `set_stream/2`.

use crate::encoding::Encoding;

/// Names of the variants of an option, as Prolog writes them.
macro_rules! names {
    ($type:ident: $($variant:ident = $name:literal),*) => {
        impl $type {
            /// The value of this name.
            pub fn from_name(name: &str) -> Option<$type> {
                match name {
                    $($name => Some($type::$variant),)*
                    _ => None,
                }
            }
            /// The name of the value.
            pub fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name,)*
                }
            }
        }
    };
}

/// Mode of opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// From the start, for input.
    Read,
    /// For output, from nothing.
    Write,
    /// For output, behind what is there.
    Append,
    /// For output, over what is there.
    Update,
}
names!(Mode: Read = "read", Write = "write", Append = "append", Update = "update");

/// Text or bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StreamType {
    /// Characters.
    Text,
    /// Bytes.
    Binary,
}
names!(StreamType: Text = "text", Binary = "binary");

/// What reading past the end does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EofAction {
    /// It is an error.
    Error,
    /// The end is reported again.
    EofCode,
    /// The source is asked again, as for a terminal.
    Reset,
}
names!(EofAction: Error = "error", EofCode = "eof_code", Reset = "reset");

/// When output leaves the buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Buffering {
    /// When the buffer is full.
    Full,
    /// Also after each line.
    Line,
    /// After each operation.
    None,
}
names!(Buffering: Full = "full", Line = "line", None = "false");

/// What ends a line outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Newline {
    /// LF.
    Posix,
    /// CR LF: written for a newline; on input, CR is skipped.
    Dos,
    /// Input: as [`Newline::Dos`] from the first CR on.
    Detect,
}
names!(Newline: Posix = "posix", Dos = "dos", Detect = "detect");

/// Strictness of text operations on binary streams and the other way round: flag `stream_type_check`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeCheck {
    /// ISO: each only on its own type.
    True,
    /// Only bytes of a text in a multi-byte encoding are refused.
    Loose,
    /// Everything goes.
    False,
}
names!(TypeCheck: True = "true", Loose = "loose", False = "false");

/// What writing a character does that the encoding does not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unrepresentable {
    /// It is an error.
    Error,
    /// Writes it as an escape sequence of quoted atoms, `\x20AC\`.
    Prolog,
    /// `\u20AC`
    Unicode,
    /// `&#8364;`
    Xml,
}
names!(Unrepresentable: Error = "error", Prolog = "prolog", Unicode = "unicode", Xml = "xml");

impl Unrepresentable {
    /// What is written instead.
    pub(crate) fn text(self, c: char) -> Option<String> {
        let code = u32::from(c);
        match self {
            Unrepresentable::Error => None,
            Unrepresentable::Prolog => Some(format!("\\x{code:X}\\")),
            Unrepresentable::Unicode if code > 0xffff => Some(format!("\\U{code:08X}")),
            Unrepresentable::Unicode => Some(format!("\\u{code:04X}")),
            Unrepresentable::Xml => Some(format!("&#{code};")),
        }
    }
}

/// Options of `open/4` that concern the stream itself.
#[derive(Clone, Debug)]
pub struct OpenOptions {
    /// Text or bytes.
    pub stream_type: StreamType,
    /// Encoding of text; `None`: UTF-8, or what a byte order mark says.
    pub encoding: Option<Encoding>,
    /// Look for a byte order mark (input) or write one (output). `None`: look in text, write none.
    pub bom: Option<bool>,
    /// What reading past the end does.
    pub eof_action: EofAction,
    /// When output leaves the buffer.
    pub buffering: Buffering,
    /// What ends a line.
    pub newline: Newline,
    /// The stream must (`Some(true)`) support repositioning.
    pub reposition: Option<bool>,
    /// Close the stream when its user is aborted.
    pub close_on_abort: bool,
}

impl Default for OpenOptions {
    fn default() -> Self {
        OpenOptions {
            stream_type: StreamType::Text,
            encoding: None,
            bom: None,
            eof_action: EofAction::EofCode,
            buffering: Buffering::Full,
            newline: Newline::Posix,
            reposition: None,
            close_on_abort: true,
        }
    }
}
