//! What reclamation knows of what it retires.
//!
//! *Invariant*: what is retired was made by `Box::into_raw`, can be found by nobody who begins to look, and is freed by reclamation alone. Until then
//! those who had found it before may look at it.

use std::ops::Range;

/// Something that is retired by itself.
pub trait Retire {
    /// About how much memory waits.
    fn bytes(&self) -> usize;
    /// The generation that it was born in, or made: walks of older ones do not come to it. `None`: no walk does.
    fn born(&self) -> Option<u64>;
    /// What has to happen when no walk can hold it any more.
    fn fate(&self) -> Fate;
    /// Addresses of its code; empty if it has none.
    fn code(&self) -> Range<usize>;
}

/// See [`Retire::fate`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It is freed.
    Free,
    /// It waits until no continuation returns into its code; see [`super::frames`].
    Frames,
    /// Code that is never freed refers to it.
    Stay,
}

/// Something of which many are retired at once, linked through themselves; see [`super::chain`].
pub trait Node: Retire {
    /// It waits to be freed, before that one.
    fn lead_to(&self, next: *mut Self);
    /// The next one that waits, or null.
    fn next(&self) -> *mut Self;
    /// Whether it waits, or has waited, to be freed.
    fn is_retired(&self) -> bool;
    /// Whether nobody who begins now is to find it.
    fn is_erased(&self) -> bool;
}

impl std::fmt::Debug for dyn Retire {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes", self.bytes())
    }
}
