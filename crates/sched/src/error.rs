//! What can go wrong, as the machine needs it to build SWI-Prolog's error terms.
//!
//! Plain data; any thread.

use crate::interrupt::Interrupted;
use crate::mutex::{LockError, NotOwner};
use crate::queue::QueueError;
use crate::registry::{ThreadControl, ThreadId};
use samite_term::{Atom, Cell, Handle};

/// How a program names a thread, queue or mutex.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reference {
    /// By its id; only threads have one.
    Number(i64),
    /// By its alias.
    Name(Atom),
    /// What has no alias, by its handle.
    Handle(Handle),
}

impl Reference {
    /// How a thread is called: by its alias, or its handle if it has none.
    pub fn of_thread(thread: &ThreadControl) -> Reference {
        match thread.alias() {
            Some(alias) => Reference::Name(alias),
            None => Reference::Handle(thread.handle()),
        }
    }
    /// The reference that a dereferenced cell makes: a small integer, an atom or a handle. With anything else:
    /// `type_error`.
    pub fn from_cell(cell: Cell) -> Option<Reference> {
        if cell.is_small() {
            Some(Reference::Number(cell.small_value()))
        } else if cell.is_atom() {
            Some(Reference::Name(cell.atom_of()))
        } else {
            cell.handle().map(Reference::Handle)
        }
    }
    /// As a term. A number is small: ids and what [`Reference::from_cell`] reads are.
    pub fn cell(self) -> Cell {
        match self {
            Reference::Number(n) => Cell::small(n),
            Reference::Name(name) => Cell::atom(name),
            Reference::Handle(handle) => Cell::of_handle(handle),
        }
    }
    /// The alias, if it is one.
    pub fn alias(self) -> Option<Atom> {
        match self {
            Reference::Name(name) => Some(name),
            Reference::Number(_) | Reference::Handle(_) => None,
        }
    }
}

impl From<ThreadId> for Reference {
    fn from(id: ThreadId) -> Reference {
        Reference::Number(id.number().into())
    }
}

impl From<Atom> for Reference {
    fn from(name: Atom) -> Reference {
        Reference::Name(name)
    }
}

impl From<Handle> for Reference {
    fn from(handle: Handle) -> Reference {
        Reference::Handle(handle)
    }
}

/// The type of a culprit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjectKind {
    Thread,
    MessageQueue,
    Mutex,
    Engine,
}

impl ObjectKind {
    /// As written in an error term.
    pub const fn as_str(self) -> &'static str {
        match self {
            ObjectKind::Thread => "thread",
            ObjectKind::MessageQueue => "message_queue",
            ObjectKind::Mutex => "mutex",
            ObjectKind::Engine => "engine",
        }
    }
}

/// What is not permitted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    Create,
    Destroy,
    Join,
    Detach,
    Unlock,
    ReAlias,
    Wait,
}

impl Action {
    /// As written in an error term.
    pub const fn as_str(self) -> &'static str {
        match self {
            Action::Create => "create",
            Action::Destroy => "destroy",
            Action::Join => "join",
            Action::Detach => "detach",
            Action::Unlock => "unlock",
            Action::ReAlias => "re-alias",
            Action::Wait => "wait",
        }
    }
}

/// Why an operation did not succeed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SchedError {
    /// `existence_error(Kind, Culprit)`.
    Existence(ObjectKind, Reference),
    /// `permission_error(Action, Kind, Culprit)`.
    Permission(Action, ObjectKind, Reference),
    /// `type_error(Kind, Culprit)`.
    Type(ObjectKind, Reference),
    /// No more threads fit the registry: `resource_error(threads)`.
    TooManyThreads,
    /// `resource_error(memory)`.
    NoMemory,
    /// An event is due: handle it, then repeat the operation.
    Interrupted,
    /// The deadline has passed.
    TimedOut,
}

impl QueueError {
    /// The error of an operation on the queue the program calls `queue`.
    pub fn on(self, queue: Reference) -> SchedError {
        match self {
            QueueError::Destroyed => SchedError::Existence(ObjectKind::MessageQueue, queue),
            QueueError::Interrupted => SchedError::Interrupted,
            QueueError::TimedOut => SchedError::TimedOut,
            QueueError::Deadlock => {
                SchedError::Permission(Action::Wait, ObjectKind::MessageQueue, queue)
            }
            QueueError::NoMemory | QueueError::TooManyBytes => SchedError::NoMemory,
        }
    }
}

impl LockError {
    /// The error of locking the mutex the program calls `mutex`.
    pub fn on(self, mutex: Reference) -> SchedError {
        match self {
            LockError::Destroyed => SchedError::Existence(ObjectKind::Mutex, mutex),
            LockError::Interrupted => SchedError::Interrupted,
        }
    }
}

impl NotOwner {
    /// The error of unlocking the mutex the program calls `mutex`.
    pub fn on(self, mutex: Reference) -> SchedError {
        SchedError::Permission(Action::Unlock, ObjectKind::Mutex, mutex)
    }
}

impl From<Interrupted> for SchedError {
    fn from(_: Interrupted) -> SchedError {
        SchedError::Interrupted
    }
}
