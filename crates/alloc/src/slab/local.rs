//! One thread's part of a slab: its pages by type, and the paper's three algorithms.
//!
//! Owned by one thread at a time; nothing here is shared but through page words and the slab. A page that is in one of the
//! chains has this local's id in its word.

use super::chain::Chain;
use super::kind::Kind;
use super::page::{Header, POISON, Page, Place, next_free, set_next_free};
use super::shared::{Slab, SlabRef};
use super::stats::Record;
use super::word::{Freed, Left, Unlisted};
use super::{MAX_KINDS, PAGE};
use core::ptr::NonNull;

/// Empty pages without a type that a thread keeps for itself.
const VOID_KEPT: usize = 2;
/// Full pages looked at, for remotely freed structures, each time a page is needed. All full pages have been looked at when
/// half as many new ones have been filled, so memory that others have freed and the owner has not noticed is bounded.
const LOOKED_AT: usize = 2;

/// Pages of a type.
struct Entry {
    /// With room.
    open: Chain,
    /// Without, when last looked at.
    full: Chain,
}

/// The part of one thread; see [`Slab::attach`]. Dropping it hands its pages over.
pub struct Local<R: SlabRef> {
    entries: [Entry; MAX_KINDS],
    void: Chain,
    /// How many pages are in the chains of types.
    typed: usize,
    record: NonNull<Record>,
    /// What the record's balances were when this local began.
    inherited: [i64; MAX_KINDS],
    id: u32,
    slab: R,
}

// SAFETY: the pages are the local's alone wherever it is; the record lives as long as the slab, which `slab` keeps.
unsafe impl<R: SlabRef + Send> Send for Local<R> {}

impl<R: SlabRef> Local<R> {
    pub(super) fn new(slab: R, id: u32) -> Local<R> {
        let record = slab.ids.record(id);
        Local {
            inherited: core::array::from_fn(|at| record.balance(at)),
            record: NonNull::from(record),
            entries: core::array::from_fn(|_| Entry {
                open: Chain::new(Place::Open),
                full: Chain::new(Place::Full),
            }),
            void: Chain::new(Place::Void),
            typed: 0,
            id,
            slab,
        }
    }

    /// The slab that this is a part of.
    pub fn slab(&self) -> &Slab {
        &self.slab
    }

    #[inline(always)]
    fn record(&self) -> &Record {
        // SAFETY: the record lives as long as the slab.
        unsafe { self.record.as_ref() }
    }

    /// Memory for a structure of type `kind`, not initialised; `None` if there is none.
    ///
    /// It is aligned to the largest power of two that divides the size, and stays until it is freed.
    ///
    /// # Panics
    /// If the slab has no such type.
    #[inline]
    pub fn alloc(&mut self, kind: Kind) -> Option<NonNull<u8>> {
        let at = kind.index();
        let mut page = self.entries[at].open.first();
        if page.is_null() {
            page = self.refill(at)?;
        }
        // SAFETY: the page is not null and in the chain of pages with room, so this local's.
        let (p, room) = unsafe {
            (*page).header(|h| {
                let p;
                if h.free != 0 {
                    p = Page::at(page, h.free);
                    h.free = next_free(p);
                } else {
                    p = Page::at(page, h.fresh);
                    h.fresh += h.layout.size;
                }
                h.used += 1;
                (p, h.room())
            })
        };
        if !room {
            self.filled(at, page);
        }
        self.record().allocated(at);
        Some(p)
    }

    /// Takes back a structure.
    ///
    /// # Safety
    /// `p` is from [`Local::alloc`] with the same `kind`, of this or another local of the same slab, as it was returned;
    /// it was not freed since, and is not used any more.
    #[inline]
    pub unsafe fn free(&mut self, kind: Kind, p: NonNull<u8>) {
        let at = kind.index();
        let page = Page::of(p);
        self.record().freed(at);
        if cfg!(debug_assertions) {
            // SAFETY: the structure is the caller's to give up.
            unsafe { p.write_bytes(POISON, self.slab.layout(at).size as usize) };
        }
        // SAFETY: the structure's page is one of this slab's, and has a header while there are structures in it.
        let view = unsafe { (*page).word().view() };
        if view.owner() == self.id {
            // SAFETY: the page is this local's, and the structure is given up.
            unsafe { self.free_own(at, page, p, view.count()) };
        } else {
            // SAFETY: as above, but for the owner.
            unsafe { self.free_other(at, page, p) };
        }
    }

    /// Algorithm 3: frees into a page of this local. `remote`: how many of the page's structures are known to be freed
    /// remotely.
    ///
    /// # Safety
    /// As for [`Local::free`]; `p` is in `page`, which is this local's and in one of its chains.
    #[inline(always)]
    unsafe fn free_own(&mut self, at: usize, page: *mut Page, p: NonNull<u8>, remote: u32) {
        let offset = (p.addr().get() % PAGE) as u32;
        // SAFETY: the page is this local's; the structure is the caller's to link.
        let (place, empty) = unsafe {
            (*page).header(|h| {
                debug_assert!(usize::from(h.kind) == at, "freed with another type");
                debug_assert!(h.used > remote, "freed twice");
                debug_assert!((offset - h.layout.first).is_multiple_of(h.layout.size));
                h.used -= 1;
                set_next_free(p, h.free);
                h.free = offset;
                (h.place, h.used == remote)
            })
        };
        if place == Place::Full || empty {
            self.opened(at, page, place, empty);
        }
    }

    /// The page has got room, or is empty but for structures on its remote list.
    #[cold]
    fn opened(&mut self, at: usize, page: *mut Page, place: Place, empty: bool) {
        let entry = &mut self.entries[at];
        // SAFETY: the page is this local's and in the chain that its place says.
        unsafe {
            if place == Place::Full {
                entry.full.remove(page);
                entry.open.push_back(page);
            }
            if empty {
                // Nobody has a structure of the page any more, so nobody adds to its remote list.
                (*page).collect();
                // A listed page must keep its type. The last page with room stays, lest a type that has now one
                // structure and now none takes and gives a page each time.
                if !(*page).word().view().listed() && entry.open.len() > 1 {
                    entry.open.remove(page);
                    self.make_void(at, page);
                }
            }
        }
    }

    /// An empty page loses its type.
    ///
    /// # Safety
    /// The page is this local's, empty, not listed and in no chain.
    unsafe fn make_void(&mut self, at: usize, page: *mut Page) {
        self.typed -= 1;
        self.slab.pages[at].lost();
        // SAFETY: the page is this local's; after the push it is not, and not used here.
        unsafe {
            (*page).header(|h| {
                debug_assert_eq!(h.used, 0);
                h.become_of(Header::VOID, super::kind::Layout::NONE);
            });
            if self.void.len() < VOID_KEPT {
                self.void.push_back(page);
            } else {
                (*page).word().close();
                self.slab.put_void(NonNull::new_unchecked(page));
            }
        }
    }

    /// Frees into a page that was not this local's when looked at.
    ///
    /// # Safety
    /// As for [`Local::free`]; `p` is in `page`.
    #[cold]
    unsafe fn free_other(&mut self, at: usize, page: *mut Page, p: NonNull<u8>) {
        let offset = (p.addr().get() % PAGE) as u32;
        // SAFETY: as there, and the structure is the caller's until the word says that it is freed.
        let freed = unsafe {
            let word = (*page).word();
            word.free_to(self.id, offset, |next| set_next_free(p, next))
        };
        match freed {
            Freed::Pushed => self.record().freed_remotely(at),
            Freed::Adopted => {
                self.record().adopted(at);
                self.typed += 1;
                // SAFETY: the page is this local's now and in no chain.
                unsafe {
                    self.settle(at, page);
                    let view = (*page).word().view();
                    self.free_own(at, page, p, view.count());
                }
            }
        }
    }

    /// Puts a page that has become this local's into the chain where it belongs; whether it has room.
    ///
    /// # Safety
    /// The page is this local's and in no chain.
    unsafe fn settle(&mut self, at: usize, page: *mut Page) -> bool {
        // SAFETY: as the caller says.
        unsafe {
            (*page).collect();
            let room = (*page).header(|h| {
                debug_assert_eq!(usize::from(h.kind), at);
                h.room()
            });
            let entry = &mut self.entries[at];
            match room {
                true => entry.open.push_back(page),
                false => entry.full.push_back(page),
            }
            room
        }
    }

    /// The page of the chain with room has none left: collects what others have freed of it, or moves it.
    #[cold]
    fn filled(&mut self, at: usize, page: *mut Page) {
        let entry = &mut self.entries[at];
        // SAFETY: the page is in the chain, so this local's.
        unsafe {
            (*page).collect();
            if !(*page).header(|h| h.room()) {
                entry.open.remove(page);
                entry.full.push_back(page);
            }
        }
    }

    /// Algorithm 2: a page with room in the chain of the type, from wherever there is one. `None` if there is no memory.
    #[cold]
    fn refill(&mut self, at: usize) -> Option<*mut Page> {
        let layout = self.slab.layout(at);
        if let Some(page) = self.look_at_full(at).or_else(|| self.pop_open(at)) {
            return Some(page);
        }
        let page = self.find_void()?;
        self.typed += 1;
        self.slab.pages[at].gained();
        // SAFETY: the page is empty, without a type, this local's and in no chain.
        unsafe {
            (*page).header(|h| h.become_of(at as u8, layout));
            self.entries[at].open.push_back(page);
        }
        Some(page)
    }

    /// Structures of the type that this thread has allocated, less those that it has freed, since it was attached: those
    /// in use, if it frees what it allocates and nobody else does.
    pub fn balance(&self, kind: Kind) -> i64 {
        let at = kind.index();
        self.record().balance(at) - self.inherited[at]
    }

    /// Pages of the type that are this thread's.
    pub fn pages(&self, kind: Kind) -> usize {
        let entry = &self.entries[kind.index()];
        entry.open.len() + entry.full.len()
    }

    /// Bytes of this thread's pages that have a type.
    #[inline]
    pub fn bytes_held(&self) -> usize {
        self.typed * PAGE
    }

    /// Calls `f` with each structure of the type in this thread's pages that is in use.
    ///
    /// # Safety
    /// Nobody frees structures in these pages meanwhile, `f` neither, and what others have freed there happened before.
    pub unsafe fn each_in_use(&self, kind: Kind, mut f: impl FnMut(NonNull<u8>)) {
        const WORDS: usize = PAGE / 8 / 64;
        let entry = &self.entries[kind.index()];
        for chain in [&entry.open, &entry.full] {
            // SAFETY: all pages of the chains are this local's, and their lists of free structures stay as they are.
            unsafe {
                chain.each(|page| {
                    let (layout, free, fresh) = (*page).header(|h| (h.layout, h.free, h.fresh));
                    let mut is_free = [0u64; WORDS];
                    for mut at in [free, (*page).word().view().head()] {
                        while at != 0 {
                            is_free[at as usize / 512] |= 1 << (at / 8 % 64);
                            at = next_free(Page::at(page, at));
                        }
                    }
                    let all = (layout.first..fresh).step_by(layout.size as usize);
                    all.filter(|&at| is_free[at as usize / 512] >> (at / 8 % 64) & 1 == 0)
                        .for_each(|at| f(Page::at(page, at)));
                });
            }
        }
    }

    /// Frees all structures in this thread's pages at once: those that it has allocated and nobody has freed, and those in
    /// pages that it has taken over. Takes time proportional to the number of pages.
    ///
    /// # Safety
    /// None of these structures is used any more, or freed by anybody, and what others have freed in these pages happened
    /// before.
    pub unsafe fn release_all(&mut self) {
        for at in self.slab.all_kinds() {
            let mut kept = Chain::new(Place::Open);
            for full in [false, true] {
                loop {
                    let entry = &mut self.entries[at];
                    let chain = if full {
                        &mut entry.full
                    } else {
                        &mut entry.open
                    };
                    // SAFETY: all pages of the chains are this local's, and their structures are given up.
                    unsafe {
                        let Some(page) = chain.pop_front() else { break };
                        let remote = (*page).word().take().count();
                        let used = (*page).header(|h| {
                            let used = h.used;
                            h.empty();
                            used
                        });
                        self.record().freed_all(at, u64::from(used - remote));
                        if (*page).word().view().listed() {
                            kept.push_back(page);
                        } else {
                            self.make_void(at, page);
                        }
                    }
                }
            }
            self.entries[at].open = kept;
        }
    }

    /// A full page of which others have freed something, among the few that were not looked at for the longest time.
    fn look_at_full(&mut self, at: usize) -> Option<*mut Page> {
        for _ in 0..LOOKED_AT {
            let entry = &mut self.entries[at];
            // SAFETY: all pages of the chains are this local's.
            unsafe {
                let page = entry.full.pop_front()?;
                // To the back of its chain, or to the other chain.
                if self.settle(at, page) {
                    return Some(page);
                }
            }
        }
        None
    }

    /// A page with room of the type that a thread left when it ended.
    fn pop_open(&mut self, at: usize) -> Option<*mut Page> {
        loop {
            let page = self.slab.open[at].pop(&self.slab.supply)?;
            // SAFETY: a page in the stack of a type keeps its header until whoever pops it has said so.
            let shared = unsafe { page.as_ref() };
            match shared.word().unlist(self.id) {
                // Somebody freed into it and has it now.
                Unlisted::Dropped => {}
                Unlisted::Claimed => {
                    self.record().adopted(at);
                    self.typed += 1;
                    // SAFETY: the page is this local's now, and in no chain.
                    if unsafe { self.settle(at, page.as_ptr()) } {
                        return Some(page.as_ptr());
                    }
                    // It was filled by somebody who adopted it.
                }
            }
        }
    }

    /// An empty page without a type: of this thread, of nobody, one that another type of this thread could spare, or new.
    fn find_void(&mut self) -> Option<*mut Page> {
        // SAFETY: all pages of the chain are this local's.
        if let Some(page) = unsafe { self.void.pop_front() } {
            return Some(page);
        }
        if let Some(page) = self.slab.void_page() {
            // SAFETY: the page is only reachable by who popped it.
            unsafe { page.as_ref() }.word().open(self.id);
            return Some(page.as_ptr());
        }
        if let Some(page) = self.spare() {
            return Some(page);
        }
        let page = self.slab.new_page()?;
        // SAFETY: as above, claimed.
        unsafe { page.as_ref() }.word().open(self.id);
        Some(page.as_ptr())
    }

    /// The page that a type keeps although it is empty, see [`Local::opened`].
    fn spare(&mut self) -> Option<*mut Page> {
        for at in self.slab.all_kinds() {
            let open = &mut self.entries[at].open;
            let page = open.first();
            // SAFETY: the pages of the chain are this local's.
            unsafe {
                if page.is_null()
                    || (*page).header(|h| h.used) != 0
                    || (*page).word().view().listed()
                {
                    continue;
                }
                open.remove(page);
                self.typed -= 1;
                self.slab.pages[at].lost();
            }
            return Some(page);
        }
        None
    }

    /// Gives all pages of a type up.
    fn leave(&mut self, at: usize) {
        for full in [false, true] {
            loop {
                let entry = &mut self.entries[at];
                let chain = if full {
                    &mut entry.full
                } else {
                    &mut entry.open
                };
                // SAFETY: all pages of the chains are this local's; what is pushed or left is not used here any more.
                unsafe {
                    let Some(page) = chain.pop_front() else { break };
                    let page = &*page;
                    page.collect();
                    let (used, room) = page.header(|h| (h.used, h.room()));
                    if used == 0 && !page.word().view().listed() {
                        self.slab.pages[at].lost();
                        page.header(|h| h.become_of(Header::VOID, super::kind::Layout::NONE));
                        page.word().close();
                        self.slab.put_void(NonNull::from(page));
                    } else if page.word().leave(room) == Left::Push {
                        self.slab.open[at].push(page, &self.slab.supply);
                    }
                }
            }
        }
    }

    /// The chains, for verification: by type, those with room and the full ones; then the void one.
    pub(super) fn chains(&self) -> impl Iterator<Item = (Option<usize>, &Chain)> {
        let entries = self.entries.iter().enumerate();
        let typed = entries.flat_map(|(at, e)| [(Some(at), &e.open), (Some(at), &e.full)]);
        typed.chain([(None, &self.void)])
    }

    pub(super) fn id(&self) -> u32 {
        self.id
    }
}

impl<R: SlabRef> Drop for Local<R> {
    fn drop(&mut self) {
        for at in self.slab.all_kinds() {
            self.leave(at);
        }
        // SAFETY: all pages of the chain are this local's; they are empty and in no other chain or stack.
        while let Some(page) = unsafe { self.void.pop_front() } {
            // SAFETY: as above.
            unsafe {
                (*page).word().close();
                self.slab.put_void(NonNull::new_unchecked(page));
            }
        }
        self.slab.ids.give(self.id);
    }
}
