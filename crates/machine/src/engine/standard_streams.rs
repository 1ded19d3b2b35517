//! What a thread calls `user_input`, `user_output` and `user_error`: the process's standard streams, unless it, or who created it, has given
//! another stream that name. (All other aliases belong to the process: [`samite_stream::StreamTable`].)
//!
//! Invariant: each of the names means an open stream; that of one that is closed is the process's again.
//!
//! For builtins of the thread itself.

use crate::engine::worker::Worker;
use crate::state::streams::OF_PROCESS;
use samite_stream::{SharedStream, StreamId};
use samite_term::{Atom, atoms};

const ALIASES: [Atom; 3] = [atoms::USER_INPUT, atoms::USER_OUTPUT, atoms::USER_ERROR];

/// Whether each thread has a stream of its own under this name.
pub(crate) fn is_standard(alias: Atom) -> bool {
    ALIASES.contains(&alias)
}

impl Worker {
    /// The open stream of this identity.
    #[inline]
    pub(crate) fn recent_stream(&mut self, id: StreamId) -> Option<SharedStream> {
        self.recent_streams.get(&self.program.streams, id)
    }
    /// What this thread reads, or writes to, where it has not been told another stream.
    pub(crate) fn standard_stream(&self, input: bool) -> StreamId {
        self.standard(usize::from(!input))
    }
    fn standard(&self, place: usize) -> StreamId {
        let own = self.thread.io.standard.0[place];
        match self.program.streams.is_open(own) {
            true => own,
            false => OF_PROCESS.0[place],
        }
    }

    /// The open stream of an alias.
    pub(crate) fn stream_of_alias(&self, alias: Atom) -> Option<StreamId> {
        match ALIASES.iter().position(|&a| a == alias) {
            Some(place) => Some(self.standard(place)),
            None => self.program.streams.by_alias(alias),
        }
    }

    /// Gives a stream an alias, in place of another that had it; false if it is not open, or there is no memory.
    pub(crate) fn set_stream_alias(&mut self, id: StreamId, alias: Atom) -> bool {
        let Some(place) = ALIASES.iter().position(|&a| a == alias) else {
            return self.program.streams.set_alias(id, alias);
        };
        let open = self.program.streams.is_open(id);
        if open {
            self.thread.io.standard.0[place] = id;
        }
        open
    }

    /// The aliases of a stream, those of this thread first.
    pub(crate) fn stream_aliases(&self, id: StreamId) -> Vec<Atom> {
        let own = (0..ALIASES.len()).filter(|&place| self.standard(place) == id);
        let mut aliases: Vec<Atom> = own.map(|place| ALIASES[place]).collect();
        aliases.extend(self.program.streams.aliases(id));
        aliases
    }
}
