//! Every number that can be tuned: constants at build time, options by environment.
//!
//! | variable | meaning | default |
//! |---|---|---|
//! | `SAMITE_MALLOC_REGION` | address space that the region may grow to (bytes) | 8 times the machine's memory, at least 256G; four times a limit that there is |
//! | `SAMITE_MALLOC_PAGE_MULTIPLIER` | pageblocks have 2^n times their basic size, n = 0 … 3 | 0 |
//! | `SAMITE_MALLOC_THREAD_CACHE` | free memory a thread keeps in empty pageblocks, and half as much in slices (bytes) | 512K |
//! | `SAMITE_MALLOC_RETAIN_MIN` | free memory kept back from the system at least (bytes) | 256K |
//! | `SAMITE_MALLOC_RETAIN_IDLE` | … at most, while no more than twice as much is in use (bytes) | 64M |
//! | `SAMITE_MALLOC_RETAIN_MAX` | … at most, otherwise (bytes) | 256M |
//! | `SAMITE_MALLOC_PURGE_DELAY` | time after which retention shrinks (milliseconds) | 500 |
//! | `SAMITE_MALLOC_HUGE_PAGES` | use of memory from which on new segments ask for huge pages; 0: never | 0 |
//! | `SAMITE_MALLOC_HARDENED` | 1: check every block on every operation | 0 |
//! | `SAMITE_MALLOC_ON_FAULT` | `abort`, `report` or `ignore` misuse of the heap | `abort` |
//! | `SAMITE_MALLOC_STATS` | `1`, `text` or `json`: statistics on standard error at exit | off |
//!
//! Huge pages are off because they are a bargain for some programs only: with them from 64M on, programs of 60 to 260 MB
//! took up to 30% less time (`mlarge`, `phases` of `bench/alloc`), programs of a gigabyte as much as without, and programs that
//! do not touch all of what they allocate up to twice the memory (stress-ng, blocks of 20 KiB: 336 MB for 150).
//!
//! Sizes may end in K, M, G or T. The environment is read once, when the first thread asks for memory, without allocating.

use core::sync::atomic::{AtomicI32, AtomicPtr, AtomicU8, AtomicUsize, Ordering};

/// log2 of [`SLICE`].
pub const SLICE_SHIFT: u32 = 16;
/// The unit in which address space is handed to pageblocks and large objects.
pub const SLICE: usize = 1 << SLICE_SHIFT;
/// Slices per segment: as many as a word has bits, so that one CAS claims any run of them.
pub const SEGMENT_SLICES: usize = 64;
/// The unit in which address space is committed and large objects are aligned.
pub const SEGMENT: usize = SLICE * SEGMENT_SLICES;
/// Segments mapped at a time at most, if no more are needed.
pub const GROWTH: usize = 16;
/// Most heaps, that is, threads with a heap of their own at the same time.
pub const HEAPS: usize = if cfg!(miri) { 1024 } else { 1 << 18 };
/// What the region may grow to at least when nothing else is said. The descriptors of a region of this size, the bit maps
/// before them and the first blocks are close together, which keeps page tables small and forks quick.
const REGION_DEFAULT: usize = if cfg!(miri) { 8 * SEGMENT } else { 1 << 38 };
/// Below this a region is not worth having.
pub const REGION_MIN: usize = if cfg!(miri) { 4 * SEGMENT } else { 16 << 20 };
/// Slices a thread's cache has room for, whatever the option says.
pub const CACHE_SLOTS: usize = 16;
/// Bytes of fresh blocks linked into a free list at a time.
pub const CARVE: usize = 4096;
/// A thread looks into its inbox at least every so many slow paths.
pub const INBOX_PERIOD: u32 = if cfg!(miri) { 4 } else { 64 };

/// An option with a number as its value.
#[derive(Debug)]
pub struct Number {
    name: &'static core::ffi::CStr,
    max: usize,
    value: AtomicUsize,
}

impl Number {
    const fn new(name: &'static core::ffi::CStr, value: usize, max: usize) -> Number {
        Number {
            name,
            max,
            value: AtomicUsize::new(value),
        }
    }
    /// The value in force. Relaxed: a number, nothing hangs on it.
    #[inline]
    pub fn get(&self) -> usize {
        self.value.load(Ordering::Relaxed)
    }
    /// Sets the value, bounded by what the option allows.
    pub fn set(&self, value: usize) {
        self.value.store(value.min(self.max), Ordering::Relaxed);
    }
    fn read_environment(&self) {
        if let Some(v) = variable(self.name).and_then(parse_size) {
            self.set(v);
        }
    }
}

/// Address space that the region may grow to; 0 for the default.
pub static REGION: Number = Number::new(c"SAMITE_MALLOC_REGION", 0, 1 << 45);
/// log2 of the factor on the size of pageblocks.
pub static PAGE_MULTIPLIER: Number = Number::new(c"SAMITE_MALLOC_PAGE_MULTIPLIER", 0, 3);
/// Bytes of empty pageblocks a thread keeps, and of free slices half as many.
pub static THREAD_CACHE: Number = Number::new(
    c"SAMITE_MALLOC_THREAD_CACHE",
    512 << 10,
    CACHE_SLOTS * SLICE,
);
/// Least bytes of free memory kept back from the system.
pub static RETAIN_MIN: Number = Number::new(c"SAMITE_MALLOC_RETAIN_MIN", 256 << 10, 1 << 44);
/// Most bytes of free memory kept back from the system by a program that uses no more than twice as much.
pub static RETAIN_IDLE: Number = Number::new(c"SAMITE_MALLOC_RETAIN_IDLE", 64 << 20, 1 << 44);
/// Most bytes of free memory kept back from the system.
pub static RETAIN_MAX: Number = Number::new(c"SAMITE_MALLOC_RETAIN_MAX", 256 << 20, 1 << 44);
/// Milliseconds after which retention shrinks.
pub static PURGE_DELAY: Number = Number::new(c"SAMITE_MALLOC_PURGE_DELAY", 500, 1 << 30);
/// Bytes in use from which on new segments ask for huge pages; 0 for never.
pub static HUGE_PAGES: Number = Number::new(c"SAMITE_MALLOC_HUGE_PAGES", 0, usize::MAX);
/// No region is larger than this.
const MAX_LARGE: usize = 1 << 46;
/// Whether every operation is checked.
pub static HARDENED: Number = Number::new(c"SAMITE_MALLOC_HARDENED", 0, 1);

/// Who says whether a large object is refused.
static REFUSES: AtomicPtr<()> = AtomicPtr::new(core::ptr::null_mut());

/// From now on `hook` says of each large object whether it is refused, for tests of what then happens. It must not allocate. To be called before
/// there are other threads.
pub fn refuse_by(hook: fn(usize) -> bool) {
    REFUSES.store(hook as *mut (), Ordering::Relaxed);
}

/// Whether a large object of this size is refused.
#[inline]
pub(crate) fn refused(bytes: usize) -> bool {
    // Relaxed: it is set once, before there is another thread.
    let hook = REFUSES.load(Ordering::Relaxed);
    if bytes > MAX_LARGE || hook.is_null() {
        return bytes > MAX_LARGE;
    }
    // SAFETY: only `refuse_by` stores here, and stores a function of this type.
    let hook = unsafe { core::mem::transmute::<*mut (), fn(usize) -> bool>(hook) };
    hook(bytes)
}

/// What to do about misuse of the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum OnFault {
    /// Report on standard error, then abort.
    Abort = 0,
    /// Report and go on; the faulty operation does nothing.
    Report = 1,
    /// Go on; the faulty operation does nothing.
    Ignore = 2,
}

/// How statistics are written at exit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum AtExit {
    /// Not at all.
    Nothing = 0,
    /// For people.
    Text = 1,
    /// For programs.
    Json = 2,
}

/// Where statistics at exit go: standard error as it was at the start, because programs close theirs before they exit.
static EXIT_FD: AtomicI32 = AtomicI32::new(2);

/// Where statistics at exit go.
pub fn exit_fd() -> i32 {
    EXIT_FD.load(Ordering::Relaxed)
}

static ON_FAULT: AtomicU8 = AtomicU8::new(0);
static AT_EXIT: AtomicU8 = AtomicU8::new(0);

/// What to do about misuse of the heap.
pub fn on_fault() -> OnFault {
    match ON_FAULT.load(Ordering::Relaxed) {
        1 => OnFault::Report,
        2 => OnFault::Ignore,
        _ => OnFault::Abort,
    }
}

/// Sets what to do about misuse of the heap.
fn set_on_fault(f: OnFault) {
    ON_FAULT.store(f as u8, Ordering::Relaxed);
}

/// How statistics are to be written at exit.
pub fn at_exit() -> AtExit {
    match AT_EXIT.load(Ordering::Relaxed) {
        1 => AtExit::Text,
        2 => AtExit::Json,
        _ => AtExit::Nothing,
    }
}

/// The address space that the region may grow to.
pub fn region_size() -> usize {
    match REGION.get() {
        0 => crate::os::physical_memory()
            .saturating_mul(8)
            .checked_next_power_of_two()
            .unwrap_or(REGION_DEFAULT)
            .max(REGION_DEFAULT)
            .min(useful_size()),
        n => n,
    }
}

/// Not much more than the process can ever map, as the maps of the region's parts take space, too; but more, because parts are left out that somebody
/// else has mapped, or that begin at the wrong address.
fn useful_size() -> usize {
    crate::os::most_addresses()
        .checked_next_power_of_two()
        .map_or(usize::MAX, |n| n.saturating_mul(4))
}

/// Reads the environment. Several threads may do so at once: they store the same values.
pub fn read_environment() {
    for n in [
        &REGION,
        &PAGE_MULTIPLIER,
        &THREAD_CACHE,
        &RETAIN_MIN,
        &RETAIN_IDLE,
        &RETAIN_MAX,
        &PURGE_DELAY,
        &HUGE_PAGES,
        &HARDENED,
    ] {
        n.read_environment();
    }
    match variable(c"SAMITE_MALLOC_ON_FAULT") {
        Some(b"abort") => set_on_fault(OnFault::Abort),
        Some(b"report") => set_on_fault(OnFault::Report),
        Some(b"ignore") => set_on_fault(OnFault::Ignore),
        _ => {}
    }
    match variable(c"SAMITE_MALLOC_STATS") {
        Some(b"1" | b"text") => AT_EXIT.store(AtExit::Text as u8, Ordering::Relaxed),
        Some(b"json") => AT_EXIT.store(AtExit::Json as u8, Ordering::Relaxed),
        _ => {}
    }
    if at_exit() != AtExit::Nothing && exit_fd() == 2 {
        let fd = crate::os::duplicate_fd(2);
        EXIT_FD.store(fd.unwrap_or(2), Ordering::Relaxed);
    }
}

fn variable(name: &core::ffi::CStr) -> Option<&'static [u8]> {
    // SAFETY: the name ends in NUL. The environment is read while the first allocation of the process is being made, so
    // nobody has had the memory to change it.
    unsafe {
        let p = libc::getenv(name.as_ptr());
        if p.is_null() {
            None
        } else {
            Some(core::ffi::CStr::from_ptr(p).to_bytes())
        }
    }
}

/// Reads digits and an optional unit. `None` if it is anything else or too large.
fn parse_size(text: &[u8]) -> Option<usize> {
    let digits = text.iter().take_while(|c| c.is_ascii_digit()).count();
    if digits == 0 {
        return None;
    }
    let mut n = 0usize;
    for c in &text[..digits] {
        n = n.checked_mul(10)?.checked_add(usize::from(c - b'0'))?;
    }
    let shift = match &text[digits..] {
        b"" => 0,
        b"k" | b"K" => 10,
        b"m" | b"M" => 20,
        b"g" | b"G" => 30,
        b"t" | b"T" => 40,
        _ => return None,
    };
    n.checked_mul(1 << shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_units() {
        assert_eq!(parse_size(b"0"), Some(0));
        assert_eq!(parse_size(b"12k"), Some(12 << 10));
        assert_eq!(parse_size(b"3G"), Some(3 << 30));
        for bad in [
            &b""[..],
            b"k",
            b"1x",
            b"-1",
            b"1kk",
            b"99999999999999999999",
            b"99999999999T",
        ] {
            assert_eq!(parse_size(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn options_are_bounded() {
        let n = Number::new(c"SAMITE_TEST_UNSET", 1, 3);
        n.read_environment();
        assert_eq!(n.get(), 1);
        n.set(7);
        assert_eq!(n.get(), 3);
    }
}
