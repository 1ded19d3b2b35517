//! Events in the middle of a long operation: a product of two large numbers, a unification of two long lists.
//!
//! At a safe point an event's goal runs before the predicate that is about to be entered. A long operation has no safe point in it, and
//! cannot be given up and begun again where it is inlined. So the goals of most signals wait for its end, as in SWI-Prolog. What is there to end
//! it does not: an abort, `halt`, Ctrl-C, a signal that throws or is a time limit ([`signal_goals::is_to_end`]); it may overtake others. Its goal runs on a
//! machine of its own, whose outcome is looked at: an exception or `halt` ends the operation, else it goes on. None of these goals depends
//! on the thread's own facts or global variables, which it would not see. As at a safe point, one that only throws is no goal that another could
//! break off, and one that runs is broken off by no time limit that was there before: else what has been taken would be lost.
//!
//! [`due`] is for loops of our own, [`samite_term::heavy`] asks it for those of the number library and of walks over terms. What ended
//! an operation is kept until [`Worker::given_up`] takes it: the operation itself only says that it has no result. One that
//! cannot say it, as a comparison in a clause, ends with any result, and
//!
//! ```text
//! given up  =>  the limit word is 0, until the reason is raised
//! ```
//!
//! so that it is raised at the next safe point, return, or internal point (where a catch would be left). Until then only predicates called
//! in place run, which do nothing that is seen elsewhere. A builtin that does asks [`Worker::check_given_up`] before. What ended it is kept in [`given_up`](super::given_up) until then.

use crate::engine::by_thread::ByThread;
use crate::engine::given_up::{self, Ending, has_given_up};
use crate::engine::going::{Go, Leave, Outcome, Stopped, memory_error};
use crate::engine::signal_goals::is_to_end;
use crate::engine::worker::{OwnedWorker, Worker};
use crate::state::program::Program;
use samite_heap::address_space;
use samite_sched::interrupt::Events;
use samite_sched::registry::ThreadControl;
use samite_term::common::Held;
use samite_term::heavy::{self, Host};
use samite_term::{Atom, Functor, Record, RecordBuilder, atoms};
use std::cell::Cell;
use std::sync::Arc;

/// Whose events the calling thread looks for.
struct Owner {
    program: Arc<Program>,
    thread: Arc<ThreadControl>,
    /// On whose OS thread it runs, if it is an engine.
    runner: Option<Arc<ThreadControl>>,
}

thread_local! {
    static OWNER: ByThread<Owner> = const { ByThread::empty() };
    /// An event's goal is running: the events of its own long operations wait for its safe points.
    static NESTED: Cell<bool> = const { Cell::new(false) };
}

/// What is looked at where the loop is left.
const OF_OTHERS: Events = Events::OF_RUNNER.or(Events::SLICE);
/// The same, and what is answered at the next safe point.
const LATER: Events = OF_OTHERS.or(Events::COLLECT).or(Events::TICK);
/// Bytes that an event's goal may use.
const MEMORY: usize = 64 << 20;
/// Stack of a thread for heavy work.
const STACK: usize = 1 << 20;

/// The calling thread runs this machine from now on.
pub(crate) fn enter(program: &Arc<Program>, thread: &Arc<ThreadControl>, limit: usize) {
    if NESTED.get() {
        return;
    }
    let owner = Owner {
        program: program.clone(),
        thread: thread.clone(),
        runner: None,
    };
    OWNER.with(|o| o.set(Some(owner)));
    heavy::set_limit(limit);
    heavy::set_host(Some(Host {
        watch: due,
        spawn: |work| crate::engine::os_thread::spawn("numbers", STACK, work),
        refuse: || give_up(|| Ending::NoMemory),
        fail: |what| give_up(|| Ending::Fault(fault(what))),
    }));
}

/// The calling thread runs that machine of the same program for a while.
pub(crate) fn switch(m: &Worker) {
    if NESTED.get() {
        return;
    }
    let switched = |owner: &mut Owner| {
        let before = std::mem::replace(&mut owner.thread, m.thread.control.clone());
        if !owner.thread.is_engine() {
            owner.runner = None;
        } else if !before.is_engine() {
            owner.runner = Some(before);
        }
    };
    OWNER.with(|o| o.with_mut(|owner| owner.map(switched)));
    heavy::set_limit(m.thread.memory_limit);
    address_space::set_urgent(m.thread.events.masks.handler);
}

/// The thread that the calling OS thread runs an engine for, if it runs one.
pub(crate) fn runner() -> Option<Arc<ThreadControl>> {
    OWNER.with(|o| o.with(|o| o?.runner.clone()))
}

/// Has the calling thread look at its calls at the next safe point.
pub(crate) fn nudge() {
    OWNER.with(|o| o.look(tick));
}

fn tick(owner: Option<&Owner>) {
    if let Some(o) = owner {
        o.thread.attention().raise(Events::TICK);
    }
}

/// What the calling thread ran before it runs something else: back when this is dropped.
pub(crate) struct Before {
    owner: Option<Owner>,
    host: Option<Host>,
    limit: usize,
}

impl Before {
    /// From now on the calling thread runs no machine.
    pub fn new() -> Before {
        debug_assert!(!NESTED.get(), "an event's goal has no host");
        let before = Before {
            owner: OWNER.with(ByThread::take),
            host: heavy::host(),
            limit: heavy::limit(),
        };
        heavy::set_host(None);
        before
    }
}

impl Drop for Before {
    fn drop(&mut self) {
        OWNER.with(|o| o.set(self.owner.take()));
        heavy::set_host(self.host);
        heavy::set_limit(self.limit);
    }
}

/// The calling thread's machine is gone.
pub(crate) fn leave() {
    if NESTED.get() {
        return;
    }
    OWNER.with(|o| o.set(None));
    given_up::set(None);
    heavy::set_host(None);
}

/// The operation at hand has no result by itself, for that reason.
fn give_up(why: impl FnOnce() -> Ending) {
    if has_given_up() {
        return;
    }
    given_up::set(Some(why()));
    // The limit word is 0 from now on.
    OWNER.with(|o| o.with(tick));
}

/// `error(system_error(What), _)`
pub(crate) fn fault(what: &str) -> Record {
    let what = samite_term::Cell::atom(Atom::of(what));
    crate::error::error_record(|b| b.structure(Functor::new(Atom::new("system_error"), 1), &[what]))
}

/// Handles the events that are due. True: they end the operation, which must say so to the machine.
pub(crate) fn due() -> bool {
    if NESTED.get() {
        return false;
    }
    if has_given_up() {
        return true;
    }
    let Some((program, thread)) =
        OWNER.with(|o| o.with(|o| o.map(|o| (o.program.clone(), o.thread.clone()))))
    else {
        return false;
    };
    let events = thread.attention().due();
    if events.meets(Events::WANTED.or(Events::INSIST)) && is_runner_to_end() {
        give_up(|| Ending::ForRunner);
        return true;
    }
    if events.without(LATER).is_empty() {
        return false;
    }
    NESTED.set(true);
    let ending = handle(&program, &thread);
    NESTED.set(false);
    // The limit word was another machine's: the next safe point sets it.
    thread.attention().raise(Events::TICK);
    let ended = ending.is_some();
    given_up::set(ending);
    ended
}

/// Whether the thread that an engine runs for is to end what it does. Then the engine ends, as what it is in the middle of has no result; its runner
/// handles the event, which is not taken here.
fn is_runner_to_end() -> bool {
    const ENDING: Events = Events::ABORT.or(Events::HALT).or(Events::OF_USER);
    let Some(runner) = runner() else {
        return false;
    };
    let events = runner.attention().due();
    let which = runner.blocks_signals().then_some(false);
    events.meets(ENDING) || events.meets(Events::SIGNAL) && runner.has_signal(which, &mut is_to_end)
}

fn handle(program: &Arc<Program>, thread: &Arc<ThreadControl>) -> Option<Ending> {
    let attention = thread.attention();
    loop {
        let interrupted = attention.take_users();
        let events = attention.take(Events::ALL.without(OF_OTHERS.or(Events::OF_USER)));
        if events.meets(Events::ABORT) {
            return Some(Ending::Ball(constant(atoms::ABORT)));
        }
        if events.meets(Events::HALT) {
            return Some(Ending::Halt(program.ending.status().unwrap_or(1)));
        }
        if events.meets(Events::SIGNAL) {
            // The others stay due.
            attention.raise(Events::SIGNAL);
        }
        if !(interrupted || events.meets(Events::SIGNAL) && has_signal_to_end(thread)) {
            return None;
        }
        // (Before a signal is taken: without memory for its goal it waits for the next safe point.)
        let Some(mut m) = OwnedWorker::with_limit(program.clone(), thread.clone(), MEMORY) else {
            if interrupted {
                attention.raise(Events::INTERRUPT);
            }
            return None;
        };
        let goal = match interrupted {
            true => Held::new(constant(Atom::new("$interrupt"))),
            false => signal_to_end(thread)?,
        };
        if let Some(ball) = m.ball_of(&goal) {
            return Some(Ending::Ball(ball));
        }
        if m.start(&goal).is_err() {
            return Some(Ending::Ball(memory_error()));
        }
        m.begin_signals_goal();
        let mut go = m.started_goal();
        let outcome = loop {
            match m.run(go) {
                Stopped::Ended(outcome) => break outcome,
                // (It runs no engines.)
                Stopped::Left(why) if matches!(*why, Leave::Ask(_)) => return None,
                // It makes way for nobody: its thread is in the midst of something. What it would wait for away it waits for here.
                Stopped::Left(_) => {
                    if attention.is_suspended() {
                        attention.wait_here();
                    }
                    go = Ok(Go::Proceed);
                }
            }
        };
        attention.raise(Events::SIGNAL);
        match outcome {
            Outcome::Exception(ball) => return Some(Ending::Ball(ball)),
            Outcome::Halt(status) => return Some(Ending::Halt(status)),
            Outcome::True | Outcome::False => {}
        }
    }
}

/// Whether a signal is there that [`signal_to_end`] would take.
fn has_signal_to_end(thread: &ThreadControl) -> bool {
    let which = thread.blocks_signals().then_some(false);
    thread.has_signal(which, &mut is_to_end)
}

/// Takes the oldest signal that is there to end what runs. Where some are blocked, what programs have sent waits for the next safe point, which can tell.
fn signal_to_end(thread: &ThreadControl) -> Option<Held> {
    let mut found = false;
    let which = thread.blocks_signals().then_some(false);
    let mut taken = thread.remove_signals(which, &mut |goal| {
        let takes = !found && is_to_end(goal);
        found |= takes;
        takes
    });
    taken.pop()
}

pub(crate) fn constant(atom: Atom) -> Record {
    RecordBuilder::new().finish(samite_term::Cell::atom(atom))
}
