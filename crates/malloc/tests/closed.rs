//! The library loaded and closed again while threads that used it go on: it has to stay.

mod common;

use common::{alone, library};
use core::ffi::{CStr, c_void};
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::sync::mpsc;
use std::thread;

type Malloc = unsafe extern "C" fn(usize) -> *mut c_void;
type Free = unsafe extern "C" fn(*mut c_void);

/// A library loaded at run time.
struct Loaded(*mut c_void);

impl Loaded {
    fn open() -> Loaded {
        let path = CString::new(library().as_os_str().as_bytes()).unwrap();
        // SAFETY: loading this library has no preconditions.
        let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        assert!(!handle.is_null(), "{path:?} cannot be loaded");
        Loaded(handle)
    }

    fn symbol(&self, name: &CStr) -> *mut c_void {
        // SAFETY: the handle is open.
        let p = unsafe { libc::dlsym(self.0, name.as_ptr()) };
        assert!(!p.is_null(), "{name:?}");
        p
    }

    /// Its `malloc` and `free`, not those of this program.
    fn functions(&self) -> (Malloc, Free) {
        let (m, f) = (self.symbol(c"malloc"), self.symbol(c"free"));
        // SAFETY: the symbols are these functions.
        unsafe {
            (
                core::mem::transmute::<*mut c_void, Malloc>(m),
                core::mem::transmute::<*mut c_void, Free>(f),
            )
        }
    }

    fn close(self) {
        // SAFETY: the handle is open; the library stays, which is what is tested.
        assert_eq!(unsafe { libc::dlclose(self.0) }, 0);
    }
}

#[test]
fn threads_that_used_a_library_end_after_it_was_closed() {
    alone(
        "threads_that_used_a_library_end_after_it_was_closed",
        || {
            for _ in 0..3 {
                let lib = Loaded::open();
                let (malloc, free) = lib.functions();
                let (used, is_used) = mpsc::channel();
                let (end, may_end) = mpsc::channel::<()>();
                let user = thread::spawn(move || {
                    // SAFETY: the block is written within its size.
                    let p = unsafe { malloc(100) };
                    assert!(!p.is_null());
                    // SAFETY: as above.
                    unsafe { p.cast::<u8>().write_bytes(7, 100) };
                    used.send(p.expose_provenance()).unwrap();
                    let _ = may_end.recv();
                    // Its destructor of thread-specific data runs now.
                });
                let p: *mut c_void =
                    core::ptr::with_exposed_provenance_mut(is_used.recv().unwrap());
                lib.close();
                drop(end);
                user.join().unwrap();
                // A block outlives the thread, and the handle; and the handler of forks is there, too.
                // SAFETY: the child leaves at once; the block is freed once.
                unsafe {
                    let child = libc::fork();
                    if child == 0 {
                        libc::_exit(0);
                    }
                    let mut status = 0;
                    assert_eq!(libc::waitpid(child, &mut status, 0), child);
                    assert_eq!(status, 0);
                    assert_eq!(p.cast::<u8>().add(99).read(), 7);
                    free(p);
                }
            }
        },
    );
}
