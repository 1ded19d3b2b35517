//! Scenes: what one process does under the library, and what must then be so.
//!
//! A scene returns a line for the reader, or what went wrong. Those that fork while other threads run use C memory
//! only in the child.

use samite_bench_alloc::block::Block;
use samite_bench_alloc::rng::Rng;
use samite_bench_alloc::{calls, process};
use std::ffi::c_void;
use std::process::ExitCode;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

type Scene = fn() -> Result<String, String>;

/// Name, what it checks, and the program.
pub const SCENES: &[(&str, &str, Scene)] = &[
    (
        "fork",
        "300 forks under 3 allocating threads, children allocate and start a thread",
        fork,
    ),
    (
        "short-threads",
        "20,000 short threads leave memory where it was",
        short_threads,
    ),
    (
        "thread-ends",
        "destructors of thread-specific data allocate in every round",
        thread_ends,
    ),
    (
        "signals",
        "a signal handler allocates and frees while the program does (C does not promise this)",
        signals,
    ),
    (
        "exhaustion",
        "under a limit malloc returns null, and the program goes on",
        exhaustion,
    ),
    (
        "release",
        "200 MB of small objects freed are back in the system after 3 s",
        release,
    ),
    (
        "large-release",
        "large blocks freed are back in the system after 3 s",
        large_release,
    ),
];

/// Plays one scene in this process.
pub fn play(name: &str) -> ExitCode {
    let Some((.., scene)) = SCENES.iter().find(|(n, ..)| *n == name) else {
        eprintln!("no scene {name}");
        return ExitCode::from(2);
    };
    // A preload that did not take would check the wrong library.
    if let Some(path) = std::env::var_os("LD_PRELOAD").filter(|p| !p.is_empty()) {
        match calls::origin() {
            Some(origin) if origin == *path => {}
            Some(origin) => {
                println!("malloc is from {}", origin.display());
                return ExitCode::FAILURE;
            }
            // `realpath` allocates.
            None => {
                println!("where malloc comes from cannot be told: does it refuse everything?");
                return ExitCode::FAILURE;
            }
        }
    }
    match scene() {
        Ok(said) => {
            println!("{said}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            println!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn megabytes(bytes: usize) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

/// Allocates and frees for a while.
fn churn(seed: u64, ops: usize) {
    let mut rng = Rng::new(seed, 0);
    let mut slots = [const { None::<Block> }; 200];
    for _ in 0..ops {
        let at = rng.below(slots.len());
        if let Some(old) = slots[at].replace(Block::new(rng.log_range(8, 1 << 16), rng.next_u64()))
        {
            old.free();
        }
    }
    for block in slots.into_iter().flatten() {
        block.free();
    }
}

extern "C" fn thread_of_child(_: *mut c_void) -> *mut c_void {
    churn(7, 500);
    null_mut()
}

/// What a child does; its exit status.
fn child(seed: u64) -> i32 {
    churn(seed, 500);
    let mut thread = std::mem::MaybeUninit::<libc::pthread_t>::zeroed();
    // SAFETY: the thread runs a function that lives on, and is joined only if it was started.
    let started = unsafe {
        libc::pthread_create(
            thread.as_mut_ptr(),
            std::ptr::null(),
            thread_of_child,
            null_mut(),
        ) == 0
            && libc::pthread_join(thread.assume_init(), null_mut()) == 0
    };
    churn(seed + 1, 500);
    if started { 0 } else { 3 }
}

fn fork() -> Result<String, String> {
    const FORKS: u64 = 300;
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for t in 0..3 {
            let stop = &stop;
            scope.spawn(move || {
                let mut n = t;
                // Relaxed: the threads are joined.
                while !stop.load(Ordering::Relaxed) {
                    churn(n, 1000);
                    n += 3;
                }
            });
        }
        let result = (0..FORKS).try_for_each(one_fork);
        stop.store(true, Ordering::Relaxed);
        result
    })?;
    Ok(format!("{FORKS} children ended well"))
}

fn one_fork(n: u64) -> Result<(), String> {
    // SAFETY: the child uses C memory only, which is what is checked, and ends by `_exit`.
    let pid = unsafe { libc::fork() };
    if pid == 0 {
        let code = child(n);
        // SAFETY: ends the child without the parent's handlers.
        unsafe { libc::_exit(code) };
    }
    // A child that hangs must not hang this process: 30 s are more than it ever needs.
    let mut status = 0;
    for _ in 0..30_000 {
        // SAFETY: `status` is a live local, `pid` a child that was not waited for yet.
        match unsafe { libc::waitpid(pid, &raw mut status, libc::WNOHANG) } {
            0 => std::thread::sleep(Duration::from_millis(1)),
            done if done == pid && status == 0 => return Ok(()),
            _ => return Err(format!("fork {n}: the child ended with status {status:#x}")),
        }
    }
    // SAFETY: as above.
    unsafe { libc::kill(pid, libc::SIGKILL) };
    Err(format!("fork {n}: the child hangs"))
}

/// Starts `count` threads, four at a time, each with a few blocks; some blocks are freed by another thread after
/// their maker's end.
fn start_threads(count: usize, seed: u64) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                // Relaxed: only the number matters.
                while next.fetch_add(1, Ordering::Relaxed) < count {
                    let short =
                        std::thread::Builder::new()
                            .stack_size(128 << 10)
                            .spawn(move || {
                                churn(seed, 50);
                                [(); 8].map(|()| Block::new(100, seed))
                            });
                    if let Ok(Ok(left)) = short.map(|t| t.join()) {
                        for block in left {
                            block.free();
                        }
                    }
                }
            });
        }
    });
}

fn short_threads() -> Result<String, String> {
    // What is cached goes up and down: the most after each of the first few groups of threads, and the least after each
    // of the last few. What every thread leaves behind adds up nevertheless.
    let groups = |threads: usize, seed| {
        [(); 5].map(|()| {
            start_threads(threads / 5, seed);
            process::resident()
        })
    };
    let before = groups(1000, 1).into_iter().fold(0, usize::max);
    start_threads(18_000, 2);
    let after = groups(2000, 3).into_iter().fold(usize::MAX, usize::min);
    let [before_mb, after_mb] = [before, after].map(megabytes);
    let said = format!("resident {before_mb} before, {after_mb} after");
    if after > before + before / 5 + (2 << 20) {
        Err(said)
    } else {
        Ok(said)
    }
}

/// The key of [`destructor`], and how often it ran.
static KEY: AtomicUsize = AtomicUsize::new(0);
static ROUNDS: AtomicUsize = AtomicUsize::new(0);

/// Frees the value, allocates, and sets a new value, so that it is called again as often as the system will.
extern "C" fn destructor(value: *mut c_void) {
    // SAFETY: the value is a block from malloc that only this thread knows; the key is live.
    unsafe {
        calls::free(value.cast());
        churn(9, 100);
        let again = calls::malloc(64);
        libc::pthread_setspecific(
            KEY.load(Ordering::Relaxed) as libc::pthread_key_t,
            again.cast(),
        );
    }
    ROUNDS.fetch_add(1, Ordering::Relaxed);
}

fn thread_ends() -> Result<String, String> {
    let mut key: libc::pthread_key_t = 0;
    // SAFETY: `key` is a live local, the destructor takes what `setspecific` is given.
    if unsafe { libc::pthread_key_create(&raw mut key, Some(destructor)) } != 0 {
        return Err("no key for thread-specific data".to_owned());
    }
    // Relaxed: threads are started after this.
    KEY.store(key as usize, Ordering::Relaxed);
    for _ in 0..200 {
        let thread = std::thread::spawn(move || {
            // The key's first value is set before this thread allocates anything else, or after.
            let p = calls::malloc(64);
            // SAFETY: the key is live; the value is a block of this thread.
            unsafe { libc::pthread_setspecific(key, p.cast()) };
            churn(3, 100);
        });
        thread.join().map_err(|_| "a thread panicked".to_owned())?;
    }
    let rounds = ROUNDS.load(Ordering::Relaxed);
    if rounds < 400 {
        return Err(format!("the destructor ran {rounds} times in 200 threads"));
    }
    Ok(format!("{rounds} calls of the destructor in 200 threads"))
}

/// How often the handler ran.
static SIGNALS: AtomicUsize = AtomicUsize::new(0);

/// Allocates and frees, whatever the program is doing just now.
extern "C" fn handler(_: libc::c_int) {
    let n = SIGNALS.fetch_add(1, Ordering::Relaxed);
    let errno = calls::errno();
    churn(n as u64, 20);
    calls::set_errno(errno);
}

fn signals() -> Result<String, String> {
    const WANTED: usize = 3000;
    let every = libc::timeval {
        tv_sec: 0,
        tv_usec: 200,
    };
    let timer = libc::itimerval {
        it_interval: every,
        it_value: every,
    };
    // SAFETY: an action of zeros is a valid one; the handler uses its own blocks and an atomic only. It runs on any
    // thread that is not asleep in the kernel.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler as *const () as usize;
        action.sa_flags = libc::SA_RESTART;
        if libc::sigaction(libc::SIGALRM, &raw const action, null_mut()) != 0
            || libc::setitimer(libc::ITIMER_REAL, &raw const timer, null_mut()) != 0
        {
            return Err("no timer".to_owned());
        }
    }
    std::thread::scope(|scope| {
        for t in 0..2 {
            scope.spawn(move || {
                let mut n = t;
                while SIGNALS.load(Ordering::Relaxed) < WANTED {
                    churn(n, 2000);
                    n += 2;
                }
            });
        }
    });
    let off = libc::timeval {
        tv_sec: 0,
        tv_usec: 0,
    };
    let off = libc::itimerval {
        it_interval: off,
        it_value: off,
    };
    // SAFETY: stops the timer.
    unsafe { libc::setitimer(libc::ITIMER_REAL, &raw const off, null_mut()) };
    Ok(format!("{} signals", SIGNALS.load(Ordering::Relaxed)))
}

/// Address space that this scene is started with, in KiB, as the shell's `ulimit -v` takes it. A limit that is set later
/// would not bind an allocator that has reserved its addresses already.
pub const EXHAUSTION_KIB: usize = 400_000;

fn exhaustion() -> Result<String, String> {
    // The table is there before memory ends.
    let mut blocks: Vec<*mut u8> = Vec::with_capacity(1 << 20);
    let mut counts = [0usize; 2];
    for round in 0..6 {
        let size = [1000, 100_000, 20_000, 3_000_000, 400, 9000][round];
        let refused = loop {
            calls::set_errno(0);
            let p = calls::malloc(size);
            if p.is_null() {
                break calls::errno();
            }
            // SAFETY: the ends of the block.
            unsafe {
                p.write(1);
                p.add(size - 1).write(2);
            }
            blocks.push(p);
            if blocks.len() == blocks.capacity() {
                return Err(format!(
                    "{} blocks of {size} bytes under the limit",
                    blocks.len()
                ));
            }
        };
        if refused != libc::ENOMEM {
            return Err(format!("errno {refused} in place of ENOMEM"));
        }
        // Other calls say the same.
        let (result, p) = calls::posix_memalign(64, 500 << 20, null_mut());
        if result != libc::ENOMEM || !p.is_null() {
            return Err(format!("posix_memalign: {result}, {p:p}"));
        }
        if let Some(first) = blocks.first() {
            // SAFETY: the block is live; a refused realloc leaves it.
            let moved = unsafe { calls::realloc(*first, 500 << 20) };
            // SAFETY: as above.
            if !moved.is_null() || unsafe { first.read() } != 1 {
                return Err("realloc beyond the limit".to_owned());
            }
        }
        counts[0] += blocks.len();
        counts[1] += 1;
        if round == 0 && blocks.len() * size < 100 << 20 {
            return Err(format!(
                "only {} blocks of {size} bytes in {EXHAUSTION_KIB} KiB",
                blocks.len()
            ));
        }
        for p in blocks.drain(..) {
            // SAFETY: live blocks, each once; what was written is still there.
            unsafe {
                if p.read() != 1 {
                    return Err("a block has changed".to_owned());
                }
                calls::free(p);
            }
        }
        // It goes on.
        churn(round as u64, 300);
    }
    Ok(format!("{} blocks in {} rounds", counts[0], counts[1]))
}

fn release() -> Result<String, String> {
    let mut rng = Rng::new(1, 1);
    let before = process::resident();
    let mut bytes = 0;
    let mut blocks: Vec<Block> = Vec::with_capacity(5 << 20);
    while bytes < 200 << 20 {
        let size = rng.log_range(16, 512);
        bytes += size;
        blocks.push(Block::new(size, bytes as u64));
    }
    let peak = process::resident();
    for at in (1..blocks.len()).rev() {
        blocks.swap(at, rng.below(at + 1));
    }
    for block in blocks {
        block.free();
    }
    settle("small blocks", before, peak, bytes)
}

fn large_release() -> Result<String, String> {
    let mut rng = Rng::new(2, 1);
    let before = process::resident();
    let mut bytes = 0;
    let mut blocks: Vec<Block> = Vec::with_capacity(10_000);
    while bytes < 300 << 20 {
        let size = rng.log_range(20_000, 8 << 20);
        bytes += size;
        let block = Block::new(size, bytes as u64);
        block.touch();
        blocks.push(block);
    }
    let peak = process::resident();
    for block in blocks {
        block.free();
    }
    settle("large blocks", before, peak, bytes)
}

/// Waits three seconds, in which the program does a little, and compares with the start.
fn settle(what: &str, before: usize, peak: usize, bytes: usize) -> Result<String, String> {
    for n in 0..30 {
        std::thread::sleep(Duration::from_millis(100));
        churn(n, 20);
    }
    let after = process::resident();
    let said = format!(
        "{what}: {} asked for; resident {} before, {} at the peak, {} after",
        megabytes(bytes),
        megabytes(before),
        megabytes(peak),
        megabytes(after)
    );
    if peak < before + bytes / 2 {
        return Err(format!("{said}: not touched"));
    }
    if after > before + bytes / 10 {
        Err(said)
    } else {
        Ok(said)
    }
}
