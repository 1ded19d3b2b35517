//! Streams as terms: finding, opening, closing (ISO 13211-1, 8.11), current streams and their redirection, and what the other
//! topics about input and output share: [`Target`], options lists, error terms, text arguments.
//!
//! A builtin resolves its stream argument to a [`Target`], locks that stream for one operation and lets go before it touches
//! another one or unifies anything.

use super::args::{atom, finite_list};
use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::standard_streams::is_standard;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use samite_sched::Exclusive;
use samite_sched::exclusive::Guard;
use samite_stream::format::arguments;
use samite_stream::{
    Buffering, Culprit, Encoding, EofAction, Formal, Mode, Newline, OpenOptions, SharedStream,
    Stream, StreamError, StreamId, StreamType, TypeCheck, opening,
};
use samite_term::common::Held;
use samite_term::{Atom, Cell, Functor, RecordBuilder, TermRef, View, atoms, common, growth};
use samite_world::{numbers, sockets};
use std::borrow::Cow;
use std::io;
use std::sync::atomic::Ordering;

pub const TABLE: &[Entry] = &[
    det("open", 3, |m, a| open(m, a, false)).core(),
    det("open", 4, |m, a| open(m, a, true)).core(),
    det("open_string", 2, open_string),
    // open_null_stream(-Stream): output that goes nowhere, and is counted.
    det("open_null_stream", 1, |m, a| {
        let stream = m.arg(a, 0);
        if !stream.is_ref() {
            return Err(m.uninstantiation_error(stream, "stream-argument"));
        }
        m.room(Stream::BYTES)?;
        let id = m.program.streams.add(Stream::to_nothing());
        Ok(m.unify_arg(a, 0, id.term()))
    })
    .refuses_first(),
    det("close", 1, |m, a| close(m, a, false)).core(),
    // The work of close/2.
    det("$close", 2, |m, a| close(m, a, true)),
    det("$forces", 1, forces),
    det("$drop_stream", 1, drop_stream),
    det("current_input", 1, |m, a| current(m, a, true)).core(),
    det("current_output", 1, |m, a| current(m, a, false)).core(),
    det("set_input", 1, |m, a| {
        let t = m.target(a, 0, true)?;
        m.thread.io.current_input = t.id;
        Ok(true)
    })
    .core(),
    det("set_output", 1, |m, a| {
        let t = m.target(a, 0, false)?;
        m.thread.io.current_output = t.id;
        Ok(true)
    })
    .core(),
    det("flush_output", 0, flush_current).core(),
    det("ttyflush", 0, flush_current),
    det("flush_output", 1, |m, a| {
        let t = m.target(a, 0, false)?;
        m.on(&t, |s| s.flush())?;
        Ok(true)
    })
    .core(),
    // '$output_lost'(+Stream): the system has refused something of what was written to it.
    det("$output_lost", 1, |m, a| {
        let t = m.target(a, 0, false)?;
        m.on(&t, |s| Ok(s.has_lost_output()))
    }),
    det("stream_pair", 3, stream_pair),
    det("is_stream", 1, |m, a| {
        let c = m.arg(a, 0);
        if m.halves(c).is_some() {
            return Ok(true);
        }
        Ok(m.find_stream(c).is_some())
    }),
    det("$check_sink", 1, check_sink),
    det("$unify_sink", 2, unify_sink),
];

/// A stream that a builtin works on.
pub(crate) struct Target {
    pub id: StreamId,
    pub stream: SharedStream,
    /// The term by which errors call it.
    pub culprit: Cell,
    /// The program has named none.
    implicit: bool,
}

impl Ctx<'_> {
    /// The open streams that a pair stands for, input and output; `None` if the term is none.
    pub(super) fn halves(&self, c: Cell) -> Option<[Option<StreamId>; 2]> {
        let id = StreamId::of_term(self.deref(c))?;
        self.program.streams.pair(id)
    }
    /// The half of a pair that is meant where input or output is, and the stream that is called `user`: what else is no stream of that direction says so by
    /// itself.
    fn half(&self, c: Cell, input: bool) -> Cell {
        match self.halves(c) {
            Some([Some(half), _]) if input => half.term(),
            Some([_, Some(half)]) if !input => half.term(),
            // The terminal, as in DEC-10 Prolog, unless a stream is called so.
            _ if c == Cell::atom(atoms::USER) && self.find_stream(c).is_none() => {
                self.standard_stream(input).term()
            }
            _ => c,
        }
    }
    /// The open stream that a term stands for; of a pair its input if that is open.
    pub(crate) fn find_stream(&self, c: Cell) -> Option<StreamId> {
        let c = self.deref(c);
        if let Some(id) = StreamId::of_term(c) {
            match self.program.streams.is_open(id) {
                true => Some(id),
                false => self.program.streams.pair(id)?.into_iter().flatten().next(),
            }
        } else if c.is_atom() {
            let name = c.atom_of();
            self.stream_of_alias(name).or_else(|| match name.as_str() {
                "current_input" => Some(self.thread.io.current_input),
                "current_output" => Some(self.thread.io.current_output),
                _ => None,
            })
        } else {
            None
        }
    }
    /// The open stream that a term stands for, or the error that it is none.
    pub(crate) fn stream_of(&mut self, c: Cell) -> Result<StreamId, Throw> {
        match self.find_stream(c) {
            Some(id) => Ok(id),
            None if c.is_ref() => Err(self.instantiation_error()),
            None if c.is_con() => Err(self.existence_error("stream", c)),
            None => Err(self.domain_error("stream_or_alias", c)),
        }
    }
    pub(super) fn target_of(&mut self, id: StreamId, culprit: Cell) -> Result<Target, Throw> {
        match self.program.streams.get(id) {
            Some(stream) => Ok(Target {
                id,
                stream,
                culprit,
                implicit: false,
            }),
            None => Err(self.existence_error("stream", culprit)),
        }
    }
    /// The stream of argument `i`, which must be open in this direction.
    pub(crate) fn target(&mut self, a: Args, i: usize, input: bool) -> Result<Target, Throw> {
        let t = self.half_target(self.arg(a, i), input)?;
        // Standard input may be waiting for its user.
        if !(input && t.id == StreamId::STDIN) {
            self.on(&t, |s| s.check_direction(input))?;
        }
        Ok(t)
    }
    /// The stream of argument `i`, whatever its direction; of a pair its input if that is open.
    pub(crate) fn any_target(&mut self, a: Args, i: usize) -> Result<Target, Throw> {
        self.target_of_term(self.arg(a, i))
    }
    /// The same, of a stream that is read, `user` too.
    pub(super) fn source(&mut self, a: Args, i: usize) -> Result<Target, Throw> {
        self.half_target(self.arg(a, i), true)
    }
    /// The same; of a pair its output.
    pub(super) fn sink(&mut self, a: Args, i: usize) -> Result<Target, Throw> {
        self.half_target(self.arg(a, i), false)
    }
    /// The half of a pair that is meant, or the stream; errors call it as the program does.
    fn half_target(&mut self, c: Cell, input: bool) -> Result<Target, Throw> {
        let half = self.half(c, input);
        let mut target = self.target_of_term(half)?;
        if c.is_atom() {
            target.culprit = c;
        }
        Ok(target)
    }
    /// The open stream of a term; of a pair its input, which must be open.
    pub(super) fn input_target(&mut self, c: Cell) -> Result<Target, Throw> {
        let half = match self.halves(c) {
            Some([None, _]) => return Err(self.existence_error("stream", c)),
            _ => self.half(self.deref(c), true),
        };
        let mut target = self.target_of_term(half)?;
        target.culprit = c;
        Ok(target)
    }
    /// A stream by its handle, if this thread has used it lately.
    #[inline]
    fn recent_target(&mut self, culprit: Cell) -> Option<Target> {
        let id = StreamId::of_term(culprit)?;
        let stream = self.recent_stream(id)?;
        Some(Target {
            id,
            stream,
            culprit,
            implicit: false,
        })
    }
    fn target_of_term(&mut self, culprit: Cell) -> Result<Target, Throw> {
        if let Some(target) = self.recent_target(culprit) {
            return Ok(target);
        }
        let id = self.stream_of(culprit)?;
        self.target_of(id, culprit)
    }
    /// The stream of argument 0 if `explicit`, else the current one of this direction.
    pub(crate) fn side(&mut self, a: Args, explicit: bool, input: bool) -> Result<Target, Throw> {
        if explicit {
            let culprit = self.arg(a, 0);
            // One used lately is known without a look at the table. (It is no pair: what stands for one is no stream.)
            if let Some(target) = self.recent_target(culprit) {
                return Ok(target);
            }
            return self.half_target(culprit, input);
        }
        // A current stream that another thread has closed is replaced by the standard one.
        let id = match input {
            true => self.thread.io.current_input,
            false => self.thread.io.current_output,
        };
        if let Some(stream) = self.recent_stream(id) {
            return Ok(Target {
                id,
                stream,
                culprit: id.term(),
                implicit: true,
            });
        }
        let id = self.standard_stream(input);
        match input {
            true => self.thread.io.current_input = id,
            false => self.thread.io.current_output = id,
        }
        let mut target = self.target_of(id, id.term())?;
        target.implicit = true;
        Ok(target)
    }
    /// A stream, locked. Who has it may be waiting for somebody: then this waits until an event is due, or for good.
    #[inline]
    pub(crate) fn locked<'a>(&mut self, t: &'a Target) -> Result<Guard<'a, Stream>, Throw> {
        match t.stream.try_lock() {
            Some(s) => Ok(s),
            None => self.free(&t.stream),
        }
    }
    /// Something that somebody else uses, when that is over.
    #[cold]
    pub(crate) fn free<'a, T>(&mut self, what: &'a Exclusive<T>) -> Result<Guard<'a, T>, Throw> {
        let attention = self.attention.clone();
        let for_good = self.thread.io.for_good;
        self.while_blocked(|| match for_good {
            true => Ok(what.lock()),
            false => what.lock_or_event(&attention),
        })
        .map_err(|_| Throw::Interrupted)
    }
    /// One operation on a locked stream.
    pub(crate) fn on<T>(
        &mut self,
        t: &Target,
        f: impl FnOnce(&mut Stream) -> Result<T, StreamError>,
    ) -> Result<T, Throw> {
        let mut s = self.locked(t)?;
        let r = self.stream_operation(t, &mut s, f);
        drop(s);
        r.map_err(|e| self.target_error(&e, t))
    }
    /// One operation on a locked stream of this direction and type of data.
    pub(crate) fn on_data<T>(
        &mut self,
        t: &Target,
        input: bool,
        data: StreamType,
        f: impl FnOnce(&mut Stream) -> Result<T, StreamError>,
    ) -> Result<T, Throw> {
        let r = {
            let mut s = self.locked(t)?;
            let checked = if s.stream_type() == data {
                s.check_direction(input)
            } else {
                s.check(input, data, self.type_check())
            };
            checked.and_then(|()| self.stream_operation(t, &mut s, f))
        };
        r.map_err(|e| self.target_error(&e, t))
    }
    /// An operation on the stream of a target, which is locked.
    #[inline]
    fn stream_operation<T>(
        &mut self,
        t: &Target,
        s: &mut Stream,
        f: impl FnOnce(&mut Stream) -> Result<T, StreamError>,
    ) -> Result<T, StreamError> {
        let for_good = self.thread.io.for_good;
        let result = self.in_stream(&t.stream, || match for_good {
            true => f(s),
            false => s.undone_if_interrupted(f),
        });
        // What is left in the buffer the system does not tell of.
        if !matches!(result, Err(StreamError::Interrupted))
            && s.take_watched_input()
            && let Some(fd) = s.fd()
        {
            self.program.registry.poller.tell(fd);
        }
        result
    }
    /// Flag `stream_type_check`; with the flag `iso` it is as if it were true.
    fn type_check(&self) -> TypeCheck {
        if self.thread.arith.iso {
            return TypeCheck::True;
        }
        let name = self.flag_atom(Atom::new("stream_type_check"));
        name.and_then(|a| TypeCheck::from_name(a.as_str()))
            .unwrap_or(TypeCheck::Loose)
    }
    /// Has the main thread halt, as by SIGHUP, which may be ignored: the goals of `at_halt/1` run. Once; false if there is no such thread.
    fn is_told_that_terminal_has_gone(&mut self) -> bool {
        let told = &self.program.outside.terminal_has_gone;
        // Relaxed: the registry's lock orders what matters.
        if told.load(Ordering::Relaxed) {
            return true;
        }
        let threads = self.program.registry.threads();
        let main = threads.iter().find(|t| t.id().number() == 1);
        let mut b = RecordBuilder::new();
        let status = Cell::small(i64::from(128 + numbers::SIGHUP));
        let goal = b.structure(Functor::new(Atom::new("halt"), 1), &[status]);
        let goal = Held::new(b.finish(goal));
        let is_told = main.is_some_and(|main| main.command(goal).is_ok());
        told.store(is_told, Ordering::Relaxed);
        is_told
    }
    /// The exception of an error of a stream. Who reads what is written on standard error has gone for good, a process or a terminal: nobody would hear of anything
    /// any more, of that neither, so the program ends as others are ended by `SIGPIPE` or `SIGHUP`.
    fn target_error(&mut self, e: &StreamError, t: &Target) -> Throw {
        if t.id == StreamId::STDERR
            && let StreamError::Io { error, .. } = e
        {
            if error.kind() == std::io::ErrorKind::BrokenPipe {
                return Throw::Halt(128 + numbers::SIGPIPE);
            }
            if error.raw_os_error() == Some(numbers::EIO) && !self.is_told_that_terminal_has_gone()
            {
                return Throw::Halt(128 + numbers::SIGHUP);
            }
        }
        // A stream is what the program calls it; what happens to the stream itself, or to one that nobody has named, is told with an alias.
        let device = matches!(
            e,
            StreamError::Io { .. } | StreamError::Encoding(_) | StreamError::PastEof
        );
        let alias = match (device || t.implicit) && t.culprit == t.id.term() {
            true => self.stream_aliases(t.id).first().copied(),
            false => None,
        };
        self.stream_error(e, alias.map_or(t.culprit, Cell::atom))
    }
    /// The exception of a stream's error.
    pub(crate) fn stream_error(&mut self, e: &StreamError, culprit: Cell) -> Throw {
        let (name, args) = match e.formal() {
            Formal::Interrupted => return Throw::Interrupted,
            Formal::Memory => return self.resource_error("memory"),
            Formal::Resource(what) => ("resource_error", vec![atom(what)]),
            Formal::Representation(what) => ("representation_error", vec![atom(what)]),
            Formal::FileName(c) => (
                "domain_error",
                vec![atom("file_name"), self.culprit(c, culprit)],
            ),
            Formal::Existence(kind, c) => (
                "existence_error",
                vec![atom(kind), self.culprit(c, culprit)],
            ),
            Formal::Permission(action, kind, c) => (
                "permission_error",
                vec![atom(action), atom(kind), self.culprit(c, culprit)],
            ),
            Formal::Socket(number) => {
                return self.socket_error(&io::Error::from_raw_os_error(number));
            }
            Formal::Io(action) => ("io_error", vec![atom(action), culprit]),
            Formal::Timeout(action) => ("timeout_error", vec![atom(action), culprit]),
        };
        let formal = match self.structure(name, &args) {
            Ok(f) => f,
            Err(t) => return t,
        };
        match e.message() {
            Some(text) => self.error_with_text(formal, &text),
            None => self.error_term(formal),
        }
    }
    /// The exception of what the system has refused to do with a socket.
    pub(super) fn socket_error(&mut self, e: &io::Error) -> Throw {
        match e.raw_os_error() {
            Some(numbers::ENOMEM) => return Throw::Memory,
            Some(numbers::EMFILE | numbers::ENFILE) => return self.resource_error("max_files"),
            _ => {}
        }
        let (code, message) = sockets::error_texts(e);
        self.socket_error_of(&code, &message)
    }
    /// `error(socket_error(Code, Message), _)`
    pub(super) fn socket_error_of(&mut self, code: &str, message: &str) -> Throw {
        self.formal(Atom::new("socket_error"), &[atom(code), atom(message)])
    }
    /// `error(Formal, context(_, Message))`, the message an atom.
    pub(crate) fn error_with_text(&mut self, formal: Cell, message: &str) -> Throw {
        let made = (|| {
            let v = self.heap.variable()?;
            let context = self.structure("context", &[v, atom(message)])?;
            self.structure("error", &[formal, context])
        })();
        match made {
            Ok(t) => Throw::Term(t),
            Err(t) => t,
        }
    }
    fn culprit(&mut self, c: Culprit, stream: Cell) -> Cell {
        match c {
            Culprit::Stream => stream,
            Culprit::Path(p) => atom(p),
            Culprit::Reposition => {
                let option = self.structure("reposition", &[Cell::atom(atoms::TRUE)]);
                option.unwrap_or(stream)
            }
        }
    }
    /// Closes a stream that is not needed any more; current streams fall back to the standard ones.
    pub(crate) fn close_stream(&mut self, id: StreamId, culprit: Cell, force: bool) -> Res {
        let program = self.program.clone();
        let t = self.target_of(id, culprit)?;
        // Standard input may be waiting for its user; there is nothing to deliver.
        let closed = if id == StreamId::STDIN {
            Ok(())
        } else {
            let mut s = self.locked(&t)?;
            // What cannot be delivered yet may be waited for again.
            let delivered = self.in_stream(&t.stream, || s.deliver_before_closing());
            if let Err(StreamError::Interrupted) = delivered {
                return Err(Throw::Interrupted);
            }
            // Who waits for a connection hears that none will come; light threads that wait for it find it closed.
            if let Some(socket) = s.socket()
                && socket.listens()
            {
                socket.shut_down();
            }
            if let Some(fd) = s.fd() {
                program.registry.poller.forget(fd);
            }
            let process = s.process().cloned();
            if let Some(process) = &process {
                self.in_stream(&t.stream, || s.hang_up());
                drop(s);
                self.until_command_ends(process)?;
                s = self.locked(&t)?;
            }
            let closed = self.in_stream(&t.stream, || program.streams.close(id, &mut s));
            if let Some(end) = process.as_ref().and_then(|process| process.end()) {
                program.registry.poller.forget(end);
            }
            closed
        };
        self.leave_closed(id);
        let ended = self.closed_pipe(id);
        match closed {
            Err(StreamError::Closed) => Err(self.existence_error("stream", culprit)),
            _ if !force && ended.is_err() => ended.map(|()| true),
            Err(e) if !force => Err(self.stream_error(&e, culprit)),
            _ => Ok(true),
        }
    }
    /// A stream that is closed is current no longer.
    fn leave_closed(&mut self, id: StreamId) {
        if self.thread.io.current_input == id {
            self.thread.io.current_input = self.standard_stream(true);
        }
        self.forget_output(id);
    }
    /// A list of one-character atoms or codes of a text.
    pub(crate) fn text_list(&mut self, text: &str, chars: bool, tail: Cell) -> Result<Cell, Throw> {
        let mut items = growth::with_room(text.chars().count())?;
        for c in text.chars() {
            items.push(match chars {
                true => self.char_cell(c)?,
                false => Cell::small(i64::from(u32::from(c))),
            });
        }
        Ok(self.heap.list(&items, tail)?)
    }
}

/// Options of `open/4`, and the alias.
fn open_options(m: &mut Ctx, list: Cell) -> Result<(OpenOptions, Vec<Atom>), Throw> {
    let mut options = OpenOptions::default();
    let mut aliases = Vec::new();
    for o in m.options(list, "stream_option")? {
        match o.name.as_str() {
            "type" => {
                let name = m.option_atom(&o)?;
                options.stream_type = match StreamType::from_name(name.as_str()) {
                    Some(t) => t,
                    // (As the standard has it: 8.11.5.3.)
                    None => return Err(m.domain_error("stream_option", o.term)),
                };
            }
            "encoding" => {
                options.encoding = Some(m.option_named(&o, "encoding", Encoding::from_name)?)
            }
            "bom" => options.bom = Some(m.option_bool(&o)?),
            "eof_action" => {
                options.eof_action = m.option_named(&o, "eof_action", EofAction::from_name)?
            }
            "buffer" => options.buffering = m.option_named(&o, "buffer", Buffering::from_name)?,
            "newline" => options.newline = m.option_named(&o, "newline", Newline::from_name)?,
            "reposition" => options.reposition = Some(m.option_bool(&o)?),
            "close_on_abort" => options.close_on_abort = m.option_bool(&o)?,
            "alias" => {
                let alias = m.option_atom(&o)?;
                let is_current = ["current_input", "current_output"].contains(&alias.as_str());
                let is_taken = || m.program.streams.by_alias(alias).is_some();
                if is_current || !is_standard(alias) && is_taken() {
                    return Err(m.permission_error("open", "source_sink", o.term));
                }
                aliases.push(alias);
            }
            _ => {}
        }
    }
    Ok((options, aliases))
}

impl Ctx<'_> {
    /// Text without an encoding of its own has that of the flag.
    pub(super) fn with_encoding(&self, mut options: OpenOptions) -> OpenOptions {
        if options.stream_type == StreamType::Text && options.encoding.is_none() {
            let flag = self.flag_atom(Atom::new("encoding"));
            let encoding = flag.and_then(|name| Encoding::from_name(name.as_str()));
            options.encoding = encoding.filter(|&e| e != Encoding::Utf8);
        }
        options
    }
    /// Opens a file, which may be a pipe that nobody has opened on the other side.
    pub(super) fn open_file(
        &mut self,
        path: &str,
        mode: Mode,
        options: OpenOptions,
    ) -> Result<StreamId, StreamError> {
        let options = &self.with_encoding(options);
        let program = self.program.clone();
        let failed = |error| StreamError::Open {
            path: path.to_owned(),
            mode,
            error,
        };
        let opened = self.in_file_system(|| match opening::waits(path) {
            Ok(true) => None,
            Ok(false) => Some(program.streams.open(path, mode, options)),
            Err(e) => Some(Err(failed(e))),
        });
        if let Some(opened) = opened {
            return opened;
        }
        let name = path.to_owned();
        let opened = self.apart(move |give_up| opening::open_pipe(&name, mode, give_up));
        let file = opened.map_err(|_| StreamError::Interrupted)?;
        let stream = Stream::of_file(file.map_err(failed)?, path, mode, options)?;
        Ok(program.streams.add(stream))
    }
}

fn open(m: &mut Ctx, a: Args, with_options: bool) -> Res {
    let (file, mode) = (m.arg(a, 0), m.arg(a, 1));
    if file.is_ref() || mode.is_ref() {
        return Err(m.instantiation_error());
    }
    if !mode.is_atom() {
        return Err(m.type_error("atom", mode));
    }
    let Some(mode) = Mode::from_name(mode.atom_of().as_str()) else {
        return Err(m.domain_error("io_mode", mode));
    };
    let (options, aliases) = match with_options {
        true => open_options(m, m.arg(a, 3))?,
        false => (OpenOptions::default(), Vec::new()),
    };
    let stream = m.arg(a, 2);
    if !stream.is_ref() {
        return Err(m.uninstantiation_error(stream, "stream-argument"));
    }
    if file == Cell::NIL {
        return Err(m.domain_error("source_sink", file));
    }
    m.room_to_go_on(Stream::BYTES, common::RESERVE / 2)?;
    let id = match m.term(file).view() {
        View::Compound(c) if c.arity() == 1 && c.name().as_str() == "pipe" => {
            m.open_command(file, mode, options)?
        }
        View::Compound(_) => return Err(m.domain_error("source_sink", file)),
        _ => {
            let path = m.text_arg(file)?;
            let opened = m.open_file(&path, mode, options);
            opened.map_err(|e| m.stream_error(&e, file))?
        }
    };
    for alias in aliases {
        if !m.set_stream_alias(id, alias) {
            m.program.streams.remove(id);
            return Err(Throw::Memory);
        }
    }
    Ok(m.unify_arg(a, 2, id.term()))
}

/// `open_string(+Text, -Stream)`.
fn open_string(m: &mut Ctx, a: Args) -> Res {
    let source = m.arg(a, 0);
    if m.term(source).number().is_some() {
        return Err(m.type_error("text", source));
    }
    let text = m.text_arg(source)?;
    let stream = m.arg(a, 1);
    if !stream.is_ref() {
        return Err(m.uninstantiation_error(stream, "stream-argument"));
    }
    m.room(Stream::BYTES + text.len())?;
    let id = m.program.streams.add(Stream::from_string(text));
    Ok(m.unify_arg(a, 1, id.term()))
}

fn close(m: &mut Ctx, a: Args, with_options: bool) -> Res {
    let mut force = false;
    if with_options {
        for o in m.options(m.arg(a, 1), "close_option")? {
            if o.name.as_str() == "force" {
                force = m.option_bool(&o)?;
            }
        }
    }
    let culprit = m.arg(a, 0);
    // What is closed already is as it is to be.
    if force
        && let Some(id) = StreamId::of_term(culprit)
        && !m.program.streams.is_open(id)
        && m.halves(culprit).is_none()
    {
        return Ok(true);
    }
    if let Some([input, output]) = m.halves(culprit) {
        return close_pair(m, input, output, force);
    }
    let id = m.stream_of(culprit)?;
    m.close_stream(id, culprit, force)
}

/// Closes both streams of a pair, output first. Called again it finds what is left. The input is closed also if the output has an error.
fn close_pair(m: &mut Ctx, input: Option<StreamId>, output: Option<StreamId>, force: bool) -> Res {
    let written = match output {
        Some(id) => m.close_stream(id, id.term(), force),
        None => Ok(true),
    };
    if matches!(written, Err(Throw::Interrupted)) {
        return written;
    }
    if let Some(id) = input {
        // (It has nothing to deliver; who closed it meanwhile has done what was wanted.)
        m.close_stream(id, id.term(), true)?;
    }
    written
}

/// `stream_pair(?Pair, ?Input, ?Output)`: what of a pair is closed is left unbound; a single stream is the pair of itself.
fn stream_pair(m: &mut Ctx, a: Args) -> Res {
    let pair = m.arg(a, 0);
    if pair.is_ref() {
        let (input, output) = (m.target(a, 1, true)?, m.target(a, 2, false)?);
        const ENTRY: usize = 160;
        m.room(ENTRY)?;
        return match m.program.streams.add_pair(input.id, output.id) {
            Some(id) => Ok(m.unify(pair, id.term())),
            None => Err(m.existence_error("stream", input.culprit)),
        };
    }
    // (A single stream is called as it was, by its alias too.)
    let single = m.halves(pair).is_none();
    let halves = match m.halves(pair) {
        Some(halves) => halves,
        None => {
            let id = match m.find_stream(pair) {
                Some(id) => id,
                None => return Err(m.existence_error("stream", pair)),
            };
            let t = m.target_of(id, pair)?;
            match m.on(&t, |s| Ok(s.is_input()))? {
                true => [Some(id), None],
                false => [None, Some(id)],
            }
        }
    };
    for (i, half) in halves.into_iter().enumerate() {
        if let Some(id) = half
            && !m.unify_arg(a, i + 1, if single { pair } else { id.term() })
        {
            return Ok(false);
        }
    }
    Ok(true)
}

/// `'$forces'(Options)`: whether these options of `close/2` say that the stream is to be closed in any case.
fn forces(m: &mut Ctx, a: Args) -> Res {
    let Some((items, _)) = finite_list(m.view(a, 0)) else {
        return Ok(false);
    };
    Ok(items.into_iter().any(|option| match option.view() {
        View::Compound(c) => {
            c.arity() == 1
                && c.name().as_str() == "force"
                && matches!(c.arg(0).as_atom(), Some(atoms::TRUE | atoms::ON))
        }
        _ => false,
    }))
}

/// `'$drop_stream'(Stream)`: closes it, if it is open, with nothing delivered. Waits for nobody: a stream that another thread uses is closed when
/// that has ended.
fn drop_stream(m: &mut Ctx, a: Args) -> Res {
    let c = m.arg(a, 0);
    let ids = match m.halves(c) {
        Some(halves) => halves,
        None => [m.find_stream(c), None],
    };
    for id in ids.into_iter().flatten() {
        drop_one(m, id);
    }
    Ok(true)
}

fn drop_one(m: &mut Ctx, id: StreamId) {
    if let Some(stream) = m.program.streams.remove(id) {
        if let Some(mut s) = stream.try_lock() {
            s.abandon();
        }
        m.leave_closed(id);
    }
}

fn current(m: &mut Ctx, a: Args, input: bool) -> Res {
    let id = m.side(a, false, input)?.id;
    let c = m.arg(a, 0);
    if c.is_ref() {
        return Ok(m.unify(c, id.term()));
    }
    is_stream_name(m, c)?;
    Ok(m.stream_of(c)? == id)
}

/// With the flag `iso`: what is asked for a stream and is neither one nor the name of one is no stream at all (8.11.1.3), closed or not.
pub(super) fn is_stream_name(m: &mut Ctx, c: Cell) -> Result<(), Throw> {
    if !m.thread.arith.iso {
        return Ok(());
    }
    match m.stream_of(c) {
        Err(_) if c.is_atom() || !c.is_con() => Err(m.domain_error("stream", c)),
        _ => Ok(()),
    }
}

fn flush_current(m: &mut Ctx, a: Args) -> Res {
    let t = m.side(a, false, false)?;
    m.on(&t, |s| s.flush())?;
    Ok(true)
}

// --- where output goes ---

/// Fails or throws unless output can go there: a stream or `atom(_)`, `string(_)`, `codes(_)`, `codes(_, _)`, `chars(_)`,
/// `chars(_, _)`. True for the latter.
fn check_sink(m: &mut Ctx, a: Args) -> Res {
    let c = m.arg(a, 0);
    match m.term(c).view() {
        View::Compound(s) => match (s.name().as_str(), s.arity()) {
            ("atom" | "string", 1) | ("codes" | "chars", 1 | 2) => Ok(true),
            _ => Err(m.type_error("output", c)),
        },
        _ => {
            m.target(a, 0, false)?;
            Ok(false)
        }
    }
}

/// `'$unify_sink'(Sink, String)`: hands a text to its sink.
fn unify_sink(m: &mut Ctx, a: Args) -> Res {
    // As it lies in the heap, where it stays: nothing is collected here.
    let text = match m.view(a, 1).view() {
        View::Str(text) => Cow::Borrowed(text),
        _ => Cow::Owned(m.text_arg(m.arg(a, 1))?),
    };
    let View::Compound(s) = m.term(m.arg(a, 0)).view() else {
        let t = m.target(a, 0, false)?;
        m.on_data(&t, false, StreamType::Text, |s| s.put_str(&text))?;
        return Ok(true);
    };
    let result = s.arg(0).cell();
    let tail = if s.arity() == 2 {
        s.arg(1).cell()
    } else {
        Cell::NIL
    };
    let value = match s.name().as_str() {
        "atom" => m.text_atom(&text)?,
        "string" => m.arg(a, 1),
        name => m.text_list(&text, name == "chars", tail)?,
    };
    Ok(m.unify(result, value))
}

/// The arguments that a term stands for in `format/2`; a cyclic list is one argument.
pub(crate) fn format_arguments(args: TermRef<'_>) -> Vec<TermRef<'_>> {
    match finite_list(args) {
        Some(_) => arguments(args),
        None => vec![args],
    }
}
