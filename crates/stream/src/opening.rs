//! The call of the system that opens a file.

use crate::options::Mode;
use std::fs::File;
use std::io;

/// Opens a file as a mode says.
pub fn open(path: &str, mode: Mode) -> io::Result<File> {
    let mut how = File::options();
    match mode {
        Mode::Read => how.read(true),
        Mode::Write => how.write(true).create(true).truncate(true),
        Mode::Append => how.append(true).create(true),
        Mode::Update => how.write(true).create(true).truncate(false),
    };
    how.open(path)
}

/// Whether opening it waits for who opens its other end.
pub fn waits(path: &str) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        std::fs::metadata(path).is_ok_and(|about| about.file_type().is_fifo())
    }
    #[cfg(not(unix))]
    false
}

/// Opens a pipe that is there. `None` if a signal interrupts that and it is to be given up then.
#[cfg(unix)]
pub fn open_pipe(path: &str, mode: Mode, give_up: &dyn Fn() -> bool) -> Option<io::Result<File>> {
    use rustix::fs::{Mode as Permissions, OFlags};
    let how = match mode {
        Mode::Read => OFlags::RDONLY,
        Mode::Write | Mode::Update => OFlags::WRONLY,
        Mode::Append => OFlags::WRONLY | OFlags::APPEND,
    };
    loop {
        match rustix::fs::open(path, how | OFlags::CLOEXEC, Permissions::empty()) {
            Err(rustix::io::Errno::INTR) if give_up() => return None,
            Err(rustix::io::Errno::INTR) => {}
            opened => return Some(opened.map(File::from).map_err(io::Error::from)),
        }
    }
}

#[cfg(not(unix))]
pub fn open_pipe(path: &str, mode: Mode, _: &dyn Fn() -> bool) -> Option<io::Result<File>> {
    Some(open(path, mode))
}
