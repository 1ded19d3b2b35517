//! What can go wrong with a stream, and the ISO error that each becomes.

use crate::options::Mode;
use samite_syntax::read::SourceError;
use samite_world::numbers;
use std::fmt;
use std::io;

/// Why an operation on a stream failed.
#[derive(Debug)]
pub enum StreamError {
    /// The file could not be opened.
    Open {
        /// Its name as given.
        path: String,
        /// For what.
        mode: Mode,
        /// The system's reason.
        error: io::Error,
    },
    /// The system refused to read, write, seek or close.
    Io {
        /// `read`, `write`, `seek` or `close`.
        action: &'static str,
        /// The system's reason.
        error: io::Error,
    },
    /// The system refused to read from a socket, or to write to it.
    Socket(io::Error),
    /// Input from an output stream.
    NotInput,
    /// Output to an input stream.
    NotOutput,
    /// Text operation on a binary stream.
    BinaryStream {
        /// The operation was input.
        input: bool,
    },
    /// Byte operation on a text stream.
    TextStream {
        /// The operation was input.
        input: bool,
    },
    /// Input past the end, with `eof_action(error)`.
    PastEof,
    /// The stream's encoding does not have this character.
    Encoding(char),
    /// The stream cannot be repositioned.
    CannotReposition,
    /// It is no file that is being written.
    CannotTruncate,
    /// A file that cannot be repositioned was opened with `reposition(true)`.
    OpenReposition,
    /// The stream has been closed meanwhile.
    Closed,
    /// A stream in memory has grown to its limit.
    TooLarge,
    /// It was not ready for this action, `read` or `write`, in the time that the stream is given. Nothing was consumed; what was to be written waits.
    Timeout(&'static str),
    /// A signal came while waiting for input, and the [`crate::InterruptHook`] said to give up. Nothing was consumed.
    Interrupted,
}

/// What an error term complains about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Culprit<'e> {
    /// The stream.
    Stream,
    /// The file of this name.
    Path(&'e str),
    /// The option `reposition(true)`.
    Reposition,
}

/// The formal part of an error term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Formal<'e> {
    /// `existence_error(Kind, Culprit)`
    Existence(&'static str, Culprit<'e>),
    /// `permission_error(Action, Kind, Culprit)`
    Permission(&'static str, &'static str, Culprit<'e>),
    /// `domain_error(file_name, Culprit)`
    FileName(Culprit<'e>),
    /// `resource_error(memory)`
    Memory,
    /// `resource_error(What)`
    Resource(&'static str),
    /// `representation_error(What)`
    Representation(&'static str),
    /// `io_error(Action, Stream)`
    Io(&'static str),
    /// `socket_error(Code, Message)`, of the system's error with that number
    Socket(i32),
    /// `timeout_error(Action, Stream)`
    Timeout(&'static str),
    /// No error: handle the signal and try again.
    Interrupted,
}

impl StreamError {
    /// The formal part of the error term.
    pub fn formal(&self) -> Formal<'_> {
        let side = |input: bool| if input { "input" } else { "output" };
        match self {
            StreamError::Open { path, error, .. } => open_error(path, error),
            StreamError::Io { action, .. } => Formal::Io(action),
            StreamError::Socket(error) => match error.raw_os_error() {
                Some(number) => Formal::Socket(number),
                // There is no memory for what would come.
                None => Formal::Io("read"),
            },
            StreamError::NotInput => Formal::Permission("input", "stream", Culprit::Stream),
            StreamError::NotOutput => Formal::Permission("output", "stream", Culprit::Stream),
            StreamError::BinaryStream { input } => {
                Formal::Permission(side(*input), "binary_stream", Culprit::Stream)
            }
            StreamError::TextStream { input } => {
                Formal::Permission(side(*input), "text_stream", Culprit::Stream)
            }
            StreamError::PastEof => {
                Formal::Permission("input", "past_end_of_stream", Culprit::Stream)
            }
            StreamError::Encoding(_) => Formal::Io("write"),
            StreamError::CannotReposition => {
                Formal::Permission("reposition", "stream", Culprit::Stream)
            }
            StreamError::CannotTruncate => {
                Formal::Permission("set_end_of_stream", "stream", Culprit::Stream)
            }
            StreamError::OpenReposition => {
                Formal::Permission("open", "source_sink", Culprit::Reposition)
            }
            StreamError::Closed => Formal::Existence("stream", Culprit::Stream),
            StreamError::TooLarge => Formal::Memory,
            StreamError::Timeout(action) => Formal::Timeout(action),
            StreamError::Interrupted => Formal::Interrupted,
        }
    }

    /// The message for the context of the error term: the system's words, if any.
    pub fn message(&self) -> Option<String> {
        match self {
            StreamError::Open { error, .. } | StreamError::Io { error, .. } => {
                let text = error.to_string();
                let end = text.rfind(" (os error").unwrap_or(text.len());
                Some(text[..end].to_owned())
            }
            StreamError::Encoding(_) => Some("Encoding cannot represent character".to_owned()),
            _ => None,
        }
    }

    /// Whether the reader at the other end of a pipe has gone.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, StreamError::Io { error, .. } if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// What the system's refusal to open a file is, as in SWI-Prolog: only what the user may not do is a permission error.
fn open_error<'e>(path: &'e str, error: &io::Error) -> Formal<'e> {
    use io::ErrorKind;
    let path = Culprit::Path(path);
    #[cfg(unix)]
    match error.raw_os_error() {
        Some(numbers::EMFILE | numbers::ENFILE) => return Formal::Resource("max_files"),
        Some(numbers::ENAMETOOLONG) => return Formal::Representation("max_path_length"),
        Some(numbers::ELOOP) => return Formal::Representation("max_symbolic_links"),
        Some(numbers::ENOMEM) => return Formal::Memory,
        _ => {}
    }
    match error.kind() {
        ErrorKind::PermissionDenied
        | ErrorKind::ReadOnlyFilesystem
        | ErrorKind::IsADirectory
        | ErrorKind::AlreadyExists => Formal::Permission("open", "source_sink", path),
        // A text with a 0 in it is no name.
        ErrorKind::InvalidInput if error.raw_os_error().is_none() => Formal::FileName(path),
        ErrorKind::WouldBlock => Formal::Permission("lock", "source_sink", path),
        _ => Formal::Existence("source_sink", path),
    }
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StreamError::Open { path, error, .. } => write!(f, "cannot open {path}: {error}"),
            StreamError::Io { action, error } => write!(f, "{action}: {error}"),
            StreamError::Socket(error) => write!(f, "socket: {error}"),
            StreamError::NotInput => f.write_str("not an input stream"),
            StreamError::NotOutput => f.write_str("not an output stream"),
            StreamError::BinaryStream { .. } => f.write_str("text operation on a binary stream"),
            StreamError::TextStream { .. } => f.write_str("byte operation on a text stream"),
            StreamError::PastEof => f.write_str("past end of stream"),
            StreamError::Encoding(c) => write!(f, "encoding cannot represent {c:?}"),
            StreamError::CannotReposition | StreamError::OpenReposition => {
                f.write_str("stream cannot be repositioned")
            }
            StreamError::CannotTruncate => f.write_str("not a file that is written"),
            StreamError::Closed => f.write_str("stream is closed"),
            StreamError::TooLarge => f.write_str("too large"),
            StreamError::Timeout(action) => write!(f, "timeout in {action}"),
            StreamError::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for StreamError {}

/// For the reader of terms; the stream keeps the original, see [`crate::Stream::take_error`].
impl From<&StreamError> for SourceError {
    fn from(e: &StreamError) -> SourceError {
        match e {
            StreamError::Io { error, .. } => {
                SourceError::Io(io::Error::new(error.kind(), e.to_string()))
            }
            _ => SourceError::Other(e.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_errors_become_iso_terms() {
        let open = |kind: io::ErrorKind| StreamError::Open {
            path: "x".into(),
            mode: Mode::Read,
            error: kind.into(),
        };
        assert_eq!(
            open(io::ErrorKind::NotFound).formal(),
            Formal::Existence("source_sink", Culprit::Path("x"))
        );
        assert_eq!(
            open(io::ErrorKind::PermissionDenied).formal(),
            Formal::Permission("open", "source_sink", Culprit::Path("x"))
        );
        #[cfg(unix)]
        for (code, formal) in [
            (numbers::EMFILE, Formal::Resource("max_files")),
            (
                numbers::ENAMETOOLONG,
                Formal::Representation("max_path_length"),
            ),
            (
                numbers::EIO,
                Formal::Existence("source_sink", Culprit::Path("x")),
            ),
            (
                numbers::EISDIR,
                Formal::Permission("open", "source_sink", Culprit::Path("x")),
            ),
        ] {
            let e = StreamError::Open {
                path: "x".into(),
                mode: Mode::Read,
                error: io::Error::from_raw_os_error(code),
            };
            assert_eq!(e.formal(), formal);
        }
        let missing = std::fs::File::open("/does/not/exist").unwrap_err();
        let e = StreamError::Io {
            action: "read",
            error: missing,
        };
        assert_eq!(e.message().as_deref(), Some("No such file or directory"));
    }
}
