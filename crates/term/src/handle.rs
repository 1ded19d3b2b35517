//! Handles: opaque constants that a program holds for an object of the system, whose whole identity is a number in the cell.
//!
//! A handle costs nothing but its cell: what is opened and closed for ever leaves nothing behind, and an object that no program
//! ever sees needs no name. If a table leads from handles to objects, its entries end with the objects.
//!
//! Invariant, kept by whoever numbers the objects of a kind: a number is given once in a process. So the handle of an
//! object that is gone refers to nothing, never to another one; 2⁵⁶ numbers last for a thousand years of a million a second.

/// What a handle refers to. Bits 4..8 of its cell, so from 1 (0 is a blob with a name) to 15.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum HandleKind {
    /// A stream.
    Stream = 1,
    /// A thread without alias; see [`Handle::of_thread`].
    Thread = 2,
    /// A message queue without alias.
    MessageQueue = 3,
    /// A mutex without alias.
    Mutex = 4,
    /// A clause that a reference was asked for.
    Clause = 5,
    /// A term of the recorded database that a reference was asked for.
    Record = 6,
    /// A choicepoint that a clause cuts to, in its frames: a place in the stack and not the how manieth.
    Choicepoint = 7,
    /// The same in a continuation that is a term: which one it is follows when it is called.
    Barrier = 8,
    /// Where a continuation that is a term goes on.
    ResumePoint = 9,
    /// An engine without alias.
    Engine = 10,
    /// A socket.
    Socket = 11,
    /// A trie.
    Trie = 12,
    /// A memory file.
    MemoryFile = 13,
}

impl HandleKind {
    /// As `blob/2` calls it.
    pub const fn as_str(self) -> &'static str {
        match self {
            HandleKind::Stream => "stream",
            HandleKind::Thread => "thread",
            HandleKind::MessageQueue => "message_queue",
            HandleKind::Mutex => "mutex",
            HandleKind::Clause => "clause",
            HandleKind::Record => "record",
            HandleKind::Choicepoint => "choicepoint",
            HandleKind::Barrier => "barrier",
            HandleKind::ResumePoint => "resume_point",
            HandleKind::Engine => "engine",
            HandleKind::Socket => "socket",
            HandleKind::Trie => "trie",
            HandleKind::MemoryFile => "memory_file",
        }
    }
    pub(crate) const fn from_bits(bits: u64) -> Option<HandleKind> {
        match bits {
            1 => Some(HandleKind::Stream),
            2 => Some(HandleKind::Thread),
            3 => Some(HandleKind::MessageQueue),
            4 => Some(HandleKind::Mutex),
            5 => Some(HandleKind::Clause),
            6 => Some(HandleKind::Record),
            7 => Some(HandleKind::Choicepoint),
            8 => Some(HandleKind::Barrier),
            9 => Some(HandleKind::ResumePoint),
            10 => Some(HandleKind::Engine),
            11 => Some(HandleKind::Socket),
            12 => Some(HandleKind::Trie),
            13 => Some(HandleKind::MemoryFile),
            _ => None,
        }
    }
}

/// A kind and a number; see the module text. Written `<kind>(0xnumber)`, that of a thread `<thread>(id,0xuse)`.
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
    /// Bits of a thread's number that are its id; the rest says the how manieth user of that id it is, from 0.
    const ID_BITS: u32 = 24;
    /// The largest id of a thread, and the last use of an id.
    pub const MAX_THREAD: u32 = (1 << Handle::ID_BITS) - 1;
    pub const LAST_USE: u32 = u32::MAX;

    /// The handle of the thread that is the `nth` user of an id, which is at most [`Handle::MAX_THREAD`].
    #[inline]
    pub const fn of_thread(id: u32, nth: u32) -> Handle {
        debug_assert!(id <= Handle::MAX_THREAD);
        Handle::new(
            HandleKind::Thread,
            (nth as u64) << Handle::ID_BITS | id as u64,
        )
    }
    /// The id in a thread's number.
    #[inline]
    pub const fn thread_id(self) -> u32 {
        self.number as u32 & Handle::MAX_THREAD
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
        let kind = self.kind.as_str();
        match self.kind {
            HandleKind::Thread => write!(
                f,
                "<{kind}>({},{:#x})",
                self.thread_id(),
                self.number >> Handle::ID_BITS
            ),
            _ => write!(f, "<{kind}>({:#x})", self.number),
        }
    }
}
