//! OS threads for Prolog threads.
//!
//! The Rust library's way to make one ends the process if the new thread can have no stack for signal handlers; a thread of ours
//! recurses on nothing, so it needs none, and is made by the system's call, which only says no.
//!
//! The system also limits the number of mappings of a process (Linux: `vm.max_map_count`), and past that limit *every*
//! allocation fails, whoever makes it. So the last eighth is not for threads:
//! `mappings when counted last + MAPPINGS × threads made since ≤ 7/8 of the limit`, or they are counted again.

use samite_heap::address_space;
use samite_sched::apart::Threads;
use std::ffi::{CString, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};

/// More mappings than a thread makes: stack and guard, nursery, registers, choicepoints, its share of the allocator (5 or 6 measured).
const MAPPINGS: usize = 24;

/// Runs `f` on a new, detached OS thread. False if the system has none left.
pub(crate) fn spawn(name: &str, stack: usize, f: impl FnOnce() + Send + 'static) -> bool {
    if !room_for_mappings() || !address_space::has_reserve() || !has_room_in_the_c_library() {
        return false;
    }
    let stack = stack.next_multiple_of(1 << 16);
    let work: Box<Work> = Box::new(Work {
        name: CString::new(name.get(..15).unwrap_or(name)).ok(),
        run: Box::new(f),
    });
    let work = Box::into_raw(work);
    // SAFETY: the attributes are initialised before use and destroyed after it; `start` takes over `work` if there is a new thread,
    // else we take it back.
    unsafe {
        let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
        if libc::pthread_attr_init(&mut attributes) != 0 {
            drop(Box::from_raw(work));
            return false;
        }
        let mut thread: libc::pthread_t = std::mem::zeroed();
        let made =
            libc::pthread_attr_setdetachstate(&mut attributes, libc::PTHREAD_CREATE_DETACHED) == 0
                && libc::pthread_attr_setstacksize(&mut attributes, stack) == 0
                && address_space::made(stack + GUARD, || {
                    libc::pthread_create(&mut thread, &attributes, start, work.cast()) == 0
                });
        libc::pthread_attr_destroy(&mut attributes);
        if !made {
            drop(Box::from_raw(work));
        }
        made
    }
}

/// More than the system maps beside a stack so that what overruns it is noticed.
const GUARD: usize = 1 << 16;

/// Whether the system's library has the memory for what a thread allocates of it, such as its list of destructors, of which it makes no
/// error but the end of the process.
fn has_room_in_the_c_library() -> bool {
    const FOR_A_THREAD: usize = 16 << 10;
    // SAFETY: a block of its own, given back at once.
    unsafe {
        let p = std::hint::black_box(libc::malloc(FOR_A_THREAD));
        libc::free(p);
        !p.is_null()
    }
}

struct Work {
    name: Option<CString>,
    run: Box<dyn FnOnce() + Send>,
}

extern "C" fn start(work: *mut c_void) -> *mut c_void {
    // SAFETY: `spawn` hands over a `Work`, once.
    let work = unsafe { Box::from_raw(work.cast::<Work>()) };
    #[cfg(target_os = "linux")]
    if let Some(name) = work.name.as_ref().filter(|n| !n.is_empty()) {
        // SAFETY: the calling thread, and a text that ends in zero; a name that does not fit changes nothing.
        unsafe { libc::pthread_setname_np(libc::pthread_self(), name.as_ptr()) };
    }
    // A panic has been reported by its hook; what the thread held is gone, as told by those who dropped it.
    let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work.run));
    std::ptr::null_mut()
}

/// Stack of a thread that calls nothing that is deep.
const SMALL_STACK: usize = 128 << 10;

/// The thread that lets timers go off.
pub(crate) fn timers(run: Box<dyn FnOnce() + Send>) -> bool {
    spawn("timers", SMALL_STACK, run)
}

/// Threads that make calls for others.
pub(crate) const APART: Threads = Threads {
    spawn: |f| spawn("apart", SMALL_STACK, f),
    me: || {
        // SAFETY: no conditions.
        unsafe { libc::pthread_self() as u64 }
    },
    kick,
};

/// The signal that interrupts a call of the system: nobody else uses it without sockets.
const KICK: libc::c_int = libc::SIGURG;

extern "C" fn on_kick(_signal: libc::c_int) {}

/// Has the system interrupt the call in which a thread is.
fn kick(thread: u64) {
    static HANDLED: std::sync::Once = std::sync::Once::new();
    // SAFETY: the action is a plain struct, filled in here; the handler does nothing, and the host's own, if it has one, stays. The thread lives:
    // see `apart`.
    unsafe {
        HANDLED.call_once(|| {
            let mut action: libc::sigaction = std::mem::zeroed();
            if libc::sigaction(KICK, std::ptr::null(), &mut action) == 0
                && (action.sa_sigaction == libc::SIG_DFL || action.sa_sigaction == libc::SIG_IGN)
            {
                action.sa_sigaction = on_kick as *const () as usize;
                // Calls of the system are not restarted.
                action.sa_flags = 0;
                libc::sigaction(KICK, &action, std::ptr::null_mut());
            }
        });
        libc::pthread_kill(thread as libc::pthread_t, KICK);
    }
}

/// Mappings when counted last, and threads made since, which a thread that ended does not undo.
static COUNTED: AtomicUsize = AtomicUsize::new(0);
static SINCE: AtomicUsize = AtomicUsize::new(0);

/// Whether another thread leaves enough mappings to everybody else. Threads that ask at the same time may each count; the
/// eighth kept back is thousands of times what that can be wrong by.
fn room_for_mappings() -> bool {
    let limit = mapping_limit() / 8 * 7;
    // Relaxed: two counters, nothing else is read through them.
    let since = SINCE.fetch_add(1, Ordering::Relaxed) + 1;
    if COUNTED.load(Ordering::Relaxed) + MAPPINGS * since <= limit {
        return true;
    }
    let counted = mappings();
    COUNTED.store(counted, Ordering::Relaxed);
    SINCE.store(1, Ordering::Relaxed);
    counted + MAPPINGS <= limit
}

#[cfg(target_os = "linux")]
fn mapping_limit() -> usize {
    static LIMIT: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    *LIMIT.get_or_init(|| {
        let text = std::fs::read_to_string("/proc/sys/vm/max_map_count").ok();
        text.and_then(|t| t.trim().parse().ok()).unwrap_or(65_530)
    })
}

#[cfg(target_os = "linux")]
fn mappings() -> usize {
    use std::io::Read;
    // Unknown: no reason to refuse.
    let Ok(mut maps) = std::fs::File::open("/proc/self/maps") else {
        return 0;
    };
    let mut lines = 0;
    let mut buffer = [0u8; 4096];
    while let Ok(n @ 1..) = maps.read(&mut buffer) {
        lines += buffer[..n].iter().filter(|&&b| b == b'\n').count();
    }
    lines
}

#[cfg(not(target_os = "linux"))]
fn mapping_limit() -> usize {
    usize::MAX
}

#[cfg(not(target_os = "linux"))]
fn mappings() -> usize {
    0
}

/// A set of processors.
#[derive(Clone, Copy)]
pub(crate) struct Cpus(#[cfg(target_os = "linux")] libc::cpu_set_t);

#[cfg(target_os = "linux")]
impl Cpus {
    /// Whether the process may run on this one.
    pub(crate) fn exists(cpu: usize) -> bool {
        // SAFETY: a set of the size that is told; the number is inside of it.
        unsafe {
            let mut all: libc::cpu_set_t = std::mem::zeroed();
            let known = libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut all) == 0;
            known && cpu < libc::CPU_SETSIZE as usize && libc::CPU_ISSET(cpu, &all)
        }
    }
    /// The set of these, each of which [`Cpus::exists`].
    pub(crate) fn new(cpus: &[usize]) -> Cpus {
        // SAFETY: all zeros is the empty set; the numbers are inside of it.
        unsafe {
            let mut set: libc::cpu_set_t = std::mem::zeroed();
            cpus.iter().for_each(|&cpu| libc::CPU_SET(cpu, &mut set));
            Cpus(set)
        }
    }
    /// The calling thread runs nowhere else from now on.
    pub(crate) fn bind(&self) {
        // SAFETY: a set of the size that is told; a refusal changes nothing.
        unsafe { libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &self.0) };
    }
}

#[cfg(not(target_os = "linux"))]
impl Cpus {
    pub(crate) fn exists(cpu: usize) -> bool {
        std::thread::available_parallelism().is_ok_and(|n| cpu < n.get())
    }
    pub(crate) fn new(_: &[usize]) -> Cpus {
        Cpus()
    }
    /// Elsewhere the scheduler takes no advice.
    pub(crate) fn bind(&self) {}
}
