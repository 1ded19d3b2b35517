//! What an OS thread does that carries light threads: runs one until it waits, its slice is over, or it ends; then the next.
//!
//! A light thread has a worker of its own, made when it runs for the first time. While nobody runs it, it lies in its turn as an engine does
//! ([`crate::engine::asleep`]), has said what its choicepoints walk of the database, and whoever frees clauses is answered for it.
//!
//! It waits by leaving the loop at the builtin that would sleep ([`Leave::Suspended`]), which is called again when the thread is called back
//! ([`samite_sched::light`]). Other calls that block do so here, on the carrier, and another takes over meanwhile ([`samite_sched::carrier`]).
//!
//! Those that wait for longer are folded ([`crate::engine::folded`]).
//!
//! *Equation*, whenever a carrier asks for the next thread: what it has run before is in its turn, or has ended.

use crate::engine::asleep::{Asleep, Next, put_back};
use crate::engine::begin::sleepers_waker;
use crate::engine::folded::{
    FOLDED_PER_PLACE, Folded, Folder, MOST_REFUSED, MOST_UNFOLDED, UNFOLDED, unfold,
};
use crate::engine::going::{Go, Leave, Outcome, Stopped, memory_error};
use crate::engine::life::Life;
use crate::engine::mapped::Mapped;
use crate::engine::services::services;
use crate::engine::worker::OwnedWorker;
use crate::engine::{blocked, long, os_thread};
use crate::error::Throw;
use crate::state::engines::{Keeps, Kept, kept_as};
use crate::state::light::LightThread;
use crate::state::program::Program;
use crate::state::room::has_system_room;
use samite_heap::address_space;
use samite_sched::carrier::{self, Carrier};
use samite_sched::interrupt::Attention;
use samite_sched::ready::{Calls, Number, Ready};
use samite_sched::registry::{Status, ThreadControl};
use samite_term::common::{self, Held};
use samite_world::{clock, threads};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Stack of a carrier.
const STACK: usize = 1 << 20;

/// The light threads of a program: those that are ready, and who runs them.
pub fn ready() -> Arc<Ready<LightThread>> {
    Ready::new(
        threads::processors(),
        |name, run| os_thread::spawn(name, STACK, run),
        carry,
    )
}

/// A light thread that has not begun.
struct Unborn {
    program: Arc<Program>,
    memory_limit: usize,
    life: Box<dyn Life>,
}

/// (Nothing is held but what is counted.)
impl Keeps for Unborn {}

/// Has a new light thread run by whoever carries them; false if nobody can.
pub(crate) fn begin(
    program: Arc<Program>,
    control: &Arc<ThreadControl>,
    memory_limit: usize,
    life: Box<dyn Life>,
) -> bool {
    let ready = program.light.clone();
    let unborn = Unborn {
        program,
        memory_limit,
        life,
    };
    let thread = LightThread::new(control.clone(), Box::new(unborn), &ready);
    control.attention().set_light(thread.clone());
    let begun = ready.begin(thread);
    if !begun {
        control.attention().end_light();
    }
    begun
}

/// Tells whoever gives out the work when the calling carrier blocks. Its thread does not run meanwhile.
struct Blocks {
    ready: Arc<Ready<LightThread>>,
    me: Number,
    calls: Calls,
    runs: RefCell<Option<Runs>>,
    waiting: RefCell<Waiting>,
}

/// What a carrier has put away, those that have waited longest first, and each with how often it had been put away by then.
struct Waiting {
    line: VecDeque<(Arc<LightThread>, u32)>,
    folder: Folder,
    /// So many stay as they are.
    unfolded: usize,
}

impl Default for Waiting {
    fn default() -> Self {
        Waiting {
            line: VecDeque::new(),
            folder: Folder::default(),
            unfolded: UNFOLDED,
        }
    }
}

impl Waiting {
    /// Who comes back had been folded as the last but so many: more are to stay as they are, if that would have spared it, and fewer for each that is
    /// folded and does not come back so soon.
    fn came_back(&mut self, after: u32) {
        if (after as usize) < MOST_UNFOLDED {
            self.unfolded = (self.unfolded * 2).min(MOST_UNFOLDED);
        }
    }
    fn add(&mut self, thread: &Arc<LightThread>) {
        let times = thread
            .put_away
            .fetch_add(1, Ordering::Relaxed)
            .wrapping_add(1);
        self.line.push_back((thread.clone(), times));
        // (In debug builds whoever waits alone is folded every other time.)
        let kept = match cfg!(debug_assertions) {
            true => UNFOLDED.min(times as usize % 2),
            false => self.unfolded,
        };
        while self.line.len() > kept {
            self.fold_first();
        }
    }
    /// Folds who has waited longest; false if nobody waits.
    fn fold_first(&mut self) -> bool {
        let Some((thread, times)) = self.line.pop_front() else {
            return false;
        };
        // Relaxed: who has run since is folded for nothing, or later.
        if thread.put_away.load(Ordering::Relaxed) != times {
            return true;
        }
        if let Some(kept) = thread.turn.try_take() {
            match kept_as::<Asleep>(kept).map(|asleep| self.folder.fold(asleep)) {
                Ok(Ok(folded)) => {
                    if folded.number.is_multiple_of(FOLDED_PER_PLACE) {
                        self.unfolded = (self.unfolded - 1).max(UNFOLDED);
                    }
                    thread.control.set_size(folded.bytes());
                    thread.turn.put_back(folded);
                }
                Ok(Err(asleep)) => put_back(&*thread, asleep),
                Err(kept) => thread.turn.put_back(kept),
            }
        }
        true
    }
}

/// What a carrier runs.
struct Runs {
    control: Arc<ThreadControl>,
    program: Arc<Program>,
}

impl Blocks {
    /// Does what needs memory for a worker, as long as that of those who wait may be had.
    fn with_room<T, R>(&self, mut what: T, f: impl Fn(T) -> Result<R, T>) -> Result<R, T> {
        loop {
            match f(what) {
                Err(again) if self.waiting.borrow_mut().fold_first() => what = again,
                result => return result,
            }
        }
    }
    fn run(&self, runs: bool) {
        if let Some(r) = &*self.runs.borrow() {
            r.control.set_runs(now_of(&r.program), runs);
        }
    }
}

impl Carrier for Blocks {
    fn blocks(&self) {
        self.run(false);
        self.calls.blocks(&self.ready, true);
        self.ready.blocks(self.me);
    }
    fn goes_on(&self) {
        self.ready.goes_on(self.me);
        self.calls.blocks(&self.ready, false);
        self.run(true);
    }
    fn waits(&self, whom: &Attention, until: Option<Instant>) {
        self.calls.waits(&self.ready, None, whom, until);
    }
    fn has_waited(&self) {
        self.calls.has_waited(&self.ready, None);
    }
    fn woke(&self, whom: &Attention) {
        self.ready.woke(whom);
    }
}

/// The life of a carrier.
fn carry(ready: &Arc<Ready<LightThread>>, me: Number) {
    common::ask_system(has_system_room, address_space::make_room);
    blocked::init();
    let carrier = Rc::new(Blocks {
        ready: ready.clone(),
        me,
        calls: Calls::default(),
        runs: RefCell::default(),
        waiting: RefCell::default(),
    });
    carrier::set_carrier(Some(carrier.clone()));
    let mut first = true;
    while let Some(thread) = ready.take(me, first) {
        first = false;
        // (What a thread runs is caught there: this is for faults of what carries it, which are not to keep others from running.)
        let _ = catch_unwind(AssertUnwindSafe(|| run(&carrier, &thread)));
    }
    while carrier.waiting.borrow_mut().fold_first() {}
    carrier::set_carrier(None);
}

/// Runs a thread that was in line.
fn run(carrier: &Blocks, thread: &Arc<LightThread>) {
    let kept = loop {
        match thread.turn.try_take() {
            Some(kept) => break kept,
            None if thread.turn.is_gone() => return,
            // Somebody says what it holds, at this moment. (That is over when it is: what is the same in each run does not depend on it.)
            None if carrier.ready.is_counted() => std::thread::yield_now(),
            None => {
                std::thread::yield_now();
                thread.make_ready();
                return;
            }
        }
    };
    let kept = match kept_as::<Asleep>(kept) {
        Ok(asleep) => Ok(asleep),
        Err(kept) => match kept_as::<Folded>(kept) {
            Ok(folded) => match carrier.with_room(folded, unfold) {
                Ok((asleep, after)) => {
                    carrier.waiting.borrow_mut().came_back(after);
                    Ok(asleep)
                }
                Err(mut folded) if folded.refused < MOST_REFUSED => {
                    folded.refused += 1;
                    // There is no memory for a worker: others may end, or wait, first.
                    thread.turn.put_back(folded);
                    if carrier.ready.is_empty() {
                        threads::sleep(Duration::from_millis(1));
                    }
                    thread.make_ready();
                    return;
                }
                Err(folded) => Err(folded as Kept),
            },
            Err(kept) => Err(kept),
        },
    };
    let (program, mut born) = match kept {
        Ok(asleep) => (asleep.worker.program.clone(), Some(asleep)),
        Err(kept) => match kept_as::<Unborn>(kept) {
            Ok(unborn) => {
                let born = carrier.with_room(unborn, |unborn| bear(thread, unborn));
                match born {
                    Ok(asleep) => (asleep.worker.program.clone(), Some(asleep)),
                    Err(unborn) => (unborn.program.clone(), None),
                }
            }
            Err(kept) => match kept_as::<Folded>(kept) {
                Ok(folded) => (folded.program.clone(), None),
                Err(_) => unreachable!("a light thread is kept as it is made here"),
            },
        },
    };
    let mut life = born.as_mut().and_then(|asleep| asleep.life.take());
    let status = match (born, &mut life) {
        (Some(asleep), Some(life)) => {
            let ready = &carrier.ready;
            let live = AssertUnwindSafe(|| live(ready, thread, asleep, life.as_mut()));
            *carrier.runs.borrow_mut() = Some(Runs {
                control: thread.control.clone(),
                program: program.clone(),
            });
            carrier.run(true);
            let lived = catch_unwind(live);
            long::leave();
            ready.turn_is_over();
            carrier.run(false);
            *carrier.runs.borrow_mut() = None;
            match lived {
                Ok(Lived::On(mut asleep, how)) => {
                    asleep.life = Some(std::mem::replace(life, Box::new(Over)));
                    put_away(thread, asleep, how);
                    if how == How::Waits {
                        carrier.waiting.borrow_mut().add(thread);
                    }
                    return;
                }
                Ok(Lived::Ended) => None,
                Err(_) => {
                    // Its worker has gone with what was on the stack.
                    let line = samite_term::panics::take();
                    let line = line.as_ref().map_or("thread_panicked", |l| l.as_str());
                    Some(Status::Exception(Held::new(long::fault(line))))
                }
            }
        }
        _ => Some(Status::Exception(Held::new(memory_error()))),
    };
    let control = &thread.control;
    control.attention().give_up_wait();
    if let Some(status) = status {
        control.conclude(status);
    }
    thread.turn.end();
    control.attention().end_light();
    program.registry.finish(control);
    if let Some(life) = life {
        life.after(&program);
        drop(life);
        (services().end_unnamed)(&program);
    }
}

/// Nanoseconds since the program started, and not 0.
pub(crate) fn now_of(program: &Program) -> u64 {
    let since = clock::now().duration_since(program.started).as_nanos();
    u64::try_from(since).unwrap_or(u64::MAX).max(1)
}

/// What has become of a thread.
enum Lived {
    On(Box<Asleep>, How),
    Ended,
}

/// Why it does not run on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Waits,
    /// Its slice is over.
    Gives,
}

/// Nothing of a thread that has been taken apart.
struct Over;

impl Life for Over {
    fn next(&mut self, _: &mut OwnedWorker, _: Option<Outcome>) -> Option<Result<Go, Throw>> {
        None
    }
    fn after(&self, _: &Program) {}
}

/// Makes the worker of a thread. `Err`: there is no memory for it.
fn bear(thread: &Arc<LightThread>, unborn: Box<Unborn>) -> Result<Box<Asleep>, Box<Unborn>> {
    let Some(mapped) = Mapped::for_sleeper(&unborn.program, unborn.memory_limit) else {
        return Err(unborn);
    };
    let Unborn { program, life, .. } = *unborn;
    let control = thread.control.clone();
    let waker = sleepers_waker(&program, &control, Arc::downgrade(thread));
    let worker = OwnedWorker::make(mapped, program, control, waker);
    let _ = thread.reader.set(worker.reader.clone());
    let mut asleep = Asleep::new(worker, Next::Begin);
    asleep.life = Some(life);
    Ok(Box::new(asleep))
}

/// Runs a thread until it does not go on.
fn live(
    ready: &Ready<LightThread>,
    thread: &LightThread,
    mut asleep: Box<Asleep>,
    life: &mut dyn Life,
) -> Lived {
    let control = &thread.control;
    let attention = control.attention();
    let worker = &mut asleep.worker;
    long::enter(&worker.program, control, worker.thread.memory_limit);
    address_space::set_urgent(worker.thread.events.masks.handler);
    attention.come_back();
    worker.after_wait();
    if let Some(end) = asleep.wait_end.take() {
        worker.program.registry.timers.forget_wake(end);
    }
    worker.resumes();
    worker.begin_slice();
    if worker.is_wanted() {
        attention.give_up_wait();
    }
    let first = match std::mem::replace(&mut asleep.next, Next::Continuation) {
        Next::Begin => life.next(worker, None),
        _ => Some(Ok(Go::Proceed)),
    };
    let Some(mut go) = first else {
        return Lived::Ended;
    };
    loop {
        go = match worker.run(go) {
            Stopped::Ended(outcome) => match life.next(worker, Some(outcome)) {
                Some(go) => go,
                None => return Lived::Ended,
            },
            Stopped::Left(why) => match *why {
                Leave::Ask(ask) => worker.run_engines(ask),
                Leave::Suspended => {
                    let timers = &worker.program.registry.timers;
                    let at = attention.deadline();
                    match at.map(|at| timers.wake(at, attention, os_thread::timers)) {
                        None => {}
                        Some(Ok(end)) => asleep.wait_end = Some(end),
                        Some(Err(_)) => {
                            // Nobody can tell it when the time has come: it waits here, and looks again.
                            worker.leave_readers();
                            attention.wait_here();
                            worker.after_wait();
                            worker.resumes();
                            go = Ok(Go::Proceed);
                            continue;
                        }
                    }
                    worker.publish_pins();
                    return Lived::On(asleep, How::Waits);
                }
                Leave::MakeWay if !ready.others_wait() => Ok(Go::Proceed),
                Leave::MakeWay => {
                    worker.publish_pins();
                    return Lived::On(asleep, How::Gives);
                }
                // What only engines do.
                Leave::Answer { .. } | Leave::Yield(_) | Leave::Wanted => Ok(Go::Proceed),
            },
        };
    }
}

/// It lies where others find it, and is called back, or comes by itself.
fn put_away(thread: &Arc<LightThread>, asleep: Box<Asleep>, how: How) {
    put_back(&**thread, asleep);
    if how == How::Gives || !thread.control.attention().put_away() {
        thread.make_ready();
    }
}
