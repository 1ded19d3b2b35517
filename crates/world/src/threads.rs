//! Threads of the system, what they need of it, and sleeping.

use crate::faults::{self, Door};
use crate::files;
use crate::resting::{self, Kind, Rest, Work};
use std::ffi::{CString, c_void};
use std::io::{Read, Write};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::Duration;

/// More than the system maps beside a stack so that what overruns it is noticed.
pub const GUARD: usize = 1 << 16;

/// Runs `f` on a detached thread of its own; false if the system has none. It may be one that has done such work before: `f` is to leave nothing behind in it, and is one
/// of many that are short. `over` is what it does before it ends as there was no more of it for a moment. Else as [`spawn`].
pub fn spawn_for(
    name: &str,
    stack: usize,
    make_room: impl FnOnce(usize) -> bool,
    over: fn(),
    f: impl FnOnce() + Send + 'static,
) -> bool {
    let stack = rounded(stack);
    if faults::check(Door::Thread).is_err() {
        return false;
    }
    let work = named(name, f);
    // Relaxed: who has bound a thread has done so before he, or whom he has told of it, comes here.
    if ARE_BOUND.load(Ordering::Relaxed) {
        return make(stack, make_room, work, None);
    }
    let kind = Kind {
        stack,
        mask: masked(),
        process: std::process::id(),
    };
    match resting::hand(kind, work) {
        Ok(()) => true,
        Err(work) => make(stack, make_room, work, Some(Rest { kind, over })),
    }
}

/// Some thread has been bound to processors, so that those of its process are not alike.
static ARE_BOUND: AtomicBool = AtomicBool::new(false);

/// The signals that the calling thread does not hear of, as the system's bits.
fn masked() -> u64 {
    // SAFETY: a set of signals, filled in before it is used.
    let set = unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::pthread_sigmask(libc::SIG_BLOCK, std::ptr::null(), &mut set);
        set
    };
    // SAFETY: as above; these are signals.
    let is_in = |signal: &i32| unsafe { libc::sigismember(&set, *signal) == 1 };
    (1..64)
        .filter(is_in)
        .fold(0, |mask, signal| mask | 1 << signal)
}

/// Runs `f` on a new, detached thread; false if the system has none. If it refuses, `make_room` is asked for so many bytes of address space,
/// and says whether it may be asked once more.
///
/// The Rust library's way to make one ends the process if the new thread can have no stack for signal handlers; a thread of ours
/// recurses on nothing, so it needs none, and is made by the system's call, which only says no.
///
/// Ctrl-C is never handled in the new thread, but in those that the host has made: whose system call it has ended, there its handler has run before
/// that call returns.
pub fn spawn(
    name: &str,
    stack: usize,
    make_room: impl FnOnce(usize) -> bool,
    f: impl FnOnce() + Send + 'static,
) -> bool {
    faults::check(Door::Thread).is_ok() && make(rounded(stack), make_room, named(name, f), None)
}

/// The size of a stack of so many bytes.
fn rounded(stack: usize) -> usize {
    stack.next_multiple_of(1 << 16)
}

/// What a thread of that name does.
fn named(name: &str, f: impl FnOnce() + Send + 'static) -> Work {
    #[cfg(target_os = "linux")]
    if let Ok(name) = CString::new(name.get(..15).unwrap_or(name))
        && !name.is_empty()
    {
        return Box::new(move || {
            // SAFETY: the calling thread, and a text that ends in zero; a name that does not fit changes nothing.
            unsafe { libc::pthread_setname_np(libc::pthread_self(), name.as_ptr()) };
            f();
        });
    }
    Box::new(f)
}

/// Has a new thread do some work, and then more of it, if it rests.
fn make(
    stack: usize,
    make_room: impl FnOnce(usize) -> bool,
    work: Work,
    rest: Option<Rest>,
) -> bool {
    let work = Box::new(First { work, rest });
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
        let set_up =
            libc::pthread_attr_setdetachstate(&mut attributes, libc::PTHREAD_CREATE_DETACHED) == 0
                && libc::pthread_attr_setstacksize(&mut attributes, stack) == 0;
        // It begins with the mask of who makes it.
        let before = mask_interrupts();
        let mut make = || libc::pthread_create(&mut thread, &attributes, start, work.cast()) == 0;
        let made = set_up && (make() || make_room(stack + GUARD) && make());
        libc::pthread_sigmask(libc::SIG_SETMASK, &before, std::ptr::null_mut());
        libc::pthread_attr_destroy(&mut attributes);
        if !made {
            drop(Box::from_raw(work));
        }
        made
    }
}

/// Keeps SIGINT from the calling thread; the mask before.
fn mask_interrupts() -> libc::sigset_t {
    // SAFETY: sets of signals, filled in before they are used.
    unsafe {
        let mut before: libc::sigset_t = std::mem::zeroed();
        let mut interrupts: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut interrupts);
        libc::sigaddset(&mut interrupts, libc::SIGINT);
        libc::pthread_sigmask(libc::SIG_BLOCK, &interrupts, &mut before);
        before
    }
}

/// What a new thread begins with.
struct First {
    work: Work,
    /// How it rests when that is done, if it does.
    rest: Option<Rest>,
}

extern "C" fn start(first: *mut c_void) -> *mut c_void {
    // SAFETY: `make` hands over a `First`, once.
    let First { work, rest } = *unsafe { Box::from_raw(first.cast::<First>()) };
    let mut name = [0 as libc::c_char; 16];
    // SAFETY: the calling thread's name, that of who has made it, in a buffer as long as it may be.
    unsafe { libc::pthread_getname_np(libc::pthread_self(), name.as_mut_ptr(), name.len()) };
    let mut next = Some(work);
    while let Some(work) = next {
        // A panic has been reported by its hook; what the thread held is gone, as told by those who dropped it.
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        next = match rest.filter(|_| done.is_ok()) {
            Some(rest) => {
                // SAFETY: the calling thread, and the text of before, which ends in zero.
                unsafe { libc::pthread_setname_np(libc::pthread_self(), name.as_ptr()) };
                resting::more_work(rest)
            }
            None => None,
        };
    }
    resting::end();
    std::ptr::null_mut()
}

/// Whether the system's library has the memory for what a thread allocates of it, such as its list of destructors, of which it makes no
/// error but the end of the process.
pub fn c_library_has_room() -> bool {
    const FOR_A_THREAD: usize = 16 << 10;
    // SAFETY: a block of its own, given back at once.
    unsafe {
        let p = std::hint::black_box(libc::malloc(FOR_A_THREAD));
        libc::free(p);
        !p.is_null()
    }
}

/// Does nothing for a time at least. A fault is a delay.
pub fn sleep(time: Duration) {
    let late = faults::number(Door::Sleep).map_or(0, |n| n % 20);
    std::thread::sleep(time + Duration::from_millis(late));
}

/// The calling thread, for [`kick`].
pub fn me() -> u64 {
    // SAFETY: no conditions.
    unsafe { libc::pthread_self() as u64 }
}

/// The system's number of the calling thread.
pub fn number() -> u64 {
    // SAFETY: a system call without arguments that always succeeds.
    unsafe { libc::gettid() as u64 }
}

/// The signal that interrupts a call of the system; 0: none does, and what blocks in one ends by itself. At first one that nobody else uses without
/// sockets.
static ALERT: AtomicI32 = AtomicI32::new(libc::SIGURG);

/// The signal that [`kick`] sends.
pub fn alert() -> i32 {
    // Relaxed: a number that stands for itself.
    ALERT.load(Ordering::Relaxed)
}

/// Has [`kick`] send another signal, or none if it is 0; false if a program cannot handle that.
pub fn set_alert(signal: i32) -> bool {
    if signal != 0 && !handle_alert(signal) {
        return false;
    }
    // Relaxed: as above.
    ALERT.store(signal, Ordering::Relaxed);
    true
}

extern "C" fn on_kick(_signal: libc::c_int) {}

/// Has the system interrupt the call in which a thread is, which lives.
pub fn kick(thread: u64) {
    static HANDLED: AtomicI32 = AtomicI32::new(0);
    let signal = alert();
    if signal == 0 {
        return;
    }
    // Relaxed: handled once more, it stays the same.
    if HANDLED.load(Ordering::Relaxed) != signal && handle_alert(signal) {
        HANDLED.store(signal, Ordering::Relaxed);
    }
    // SAFETY: the thread lives.
    unsafe { libc::pthread_kill(thread as libc::pthread_t, signal) };
}

/// Has a signal do nothing but interrupt. The host's own handler, if it has one, stays. False if the system refuses.
fn handle_alert(signal: i32) -> bool {
    // SAFETY: the action is a plain struct, filled in here; the handler does nothing.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        if libc::sigaction(signal, std::ptr::null(), &mut action) != 0 {
            return false;
        }
        if action.sa_sigaction != libc::SIG_DFL && action.sa_sigaction != libc::SIG_IGN {
            return true;
        }
        action.sa_sigaction = on_kick as *const () as usize;
        // Calls of the system are not restarted.
        action.sa_flags = 0;
        libc::sigaction(signal, &action, std::ptr::null_mut()) == 0
    }
}

/// Names a thread of this process, by the system's number, for those who look at it from outside; a name that does not fit is cut.
pub fn set_name(thread: u64, name: &str) {
    let path = format!("/proc/self/task/{thread}/comm");
    let mut end = name.len().min(15);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    // Where there is no such file nobody looks.
    if let Ok(mut file) = files::File::open(&path, std::fs::OpenOptions::new().write(true)) {
        let _ = file.write_all(&name.as_bytes()[..end]);
    }
}

/// Mappings that the process may have.
pub fn mapping_limit() -> usize {
    static LIMIT: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    match cfg!(target_os = "linux") {
        true => *LIMIT.get_or_init(|| {
            let text = files::text("/proc/sys/vm/max_map_count").ok();
            text.and_then(|t| t.trim().parse().ok()).unwrap_or(65_530)
        }),
        false => usize::MAX,
    }
}

/// Mappings that it has; 0 if that cannot be said, which is no reason to refuse any.
pub fn mappings() -> usize {
    let Ok(mut maps) = files::File::open("/proc/self/maps", std::fs::OpenOptions::new().read(true))
    else {
        return 0;
    };
    let mut lines = 0;
    let mut buffer = [0u8; 4096];
    while let Ok(n @ 1..) = maps.read(&mut buffer) {
        lines += buffer[..n].iter().filter(|&&b| b == b'\n').count();
    }
    lines
}

/// Processors that the process may use.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A set of processors.
#[derive(Clone, Copy)]
pub struct Cpus(#[cfg(target_os = "linux")] libc::cpu_set_t);

#[cfg(target_os = "linux")]
impl Cpus {
    /// Whether the machine has this one. (Who is bound to others now may be bound to it again.)
    pub fn exists(cpu: usize) -> bool {
        // SAFETY: asks for a number.
        let configured = unsafe { libc::sysconf(libc::_SC_NPROCESSORS_CONF) };
        let known = usize::try_from(configured).unwrap_or(0);
        cpu < known.min(libc::CPU_SETSIZE as usize)
    }
    /// The set of these, each of which [`Cpus::exists`].
    pub fn new(cpus: &[usize]) -> Cpus {
        // SAFETY: all zeros is the empty set; the numbers are inside of it.
        unsafe {
            let mut set: libc::cpu_set_t = std::mem::zeroed();
            cpus.iter().for_each(|&cpu| libc::CPU_SET(cpu, &mut set));
            Cpus(set)
        }
    }
    /// Those of a thread, by the system's number; `None` if there is no such thread.
    pub fn of(thread: u64) -> Option<Cpus> {
        // SAFETY: a set of the size that is told.
        unsafe {
            let mut set: libc::cpu_set_t = std::mem::zeroed();
            let known = libc::sched_getaffinity(
                libc::pid_t::try_from(thread).ok()?,
                size_of::<libc::cpu_set_t>(),
                &mut set,
            );
            (known == 0).then_some(Cpus(set))
        }
    }
    /// Their numbers.
    pub fn numbers(&self) -> impl Iterator<Item = usize> {
        // SAFETY: the numbers are inside of the set.
        (0..libc::CPU_SETSIZE as usize).filter(|&cpu| unsafe { libc::CPU_ISSET(cpu, &self.0) })
    }
    /// A thread, by the system's number, runs nowhere else from now on; false if the system refuses.
    pub fn bind_thread(&self, thread: u64) -> bool {
        let Ok(thread) = libc::pid_t::try_from(thread) else {
            return false;
        };
        ARE_BOUND.store(true, Ordering::Relaxed);
        // SAFETY: a set of the size that is told.
        unsafe { libc::sched_setaffinity(thread, size_of::<libc::cpu_set_t>(), &self.0) == 0 }
    }
    /// The calling thread runs nowhere else from now on.
    pub fn bind(&self) {
        // SAFETY: a set of the size that is told; a refusal changes nothing.
        unsafe { libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &self.0) };
    }
}

#[cfg(not(target_os = "linux"))]
impl Cpus {
    /// Whether the process may run on this one.
    pub fn exists(cpu: usize) -> bool {
        cpu < processors()
    }
    /// The set of these.
    pub fn new(_: &[usize]) -> Cpus {
        Cpus()
    }
    /// Elsewhere the scheduler takes no advice.
    pub fn bind(&self) {}
    /// The same of another thread.
    pub fn bind_thread(&self, _: u64) -> bool {
        true
    }
    /// All.
    pub fn of(_: u64) -> Option<Cpus> {
        Some(Cpus())
    }
    /// Their numbers.
    pub fn numbers(&self) -> impl Iterator<Item = usize> {
        0..processors()
    }
}
