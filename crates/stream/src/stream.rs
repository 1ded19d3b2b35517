//! One open stream: what it is and where it stands. Its two sides are in `input.rs` and `output.rs`.
//!
//! A stream belongs to whoever holds it: the [`crate::StreamTable`] keeps each behind a lock of its own. A read from a
//! terminal or a pipe blocks with that lock held; who only wants to look at streams should use `try_lock`.

use crate::encoding::Encoding;
use crate::error::StreamError;
use crate::input::{Eof, Input, Source};
use crate::options::{
    Buffering, EofAction, Mode, Newline, OpenOptions, StreamType, TypeCheck, Unrepresentable,
};
use crate::output::{Output, Sink, WriteAt};
use crate::pace::Pace;
use samite_syntax::read::Position;
use samite_term::common::Charge;
use samite_term::heavy::Patience;
use samite_world::processes::Running;
use samite_world::sockets::{Socket, Writing};
use samite_world::{File, descriptors};
use std::io::{IsTerminal, Read, Seek, SeekFrom, Write};
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// What a [`ReadHook`] is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReadEvent {
    /// More is about to be read, which may wait for somebody.
    BeforeRead,
    /// The user has ended a line, whose echo moved the cursor to the left margin.
    LineEntered,
}

/// Called around reads, with the stream locked; its error is that of the read, which is not made.
pub type ReadHook = Arc<dyn Fn(ReadEvent) -> Result<(), StreamError> + Send + Sync>;

/// Called when a signal interrupts a read, with the stream locked: whether to give up with
/// [`StreamError::Interrupted`] instead of reading on.
pub type InterruptHook = Arc<dyn Fn() -> bool + Send + Sync>;

/// Where an input stream stands relative to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndOfStream {
    /// Before it, or not known without reading.
    Not,
    /// Everything has been taken.
    At,
    /// The end has been reported.
    Past,
}

impl EndOfStream {
    /// As `stream_property/2` shows it.
    pub fn name(self) -> &'static str {
        match self {
            EndOfStream::Not => "not",
            EndOfStream::At => "at",
            EndOfStream::Past => "past",
        }
    }
}

/// What the offset of [`Stream::seek`] counts from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whence {
    /// The first byte.
    Start,
    /// The current place.
    Current,
    /// Behind the last byte.
    End,
}

const BESIDE: usize = 128;

pub(crate) enum Side {
    Input(Input),
    Output(Output),
    Closed,
}

/// One open stream.
pub struct Stream {
    // What it was opened as.
    pub(crate) mode: Mode,
    pub(crate) stream_type: StreamType,
    pub(crate) reposition: bool,
    pub(crate) bom: bool,
    pub(crate) close_on_abort: bool,
    /// The highest character that what is written here is for, whatever its own encoding has.
    pub(crate) highest: char,
    pub(crate) unrepresentable: Unrepresentable,
    // What can be set.
    pub(crate) file_name: Option<String>,
    pub(crate) encoding: Encoding,
    pub(crate) newline: Newline,
    pub(crate) buffering: Buffering,
    /// Lines that go out one by one do so only while they are few.
    pub(crate) pace: Option<Pace>,
    pub(crate) eof_action: EofAction,
    pub(crate) tty: bool,
    /// The descriptor of a standard stream as other programs know it.
    standard: Option<i32>,
    pub(crate) read_hook: Option<ReadHook>,
    pub(crate) interrupt_hook: Option<InterruptHook>,
    // Where it stands.
    /// Its column, if others write to the same place, is what `place` says.
    pub(crate) position: Position,
    /// The column of a place that several streams write to: a terminal, or what standard output and error both are connected to.
    pub(crate) place: Option<Arc<AtomicU32>>,
    pub(crate) side: Side,
    /// The command at the other end.
    process: Option<Arc<Running>>,
    /// What the last of the output has met, of a stream that has hung up.
    refused: Option<StreamError>,
    /// Bytes that may still be read from the source; see [`Stream::with_limit`].
    pub(crate) budget: usize,
    /// Of who reads what never blocks.
    pub(crate) patience: Patience,
    /// The last error a reader of terms met.
    pub(crate) error: Option<StreamError>,
    /// Byte sequences that were no characters, and where the last one was.
    pub(crate) bad_sequences: u64,
    pub(crate) last_bad: Option<u64>,
    /// Line and column of the first that nobody has been told of.
    pub(crate) bad_place: Option<(u32, u32)>,
    /// For as long as it is in a [`crate::StreamTable`].
    pub(crate) charge: Option<Charge>,
}

/// Opening and closing.
impl Stream {
    /// Bytes that a stream takes in a [`crate::StreamTable`], beside the text that it is made from: itself, its place there, a
    /// buffer or what it is connected to.
    pub const BYTES: usize = size_of::<Stream>() + BESIDE;

    /// Those that it takes now.
    pub(crate) fn bytes(&self) -> usize {
        let buffer = match &self.side {
            Side::Input(i) => i.buf.capacity(),
            Side::Output(o) => o.buf.capacity(),
            Side::Closed => 0,
        };
        Stream::BYTES + buffer
    }

    fn new(mode: Mode, options: &OpenOptions, side: Side) -> Stream {
        Stream {
            mode,
            stream_type: options.stream_type,
            reposition: false,
            bom: false,
            close_on_abort: options.close_on_abort,
            highest: char::MAX,
            unrepresentable: Unrepresentable::Error,
            file_name: None,
            encoding: match options.stream_type {
                StreamType::Text => options.encoding.unwrap_or(Encoding::Utf8),
                StreamType::Binary => options.encoding.unwrap_or(Encoding::Octet),
            },
            newline: options.newline,
            buffering: options.buffering,
            pace: None,
            eof_action: options.eof_action,
            tty: false,
            standard: None,
            read_hook: None,
            interrupt_hook: None,
            position: Position::default(),
            place: None,
            side,
            process: None,
            refused: None,
            budget: usize::MAX,
            patience: Patience::new(),
            error: None,
            bad_sequences: 0,
            last_bad: None,
            bad_place: None,
            charge: None,
        }
    }

    /// Opens a file. A pipe may take as long as somebody likes to open its other end.
    pub fn open_file(path: &str, mode: Mode, options: &OpenOptions) -> Result<Stream, StreamError> {
        let file = crate::opening::open(path, mode);
        let failed = |error| StreamError::Open {
            path: path.to_owned(),
            mode,
            error,
        };
        Stream::of_file(file.map_err(failed)?, path, mode, options)
    }

    /// A file that has been opened, by [`opening::open`](crate::opening::open).
    pub fn of_file(
        file: File,
        path: &str,
        mode: Mode,
        options: &OpenOptions,
    ) -> Result<Stream, StreamError> {
        let failed = |error| StreamError::Open {
            path: path.to_owned(),
            mode,
            error,
        };
        // It exists, and may be opened.
        let about = (file.metadata()).map_err(|error| StreamError::Io {
            action: "open",
            error,
        })?;
        if about.is_dir() {
            return Err(failed(std::io::ErrorKind::IsADirectory.into()));
        }
        if options.reposition == Some(true) && !about.is_file() {
            return Err(StreamError::OpenReposition);
        }
        let tty = file.is_terminal();
        let side = match mode {
            Mode::Read => Side::Input(Input::new(Source::File(file), Vec::new())),
            _ => Side::Output(Output::new(Sink::File(file))),
        };
        let mut stream = Stream::new(mode, options, side);
        stream.file_name = Some(path.to_owned());
        stream.reposition = about.is_file();
        stream.tty = tty;
        let text = options.stream_type == StreamType::Text;
        match mode {
            Mode::Read if options.bom.unwrap_or(text && about.is_file()) => match about.is_file() {
                true => stream.skip_bom()?,
                // What is silent for now is looked at when it is read.
                false => stream.input()?.bom_wanted = true,
            },
            Mode::Write if options.bom == Some(true) => stream.write_bom()?,
            _ => {}
        }
        Ok(stream)
    }

    /// What a command writes, or what it is to read.
    pub fn of_process(
        end: File,
        mode: Mode,
        options: &OpenOptions,
        process: Running,
    ) -> Result<Stream, StreamError> {
        let mut stream = Stream::of_file(end, "", mode, options)?;
        stream.file_name = None;
        stream.process = Some(Arc::new(process));
        Ok(stream)
    }

    /// The command at the other end, which is to have ended before the stream is closed.
    pub fn process(&self) -> Option<&Arc<Running>> {
        self.process.as_ref()
    }

    /// Delivers pending output and lets go of the pipe to a command, so that it hears of that. What is left to do is [`Stream::close`], which has the
    /// error.
    pub fn hang_up(&mut self) {
        if let Side::Output(o) = &mut self.side {
            self.refused = o.finish().err();
        }
        self.side = Side::Closed;
    }

    /// What comes from a socket: bytes, as nobody has said yet what they mean.
    pub fn from_socket(socket: Arc<Socket>) -> Stream {
        let side = Side::Input(Input::new(Source::Socket(socket), Vec::new()));
        Stream::new(Mode::Read, &Stream::of_bytes(), side)
    }

    /// What goes to a socket.
    pub fn to_socket(socket: Arc<Socket>) -> Stream {
        let sink = Sink::Socket(Writing::to(socket));
        let side = Side::Output(Output::new(sink));
        Stream::new(Mode::Write, &Stream::of_bytes(), side)
    }

    fn of_bytes() -> OpenOptions {
        OpenOptions {
            stream_type: StreamType::Binary,
            ..OpenOptions::default()
        }
    }

    /// Input from a text in memory.
    pub fn from_string(text: impl Into<String>) -> Stream {
        Stream::from_bytes(text.into().into_bytes(), &OpenOptions::default())
    }

    /// Input from bytes in memory.
    pub fn from_bytes(bytes: Vec<u8>, options: &OpenOptions) -> Stream {
        let side = Side::Input(Input::new(Source::Memory, bytes));
        let mut stream = Stream::new(Mode::Read, options, side);
        stream.reposition = true;
        stream
    }

    /// Input from anything else.
    pub fn from_reader(reader: Box<dyn Read + Send>, options: &OpenOptions) -> Stream {
        let side = Side::Input(Input::new(Source::Reader(reader), Vec::new()));
        Stream::new(Mode::Read, options, side)
    }

    /// Output to memory; see [`Stream::take_buffer`].
    pub fn to_buffer() -> Stream {
        Stream::to_limited_buffer(usize::MAX)
    }

    /// As [`Stream::to_buffer`], at most so many bytes.
    pub fn to_limited_buffer(limit: usize) -> Stream {
        let side = Side::Output(Output::new(Sink::Memory(limit)));
        Stream::new(Mode::Write, &OpenOptions::default(), side)
    }

    /// Output to anything else.
    pub fn to_writer(writer: Box<dyn Write + Send>, options: &OpenOptions) -> Stream {
        let side = Side::Output(Output::new(Sink::Writer(writer)));
        Stream::new(Mode::Write, options, side)
    }

    /// Output to something that has places.
    pub fn to_places(writer: Box<dyn WriteAt>, options: &OpenOptions) -> Stream {
        let side = Side::Output(Output::new(Sink::Places(writer)));
        let mut stream = Stream::new(Mode::Write, options, side);
        stream.reposition = true;
        stream
    }

    /// An output stream that leads nowhere: what is written is counted.
    pub fn to_nothing() -> Stream {
        let options = OpenOptions {
            buffering: Buffering::None,
            ..OpenOptions::default()
        };
        Stream::new(
            Mode::Write,
            &options,
            Side::Output(Output::new(Sink::Nothing)),
        )
    }

    /// The process's standard input. There must be only one, as it reads ahead.
    pub fn stdin() -> Stream {
        let stdin = std::io::stdin();
        let options = OpenOptions {
            eof_action: EofAction::Reset,
            close_on_abort: false,
            ..OpenOptions::default()
        };
        let source = match duplicate(&stdin) {
            Some(file) => Source::File(file),
            None => Source::Reader(Box::new(std::io::stdin())),
        };
        let side = Side::Input(Input::new(source, Vec::new()));
        let mut stream = Stream::new(Mode::Read, &options, side);
        stream.tty = stdin.is_terminal();
        stream.standard = Some(0);
        stream
    }

    /// The process's standard output: line by line, where it is no terminal as long as the lines are few.
    pub fn stdout() -> Stream {
        let stdout = std::io::stdout();
        let tty = stdout.is_terminal();
        let sink = match duplicate(&stdout) {
            Some(file) => Sink::File(file),
            None => Sink::Writer(Box::new(stdout)),
        };
        let mut stream = Stream::standard_output(sink, tty, Buffering::Line, 1);
        stream.pace = (!tty).then(Pace::new);
        stream
    }

    /// The process's standard error, not buffered.
    pub fn stderr() -> Stream {
        let stderr = std::io::stderr();
        let tty = stderr.is_terminal();
        let sink = match duplicate(&stderr) {
            Some(file) => Sink::File(file),
            None => Sink::Writer(Box::new(stderr)),
        };
        Stream::standard_output(sink, tty, Buffering::None, 2)
    }

    fn standard_output(sink: Sink, tty: bool, buffering: Buffering, number: i32) -> Stream {
        let options = OpenOptions {
            buffering,
            close_on_abort: false,
            ..OpenOptions::default()
        };
        let mut stream = Stream::new(Mode::Write, &options, Side::Output(Output::new(sink)));
        stream.tty = tty;
        stream.standard = Some(number);
        // (As in SWI-Prolog: who reads it would rather see this than nothing.)
        stream.unrepresentable = Unrepresentable::Unicode;
        stream
    }

    /// Waits until pending output has been delivered, or cannot be: closing tells. [`StreamError::Interrupted`] if an event wants the thread before.
    pub fn deliver_before_closing(&mut self) -> Result<(), StreamError> {
        match &mut self.side {
            Side::Output(o) => o.flush().or_else(|e| match e {
                StreamError::Interrupted => Err(e),
                _ => Ok(()),
            }),
            _ => Ok(()),
        }
    }

    /// Delivers pending output and closes. The stream is closed even if that fails.
    pub fn close(&mut self) -> Result<(), StreamError> {
        let result = match &mut self.side {
            Side::Output(o) => o.finish(),
            _ => self.refused.take().map_or(Ok(()), Err),
        };
        self.side = Side::Closed;
        self.process = None;
        result
    }

    /// Closes without delivering anything.
    pub fn abandon(&mut self) {
        if let Side::Output(o) = &mut self.side {
            o.buf = Vec::new();
        }
        self.side = Side::Closed;
    }

    pub(crate) fn skip_bom(&mut self) -> Result<(), StreamError> {
        for n in 1..=3 {
            // Ask for bytes, not characters: the encoding is not known yet.
            let encoding = std::mem::replace(&mut self.encoding, Encoding::Octet);
            let front = self.peek_string(n);
            self.encoding = encoding;
            let bytes: Vec<u8> = front?.chars().map(|c| c as u8).collect();
            if let Some(e) = Encoding::of_bom(&bytes) {
                self.encoding = e;
                self.bom = true;
                self.input()?.pos += e.bom().len();
                self.position.byte_count = e.bom().len() as u64;
                break;
            }
        }
        Ok(())
    }

    fn write_bom(&mut self) -> Result<(), StreamError> {
        let bom = self.encoding.bom();
        self.output()?.buf.extend_from_slice(bom);
        self.position.byte_count = bom.len() as u64;
        self.bom = !bom.is_empty();
        Ok(())
    }
}

/// A descriptor of our own for a standard stream, past the buffers of the Rust library.
#[cfg(unix)]
fn duplicate(of: &impl std::os::fd::AsFd) -> Option<File> {
    descriptors::duplicate(of.as_fd()).ok().map(File::from)
}

#[cfg(not(unix))]
fn duplicate<T>(_of: &T) -> Option<File> {
    None
}

/// Checks and properties.
impl Stream {
    /// Fails unless the stream may be used in this direction.
    pub fn check_direction(&self, input: bool) -> Result<(), StreamError> {
        match (&self.side, input) {
            (Side::Closed, _) => Err(StreamError::Closed),
            (Side::Output(_), true) => Err(StreamError::NotInput),
            (Side::Input(_), false) => Err(StreamError::NotOutput),
            _ => Ok(()),
        }
    }

    /// Fails unless the stream may be used in this direction for this type of data, under flag `stream_type_check`.
    /// Operations themselves do not check the type.
    pub fn check(&self, input: bool, data: StreamType, how: TypeCheck) -> Result<(), StreamError> {
        self.check_direction(input)?;
        match (self.stream_type, data, how) {
            (StreamType::Binary, StreamType::Text, TypeCheck::True) => {
                Err(StreamError::BinaryStream { input })
            }
            (StreamType::Text, StreamType::Binary, TypeCheck::True) => {
                Err(StreamError::TextStream { input })
            }
            (StreamType::Text, StreamType::Binary, TypeCheck::Loose)
                if !self.encoding.is_single_byte() =>
            {
                Err(StreamError::TextStream { input })
            }
            _ => Ok(()),
        }
    }

    /// Whether it is open for input.
    pub fn is_input(&self) -> bool {
        matches!(self.side, Side::Input(_))
    }
    /// Whether it is open for output.
    pub fn is_output(&self) -> bool {
        matches!(self.side, Side::Output(_))
    }
    /// Whether it has been closed.
    pub fn is_closed(&self) -> bool {
        matches!(self.side, Side::Closed)
    }
    /// The mode it was opened in; standard output is appended to.
    pub fn mode(&self) -> Mode {
        self.mode
    }
    /// Text or bytes.
    pub fn stream_type(&self) -> StreamType {
        self.stream_type
    }
    /// Changes the type; the encoding stays.
    pub fn set_stream_type(&mut self, stream_type: StreamType) {
        self.stream_type = stream_type;
    }
    /// Whether the position can be set.
    pub fn can_reposition(&self) -> bool {
        self.reposition
    }
    /// Whether a byte order mark was found or written.
    pub fn has_bom(&self) -> bool {
        self.bom
    }
    /// Whether an abort of its user closes it.
    pub fn close_on_abort(&self) -> bool {
        self.close_on_abort
    }
    /// The highest character that what is written here is for: what the encoding has, or, of a buffer, what its text will go to.
    pub fn highest(&self) -> char {
        match self.encoding() {
            Encoding::Ascii => self.highest.min('\u{7f}'),
            Encoding::Latin1 | Encoding::Octet => self.highest.min('\u{ff}'),
            _ => self.highest,
        }
    }
    /// A buffer's text will go where there is no character above this one.
    pub fn set_highest(&mut self, highest: char) {
        self.highest = highest;
    }
    /// What is done about characters that the encoding does not have, or that are above the highest one of a buffer.
    pub fn unrepresentable(&self) -> Unrepresentable {
        self.unrepresentable
    }
    /// See [`Stream::unrepresentable`].
    pub fn set_unrepresentable(&mut self, what: Unrepresentable) {
        self.unrepresentable = what;
    }
    /// See [`Stream::close_on_abort`].
    pub fn set_close_on_abort(&mut self, close: bool) {
        self.close_on_abort = close;
    }
    /// Name of the file.
    pub fn file_name(&self) -> Option<&str> {
        self.file_name.as_deref()
    }
    /// See [`Stream::file_name`].
    pub fn set_file_name(&mut self, name: Option<String>) {
        self.file_name = name;
    }
    /// How text is stored.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }
    /// Changes the encoding of what has not been taken or written yet.
    pub fn set_encoding(&mut self, encoding: Encoding) {
        self.encoding = encoding;
    }
    /// What ends a line.
    pub fn newline(&self) -> Newline {
        self.newline
    }
    /// See [`Stream::newline`].
    pub fn set_newline(&mut self, newline: Newline) {
        self.newline = newline;
    }
    /// When output is delivered.
    pub fn buffering(&self) -> Buffering {
        self.buffering
    }
    /// Changes when output is delivered; what is in the buffer already is by the next operation.
    pub fn set_buffering(&mut self, buffering: Buffering) {
        self.buffering = buffering;
        self.pace = None;
    }
    /// How many bytes go to or come from the system at once, if that is buffered at all: nothing in memory is.
    pub fn buffer_size(&self) -> Option<usize> {
        match &self.side {
            Side::Input(i) if !matches!(i.source, Source::Memory) => Some(i.buffer_size),
            Side::Output(o) if !matches!(o.sink, Sink::Memory(_)) => Some(o.buffer_size),
            _ => None,
        }
    }
    pub fn set_buffer_size(&mut self, bytes: NonZero<usize>) {
        match &mut self.side {
            Side::Input(i) => i.buffer_size = bytes.get(),
            Side::Output(o) => o.buffer_size = bytes.get(),
            Side::Closed => {}
        }
    }
    /// So long it waits for what is not there, if it can tell whether that is there; for ever, if for no time.
    pub fn patience(&self) -> Option<Duration> {
        match &self.side {
            Side::Input(i) => i.patience,
            Side::Output(o) => o.patience,
            Side::Closed => None,
        }
    }
    /// Changes that.
    pub fn set_patience(&mut self, patience: Option<Duration>) {
        match &mut self.side {
            Side::Input(i) => i.patience = patience,
            Side::Output(o) => o.patience = patience,
            Side::Closed => {}
        }
    }
    /// Whether an operation on it finds something at once without asking the system: bytes, or the end.
    pub fn has_input(&self) -> bool {
        match &self.side {
            Side::Input(i) => i.pos < i.buf.len() || i.eof != Eof::No,
            _ => false,
        }
    }
    /// Somebody waits for the descriptor of this stream.
    pub fn watch(&mut self) {
        if let Side::Input(i) = &mut self.side {
            i.watched = true;
        }
    }
    /// Whether somebody may wait for the descriptor while there is something for him in the buffer; asked for once.
    #[inline]
    pub fn take_watched_input(&mut self) -> bool {
        match &mut self.side {
            Side::Input(i) if i.watched && (i.pos < i.buf.len() || i.eof != Eof::No) => {
                i.watched = false;
                true
            }
            _ => false,
        }
    }
    /// What reading past the end does.
    pub fn eof_action(&self) -> EofAction {
        self.eof_action
    }
    /// See [`Stream::eof_action`].
    pub fn set_eof_action(&mut self, action: EofAction) {
        self.eof_action = action;
    }
    /// Whether a user sits at the other end.
    pub fn is_tty(&self) -> bool {
        self.tty
    }
    /// See [`Stream::is_tty`].
    pub fn set_tty(&mut self, tty: bool) {
        self.tty = tty;
    }
    /// Sets what to call around reads from a terminal.
    pub fn set_read_hook(&mut self, hook: Option<ReadHook>) {
        self.read_hook = hook;
    }
    /// Sets what to ask when a signal interrupts a read.
    pub fn set_interrupt_hook(&mut self, hook: Option<InterruptHook>) {
        self.interrupt_hook = hook;
    }
    /// The error behind the last [`samite_syntax::read::SourceError`] this stream gave to a reader of terms.
    pub fn take_error(&mut self) -> Option<StreamError> {
        self.error.take()
    }
    /// How many byte sequences so far were no characters; input went on with U+FFFD in their place.
    pub fn bad_sequences(&self) -> u64 {
        self.bad_sequences
    }
    /// Line and column of the first of them since this was last asked.
    pub fn take_bad_place(&mut self) -> Option<(u32, u32)> {
        self.bad_place.take()
    }
    /// The number of the descriptor; of a standard stream the one it has for other programs.
    pub fn file_number(&self) -> Option<i32> {
        #[cfg(unix)]
        return self.standard.or_else(|| {
            use std::os::fd::AsRawFd;
            self.fd().map(|fd| fd.as_raw_fd())
        });
        #[cfg(not(unix))]
        self.standard
    }
    /// The descriptor of a file or standard stream, for a poller.
    #[cfg(unix)]
    pub fn fd(&self) -> Option<std::os::fd::BorrowedFd<'_>> {
        use std::os::fd::AsFd;
        match &self.side {
            Side::Input(Input {
                source: Source::File(f),
                ..
            }) => Some(f.as_fd()),
            Side::Output(Output {
                sink: Sink::File(f),
                ..
            }) => Some(f.as_fd()),
            _ => self.socket().map(|s| s.as_fd()),
        }
    }
    /// The socket that it reads from or writes to.
    pub fn socket(&self) -> Option<&Arc<Socket>> {
        match &self.side {
            Side::Input(Input {
                source: Source::Socket(s),
                ..
            }) => Some(s),
            Side::Output(Output {
                sink: Sink::Socket(w),
                ..
            }) => Some(w.socket()),
            _ => None,
        }
    }
}

/// Position.
impl Stream {
    /// Where the next character comes from or goes to.
    pub fn position(&self) -> Position {
        Position {
            column: self.line_position(),
            ..self.position
        }
    }
    /// Line, from 1.
    pub fn line(&self) -> u32 {
        self.position.line
    }
    /// Column, from 0; tabs stop at every eighth.
    pub fn line_position(&self) -> u32 {
        let place = self.place.as_ref();
        place.map_or(self.position.column, |p| p.load(Ordering::Relaxed))
    }
    /// Sets the column without writing anything.
    pub fn set_line_position(&mut self, column: u32) {
        self.position.column = column;
        self.tell_place();
    }
    /// What two streams write stands in one place: their column is the same.
    pub(crate) fn share_place(&mut self, other: &mut Stream) {
        let place = Arc::new(AtomicU32::new(self.line_position()));
        self.place = Some(place.clone());
        other.place = Some(place);
    }
    /// Before output: others may have written.
    #[inline]
    pub(crate) fn ask_place(&mut self) {
        if let Some(place) = &self.place {
            self.position.column = place.load(Ordering::Relaxed);
        }
    }
    /// After output, or what undoes it.
    #[inline]
    pub(crate) fn tell_place(&mut self) {
        if let Some(place) = &self.place {
            place.store(self.position.column, Ordering::Relaxed);
        }
    }
    /// Sets the line without moving.
    pub fn set_line(&mut self, line: u32) {
        self.position.line = line;
    }

    /// What comes first is said to be at `position`, as a part of something else. (Its bytes are counted from this stream's beginning.)
    pub fn begin_at(&mut self, position: Position) {
        self.position = position;
    }

    /// Goes back to a position this stream was at.
    pub fn set_position(&mut self, position: Position) -> Result<(), StreamError> {
        let offset =
            i64::try_from(position.byte_count).map_err(|_| StreamError::CannotReposition)?;
        self.seek(Whence::Start, offset)?;
        self.position = position;
        Ok(())
    }

    /// Moves by bytes; the new offset. The counts of characters and lines are not known afterwards and stay as they
    /// were, except at the start.
    pub fn seek(&mut self, whence: Whence, offset: i64) -> Result<u64, StreamError> {
        if self.is_closed() {
            return Err(StreamError::Closed);
        }
        if !self.reposition {
            return Err(StreamError::CannotReposition);
        }
        let target = match whence {
            Whence::Start => u64::try_from(offset).ok().map(SeekFrom::Start),
            Whence::Current => self
                .position
                .byte_count
                .checked_add_signed(offset)
                .map(SeekFrom::Start),
            Whence::End => Some(SeekFrom::End(offset)),
        };
        let target = target.ok_or_else(out_of_range)?;
        let at = match &mut self.side {
            Side::Input(i) => {
                let there = i.in_buffer(target);
                let at = match &mut i.source {
                    Source::Memory => {
                        i.pos = offset_in(target, i.buf.len()).ok_or_else(out_of_range)?;
                        i.pos as u64
                    }
                    Source::File(f) => match there {
                        Some((at, pos)) => {
                            i.pos = pos;
                            at
                        }
                        None => {
                            let at = f.seek(target).map_err(seek_error)?;
                            i.buf.clear();
                            i.pos = 0;
                            at
                        }
                    },
                    Source::Socket(_) | Source::Reader(_) => {
                        return Err(StreamError::CannotReposition);
                    }
                };
                i.eof = Eof::No;
                at
            }
            Side::Output(o) => {
                o.flush()?;
                match &mut o.sink {
                    Sink::File(f) => f.seek(target).map_err(seek_error)?,
                    Sink::Places(w) => w.seek(target).map_err(seek_error)?,
                    _ => return Err(StreamError::CannotReposition),
                }
            }
            Side::Closed => return Err(StreamError::Closed),
        };
        self.last_bad = None;
        if at == 0 {
            self.position = Position::default();
        }
        self.position.byte_count = at;
        Ok(at)
    }

    /// The file that is being written ends where the stream is.
    pub fn truncate(&mut self) -> Result<(), StreamError> {
        let o = match &mut self.side {
            Side::Output(o) if self.reposition => o,
            Side::Closed => return Err(StreamError::Closed),
            _ => return Err(StreamError::CannotTruncate),
        };
        o.flush()?;
        let Sink::File(f) = &mut o.sink else {
            return Err(StreamError::CannotTruncate);
        };
        let at = f.stream_position().map_err(seek_error)?;
        f.set_length(at).map_err(|error| StreamError::Io {
            action: "write",
            error,
        })
    }
}

fn seek_error(error: std::io::Error) -> StreamError {
    StreamError::Io {
        action: "seek",
        error,
    }
}

fn out_of_range() -> StreamError {
    seek_error(std::io::ErrorKind::InvalidInput.into())
}

/// The offset in a memory of `length` bytes, if it lies inside.
fn offset_in(target: SeekFrom, length: usize) -> Option<usize> {
    let at = match target {
        SeekFrom::Start(n) => n,
        SeekFrom::End(n) | SeekFrom::Current(n) => (length as u64).checked_add_signed(n)?,
    };
    usize::try_from(at).ok().filter(|&at| at <= length)
}

impl Drop for Stream {
    /// Delivers pending output as well as possible.
    fn drop(&mut self) {
        let _ = self.close();
    }
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stream")
            .field("mode", &self.mode)
            .field("file_name", &self.file_name)
            .field("encoding", &self.encoding)
            .field("position", &self.position)
            .finish_non_exhaustive()
    }
}
