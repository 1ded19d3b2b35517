//! What a table gives up goes back to the system. This test is alone in its process: the resident set is the whole process's, and
//! another test that frees meanwhile would be counted here.
#![cfg(all(not(loom), not(miri), target_os = "linux"))]

use samite_alloc::slab::{Kind, Slab, Type};
use std::sync::Arc;

const SIZE: usize = 128;
const TYPES: [Type; 1] = [Type {
    name: "frame",
    size: SIZE,
}];

/// Bytes of the resident set.
fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap();
    text.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4096
}

#[test]
fn memory_of_a_large_table_goes_back_to_the_system() {
    const MIB: usize = 1 << 20;
    let slab = Arc::new(Slab::new(&TYPES).expect("memory"));
    let mut local = Slab::attach(slab.clone()).expect("an id");
    let before = resident();
    for _ in 0..2 {
        for _ in 0..100 * MIB / SIZE {
            let p = local.alloc(Kind::new(0)).expect("memory");
            // SAFETY: just allocated with this size.
            unsafe { p.write_bytes(1, SIZE) };
        }
        // The kernel counts pages per processor and adds them up now and then: a megabyte for that.
        let full = resident();
        assert!(full > before + 99 * MIB, "{before} before, {full} full");
        // SAFETY: nothing is used any more.
        unsafe { local.release_all() };
        let after = resident();
        assert!(after < before + 4 * MIB, "{before} before, {after} after");
    }
}
