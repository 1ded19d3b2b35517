//! The life of a thread, from its beginning to its end: its goal, the signals that came before that was over, its exit goals, and what is told of them.
//!
//! The steps are those of `samite_sched::registry`; [`ThreadLife`] says what comes next, and whoever runs the thread runs it
//! ([`crate::engine::life`]): an OS thread of its own ([`run_thread`]), or carriers.
//!
//! ```text
//! New -> Init -> Goal -> Signals* -> Report -> Exit* -> Over
//!                           |  status is visible         a goal may be reported after each
//! ```

use super::args::only_argument;
use super::threads::{GRACE, status_after_output, status_term, thread_term};
use super::unnamed::end_unnamed_engines;
use crate::engine::ctx::Ctx;
use crate::engine::going::{Go, Outcome, memory_error};
use crate::engine::life::Life;
use crate::engine::long;
use crate::engine::mapped::Mapped;
use crate::engine::worker::OwnedWorker;
use crate::error::Throw;
use crate::state::program::Program;
use crate::state::streams::StandardStreams;
use crate::state::told::Told;
use samite_heap::address_space;
use samite_sched::registry::{Flags, Status, ThreadControl};
use samite_sched::{Events, carrier};
use samite_stream::StreamId;
use samite_term::common::Held;
use samite_term::growth::LITTLE;
use samite_term::walked::{KeptAtoms, KeptRecord};
use samite_term::{Atom, Cell, HeldAtom, Record, atoms};
use samite_world::threads as os;
use std::sync::Arc;
use std::sync::atomic::{Ordering, fence};

/// What a new thread gets from its creator.
#[derive(Debug)]
pub(crate) struct Start {
    /// Not counted, it would be nobody's while the thread begins; nor is it its thread's any more when that reports how it ended.
    pub goal: KeptRecord,
    pub inherited: Inherited,
}

/// What it has from its creator beside its goal.
#[derive(Debug)]
pub(crate) struct Inherited {
    pub typein: HeldAtom,
    /// Of the toplevel's module; what a file has started is not of the file.
    pub source: HeldAtom,
    pub flags: Arc<Flags>,
    /// Of their values, which may be nobody else's when it begins.
    pub _of_flags: KeptAtoms,
    pub locale: crate::state::locale::NamedLocale,
    pub loading: crate::state::loading::Lent,
    pub standard_streams: StandardStreams,
    /// Current input and output of the creator. What has been closed when the thread uses it is replaced by the standard one.
    pub streams: (StreamId, StreamId),
    /// Tables may depend on what it finds.
    pub for_tables: bool,
}

impl Inherited {
    fn give(self, m: &mut OwnedWorker) {
        m.thread.modules.typein = self.typein;
        m.thread.modules.source = self.source;
        m.ctx().set_flags(self.flags);
        m.thread.locale = self.locale;
        m.thread.loading.begin(self.loading);
        m.thread.io.standard = self.standard_streams;
        (m.thread.io.current_input, m.thread.io.current_output) = self.streams;
        m.thread.tabling.for_others = self.for_tables;
    }
}

/// Ends a thread whatever happens: the last thing to be dropped.
struct Ending {
    program: Arc<Program>,
    control: Arc<ThreadControl>,
}

impl Drop for Ending {
    fn drop(&mut self) {
        // Counts only if nothing was concluded: the machine panicked.
        self.control
            .conclude(Status::Exception(Held::new(panicked())));
        // (Its OS thread may run another one soon.)
        self.control.forget_system_id();
        self.program.registry.finish(&self.control);
    }
}

/// Runs a thread from start to end, on memory that its creator has mapped. To be called on an OS thread of its own.
pub(crate) fn run_thread(
    program: Arc<Program>,
    control: Arc<ThreadControl>,
    mapped: Mapped,
    mut life: ThreadLife,
) {
    // (Its OS thread may have run another one, which has ended in the midst of something.)
    address_space::set_urgent(false);
    control.set_system_id(os::number());
    // It may have got an alias meanwhile; see `set_thread/2`.
    fence(Ordering::SeqCst);
    if let Some(alias) = control.alias() {
        os::set_name(os::number(), alias.as_str());
    }
    let ending = Ending {
        program: program.clone(),
        control: control.clone(),
    };
    let mut m = OwnedWorker::begin(mapped, program.clone(), control.clone());
    drop(control);
    m.begin_slice();
    m.live(&mut life);
    drop(m);
    drop(ending);
    life.after(&program);
    drop(life);
    end_unnamed_engines(&program);
}

/// The error of a thread that ends in a panic.
fn panicked() -> Record {
    let line = samite_term::panics::take();
    long::fault(line.as_ref().map_or("thread_panicked", |l| l.as_str()))
}

/// The end of a thread by `halt/1`, called by it or for it.
#[derive(Default)]
struct Halting {
    begun: bool,
    /// The exit status, if it is this thread that ends the process.
    status: Option<i32>,
}

impl Halting {
    /// The status is settled, and all others are told, before anybody hears that the thread has ended: who joins it may be about to call
    /// `halt/0`.
    fn begin(&mut self, program: &Program, control: &ThreadControl, status: i32) {
        self.begun = true;
        if program.ending.settle(status) {
            self.status = Some(status);
            program.registry.raise_all(Events::HALT, Some(control.id()));
        }
    }
}

/// Which step of its life a thread is in.
enum Stage {
    New(Box<Inherited>),
    /// What `thread_initialization/1` has any thread begin with.
    Init,
    Goal,
    Signals,
    /// A detached thread that has ended badly says so.
    Report,
    /// It runs the exit goal, or has run none yet.
    Exit(Option<KeptRecord>),
    /// It tells what an exit goal has raised.
    ExitReport,
}

/// See the module text.
pub(crate) struct ThreadLife {
    control: Arc<ThreadControl>,
    goal: KeptRecord,
    stage: Stage,
    /// How it has ended, once its goal has.
    status: Status,
    /// Of that: nobody else has it while the goals of signals run.
    of_status: KeptAtoms,
    halting: Halting,
    /// Those who listen to the ends of threads have heard of this one, or are not to.
    has_told: bool,
}

impl ThreadLife {
    pub fn new(control: Arc<ThreadControl>, start: Start) -> ThreadLife {
        ThreadLife {
            control,
            goal: start.goal,
            stage: Stage::New(Box::new(start.inherited)),
            status: Status::Running,
            of_status: KeptAtoms::default(),
            halting: Halting::default(),
            has_told: false,
        }
    }

    /// One of the system's own, which has nothing of another thread and is not begun as the program wants its threads to begin.
    pub fn of_system(control: Arc<ThreadControl>, goal: Record) -> ThreadLife {
        ThreadLife {
            control,
            goal: KeptRecord::new(Held::new(goal)),
            stage: Stage::Init,
            status: Status::Running,
            of_status: KeptAtoms::default(),
            halting: Halting::default(),
            has_told: true,
        }
    }

    /// The first exception of the goal and the signals ends the thread.
    fn end_by(&mut self, m: &mut OwnedWorker, outcome: Outcome) {
        let is_first = !matches!(self.status, Status::Exception(_) | Status::Exited(_));
        match outcome {
            Outcome::True if is_first && matches!(self.stage, Stage::Goal) => {
                self.status = Status::True;
            }
            Outcome::False if is_first && matches!(self.stage, Stage::Goal) => {
                self.status = Status::False;
            }
            Outcome::True | Outcome::False => {}
            Outcome::Exception(ball) if is_first => {
                self.status = status_of_ball(m, ball);
                self.of_status = KeptAtoms::of(&self.status);
            }
            Outcome::Exception(_) => {}
            Outcome::Halt(status) => {
                self.halting.begin(&m.program, &self.control, status);
                if matches!(self.stage, Stage::Goal) {
                    self.status = Status::True;
                }
            }
        }
    }
}

impl Life for ThreadLife {
    fn next(&mut self, m: &mut OwnedWorker, last: Option<Outcome>) -> Option<Result<Go, Throw>> {
        if last.is_some() {
            m.reset();
        }
        let mut last = last.unwrap_or(Outcome::True);
        loop {
            // What runs next, and the step that it is.
            let begun = match std::mem::replace(&mut self.stage, Stage::Goal) {
                Stage::New(inherited) => {
                    inherited.give(m);
                    self.control.set_size(m.memory());
                    self.stage = Stage::Init;
                    match m.program.initializes_threads.load(Ordering::Acquire) {
                        true => {
                            m.begin_goal(&Record::immediate(Cell::atom(Atom::new("$thread_init"))))
                        }
                        false => continue,
                    }
                }
                Stage::Init => match last {
                    Outcome::True | Outcome::False => m.begin_goal(&self.goal),
                    ended => Err(ended),
                },
                Stage::Goal => {
                    self.end_by(m, std::mem::replace(&mut last, Outcome::True));
                    self.control.refuse_signals();
                    self.stage = Stage::Signals;
                    continue;
                }
                Stage::Signals => {
                    self.stage = Stage::Signals;
                    self.end_by(m, std::mem::replace(&mut last, Outcome::True));
                    // A process that ends waits for no signal.
                    let waits = !self.halting.begun && m.program.ending.status().is_none();
                    if waits && let Some(signal) = self.control.next_signal() {
                        m.begin_signal(&signal)
                    } else {
                        self.control.conclude(self.status.clone());
                        if self.halting.begun {
                            return None;
                        }
                        m.mask_always(Events::ALL.without(Events::SLICE));
                        self.stage = Stage::Report;
                        match self.reports(m) {
                            Some(goal) => m.begin_goal(&goal),
                            None => continue,
                        }
                    }
                }
                Stage::Report | Stage::ExitReport => {
                    self.stage = Stage::Exit(None);
                    continue;
                }
                Stage::Exit(ran) => {
                    let outcome = std::mem::replace(&mut last, Outcome::True);
                    match (outcome, ran) {
                        (Outcome::Exception(ball), Some(goal)) => {
                            self.stage = Stage::ExitReport;
                            let id = thread_term(m.ctx(), &self.control);
                            let made = m.ctx().exit_goal_raised(id, &goal, &ball);
                            match recorded(m, made) {
                                Some(goal) => m.begin_goal(&goal),
                                None => continue,
                            }
                        }
                        (outcome, _) => {
                            if let Outcome::Halt(status) = outcome {
                                self.halting.begin(&m.program, &self.control, status);
                                return None;
                            }
                            // It may be reported, and is not its thread's any more.
                            let goal = KeptRecord::new(self.next_exit_goal(&m.program)?);
                            let begun = m.begin_goal(&goal);
                            self.stage = Stage::Exit(Some(goal));
                            begun
                        }
                    }
                }
            };
            match begun {
                Ok(go) => return Some(go),
                Err(outcome) => {
                    m.reset();
                    last = outcome;
                }
            }
        }
    }

    fn after(&self, program: &Program) {
        if let Some(status) = self.halting.status
            && program.ending.ends_process()
        {
            // The main thread ends the process; but it may be reading from a terminal.
            let waits = carrier::blocking();
            os::sleep(GRACE);
            drop(waits);
            let delivered = program.streams.flush_all();
            std::process::exit(status_after_output(status, delivered));
        }
    }
}

impl ThreadLife {
    /// The next goal that was to run when it ends; those who listen to ends hear of it last.
    fn next_exit_goal(&mut self, program: &Program) -> Option<Held> {
        let goal = self.control.next_at_exit();
        let tells = goal.is_none() && !self.has_told && program.told.is(Told::EXITS);
        if !tells {
            return goal;
        }
        self.has_told = true;
        let tell = Record::immediate(Cell::atom(Atom::new("$tell_exit")));
        Some(Held::new(tell))
    }
    /// The goal that tells the user how it has ended, if nobody joins it and it has not ended well.
    fn reports(&self, m: &mut OwnedWorker) -> Option<Record> {
        let badly = matches!(self.status, Status::False | Status::Exception(_));
        if !badly || !self.control.is_detached() {
            return None;
        }
        let made = m.ctx().abnormal_completion(&self.goal, &self.status);
        recorded(m, made)
    }
}

/// Exception, or the exit of `thread_exit/1`: `unwind(thread_exit(Term))`.
fn status_of_ball(m: &mut OwnedWorker, ball: Record) -> Status {
    let exited = m.ctx().exit_of_ball(&ball);
    m.reset();
    match exited {
        Some(term) => Status::Exited(m.ctx().held(term)),
        None => Status::Exception(m.ctx().held(ball)),
    }
}

/// A goal that was made, off the heap, which is empty afterwards; `None` if there is none or there was no memory for it.
fn recorded(m: &mut OwnedWorker, made: Result<Option<Cell>, Throw>) -> Option<Record> {
    let goal = match made {
        Ok(Some(goal)) => m.ctx().record(goal).ok(),
        _ => None,
    };
    m.reset();
    goal
}

impl Ctx<'_> {
    /// What `thread_exit/1` was given, if that is what was thrown.
    fn exit_of_ball(&mut self, ball: &Record) -> Option<Record> {
        let t = self.heap.instantiate(ball).ok()?;
        let unwind = only_argument(self, t, "unwind")?;
        let term = only_argument(self, unwind, "thread_exit")?;
        Some(self.record(term).unwrap_or_else(|_| memory_error()))
    }

    /// What a thread leaves behind: a large term is refused where there is no room for it. A small one may be about just that.
    fn held(&self, r: Record) -> Held {
        let bytes = 8 * r.len();
        let kept = bytes < LITTLE || self.room(bytes).is_ok();
        Held::new(if kept { r } else { memory_error() })
    }

    /// The goal that prints how a thread has ended, if that is to be told.
    fn abnormal_completion(
        &mut self,
        goal: &Record,
        status: &Status,
    ) -> Result<Option<Cell>, Throw> {
        let reason = status_term(self, status)?;
        if let Some(ball) = only_argument(self, reason, "exception")
            && (ball == Cell::atom(atoms::ABORT) || only_argument(self, ball, "unwind").is_some())
        {
            return Ok(None);
        }
        let goal = self.heap.instantiate(goal)?;
        let reason = match status {
            Status::False => Cell::atom(atoms::FAIL),
            _ => reason,
        };
        let message = self.structure("abnormal_thread_completion", &[goal, reason])?;
        self.printed_warning(message)
    }

    /// The goal that prints what a goal at the end of a thread has raised.
    fn exit_goal_raised(
        &mut self,
        id: Cell,
        goal: &Record,
        ball: &Record,
    ) -> Result<Option<Cell>, Throw> {
        let goal = self.heap.instantiate(goal)?;
        let ball = self.heap.instantiate(ball)?;
        let message = self.structure("exit_goal_raised", &[id, goal, ball])?;
        self.printed_warning(message)
    }

    fn printed_warning(&mut self, message: Cell) -> Result<Option<Cell>, Throw> {
        let warning = Cell::atom(Atom::new("warning"));
        self.structure("print_message", &[warning, message])
            .map(Some)
    }
}

/// The module in which threads and engines that this thread makes read, and say what they say.
pub(super) fn reads_in(m: &Ctx) -> HeldAtom {
    match m.thread.loading.loads.is_empty() {
        true => m.thread.modules.source.clone(),
        false => atoms::USER.hold(),
    }
}
