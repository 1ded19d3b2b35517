//! Address space that is kept for those who cannot be refused.
//!
//! Under a limit of the process (`RLIMIT_AS`) memory ends for everybody at once: for heaps, whose growth may be refused and is
//! then an error of Prolog, and for every small thing that Rust code makes, whose refusal is the end of the process. So a part is left to
//! the latter, of [`kept`] bytes: the general allocator holds it and gives of it only what is small, and found nowhere else
//! ([`Allocator`]).
//!
//! ```text
//! whenever a region of a heap may be mapped or made larger:                      held = kept
//! whenever a thread may be made: the same, and could be mapped                   2 * kept, of which its stack may take a half
//! whoever adds to what is in common, or to results, is refused while             held < kept, and no more is to be had
//! the same for a thread that is urgent                                           half of kept instead of kept
//! half of kept  >=  what all threads together take between two such questions
//! ```
//!
//! Urgent is a thread that runs a cleanup handler ([`set_urgent`]): memory is exhausted most likely, others may have taken what its exception has given
//! back before it asks for a little of it, and what it does is what gives back the rest. What it takes is taken from all handlers together.
//!
//! Threads ask for more because the others cannot do with less: when no more threads can be made, those that there are go on, and their heaps
//! grow a little. Each question holds again what is there again, so the refusals end when what was made is gone. Nothing is looked for
//! in order to be used later: two threads that look at once would find the same, and who only looks would take it from who needs it. Where
//! there is no limit nothing of this is done.
//!
//! From any thread, also from inside the allocator ([`check`]): nothing here allocates but [`left`].

use samite_alloc::os;
use samite_world::faults::{self, Door};
use std::cell::Cell;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// Most bytes that are kept, and the part of the limit that they are: a larger one of a small limit.
const MOST: usize = 32 << 20;
const PART: usize = 16;
const LITTLE: usize = 4 << 20;
const PART_OF_LITTLE: usize = 4;

/// Most bytes that an urgent thread maps of what is kept.
const URGENT_AT_MOST: usize = 256 << 10;

/// Bytes that are kept as of when somebody looked last; 0 where there is no limit. Relaxed: a number, and nobody is refused anything because of
/// it alone.
static KEPT: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// Whether the thread may take of what is kept, down to the half of it.
    static URGENT: Cell<bool> = const { Cell::new(false) };
    /// Where nobody holds what is kept (a host with an allocator of its own): how often the thread need not ask the system whether it is there.
    static UNASKED: Cell<u32> = const { Cell::new(0) };
}

/// One of so many questions is asked, while there is enough.
const ASKED_EACH: u32 = 16;

/// From now on the calling thread is urgent, or not any more; whether it was.
pub fn set_urgent(urgent: bool) -> bool {
    URGENT.replace(urgent)
}

/// Bytes that must be held for what the calling thread asks for not to be refused.
fn asked_to_be_held() -> usize {
    let kept = KEPT.load(Ordering::Relaxed);
    if URGENT.get() { kept / 2 } else { kept }
}

/// What the general allocator does for this. None of these allocates, and all may be called at any time by any thread.
#[derive(Debug)]
pub struct Allocator {
    /// From now on so many bytes are to be held for small requests that find nothing else.
    pub keep: fn(usize),
    /// Holds what is missing of them if it is there; whether all are held then.
    pub fill: fn() -> bool,
    /// Bytes that it has mapped, does not use, and does not hold.
    pub spare: fn() -> usize,
    /// Unmaps so many of these bytes, or all; how many these were.
    pub unmap: fn(usize) -> usize,
    /// Bytes that it holds.
    pub held: fn() -> usize,
    /// The same of those that it holds.
    pub give_up: fn(usize) -> usize,
    /// Gives what it retains back to the system, and tells how much.
    pub give_back: fn() -> usize,
    /// Gives back what threads that have ended have left, if that may be much.
    pub settle: fn(),
    /// From now on it retains no more than so many bytes.
    pub retain_at_most: fn(usize),
}

/// The general allocator, if it is one that can; null: nobody knows.
static ALLOCATOR: AtomicPtr<Allocator> = AtomicPtr::new(ptr::null_mut());

/// From now on this is the general allocator.
pub fn use_allocator(a: &'static Allocator) {
    // Release, paired with the acquire in `allocator`: what it refers to was made before.
    ALLOCATOR.store(ptr::from_ref(a).cast_mut(), Ordering::Release);
    check();
    has_reserve();
}

fn allocator() -> Option<&'static Allocator> {
    // SAFETY: null, or what `use_allocator` was given.
    unsafe { ALLOCATOR.load(Ordering::Acquire).as_ref() }
}

/// Bytes of address space that the process may have; `None` if there is no limit.
fn limit() -> Option<usize> {
    // Miri does not know the call.
    if cfg!(miri) {
        return None;
    }
    // SAFETY: an all-zero `rlimit` is valid, and valid for writing.
    let most = unsafe {
        let mut r: libc::rlimit = std::mem::zeroed();
        if libc::getrlimit(libc::RLIMIT_AS, &raw mut r) != 0 || r.rlim_cur == libc::RLIM_INFINITY {
            return None;
        }
        r.rlim_cur
    };
    usize::try_from(most).ok()
}

/// Bytes to be left to those who cannot be refused.
fn kept() -> usize {
    let whole_pages = |n: usize| n & !(os::page_size() - 1);
    limit().map_or(0, |most| {
        whole_pages(
            (most / PART)
                .max(LITTLE.min(most / PART_OF_LITTLE))
                .min(MOST),
        )
    })
}

/// Looks whether there is a limit: a process may get one, or another one, while it runs. To be called when the general allocator has taken
/// more from the system, too.
pub fn check() {
    // SAFETY: the address of errno is valid for the life of the thread. It is as before for whoever allocates.
    let errno = unsafe { &mut *libc::__errno_location() };
    let before = *errno;
    let kept = kept();
    *errno = before;
    if kept != KEPT.load(Ordering::Relaxed) {
        KEPT.store(kept, Ordering::Relaxed);
        if let Some(a) = allocator() {
            (a.keep)(kept);
        }
    }
}

/// Whether all that is kept is there, after a look whether there is a limit.
pub fn has_reserve() -> bool {
    check();
    !is_short()
}

/// Whether the process had a limit when that was looked at last ([`check`]).
pub fn is_limited() -> bool {
    KEPT.load(Ordering::Relaxed) != 0
}

/// Whether what is kept is being used up, for somebody who is about to take something and can be refused.
#[inline]
pub fn is_short() -> bool {
    KEPT.load(Ordering::Relaxed) != 0 && is_short_now()
}

#[inline(never)]
fn is_short_now() -> bool {
    match allocator() {
        Some(a) => !(a.fill)() && (!URGENT.get() || (a.held)() < asked_to_be_held()),
        None => {
            // The system is asked each time, which takes a thousand times as long as most of what asks.
            let unasked = UNASKED.get();
            if unasked > 0 {
                UNASKED.set(unasked - 1);
                return false;
            }
            let short = !could_map(asked_to_be_held());
            UNASKED.set(if short { 0 } else { ASKED_EACH - 1 });
            short
        }
    }
}

/// What `map` maps or makes larger by `bytes`; `None` if the system refuses. See [`made`].
pub(crate) fn mapped(bytes: usize, map: impl Fn() -> Option<NonNull<u8>>) -> Option<NonNull<u8>> {
    if faults::check(Door::Map).is_err() {
        return None;
    }
    let mapped = map().or_else(|| if make_room(bytes) { map() } else { None });
    if mapped.is_some() || bytes > URGENT_AT_MOST || !URGENT.get() {
        return mapped;
    }
    let a = allocator().filter(|_| KEPT.load(Ordering::Relaxed) != 0)?;
    let spare = (a.held)().saturating_sub(asked_to_be_held());
    from_what_is_held(a, bytes, spare, &map)
}

/// What `map` maps, where up to `spare` bytes of what is held may be given for it.
fn from_what_is_held(
    a: &Allocator,
    bytes: usize,
    spare: usize,
    map: impl Fn() -> Option<NonNull<u8>>,
) -> Option<NonNull<u8>> {
    if bytes > spare && !could_map_with(bytes - spare, a) {
        return None;
    }
    let free = (a.unmap)(bytes);
    (a.give_up)(bytes.saturating_sub(free).min(spare));
    map()
}

/// As [`mapped`], from what is kept if need be, but for half of it: for what it takes to give memory back.
pub(crate) fn mapped_at_last(
    bytes: usize,
    map: impl Fn() -> Option<NonNull<u8>>,
) -> Option<NonNull<u8>> {
    mapped(bytes, &map).or_else(|| {
        let a = allocator().filter(|_| KEPT.load(Ordering::Relaxed) != 0)?;
        let half = (a.held)() / 2;
        from_what_is_held(a, bytes, half, &map)
    })
}

/// Whether `make` did what takes so many bytes of address space, or did it when the general allocator had given what it does not use back to
/// the system.
pub fn made(bytes: usize, mut make: impl FnMut() -> bool) -> bool {
    make() || make_room(bytes) && make()
}

/// Has the general allocator give addresses back so that `bytes` can be mapped. False if it has not enough of them.
pub fn make_room(bytes: usize) -> bool {
    let Some(a) = allocator().filter(|_| KEPT.load(Ordering::Relaxed) != 0) else {
        return false;
    };
    could_map_with(bytes, a) && (a.unmap)(bytes) > 0
}

/// Whether so many bytes can be mapped if the general allocator gives back what it does not use.
fn could_map_with(bytes: usize, a: &Allocator) -> bool {
    could_map(bytes.saturating_sub((a.spare)()))
}

/// Before so many bytes are copied: what is retained for later would come on top of the copy.
pub(crate) fn before_copy(bytes: usize) {
    const LARGE: usize = 8 << 20;
    if let Some(a) = allocator().filter(|_| bytes >= LARGE) {
        let _ = (a.give_back)();
    }
}

/// Threads may take so many bytes: what the allocator retains beside is a small part of that.
pub fn limit_is(bytes: usize) {
    const PART: usize = 8;
    if let Some(a) = allocator() {
        (a.retain_at_most)(bytes / PART);
    }
}

/// When a program has asked for a collection: what is retained for later goes back to the system.
pub fn give_back() {
    if let Some(a) = allocator() {
        let _ = (a.give_back)();
    }
}

/// A thread is about to wait, or has collected its heap: what those that have ended have left in the general allocator goes back to the system, if
/// that may be much.
pub fn settle() {
    if let Some(a) = allocator() {
        (a.settle)();
    }
}

/// Bytes of address space that the process may still map, or keeps; `None` if there is no limit.
pub fn left() -> Option<usize> {
    let most = limit()?;
    let pages = samite_world::files::text("/proc/self/statm").ok()?;
    let pages: usize = pages.split(' ').next()?.parse().ok()?;
    let kept = if has_reserve() {
        KEPT.load(Ordering::Relaxed)
    } else {
        0
    };
    Some((most + kept).saturating_sub(pages * os::page_size()))
}

/// Whether so many bytes could be mapped now.
fn could_map(bytes: usize) -> bool {
    bytes == 0 || os::find_room(os::whole_pages(bytes), os::page_size()).is_some()
}

/// Whether so many bytes are there for a process that begins. Nothing is allocated.
pub fn has_room_to_start(bytes: usize) -> bool {
    limit().is_none() || could_map(bytes)
}

/// Whether so many bytes can be mapped or allocated, by somebody else, and what is kept is there.
pub fn has_room(bytes: usize) -> bool {
    has_reserve()
        && (KEPT.load(Ordering::Relaxed) == 0
            || could_map(bytes)
            || allocator().is_some_and(|a| could_map_with(bytes, a)))
}

/// Whether so many bytes can be mapped, and then as much as those that there are need to go on: for a thread, whose stack may be one that the
/// system's library has kept of another thread, and is taken from their part if not, or from what is mapped if it is large.
pub fn leaves_enough(bytes: usize, stack: usize) -> bool {
    let most = KEPT.load(Ordering::Relaxed);
    has_reserve() && has_room(bytes + stack.saturating_sub(most) + 2 * most)
}
