//! Other processes that a program starts, waits for and tells to end: what `library(process)` is made of.
//!
//! A process that has been started is in one place: in [`Outside::processes`] while nobody waits for it, in the hands of the one thread that does, or with
//! the streams whose last one waits for it when it is closed ([`Outside::piped`]).
//!
//! [`Outside::processes`]: crate::state::outside::Outside
//! [`Outside::piped`]: crate::state::outside::Outside

use super::args::atom;
use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use samite_stream::{Mode, OpenOptions, Stream, StreamId};
use samite_term::{Atom, Cell, View, atoms, common, growth};
use samite_world::File;
use samite_world::processes;
use std::os::fd::OwnedFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};

pub const TABLE: &[Entry] = &[
    // '$start_process'(+Program, +Texts, +Directory, +Environment, +Standard, +How, -Number, -Streams): Directory is [] for the one of the program. Environment is
    // changed(Pairs) or new(Pairs), with Name=Value of texts. Standard says what input, output and error output are: `std`, `null` or `pipe`; Streams has the
    // program's end of each pipe, else []. How is Known-Detached: if Known is false who closes the last one of these waits.
    det("$start_process", 8, start_process),
    // '$await_process'(+Number, -Status): waits for the end. Status is exit(Number) or killed(Signal).
    det("$await_process", 2, await_process),
    // '$ended_process'(+Number, -Status): the same if it has ended.
    det("$ended_process", 2, ended_process),
    // '$release_process'(+Number): nobody will ask for its end.
    det("$release_process", 1, |m, a| {
        let child = take(m, a)?;
        m.program.outside.commands.lock().insert(child.id(), child);
        Ok(true)
    }),
    // '$signal_process'(+Number, +Signal, +Group): Signal, a number, for the process, or for its group.
    det("$signal_process", 3, signal_process),
    // pipe(-Read, -Write), of library(unix): what is written to one stream is read from the other one.
    det("$pipe", 2, pipe),
];

fn start_process(m: &mut Ctx, a: Args) -> Res {
    let program = m.file_arg(a, 0)?;
    let mut command = Command::new(&program);
    for text in texts(m, m.arg(a, 1))? {
        command.arg(text);
    }
    if m.arg(a, 2) != Cell::NIL {
        command.current_dir(m.file_arg(a, 2)?);
    }
    m.program.outside.give_environment(&mut command);
    let environment = m.arg(a, 3);
    if let View::Compound(c) = m.term(environment).view() {
        if c.name().as_str() == "new" {
            command.env_clear();
        }
        let (pairs, _) = c.arg(0).list_items();
        for pair in pairs {
            if let View::Compound(pair) = pair.view()
                && pair.arity() == 2
            {
                let (name, value) = (pair.arg(0).cell(), pair.arg(1).cell());
                let (name, value) = (plain_text(m, name)?, plain_text(m, value)?);
                command.env(name, value);
            }
        }
    }
    let wanted = m.arg(a, 4);
    let wanted: Vec<Atom> = (m.term(wanted).list_items().0)
        .iter()
        .filter_map(|t| t.as_atom())
        .collect();
    let (known, detached) = match m.view(a, 5).view() {
        View::Compound(c) if c.arity() == 2 => (
            c.arg(0).as_atom() == Some(atoms::TRUE),
            c.arg(1).as_atom() == Some(atoms::TRUE),
        ),
        _ => (false, false),
    };
    if detached {
        command.process_group(0);
    }
    let options = OpenOptions::default();
    let program = m.atom_argument(a, 0)?.hold();
    let (child, streams) = start(m, command, &wanted, &options, m.arg(a, 0))?;
    let number = child.id();
    let all: Vec<Cell> = streams
        .iter()
        .map(|s| s.map_or(Cell::NIL, |id| id.term()))
        .collect();
    let ours: Vec<StreamId> = streams.into_iter().flatten().collect();
    if known || ours.is_empty() {
        m.program.outside.processes.lock().insert(number, child);
    } else {
        m.program.outside.piped.lock().push((ours, program, child));
    }
    let all = m.heap.list(&all, Cell::NIL)?;
    Ok(m.unify_int(a, 6, i64::from(number))? && m.unify_arg(a, 7, all))
}

/// Starts a command; the program's ends of its pipes.
fn start(
    m: &mut Ctx,
    mut command: Command,
    wanted: &[Atom],
    options: &OpenOptions,
    culprit: Cell,
) -> Result<(Child, Vec<Option<StreamId>>), Throw> {
    super::shell::write_before(m)?;
    let mut ours = Vec::new();
    for (i, how) in wanted.iter().enumerate() {
        let (theirs, mine) = match how.as_str() {
            "null" => (Stdio::null(), None),
            "pipe" => {
                m.room_to_go_on(Stream::BYTES, common::RESERVE / 2)?;
                let (reader, writer) = match processes::pipe() {
                    Ok(ends) => ends,
                    Err(e) => return Err(m.file_error(&e, "create", "pipe", culprit)),
                };
                match i {
                    0 => (
                        Stdio::from(reader),
                        Some((Mode::Write, OwnedFd::from(writer))),
                    ),
                    _ => (
                        Stdio::from(writer),
                        Some((Mode::Read, OwnedFd::from(reader))),
                    ),
                }
            }
            _ => (Stdio::inherit(), None),
        };
        growth::push(&mut ours, mine)?;
        match i {
            0 => command.stdin(theirs),
            1 => command.stdout(theirs),
            _ => command.stderr(theirs),
        };
    }
    let started = m.in_file_system(|| processes::spawn(&mut command));
    let child = match started {
        Ok(child) => child,
        Err(e) => return Err(m.file_error(&e, "execute", "process", culprit)),
    };
    // (It has its ends of the pipes; nobody else has them from here on.)
    drop(command);
    let mut streams = Vec::new();
    for mine in ours {
        let stream = match mine {
            Some((mode, end)) => match m.piped_stream(mode, end, options) {
                Ok(id) => Some(id),
                Err(e) => {
                    m.program.outside.commands.lock().insert(child.id(), child);
                    return Err(e);
                }
            },
            None => None,
        };
        streams.push(stream);
    }
    Ok((child, streams))
}

impl Ctx<'_> {
    /// A stream on one end of a pipe.
    fn piped_stream(
        &mut self,
        mode: Mode,
        end: OwnedFd,
        options: &OpenOptions,
    ) -> Result<StreamId, Throw> {
        match Stream::of_file(File::from(end), "", mode, options) {
            Ok(mut stream) => {
                stream.set_file_name(None);
                Ok(self.program.streams.add(stream))
            }
            Err(e) => Err(self.stream_error(&e, Cell::NIL)),
        }
    }
    /// A stream has been closed: if it was the last one to a process that nobody else waits for, that is waited for, and is an error if it has not ended with status 0.
    pub(super) fn closed_pipe(&mut self, id: StreamId) -> Result<(), Throw> {
        let mut piped = self.program.outside.piped.lock();
        let Some(at) = piped.iter().position(|(streams, ..)| streams.contains(&id)) else {
            return Ok(());
        };
        piped[at].0.retain(|s| *s != id);
        if !piped[at].0.is_empty() {
            return Ok(());
        }
        let (_, program, mut child) = piped.swap_remove(at);
        drop(piped);
        let attention = self.attention.clone();
        let ended = self.while_blocked(|| {
            attention
                .until_ended(&child)
                .map(|()| processes::wait(&mut child))
        });
        match ended {
            Ok(Ok(status)) if !status.success() => {
                let status = status_term(self, status)?;
                let formal =
                    self.structure("process_error", &[Cell::atom(program.get()), status])?;
                Err(self.error_term(formal))
            }
            Ok(_) => Ok(()),
            Err(_) => {
                // Somebody has something better to do: its end is taken note of by a later command.
                let number = child.id();
                self.program.outside.commands.lock().insert(number, child);
                Ok(())
            }
        }
    }
}

/// The texts of a list.
fn texts(m: &mut Ctx, list: Cell) -> Result<Vec<String>, Throw> {
    let (items, _) = m.term(list).list_items();
    let mut all = growth::with_room(items.len())?;
    for item in items {
        all.push(plain_text(m, item.cell())?);
    }
    Ok(all)
}

/// A text that a process may be given.
fn plain_text(m: &mut Ctx, c: Cell) -> Result<String, Throw> {
    let text = m.text_arg(c)?;
    match text.contains('\0') {
        true => Err(m.type_error("text", c)),
        false => Ok(text),
    }
}

/// `exit(Number)` or `killed(Signal)`.
fn status_term(m: &mut Ctx, status: ExitStatus) -> Result<Cell, Throw> {
    let (name, n) = match status.code() {
        Some(code) => ("exit", code),
        None => ("killed", status.signal().unwrap_or(0)),
    };
    m.structure(name, &[Cell::small(i64::from(n))])
}

/// The process of a number, which nobody waits for then.
fn take(m: &mut Ctx, a: Args) -> Result<Child, Throw> {
    let n = m.int_arg(a, 0)?;
    let child = match u32::try_from(n) {
        Ok(n) => m.program.outside.processes.lock().remove(&n),
        Err(_) => None,
    };
    match child {
        Some(child) => Ok(child),
        None => {
            let culprit = m.arg(a, 0);
            Err(m.existence_error("process", culprit))
        }
    }
}

fn put_back(m: &Ctx, child: Child) {
    let number = child.id();
    m.program.outside.processes.lock().insert(number, child);
}

fn await_process(m: &mut Ctx, a: Args) -> Res {
    let mut child = take(m, a)?;
    let attention = m.attention.clone();
    let ended = m.while_blocked(|| {
        attention
            .until_ended(&child)
            .map(|()| processes::wait(&mut child))
    });
    match ended {
        Ok(Ok(status)) => {
            let status = status_term(m, status)?;
            Ok(m.unify_arg(a, 1, status))
        }
        Ok(Err(e)) => {
            let culprit = m.arg(a, 0);
            Err(m.file_error(&e, "wait", "process", culprit))
        }
        Err(_) => {
            put_back(m, child);
            Err(Throw::Interrupted)
        }
    }
}

fn ended_process(m: &mut Ctx, a: Args) -> Res {
    let mut child = take(m, a)?;
    match processes::ended(&mut child) {
        Ok(Some(status)) => {
            let status = status_term(m, status)?;
            Ok(m.unify_arg(a, 1, status))
        }
        Ok(None) => {
            put_back(m, child);
            Ok(false)
        }
        Err(e) => {
            let culprit = m.arg(a, 0);
            Err(m.file_error(&e, "wait", "process", culprit))
        }
    }
}

fn signal_process(m: &mut Ctx, a: Args) -> Res {
    let (number, signal) = (m.int_arg(a, 0)?, m.int_arg(a, 1)?);
    let group = m.term(m.arg(a, 2)).as_atom() == Some(atoms::TRUE);
    let signal = i32::try_from(signal).unwrap_or(-1);
    let Some(number) = i32::try_from(number).ok().filter(|n| *n > 0) else {
        let culprit = m.arg(a, 0);
        return Err(m.existence_error("process", culprit));
    };
    match processes::signal(number, signal, group) {
        Ok(()) => Ok(true),
        Err(e) => {
            let culprit = m.arg(a, 0);
            Err(match e.kind() {
                std::io::ErrorKind::PermissionDenied => {
                    m.permission_error("kill", "process", culprit)
                }
                std::io::ErrorKind::InvalidInput => {
                    let signal = m.arg(a, 1);
                    m.domain_error("signal", signal)
                }
                _ => m.existence_error("process", culprit),
            })
        }
    }
}

fn pipe(m: &mut Ctx, a: Args) -> Res {
    m.room_to_go_on(2 * Stream::BYTES, common::RESERVE / 2)?;
    let (reader, writer) = match processes::pipe() {
        Ok(ends) => ends,
        Err(e) => return Err(m.file_error(&e, "create", "pipe", atom("pipe"))),
    };
    let options = OpenOptions::default();
    let read = m.piped_stream(Mode::Read, OwnedFd::from(reader), &options)?;
    let write = m.piped_stream(Mode::Write, OwnedFd::from(writer), &options)?;
    Ok(m.unify_arg(a, 0, read.term()) && m.unify_arg(a, 1, write.term()))
}
