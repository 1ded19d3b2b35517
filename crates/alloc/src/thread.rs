//! Which heap the calling thread has, and what happens when threads start and end.
//!
//! ```text
//!          first allocation or free: acquire
//!   NEW ---------------------------------------> ATTACHED (heap set, key set: the destructor will run)
//!                                                    |  last round of thread-specific destructors: vacate
//!                                                    v
//!                                                  ENDED (later operations borrow a heap each)
//! ```
//!
//! The heap's address, or that of [`Nobody`](crate::heap::Nobody), is in a thread-local word with initial-exec access: one load relative to the thread pointer, no
//! call of the dynamic linker, which might allocate; two words of static thread-local space. Stable Rust makes
//! general-dynamic accesses in a shared library, so the word is declared in assembly on x86-64 Linux.
//!
//! Signal handlers find the thread's heap busy if they interrupted an operation on it ([`Heap::enter`]), and borrow another
//! one. A handler that never returns leaves the heap busy for ever; the thread then borrows for every operation.
//!
//! The destructor re-arms itself until the last round that the system makes, so that destructors of other keys, which
//! may free and allocate, still find the heap.

use crate::heap::{self, Heap, nobody};
use crate::{adopt, heaps, region};
use core::ptr;
use core::sync::atomic::{AtomicU32, Ordering};

#[cfg(all(target_arch = "x86_64", target_os = "linux", not(miri)))]
mod local {
    use crate::heap::Heap;
    use core::arch::{asm, global_asm};

    global_asm!(
        ".pushsection .tdata.samite_alloc,\"awT\",@progbits",
        ".globl samite_alloc_local",
        ".hidden samite_alloc_local",
        ".type samite_alloc_local,@object",
        ".size samite_alloc_local,16",
        ".p2align 4",
        "samite_alloc_local:",
        ".quad {nobody}",
        ".quad 0",
        ".popsection",
        nobody = sym crate::heap::NOBODY,
    );

    /// The heap of the thread, or nobody's.
    #[inline(always)]
    pub fn heap_or_nobody() -> *mut Heap {
        let p;
        // SAFETY: loads the first word of the thread's own copy.
        unsafe {
            asm!(
                "mov {p}, qword ptr [rip + samite_alloc_local@GOTTPOFF]",
                "mov {p}, qword ptr fs:[{p}]",
                p = out(reg) p,
                options(nostack, readonly, preserves_flags),
            );
        }
        p
    }

    /// Changes the heap of the thread; returns what it was. One instruction, so no signal comes between.
    pub fn swap_heap(mut p: *mut Heap) -> *mut Heap {
        // SAFETY: changes the first word of the thread's own copy.
        unsafe {
            asm!(
                "mov {t}, qword ptr [rip + samite_alloc_local@GOTTPOFF]",
                "xchg qword ptr fs:[{t}], {p}",
                t = out(reg) _,
                p = inout(reg) p,
                options(nostack, preserves_flags),
            );
        }
        p
    }

    pub fn rounds() -> usize {
        let n;
        // SAFETY: loads the second word of the thread's own copy.
        unsafe {
            asm!(
                "mov {n}, qword ptr [rip + samite_alloc_local@GOTTPOFF]",
                "mov {n}, qword ptr fs:[{n} + 8]",
                n = out(reg) n,
                options(nostack, readonly, preserves_flags),
            );
        }
        n
    }

    pub fn set_rounds(n: usize) {
        // SAFETY: stores the second word of the thread's own copy.
        unsafe {
            asm!(
                "mov {t}, qword ptr [rip + samite_alloc_local@GOTTPOFF]",
                "mov qword ptr fs:[{t} + 8], {n}",
                t = out(reg) _,
                n = in(reg) n,
                options(nostack, preserves_flags),
            );
        }
    }
}

#[cfg(not(all(target_arch = "x86_64", target_os = "linux", not(miri))))]
mod local {
    use crate::heap::{Heap, NOBODY};
    use core::cell::Cell;

    // Constant and without destructor: the compiler makes plain thread-local words of these.
    std::thread_local! {
        static HEAP: Cell<*mut Heap> = const { Cell::new((&raw const NOBODY).cast_mut().cast()) };
        static ROUNDS: Cell<usize> = const { Cell::new(0) };
    }

    /// The heap of the thread, or nobody's.
    #[inline(always)]
    pub fn heap_or_nobody() -> *mut Heap {
        HEAP.get()
    }
    pub fn swap_heap(p: *mut Heap) -> *mut Heap {
        HEAP.replace(p)
    }
    pub fn rounds() -> usize {
        ROUNDS.get()
    }
    pub fn set_rounds(n: usize) {
        ROUNDS.set(n);
    }
}

pub use local::heap_or_nobody;

/// The heap of the thread, or null.
#[inline]
pub fn heap() -> *mut Heap {
    or_null(local::heap_or_nobody())
}

fn or_null(heap: *mut Heap) -> *mut Heap {
    if heap == nobody() {
        ptr::null_mut()
    } else {
        heap
    }
}

/// Rounds of destructors that the system makes for a thread that ends (POSIX: at least 4, and glibc and musl make 4).
const LAST_ROUND: usize = 4;
/// Rounds counted for a thread that has given its heap up.
const ENDED: usize = LAST_ROUND + 1;

/// The key whose destructor ends threads, plus 1; 0 before it exists.
static KEY: AtomicU32 = AtomicU32::new(0);

fn key() -> Option<libc::pthread_key_t> {
    let known = KEY.load(Ordering::Relaxed);
    if known != 0 {
        return Some((known - 1) as libc::pthread_key_t);
    }
    let mut fresh: libc::pthread_key_t = 0;
    // SAFETY: the destructor has the signature and lives as long as the program.
    unsafe {
        if libc::pthread_key_create(&mut fresh, Some(destructor)) != 0 {
            return None;
        }
    }
    // Relaxed: a number.
    match KEY.compare_exchange(0, fresh as u32 + 1, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => Some(fresh),
        Err(other) => {
            // SAFETY: nobody else knows the key.
            unsafe { libc::pthread_key_delete(fresh) };
            Some((other - 1) as libc::pthread_key_t)
        }
    }
}

unsafe extern "C" fn destructor(value: *mut core::ffi::c_void) {
    let round = local::rounds() + 1;
    local::set_rounds(round);
    if round < LAST_ROUND
        && let Some(key) = key()
    {
        // SAFETY: the key exists.
        if unsafe { libc::pthread_setspecific(key, value) } == 0 {
            return;
        }
    }
    detach();
}

/// Gives the heap of the calling thread up for good. Done by itself when a thread ends.
pub fn detach() {
    local::set_rounds(ENDED);
    let heap = or_null(local::swap_heap(nobody()));
    // A thread that is ended by a signal handler in the middle of an operation leaves a heap behind that nobody can use.
    // SAFETY: the heap of a thread is its own.
    unsafe {
        if !heap.is_null() && Heap::enter(heap) {
            adopt::vacate(heap);
        }
    }
}

/// Gives the thread a heap. Null if there is no memory, or if the thread has ended.
#[cold]
#[inline(never)]
pub fn attach() -> *mut Heap {
    if local::rounds() == ENDED {
        return ptr::null_mut();
    }
    let heap = adopt::acquire();
    if heap.is_null() {
        return heap;
    }
    // Still busy: see `after_fork`.
    let other = or_null(local::swap_heap(heap));
    // SAFETY: a signal handler was quicker and attached the other heap. It has returned since, so nobody uses it. The heap
    // that was acquired was entered.
    unsafe {
        if !other.is_null() && Heap::enter(other) {
            adopt::vacate(other);
        }
        Heap::exit(heap);
    }
    // This may allocate.
    if let Some(key) = key() {
        // SAFETY: the key exists. If it fails the heap stays with the thread for ever.
        unsafe { libc::pthread_setspecific(key, heap.cast()) };
    }
    heap
}

/// Calls `f` with the heap of the thread, entered, or with one borrowed for the duration if the thread has ended or is in
/// the middle of another operation. `None` if there is none to be had.
pub fn with_heap<R>(f: impl FnOnce(*mut Heap) -> R) -> Option<R> {
    let mut heap = heap();
    if heap.is_null() {
        heap = attach();
    }
    // SAFETY: the heap of a thread is its own, and a borrowed one the borrower's.
    unsafe {
        if !heap.is_null() && Heap::enter(heap) {
            let r = f(heap);
            Heap::exit(heap);
            return Some(r);
        }
        let borrowed = adopt::acquire();
        if borrowed.is_null() {
            return None;
        }
        let r = f(borrowed);
        adopt::leave(borrowed, true);
        Some(r)
    }
}

/// In the child of a fork: gives up the heaps of the threads that are not there any more, except those that were in the middle of
/// an operation. What the parent's memory was at the fork is what some moment of each thread left, because stores become
/// visible in order and a page that is being copied cannot be written to; so a heap that is not busy is whole.
///
/// A thread that forks in a signal handler may have been about to take a heap over, which then looks like one of a thread
/// that vanished. It has no heap of its own then, or is busy with it; so nothing is given up in these cases.
///
/// # Safety
/// There is no other thread.
unsafe fn after_fork() {
    let own = heap();
    // SAFETY: the heap of a thread is its own.
    if own.is_null() || unsafe { Heap::is_busy(own) } {
        return;
    }
    for id in 1..heaps::made() {
        let heap = heap::heap(id as u64);
        // SAFETY: the memory of the heap is there; if somebody owns it, that is this thread or one that vanished.
        unsafe {
            if heap != own && !Heap::is_busy(heap) {
                let registry = heaps::registry();
                if !registry.is_vacant(id) {
                    // One that is not made has nothing in it: its thread vanished before, or after it retired it.
                    let made = Heap::is_made(heap);
                    if made {
                        Heap::offer(heap);
                    }
                    registry.vacate(id, made);
                }
            }
        }
    }
}

extern "C" fn child() {
    region::forget_growing();
    // SAFETY: the child of a fork has one thread.
    unsafe { after_fork() };
}

/// Runs when the program or the library is loaded, so that no allocation has to do with the lock that this takes.
extern "C" fn at_load() {
    // SAFETY: the handler lives as long as the program, or is removed with the library. If there is no memory for it, children
    // of forks work all the same.
    unsafe { libc::pthread_atfork(None, None, Some(child)) };
}

#[used]
#[cfg_attr(
    all(target_os = "linux", not(miri)),
    unsafe(link_section = ".init_array")
)]
static AT_LOAD: extern "C" fn() = at_load;
