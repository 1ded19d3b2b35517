//! Memory from the operating system for local heaps: one fixed region for a nursery, chunks for the old generation.
//!
//! Pages are only touched when they are allocated from, so a region may be much larger than what is resident.
//! Invariants of [`Space`]: chunks never move; every word below a chunk's `top` belongs to a well-formed object
//! or cell; words above it are unused.

use samite_term::Cell;

/// A private anonymous mapping, unmapped on drop.
#[derive(Debug)]
pub struct Region {
    start: *mut Cell,
    words: usize,
}

impl Region {
    /// Maps `bytes` (rounded up to pages); `None` if the system refuses.
    pub fn map(bytes: usize) -> Option<Region> {
        let region = Region::map_small_pages(bytes)?;
        if bytes >= HUGE {
            // SAFETY: advice on our own mapping.
            unsafe { libc::madvise(region.start.cast(), region.words * 8, libc::MADV_HUGEPAGE) };
        }
        Some(region)
    }
    /// As [`Region::map`], without asking for huge pages: for reserved space that is mostly never touched.
    pub fn map_small_pages(bytes: usize) -> Option<Region> {
        let bytes = bytes.max(4096).next_multiple_of(4096);
        // SAFETY: an anonymous private mapping at an address of the kernel's choice aliases nothing.
        let p = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                bytes,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if p == libc::MAP_FAILED {
            return None;
        }
        Some(Region {
            start: p.cast(),
            words: bytes / 8,
        })
    }
    pub fn start(&self) -> *mut Cell {
        self.start
    }
    pub fn end(&self) -> *mut Cell {
        self.start.wrapping_add(self.words)
    }
    pub fn words(&self) -> usize {
        self.words
    }
    /// Gives the pages from `from` (rounded up) to the end back to the system; they read as zero afterwards.
    pub fn discard_from(&self, from: *mut Cell) {
        let a = (from as usize).next_multiple_of(4096);
        let end = self.end() as usize;
        if a < end {
            // SAFETY: whole pages of our own mapping; the caller has nothing stored there.
            unsafe { libc::madvise(a as *mut libc::c_void, end - a, libc::MADV_DONTNEED) };
        }
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: mapped by `map`, unmapped once.
        unsafe { libc::munmap(self.start.cast(), self.words * 8) };
    }
}

/// From this size on, a region asks for huge pages.
const HUGE: usize = 8 << 20;
const FIRST_CHUNK: usize = 16 << 10;
const MAX_CHUNK: usize = 64 << 20;

#[derive(Debug)]
pub struct Chunk {
    region: Region,
    top: *mut Cell,
}

impl Chunk {
    pub fn start(&self) -> *mut Cell {
        self.region.start
    }
    pub fn top(&self) -> *mut Cell {
        self.top
    }
}

/// The old generation: a list of chunks, allocation in the last one.
#[derive(Debug, Default)]
pub struct Space {
    chunks: Vec<Chunk>,
    /// Bytes mapped.
    bytes: usize,
}

impl Space {
    pub fn chunks(&self) -> &[Chunk] {
        &self.chunks
    }
    /// Bytes mapped, used or not.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
    /// Bytes in objects.
    pub fn used_bytes(&self) -> usize {
        self.chunks
            .iter()
            .map(|c| c.top as usize - c.region.start as usize)
            .sum()
    }
    /// Makes sure that `words` more can be allocated without asking the system. False if it refuses.
    pub fn reserve(&mut self, words: usize) -> bool {
        if let Some(c) = self.chunks.last()
            && c.region.end() as usize - c.top as usize >= words * 8
        {
            return true;
        }
        let grow = (self.bytes / 4).clamp(FIRST_CHUNK, MAX_CHUNK);
        let Some(region) = Region::map(grow.max(words * 8)) else {
            return false;
        };
        self.bytes += region.words * 8;
        let top = region.start;
        self.chunks.push(Chunk { region, top });
        true
    }
    /// Allocates `words` consecutive cells; `None` if the system refuses memory.
    #[inline]
    pub fn allocate(&mut self, words: usize) -> Option<*mut Cell> {
        if let Some(c) = self.chunks.last_mut()
            && c.region.end() as usize - c.top as usize >= words * 8
        {
            let p = c.top;
            c.top = p.wrapping_add(words);
            return Some(p);
        }
        if !self.reserve(words) {
            return None;
        }
        self.allocate(words)
    }
    /// Position of the next allocation, for a scan that starts here.
    pub fn mark(&self) -> (usize, *mut Cell) {
        match self.chunks.last() {
            Some(c) => (self.chunks.len() - 1, c.top),
            None => (0, std::ptr::null_mut()),
        }
    }
    /// Whether `p` lies in the used part of a chunk. Linear in the number of chunks.
    pub fn contains(&self, p: *const Cell) -> bool {
        self.chunks
            .iter()
            .any(|c| (c.region.start as *const Cell) <= p && p < c.top)
    }
}
