//! Handles: opaque constants that a program holds for an object of the system, whose whole identity is a number in the cell.
//!
//! A handle costs nothing but its cell: no table has an entry for it, so what is opened and closed for ever leaves nothing
//! behind, and an object that no program ever sees needs no name.
//!
//! Invariant, kept by whoever numbers the objects of a kind: a number is given once in a process. So the handle of an
//! object that is gone refers to nothing, never to another one; 2⁵⁶ numbers last for a thousand years of a million a second.

/// What a handle refers to. Bits 4..8 of its cell, so from 1 (0 is a blob with a name) to 15.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum HandleKind {
    /// A stream.
    Stream = 1,
}

impl HandleKind {
    /// As `blob/2` calls it.
    pub const fn as_str(self) -> &'static str {
        match self {
            HandleKind::Stream => "stream",
        }
    }
    pub(crate) const fn from_bits(bits: u64) -> Option<HandleKind> {
        match bits {
            1 => Some(HandleKind::Stream),
            _ => None,
        }
    }
}

/// A kind and a number; see the module text. Written `<kind>(0xnumber)`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Handle {
    kind: HandleKind,
    number: u64,
}

impl Handle {
    /// The largest number.
    pub const MAX_NUMBER: u64 = (1 << 56) - 1;

    /// The handle of object `number` of a kind; at most [`Handle::MAX_NUMBER`].
    #[inline]
    pub const fn new(kind: HandleKind, number: u64) -> Handle {
        debug_assert!(number <= Handle::MAX_NUMBER);
        Handle { kind, number }
    }
    /// What it refers to.
    #[inline]
    pub const fn kind(self) -> HandleKind {
        self.kind
    }
    /// Which of its kind.
    #[inline]
    pub const fn number(self) -> u64 {
        self.number
    }
}

impl std::fmt::Display for Handle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "<{}>({:#x})", self.kind.as_str(), self.number)
    }
}
