//! Runs Prolog threads on the OS thread that is there: a thread's own goal, and the engines that it asks for something, each until it answers, ends,
//! asks another engine, or its runner is wanted.
//!
//! A run ends where the loop is left ([`Leave`]), at a safe point; the thread can be gone on with from there, by any OS thread. So what calls
//! engines in engines nests on a list here, not on the native stack, and a scheduler could run threads as [`Worker::drive`] runs engines.
//!
//! *Equations*, with `runs` the engines that have not replied, the newest last, and `bottom` the thread of the OS thread:
//!
//! ```text
//! only the last of `runs` executes; each below it, and `bottom`, has lent its attention to the next
//! who is in `runs` has been taken out of its turn, and comes back before `drive` runs `bottom` again
//! ```
//!
//! So an event of any of them stops the one that executes. Calls (`COLLECT`, `TICK`) are answered for whom they concern, and it goes on. For other events
//! all above the one that is wanted are put back, as they stand; its own predicate is called again after the event, and so is each that was waiting in
//! between when it is asked again. Nothing is lost if the event throws: the engine is asked later, or destroyed. But others may wait for what it does in the
//! midst of loading a file: so one that has claimed a file, and whose asker leaves the call in which it asked, is destroyed by the system, as SWI-Prolog, where the exception
//! goes through the engine, would destroy it ([`EngineState::left`](crate::state::thread::EngineState)).
//!
//! What an engine holds of the database while it sleeps is said by whoever comes by, if somebody asks ([`crate::engine::asleep`]).

use crate::engine::asleep::{Asleep, Next, put_back};
use crate::engine::begin::sleepers_waker;
use crate::engine::going::{Ask, Go, Leave, Outcome, Stopped, Wish, memory_error};
use crate::engine::life::Life;
use crate::engine::long;
use crate::engine::mapped::Mapped;
use crate::engine::worker::{OwnedWorker, Worker};
use crate::error::Throw;
use crate::state::engines::{Engine, Kept, kept_as};
use crate::state::internal::cells;
use crate::state::program::Program;
use samite_code::Predicate;
use samite_sched::interrupt::Events;
use samite_sched::registry::{Status, ThreadControl};
use samite_sched::turn::Turn;
use samite_term::walked::{KeptAtoms, KeptRecord};
use samite_term::{Atom, Cell, Record, atoms, growth};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};

/// What an engine says.
enum Reply {
    Answer(Record),
    No,
    Exception(Record),
    Halt(i32),
    Ended,
}

/// An engine that runs, or waits for another one.
struct Running {
    engine: Arc<Engine>,
    asleep: Box<Asleep>,
    what: Wish,
    /// Who asked it.
    by: &'static Predicate,
    /// It has ended, and runs what is to be run then: what it replies after that, which is in nobody else's hands.
    ending: Option<(Reply, KeptAtoms)>,
}

/// What comes next.
enum Turned {
    /// The newest goes on.
    Go(Result<Go, Throw>),
    /// The newest asks.
    Ask(Ask),
    /// The newest has ended so.
    Ended(Reply),
    /// The newest has an answer and can go on.
    Reply(Reply),
    /// Somebody's events are to be looked at.
    Wanted,
}

impl OwnedWorker {
    /// An engine that has not begun.
    pub(crate) fn for_engine(
        mapped: Mapped,
        program: &Arc<Program>,
        control: &Arc<ThreadControl>,
        prepare: impl FnOnce(&mut OwnedWorker),
        pair: KeptRecord,
    ) -> Arc<Engine> {
        Arc::new_cyclic(|me: &Weak<Engine>| {
            let waker = sleepers_waker(program, control, me.clone());
            let mut worker = OwnedWorker::make(mapped, program.clone(), control.clone(), waker);
            worker.thread.engine.me = me.clone();
            prepare(&mut worker);
            let reader = worker.reader.clone();
            control.set_size(worker.memory());
            control.set_suspended(true);
            let asleep = Asleep::new(worker, Next::Goal(pair));
            Engine {
                control: control.clone(),
                turn: Turn::new(Box::new(asleep) as Kept),
                reader,
                posted: Default::default(),
                exhausted: false.into(),
            }
        })
    }

    /// Runs a thread on the calling OS thread, from beginning to end.
    pub(crate) fn live(&mut self, life: &mut dyn Life) {
        let mut last = None;
        while let Some(go) = life.next(self, last.take()) {
            last = Some(self.drive(go));
        }
    }
    /// Where a step begins that runs a goal once. Error: what has come of it.
    pub(crate) fn begin_goal(&mut self, goal: &Record) -> Result<Result<Go, Throw>, Outcome> {
        match self.start(goal) {
            Ok(()) => Ok(self.started_goal()),
            Err(_) => Err(Outcome::Exception(memory_error())),
        }
    }
    /// The same of a signal's goal, while nothing else runs.
    pub(crate) fn begin_signal(&mut self, goal: &Record) -> Result<Result<Go, Throw>, Outcome> {
        if self.start(goal).is_err() {
            return Err(Outcome::Exception(memory_error()));
        }
        self.begin_signals_goal();
        self.attention.raise(Events::SIGNAL);
        let goal = self.register(0);
        Ok(self.call_goal(goal, atoms::USER))
    }

    /// The first solution of the query that was started.
    pub(in crate::engine) fn first_solution(&mut self) -> Outcome {
        let r = self.started_goal();
        self.drive(r)
    }
    /// Runs a goal once; bindings are lost. The outcome of the first solution.
    pub fn run_once(&mut self, goal: &Record) -> Outcome {
        if self.start(goal).is_err() {
            return Outcome::Exception(memory_error());
        }
        let r = self.first_solution();
        self.reset();
        r
    }
}

impl Worker {
    /// Runs this thread until its query has an outcome.
    pub(in crate::engine) fn drive(&mut self, start: Result<Go, Throw>) -> Outcome {
        let mut go = start;
        loop {
            go = match self.run(go) {
                Stopped::Ended(outcome) => return outcome,
                Stopped::Left(why) => match *why {
                    Leave::Ask(ask) => self.run_engines(ask),
                    // What only engines do, and light threads, which are not run from here.
                    Leave::Answer { .. }
                    | Leave::Yield(_)
                    | Leave::Wanted
                    | Leave::MakeWay
                    | Leave::Suspended => Ok(Go::Proceed),
                },
            };
        }
    }

    /// Runs an engine, and those that it asks, until it has replied or this thread is wanted: where that goes on then.
    pub(in crate::engine) fn run_engines(&mut self, first: Ask) -> Result<Go, Throw> {
        let mut runs: Vec<Running> = Vec::new();
        let mut turned = Turned::Ask(first);
        let go = loop {
            turned = match turned {
                Turned::Ask(ask) => self.begin(&mut runs, ask),
                Turned::Go(go) => match runs.last_mut() {
                    None => break go,
                    Some(running) => running.run(go),
                },
                Turned::Ended(reply) => match runs.last_mut() {
                    Some(running) => running.end(reply),
                    None => break Ok(Go::Proceed),
                },
                Turned::Reply(reply) => self.hand_down(&mut runs, reply),
                Turned::Wanted => self.look_at_events(&mut runs),
            };
        };
        long::switch(self);
        go
    }

    /// The newest asks another engine.
    fn begin(&mut self, runs: &mut Vec<Running>, ask: Ask) -> Turned {
        let Ask {
            engine,
            kept,
            what,
            by,
        } = ask;
        let room = growth::have(runs, 1).is_ok();
        let asker: &mut Worker = match runs.last_mut() {
            Some(running) => &mut running.asleep.worker,
            None => self,
        };
        let asleep = match kept_as::<Asleep>(kept) {
            Ok(asleep) if room => asleep,
            Ok(asleep) => {
                engine.turn.put_back(asleep);
                return Turned::Go(Err(Throw::Memory));
            }
            Err(_) => unreachable!("an engine is kept as it is made here"),
        };
        let mut running = Running {
            engine,
            asleep,
            what,
            by,
            ending: None,
        };
        let worker = &mut running.asleep.worker;
        worker.thread.engine.driven = true;
        worker.begin_slice();
        worker.thread.engine.runner = asker.thread.engine.runner;
        let askers = &mut worker.thread.engine.askers;
        askers.clear();
        askers.extend_from_slice(&asker.thread.engine.askers);
        askers.push(asker.thread.control.id());
        asker.asks_again(&running.engine.control);
        worker.thread.tabling.for_others |= asker.thread.tabling.matters();
        worker.thread.control.set_suspended(false);
        asker.attention.lend(&worker.attention);
        asker.go_away();
        let go = running.begin();
        runs.push(running);
        go
    }

    /// The newest has replied: the one below it goes on.
    fn hand_down(&mut self, runs: &mut Vec<Running>, reply: Reply) -> Turned {
        let Some(above) = runs.pop() else {
            return Turned::Go(Ok(Go::Proceed));
        };
        let (what, by) = (above.what, above.by);
        let for_runner = above.asleep.worker.thread.engine.ends_for_runner;
        let asker: &mut Worker = match runs.last_mut() {
            Some(running) => &mut running.asleep.worker,
            None => self,
        };
        // Before the engine is asked no more: the reply is on no heap, and a collection of atoms is over only when one of the two has told.
        asker.reader.come_back();
        let ended = above.leave();
        asker.attention.take_back();
        // What has ended because its runner was to end is no reply, also if handlers took long, and the runner has been wanted, and has asked again,
        // since. (It finds that the engine is not there any more.)
        if ended
            && for_runner
            && let Reply::Exception(ball) = &reply
            && ball.root() == Cell::atom(atoms::ABORT)
        {
            return Turned::Go(asker.interrupted(by));
        }
        Turned::Go(asker.accept(what, reply))
    }

    /// The newest has stopped for an event of somebody below it.
    fn look_at_events(&mut self, runs: &mut Vec<Running>) -> Turned {
        self.answer_while_away();
        let waiting = runs.len() - 1;
        for r in &mut runs[..waiting] {
            r.asleep.worker.answer_while_away();
        }
        if runs.iter().any(Running::is_in_midst) {
            // What is atomic is run to its end, and a light thread makes way afterwards. What is due now is due then.
            self.attention.put_off_slice();
            return Turned::Go(Ok(Go::Proceed));
        }
        if !self.attention.is_light() && !self.attention.take(Events::SLICE).is_empty() {
            let top: &mut Worker = match runs.last_mut() {
                Some(running) => &mut running.asleep.worker,
                None => self,
            };
            top.make_way_here();
        }
        // (A light thread is to make way.)
        let makes_way = self.attention.is_light() && self.attention.due().meets(Events::SLICE);
        if self.is_wanted() || makes_way {
            note_left(self, runs);
            let by = leave_above(runs, 0);
            self.comes_back();
            return Turned::Go(by.map_or(Ok(Go::Proceed), |by| self.interrupted(by)));
        }
        let wanted = runs[..waiting]
            .iter()
            .position(|r| r.asleep.worker.is_wanted());
        let Some(at) = wanted else {
            return Turned::Go(Ok(Go::Proceed));
        };
        let (asking, left) = runs.split_at_mut(at + 1);
        note_left(&mut asking[at].asleep.worker, left);
        let by = leave_above(runs, at + 1);
        let worker = &mut runs[at].asleep.worker;
        worker.comes_back();
        Turned::Go(by.map_or(Ok(Go::Proceed), |by| worker.interrupted(by)))
    }

    /// Answers for one that waits for an engine.
    fn answer_while_away(&mut self) {
        self.reader.come_back();
        self.answer_calls();
        self.go_away();
    }

    /// It runs again itself.
    fn comes_back(&mut self) {
        self.reader.come_back();
        self.attention.take_back();
    }

    /// What an engine has replied to this thread, whose predicate has its arguments in the registers.
    fn accept(&mut self, what: Wish, reply: Reply) -> Result<Go, Throw> {
        let reified = what == Wish::Reified;
        match reply {
            Reply::Ended => Ok(Go::Proceed),
            Reply::Halt(status) => Err(Throw::Halt(status)),
            Reply::No if reified => Ok(self.reify(Cell::atom(Atom::new("no")))),
            Reply::No => Ok(Go::Fail),
            Reply::Exception(ball) if reified => {
                let ball = self.heap.instantiate(&ball)?;
                let reply = self.structure("exception", &[ball])?;
                Ok(self.reify(reply))
            }
            Reply::Exception(ball) => Err(Throw::Record(Box::new(ball))),
            Reply::Answer(record) => {
                let mut answer = self.heap.instantiate(&record)?;
                if reified {
                    answer = self.structure("the", &[answer])?;
                }
                Ok(self.reify(answer))
            }
        }
    }
}

/// `asker` is about to leave these, and asks the first of them again when it has seen to its events.
fn note_left(asker: &mut Worker, runs: &[Running]) {
    let controls = runs.iter().map(|r| &r.engine.control);
    asker.is_to_ask_again(controls);
}

/// Puts back all from number `from` on, the newest first; the predicate that asked the oldest of them.
fn leave_above(runs: &mut Vec<Running>, from: usize) -> Option<&'static Predicate> {
    let mut by = None;
    while runs.len() > from
        && let Some(mut running) = runs.pop()
    {
        if let Some(by) = by {
            // It asks again when it is asked.
            let worker = &mut running.asleep.worker;
            worker.comes_back();
            if worker.freeze(by).is_err() {
                worker.attention.raise(Events::ABORT);
            }
        }
        by = Some(running.by);
        running.asleep.next = Next::Continuation;
        running.leave();
    }
    by
}

impl Running {
    /// Whether it is where no event may stop it, or ends.
    fn is_in_midst(&self) -> bool {
        self.asleep.worker.attention.masked().meets(Events::WANTED)
    }
    /// Where it begins or goes on.
    fn begin(&mut self) -> Turned {
        let asleep = &mut *self.asleep;
        let worker = &mut asleep.worker;
        let next = std::mem::replace(&mut asleep.next, Next::Continuation);
        if self.what == Wish::End {
            worker.mask_always(Events::ALL.without(Events::CALLED));
            if let Next::Goal(_) = next {
                return Turned::Ended(Reply::Ended);
            }
            // As if its goal were cut: its cleanup handlers run, and what they throw is lost.
            worker.k = std::ptr::null_mut();
            let end = cells::EngineEnd {
                mark: asleep.bottom,
            };
            return match worker.push(end) {
                Ok(()) => Turned::Go(Ok(Go::Proceed)),
                Err(_) => Turned::Ended(Reply::Ended),
            };
        }
        match next {
            Next::Goal(pair) => match worker.start_engine(&pair) {
                Ok((go, bottom)) => {
                    asleep.bottom = bottom;
                    Turned::Go(go)
                }
                Err(_) => Turned::Ended(Reply::Exception(memory_error())),
            },
            Next::Backtrack => Turned::Go(Ok(Go::Fail)),
            Next::Continuation | Next::Begin => Turned::Go(Ok(Go::Proceed)),
        }
    }

    /// Runs it until it stops.
    fn run(&mut self, go: Result<Go, Throw>) -> Turned {
        long::switch(&self.asleep.worker);
        match self.asleep.worker.run(go) {
            Stopped::Ended(outcome) => Turned::Ended(match outcome {
                Outcome::True => Reply::Ended,
                Outcome::False => Reply::No,
                Outcome::Exception(ball) => Reply::Exception(ball),
                Outcome::Halt(status) => Reply::Halt(status),
            }),
            Stopped::Left(why) => match *why {
                Leave::Ask(ask) => Turned::Ask(ask),
                Leave::Wanted => Turned::Wanted,
                Leave::MakeWay | Leave::Suspended => Turned::Go(Ok(Go::Proceed)),
                // A handler of one that ends has nobody to answer.
                _ if self.what == Wish::End || self.ending.is_some() => Turned::Go(Ok(Go::Proceed)),
                Leave::Answer { record, last: true } => {
                    self.engine.exhausted.store(true, Ordering::Relaxed);
                    Turned::Ended(Reply::Answer(record))
                }
                Leave::Answer { record, .. } => {
                    self.asleep.next = Next::Backtrack;
                    Turned::Reply(Reply::Answer(record))
                }
                Leave::Yield(record) => {
                    self.asleep.next = Next::Continuation;
                    Turned::Reply(Reply::Answer(record))
                }
            },
        }
    }

    /// It has ended with this reply: runs its exit goals, if that has not been done.
    fn end(&mut self, reply: Reply) -> Turned {
        if let Some((reply, _)) = self.ending.take() {
            // These were they. What has become of them is no reply.
            self.ending = Some((Reply::Ended, KeptAtoms::default()));
            return Turned::Reply(reply);
        }
        let worker = &mut self.asleep.worker;
        let reply = match (self.what, reply) {
            // What its handlers have thrown is lost, but not that one of them halts.
            (Wish::Next | Wish::Reified, reply) | (Wish::End, reply @ Reply::Halt(_)) => reply,
            (Wish::End, _) => Reply::Ended,
        };
        let halts = matches!(reply, Reply::Halt(_));
        if !halts && worker.thread.control.has_exit_goals() {
            worker.mask_always(Events::ALL.without(Events::CALLED));
            let goal = Record::immediate(Cell::atom(Atom::new("$engine_exit")));
            if worker.start(&goal).is_ok() {
                let atoms = match &reply {
                    Reply::Answer(term) | Reply::Exception(term) => KeptAtoms::of(term),
                    _ => KeptAtoms::default(),
                };
                self.ending = Some((reply, atoms));
                let goal = worker.register(0);
                return Turned::Go(worker.call_goal(goal, atoms::SYSTEM));
            }
        }
        self.ending = Some((Reply::Ended, KeptAtoms::default()));
        Turned::Reply(reply)
    }

    /// Puts it back, or parts with what has ended. Whether it has.
    fn leave(self) -> bool {
        let Running {
            engine,
            mut asleep,
            what,
            ending,
            ..
        } = self;
        if ending.is_none() {
            put_back(&*engine, asleep);
            return false;
        }
        let registry = &asleep.worker.program.registry;
        let control = &engine.control;
        control.refuse_signals();
        control.conclude(Status::True);
        registry.finish_engine(control);
        if what == Wish::End {
            let program = asleep.worker.program.clone();
            program.engines.remove(&engine);
            program.registry.forget_engine(control);
        }
        asleep.worker.thread.engine.driven = false;
        *engine.posted.lock() = None;
        drop(asleep);
        engine.turn.end();
        true
    }
}
