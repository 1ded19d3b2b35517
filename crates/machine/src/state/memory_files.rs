//! The memory files of a program (`library(memfile)`) by number, which is that of their handles.
//!
//! A file is bytes and their encoding. One stream is open on it at a time: that reads a copy, or writes into it as its buffer is emptied, at the latest when it is closed. The
//! table of streams says whether it is still open, so nobody has to tell that it has been closed.
//!
//! A handle is counted ([`samite_term::counted`]): when nobody can name a file any more it goes, but for what a stream that is open has of it. The locks are held only while
//! bytes are copied.

use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use samite_stream::{Encoding, StreamId};
use samite_term::common::{self, Charge};
use std::io;
use std::sync::Arc;

/// Bytes that a file takes beside its content.
pub(crate) const BYTES: usize = 256;

/// See the module text.
#[derive(Default)]
pub struct MemoryFiles(Mutex<FxHashMap<u64, Arc<MemoryFile>>>);

pub(crate) struct MemoryFile(pub(crate) Mutex<Content>);

pub(crate) struct Content {
    pub(crate) bytes: Vec<u8>,
    pub(crate) encoding: Encoding,
    /// Made from an atom: nothing is written.
    pub(crate) fixed: bool,
    /// The last stream on it, and whether it writes.
    pub(crate) stream: Option<(StreamId, bool)>,
    /// When that is closed the file is gone.
    pub(crate) free_on_close: bool,
    charge: Charge,
}

impl MemoryFiles {
    /// A new one, empty, with this number.
    pub(crate) fn add(&self, number: u64) {
        let content = Content {
            bytes: Vec::new(),
            encoding: Encoding::Utf8,
            fixed: false,
            stream: None,
            free_on_close: false,
            charge: Charge::new(BYTES),
        };
        let file = Arc::new(MemoryFile(Mutex::new(content)));
        self.0.lock().insert(number, file);
    }

    /// The file, unless it has been freed.
    pub(crate) fn get(&self, number: u64) -> Option<Arc<MemoryFile>> {
        self.0.lock().get(&number).cloned()
    }

    /// It is gone; whether it was there.
    pub(crate) fn remove(&self, number: u64) -> bool {
        let removed = self.0.lock().remove(&number);
        removed.is_some()
    }
}

impl Content {
    /// Other bytes, for which there is room.
    pub(crate) fn replace(&mut self, bytes: Vec<u8>) {
        self.bytes = bytes;
        self.charge.adjust(BYTES + self.bytes.len());
    }
}

/// What a stream writes into: from `at` on, between what is there or over it.
pub(crate) struct Writer {
    pub(crate) file: Arc<MemoryFile>,
    pub(crate) at: usize,
    pub(crate) over: bool,
}

impl io::Write for Writer {
    fn write(&mut self, new: &[u8]) -> io::Result<usize> {
        let mut content = self.file.0.lock();
        if !common::may_take(content.bytes.len() + 2 * new.len(), 0) {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        let at = self.at.min(content.bytes.len());
        let end = match self.over {
            true => (at + new.len()).min(content.bytes.len()),
            false => at,
        };
        content.bytes.splice(at..end, new.iter().copied());
        self.at = at + new.len();
        let length = content.bytes.len();
        content.charge.adjust(BYTES + length);
        Ok(new.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl io::Seek for Writer {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        let length = self.file.0.lock().bytes.len();
        let at = match to {
            io::SeekFrom::Start(n) => usize::try_from(n).ok(),
            io::SeekFrom::Current(n) => self.at.checked_add_signed(n as isize),
            io::SeekFrom::End(n) => length.checked_add_signed(n as isize),
        };
        let at = at.filter(|&at| at <= length);
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at as u64)
    }
}
