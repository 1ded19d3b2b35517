//! Prolog streams (ISO 13211-1, 7.10 and 8.11–8.14, with SWI-Prolog's extensions) and the engine of `format/2`.
//!
//! A [`Stream`] is one open stream, used by whoever holds its lock; the [`StreamTable`] is shared by all threads and
//! knows the open streams by identity, handle and alias. Which stream is a thread's current input or output is
//! the machine's business, as are the builtins and their error terms: [`StreamError::formal`] says which.
//!
//! | module | concept |
//! |---|---|
//! | [`encoding`] | bytes ↔ characters, byte order marks |
//! | [`options`] | modes, buffering, end-of-file actions, options of `open/4` |
//! | [`error`] | what can go wrong, and the ISO error each becomes |
//! | [`opening`] | the call of the system that opens a file |
//! | [`stream`] | a stream: properties, position, opening and closing |
//! | `input`, `output` | the two sides of a stream: buffers and where they lead |
//! | `blocking` | calls of the system that may block |
//! | [`table`] | all open streams, their aliases and handles |
//! | [`recent`] | the streams that a thread used last |
//! | [`mod@format`] | `format/2`: directives, column stops, numbers |

// They panic if what they write is refused.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]
// The system is asked through `samite_world`.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]
#![forbid(unsafe_code)]

mod blocking;
pub mod encoding;
pub mod error;
pub mod format;
mod input;
pub mod opening;
pub mod options;
mod output;
mod pace;
pub mod recent;
pub mod stream;
pub mod table;

pub use blocking::{Answer, Blocking, Descriptor, Undo, Wait, set_blocking_hook};
pub use encoding::Encoding;
pub use error::{Culprit, Formal, StreamError};
pub use input::append;
pub use options::{
    Buffering, EofAction, Mode, Newline, OpenOptions, StreamType, TypeCheck, Unrepresentable,
};
pub use output::WriteAt;
pub use recent::Recent;
pub use samite_syntax::read::Position;
pub use stream::{EndOfStream, InterruptHook, ReadEvent, ReadHook, Stream, Whence};
pub use table::{SharedStream, StreamId, StreamTable};
