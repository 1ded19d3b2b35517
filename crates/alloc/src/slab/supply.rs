//! The directory of chunks: numbers of pages, where they are, and the pages that were never used.
//!
//! A chunk is mapped when the first of its pages is needed, and may be unmapped when all of them were given back. The first chunk has
//! [`BASE`] pages, each further one twice as many, up to [`BASE`]` << `[`DOUBLINGS`]. Pages are claimed in order of their
//! numbers.
//!
//! ```text
//! directory[k]   null --map--> address         the loser of a race unmaps its own chunk, which nobody saw
//!                address --unmap--> null       by who has claimed all bits of the chunk, and gives them back afterwards
//! claimed        n --claim--> n + 1            after directory[chunk of n] is not null
//! bit n          0 --give back--> 1 --claim--> 0   the page's memory is the system's, and it has no header
//! ```
//!
//! Claiming takes a number that was given back, if there is one. Nobody reads anything in a page that was given back: a late reader of its link, in a stack that it has left long
//! ago, finds that elsewhere ([`links`](super::links)). So its chunk may go: a page of a chunk that is in use, or was never used, has no bit.
//!
//! Orderings. Publishing a chunk is a release and looking it up an acquire: the memory is zeroed before. Claiming a new number is
//! relaxed: it gives one number to one thread, which then writes that page's header; others hear of the page through a
//! stack or a structure in it. Bits are given back with release and claimed with acquire: who claims one sees whether the chunk is there.

use super::PAGE;
use super::links::Links;
use super::page::Page;
use super::source::PageSource;
use super::zeroed::Zeroed;
use crate::os;
use crate::slices::Bits;
use crate::sync::{AtomicPtr, AtomicU64, Ordering, rmw, shared_write};
use core::ptr::{NonNull, null_mut};
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Pages of the first chunk.
const BASE: usize = if cfg!(loom) {
    1
} else if cfg!(any(test, miri)) {
    4
} else {
    64
};
/// How often the size of chunks doubles.
const DOUBLINGS: usize = if cfg!(any(test, loom, miri)) { 1 } else { 2 };
/// Most chunks: 128 GiB.
const CHUNKS: usize = if cfg!(loom) {
    8
} else if cfg!(miri) {
    64
} else if cfg!(test) {
    1024
} else {
    1 << 15
};

/// Pages of all chunks, in words of bits.
const WORDS: usize = {
    let doubling = BASE * ((1 << DOUBLINGS) - 1);
    (doubling + (CHUNKS - DOUBLINGS) * (BASE << DOUBLINGS)).div_ceil(64)
};

/// See the module text.
pub(super) struct Supply {
    directory: Zeroed<AtomicPtr<u8>>,
    links: Links,
    claimed: AtomicU64,
    /// A bit for each page that was given back.
    given: Zeroed<AtomicU64>,
    /// How many were given back and not claimed since, or somewhat more: counted before and after the bits change.
    givens: AtomicUsize,
    /// The first word with such a bit, or one not far from it; steers only.
    likely: AtomicUsize,
}

/// The chunk of a page, and the position in it.
fn locate(number: usize) -> (usize, usize) {
    let doubling = BASE * ((1 << DOUBLINGS) - 1);
    if number < doubling {
        let chunk = (number / BASE + 1).ilog2() as usize;
        (chunk, number - BASE * ((1 << chunk) - 1))
    } else {
        let (rest, large) = (number - doubling, BASE << DOUBLINGS);
        (DOUBLINGS + rest / large, rest % large)
    }
}

/// Pages of a chunk.
fn chunk_pages(chunk: usize) -> usize {
    BASE << chunk.min(DOUBLINGS)
}

/// Bytes of a chunk.
fn chunk_bytes(chunk: usize) -> usize {
    chunk_pages(chunk) * PAGE
}

impl Supply {
    /// No chunk.
    pub(super) fn new(source: &dyn PageSource) -> Option<Supply> {
        // SAFETY: zeroes are no bits.
        let mut given = unsafe { Zeroed::new(WORDS, source) }?;
        // SAFETY: zeroes are no chunks.
        let directory = unsafe { Zeroed::new(CHUNKS, source) };
        let (Some(mut directory), links) = (directory, Links::new(CHUNKS, source)) else {
            // SAFETY: just made, and nobody knows of it.
            unsafe { given.clear(source) };
            return None;
        };
        let Some(links) = links else {
            // SAFETY: as above.
            unsafe {
                given.clear(source);
                directory.clear(source);
            }
            return None;
        };
        Some(Supply {
            directory,
            links,
            claimed: AtomicU64::new(0),
            given,
            givens: AtomicUsize::new(0),
            likely: AtomicUsize::new(0),
        })
    }

    /// The link of a page that was ever claimed.
    pub(super) fn link(&self, number: u32) -> &AtomicU64 {
        let (chunk, at) = locate(number as usize);
        self.links.of(chunk, at)
    }

    /// The page with a number that was claimed, and not given back since.
    pub(super) fn page(&self, number: u32) -> NonNull<Page> {
        let (chunk, at) = locate(number as usize);
        let base = self.directory.all()[chunk].load(Ordering::Acquire);
        debug_assert!(!base.is_null());
        // SAFETY: the number was claimed, so the chunk is mapped and has that many pages.
        unsafe { NonNull::new_unchecked(base.add(at * PAGE).cast()) }
    }

    /// Gives the memory of a page back to the system.
    ///
    /// # Safety
    /// The page is the caller's alone, its word is that of a void page that is nobody's, and it is in no chain and no stack.
    pub(super) unsafe fn give_back(&self, page: NonNull<Page>, source: &dyn PageSource) {
        // SAFETY: the page is the caller's.
        let number = unsafe { page.as_ref() }.number();
        // The pages of models and of tests are smaller than the system's.
        if PAGE >= os::page_size() && !cfg!(miri) {
            // SAFETY: nothing in the page is needed, see the module text.
            unsafe { source.purge(page.cast(), PAGE) };
        }
        rmw();
        self.givens.fetch_add(1, Relaxed);
        self.bits().release(number as usize, 1);
        self.likely.fetch_min(number as usize / 64, Relaxed);
        self.unmap_empty(number as usize, source);
    }

    /// Unmaps the chunk of a page if nobody has any of its pages; never the first one.
    fn unmap_empty(&self, number: usize, source: &dyn PageSource) {
        let (chunk, at) = locate(number);
        let (first, pages) = (number - at, chunk_pages(chunk));
        let bits = self.bits();
        // (Mostly there is one in the same word.)
        if chunk == 0 || !bits.is_set(first) || !bits.claim_at(first, pages) {
            return;
        }
        let slot = &self.directory.all()[chunk];
        // The bits are the caller's: no one else changes the slot, or uses what it leads to.
        if let Some(base) = NonNull::new(slot.load(Ordering::Acquire)) {
            shared_write();
            slot.store(null_mut(), Ordering::Relaxed);
            // SAFETY: mapped with this size; nothing in it is used.
            unsafe { source.unmap(base, chunk_bytes(chunk)) };
        }
        bits.release(first, pages);
    }

    fn bits(&self) -> Bits<'_> {
        Bits(self.given.all())
    }

    /// Claims a page that was given back.
    fn claim_given(&self, source: &dyn PageSource) -> Option<NonNull<Page>> {
        if self.givens.load(Relaxed) == 0 {
            return None;
        }
        let bits = self.bits();
        let (from, words) = (
            self.likely.load(Relaxed),
            (self.claimed() as usize).div_ceil(64),
        );
        for i in (from..words).chain(0..from.min(words)) {
            loop {
                let word = bits.word(i);
                if word == 0 {
                    break;
                }
                let number = i * 64 + word.trailing_zeros() as usize;
                if bits.claim_at(number, 1) {
                    self.likely.store(i, Relaxed);
                    let (chunk, _) = locate(number);
                    if self.ensure(chunk, source).is_none() {
                        bits.release(number, 1);
                        return None;
                    }
                    rmw();
                    self.givens.fetch_sub(1, Relaxed);
                    let page = self.page(number as u32);
                    // SAFETY: the bit was claimed, so the page is this caller's alone.
                    unsafe { Page::create(page, number as u32) };
                    return Some(page);
                }
            }
        }
        None
    }

    /// Whether a page was given back, at this moment.
    pub(super) fn is_given_back(&self, number: u32) -> bool {
        self.bits().is_set(number as usize)
    }

    /// How many pages were given back and not claimed since.
    pub(super) fn given_back(&self) -> usize {
        self.givens.load(Relaxed)
    }

    /// A page that is not used, with a new header; `None` if there is no memory, or the directory is full.
    pub(super) fn claim(&self, source: &dyn PageSource) -> Option<NonNull<Page>> {
        if let Some(page) = self.claim_given(source) {
            return Some(page);
        }
        let mut number = self.claimed.load(Ordering::Relaxed);
        loop {
            let (chunk, _) = locate(number as usize);
            self.ensure(chunk, source)?;
            rmw();
            match self.claimed.compare_exchange_weak(
                number,
                number + 1,
                Ordering::Relaxed,
                Ordering::Relaxed,
            ) {
                Ok(_) => break,
                Err(now) => number = now,
            }
        }
        let page = self.page(number as u32);
        // SAFETY: the number is this caller's alone.
        unsafe { Page::create(page, number as u32) };
        Some(page)
    }

    /// Maps a chunk unless it is there.
    fn ensure(&self, chunk: usize, source: &dyn PageSource) -> Option<()> {
        let slot = self.directory.all().get(chunk)?;
        if !slot.load(Ordering::Acquire).is_null() {
            return Some(());
        }
        self.links.ensure(chunk, chunk_pages(chunk), source)?;
        let bytes = chunk_bytes(chunk);
        let new = source.map(bytes, PAGE)?;
        rmw();
        let published = slot.compare_exchange(
            null_mut(),
            new.as_ptr(),
            Ordering::Release,
            Ordering::Relaxed,
        );
        if published.is_err() {
            // SAFETY: mapped above, and nobody was told.
            unsafe { source.unmap(new, bytes) };
        }
        Some(())
    }

    /// How many pages were claimed.
    pub(super) fn claimed(&self) -> u32 {
        self.claimed.load(Ordering::Relaxed) as u32
    }

    /// Unmaps all chunks.
    ///
    /// # Safety
    /// Nobody uses the directory after this, or clears it again, and no page is used.
    pub(super) unsafe fn clear(&mut self, source: &dyn PageSource) {
        for (chunk, slot) in self.directory.all().iter().enumerate() {
            // Relaxed: the directory is the caller's alone.
            if let Some(base) = NonNull::new(slot.load(Ordering::Relaxed)) {
                // SAFETY: the chunk was mapped with this size; the caller alone has the directory, so no page is used.
                unsafe { source.unmap(base, chunk_bytes(chunk)) };
            }
        }
        // SAFETY: the caller's promise.
        unsafe {
            self.given.clear(source);
            self.links.clear(chunk_pages, source);
            self.directory.clear(source);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn numbers_fill_the_chunks_in_order() {
        let (mut chunk, mut at) = (0, 0);
        for number in 0..1000 {
            if at == chunk_bytes(chunk) / PAGE {
                (chunk, at) = (chunk + 1, 0);
            }
            assert_eq!(locate(number), (chunk, at));
            at += 1;
        }
    }
}
