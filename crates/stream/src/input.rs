//! The input side of a stream: buffer, decoding, end of file.
//!
//! ```text
//!        source gives nothing         end reported
//!   No ───────────────────────▶ At ──────────────────▶ Past
//!    ▲                                                  │ eof_action(reset): ask the source again
//!    └──────────────────────────────────────────────────┘ error: PastEof; eof_code: report it again
//! ```
//!
//! An operation on what may be silent keeps what it takes, however much that is, until it has ended: interrupted, it has taken nothing.
//!
//! Invariants: bytes before `pos` are consumed and counted in the stream's position; a character is decoded from the
//! buffer in place; at [`Eof::At`] and [`Eof::Past`] no more bytes will come, so what is left is decoded as it is.

use crate::blocking::{Blocking, Undo, Wait, blocking, descriptor};
use crate::encoding::{Decoded, Encoding};
use crate::error::StreamError;
use crate::options::{EofAction, Newline};
use crate::stream::{EndOfStream, ReadEvent, Side, Stream};
use samite_syntax::read::{CharSource, Position, SourceError};
use samite_world::sockets::Socket;
use samite_world::{File, threads};
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::os::fd::AsFd;
use std::sync::Arc;
use std::time::Duration;

/// Bytes asked from the source at a time.
const CHUNK: usize = 16 * 1024;

/// A buffer that has grown beyond this by an operation which took much is made smaller afterwards.
const MOST_IDLE: usize = 1 << 20;

/// So many bytes are looked at again without much ado.
const LITTLE: usize = CHUNK;

/// Where input comes from.
pub(crate) enum Source {
    /// Everything is in the buffer already.
    Memory,
    File(File),
    Socket(Arc<Socket>),
    Reader(Box<dyn Read + Send>),
}

/// See the module text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Eof {
    No,
    At,
    Past,
}

pub(crate) struct Input {
    pub source: Source,
    pub buf: Vec<u8>,
    pub pos: usize,
    pub eof: Eof,
    /// Whether asking the source for more may take as long as somebody likes.
    may_block: bool,
    /// Where the operation under way began, if it can be undone.
    mark: Option<usize>,
    /// Whether the beginning is to be looked at for a byte order mark when there is one.
    pub bom_wanted: bool,
    /// So long it is waited for, if the source is one that tells whether there is anything.
    pub patience: Option<Duration>,
    /// So many bytes are asked for at once.
    pub buffer_size: usize,
    /// There is, or was, text in the buffer that is not of the source.
    is_fed: bool,
    /// Somebody may wait for the source, and not hear of what others have taken from there into the buffer.
    pub watched: bool,
}

impl Input {
    pub fn new(source: Source, buf: Vec<u8>) -> Input {
        let may_block = match &source {
            Source::Memory => false,
            Source::File(f) => !is_on_disk(f),
            Source::Socket(_) | Source::Reader(_) => true,
        };
        Input {
            source,
            buf,
            pos: 0,
            eof: Eof::No,
            may_block,
            mark: None,
            bom_wanted: false,
            patience: None,
            buffer_size: CHUNK,
            is_fed: false,
            watched: false,
        }
    }

    /// Where in the buffer this place of a file is, and its offset; `None`: it is not there, or nobody knows.
    pub(crate) fn in_buffer(&self, target: SeekFrom) -> Option<(u64, usize)> {
        let (Source::File(file), SeekFrom::Start(at)) = (&self.source, target) else {
            return None;
        };
        if self.buf.is_empty() || self.is_fed {
            return None;
        }
        // The buffer has what is before the place where the file will be read next.
        let end = (&mut &*file).stream_position().ok()?;
        let start = end.checked_sub(self.buf.len() as u64)?;
        let pos = usize::try_from(at.checked_sub(start)?).ok()?;
        (pos <= self.buf.len()).then_some((at, pos))
    }

    /// Drops consumed bytes and reads once more; the number of new bytes, or why nothing was read.
    fn read_more(&mut self) -> Result<std::io::Result<usize>, StreamError> {
        if matches!(self.source, Source::Memory) {
            return Ok(Ok(0));
        }
        // What may be read again stays.
        let from = self.mark.unwrap_or(self.pos);
        if from > 0 {
            self.buf.copy_within(from.., 0);
        }
        let kept = self.buf.len() - from;
        self.pos -= from;
        self.mark = self.mark.map(|_| 0);
        let undo = match self.mark {
            None => Undo::Never,
            Some(_) if self.buf.len() - from > LITTLE => Undo::Much,
            Some(_) => Undo::Little,
        };
        let wait = |descriptor| {
            Blocking::Read(Wait {
                descriptor,
                undo,
                patience: self.patience,
            })
        };
        self.buf.truncate(kept);
        let (buf, most) = (&mut self.buf, self.buffer_size);
        let result = match &mut self.source {
            Source::Memory => Ok(Ok(0)),
            Source::File(f) if self.may_block => {
                let mut from = &*f;
                blocking(wait(descriptor(f)), || append_some(buf, most, &mut from))
            }
            Source::File(f) => Ok(append_some(buf, most, f)),
            Source::Socket(s) => {
                let mut from = &**s;
                blocking(wait(Some(from.as_fd())), || {
                    append_some(buf, most, &mut from)
                })
            }
            Source::Reader(r) => blocking(wait(None), || append_some(buf, most, r)),
        };
        if result.is_err() {
            self.watched = true;
            // Who waits away for what comes to many keeps no room for it.
            if self.buf.is_empty() {
                self.buf = Vec::new();
            }
        }
        result
    }
}

/// Reads once, at most so many bytes, behind what is there.
fn append_some(buf: &mut Vec<u8>, most: usize, from: &mut impl Read) -> std::io::Result<usize> {
    if buf.try_reserve(most).is_err() {
        return Err(ErrorKind::OutOfMemory.into());
    }
    let before = buf.len();
    buf.resize(before + most, 0);
    let result = from.read(&mut buf[before..]);
    let new = result.as_ref().map_or(0, |n| (*n).min(most));
    buf.truncate(before + new);
    result
}

/// Whether a file is what its name says.
pub(crate) fn is_on_disk(file: &File) -> bool {
    file.metadata().is_ok_and(|about| about.is_file())
}

/// Moves past `c`, which took `bytes`.
#[inline]
fn advance(p: &mut Position, c: char, bytes: usize) {
    let before = p.byte_count;
    p.advance(c);
    p.byte_count = before + bytes as u64;
}

impl Stream {
    #[inline]
    pub(crate) fn input(&mut self) -> Result<&mut Input, StreamError> {
        match &mut self.side {
            Side::Input(i) => Ok(i),
            Side::Output(_) => Err(StreamError::NotInput),
            Side::Closed => Err(StreamError::Closed),
        }
    }

    /// Does something that keeps what it reads. It fails with [`StreamError::TooLarge`] when it has read about so many
    /// bytes: a source without end must not take all memory.
    pub fn with_limit<T>(
        &mut self,
        bytes: usize,
        f: impl FnOnce(&mut Stream) -> Result<T, StreamError>,
    ) -> Result<T, StreamError> {
        self.budget = bytes;
        let result = f(self);
        self.budget = usize::MAX;
        result
    }

    /// An operation that has taken nothing, or written nothing, if it fails with [`StreamError::Interrupted`]: it is to be made again when the event
    /// that wants the thread has been handled. Nor has it taken anything if there was not enough in time ([`StreamError::Timeout`]).
    pub fn undone_if_interrupted<T>(
        &mut self,
        f: impl FnOnce(&mut Stream) -> Result<T, StreamError>,
    ) -> Result<T, StreamError> {
        match &mut self.side {
            Side::Input(i) if i.may_block => i.mark = Some(i.pos),
            Side::Output(o) => {
                o.begin()?;
                return f(self);
            }
            _ => return f(self),
        }
        let bom_wanted = self.input()?.bom_wanted;
        let before = (
            self.position,
            self.newline,
            self.bad_sequences,
            self.last_bad,
            self.encoding,
            self.bom,
        );
        let result = f(self);
        let Side::Input(i) = &mut self.side else {
            return result;
        };
        let mark = i.mark.take();
        if let (Err(StreamError::Interrupted | StreamError::Timeout(_)), Some(at)) = (&result, mark)
        {
            i.pos = at;
            i.bom_wanted = bom_wanted;
            (
                self.position,
                self.newline,
                self.bad_sequences,
                self.last_bad,
                self.encoding,
                self.bom,
            ) = before;
            self.error = None;
        } else if i.buf.capacity() > MOST_IDLE && i.buf.len() - i.pos < CHUNK {
            i.buf.drain(..i.pos);
            i.pos = 0;
            i.buf.shrink_to(CHUNK);
        }
        result
    }

    /// Reads more bytes behind those in the buffer; `false` at the end of the source. Blocks. Error: also [`StreamError::Interrupted`] if what reads is given up
    /// as a long operation is ([`samite_term::heavy`]).
    fn fill(&mut self) -> Result<bool, StreamError> {
        if self.budget == 0 {
            return Err(StreamError::TooLarge);
        }
        let tty = self.tty;
        if let Some(hook) = self.read_hook.clone() {
            hook(ReadEvent::BeforeRead)?;
        }
        loop {
            match self.input()?.read_more()? {
                Ok(0) => return Ok(false),
                Ok(n) => {
                    self.budget = self.budget.saturating_sub(n);
                    // What never blocks is heard of by nobody else, and may have no end.
                    if self.patience.is_over_after(n) {
                        return Err(StreamError::Interrupted);
                    }
                    break;
                }
                Err(e) if e.kind() == ErrorKind::Interrupted => {
                    if self
                        .interrupt_hook
                        .as_ref()
                        .is_some_and(|give_up| give_up())
                    {
                        return Err(StreamError::Interrupted);
                    }
                }
                Err(e) if e.kind() == ErrorKind::WouldBlock => {
                    // Somebody else made the descriptor non-blocking.
                    threads::sleep(Duration::from_millis(5));
                }
                Err(error) => {
                    return Err(match &self.input()?.source {
                        Source::Socket(_) => StreamError::Socket(error),
                        _ => StreamError::Io {
                            action: "read",
                            error,
                        },
                    });
                }
            }
        }
        if tty
            && self.input()?.buf.last() == Some(&b'\n')
            && let Some(hook) = self.read_hook.clone()
        {
            hook(ReadEvent::LineEntered)?;
        }
        Ok(true)
    }

    /// Makes more than `have` bytes available, if there are; `false` if the source has ended.
    fn need_more(&mut self, have: usize) -> Result<bool, StreamError> {
        loop {
            let reset = self.eof_action;
            let i = self.input()?;
            if i.buf.len() - i.pos > have {
                return Ok(true);
            }
            if i.bom_wanted {
                i.bom_wanted = false;
                if let Err(e) = self.skip_bom() {
                    self.input()?.bom_wanted = true;
                    return Err(e);
                }
                continue;
            }
            match i.eof {
                Eof::At => return Ok(false),
                Eof::Past => match reset {
                    EofAction::Error => return Err(StreamError::PastEof),
                    EofAction::EofCode => return Ok(false),
                    EofAction::Reset => i.eof = Eof::No,
                },
                Eof::No => {
                    if !self.fill()? {
                        self.input()?.eof = Eof::At;
                    }
                }
            }
        }
    }

    /// The character at `offset` behind the consumed bytes and its length.
    fn decode_at(&mut self, offset: usize) -> Result<Option<(Decoded, usize)>, StreamError> {
        let mut have = offset;
        loop {
            let more = self.need_more(have)?;
            let encoding = self.encoding;
            let i = self.input()?;
            let bytes = &i.buf[i.pos + offset..];
            if bytes.is_empty() {
                return Ok(None);
            }
            match encoding.decode(bytes, !more) {
                Decoded::Incomplete => have = offset + bytes.len(),
                d @ (Decoded::Char(_, n) | Decoded::Bad(_, n)) => return Ok(Some((d, n))),
            }
        }
    }

    /// The next character and its length, carriage returns skipped if the newline mode says so.
    fn fetch(&mut self) -> Result<Option<(char, usize)>, StreamError> {
        loop {
            match self.decode_at(0)? {
                None | Some((Decoded::Incomplete, _)) => return Ok(None),
                Some((Decoded::Char('\r', n), _)) if self.newline != Newline::Posix => {
                    self.newline = Newline::Dos;
                    self.input()?.pos += n;
                    self.position.byte_count += n as u64;
                }
                Some((Decoded::Char(c, n), _)) => return Ok(Some((c, n))),
                Some((Decoded::Bad(c, n), _)) => {
                    if self.last_bad.is_none_or(|at| at < self.position.byte_count) {
                        self.last_bad = Some(self.position.byte_count);
                        self.bad_sequences += 1;
                        let place = (self.position.line, self.position.column);
                        self.bad_place.get_or_insert(place);
                    }
                    return Ok(Some((c, n)));
                }
            }
        }
    }

    /// A character below 128 at the front of the buffer, if decoding is that simple.
    #[inline]
    fn ascii_ahead(&self) -> Option<u8> {
        match &self.side {
            Side::Input(i) => match i.buf.get(i.pos) {
                Some(&b)
                    if b < 0x80
                        && self.encoding.extends_ascii()
                        && (b != b'\r' || self.newline == Newline::Posix) =>
                {
                    Some(b)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Takes the next character; `None` at the end.
    #[inline]
    pub fn get_char(&mut self) -> Result<Option<char>, StreamError> {
        if let Some(b) = self.ascii_ahead() {
            let c = char::from(b);
            self.position.advance(c);
            if let Side::Input(i) = &mut self.side {
                i.pos += 1;
            }
            return Ok(Some(c));
        }
        match self.fetch()? {
            Some((c, n)) => {
                self.input()?.pos += n;
                advance(&mut self.position, c, n);
                Ok(Some(c))
            }
            None => {
                self.input()?.eof = Eof::Past;
                Ok(None)
            }
        }
    }

    /// The next character without taking it; `None` at the end.
    #[inline]
    pub fn peek_char(&mut self) -> Result<Option<char>, StreamError> {
        if let Some(b) = self.ascii_ahead() {
            return Ok(Some(char::from(b)));
        }
        Ok(self.fetch()?.map(|(c, _)| c))
    }

    /// Takes the next byte; `None` at the end.
    pub fn get_byte(&mut self) -> Result<Option<u8>, StreamError> {
        let byte = self.peek_byte()?;
        match byte {
            Some(b) => {
                self.input()?.pos += 1;
                advance(&mut self.position, char::from(b), 1);
            }
            None => self.input()?.eof = Eof::Past,
        }
        Ok(byte)
    }

    /// The next byte without taking it; `None` at the end.
    pub fn peek_byte(&mut self) -> Result<Option<u8>, StreamError> {
        self.need_more(0)?;
        let i = self.input()?;
        Ok(i.buf.get(i.pos).copied())
    }

    /// Reads once more from the source, unless there are as many bytes as it is asked for at once, or the end has been seen.
    pub fn fill_buffer(&mut self) -> Result<(), StreamError> {
        let have = self.buffered_input();
        let i = self.input()?;
        if have < i.buffer_size && i.eof == Eof::No {
            self.need_more(have)?;
        }
        Ok(())
    }

    /// Takes the characters that are there without asking the source; `None` if there is nothing, not even a part of one.
    pub fn take_pending(&mut self) -> Result<Option<String>, StreamError> {
        self.ready_to_read()?;
        if self.buffered_input() == 0 {
            return Ok(None);
        }
        let mut text = String::new();
        while self.has_whole_character()? {
            match self.get_char()? {
                Some(c) => append(&mut text, c)?,
                None => break,
            }
        }
        Ok(Some(text))
    }

    /// Whether the next character can be taken without asking the source.
    fn has_whole_character(&mut self) -> Result<bool, StreamError> {
        let (encoding, newline) = (self.encoding, self.newline);
        let i = self.input()?;
        let ended = i.eof != Eof::No || matches!(i.source, Source::Memory);
        let mut bytes = &i.buf[i.pos..];
        while !bytes.is_empty() {
            match encoding.decode(bytes, ended) {
                Decoded::Char('\r', n) if newline != Newline::Posix => bytes = &bytes[n..],
                Decoded::Char(..) | Decoded::Bad(..) => return Ok(!i.bom_wanted),
                Decoded::Incomplete => break,
            }
        }
        Ok(false)
    }

    /// The next `n` characters without taking them; fewer at the end.
    pub fn peek_string(&mut self, n: usize) -> Result<String, StreamError> {
        let mut text = String::new();
        let (mut offset, mut count) = (0, 0);
        while count < n {
            match self.decode_at(offset)? {
                Some((Decoded::Char(c, length) | Decoded::Bad(c, length), _)) => {
                    if c != '\r' || self.newline == Newline::Posix {
                        append(&mut text, c)?;
                        count += 1;
                    }
                    offset += length;
                }
                _ => break,
            }
        }
        Ok(text)
    }

    /// Takes a line and its newline; the text without that. `None` at the end.
    pub fn read_line(&mut self) -> Result<Option<String>, StreamError> {
        let mut line = self.read_whole_line()?;
        if line.ends_with('\n') {
            line.pop();
        } else if line.is_empty() {
            return Ok(None);
        }
        Ok(Some(line))
    }

    /// Takes a line with its newline. One without is the last; it is empty at the end.
    pub fn read_whole_line(&mut self) -> Result<String, StreamError> {
        let mut line = String::new();
        self.read_until(Some('\n'), &mut line)?;
        Ok(line)
    }

    /// Takes everything up to the end and appends it to `text`.
    pub fn read_to_end(&mut self, text: &mut String) -> Result<(), StreamError> {
        if let Side::Input(i) = &self.side
            && i.mark.is_some()
        {
            // All of it is kept until the end comes: once.
            while self.need_more(self.buffered_input())? {}
            self.take_buffer_as(text)?;
        }
        self.read_until(None, text).map(|_| ())
    }

    /// Takes what is in the buffer, without a copy, if it is plain UTF-8 and the text has nothing yet.
    fn take_buffer_as(&mut self, text: &mut String) -> Result<(), StreamError> {
        if !text.is_empty() || self.encoding != Encoding::Utf8 || self.newline != Newline::Posix {
            return Ok(());
        }
        let i = self.input()?;
        i.buf.drain(..i.pos);
        i.pos = 0;
        i.mark = i.mark.map(|_| 0);
        match String::from_utf8(std::mem::take(&mut i.buf)) {
            Ok(all) => {
                advance_text(&mut self.position, all.as_bytes());
                *text = all;
            }
            Err(e) => i.buf = e.into_bytes(),
        }
        Ok(())
    }

    /// Appends what comes up to and including `stop` (ASCII), or up to the end: then the result is `None`.
    fn read_until(
        &mut self,
        stop: Option<char>,
        text: &mut String,
    ) -> Result<Option<char>, StreamError> {
        loop {
            if self.take_valid(stop, text)? {
                return Ok(stop);
            }
            match self.get_char()? {
                None => return Ok(None),
                Some(c) => {
                    append(text, c)?;
                    if Some(c) == stop {
                        return Ok(stop);
                    }
                }
            }
        }
    }

    /// Takes what is in the buffer as far as it is plain UTF-8, up to and including `stop`; whether that was there.
    fn take_valid(&mut self, stop: Option<char>, text: &mut String) -> Result<bool, StreamError> {
        if self.encoding != Encoding::Utf8 || self.newline != Newline::Posix {
            return Ok(false);
        }
        let i = self.input()?;
        let bytes = &i.buf[i.pos..];
        let end = stop.and_then(|s| bytes.iter().position(|&b| b == s as u8));
        let bytes = &bytes[..end.map_or(bytes.len(), |e| e + 1)];
        let valid = match std::str::from_utf8(bytes) {
            Ok(valid) => valid,
            Err(e) => std::str::from_utf8(&bytes[..e.valid_up_to()]).unwrap_or(""),
        };
        if text.try_reserve(valid.len()).is_err() {
            return Err(StreamError::TooLarge);
        }
        text.push_str(valid);
        let taken = valid.len();
        let complete = taken == bytes.len();
        if let Side::Input(i) = &mut self.side {
            advance_text(&mut self.position, &i.buf[i.pos..i.pos + taken]);
            i.pos += taken;
        }
        Ok(end.is_some() && complete)
    }

    /// Whether everything has been taken. Reads ahead, so may block.
    pub fn at_eof(&mut self) -> Result<bool, StreamError> {
        if let Eof::Past = self.input()?.eof {
            return Ok(true);
        }
        Ok(!self.need_more(0)?)
    }

    /// Where the stream stands relative to its end, as far as known without reading.
    pub fn end_of_stream(&self) -> EndOfStream {
        match &self.side {
            Side::Input(i) if i.buf.len() > i.pos => EndOfStream::Not,
            Side::Input(i) => match i.eof {
                Eof::No if matches!(i.source, Source::Memory) => EndOfStream::At,
                Eof::No => EndOfStream::Not,
                Eof::At => EndOfStream::At,
                Eof::Past => EndOfStream::Past,
            },
            _ => EndOfStream::Not,
        }
    }

    /// To be called before a term is read, whose reader only knows [`SourceError`]s: fails past the end of a stream with
    /// `eof_action(error)` and on an output stream.
    pub fn ready_to_read(&mut self) -> Result<(), StreamError> {
        self.error = None;
        let action = self.eof_action;
        match self.input()?.eof {
            Eof::Past if action == EofAction::Error => Err(StreamError::PastEof),
            _ => Ok(()),
        }
    }

    /// Bytes read from the source but not taken yet.
    pub fn buffered_input(&self) -> usize {
        match &self.side {
            Side::Input(i) => i.buf.len() - i.pos,
            _ => 0,
        }
    }

    /// From now on this is where input comes from, behind what has been read already.
    pub fn set_source(&mut self, reader: Box<dyn Read + Send>) -> Result<(), StreamError> {
        let i = self.input()?;
        i.source = Source::Reader(reader);
        i.may_block = true;
        Ok(())
    }

    /// Appends text to what has been read from the source.
    pub fn feed(&mut self, text: &str) -> Result<(), StreamError> {
        let i = self.input()?;
        i.buf.extend_from_slice(text.as_bytes());
        i.is_fed = true;
        i.eof = Eof::No;
        Ok(())
    }

    fn keep_error<T>(&mut self, result: Result<T, StreamError>) -> Result<T, SourceError> {
        result.map_err(|e| {
            let for_reader = SourceError::from(&e);
            self.error = Some(e);
            for_reader
        })
    }
}

/// Moves past valid UTF-8.
pub(crate) fn advance_text(p: &mut Position, text: &[u8]) {
    p.byte_count += text.len() as u64;
    for &b in text {
        match b {
            b'\n' => {
                p.char_count += 1;
                p.line += 1;
                p.column = 0;
            }
            b'\r' => {
                p.char_count += 1;
                p.column = 0;
            }
            b'\t' => {
                p.char_count += 1;
                p.column = (p.column | 7) + 1;
            }
            8 => {
                p.char_count += 1;
                p.column = p.column.saturating_sub(1);
            }
            // Continuation bytes count nothing.
            0x80..=0xbf => {}
            _ => {
                p.char_count += 1;
                p.column += 1;
            }
        }
    }
}

impl CharSource for Stream {
    #[inline]
    fn peek(&mut self) -> Result<Option<char>, SourceError> {
        let result = self.peek_char();
        self.keep_error(result)
    }
    #[inline]
    fn next(&mut self) -> Result<Option<char>, SourceError> {
        let result = self.get_char();
        self.keep_error(result)
    }
    fn position(&self) -> Position {
        self.position
    }
}

/// Adds a character to a text that is read, as far as the system has the memory.
pub fn append(text: &mut String, c: char) -> Result<(), StreamError> {
    if text.capacity() - text.len() < 4 && text.try_reserve(4).is_err() {
        return Err(StreamError::TooLarge);
    }
    text.push(c);
    Ok(())
}
