//! Calls of the system that may take as long as somebody else likes: reading from and writing to what is no file on a disk.
//!
//! *Equation*: the hook hears of each such call twice, before it and, with [`Blocking::Over`], after it, from the thread that makes it, with
//! the stream locked; and of nothing in between.

use std::sync::OnceLock;

/// See the module text.
#[derive(Clone, Copy, Debug)]
pub enum Blocking<'a> {
    Read,
    /// So many bytes are to be written there.
    Write(Descriptor<'a>, usize),
    Over,
}

/// Where to ask whether there is room; `None` if that is not known.
#[cfg(unix)]
pub type Descriptor<'a> = Option<std::os::fd::BorrowedFd<'a>>;
#[cfg(not(unix))]
pub type Descriptor<'a> = Option<&'a std::convert::Infallible>;

static HOOK: OnceLock<fn(Blocking<'_>)> = OnceLock::new();

/// Sets who is told, once and for all.
pub fn set_blocking_hook(hook: fn(Blocking<'_>)) {
    HOOK.get_or_init(|| hook);
}

/// Does what may block.
pub(crate) fn blocking<T>(before: Blocking<'_>, call: impl FnOnce() -> T) -> T {
    let Some(hook) = HOOK.get() else {
        return call();
    };
    hook(before);
    let result = call();
    hook(Blocking::Over);
    result
}
