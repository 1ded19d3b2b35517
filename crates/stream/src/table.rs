//! All open streams of the process, by identity and by alias. Prolog sees an identity as a [`Handle`], made on demand.
//!
//! Locks: nobody locks a stream while it holds the table's lock, which is held only to look up or change the table; so a blocked
//! read holds up nobody who does not want that stream. Any thread may call anything.
//!
//! Invariants: identities are not used again, so the handle of a closed stream never finds another one; streams 0, 1 and 2 are
//! the standard streams and stay open. What `user_input`, `user_output` and `user_error` mean each thread knows itself.

use crate::error::StreamError;
use crate::options::{Mode, OpenOptions};
use crate::stream::{InterruptHook, ReadEvent, Stream};
use parking_lot::RwLock;
use rustc_hash::FxHashMap;
use samite_sched::Exclusive;
use samite_term::common::{self, Charge};
use samite_term::{Atom, Cell, Handle, HandleKind, HeldAtom, growth};
use samite_world::{clock, descriptors};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A stream of the table.
pub type SharedStream = Arc<Exclusive<Stream>>;

/// Identity of an open stream.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StreamId(u64);

impl StreamId {
    /// Standard input.
    pub const STDIN: StreamId = StreamId(0);
    /// Standard output.
    pub const STDOUT: StreamId = StreamId(1);
    /// Standard error.
    pub const STDERR: StreamId = StreamId(2);

    /// The constant that stands for the stream in terms.
    pub fn term(self) -> Cell {
        Cell::of_handle(Handle::new(HandleKind::Stream, self.0))
    }
    /// The identity that a constant stands for, whether it is open or not.
    pub fn of_term(c: Cell) -> Option<StreamId> {
        let handle = c.handle()?;
        (handle.kind() == HandleKind::Stream).then(|| StreamId(handle.number()))
    }

    fn is_standard(self) -> bool {
        self.0 <= 2
    }
}

/// How long [`StreamTable::flush_all`] waits for streams that are in use.
const PATIENCE: Duration = Duration::from_millis(200);

#[derive(Default)]
struct Inner {
    streams: BTreeMap<StreamId, SharedStream>,
    aliases: FxHashMap<HeldAtom, StreamId>,
    /// The same by stream: `a` is in `names[s]` if, and only if, `aliases[a] = s`.
    names: FxHashMap<StreamId, Vec<HeldAtom>>,
    aliases_charge: Charge,
    /// Input and output that one handle stands for, as far as they are open.
    pairs: FxHashMap<StreamId, [Option<StreamId>; 2]>,
    /// The pairs that a stream is in: `s` is in `pairs[p]` if, and only if, `p` is in `pairs_of[s]`.
    pairs_of: FxHashMap<StreamId, Vec<StreamId>>,
    next: u64,
}

impl Inner {
    fn add(&mut self, mut stream: Stream) -> StreamId {
        stream.charge = Some(Charge::new(stream.bytes()));
        let id = StreamId(self.next);
        self.next += 1;
        self.streams.insert(id, Arc::new(Exclusive::new(stream)));
        id
    }
}

/// Whether standard output and error are connected to the same terminal, pipe or file.
fn same_place() -> bool {
    use std::os::fd::AsFd;
    descriptors::are_same(std::io::stdout().as_fd(), std::io::stderr().as_fd())
}

/// All open streams; see the module text.
pub struct StreamTable {
    inner: RwLock<Inner>,
    /// Streams taken out so far.
    removals: AtomicU64,
}

impl Default for StreamTable {
    fn default() -> Self {
        StreamTable::new()
    }
}

impl StreamTable {
    /// A table with the process's standard streams.
    pub fn new() -> StreamTable {
        let (mut stdout, mut stderr) = (Stream::stdout(), Stream::stderr());
        if same_place() {
            stdout.share_place(&mut stderr);
        }
        StreamTable::with_streams(Stream::stdin(), stdout, stderr)
    }

    /// A table with these for standard input, output and error. Who reads more of input delivers first what has been written to standard output: somebody may wait for
    /// that before he sends anything.
    pub fn with_streams(stdin: Stream, stdout: Stream, stderr: Stream) -> StreamTable {
        let mut inner = Inner::default();
        for stream in [stdin, stdout, stderr] {
            inner.add(stream);
        }
        let output = inner.streams[&StreamId::STDOUT].clone();
        if let Some(out) = output.try_lock()
            && let Some(pace) = &out.pace
        {
            pace.belongs_to(&output);
        }
        let hook = move |event| {
            // Never wait here: the input stream is locked.
            let Some(mut out) = output.try_lock() else {
                return Ok(());
            };
            match event {
                ReadEvent::BeforeRead => return out.deliver_before_wait(),
                ReadEvent::LineEntered if out.is_tty() => out.set_line_position(0),
                ReadEvent::LineEntered => {}
            }
            Ok(())
        };
        inner.streams[&StreamId::STDIN]
            .lock()
            .set_read_hook(Some(Arc::new(hook)));
        StreamTable {
            inner: RwLock::new(inner),
            removals: AtomicU64::new(0),
        }
    }

    /// Adds a stream, which is charged; who adds it has asked for that.
    pub fn add(&self, stream: Stream) -> StreamId {
        self.inner.write().add(stream)
    }

    /// Opens a file and adds it.
    pub fn open(
        &self,
        path: &str,
        mode: Mode,
        options: &OpenOptions,
    ) -> Result<StreamId, StreamError> {
        Ok(self.add(Stream::open_file(path, mode, options)?))
    }

    /// A handle that stands for an input and an output stream, which are open; `None` if one is not.
    pub fn add_pair(&self, input: StreamId, output: StreamId) -> Option<StreamId> {
        let mut inner = self.inner.write();
        if ![input, output]
            .iter()
            .all(|s| inner.streams.contains_key(s))
        {
            return None;
        }
        let pair = StreamId(inner.next);
        inner.next += 1;
        inner.pairs.insert(pair, [Some(input), Some(output)]);
        for half in [input, output] {
            inner.pairs_of.entry(half).or_default().push(pair);
        }
        Some(pair)
    }

    /// The streams that a handle stands for, as far as they are open: input and output; `None` if it is that of a single stream, or both are closed.
    pub fn pair(&self, id: StreamId) -> Option<[Option<StreamId>; 2]> {
        self.inner.read().pairs.get(&id).copied()
    }

    /// The stream, if open.
    pub fn get(&self, id: StreamId) -> Option<SharedStream> {
        self.inner.read().streams.get(&id).cloned()
    }

    /// The stream of an alias.
    pub fn by_alias(&self, alias: Atom) -> Option<StreamId> {
        self.inner.read().aliases.get(&alias).copied()
    }

    /// Whether the stream is open.
    pub fn is_open(&self, id: StreamId) -> bool {
        self.inner.read().streams.contains_key(&id)
    }

    /// Gives the stream an alias, in place of another stream that had it; `false` if the stream is not open, or there is no memory.
    pub fn set_alias(&self, id: StreamId, alias: Atom) -> bool {
        let mut inner = self.inner.write();
        if inner.aliases.get(&alias) == Some(&id) {
            return true;
        }
        let ask = |n| common::may_take(n, 0);
        if !inner.streams.contains_key(&id)
            || !growth::map_room(&mut inner.names, ask)
            || !growth::vec_room(inner.names.entry(id).or_default(), ask)
            || !growth::map_room(&mut inner.aliases, ask)
        {
            return false;
        }
        if let Some(other) = inner.aliases.insert(alias.hold(), id)
            && let Some(names) = inner.names.get_mut(&other)
        {
            names.retain(|a| *a != alias);
        }
        inner.names.entry(id).or_default().push(alias.hold());
        let bytes = growth::map_bytes(&inner.aliases)
            + growth::map_bytes(&inner.names)
            + inner.aliases.len() * size_of::<Atom>();
        inner.aliases_charge.adjust(bytes);
        true
    }

    /// The aliases of a stream, by name.
    pub fn aliases(&self, id: StreamId) -> Vec<Atom> {
        let inner = self.inner.read();
        let names = inner.names.get(&id).into_iter().flatten();
        let mut aliases: Vec<Atom> = names.map(HeldAtom::get).collect();
        aliases.sort_by_key(|a| a.as_str());
        aliases
    }

    /// The open streams, oldest first.
    pub fn ids(&self) -> Vec<StreamId> {
        self.inner.read().streams.keys().copied().collect()
    }

    /// Closes this stream, which the caller has locked: delivers its output. It is gone even if that fails.
    /// The standard streams are only flushed. [`StreamError::Closed`] if it is not open any more.
    pub fn close(&self, id: StreamId, stream: &mut Stream) -> Result<(), StreamError> {
        if id.is_standard() {
            return stream.flush();
        }
        self.remove(id).ok_or(StreamError::Closed)?;
        stream.close()
    }

    /// Takes a stream out of the table without closing it.
    pub fn remove(&self, id: StreamId) -> Option<SharedStream> {
        if id.is_standard() {
            return None;
        }
        let mut inner = self.inner.write();
        let stream = inner.streams.remove(&id)?;
        // Release: who hears that the stream is closed sees it counted.
        self.removals.fetch_add(1, Ordering::Release);
        for pair in inner.pairs_of.remove(&id).unwrap_or_default() {
            if let Some(halves) = inner.pairs.get_mut(&pair) {
                for half in halves.iter_mut() {
                    *half = half.filter(|h| *h != id);
                }
                if *halves == [None, None] {
                    inner.pairs.remove(&pair);
                }
            }
        }
        for alias in inner.names.remove(&id).unwrap_or_default() {
            let was = inner.aliases.remove(&alias);
            debug_assert_eq!(was, Some(id), "a name is in one table only");
        }
        Some(stream)
    }

    /// How many streams were taken out so far: [`crate::recent`].
    pub(crate) fn removals(&self) -> u64 {
        self.removals.load(Ordering::Acquire)
    }

    /// Delivers the output of all streams, as far as possible: for the end of the process. A stream that somebody else
    /// keeps in use is given up after a while. Returns the first error.
    pub fn flush_all(&self) -> Result<(), StreamError> {
        let mut delivered = Ok(());
        let until = clock::now() + PATIENCE;
        for id in self.ids() {
            if let Some(stream) = self.get(id)
                && let Some(mut stream) =
                    stream.try_lock_for(until.saturating_duration_since(clock::now()))
                && stream.is_output()
            {
                delivered = delivered.and(stream.flush());
            }
        }
        delivered
    }

    /// Has the commands that streams write to end, and waits for that: for the end of the process, after [`StreamTable::flush_all`].
    pub fn end_commands(&self) {
        for id in self.ids() {
            if let Some(stream) = self.get(id)
                && let Some(mut stream) = stream.try_lock()
                && stream.is_output()
                && let Some(process) = stream.process().cloned()
            {
                stream.hang_up();
                drop(stream);
                process.wait();
            }
        }
    }

    /// Delivers the output that goes to files, as far as possible; waits for nobody.
    pub fn flush_files(&self) {
        for id in self.ids() {
            if let Some(stream) = self.get(id)
                && let Some(mut stream) = stream.try_lock()
                && stream.writes_to_file()
            {
                // Who writes there hears of it when it writes, or closes.
                let _ = stream.flush();
            }
        }
    }

    /// Sets what standard input asks when a signal interrupts a read.
    pub fn set_interrupt_hook(&self, hook: Option<InterruptHook>) {
        if let Some(stdin) = self.get(StreamId::STDIN) {
            stdin.lock().set_interrupt_hook(hook);
        }
    }
}

impl std::fmt::Debug for StreamTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.ids()).finish()
    }
}
