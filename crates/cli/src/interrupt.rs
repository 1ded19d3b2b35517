//! Signals: Ctrl-C as an event of the program's main thread; a terminal that is gone and SIGTERM end the program as halt/1 does; a terminal of another
//! size, or back from another program, shows again what is edited; SIGQUIT prints what all threads are doing. Other signals end the process as they would anyway, but with the terminal as it was.
//!
//! A signal handler may hardly do anything. Ours writes the signal's number to a pipe; a thread reads it and does the rest. It raises the event, which
//! the Prolog thread meets at its next safe point or which wakes it from blocking. If the Prolog thread waits for input in a system
//! call, another signal, which does nothing, makes that call return; the stream then looks for the event. As it may come just before
//! the call, it is sent again until the event was taken.

use crate::terminal;
use crate::terminal::screen::screen;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use samite_machine::Program;
use samite_machine::state::outside::SignalAction;
use samite_sched::interrupt::{Attention, Events};
use samite_sched::registry::ThreadControl;
use samite_term::common::Held;
use samite_term::{Atom, Cell, Functor, Record, RecordBuilder, atoms};
use samite_world::{clock, descriptors, threads};
use std::io::{self, PipeReader, Read};
use std::os::fd::IntoRawFd;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The end of the pipe that the handler writes to.
static PIPE: AtomicI32 = AtomicI32::new(-1);

/// What the signals are for.
static PROGRAM: AtomicPtr<Program> = AtomicPtr::new(std::ptr::null_mut());

/// The signals, a bit each, that the program has a handler for.
static CAUGHT: AtomicU64 = AtomicU64::new(0);

/// Has the Prolog thread leave a system call.
///
/// # Safety
/// The thread lives.
unsafe fn kick(thread: libc::pthread_t) {
    let signal = threads::alert();
    if signal != 0 {
        // SAFETY: the caller's promise.
        unsafe { libc::pthread_kill(thread, signal) };
    }
}

/// Time between kicks.
const PATIENCE: Duration = Duration::from_millis(20);

/// Also for a file that has grown to its limit: writing to it is an error then, not the end of the process.
extern "C" fn on_kick(_signal: libc::c_int) {}

extern "C" fn on_signal(signal: libc::c_int) {
    // It is for the command; this runs before the wait for that returns in this thread, which is the only one that takes it
    // (`samite_world::threads::spawn`).
    // SAFETY: null or set by `install`, and kept.
    let program = unsafe { PROGRAM.load(Ordering::Relaxed).as_ref() };
    let waits = |p: &Program| p.outside.main_waits.load(Ordering::Relaxed);
    if signal == libc::SIGINT && program.is_some_and(waits) {
        return;
    }
    // Written once, before the handler was installed: relaxed is enough.
    let fd = PIPE.load(Ordering::Relaxed);
    let number = signal as u8;
    // SAFETY: `write` and `errno` may be used in a handler; the byte is there, and `errno` is put back.
    unsafe {
        let errno = *libc::__errno_location();
        let _ = libc::write(fd, (&raw const number).cast(), 1);
        *libc::__errno_location() = errno;
    }
}

/// What the thread that waits for a key is to leave off for.
pub const ASKING: Events = Events::OF_USER
    .or(Events::SIGNAL)
    .or(Events::ABORT)
    .or(Events::HALT);

/// Ctrl-C that comes so long after one that has not been heard, because a cleanup handler or an atomic goal runs, is heard there.
const INSISTING: Duration = Duration::from_millis(300);

/// Ctrl-C, as a signal or a key: for the main thread, whose attention this is. Who asks again after a moment, and has not been heard, insists.
pub fn raise(attention: &Attention) {
    static ASKED: Mutex<Option<Instant>> = Mutex::new(None);
    let mut asked = ASKED.lock().unwrap_or_else(PoisonError::into_inner);
    let now = clock::now();
    if !attention.pending().meets(Events::INTERRUPT) {
        *asked = Some(now);
        attention.raise(Events::INTERRUPT);
    } else if asked.is_none_or(|asked| now.duration_since(asked) >= INSISTING) {
        attention.raise(Events::INSIST);
    }
}

/// Time that a program has to end by itself after SIGTERM, or when its terminal has gone.
const DEADLINE: Duration = Duration::from_secs(10);

/// From now on Ctrl-C raises an interrupt for the calling thread, which is `main`. A signal that the process was started to ignore stays ignored.
pub fn install(program: &Arc<Program>, main: Arc<ThreadControl>) -> io::Result<()> {
    PROGRAM.store(Arc::into_raw(program.clone()).cast_mut(), Ordering::Relaxed);
    let (mut reader, writer) = descriptors::pipe()?;
    PIPE.store(writer.into_raw_fd(), Ordering::Relaxed);
    // SAFETY: no conditions.
    let thread = unsafe { libc::pthread_self() };
    let account = program.code.account;
    let made = threads::spawn(
        "interrupts",
        256 << 10,
        |_| false,
        move || {
            // It makes goals for the program's main thread.
            let _in = account.enter();
            let mut number = [0];
            let mut events = Events::NONE;
            // (Which goes on where a signal is handled in this thread.)
            loop {
                // The main thread may take its time; other signals do not wait for it.
                while main.attention().pending().meets(events) && !is_ready(&reader, PATIENCE) {
                    // SAFETY: the main thread lives as long as the process.
                    unsafe { kick(thread) };
                }
                if reader.read_exact(&mut number).is_err() {
                    return;
                }
                let attention = main.attention();
                match libc::c_int::from(number[0]) {
                    // Relaxed: set before its handler was installed.
                    signal if CAUGHT.load(Ordering::Relaxed) & bit(signal) != 0 => {
                        let goal = goal("$signal", i64::from(signal));
                        let _ = main.command(Held::new(goal));
                    }
                    libc::SIGWINCH => screen().resized(),
                    libc::SIGCONT => screen().resumed(),
                    signal @ (libc::SIGHUP | libc::SIGTERM) => {
                        not_for_ever(signal);
                        // The exit status of a program that the signal has ended.
                        let _ = main.command(Held::new(goal("halt", 128 + i64::from(signal))));
                    }
                    // It prints what all threads are doing.
                    libc::SIGQUIT => {
                        let _ = main.command(Held::new(goal("$signal", libc::SIGQUIT.into())));
                    }
                    libc::SIGINT => raise(attention),
                    signal => {
                        terminal::give_back();
                        end_by(signal);
                    }
                }
                events = attention.pending().and(ASKING);
                if attention.pending().meets(events) {
                    // SAFETY: as above.
                    unsafe { kick(thread) };
                }
            }
        },
    );
    if !made {
        return Err(io::Error::other("there is no thread for it"));
    }
    // System calls are not restarted: a thread that waits for input must come back to see the event.
    handle(threads::alert(), on_kick, 0)?;
    // With a handler, unlike where it is ignored, it is as ever in programs we start.
    handle(libc::SIGXFSZ, on_kick, 0)?;
    for signal in [libc::SIGHUP, libc::SIGINT, libc::SIGTERM] {
        handle(signal, on_signal, 0)?;
    }
    for signal in [libc::SIGWINCH, libc::SIGCONT, libc::SIGQUIT] {
        handle(signal, on_signal, libc::SA_RESTART)?;
    }
    let _ = program.outside.signals.set(act);
    // Without a terminal these are nobody's business.
    if terminal::is_connected() {
        for signal in FATAL {
            handle(signal, on_signal, libc::SA_RESTART)?;
        }
    }
    Ok(())
}

/// What ends a process that has no handler for it, comes from outside, and says nothing of the memory's state.
const FATAL: [libc::c_int; 8] = [
    libc::SIGALRM,
    libc::SIGUSR1,
    libc::SIGUSR2,
    libc::SIGVTALRM,
    libc::SIGPROF,
    libc::SIGXCPU,
    libc::SIGIO,
    libc::SIGPWR,
];

const fn bit(signal: libc::c_int) -> u64 {
    1 << (signal as u32 % 64)
}

/// What a program has said is to be done about a signal (`on_signal/3`).
fn act(signal: libc::c_int, action: SignalAction) -> bool {
    let ours = [
        libc::SIGHUP,
        libc::SIGINT,
        libc::SIGTERM,
        libc::SIGWINCH,
        libc::SIGCONT,
        libc::SIGQUIT,
    ];
    let handler = match action {
        SignalAction::Ignore => libc::SIG_IGN,
        SignalAction::Catch => on_signal as *const () as usize,
        SignalAction::Default if signal == libc::SIGXFSZ => on_kick as *const () as usize,
        SignalAction::Default
            if ours.contains(&signal) || terminal::is_connected() && FATAL.contains(&signal) =>
        {
            on_signal as *const () as usize
        }
        SignalAction::Default => libc::SIG_DFL,
    };
    match action {
        // Relaxed: the system's call that installs the handler orders it.
        SignalAction::Catch => CAUGHT.fetch_or(bit(signal), Ordering::Relaxed),
        _ => CAUGHT.fetch_and(!bit(signal), Ordering::Relaxed),
    };
    // SAFETY: the action is a plain struct, filled in here; the handlers may be called at any time.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler;
        libc::sigemptyset(&mut action.sa_mask);
        action.sa_flags = match signal {
            libc::SIGINT | libc::SIGHUP | libc::SIGTERM => 0,
            _ => libc::SA_RESTART,
        };
        libc::sigaction(signal, &action, std::ptr::null_mut()) == 0
    }
}

/// Whether there is something to read, now or within this time.
fn is_ready(pipe: &PipeReader, within: Duration) -> bool {
    let timeout = Timespec {
        tv_sec: 0,
        tv_nsec: i64::from(within.subsec_nanos()),
    };
    let mut fds = [PollFd::new(pipe, PollFlags::IN)];
    poll(&mut fds, Some(&timeout)).is_ok_and(|n| n > 0)
}

/// Ends the process as a signal does to those that have no handler for it: a shell looks at that, and at no status.
pub fn end_by(signal: libc::c_int) {
    // SAFETY: no conditions.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
}

/// Time ends the process, as the signal would have, and so does another SIGTERM. (When a terminal goes, two may say so.)
fn not_for_ever(signal: libc::c_int) {
    static WAITS: AtomicBool = AtomicBool::new(false);
    if signal == libc::SIGTERM {
        // SAFETY: the default is an action like any other.
        unsafe { libc::signal(libc::SIGTERM, libc::SIG_DFL) };
    }
    // Relaxed: nothing else is said by it.
    if WAITS.swap(true, Ordering::Relaxed) {
        return;
    }
    // (Without memory for the thread there is the other signal.)
    let begun = threads::spawn(
        "deadline",
        64 << 10,
        |_| false,
        move || {
            threads::sleep(DEADLINE);
            terminal::give_back();
            end_by(signal);
        },
    );
    WAITS.store(begun, Ordering::Relaxed);
}

/// The goal `system:Name(Number)`.
fn goal(name: &'static str, number: i64) -> Record {
    let mut b = RecordBuilder::new();
    let goal = b.structure(Functor::new(Atom::new(name), 1), &[Cell::small(number)]);
    let module = Cell::atom(atoms::SYSTEM);
    let goal = b.structure(Functor::new(Atom::new(":"), 2), &[module, goal]);
    b.finish(goal)
}

/// Installs a handler, unless the signal is ignored.
fn handle(
    signal: libc::c_int,
    handler: extern "C" fn(libc::c_int),
    flags: libc::c_int,
) -> io::Result<()> {
    // SAFETY: the action is a plain struct, filled in here.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        if libc::sigaction(signal, std::ptr::null(), &mut action) == 0
            && action.sa_sigaction == libc::SIG_IGN
        {
            return Ok(());
        }
        action.sa_sigaction = handler as usize;
        libc::sigemptyset(&mut action.sa_mask);
        action.sa_flags = flags;
        if libc::sigaction(signal, &action, std::ptr::null_mut()) != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}
