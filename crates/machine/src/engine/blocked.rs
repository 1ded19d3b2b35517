//! What blocks in the system, and who must not wait for it: while a thread is there, others free what it does not hold.
//!
//! *Equation*: a thread that is in a call of the system which may take as long as somebody else likes has said what it holds
//! ([`Worker::leave_readers`]) and says that it is back ([`Worker::after_wait`]) before it does anything else. For operations on
//! streams the stream asks for it, as only it knows whether its buffer will do ([`samite_stream::Blocking`]); all other calls go
//! through [`Worker::while_blocked`]. An operation on a stream that waits for a descriptor is given up when an event is due, with nothing
//! done ([`samite_stream::Stream::undone_if_interrupted`]), and made again when that has been handled.
//!
//! A light thread waits away, as for a message ([`samite_sched::poller`]), where what is given up costs little to be made again; else it blocks its carrier
//! as a native thread blocks. Until when it has wanted to wait it remembers while it is away, for the builtin that is called again then ([`Worker::resumes`]).
//!
//! *Invariant*: a builtin that is given up is called again from its beginning, so it has had no effect until then. A stream that somebody else
//! uses is waited for until an event is due ([`Worker::locked`]): by the first step of a builtin that has an effect, or before. A later step waits for
//! good, in [`Worker::whatever_happens`].
//!
//! Only for builtins that are no inline ones, and hold on to no clause: they are at a safe point.

use crate::engine::by_thread::ByThread;
use crate::engine::os_thread;
use crate::engine::worker::Worker;
use crate::error::Throw;
use samite_heap::address_space;
use samite_sched::carrier;
use samite_sched::exclusive::Gate;
use samite_sched::poller::Watch;
use samite_sched::readiness::{self, Ready};
use samite_sched::{Attention, Interrupted};
use samite_stream::{Answer, Blocking, SharedStream, Undo, Wait};
use samite_world::clock;
use std::cell::Cell;
use std::os::fd::BorrowedFd;
use std::ptr;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// So long from now, at most for a hundred years.
pub(crate) fn after(time: Duration) -> Instant {
    const LONG: Duration = Duration::from_secs(100 * 365 * 86_400);
    clock::now() + time.min(LONG)
}

/// An operation on a stream.
#[derive(Clone, Copy)]
struct Operation {
    /// Null if there is none.
    machine: *mut Worker,
    /// That of the stream, which is locked.
    gate: *const Gate,
}

thread_local! {
    /// The operation on a stream that this thread is in.
    static IN_STREAM: Cell<Operation> = const { Cell::new(Operation { machine: ptr::null_mut(), gate: ptr::null() }) };
    /// It is in a call of the system, for a stream, that may block: whoever is carried meanwhile is carried by others.
    static CALLS: ByThread<carrier::Blocking> = const { ByThread::empty() };
}

/// A thread with more frames than this does not look through them before it blocks.
pub(in crate::engine) const PARKED_FRAMES: usize = 10_000;
/// Most arguments of a builtin that waits.
const MAX_ARITY: usize = 5;
/// Frames that are looked through before what blocks rarely: it is not to become slow where recursion is deep.
const FEW_FRAMES: usize = 100;

/// To be called before streams are used.
pub(crate) fn init() {
    samite_stream::set_blocking_hook(hook);
}

fn hook(what: Blocking<'_>) -> Answer {
    let operation = IN_STREAM.get();
    if operation.machine.is_null() {
        return Answer::GoOn;
    }
    // SAFETY: set by `in_stream`, which has the machine for itself and does not touch it before the operation has ended.
    let m = unsafe { &mut *operation.machine };
    // SAFETY: set by `in_stream`, which has the stream borrowed until the operation has ended.
    let gate = unsafe { &*operation.gate };
    let (wait, what, frames) = match what {
        Blocking::Read(wait) => {
            address_space::settle();
            (wait, Ready::Read, PARKED_FRAMES)
        }
        Blocking::Write(wait) => (wait, Ready::Write, FEW_FRAMES),
        Blocking::Over => {
            CALLS.with(|calls| calls.set(None));
            gate.open();
            m.after_wait();
            return Answer::GoOn;
        }
    };
    if let Some(fd) = wait.descriptor {
        return m.until_ready(fd, what, &wait, gate);
    }
    m.thread.tabling.step_out();
    CALLS.with(|calls| calls.set(Some(carrier::blocking())));
    gate.shut();
    m.leave_readers_if(frames);
    Answer::GoOn
}

/// The attention of the thread that is in an operation on a stream, for a source that waits for somebody.
pub fn attention() -> Option<Arc<Attention>> {
    let machine = IN_STREAM.get().machine;
    // SAFETY: as in `hook`.
    (!machine.is_null()).then(|| unsafe { (*machine).attention.clone() })
}

/// What [`IN_STREAM`] was before an operation, and is again when that ends, be it by a panic.
struct Outer(Operation);

impl Drop for Outer {
    fn drop(&mut self) {
        IN_STREAM.set(self.0);
    }
}

impl Worker {
    /// Before the thread blocks: keeps as little as possible from others. Nothing but choicepoints may hold on to clauses meanwhile.
    /// Afterwards: [`Worker::after_wait`].
    pub(crate) fn before_wait(&mut self) {
        self.thread.tabling.step_out();
        // The arguments are needed when the wait is over.
        let arguments: [samite_term::Cell; MAX_ARITY] = std::array::from_fn(|i| self.register(i));
        self.trim();
        address_space::settle();
        for (i, &c) in arguments.iter().enumerate() {
            self.set_register(i, c);
        }
        self.leave_readers();
    }

    /// Before the thread blocks in what is no wait: others need not wait for it to free clauses. Afterwards: [`Worker::after_wait`].
    pub(in crate::engine) fn leave_readers(&mut self) {
        self.leave_readers_if(PARKED_FRAMES);
    }

    /// The same if that many frames and no more tell what it holds. Choicepoints' walks are told in any case, and whoever asks for its atoms looks at
    /// them himself.
    pub(in crate::engine) fn leave_readers_if(&mut self, most: usize) {
        self.say_what_it_holds(most);
        self.go_away();
    }

    /// Says what it holds of the database.
    pub(in crate::engine) fn say_what_it_holds(&mut self, most: usize) {
        // Clauses erased meanwhile need not wait for this thread either, if it is quick to say what it holds.
        if let Some((held, _)) = self.held_code(most) {
            self.program.code.domain.park(&self.reader, held);
        }
        self.publish_pins();
    }

    /// What a builtin that a light thread may have waited in has come to: unless it waits on, nothing waits for the thread any more.
    #[inline]
    pub(crate) fn has_waited<T>(&mut self, result: Result<T, Throw>) -> Result<T, Throw> {
        if !matches!(result, Err(Throw::Interrupted)) {
            self.attention.give_up_wait();
        }
        result
    }

    /// The wait is over, before anything else is called.
    pub(crate) fn after_wait(&mut self) {
        self.reader.resume();
    }

    /// Waits for a descriptor, or has the operation given up.
    fn until_ready(
        &mut self,
        fd: BorrowedFd<'_>,
        what: Ready,
        wait: &Wait<'_>,
        gate: &Gate,
    ) -> Answer {
        let until = self.resumed_deadline();
        if readiness::is_ready(fd, what) {
            return Answer::GoOn;
        }
        self.thread.tabling.step_out();
        let deadline = wait.patience.map(|p| until.unwrap_or_else(|| after(p)));
        let too_late = || deadline.is_some_and(|d| d <= clock::now());
        if too_late() {
            return Answer::TooLate;
        }
        let away = match wait.undo {
            Undo::Little => self.suspend_for(&[(fd, what)], deadline),
            Undo::Kept => self.attention.is_light(),
            Undo::Much | Undo::Never => false,
        };
        if away {
            return Answer::GiveUp;
        }
        CALLS.with(|calls| calls.set(Some(carrier::blocking())));
        gate.shut();
        self.leave_readers();
        if wait.undo == Undo::Never && deadline.is_none() {
            // The call of the system waits.
            return Answer::GoOn;
        }
        match self.attention.until_ready(fd, what, deadline) {
            // (What must not be given up is waited for once more, by the call.)
            Err(Interrupted) if wait.undo == Undo::Never => Answer::GoOn,
            Err(Interrupted) => Answer::GiveUp,
            // The event first: it may have the caller give up what would have been taken by then.
            Ok(()) if wait.undo != Undo::Never && self.attention.must_not_wait() => Answer::GiveUp,
            Ok(()) if too_late() && !readiness::is_ready(fd, what) => Answer::TooLate,
            Ok(()) => Answer::GoOn,
        }
    }

    /// A light thread is back, and about to call again the builtin that it has waited in.
    pub(in crate::engine) fn resumes(&mut self) {
        let until = self.attention.end_of_descriptors();
        self.thread.io.until = until.map(|until| (until, self.inferences));
    }

    /// Until when the builtin that runs has wanted to wait for a descriptor, if it is called again after that. Asked for once: its next wait is another one.
    fn resumed_deadline(&mut self) -> Option<Instant> {
        let (until, called) = self.thread.io.until.take()?;
        (called == self.inferences).then_some(until)
    }

    /// Has a light thread wait away for one of these; see [`Attention::suspend_for`]. The builtin is given up then.
    fn suspend_for(&self, fds: &[(BorrowedFd<'_>, Ready)], deadline: Option<Instant>) -> bool {
        let poller = &self.program.registry.poller;
        (self.attention).suspend_for(poller, fds, deadline, os_thread::poller)
    }

    /// Waits for a descriptor that is no stream's, until it is ready, or an event is due.
    pub(crate) fn until_descriptor(
        &mut self,
        fd: BorrowedFd<'_>,
        what: Ready,
    ) -> Result<(), Interrupted> {
        if self.suspend_for(&[(fd, what)], None) {
            // What others have closed is closed when this thread lets go of it, which nobody is told of: it is ready by now.
            if readiness::is_ready(fd, what) {
                self.program.registry.poller.tell(fd);
            }
            return Err(Interrupted);
        }
        let attention = self.attention.clone();
        self.while_blocked(|| attention.until_ready(fd, what, None))
    }

    /// Has this thread told when one of these is ready, or is closed: before it lets go of what keeps them open. `None`: nobody can tell it.
    pub(crate) fn watch(&self, fds: &[(BorrowedFd<'_>, Ready)]) -> Option<Watch> {
        let poller = &self.program.registry.poller;
        poller.watch(fds, &self.attention, os_thread::poller).ok()
    }

    /// Waits for what is watched, until the time has come or an event is due; may return early.
    pub(crate) fn await_watched(
        &mut self,
        watch: Watch,
        deadline: Option<Instant>,
    ) -> Result<(), Interrupted> {
        let attention = self.attention.clone();
        self.while_blocked(|| attention.await_watched(watch, deadline))
    }

    /// Waits a moment, for what nobody tells of.
    pub(crate) fn wait_a_moment(&mut self) -> Result<(), Interrupted> {
        const MOMENT: Duration = Duration::from_millis(2);
        let attention = self.attention.clone();
        self.while_blocked(|| attention.pause(after(MOMENT)))
    }

    /// Does something with a stream, which is locked; others need not wait while it waits.
    #[inline]
    pub(crate) fn in_stream<T>(&mut self, stream: &SharedStream, f: impl FnOnce() -> T) -> T {
        let operation = Operation {
            machine: ptr::from_mut(self),
            gate: stream.gate(),
        };
        let _outer = Outer(IN_STREAM.replace(operation));
        f()
    }

    /// Does something that waits for somebody, for a stream that is locked.
    pub(crate) fn waiting<T>(&mut self, stream: &SharedStream, f: impl FnOnce() -> T) -> T {
        self.thread.tabling.step_out();
        stream.gate().shut();
        self.leave_readers();
        let result = self.in_stream(stream, f);
        self.after_wait();
        stream.gate().open();
        result
    }

    /// Makes a call of the system that can only block, until an event is due: [`apart`](samite_sched::apart::apart).
    pub(crate) fn apart<T: Send + 'static>(
        &mut self,
        call: impl Fn(&dyn Fn() -> bool) -> Option<T> + Send + Sync + 'static,
    ) -> Result<T, Interrupted> {
        let attention = self.attention.clone();
        self.while_blocked(|| samite_sched::apart::apart(&attention, call, &os_thread::APART))
    }

    /// Does something that may block.
    pub(crate) fn while_blocked<T>(&mut self, f: impl FnOnce() -> T) -> T {
        self.thread.tabling.step_out();
        self.leave_readers();
        let calls = carrier::blocking();
        let result = f();
        drop(calls);
        self.after_wait();
        result
    }

    /// Does something that blocks only if the file system does not answer.
    pub(crate) fn in_file_system<T>(&mut self, f: impl FnOnce() -> T) -> T {
        self.leave_readers_if(FEW_FRAMES);
        let result = f();
        self.after_wait();
        result
    }
}
