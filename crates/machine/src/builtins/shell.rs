//! Commands of the system's shell.
//!
//! Waiting for the end of a command is ended by signals, time limits and aborts. If they leave it for good, the command goes on; its end is taken note
//! of by a later call. Ctrl-C is for the command, as with `system(3)`: both belong to the terminal's foreground. A command that a signal has ended,
//! be it that of Ctrl-C, has no exit status: an error says so.
//!
//! `open(pipe(Command), Mode, Stream)` starts one and does not wait; closing the stream does, as above: whoever leaves that wait for good has a stream that
//! has hung up and can be closed again. What comes of the command nobody is told.

use super::args::{atom, finite_list};
use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::Throw;
use samite_sched::Events;
use samite_sched::readiness::{self, Ready};
use samite_stream::{Mode, OpenOptions, Stream, StreamError, StreamId};
use samite_term::{Atom, Cell, HeldAtom, View, atoms};
use samite_world::File;
use samite_world::processes::{self, Running};
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::Ordering;

pub const TABLE: &[Entry] = &[
    det("shell", 1, |m, a| Ok(shell(m, a)? == 0)),
    det("shell", 2, |m, a| {
        let status = shell(m, a)?;
        m.unify_int(a, 1, i64::from(status))
    }),
];

/// The number of the main thread.
const MAIN: u32 = 1;

/// What stands for a command that runs, when the builtin is called again after an interruption.
const RUNS: &str = "$command";

/// Runs a command; its exit status.
fn shell(m: &mut Ctx, a: Args) -> Result<i32, Throw> {
    let c = m.arg(a, 0);
    let (mut command, text) = match left(m, c) {
        Some(command) => command,
        None => start(m, a)?,
    };
    let masked = m.attention.masked();
    m.attention.set_masked(masked | Events::OF_USER);
    let attention = m.attention.clone();
    waits(m, true);
    let ended = m.while_blocked(|| {
        attention
            .until_ended(&command)
            .map(|()| processes::wait(&mut command))
    });
    waits(m, false);
    m.attention.set_masked(masked);
    let _ = m.attention.take_users();
    match ended {
        Ok(Ok(status)) => match (status.code(), status.signal()) {
            (Some(code), _) => Ok(code),
            (None, signal) => Err(killed(m, signal.unwrap_or(0), Cell::atom(text.get()))?),
        },
        Ok(Err(e)) => Err(m.file_error(&e, "execute", "command", c)),
        Err(_) => {
            let number = command.id();
            m.program.outside.commands.lock().insert(number, command);
            let text = Cell::atom(text.get());
            let runs = m.structure(RUNS, &[Cell::small(i64::from(number)), text])?;
            m.set_register(a.0, runs);
            Err(Throw::Interrupted)
        }
    }
}

/// Whether Ctrl-C is for a command that this thread has started, or is about to, if it is the main one.
fn waits(m: &Ctx, waits: bool) {
    if m.thread.control.id().number() == MAIN {
        (m.program.outside.main_waits).store(waits, Ordering::Relaxed);
    }
}

/// `error(shell(signal(Number), Command), _)`
fn killed(m: &mut Ctx, signal: i32, command: Cell) -> Result<Throw, Throw> {
    let signal = m.structure("signal", &[Cell::small(i64::from(signal))])?;
    Ok(m.formal(Atom::new("shell"), &[signal, command]))
}

/// The command that this call has started already, and its text.
fn left(m: &Ctx, c: Cell) -> Option<(Child, HeldAtom)> {
    let View::Compound(runs) = m.term(c).view() else {
        return None;
    };
    if runs.arity() != 2 || runs.name().as_str() != RUNS {
        return None;
    }
    match runs.arg(0).view() {
        View::Int(n) => {
            let mut commands = m.program.outside.commands.lock();
            let command = commands.remove(&u32::try_from(n).ok()?)?;
            Some((command, runs.arg(1).as_atom()?.hold()))
        }
        _ => None,
    }
}

/// Starts a command. It sees what has been written to files, and what it writes comes behind what has been written to the same place.
fn start(m: &mut Ctx, a: Args) -> Result<(Child, HeldAtom), Throw> {
    let c = m.arg(a, 0);
    let command = m.file_arg(a, 0)?;
    if finite_list(m.term(c)).is_none() || command.contains('\0') {
        return Err(m.type_error("text", c));
    }
    let mut sh = prepared(m, &command)?;
    // (Held: atoms are collected while this waits.)
    let name = m.atom_of_text(&command)?.hold();
    // (It may be told to end before it is known here that it has begun.)
    waits(m, true);
    let started = m.in_file_system(|| processes::spawn(&mut sh));
    match started {
        Ok(child) => Ok((child, name)),
        Err(e) => {
            waits(m, false);
            Err(m.file_error(&e, "execute", "command", c))
        }
    }
}

/// Before another process starts: it sees what has been written to files, and what it writes comes behind what has been written to the same place.
pub(super) fn write_before(m: &mut Ctx) -> Result<(), Throw> {
    for id in [StreamId::STDOUT, StreamId::STDERR] {
        let t = m.target_of(id, id.term())?;
        m.on(&t, |s| match s.flush() {
            Err(StreamError::Interrupted) => Err(StreamError::Interrupted),
            _ => Ok(()),
        })?;
    }
    let program = m.program.clone();
    m.in_file_system(|| program.streams.flush_files());
    Ok(())
}

/// A command that is about to be started.
fn prepared(m: &mut Ctx, command: &str) -> Result<Command, Throw> {
    write_before(m)?;
    (m.program.outside.commands.lock())
        .retain(|_, command| matches!(processes::ended(command), Ok(None)));
    let mut sh = Command::new(
        m.flag_atom(Atom::new("posix_shell"))
            .unwrap_or(atoms::NIL)
            .as_str(),
    );
    sh.arg("-c").arg(command);
    m.program.outside.give_environment(&mut sh);
    Ok(sh)
}

impl Ctx<'_> {
    /// Starts the command of a term `pipe(Command)`: a stream of what it writes, or to what it reads.
    pub(super) fn open_command(
        &mut self,
        pipe: Cell,
        mode: Mode,
        options: OpenOptions,
    ) -> Result<StreamId, Throw> {
        let View::Compound(term) = self.term(pipe).view() else {
            return Err(self.domain_error("source_sink", pipe));
        };
        let c = self.deref(term.arg(0).cell());
        let command = match self.term(c).view() {
            _ if c.is_ref() => return Err(self.instantiation_error()),
            View::Atom(name) => name.as_str().to_owned(),
            View::Str(text) => text.to_owned(),
            _ => return Err(self.type_error("atom", c)),
        };
        if command.contains('\0') {
            return Err(self.type_error("text", c));
        }
        if !matches!(mode, Mode::Read | Mode::Write) {
            let formal = self.structure("existence_error", &[atom("source_sink"), pipe])?;
            return Err(self.error_with_text(formal, "Invalid argument"));
        }
        let options = self.with_encoding(options);
        let mut sh = prepared(self, &command)?;
        match mode {
            Mode::Read => sh.stdout(Stdio::piped()),
            _ => sh.stdin(Stdio::piped()),
        };
        let started = self.in_file_system(|| processes::spawn(&mut sh));
        let mut child = started.map_err(|e| self.file_error(&e, "execute", "command", c))?;
        let output = child.stdout.take().map(OwnedFd::from);
        let end = output.or_else(|| child.stdin.take().map(OwnedFd::from));
        let end = File::from(end.expect("one of them is a pipe"));
        let stream = Stream::of_process(end, mode, &options, Running::new(child));
        let stream = stream.map_err(|e| self.stream_error(&e, pipe))?;
        Ok(self.program.streams.add(stream))
    }

    /// Waits for the end of a command that a stream was connected to, until an event is due.
    pub(super) fn until_command_ends(&mut self, process: &Running) -> Result<(), Throw> {
        if let Some(end) = process.end()
            && !self.thread.io.for_good
        {
            while !readiness::is_ready(end, Ready::Read) {
                let waited = self.until_descriptor(end, Ready::Read);
                waited.map_err(|_| Throw::Interrupted)?;
            }
        }
        self.while_blocked(|| process.wait());
        Ok(())
    }
}
