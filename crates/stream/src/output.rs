//! The output side of a stream: encoding, buffer, flushing.
//!
//! Output that cannot be delivered is dropped after the error has been reported, so that a closed pipe ends
//! in one error and not in one more for each later operation and for the end of the process. Closing the stream reports it once more: who closes
//! a file without an error has written all of it.
//!
//! *Equation*, for what may block: an operation during which an event is due has written all or nothing. It begins only when less than
//! [`MOST_KEPT`] bytes wait ([`Output::begin`], which may be given up); from then on, where there is no room before an event is due, what it
//! writes is put into the buffer, for the next operation to deliver.

use crate::blocking::{Blocking, Undo, Wait, blocking, descriptor};
use crate::encoding::Encoding;
use crate::error::StreamError;
use crate::input::{advance_text, is_on_disk};
use crate::options::{Buffering, Newline, Unrepresentable};
use crate::pace::Pace;
use crate::stream::{Side, Stream};
use samite_world::sockets::Writing;
use samite_world::{File, threads};
use std::io::{ErrorKind, Seek, Write};
use std::os::fd::AsFd;
use std::time::Duration;

/// Bytes gathered before they are written.
const CAPACITY: usize = 16 * 1024;
/// So many bytes go at once where there is room for any: `PIPE_BUF`.
const AT_ONCE: usize = 4096;
/// Bytes that are kept for a reader who does not come, at most, when an operation begins: what it writes itself is kept in any case.
const MOST_KEPT: usize = 1 << 20;
/// Bytes that a character takes at most, with what goes before the end of a line.
const CHARACTER: usize = 16;

/// What is written at places that can be chosen.
pub trait WriteAt: Write + Seek + Send {}
impl<W: Write + Seek + Send> WriteAt for W {}

/// Where output goes.
pub(crate) enum Sink {
    /// It stays in the buffer, at most so many bytes.
    Memory(usize),
    File(File),
    Socket(Writing),
    Writer(Box<dyn Write + Send>),
    /// Something in memory that has places, and takes all at once.
    Places(Box<dyn WriteAt>),
    /// Nowhere.
    Nothing,
}

pub(crate) struct Output {
    pub sink: Sink,
    pub buf: Vec<u8>,
    /// It is written out when it has so many bytes.
    pub buffer_size: usize,
    /// The system's error by which output was lost.
    pub lost: Option<i32>,
    /// That is to be told by the next operation.
    pub owes: bool,
    /// The last character was a carriage return: a newline after it needs none of its own.
    returned: bool,
    /// Whether writing may take as long as somebody likes.
    may_block: bool,
    /// So long it is waited for room, if the sink is one that tells whether there is any.
    pub patience: Option<Duration>,
}

impl Output {
    pub fn new(sink: Sink) -> Output {
        let may_block = match &sink {
            Sink::Memory(_) | Sink::Places(_) | Sink::Nothing => false,
            Sink::File(f) => !is_on_disk(f),
            Sink::Socket(_) | Sink::Writer(_) => true,
        };
        Output {
            sink,
            buf: Vec::new(),
            buffer_size: CAPACITY,
            lost: None,
            owes: false,
            returned: false,
            may_block,
            patience: None,
        }
    }

    /// Writes the buffer out; it is empty afterwards, whatever happens, but for [`StreamError::Interrupted`] and [`StreamError::Timeout`]: what has not been
    /// written then stays.
    pub fn flush(&mut self) -> Result<(), StreamError> {
        self.deliver(Undo::Little)
    }

    /// Before an operation: see the module text.
    #[inline]
    pub fn begin(&mut self) -> Result<(), StreamError> {
        match self.buf.len() < MOST_KEPT || !self.may_block {
            true => Ok(()),
            false => self.deliver(Undo::Little),
        }
    }

    /// Writes the buffer out, within an operation or after it, as far as there is room before an event is due. Whether somebody waits for it.
    fn flush_soon(&mut self, awaited: bool) -> Result<(), StreamError> {
        match self.deliver(if awaited { Undo::Much } else { Undo::Kept }) {
            Err(StreamError::Interrupted) => Ok(()),
            result => result,
        }
    }

    fn deliver(&mut self, undo: Undo) -> Result<(), StreamError> {
        let mut done = 0;
        let wait = |descriptor| Wait {
            descriptor,
            undo,
            patience: self.patience,
        };
        let result = match &mut self.sink {
            Sink::Memory(_) => return Ok(()),
            Sink::Nothing => Ok(Ok(())),
            Sink::Places(w) => Ok(w.write_all(&self.buf)),
            Sink::File(f) if self.may_block => {
                let to = wait(descriptor(f));
                write_in_pieces(&mut &*f, &self.buf, &mut done, to)
            }
            Sink::File(f) => Ok(write_all(f, &self.buf)),
            Sink::Socket(w) => {
                let mut to = &**w.socket();
                let wait = wait(Some(to.as_fd()));
                write_in_pieces(&mut to, &self.buf, &mut done, wait)
            }
            Sink::Writer(w) if self.buf.is_empty() => Ok(w.flush()),
            Sink::Writer(w) => write_in_pieces(w.as_mut(), &self.buf, &mut done, wait(None)),
        };
        let result = match result {
            Err(given_up) => {
                self.buf.drain(..done);
                return Err(given_up);
            }
            Ok(result) => result,
        };
        self.buf.clear();
        result.map_err(|error| {
            self.lost = error.raw_os_error();
            self.refused(error)
        })
    }

    /// What it is that the system has refused to write.
    fn refused(&self, error: std::io::Error) -> StreamError {
        match self.sink {
            Sink::Socket(_) => StreamError::Socket(error),
            _ => StreamError::Io {
                action: "write",
                error,
            },
        }
    }

    /// Writes the buffer out for the last time: an error also if something was lost before.
    pub fn finish(&mut self) -> Result<(), StreamError> {
        self.flush()?;
        match self.lost {
            Some(_) => Err(self.lost_error()),
            None => Ok(()),
        }
    }

    /// What was lost, as an error; nothing is, any more.
    fn lost_error(&mut self) -> StreamError {
        let number = self.lost.take();
        let error = number.map_or_else(
            || ErrorKind::Other.into(),
            std::io::Error::from_raw_os_error,
        );
        self.refused(error)
    }

    fn is_full(&self) -> bool {
        self.buf.len() >= self.buffer_size && !matches!(self.sink, Sink::Memory(_))
    }

    /// Makes room in memory for so many bytes more, and for those of a character; fails if the limit or the system has none.
    #[inline]
    fn make_room(&mut self, bytes: usize) -> Result<(), StreamError> {
        let Sink::Memory(limit) = self.sink else {
            return Ok(());
        };
        let wanted = bytes.saturating_add(CHARACTER);
        if self.buf.len().saturating_add(bytes) > limit
            || (self.buf.capacity() - self.buf.len() < wanted
                && self.buf.try_reserve(wanted).is_err())
        {
            return Err(StreamError::TooLarge);
        }
        Ok(())
    }
}

/// `Write::write_all` that also waits for a descriptor somebody else made non-blocking.
fn write_all(sink: &mut dyn Write, mut bytes: &[u8]) -> std::io::Result<()> {
    while !bytes.is_empty() {
        bytes = &bytes[write_some(sink, bytes)?..];
    }
    sink.flush()
}

/// The same for what may block. `done` is how much was written when it was given up, or has taken too long.
fn write_in_pieces(
    sink: &mut dyn Write,
    bytes: &[u8],
    done: &mut usize,
    wait: Wait<'_>,
) -> Result<std::io::Result<()>, StreamError> {
    let most = match wait.descriptor {
        Some(_) => AT_ONCE,
        None => usize::MAX,
    };
    while *done < bytes.len() {
        let piece = &bytes[*done..bytes.len().min(done.saturating_add(most))];
        match blocking(Blocking::Write(wait), || write_some(sink, piece))? {
            Ok(n) => *done += n,
            Err(e) => return Ok(Err(e)),
        }
    }
    Ok(sink.flush())
}

/// `Write::write` that also waits for a descriptor somebody else made non-blocking; it takes something.
fn write_some(sink: &mut dyn Write, bytes: &[u8]) -> std::io::Result<usize> {
    loop {
        match sink.write(bytes) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) if e.kind() == ErrorKind::WouldBlock => {
                threads::sleep(Duration::from_millis(1));
            }
            result => return result,
        }
    }
}

impl Stream {
    #[inline]
    pub(crate) fn output(&mut self) -> Result<&mut Output, StreamError> {
        match &mut self.side {
            Side::Output(o) => Ok(o),
            Side::Input(_) => Err(StreamError::NotOutput),
            Side::Closed => Err(StreamError::Closed),
        }
    }

    /// Writes what the buffering mode says after an operation that wrote a newline or not.
    #[inline]
    fn written(&mut self, newline: bool) -> Result<(), StreamError> {
        self.tell_place();
        let now = match self.buffering {
            Buffering::Full => false,
            Buffering::Line => newline && self.pace.as_mut().is_none_or(Pace::allows),
            Buffering::None => true,
        };
        let o = self.output()?;
        if o.owes {
            // (As if it had been this operation's: what it has written is lost, too.)
            o.owes = false;
            o.buf.clear();
            return Err(o.lost_error());
        }
        if now || o.is_full() {
            o.flush_soon(now)?;
        }
        Ok(())
    }

    /// Delivers pending output. What the system refuses is told by the next operation. Error: [`StreamError::Interrupted`] if an event wants the thread before, or it is suspended.
    pub(crate) fn deliver_before_wait(&mut self) -> Result<(), StreamError> {
        match &mut self.side {
            Side::Output(o) => match o.flush() {
                Err(StreamError::Interrupted) => Err(StreamError::Interrupted),
                result => {
                    o.owes |= result.is_err();
                    Ok(())
                }
            },
            _ => Ok(()),
        }
    }

    /// Appends a character to the buffer.
    fn encode(&mut self, c: char) -> Result<(), StreamError> {
        let (encoding, newline) = (self.encoding, self.newline);
        // (A buffer that says nothing about it leaves what its text is for to who writes that.)
        let above = c > self.highest && self.unrepresentable != Unrepresentable::Error;
        let o = self.output()?;
        o.make_room(1)?;
        let before = o.buf.len();
        let dos = c == '\n' && newline == Newline::Dos && !o.returned;
        o.returned = c == '\r';
        if dos {
            encoding.encode('\r', &mut o.buf);
        }
        if above || !encoding.encode(c, &mut o.buf) {
            let Some(text) = self.unrepresentable.text(c) else {
                return Err(StreamError::Encoding(c));
            };
            // (Each encoding has these characters.)
            return text.chars().try_for_each(|c| self.encode(c));
        }
        let bytes = (o.buf.len() - before) as u64;
        let bytes_before = self.position.byte_count;
        if dos {
            self.position.advance('\r');
        }
        self.position.advance(c);
        self.position.byte_count = bytes_before + bytes;
        Ok(())
    }

    /// Writes a character.
    #[inline]
    pub fn put_char(&mut self, c: char) -> Result<(), StreamError> {
        self.ask_place();
        self.encode(c)?;
        self.written(c == '\n')
    }

    /// Writes a text. A character that the encoding does not have ends it with an error; those before are written.
    pub fn put_str(&mut self, text: &str) -> Result<(), StreamError> {
        self.ask_place();
        if self.encoding == Encoding::Utf8
            && self.newline != Newline::Dos
            && self.highest == char::MAX
        {
            self.output()?.make_room(text.len())?;
            advance_text(&mut self.position, text.as_bytes());
            let o = self.output()?;
            // A long text goes through the buffer of a file in pieces.
            let mut rest = text.as_bytes();
            while rest.len() > o.buffer_size && !matches!(o.sink, Sink::Memory(_)) {
                let (piece, more) = rest.split_at(o.buffer_size);
                o.buf.extend_from_slice(piece);
                o.flush_soon(false)?;
                rest = more;
            }
            o.buf.extend_from_slice(rest);
        } else {
            for c in text.chars() {
                self.encode(c)?;
            }
        }
        self.written(text.as_bytes().contains(&b'\n'))
    }

    /// Writes a byte.
    pub fn put_byte(&mut self, byte: u8) -> Result<(), StreamError> {
        self.ask_place();
        let o = self.output()?;
        o.make_room(1)?;
        o.buf.push(byte);
        let bytes = self.position.byte_count + 1;
        self.position.advance(char::from(byte));
        self.position.byte_count = bytes;
        self.written(byte == b'\n')
    }

    /// Writes spaces up to a column; nothing if that has been passed.
    pub fn tab_to(&mut self, column: u32) -> Result<(), StreamError> {
        self.ask_place();
        for _ in self.position.column..column {
            self.encode(' ')?;
        }
        self.written(false)
    }

    /// From now on this is where output goes; what has been written goes where it was meant to.
    pub fn set_sink(&mut self, writer: Box<dyn Write + Send>) -> Result<(), StreamError> {
        let o = self.output()?;
        o.flush()?;
        o.sink = Sink::Writer(writer);
        o.may_block = true;
        Ok(())
    }

    /// Whether it is open for output to a file on a disk, which never waits for a reader.
    pub(crate) fn writes_to_file(&self) -> bool {
        matches!(&self.side, Side::Output(o) if matches!(o.sink, Sink::File(_)) && !o.may_block)
    }

    /// Whether the system has refused something of what was written, and [`Output::finish`] has not said so yet.
    pub fn has_lost_output(&self) -> bool {
        matches!(&self.side, Side::Output(o) if o.lost.is_some())
    }

    /// Delivers everything written so far.
    pub fn flush(&mut self) -> Result<(), StreamError> {
        self.output()?.flush()
    }

    /// Takes what was written to a stream made by [`Stream::to_buffer`]. Bytes that are no UTF-8 become U+FFFD.
    pub fn take_buffer(&mut self) -> String {
        String::from_utf8(self.take_bytes())
            .unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
    }

    /// Takes what was written to a stream made by [`Stream::to_buffer`]; of other streams, nothing.
    pub fn take_bytes(&mut self) -> Vec<u8> {
        match &mut self.side {
            Side::Output(Output {
                sink: Sink::Memory(_),
                buf,
                ..
            }) => std::mem::take(buf),
            _ => Vec::new(),
        }
    }
}
