//! Calls of the system that may take as long as somebody else likes: reading from and writing to what is no file on a disk.
//!
//! *Equation*: the hook hears of each such call twice, before it and, with [`Blocking::Over`], after it, from the thread that makes it, with
//! the stream locked; and of nothing in between. Where it says that the call is to be given up, it is not made.

use crate::error::StreamError;
use std::sync::OnceLock;
use std::time::Duration;

/// See the module text.
#[derive(Clone, Copy, Debug)]
pub enum Blocking<'a> {
    /// Something is to be read from there.
    Read(Wait<'a>),
    /// Something is to be written there, as much as goes at once where there is room for any.
    Write(Wait<'a>),
    Over,
}

/// What is waited for, and how.
#[derive(Clone, Copy, Debug)]
pub struct Wait<'a> {
    pub descriptor: Descriptor<'a>,
    pub undo: Undo,
    /// No longer than that.
    pub patience: Option<Duration>,
}

/// What becomes of an operation that is given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Undo {
    /// It must not be.
    Never,
    /// It is made again from its beginning, for which much has to be looked at again.
    Much,
    /// It is made again, which costs next to nothing.
    Little,
    /// It goes on: what was to be written is for a later one to deliver.
    Kept,
}

/// Where to ask whether it is ready; `None` if that is not known.
#[cfg(unix)]
pub type Descriptor<'a> = Option<std::os::fd::BorrowedFd<'a>>;
#[cfg(not(unix))]
pub type Descriptor<'a> = Option<&'a std::convert::Infallible>;

/// Whether to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    GoOn,
    GiveUp,
    /// It was not ready in time.
    TooLate,
}

type Hook = fn(Blocking<'_>) -> Answer;

static HOOK: OnceLock<Hook> = OnceLock::new();

/// Sets who is told, once and for all.
pub fn set_blocking_hook(hook: Hook) {
    HOOK.get_or_init(|| hook);
}

/// Does what may block. Errors: [`StreamError::Interrupted`] if it was given up, [`StreamError::Timeout`], which names the action.
pub(crate) fn blocking<T>(
    before: Blocking<'_>,
    call: impl FnOnce() -> T,
) -> Result<T, StreamError> {
    let Some(hook) = HOOK.get() else {
        return Ok(call());
    };
    let result = match hook(before) {
        Answer::GoOn => Ok(call()),
        Answer::GiveUp => Err(StreamError::Interrupted),
        Answer::TooLate => Err(StreamError::Timeout(match before {
            Blocking::Write(_) => "write",
            _ => "read",
        })),
    };
    hook(Blocking::Over);
    result
}

#[cfg(unix)]
pub(crate) fn descriptor(file: &samite_world::File) -> Descriptor<'_> {
    use std::os::fd::AsFd;
    Some(file.as_fd())
}

#[cfg(not(unix))]
pub(crate) fn descriptor(_: &samite_world::File) -> Descriptor<'_> {
    None
}
