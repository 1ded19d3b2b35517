//! Ctrl-C as an event of the program's main thread.
//!
//! A signal handler may hardly do anything. Ours writes a byte to a pipe; a thread reads it and raises the event, which the
//! Prolog thread meets at its next safe point or which wakes it from blocking.

use samite_sched::interrupt::{Attention, Events};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::FromRawFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

/// The end of the pipe that the handler writes to.
static PIPE: AtomicI32 = AtomicI32::new(-1);

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

/// From now on Ctrl-C raises an interrupt for the thread of `attention`.
pub fn install(attention: Arc<Attention>) -> io::Result<()> {
    let mut ends = [0; 2];
    // SAFETY: `ends` has room for the two descriptors.
    if unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) } != 0 {
        return Err(io::Error::last_os_error());
    }
    PIPE.store(ends[1], Ordering::Relaxed);
    // SAFETY: the descriptor was just made and belongs to nobody else.
    let mut reader = unsafe { File::from_raw_fd(ends[0]) };
    std::thread::Builder::new()
        .name("interrupts".into())
        .stack_size(64 << 10)
        .spawn(move || {
            let mut bytes = [0; 64];
            while matches!(reader.read(&mut bytes), Ok(n) if n > 0) {
                attention.raise(Events::INTERRUPT);
            }
        })?;
    // SAFETY: the action is a plain struct, filled in below. System calls are not restarted: a thread that waits for input must
    // come back to see the event.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = on_interrupt as extern "C" fn(libc::c_int) as usize;
        libc::sigemptyset(&mut action.sa_mask);
        action.sa_flags = 0;
        if libc::sigaction(libc::SIGINT, &action, std::ptr::null_mut()) != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}
