//! Files, directories, names.

use crate::faults::{self, Door};
use std::ffi::{CStr, CString, OsStr};
use std::fs::{Metadata, OpenOptions};
use std::io::{self, IsTerminal, Read, Seek, SeekFrom, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An open file, pipe or terminal.
#[derive(Debug)]
pub struct File(std::fs::File);

impl File {
    /// Opens a file.
    pub fn open(path: impl AsRef<Path>, how: &OpenOptions) -> io::Result<File> {
        // The standard library goes on when a signal has interrupted it.
        while let Err(e) = faults::check(Door::Open) {
            if e.kind() != io::ErrorKind::Interrupted {
                return Err(e);
            }
        }
        how.open(path).map(File)
    }

    /// Opens a file or a pipe that is there, as [`File::open`]; but a signal that interrupts this is an error.
    pub fn open_once(path: &str, flags: OFlags) -> io::Result<File> {
        faults::check(Door::Open)?;
        let flags = flags | OFlags::CLOEXEC;
        let fd = rustix::fs::open(path, flags, rustix::fs::Mode::empty())?;
        Ok(File(fd.into()))
    }

    /// Whether it is a terminal.
    pub fn is_terminal(&self) -> bool {
        self.0.is_terminal()
    }

    /// What the system says about it.
    pub fn metadata(&self) -> io::Result<Metadata> {
        faults::check(Door::Metadata)?;
        self.0.metadata()
    }

    /// It has so many bytes from now on.
    pub fn set_length(&self, length: u64) -> io::Result<()> {
        faults::check(Door::Write)?;
        self.0.set_len(length)
    }

    /// Waits until no other process has it locked, and locks it.
    pub fn lock(&self) -> io::Result<()> {
        self.0.lock()
    }
}

pub use rustix::fs::OFlags;

impl From<OwnedFd> for File {
    fn from(fd: OwnedFd) -> File {
        File(fd.into())
    }
}

impl AsFd for File {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl Read for &File {
    #[inline]
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let room = faults::some_of(Door::Read, room.len()).map(|n| &mut room[..n])?;
        (&self.0).read(room)
    }
}

impl Write for &File {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = faults::some_of(Door::Write, bytes.len())?;
        (&self.0).write(&bytes[..n])
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for &File {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        faults::check(Door::Seek)?;
        (&self.0).seek(to)
    }
}

impl Read for File {
    #[inline]
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        (&*self).read(room)
    }
}

impl Write for File {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (&*self).write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for File {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        (&*self).seek(to)
    }
}

/// All of a small file.
pub fn text(path: impl AsRef<Path>) -> io::Result<String> {
    let mut text = String::new();
    File::open(path, OpenOptions::new().read(true))?.read_to_string(&mut text)?;
    Ok(text)
}

/// What the system says about what a name leads to.
pub fn metadata(path: impl AsRef<Path>) -> io::Result<Metadata> {
    faults::check(Door::Metadata)?;
    std::fs::metadata(path)
}

/// The same of the name itself, be it a link.
pub fn link_metadata(path: impl AsRef<Path>) -> io::Result<Metadata> {
    faults::check(Door::Metadata)?;
    std::fs::symlink_metadata(path)
}

/// The answer to a question about what a name leads to, which is no where the system says that there is nothing, or nothing for this user; other errors
/// say nothing about it.
pub fn is(path: impl AsRef<Path>, what: impl FnOnce(&Metadata) -> bool) -> io::Result<bool> {
    or_absent(metadata(path).map(|about| what(&about)))
}

/// An answer, or no if the error says so: see [`is`].
pub fn or_absent(answer: io::Result<bool>) -> io::Result<bool> {
    match answer {
        Err(e) if says_absent(&e) => Ok(false),
        answer => answer,
    }
}

/// Whether an error says that there is nothing of a name, or nothing for this user.
pub fn says_absent(e: &io::Error) -> bool {
    // A name that cannot be one has no number.
    match e.raw_os_error() {
        Some(n) => [
            libc::ENOENT,
            libc::ENOTDIR,
            libc::EACCES,
            libc::ELOOP,
            libc::ENAMETOOLONG,
            libc::EINVAL,
        ]
        .contains(&n),
        None => true,
    }
}

/// The file of the program that this process runs.
pub fn executable() -> io::Result<PathBuf> {
    faults::check(Door::Metadata)?;
    std::env::current_exe()
}

/// Where a link leads.
pub fn link_target(path: impl AsRef<Path>) -> io::Result<PathBuf> {
    faults::check(Door::Metadata)?;
    std::fs::read_link(path)
}

/// The name without links.
pub fn canonical(path: impl AsRef<Path>) -> io::Result<PathBuf> {
    faults::check(Door::Metadata)?;
    std::fs::canonicalize(path)
}

/// What a file may be used for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    Read,
    Write,
    Execute,
}

/// Whether this user may use a file so.
pub fn is_allowed(path: &str, what: Use) -> io::Result<bool> {
    use rustix::fs::Access;
    let how = match what {
        Use::Read => Access::READ_OK,
        Use::Write => Access::WRITE_OK,
        Use::Execute => Access::EXEC_OK,
    };
    faults::check(Door::Metadata)?;
    match rustix::fs::access(path, how) {
        Err(e)
            if [
                rustix::io::Errno::ROFS,
                rustix::io::Errno::TXTBSY,
                rustix::io::Errno::PERM,
            ]
            .contains(&e) =>
        {
            Ok(false)
        }
        answer => or_absent(answer.map(|()| true).map_err(io::Error::from)),
    }
}

/// Takes the name of a file away.
pub fn remove(path: impl AsRef<Path>) -> io::Result<()> {
    faults::check(Door::Change)?;
    std::fs::remove_file(path)
}

/// Makes a directory.
pub fn make_directory(path: impl AsRef<Path>) -> io::Result<()> {
    faults::check(Door::Change)?;
    std::fs::create_dir(path)
}

/// Takes away an empty directory.
pub fn remove_directory(path: impl AsRef<Path>) -> io::Result<()> {
    faults::check(Door::Change)?;
    std::fs::remove_dir(path)
}

/// Sets the permissions of a file, as `chmod(2)` has them.
pub fn set_mode(path: impl AsRef<Path>, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    faults::check(Door::Change)?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))
}

/// Gives a file another name.
pub fn rename(from: impl AsRef<Path>, to: impl AsRef<Path>) -> io::Result<()> {
    faults::check(Door::Change)?;
    std::fs::rename(from, to)
}

/// Sets the times of a file, in seconds since 1970: of the last access, and of the last change of what is in it; what is not given stays.
pub fn set_times(path: &str, access: Option<f64>, change: Option<f64>) -> io::Result<()> {
    faults::check(Door::Change)?;
    let times = rustix::fs::Timestamps {
        last_access: timespec(access)?,
        last_modification: timespec(change)?,
    };
    let flags = rustix::fs::AtFlags::empty();
    Ok(rustix::fs::utimensat(rustix::fs::CWD, path, &times, flags)?)
}

fn timespec(seconds: Option<f64>) -> io::Result<rustix::fs::Timespec> {
    let Some(seconds) = seconds else {
        return Ok(rustix::fs::Timespec {
            tv_sec: 0,
            tv_nsec: rustix::fs::UTIME_OMIT,
        });
    };
    let whole = seconds.floor();
    // (Far beyond what file systems keep.)
    if whole.is_nan() || whole.abs() >= 1e18 {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    Ok(rustix::fs::Timespec {
        tv_sec: whole as i64,
        tv_nsec: (((seconds - whole) * 1e9) as i64).min(999_999_999),
    })
}

/// Gives a file one more name.
pub fn link(old: &str, new: &str) -> io::Result<()> {
    faults::check(Door::Change)?;
    std::fs::hard_link(old, new)
}

/// Makes a name that stands for another.
pub fn symbolic_link(old: &str, new: &str) -> io::Result<()> {
    faults::check(Door::Change)?;
    std::os::unix::fs::symlink(old, new)
}

/// What the working directory is called, by who went there, at the start by the system; `None`: nobody has asked yet.
static CALLED: Mutex<Option<PathBuf>> = Mutex::new(None);

fn called() -> MutexGuard<'static, Option<PathBuf>> {
    CALLED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The working directory, by the name that it has been given, links and all, as long as that leads there, or nothing does: it may have been removed.
pub fn current_directory() -> io::Result<PathBuf> {
    faults::check(Door::Place)?;
    let Some(called) = called().clone() else {
        let found = std::env::current_dir()?;
        *self::called() = Some(found.clone());
        return Ok(found);
    };
    let identity = |path: &Path| std::fs::metadata(path).map(|about| (about.dev(), about.ino()));
    let is_there = || identity(&called).is_ok_and(|it| identity(Path::new(".")).ok() == Some(it));
    if !is_plain(&called) {
        return std::env::current_dir();
    }
    match is_there() {
        true => Ok(called),
        false => std::env::current_dir().or(Ok(called)),
    }
}

/// Whether it is an absolute path without `.`, `..` and doubled slashes.
fn is_plain(path: &Path) -> bool {
    let mut parts = path.as_os_str().as_bytes().split(|&b| b == b'/');
    parts.next() == Some(&[]) && parts.all(|part| !matches!(part, b"" | b"." | b".."))
}

/// Another working directory, for all threads.
pub fn set_current_directory(path: impl AsRef<Path>) -> io::Result<()> {
    faults::check(Door::Place)?;
    std::env::set_current_dir(&path)?;
    *called() = Some(without_last_slash(path.as_ref()).to_owned());
    Ok(())
}

/// The same directory, as it is called.
fn without_last_slash(path: &Path) -> &Path {
    let mut bytes = path.as_os_str().as_bytes();
    while let Some((b'/', before)) = bytes.split_last()
        && !before.is_empty()
    {
        bytes = before;
    }
    Path::new(OsStr::from_bytes(bytes))
}

/// An open directory. Closed when dropped; what closing says is of no use to who has read the names.
struct Directory(*mut libc::DIR);

impl Drop for Directory {
    fn drop(&mut self) {
        // SAFETY: open, and nobody else has it.
        unsafe { libc::closedir(self.0) };
    }
}

/// All names in the directory, `.` and `..` among them, in the system's order. What is no UTF-8 is replaced. By the C library: the standard
/// library's iterator panics where the system cannot close a directory.
pub fn names(path: &str) -> io::Result<Vec<String>> {
    let path = CString::new(path)?;
    faults::check(Door::Directory)?;
    // SAFETY: a string with its end.
    let directory = Directory(unsafe { libc::opendir(path.as_ptr()) });
    if directory.0.is_null() {
        let error = io::Error::last_os_error();
        std::mem::forget(directory);
        return Err(error);
    }
    let mut names = Vec::new();
    loop {
        faults::check(Door::Directory)?;
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
