//! What is written into a block, so that a look tells whether it is still there.
//!
//! Small blocks are filled; large ones have their ends filled and a byte on each 4 KiB, so that the time is that of
//! the allocator and not of the memory.

/// Blocks up to this size are filled.
const WHOLE: usize = 4096;
/// Bytes at either end of larger ones.
const END: usize = 64;

/// The byte at `at` of block `id`.
fn byte(id: u64, at: usize) -> u8 {
    let mixed = (id ^ at as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 56) as u8
}

/// The places of a block of `size` bytes that are written.
fn places(size: usize) -> impl Iterator<Item = usize> {
    let whole = size <= WHOLE;
    let head = if whole { size } else { END };
    let tail = if whole { size } else { size - END };
    let probes = if whole { 0..0 } else { END..tail };
    (0..head).chain(probes.step_by(4096)).chain(tail..size)
}

/// Writes the pattern.
///
/// # Safety
/// `p` has `size` bytes that nobody else uses.
pub unsafe fn write(p: *mut u8, size: usize, id: u64) {
    for at in places(size) {
        // SAFETY: places are below the size.
        unsafe { p.add(at).write(byte(id, at)) };
    }
}

/// The first place below `limit` that is not as [`write()`] left it.
///
/// # Safety
/// `p` has `min(size, limit)` bytes, written as a block of `size`.
pub unsafe fn check(p: *const u8, size: usize, limit: usize, id: u64) -> Option<usize> {
    places(size)
        .filter(|at| *at < limit)
        // SAFETY: below both the size and the limit.
        .find(|at| unsafe { p.add(*at).read() } != byte(id, *at))
}

/// The first byte of a new `calloc` block that is not zero (every byte of small ones, as many of large ones).
///
/// # Safety
/// `p` has `size` initialised bytes.
pub unsafe fn not_zero(p: *const u8, size: usize) -> Option<usize> {
    let step = if size <= 1 << 16 { 1 } else { 61 };
    let last = size.checked_sub(1);
    (0..size)
        .step_by(step)
        .chain(last)
        // SAFETY: below the size.
        .find(|at| unsafe { p.add(*at).read() } != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_changed_place_is_found() {
        for size in [1, 10, 4096, 4097, 100_000] {
            let mut bytes = vec![0u8; size];
            // SAFETY: the vector has this size.
            unsafe { write(bytes.as_mut_ptr(), size, 7) };
            let all: Vec<usize> = places(size).collect();
            assert!(all.is_sorted() && all.last() == Some(&(size - 1)));
            for at in all {
                bytes[at] ^= 1;
                // SAFETY: as above.
                unsafe {
                    assert_eq!(check(bytes.as_ptr(), size, size, 7), Some(at));
                    assert_eq!(check(bytes.as_ptr(), size, at, 7), None);
                }
                bytes[at] ^= 1;
            }
        }
    }

    #[test]
    fn blocks_differ() {
        let of = |id| -> Vec<u8> { (0..64).map(|at| byte(id, at)).collect() };
        assert_ne!(of(1), of(2));
    }
}
