//! Ctrl-C as an event of the program's main thread.
//!
//! A signal handler may hardly do anything. Ours writes a byte to a pipe; a thread reads it and raises the event, which the
//! Prolog thread meets at its next safe point or which wakes it from blocking. If the Prolog thread waits for input in a system
//! call, another signal, which does nothing, makes that call return; the stream then looks for the event. As it may come just before
//! the call, it is sent again until the event was taken.

use samite_sched::interrupt::{Attention, Events};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::FromRawFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

/// The end of the pipe that the handler writes to.
static PIPE: AtomicI32 = AtomicI32::new(-1);

/// Sent to the Prolog thread to end a system call; nobody else uses it without sockets.
const KICK: libc::c_int = libc::SIGURG;

/// Time between kicks.
const PATIENCE: Duration = Duration::from_millis(20);

/// Also for a file that has grown to its limit: writing to it is an error then, not the end of the process.
extern "C" fn on_kick(_signal: libc::c_int) {}

extern "C" fn on_interrupt(_signal: libc::c_int) {
    // Written once, before the handler was installed: relaxed is enough.
    let fd = PIPE.load(Ordering::Relaxed);
    // SAFETY: `write` and `errno` may be used in a handler; the byte is there, and `errno` is put back.
    unsafe {
        let errno = *libc::__errno_location();
        let _ = libc::write(fd, b"!".as_ptr().cast(), 1);
        *libc::__errno_location() = errno;
    }
}

/// From now on Ctrl-C raises an interrupt for the calling thread, whose events are in `attention`.
pub fn install(attention: Arc<Attention>) -> io::Result<()> {
    let mut ends = [0; 2];
    // SAFETY: `ends` has room for the two descriptors.
    if unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) } != 0 {
        return Err(io::Error::last_os_error());
    }
    PIPE.store(ends[1], Ordering::Relaxed);
    // SAFETY: the descriptor was just made and belongs to nobody else.
    let mut reader = unsafe { File::from_raw_fd(ends[0]) };
    // SAFETY: no conditions.
    let main = unsafe { libc::pthread_self() };
    std::thread::Builder::new()
        .name("interrupts".into())
        .stack_size(64 << 10)
        .spawn(move || {
            let mut bytes = [0; 64];
            while matches!(reader.read(&mut bytes), Ok(n) if n > 0) {
                attention.raise(Events::INTERRUPT);
                while attention.pending().meets(Events::INTERRUPT) {
                    // SAFETY: the main thread lives as long as the process.
                    unsafe { libc::pthread_kill(main, KICK) };
                    std::thread::sleep(PATIENCE);
                }
            }
        })?;
    handle(KICK, on_kick)?;
    // With a handler, unlike where it is ignored, it is as ever in programs we start.
    handle(libc::SIGXFSZ, on_kick)?;
    handle(libc::SIGINT, on_interrupt)
}

/// Installs a handler. System calls are not restarted: a thread that waits for input must come back to see the event.
fn handle(signal: libc::c_int, handler: extern "C" fn(libc::c_int)) -> io::Result<()> {
    // SAFETY: the action is a plain struct, filled in here.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler as usize;
        libc::sigemptyset(&mut action.sa_mask);
        action.sa_flags = 0;
        if libc::sigaction(signal, &action, std::ptr::null_mut()) != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}
