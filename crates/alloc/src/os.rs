//! The operating system: address space in, address space out. The only file of Samite that makes memory system calls: heaps, table spaces and
//! the allocator itself map and unmap through it.
//!
//! Everything here works on whole system pages ([`page_size`], as the system says) and keeps `errno` as it was. Callable from any thread, also from
//! a signal handler and from the child of a fork: there is no state but the counters of [`calls`].
//!
//! Miri knows neither alignment of mappings nor `madvise`, so under it the memory comes from its own allocator, zeroed.

use core::ptr::{self, NonNull};
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Bytes of a page of the system, a power of two.
#[inline]
pub fn page_size() -> usize {
    static KNOWN: AtomicUsize = AtomicUsize::new(0);
    // Relaxed: a number, and whoever asks gets the same.
    match KNOWN.load(Ordering::Relaxed) {
        0 => {
            let n = sys::page_size();
            KNOWN.store(n, Ordering::Relaxed);
            n
        }
        n => n,
    }
}

/// `bytes` rounded up to whole pages, at least one. What is too much for any mapping stays too much.
#[inline]
pub fn whole_pages(bytes: usize) -> usize {
    let rest = page_size() - 1;
    bytes.max(1).saturating_add(rest) & !rest
}

/// Whether a range begins and ends where pages do.
fn is_whole(p: *mut u8, size: usize) -> bool {
    (p.addr() | size) & (page_size() - 1) == 0
}

/// How often each kind of system call was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    /// Mappings made.
    pub map: u64,
    /// Mappings removed.
    pub unmap: u64,
    /// Ranges made accessible.
    pub commit: u64,
    /// Ranges whose contents were given back.
    pub purge: u64,
    /// Ranges moved to another address without copying.
    pub remap: u64,
}

static MAP: AtomicU64 = AtomicU64::new(0);
static UNMAP: AtomicU64 = AtomicU64::new(0);
static COMMIT: AtomicU64 = AtomicU64::new(0);
static PURGE: AtomicU64 = AtomicU64::new(0);
static REMAP: AtomicU64 = AtomicU64::new(0);

/// The number of system calls made so far, by kind.
pub fn calls() -> Calls {
    // Relaxed: statistics, no other memory hangs on them.
    Calls {
        map: MAP.load(Ordering::Relaxed),
        unmap: UNMAP.load(Ordering::Relaxed),
        commit: COMMIT.load(Ordering::Relaxed),
        purge: PURGE.load(Ordering::Relaxed),
        remap: REMAP.load(Ordering::Relaxed),
    }
}

fn count(c: &AtomicU64) {
    c.fetch_add(1, Ordering::Relaxed);
}

#[cfg(not(miri))]
mod sys {
    use super::*;

    /// Runs `f` and puts `errno` back afterwards.
    fn keep_errno<R>(f: impl FnOnce() -> R) -> R {
        // SAFETY: the address of errno is valid for the life of the calling thread.
        unsafe {
            let e = libc::__errno_location();
            let saved = *e;
            let r = f();
            *e = saved;
            r
        }
    }

    pub fn page_size() -> usize {
        // SAFETY: no memory is involved.
        let n = keep_errno(|| unsafe { libc::sysconf(libc::_SC_PAGESIZE) });
        usize::try_from(n).unwrap_or(4096)
    }

    fn mmap(size: usize, prot: i32) -> Option<NonNull<u8>> {
        count(&MAP);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: an anonymous mapping at an address of the system's choice touches no existing memory.
        let p = keep_errno(|| unsafe { libc::mmap(ptr::null_mut(), size, prot, flags, -1, 0) });
        if p == libc::MAP_FAILED {
            None
        } else {
            NonNull::new(p.cast())
        }
    }

    /// Maps `size` bytes at a multiple of `align`, trimming what alignment costs.
    fn aligned(size: usize, align: usize, prot: i32) -> Option<NonNull<u8>> {
        let padded = size.checked_add(align - page_size())?;
        let p = mmap(padded, prot)?;
        let skip = p.as_ptr().align_offset(align);
        // SAFETY: the three parts lie in the mapping just made, which nobody else knows of.
        unsafe {
            let start = p.as_ptr().add(skip);
            if skip > 0 {
                unmap(p, skip);
            }
            let tail = padded - skip - size;
            if tail > 0 {
                unmap(NonNull::new_unchecked(start.add(size)), tail);
            }
            Some(NonNull::new_unchecked(start))
        }
    }

    pub fn map(size: usize, align: usize) -> Option<NonNull<u8>> {
        aligned(size, align, libc::PROT_READ | libc::PROT_WRITE)
    }

    pub fn reserve(size: usize, align: usize) -> Option<NonNull<u8>> {
        aligned(size, align, libc::PROT_NONE)
    }

    pub fn map_at(p: *mut u8, size: usize) -> MappedAt {
        count(&COMMIT);
        let flags = libc::MAP_PRIVATE
            | libc::MAP_ANONYMOUS
            | libc::MAP_NORESERVE
            | libc::MAP_FIXED_NOREPLACE;
        let prot = libc::PROT_READ | libc::PROT_WRITE;
        keep_errno(|| {
            // SAFETY: nothing is replaced.
            let r = unsafe { libc::mmap(p.cast(), size, prot, flags, -1, 0) };
            if r == p.cast() {
                return MappedAt::Yes;
            }
            if r != libc::MAP_FAILED {
                // A kernel that does not know the flag chose another place.
                // SAFETY: the mapping was just made.
                unsafe { libc::munmap(r, size) };
                return MappedAt::Taken;
            }
            // SAFETY: the address of errno is valid for the life of the thread.
            match unsafe { *libc::__errno_location() } {
                libc::ENOMEM | libc::EAGAIN => MappedAt::Refused,
                // EEXIST; or a policy forbids this address, which comes to the same.
                _ => MappedAt::Taken,
            }
        })
    }

    pub fn likely_addresses() -> Option<usize> {
        let p = mmap(super::page_size(), libc::PROT_NONE)?;
        // SAFETY: the mapping was just made.
        unsafe { unmap(p, super::page_size()) };
        Some(p.addr().get())
    }

    pub unsafe fn purge(p: NonNull<u8>, size: usize) -> bool {
        count(&PURGE);
        // SAFETY: the caller owns the range and no longer needs what is in it.
        keep_errno(|| unsafe { libc::madvise(p.as_ptr().cast(), size, libc::MADV_DONTNEED) == 0 })
    }

    pub unsafe fn huge_pages(p: NonNull<u8>, size: usize) {
        // SAFETY: advice does not change contents.
        keep_errno(|| unsafe { libc::madvise(p.as_ptr().cast(), size, libc::MADV_HUGEPAGE) });
    }

    pub unsafe fn unmap(p: NonNull<u8>, size: usize) -> bool {
        count(&UNMAP);
        // SAFETY: the caller owns the range, and nothing refers to it any more.
        keep_errno(|| unsafe { libc::munmap(p.as_ptr().cast(), size) == 0 })
    }

    /// There are so many bytes of user addresses, about: a little less is more than any mapping can have, and not more than may be asked for.
    #[cfg(target_os = "linux")]
    const ADDRESSES: usize = 1 << if cfg!(target_arch = "x86_64") { 47 } else { 48 };

    /// Whether a range is all in one mapping of the system: to be known before its pages are moved, since a move that is refused for that may
    /// have unmapped the target (Linux before 6.17). The system looks at it before it finds that a mapping cannot become that long.
    #[cfg(target_os = "linux")]
    unsafe fn is_one_mapping(p: NonNull<u8>, size: usize) -> bool {
        let impossible = ADDRESSES - 2 * super::page_size();
        keep_errno(|| {
            // SAFETY: nothing is moved without a flag that allows it.
            let r = unsafe { libc::mremap(p.as_ptr().cast(), size, impossible, 0) };
            debug_assert!(r == libc::MAP_FAILED);
            // SAFETY: the address of errno is valid for the life of the thread.
            r == libc::MAP_FAILED && unsafe { *libc::__errno_location() } == libc::ENOMEM
        })
    }

    #[cfg(target_os = "linux")]
    pub unsafe fn remap(
        from: NonNull<u8>,
        from_size: usize,
        to: NonNull<u8>,
        to_size: usize,
    ) -> Option<Moved> {
        // SAFETY: the caller owns both ranges.
        if !unsafe { is_one_mapping(from, from_size) } {
            return None;
        }
        count(&REMAP);
        keep_errno(|| {
            // SAFETY: the caller owns both ranges; the contents of the target are given up.
            let r = unsafe {
                libc::mremap(
                    from.as_ptr().cast(),
                    from_size,
                    to_size,
                    libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED,
                    to.as_ptr().cast::<libc::c_void>(),
                )
            };
            if r == libc::MAP_FAILED {
                // There are too many mappings, which is found out before anything is done. Or in the midst of it the system had no memory for
                // its own books: the target must be there all the same.
                _ = map_at(to.as_ptr(), to_size);
                return None;
            }
            // What was moved away is a hole now. Another thread's mapping may get there first; it is not to be replaced.
            Some(match map_at(from.as_ptr(), from_size) {
                MappedAt::Yes => Moved::Yes,
                _ => Moved::HoleLost,
            })
        })
    }

    #[cfg(not(target_os = "linux"))]
    pub unsafe fn remap(_: NonNull<u8>, _: usize, _: NonNull<u8>, _: usize) -> Option<Moved> {
        None
    }

    #[cfg(target_os = "linux")]
    pub unsafe fn resize(p: NonNull<u8>, before: usize, size: usize) -> Option<NonNull<u8>> {
        count(&REMAP);
        // SAFETY: the caller owns the mapping, and nothing else knows where it is.
        let r = keep_errno(|| unsafe {
            libc::mremap(p.as_ptr().cast(), before, size, libc::MREMAP_MAYMOVE)
        });
        if r == libc::MAP_FAILED {
            None
        } else {
            NonNull::new(r.cast())
        }
    }

    #[cfg(not(target_os = "linux"))]
    pub unsafe fn resize(p: NonNull<u8>, before: usize, size: usize) -> Option<NonNull<u8>> {
        // SAFETY: the caller's promise.
        unsafe { super::resize_by_copy(p, before, size) }
    }

    pub unsafe fn renew(p: NonNull<u8>, size: usize) -> bool {
        count(&PURGE);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED;
        let prot = libc::PROT_READ | libc::PROT_WRITE;
        keep_errno(|| {
            // SAFETY: the caller owns the range and no longer needs what is in it.
            let r = unsafe { libc::mmap(p.as_ptr().cast(), size, prot, flags, -1, 0) };
            r != libc::MAP_FAILED
        })
    }
}

#[cfg(miri)]
mod sys {
    use super::*;
    use std::alloc::{GlobalAlloc, Layout, System};

    pub fn page_size() -> usize {
        4096
    }

    pub unsafe fn resize(p: NonNull<u8>, before: usize, size: usize) -> Option<NonNull<u8>> {
        // SAFETY: the caller's promise.
        unsafe { super::resize_by_copy(p, before, size) }
    }

    pub fn map(size: usize, align: usize) -> Option<NonNull<u8>> {
        count(&MAP);
        let layout = Layout::from_size_align(size, align).ok()?;
        // SAFETY: the sizes of this crate are never 0.
        NonNull::new(unsafe { System.alloc_zeroed(layout) })
    }

    pub fn reserve(size: usize, align: usize) -> Option<NonNull<u8>> {
        map(size, align)
    }

    pub fn map_at(_: *mut u8, _: usize) -> MappedAt {
        // All of it was zeroed and accessible from the beginning.
        count(&COMMIT);
        MappedAt::Yes
    }

    pub fn likely_addresses() -> Option<usize> {
        None
    }

    pub unsafe fn purge(p: NonNull<u8>, size: usize) -> bool {
        count(&PURGE);
        // SAFETY: the caller owns the range.
        unsafe { ptr::write_bytes(p.as_ptr(), 0, size) };
        true
    }

    pub unsafe fn huge_pages(_: NonNull<u8>, _: usize) {}

    pub unsafe fn unmap(_: NonNull<u8>, _: usize) -> bool {
        // The layout is unknown here; Miri is told not to look for leaks.
        count(&UNMAP);
        true
    }

    pub unsafe fn remap(_: NonNull<u8>, _: usize, _: NonNull<u8>, _: usize) -> Option<Moved> {
        None
    }

    pub unsafe fn renew(p: NonNull<u8>, size: usize) -> bool {
        // SAFETY: the caller's promise.
        unsafe { purge(p, size) }
    }
}

/// Maps `size` zeroed bytes at a multiple of `align` (a power of two, at least [`page_size`]), readable and writable.
/// Both numbers are positive multiples of the page size. `None` if the system has no more.
pub fn map(size: usize, align: usize) -> Option<NonNull<u8>> {
    debug_assert!(is_whole(ptr::null_mut(), size | align));
    sys::map(size, align)
}

/// Changes the length of a mapping, both multiples of the page size; what is in it stays, as far as it fits, and what is added reads as zero. Returns
/// where it is then, the same place if it gets shorter. `None` if the system refuses, and then nothing has changed.
///
/// # Safety
/// It is a whole mapping from [`map`], or from here, with `before` bytes, and the caller's alone.
pub unsafe fn resize(p: NonNull<u8>, before: usize, size: usize) -> Option<NonNull<u8>> {
    debug_assert!(is_whole(p.as_ptr(), before | size));
    // SAFETY: the caller's promise.
    unsafe { sys::resize(p, before, size) }
}

/// [`resize`] where the system cannot.
#[cfg(any(miri, not(target_os = "linux")))]
unsafe fn resize_by_copy(p: NonNull<u8>, before: usize, size: usize) -> Option<NonNull<u8>> {
    // SAFETY: the caller's promise; the new mapping is nobody else's.
    unsafe {
        if size < before {
            unmap(p.add(size), before - size);
            return Some(p);
        }
        let new = map(size, page_size())?;
        ptr::copy_nonoverlapping(p.as_ptr(), new.as_ptr(), before);
        unmap(p, before);
        Some(new)
    }
}

/// An address where `size` bytes are free at the moment, a multiple of `align`. Nothing is taken.
pub fn find_room(size: usize, align: usize) -> Option<NonNull<u8>> {
    let p = sys::reserve(size, align)?;
    if !cfg!(miri) {
        // SAFETY: the mapping was just made, and nobody knows of it.
        unsafe { sys::unmap(p, size) };
    }
    Some(p)
}

/// How mapping at a given address went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MappedAt {
    /// The range is accessible and reads as zero.
    Yes,
    /// Something else is there, or nothing may be. Nothing has changed.
    Taken,
    /// The system has no more memory for the process. Nothing has changed.
    Refused,
}

/// Maps `size` zeroed bytes at `p`, readable and writable, replacing nothing. Both are multiples of the page size.
///
/// Under Miri the range lies in one from [`find_room`].
pub fn map_at(p: *mut u8, size: usize) -> MappedAt {
    debug_assert!(is_whole(p, size));
    sys::map_at(p, size)
}

/// Where the system puts mappings at the moment; `None` if that is not known.
pub fn likely_addresses() -> Option<usize> {
    sys::likely_addresses()
}

/// Gives the contents of a range back to the system; it stays accessible and reads as zero. `false` if the system
/// refuses, and then the contents are as before.
///
/// # Safety
/// The range is accessible and the caller's alone.
pub unsafe fn purge(p: NonNull<u8>, size: usize) -> bool {
    debug_assert!(is_whole(p.as_ptr(), size));
    // SAFETY: the caller's promise.
    unsafe { sys::purge(p, size) }
}

/// Asks for transparent huge pages in a range.
///
/// # Safety
/// The range lies in a mapping of this module.
pub unsafe fn huge_pages(p: NonNull<u8>, size: usize) {
    debug_assert!(is_whole(p.as_ptr(), size));
    // SAFETY: the caller's promise.
    unsafe { sys::huge_pages(p, size) }
}

/// Removes a mapping, or a part of one. `false` if the system refuses, for which there is a reason only for a part: nothing has changed then.
///
/// # Safety
/// The range is the caller's alone, and nobody will touch it again.
pub unsafe fn unmap(p: NonNull<u8>, size: usize) -> bool {
    debug_assert!(is_whole(p.as_ptr(), size));
    // SAFETY: the caller's promise.
    unsafe { sys::unmap(p, size) }
}

/// Gives the contents of a range back to the system, or overwrites them where it refuses (locked memory, perhaps): it reads as zero.
///
/// # Safety
/// As for [`purge`].
pub unsafe fn clear(p: NonNull<u8>, size: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        if !sys::purge(p, size) {
            ptr::write_bytes(p.as_ptr(), 0, size);
        }
    }
}

/// How moving went. In all cases the contents are at the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moved {
    /// The source is accessible and reads as zero.
    Yes,
    /// The source range must never be touched again.
    HoleLost,
}

/// At most so much is copied before its old place is given back.
const COPIED: usize = 1 << 20;

/// Moves `from_size` bytes to the start of a range of `to_size` bytes, which is at least as long: no more than a little of it is in memory
/// twice. The pages of one mapping are moved without copying; a range of several is moved in halves, and copied where they meet.
///
/// # Safety
/// Both ranges are accessible, disjoint, aligned to system pages and the caller's alone.
pub unsafe fn move_pages(
    from: NonNull<u8>,
    from_size: usize,
    to: NonNull<u8>,
    to_size: usize,
) -> Moved {
    debug_assert!(from_size <= to_size);
    // SAFETY: the caller's promise, for each part.
    unsafe {
        if let Some(moved) = sys::remap(from, from_size, to, to_size) {
            return moved;
        }
        if from_size <= COPIED {
            ptr::copy_nonoverlapping(from.as_ptr(), to.as_ptr(), from_size);
            clear(from, from_size);
            return Moved::Yes;
        }
        let half = (from_size / 2).next_multiple_of(COPIED);
        let low = move_pages(from, half, to, half);
        let high = move_pages(
            from.add(half),
            from_size - half,
            to.add(half),
            to_size - half,
        );
        match (low, high) {
            (Moved::Yes, Moved::Yes) => Moved::Yes,
            _ => Moved::HoleLost,
        }
    }
}

/// Like [`purge`], but by a new mapping, so that the system can merge it with its neighbours.
///
/// # Safety
/// As for [`purge`].
pub unsafe fn renew(p: NonNull<u8>, size: usize) -> bool {
    // SAFETY: the caller's promise.
    unsafe { sys::renew(p, size) }
}

/// Bytes of memory that the machine has; 0 if that is not known.
pub fn physical_memory() -> usize {
    #[cfg(all(target_os = "linux", not(miri)))]
    {
        let mut info = core::mem::MaybeUninit::<libc::sysinfo>::uninit();
        // SAFETY: the pointer is valid for a write of the structure, which is complete if the call succeeds.
        unsafe {
            if libc::sysinfo(info.as_mut_ptr()) == 0 {
                let info = info.assume_init();
                return info.totalram as usize * info.mem_unit as usize;
            }
        }
    }
    0
}

/// The most bytes of address space that the process can ever have; the largest number if nothing says so.
pub fn most_addresses() -> usize {
    #[cfg(all(target_os = "linux", not(miri)))]
    {
        let mut limit = core::mem::MaybeUninit::<libc::rlimit>::uninit();
        // SAFETY: the pointer is valid for a write of the structure, which is complete if the call succeeds.
        unsafe {
            if libc::getrlimit(libc::RLIMIT_AS, limit.as_mut_ptr()) == 0 {
                // The number for "no limit" is the largest one.
                return limit.assume_init().rlim_max as usize;
            }
        }
    }
    usize::MAX
}

/// Another file descriptor for the same file, out of the way of the program's own and closed when it executes another.
pub fn duplicate_fd(fd: i32) -> Option<i32> {
    // SAFETY: no memory is involved; errno is put back.
    unsafe {
        let e = libc::__errno_location();
        let saved = *e;
        let r = libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, 500);
        *e = saved;
        (r >= 0).then_some(r)
    }
}

/// Lets other threads run.
pub fn yield_now() {
    // SAFETY: no arguments. It cannot fail on the systems there are.
    unsafe { libc::sched_yield() };
}

/// Milliseconds of a clock that is cheap to read and never goes back.
pub fn coarse_milliseconds() -> u64 {
    let mut t = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    #[cfg(all(target_os = "linux", not(miri)))]
    const CLOCK: libc::clockid_t = libc::CLOCK_MONOTONIC_COARSE;
    #[cfg(not(all(target_os = "linux", not(miri))))]
    const CLOCK: libc::clockid_t = libc::CLOCK_MONOTONIC;
    // SAFETY: the pointer is valid for a write of the structure.
    unsafe { libc::clock_gettime(CLOCK, &mut t) };
    t.tv_sec as u64 * 1000 + t.tv_nsec as u64 / 1_000_000
}
