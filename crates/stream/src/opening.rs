//! The call of the system that opens a file.

use crate::options::Mode;
use samite_world::File;
use samite_world::files::{self, OFlags};
use std::fs::OpenOptions;
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileTypeExt;

/// Opens a file as a mode says.
pub fn open(path: &str, mode: Mode) -> io::Result<File> {
    let mut how = OpenOptions::new();
    match mode {
        Mode::Read => how.read(true),
        Mode::Write => how.write(true).create(true).truncate(true),
        Mode::Append => how.append(true).create(true),
        Mode::Update => how.write(true).create(true).truncate(false),
    };
    File::open(path, &how)
}

/// Whether opening it waits for who opens its other end.
pub fn waits(path: &str) -> io::Result<bool> {
    files::is(path, |about| about.file_type().is_fifo())
}

/// Opens a pipe that is there. `None` if a signal interrupts that and it is to be given up then.
pub fn open_pipe(path: &str, mode: Mode, give_up: &dyn Fn() -> bool) -> Option<io::Result<File>> {
    let how = match mode {
        Mode::Read => OFlags::RDONLY,
        Mode::Write | Mode::Update => OFlags::WRONLY,
        Mode::Append => OFlags::WRONLY | OFlags::APPEND,
    };
    loop {
        match File::open_once(path, how) {
            Err(e) if e.kind() == ErrorKind::Interrupted && give_up() => return None,
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            opened => return Some(opened),
        }
    }
}
