//! What the tests of this crate share: scenarios in processes of their own, and the resident set.
//!
//! Every test program here links the library, so all of it runs on its malloc.

#![allow(dead_code, reason = "each test program uses a part")]

use core::ffi::{c_int, c_void};
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};
use std::os::unix::thread::JoinHandleExt;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::thread::JoinHandle;

/// Runs the test `name` of this program in a process of its own, with `SCENARIO` set, and further variables.
pub fn in_child(name: &str, variables: &[(&str, &str)]) -> Output {
    let exe = std::env::current_exe().unwrap();
    Command::new(exe)
        .args(["--exact", name, "--nocapture", "--test-threads=1"])
        .env("SCENARIO", "1")
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// Whether this process is one made by [`in_child`].
pub fn is_child() -> bool {
    std::env::var_os("SCENARIO").is_some()
}

/// Runs `scenario` in a process of its own and fails if that fails.
pub fn alone(name: &str, scenario: impl FnOnce()) {
    alone_with(name, &[], scenario);
}

/// [`alone`], with further variables in the environment.
pub fn alone_with(name: &str, variables: &[(&str, &str)], scenario: impl FnOnce()) {
    if is_child() {
        return scenario();
    }
    let out = in_child(name, variables);
    assert!(
        out.status.success(),
        "{}\n{}",
        String::from_utf8_lossy(&out.stdout),
        String::from_utf8_lossy(&out.stderr)
    );
}

/// Bytes of the resident set.
pub fn resident() -> usize {
    let mut text = [0u8; 128];
    let n = {
        use std::io::Read;
        std::fs::File::open("/proc/self/statm")
            .unwrap()
            .read(&mut text)
            .unwrap()
    };
    let text = std::str::from_utf8(&text[..n]).unwrap();
    text.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4096
}

/// The shared library that cargo built with this test.
pub fn library() -> PathBuf {
    let exe = std::env::current_exe().unwrap();
    let deps = exe.parent().unwrap();
    let path = deps.join("libsamite_malloc.so");
    if path.exists() {
        path
    } else {
        deps.parent().unwrap().join("libsamite_malloc.so")
    }
}

/// Whether a program is installed.
pub fn installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|d| d.join(program).is_file())
}

/// Where threads leave blocks for each other.
pub type Slots = [AtomicPtr<c_void>; 512];

/// Slots without blocks.
pub const fn no_slots() -> Slots {
    [const { AtomicPtr::new(ptr::null_mut()) }; 512]
}

/// Frees all that is in the slots.
pub fn clear(slots: &Slots) {
    for slot in slots {
        // SAFETY: a block belongs to whoever swapped it out of its slot.
        unsafe { libc::free(slot.swap(ptr::null_mut(), Ordering::AcqRel)) };
    }
}

/// Allocates, resizes, and swaps blocks with the other threads through the slots, so that most are freed by others.
pub fn churn(slots: &Slots, seed: usize, steps: usize) {
    let mut r = seed;
    for _ in 0..steps {
        r = r.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let (slot, size) = ((r >> 33) % slots.len(), 1 + (r >> 40) % 5000);
        let size = if r.is_multiple_of(101) {
            size * 64
        } else {
            size
        };
        // SAFETY: a block belongs to whoever swapped it out of its slot.
        unsafe {
            let mut p = libc::malloc(size);
            assert!(!p.is_null());
            ptr::write_bytes(p.cast::<u8>(), slot as u8, size);
            if r.is_multiple_of(7) {
                p = libc::realloc(p, size * 2);
                assert!(!p.is_null());
            }
            libc::free(slots[slot].swap(p, Ordering::AcqRel));
        }
    }
}

/// Makes `handler` that of a signal, and ends the process if it hangs.
pub fn on_signal(signal: c_int, handler: extern "C" fn(c_int)) {
    // SAFETY: the handler is a function of this program.
    unsafe {
        libc::signal(signal, handler as libc::sighandler_t);
        libc::alarm(600);
    }
}

/// Sends `SIGUSR1` to each of the threads, which run until they are told to end.
pub fn interrupt(threads: &[JoinHandle<()>]) {
    for t in threads {
        // SAFETY: the thread runs.
        let failed = unsafe { libc::pthread_kill(t.as_pthread_t(), libc::SIGUSR1) };
        assert_eq!(failed, 0);
    }
}
