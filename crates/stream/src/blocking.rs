//! Calls of the system that may take as long as somebody else likes: reading from and writing to what is no file on a disk.
//!
//! *Equation*: the hook hears of each such call twice, before it and, with [`Blocking::Over`], after it, from the thread that makes it, with
//! the stream locked; and of nothing in between. Where it says that the call is to be given up, it is not made.

use std::sync::OnceLock;

/// See the module text.
#[derive(Clone, Copy, Debug)]
pub enum Blocking<'a> {
    /// Something is to be read from there; whether that may be given up.
    Read(Descriptor<'a>, bool),
    /// Something is to be written there, as much as goes at once where there is room for any; whether that may be given up.
    Write(Descriptor<'a>, bool),
    Over,
}

/// Where to ask whether it is ready; `None` if that is not known.
#[cfg(unix)]
pub type Descriptor<'a> = Option<std::os::fd::BorrowedFd<'a>>;
#[cfg(not(unix))]
pub type Descriptor<'a> = Option<&'a std::convert::Infallible>;

/// Returns whether to go on.
type Hook = fn(Blocking<'_>) -> bool;

static HOOK: OnceLock<Hook> = OnceLock::new();

/// Sets who is told, once and for all.
pub fn set_blocking_hook(hook: Hook) {
    HOOK.get_or_init(|| hook);
}

/// Does what may block; `None` if it was given up.
pub(crate) fn blocking<T>(before: Blocking<'_>, call: impl FnOnce() -> T) -> Option<T> {
    let Some(hook) = HOOK.get() else {
        return Some(call());
    };
    let result = hook(before).then(call);
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
