//! A page: its header, and its structures in use, free and never used.
//!
//! Fields of the header by who may touch them: [`Header`] the owner only (or whoever got a void page); `word` whoever has a structure of the page, or has popped
//! it, see [`word`](super::word); `number` is the page's own. While a page is given back to the system it has no header, and perhaps no address.
//!
//! A free structure has the offset of the next one in its first four bytes, in the owner's list and in the remote list
//! alike. Offsets count from the start of the page; 0 is none.

use super::PAGE;
use super::cell::Owned;
use super::kind::Layout;
use super::word::{PageWord, View};
use core::ptr::{NonNull, null_mut};
use core::sync::atomic::{AtomicU32, Ordering};

/// Bytes before the first structure.
pub(super) const HEADER: usize = if cfg!(loom) { 512 } else { 128 };
/// What freed structures are filled with in debug builds, behind their link.
pub const POISON: u8 = 0xa5;

const _: () = assert!(size_of::<Header>() <= 64 && size_of::<Page>() <= HEADER);
// An offset divided by 8 fits the word's head, and the number of structures its count.
const _: () = assert!(PAGE / 8 <= 1 << 16);

/// Which chain of its owner a page is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Place {
    /// None: it is nobody's, or on its way.
    Nowhere,
    /// Of a type, with structures to allocate.
    Open,
    /// Of a type, without.
    Full,
    /// Of no type.
    Void,
}

/// The part of the owner.
pub(super) struct Header {
    pub next: *mut Page,
    pub prev: *mut Page,
    /// First free structure (paper: `PgHd_first`).
    pub free: u32,
    /// First structure that was never used, up to the layout's end.
    pub fresh: u32,
    /// Structures handed out and not freed by the owner (paper: `PgHd_strs_in_use`).
    pub used: u32,
    pub layout: Layout,
    /// Index of the type; [`VOID`](Header::VOID) for none.
    pub kind: u8,
    pub place: Place,
}

impl Header {
    /// No type.
    pub(super) const VOID: u8 = u8::MAX;

    /// Of no type.
    fn new() -> Header {
        Header {
            next: null_mut(),
            prev: null_mut(),
            free: 0,
            fresh: 0,
            used: 0,
            layout: Layout::NONE,
            kind: Header::VOID,
            place: Place::Nowhere,
        }
    }

    /// Whether a structure can be allocated.
    #[inline(always)]
    pub(super) fn room(&self) -> bool {
        self.free != 0 || self.fresh != self.layout.end
    }

    /// Gives the empty page a type.
    pub(super) fn become_of(&mut self, kind: u8, layout: Layout) {
        self.kind = kind;
        self.layout = layout;
        self.empty();
    }

    /// All structures are free, and count as never used.
    pub(super) fn empty(&mut self) {
        self.free = 0;
        self.fresh = self.layout.first;
        self.used = 0;
    }
}

/// The header of a page, at its start.
#[repr(C)]
pub(super) struct Page {
    header: Owned<Header>,
    shared: Shared,
}

/// What other threads than the owner use: on a cache line of its own.
#[repr(C, align(64))]
struct Shared {
    word: PageWord,
    /// Relaxed: who uses it wrote it, or got the page through a stack.
    number: AtomicU32,
}

impl Page {
    /// Writes the header of a page that was never used, or was given back.
    ///
    /// # Safety
    /// `at` is the start of a page of a chunk, which the caller alone knows.
    pub(super) unsafe fn create(at: NonNull<Page>, number: u32) {
        let header = Header::new();
        let page = Page {
            header: Owned::new(header),
            shared: Shared {
                word: PageWord::new(),
                number: AtomicU32::new(number),
            },
        };
        // SAFETY: as the caller promises; a chunk is aligned to pages.
        unsafe { at.write(page) };
    }

    /// The page that a structure is in, with the provenance of the structure's pointer: that of the chunk, if it is
    /// the pointer that was handed out.
    #[inline(always)]
    pub(super) fn of(p: NonNull<u8>) -> *mut Page {
        p.as_ptr().map_addr(|a| a & !(PAGE - 1)).cast()
    }

    #[inline(always)]
    pub(super) fn word(&self) -> &PageWord {
        &self.shared.word
    }

    /// The position of the page in the directory.
    pub(super) fn number(&self) -> u32 {
        self.shared.number.load(Ordering::Relaxed)
    }

    /// Runs `f` on the owner's part.
    ///
    /// # Safety
    /// The caller owns the page; `f` does not ask for the header of the same page again.
    #[inline(always)]
    pub(super) unsafe fn header<R>(&self, f: impl FnOnce(&mut Header) -> R) -> R {
        // SAFETY: becoming the owner happens after the last owner's use, see `word`.
        unsafe { self.header.with(f) }
    }

    /// The structure at `offset` of a page. A reference to the header would not do: it is for the header only.
    ///
    /// # Safety
    /// `page` is a page of a chunk, with the provenance of the chunk.
    #[inline(always)]
    pub(super) unsafe fn at(page: *mut Page, offset: u32) -> NonNull<u8> {
        debug_assert!((offset as usize) < PAGE && offset as usize >= HEADER);
        // SAFETY: inside of the page.
        unsafe { NonNull::new_unchecked(page.cast::<u8>().add(offset as usize)) }
    }

    /// Moves the remotely freed structures to the owner's list, if that is empty or all structures in use are among them.
    ///
    /// # Safety
    /// The caller owns the page.
    pub(super) unsafe fn collect(&self) {
        // The count of a relaxed look may be too low: then there is less to collect than there could be.
        let count = self.word().view().count();
        if count == 0 {
            return;
        }
        // SAFETY: the caller owns the page.
        unsafe {
            self.header(|h| {
                if h.free == 0 || h.used == count {
                    let taken: View = self.word().take();
                    if h.used == taken.count() {
                        h.empty();
                    } else {
                        debug_assert!(h.free == 0);
                        h.free = taken.head();
                        h.used -= taken.count();
                    }
                }
            });
        }
    }
}

/// The offset that a free structure links to.
///
/// # Safety
/// `p` is a free structure that the caller may read.
#[inline(always)]
pub(super) unsafe fn next_free(p: NonNull<u8>) -> u32 {
    // SAFETY: structures are at least 8 bytes and aligned to 8.
    unsafe { p.cast::<u32>().read() }
}

/// Links a free structure.
///
/// # Safety
/// `p` is a structure that the caller is freeing.
#[inline(always)]
pub(super) unsafe fn set_next_free(p: NonNull<u8>, next: u32) {
    // SAFETY: as for `next_free`.
    unsafe { p.cast::<u32>().write(next) }
}
