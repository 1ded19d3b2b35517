//! Memory from the operating system for local heaps: one fixed region for a nursery, chunks for the old generation.
//!
//! Pages are only touched when they are allocated from, so a region may be much larger than what is resident.
//! Invariants of [`Space`]: chunks never move; every word below a chunk's `top` belongs to a well-formed object
//! or cell; words above it are unused.

use crate::address_space;
use samite_alloc::os;
use samite_term::Cell;
use std::ptr::NonNull;

/// A private anonymous mapping, unmapped on drop.
#[derive(Debug)]
pub struct Region {
    start: NonNull<Cell>,
    words: usize,
}

impl Region {
    /// Maps `bytes` (rounded up to pages); `None` if the system refuses, or if what is kept for others is not there ([`address_space`]).
    pub fn map(bytes: usize) -> Option<Region> {
        let region = Region::map_small_pages(bytes)?;
        if bytes >= HUGE {
            region.ask_for_huge_pages();
        }
        Some(region)
    }
    /// As [`Region::map`], in huge pages from the first on: for memory that is about to be filled.
    pub fn map_huge(bytes: usize) -> Option<Region> {
        let region = Region::map_aligned(bytes.next_multiple_of(HUGE_PAGE), HUGE_PAGE)?;
        region.ask_for_huge_pages();
        Some(region)
    }
    /// As [`Region::map`], without asking for huge pages: for reserved space that is mostly never touched.
    pub fn map_small_pages(bytes: usize) -> Option<Region> {
        Region::map_aligned(bytes, os::page_size())
    }
    fn map_aligned(bytes: usize, align: usize) -> Option<Region> {
        if !address_space::has_reserve() {
            return None;
        }
        let bytes = os::whole_pages(bytes);
        // Until it is aligned, a mapping is longer.
        let most = bytes.saturating_add(align - os::page_size());
        address_space::mapped(most, || os::map(bytes, align)).map(|p| Region::of(p, bytes))
    }
    /// As [`Region::map`], whether or not what is kept for others is there: for the little that it takes to give memory back.
    pub fn map_at_last(bytes: usize) -> Option<Region> {
        let bytes = os::whole_pages(bytes);
        address_space::mapped_at_last(bytes, || os::map(bytes, os::page_size()))
            .map(|p| Region::of(p, bytes))
    }
    fn of(start: NonNull<u8>, bytes: usize) -> Region {
        Region {
            start: start.cast(),
            words: bytes / 8,
        }
    }
    fn ask_for_huge_pages(&self) {
        // SAFETY: our own mapping.
        unsafe { os::huge_pages(self.start.cast(), self.words * 8) };
    }
    /// How many bytes a region has that is to have so many.
    pub fn rounded(bytes: usize) -> usize {
        os::whole_pages(bytes)
    }
    /// Takes the mapping; what stays is empty.
    pub fn take(&mut self) -> Region {
        let empty = Region {
            start: NonNull::dangling(),
            words: 0,
        };
        std::mem::replace(self, empty)
    }
    pub fn start(&self) -> *mut Cell {
        self.start.as_ptr()
    }
    pub fn end(&self) -> *mut Cell {
        self.start().wrapping_add(self.words)
    }
    pub fn words(&self) -> usize {
        self.words
    }
    /// Changes the size to `bytes` (rounded up to pages), keeping what fits; the start may move. False if the system refuses, and
    /// then nothing has changed.
    pub fn resize(&mut self, bytes: usize) -> bool {
        let bytes = os::whole_pages(bytes);
        let before = self.words * 8;
        if bytes > before && !address_space::has_reserve() {
            return false;
        }
        let start = address_space::mapped(bytes.saturating_sub(before), || {
            // SAFETY: our own mapping in its whole length; nobody else unmaps it. Pointers into it are the caller's to move.
            unsafe { os::resize(self.start.cast(), before, bytes) }
        });
        let Some(start) = start else {
            return false;
        };
        self.start = start.cast();
        self.words = bytes / 8;
        true
    }
    /// Gives the pages from `from` (rounded up) to the end back to the system; they read as zero afterwards.
    pub fn discard_from(&self, from: *mut Cell) {
        self.discard(from, self.end());
    }
    /// The same of those between `from` and `to`, whole ones.
    pub fn discard(&self, from: *mut Cell, to: *mut Cell) {
        let at = |p: *mut Cell| p as usize - self.start() as usize;
        let used = match at(from) {
            0 => 0,
            n => os::whole_pages(n),
        };
        let to = match at(to) {
            end if end == self.words * 8 => end,
            // (Whole pages below it.)
            n => (os::whole_pages(n + 1)).saturating_sub(os::whole_pages(1)),
        };
        if used < to {
            // SAFETY: whole pages of our own mapping; the caller has nothing stored there.
            unsafe { os::purge(self.start.cast().add(used), to - used) };
        }
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        if self.words == 0 {
            return;
        }
        // SAFETY: mapped by `map`, unmapped once.
        unsafe { os::unmap(self.start.cast(), self.words * 8) };
    }
}

/// From this size on, a region asks for huge pages.
const HUGE: usize = 8 << 20;
const HUGE_PAGE: usize = 2 << 20;
const FIRST_CHUNK: usize = 16 << 10;
const MAX_CHUNK: usize = 64 << 20;

#[derive(Debug)]
struct Chunk {
    region: Region,
    /// End of the objects; that of the last chunk is [`Space::top`].
    top: *mut Cell,
}

/// The old generation: a list of chunks, allocation in the last one.
#[derive(Debug)]
pub struct Space {
    chunks: Vec<Chunk>,
    /// Next free cell of the last chunk, and its end; null without chunks.
    top: *mut Cell,
    end: *mut Cell,
    /// Bytes in objects of all chunks but the last.
    closed: usize,
    /// The next chunk, mapped ahead so that a collection cannot run out of memory.
    spare: Option<Region>,
}

impl Default for Space {
    fn default() -> Self {
        Space {
            chunks: Vec::new(),
            top: std::ptr::null_mut(),
            end: std::ptr::null_mut(),
            closed: 0,
            spare: None,
        }
    }
}

impl Space {
    /// Number of chunks.
    pub fn chunks(&self) -> usize {
        self.chunks.len()
    }
    /// Start of chunk `i` and end of the objects in it.
    pub fn chunk(&self, i: usize) -> (*mut Cell, *mut Cell) {
        let c = &self.chunks[i];
        let last = i + 1 == self.chunks.len();
        (c.region.start(), if last { self.top } else { c.top })
    }
    /// A space of one chunk.
    pub fn of(region: Region) -> Space {
        let mut space = Space::default();
        space.open(region);
        space
    }
    /// Its only chunk, whatever is in it; `None` if it has none or several.
    pub fn into_region(mut self) -> Option<Region> {
        let last = self.chunks.pop()?;
        self.chunks.is_empty().then_some(last.region)
    }
    /// Bytes in objects.
    #[inline]
    pub fn used_bytes(&self) -> usize {
        let start = self.chunks.last().map_or(self.top, |c| c.region.start());
        self.closed + (self.top as usize - start as usize)
    }
    fn room(&self) -> usize {
        self.end as usize - self.top as usize
    }
    /// Makes sure that objects of `words` together can be allocated without asking the system. False if it refuses.
    pub fn reserve(&mut self, words: usize) -> bool {
        let bytes = words * 8;
        // What does not fit into the last chunk any more goes into the spare one, all of it.
        if self.room() >= bytes || self.spare.as_ref().is_some_and(|s| s.words >= words) {
            return true;
        }
        let grow = (self.used_bytes() / 4).clamp(FIRST_CHUNK, MAX_CHUNK);
        self.spare = None;
        self.spare = Region::map(grow.max(bytes)).or_else(|| Region::map(bytes));
        self.spare.is_some()
    }
    /// Goes on in a new chunk.
    fn open(&mut self, region: Region) {
        self.closed = self.used_bytes();
        if let Some(last) = self.chunks.last_mut() {
            last.top = self.top;
        }
        let top = region.start();
        self.top = top;
        self.end = region.end();
        self.chunks.push(Chunk { region, top });
    }
    /// Takes a region that is filled with objects up to `top`. Allocation goes on where it was: what is behind `top` goes back to the
    /// system, if it is more than a little.
    pub fn adopt(&mut self, mut region: Region, top: *mut Cell) {
        let used = top as usize - region.start() as usize;
        if region.words * 8 > used + FIRST_CHUNK {
            // Getting smaller does not move it.
            region.resize(used);
        }
        if self.chunks.is_empty() {
            self.top = top;
            self.end = region.end();
        } else {
            self.closed += used;
        }
        let at = self.chunks.len().saturating_sub(1);
        self.chunks.insert(at, Chunk { region, top });
    }
    /// Objects were moved towards the starts of their chunks: `end` says for a chunk (start, end of its objects) where they end now. What is behind
    /// goes back to the system, and chunks in which nothing is left.
    pub fn shorten(&mut self, end: impl Fn(*mut Cell, *mut Cell) -> *mut Cell) {
        let n = self.chunks.len();
        let mut used = 0;
        for i in 0..n {
            let (start, top) = self.chunk(i);
            let top = end(start, top);
            let chunk = &mut self.chunks[i];
            chunk.top = top;
            let bytes = top as usize - start as usize;
            used += bytes;
            if bytes > 0 && chunk.region.words * 8 > bytes + FIRST_CHUNK {
                // Getting smaller does not move it.
                chunk.region.resize(bytes);
            }
        }
        self.chunks.retain(|c| c.top != c.region.start());
        let (start, top, end) = match self.chunks.last() {
            Some(c) => (c.region.start(), c.top, c.region.end()),
            None => {
                let null = std::ptr::null_mut();
                (null, null, null)
            }
        };
        self.top = top;
        self.end = end;
        self.closed = used - (top as usize - start as usize);
    }
    /// Unmaps what is left of the last chunk, but for a little.
    pub fn trim(&mut self) {
        let Some(last) = self.chunks.last_mut() else {
            return;
        };
        let used = self.top as usize - last.region.start() as usize;
        // Getting smaller does not move it.
        if last.region.words * 8 > used + 2 * FIRST_CHUNK && last.region.resize(used + FIRST_CHUNK)
        {
            self.end = last.region.end();
        }
    }
    /// Allocates `words` consecutive cells; `None` if the system refuses memory.
    #[inline(always)]
    pub fn allocate(&mut self, words: usize) -> Option<*mut Cell> {
        if self.end as usize - self.top as usize >= words * 8 {
            let p = self.top;
            self.top = p.wrapping_add(words);
            return Some(p);
        }
        self.allocate_in_new_chunk(words)
    }
    #[cold]
    fn allocate_in_new_chunk(&mut self, words: usize) -> Option<*mut Cell> {
        if !self.reserve(words) {
            return None;
        }
        if self.room() < words * 8 {
            let spare = self.spare.take()?;
            self.open(spare);
        }
        let p = self.top;
        self.top = p.wrapping_add(words);
        Some(p)
    }
    /// Position of the next allocation, for a scan that starts here.
    pub fn mark(&self) -> (usize, *mut Cell) {
        match self.chunks.len() {
            0 => (0, std::ptr::null_mut()),
            n => (n - 1, self.top),
        }
    }
    /// Gives back what was allocated since [`Space::mark`] gave this position, as far as it lies at the end. No chunk was adopted since.
    pub fn truncate(&mut self, chunk: usize, top: *mut Cell) {
        let Some(last) = self.chunks.last() else {
            return;
        };
        self.top = if chunk + 1 == self.chunks.len() && !top.is_null() {
            top
        } else {
            last.region.start()
        };
    }
    /// Whether `p` lies in the used part of a chunk. Linear in the number of chunks.
    pub fn contains(&self, p: *const Cell) -> bool {
        (0..self.chunks.len()).any(|i| {
            let (start, top) = self.chunk(i);
            (start as *const Cell) <= p && p < top
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of what is adopted, memory and address space are held for what is in it.
    #[test]
    #[cfg_attr(miri, ignore = "fills nurseries of megabytes")]
    fn an_adopted_region_is_as_long_as_what_is_in_it() {
        const NURSERY: usize = 4 << 20;
        let mut space = Space::default();
        space.allocate(10).expect("there is memory");
        for words in [0, 50, 5_000, NURSERY / 8 - 1000, NURSERY / 8] {
            let region = Region::map_small_pages(NURSERY).expect("there is memory");
            let (start, top) = (region.start(), region.start().wrapping_add(words));
            let before = space.used_bytes();
            space.adopt(region, top);
            assert_eq!(space.used_bytes(), before + words * 8);
            let adopted = &space.chunks[space.chunks() - 2];
            assert_eq!((adopted.region.start(), adopted.top), (start, top));
            assert!(adopted.region.words() * 8 <= words * 8 + FIRST_CHUNK);
        }
    }
}
