//! The names in a directory, by the C library: the standard library's iterator panics where the system cannot close one.

use std::ffi::{CStr, CString};
use std::io;

/// An open directory. Closed when dropped; what closing says is of no use to who has read the names.
struct Directory(*mut libc::DIR);

impl Drop for Directory {
    fn drop(&mut self) {
        // SAFETY: open, and nobody else has it.
        unsafe { libc::closedir(self.0) };
    }
}

/// All names in the directory, `.` and `..` among them, in the system's order. What is no UTF-8 is replaced.
pub(crate) fn names(path: &str) -> io::Result<Vec<String>> {
    let path = CString::new(path)?;
    // SAFETY: a string with its end.
    let directory = Directory(unsafe { libc::opendir(path.as_ptr()) });
    if directory.0.is_null() {
        let error = io::Error::last_os_error();
        std::mem::forget(directory);
        return Err(error);
    }
    let mut names = Vec::new();
    loop {
        // SAFETY: `errno` is this thread's own. It tells the end from an error.
        unsafe { *libc::__errno_location() = 0 };
        // SAFETY: open. The entry lasts until the next call.
        let entry = unsafe { libc::readdir(directory.0) };
        if entry.is_null() {
            let error = io::Error::last_os_error();
            return match error.raw_os_error() {
                Some(0) | None => Ok(names),
                Some(_) => Err(error),
            };
        }
        // SAFETY: the name of an entry has its end. By address: an entry is only as long as its name.
        let name = unsafe { CStr::from_ptr((&raw const (*entry).d_name).cast()) };
        names.push(name.to_string_lossy().into_owned());
    }
}
