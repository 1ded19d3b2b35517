//! Large objects that grow are not in memory twice while they move, wherever they lie: what the process has resident at most is counted.
//! One test, because that is a number of the process.
#![cfg(all(target_os = "linux", not(miri)))]

use samite_alloc::{api, verify};
use std::ptr::NonNull;

const MB: usize = 1 << 20;

/// A field of `/proc/self/status`, in bytes.
fn status(field: &str) -> usize {
    let text = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find_map(|l| l.strip_prefix(field)).unwrap();
    let number = line.trim_start_matches(':').trim().trim_end_matches(" kB");
    number.parse::<usize>().unwrap() << 10
}

/// From now on, `VmHWM` is the most that is resident.
fn forget_peak() {
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
}

/// An object each page of which says which it is.
struct Object {
    at: *mut u8,
    size: usize,
    name: u64,
}

impl Object {
    fn new(name: u64) -> Object {
        let at = api::allocate(MB);
        assert!(!at.is_null());
        let mut o = Object { at, size: 0, name };
        o.write(MB);
        o
    }
    fn write(&mut self, size: usize) {
        for at in (self.size..size).step_by(4096) {
            // SAFETY: in the object, whose pages are aligned.
            unsafe {
                self.at
                    .add(at)
                    .cast::<u64>()
                    .write(self.name << 32 | at as u64)
            };
        }
        self.size = size;
    }
    fn grow(&mut self, size: usize) {
        // SAFETY: its memory.
        let at = unsafe { api::resize(self.at, size) };
        self.at = NonNull::new(at).expect("there is memory").as_ptr();
        self.write(size);
    }
    fn check(&self) {
        for at in (0..self.size).step_by(4096) {
            // SAFETY: as above.
            let word = unsafe { self.at.add(at).cast::<u64>().read() };
            assert_eq!(word, self.name << 32 | at as u64);
        }
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        // SAFETY: its memory, and nobody else's.
        unsafe { api::free(self.at) };
    }
}

/// Several grow in turns, so that each grows at its place for a while, and moves when it comes to another: it lies in mappings of several
/// moves then.
#[test]
fn what_grows_is_not_there_twice() {
    const MOST: usize = 60 * MB;
    for objects in [1, 2, 3] {
        let before = status("VmRSS");
        forget_peak();
        let mut all: Vec<Object> = (0..objects).map(Object::new).collect();
        let mut size = MB;
        while size < MOST {
            size += if size < 8 * MB { MB / 4 } else { 3 * MB };
            all.iter_mut().for_each(|o| o.grow(size));
        }
        all.iter().for_each(Object::check);
        let (now, peak) = (objects as usize * size, status("VmHWM") - before);
        assert!(
            peak < now + 10 * MB,
            "{objects} of {size} bytes: {peak} resident at most"
        );
        verify::verify().unwrap();
    }
}
