//! The sockets of a program by number, which is that of their handles.
//!
//! A socket belongs to the table until streams have been opened on it, and to those from then on: it is closed when they are, and its entry, which
//! keeps it no longer, leads to nothing. Such entries are taken out when the table has grown to twice what it was after that had been done last.
//!
//! A handle is counted ([`samite_term::counted`]): when nobody can name a socket any more it goes, unless streams have it.
//!
//! The lock is held only to look up or change an entry. A number is given once in a process, so a handle never leads to another socket.

use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use samite_stream::StreamId;
use samite_world::sockets::Socket;
use std::sync::{Arc, Weak};

/// See the module text.
#[derive(Default)]
pub struct Sockets(Mutex<Table>);

#[derive(Default)]
struct Table {
    entries: FxHashMap<u64, Entry>,
    sweep_at: usize,
}

struct Entry {
    socket: Weak<Socket>,
    /// Unless streams have it.
    kept: Option<Arc<Socket>>,
    streams: Vec<StreamId>,
}

/// Bytes that an entry takes, with its socket.
pub(crate) const BYTES: usize = 160;
/// A table so small is not swept.
const FEW: usize = 64;

impl Sockets {
    /// A new socket, with this number.
    pub(crate) fn add(&self, number: u64, socket: Socket) {
        let socket = Arc::new(socket);
        let mut table = self.0.lock();
        if table.entries.len() >= table.sweep_at.max(FEW) {
            table.entries.retain(|_, e| e.socket.strong_count() > 0);
            table.sweep_at = 2 * table.entries.len();
        }
        let entry = Entry {
            socket: Arc::downgrade(&socket),
            kept: Some(socket),
            streams: Vec::new(),
        };
        table.entries.insert(number, entry);
    }

    /// The socket, unless it has been closed.
    pub(crate) fn get(&self, number: u64) -> Option<Arc<Socket>> {
        self.0.lock().entries.get(&number)?.socket.upgrade()
    }

    /// From now on these streams, which are on it, keep the socket.
    pub(crate) fn give_to(&self, number: u64, streams: &[StreamId]) {
        if let Some(entry) = self.0.lock().entries.get_mut(&number) {
            entry.kept = None;
            entry.streams.extend_from_slice(streams);
        }
    }

    /// The streams that were opened on it; `None` if it has been closed.
    pub(crate) fn streams(&self, number: u64) -> Option<Vec<StreamId>> {
        Some(self.0.lock().entries.get(&number)?.streams.clone())
    }

    /// Takes it out.
    pub(crate) fn remove(&self, number: u64) {
        // (It is closed without the lock.)
        let entry = self.0.lock().entries.remove(&number);
        drop(entry);
    }
}
