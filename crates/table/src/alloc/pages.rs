//! The default allocator: pages of one type each (paper, section III), a thread's part of the typed slab that all threads share
//! ([`samite_alloc::slab`]).
//!
//! A part is begun with the first structure and ends when nothing is left, so a thread without tables has none, and its pages serve others.
//! A part may take its structures from the general allocator instead ([`Origin::Malloc`], [`single`]): it has no pages then, and no more to do for the others than to look for their part.
//! Arrays of words up to [`SHORT_MAX`] bytes are structures, each size a type; longer ones are the general allocator's ([`long`]).
//!
//! Invariants: structures of a type in use = those allocated less those freed by this part, as nobody else frees them;
//! `long` = bytes of all long arrays in use; each is referred to by a hash header or a header of rows in use, and by that alone.

use super::{KindUse, MIN_BUCKETS, StructAlloc, StructType, long, single};
use crate::frame::{Entry, Frame};
use crate::hash::{self, Header};
use crate::node::{Answer, Node, Subgoal};
use crate::rows::{self, Rows};
use samite_alloc::os;
use samite_alloc::slab::{Kind, KindStats, Local, PageSource, Slab, System, Type};
use samite_term::common;
use samite_world::faults::{self, Door};
use std::ptr::NonNull;
use std::sync::OnceLock;

/// Lengths of arrays that are structures.
const SHORT: usize = 4;
/// Bytes of the shortest.
const LEAST: usize = MIN_BUCKETS * size_of::<*mut u8>();
/// Bytes of the longest. One of twice the length would leave too much of a page unused.
const SHORT_MAX: usize = LEAST << (SHORT - 1);
/// All types of the slab.
const KINDS: usize = StructType::COUNT + SHORT;

/// Bytes of a structure of the slab.
pub(super) const fn size_of_kind(kind: Kind) -> usize {
    TYPES[kind.index()].size
}

const fn kind(ty: StructType) -> Kind {
    Kind::new(ty as usize)
}

/// The type of the arrays of so many bytes, a power of two.
fn kind_of_array(bytes: usize) -> Kind {
    Kind::new(StructType::COUNT + (bytes / LEAST).trailing_zeros() as usize)
}

/// Types by their number, then arrays by their length.
const TYPES: [Type; KINDS] = {
    let mut types = [Type {
        name: "array",
        size: 0,
    }; KINDS];
    types[StructType::TableEntry as usize] = ty("table entry", size_of::<Entry>());
    types[StructType::SubgoalNode as usize] = ty("subgoal trie node", size_of::<Node<Subgoal>>());
    types[StructType::AnswerNode as usize] = ty("answer trie node", size_of::<Node<Answer>>());
    types[StructType::SubgoalFrame as usize] = ty("subgoal frame", size_of::<Frame>());
    types[StructType::HashHeader as usize] = ty("hash header", size_of::<Header<Answer>>());
    types[StructType::Rows as usize] = ty("rows", size_of::<Rows>());
    types[StructType::CallNode as usize] = ty("shared call node", StructType::CallNode.size());
    types[StructType::CallLevel as usize] = ty("shared call level", StructType::CallLevel.size());
    types[StructType::CallBlock as usize] = ty("shared call frames", StructType::CallBlock.size());
    let mut i = 0;
    while i < SHORT {
        types[StructType::COUNT + i].size = LEAST << i;
        i += 1;
    }
    types
};

const fn ty(name: &'static str, size: usize) -> Type {
    Type { name, size }
}

/// Memory of the system, if that has it and is not told to refuse it.
struct Tables;

// SAFETY: memory of `System`.
unsafe impl PageSource for Tables {
    fn map(&self, bytes: usize, align: usize) -> Option<NonNull<u8>> {
        if faults::check(Door::Tables).is_err() {
            return None;
        }
        // Until it is aligned, a mapping is longer.
        let most = bytes.checked_add(align.max(os::page_size()))?;
        common::mapped(most, || System.map(bytes, align))
    }
    unsafe fn unmap(&self, start: NonNull<u8>, bytes: usize) {
        // SAFETY: the caller's promise.
        unsafe { System.unmap(start, bytes) }
    }
    unsafe fn purge(&self, start: NonNull<u8>, bytes: usize) {
        // SAFETY: the caller's promise.
        unsafe { System.purge(start, bytes) }
    }
}

/// What all threads have of each type.
pub fn all_kinds() -> Vec<KindUse> {
    let Some(slab) = slab() else {
        return Vec::new();
    };
    let stats = (0..KINDS).map(|k| slab.stats(Kind::new(k)));
    let of = |s: KindStats| KindUse {
        name: s.name,
        size: s.size,
        in_use: s.live,
        pages: s.pages,
    };
    stats.map(of).collect()
}

/// The pages of all threads.
fn slab() -> Option<&'static Slab> {
    static SLAB: OnceLock<Slab> = OnceLock::new();
    if SLAB.get().is_none() {
        let new = Slab::with_source(&TYPES, &Tables)?;
        // Somebody else may have been faster.
        let _ = SLAB.set(new);
    }
    SLAB.get()
}

type Part = Local<&'static Slab>;

/// Where structures come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Origin {
    /// Pages of one type each.
    #[default]
    Pages,
    /// The general allocator, one by one.
    Malloc,
}

/// An allocator of typed pages, or one by one; see the module text.
#[derive(Default)]
pub struct PageAlloc {
    part: Option<Part>,
    long: usize,
    origin: Origin,
    /// Structures of each type in use that are not in pages.
    singly: [usize; KINDS],
}

impl PageAlloc {
    /// An allocator without any page.
    pub const fn new() -> PageAlloc {
        PageAlloc::of(Origin::Pages)
    }

    /// An allocator whose structures come from there.
    pub const fn of(origin: Origin) -> PageAlloc {
        PageAlloc {
            part: None,
            long: 0,
            origin,
            singly: [0; KINDS],
        }
    }

    /// What another allocator without pages has handed out counts as handed out by this one, which is without pages too.
    pub(crate) fn absorb(&mut self, other: PageAlloc) {
        debug_assert!(self.frees_singly() && other.frees_singly());
        debug_assert_eq!(other.long, 0);
        for (own, more) in self.singly.iter_mut().zip(other.singly) {
            *own += more;
        }
    }

    /// Without pages: the first structure in one, or one by itself. `None` if there is no memory for it.
    #[cold]
    #[inline(never)]
    fn first(&mut self, kind: Kind) -> Option<NonNull<u8>> {
        if self.origin == Origin::Malloc {
            let made = single::make(kind)?;
            self.singly[kind.index()] += 1;
            return Some(made);
        }
        let part = self.part.insert(Slab::attach(slab()?)?);
        part.alloc(kind)
    }

    #[inline]
    fn structure(&mut self, kind: Kind) -> Option<NonNull<u8>> {
        match &mut self.part {
            Some(part) => part.alloc(kind),
            None => self.first(kind),
        }
    }

    /// # Safety
    /// As for [`StructAlloc::free`].
    #[inline]
    unsafe fn free_structure(&mut self, kind: Kind, p: NonNull<u8>) {
        debug_assert!(self.balance(kind) > 0, "freed twice");
        match &mut self.part {
            // SAFETY: the caller's promise.
            Some(part) => unsafe { part.free(kind, p) },
            None => {
                self.singly[kind.index()] -= 1;
                // SAFETY: the caller's promise: who has no part has made it so.
                unsafe { single::free(kind, p) };
            }
        }
    }

    fn balance(&self, kind: Kind) -> usize {
        match &self.part {
            Some(part) => part.balance(kind) as usize,
            None => self.singly[kind.index()],
        }
    }

    fn is_empty(&self) -> bool {
        (0..KINDS).all(|k| self.balance(Kind::new(k)) == 0)
    }
}

impl StructAlloc for PageAlloc {
    #[inline]
    fn alloc(&mut self, ty: StructType) -> Option<NonNull<u8>> {
        self.structure(kind(ty))
    }

    #[inline]
    unsafe fn free(&mut self, ty: StructType, p: NonNull<u8>) {
        // SAFETY: the caller's promise.
        unsafe { self.free_structure(kind(ty), p) };
    }

    fn alloc_buckets(&mut self, n: usize) -> Option<NonNull<*mut u8>> {
        let bytes = n.checked_mul(size_of::<*mut u8>())?;
        debug_assert!(bytes.is_power_of_two() && bytes >= LEAST);
        if bytes > SHORT_MAX {
            let array = long::make(bytes)?;
            self.long += bytes;
            return Some(array.cast());
        }
        if faults::check(Door::Tables).is_err() {
            return None;
        }
        let array = self.structure(kind_of_array(bytes))?;
        // SAFETY: the structure has this many bytes; zero is the null pointer.
        unsafe { array.write_bytes(0, bytes) };
        Some(array.cast())
    }

    unsafe fn free_buckets(&mut self, n: usize, p: NonNull<*mut u8>) {
        let bytes = n * size_of::<*mut u8>();
        // SAFETY: the caller's promise.
        unsafe {
            if bytes > SHORT_MAX {
                self.long -= bytes;
                long::free(p.cast(), bytes);
            } else {
                self.free_structure(kind_of_array(bytes), p.cast());
            }
        }
    }

    fn bytes_in_use(&self) -> usize {
        let of = |(k, ty): (usize, &Type)| self.balance(Kind::new(k)) * ty.size;
        self.long + TYPES.iter().enumerate().map(of).sum::<usize>()
    }

    fn bytes_held(&self) -> usize {
        match &self.part {
            Some(part) => self.long + part.bytes_held(),
            None => self.bytes_in_use(),
        }
    }

    fn trim(&mut self) {
        if self.is_empty() {
            self.part = None;
        }
    }

    fn kinds(&self) -> Vec<KindUse> {
        let of = |(k, ty): (usize, &Type)| {
            let kind = Kind::new(k);
            KindUse {
                name: ty.name,
                size: ty.size,
                in_use: self.balance(kind),
                pages: self.part.as_ref().map_or(0, |p| p.pages(kind)),
            }
        };
        let long = KindUse {
            name: "long array",
            size: 0,
            in_use: self.long,
            pages: 0,
        };
        TYPES.iter().enumerate().map(of).chain([long]).collect()
    }

    fn count(&self, ty: StructType) -> usize {
        self.balance(kind(ty))
    }

    fn frees_singly(&self) -> bool {
        self.origin == Origin::Malloc
    }

    unsafe fn release_all(&mut self) {
        debug_assert!(self.part.is_some() || self.is_empty());
        let Some(mut part) = self.part.take() else {
            return;
        };
        // SAFETY: nobody else frees structures in these pages, and the caller nothing any more; those in use are headers.
        unsafe {
            if self.long > 0 {
                let mut gone = |array: NonNull<u8>, words: usize| {
                    let bytes = words * size_of::<u64>();
                    if bytes > SHORT_MAX {
                        self.long -= bytes;
                        long::free(array, bytes);
                    }
                };
                part.each_in_use(kind(StructType::HashHeader), |head| {
                    let (buckets, n) = hash::buckets(head.cast::<Header<Answer>>().as_ptr());
                    gone(buckets, n);
                });
                part.each_in_use(kind(StructType::Rows), |header| {
                    rows::each_array(header.cast(), &mut gone);
                });
            }
            part.release_all();
        }
        debug_assert_eq!(self.long, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_are_reused_and_counted() {
        let mut a = PageAlloc::new();
        for ty in StructType::ALL {
            let n = if cfg!(miri) { 300 } else { 5000 };
            let mut all: Vec<_> = (0..n).map(|_| a.alloc(ty).unwrap()).collect();
            assert_eq!(a.count(ty), n);
            for p in &all {
                let align = 1 << ty.size().trailing_zeros();
                assert_eq!(p.addr().get() % align, 0, "{ty:?}");
                // SAFETY: just allocated with this size.
                unsafe { p.write_bytes(0xff, ty.size()) };
            }
            all.sort();
            assert!(all.windows(2).all(|w| {
                // SAFETY: both are structures in use.
                w[1].addr().get() - w[0].addr().get() >= ty.size()
            }));
            let held = a.bytes_held();
            for &p in &all {
                // SAFETY: each is freed once.
                unsafe { a.free(ty, p) };
            }
            assert_eq!(a.count(ty), 0);
            let again: Vec<_> = (0..n).map(|_| a.alloc(ty).unwrap()).collect();
            // (Other threads may have had a page in between.)
            assert!(a.count(ty) == n && a.bytes_held() <= held);
            for p in again {
                // SAFETY: each is freed once.
                unsafe { a.free(ty, p) };
            }
        }
        // SAFETY: nothing is used after this.
        unsafe { a.release_all() };
        assert_eq!((a.bytes_in_use(), a.bytes_held()), (0, 0));
    }

    /// Some structures of each type and some arrays are freed, in any order: what is left is intact, and what is held is in proportion to it.
    #[test]
    fn empty_pages_go_back() {
        let mut a = PageAlloc::new();
        let n = if cfg!(miri) { 150 } else { 6000 };
        for keep in [0, 1, 5, n / 3] {
            let mut all = Vec::new();
            for i in 0..n {
                for ty in StructType::ALL {
                    let p = a.alloc(ty).unwrap();
                    // SAFETY: just allocated with this size.
                    unsafe { p.write_bytes(i as u8, ty.size()) };
                    all.push((i, ty, p));
                }
            }
            let lengths = (0..n / 50).map(|i| MIN_BUCKETS << (i % 7));
            let arrays: Vec<_> = lengths.map(|n| (n, a.alloc_buckets(n).unwrap())).collect();
            let full = a.bytes_held();
            let (kept, gone) = all.split_at(keep * StructType::COUNT);
            for (i, ty, p) in gone
                .iter()
                .rev()
                .step_by(2)
                .chain(gone.iter().rev().skip(1).step_by(2))
            {
                // SAFETY: freed once.
                unsafe {
                    assert_eq!(p.read(), *i as u8);
                    a.free(*ty, *p);
                }
            }
            for (n, p) in arrays {
                // SAFETY: freed once.
                unsafe { a.free_buckets(n, p) };
            }
            a.trim();
            assert!(a.bytes_held() >= a.bytes_in_use());
            assert!(
                keep > 5 || a.bytes_held() <= full / 2,
                "{} of {full}",
                a.bytes_held()
            );
            assert!(keep > 0 || a.bytes_held() == 0, "{}", a.bytes_held());
            for (i, ty, p) in kept {
                // SAFETY: in use, and freed once.
                unsafe {
                    let bytes = std::slice::from_raw_parts(p.as_ptr(), ty.size());
                    assert!(bytes.iter().all(|&b| b == *i as u8));
                    a.free(*ty, *p);
                }
            }
            a.trim();
            assert_eq!((a.bytes_in_use(), a.bytes_held()), (0, 0));
        }
    }

    /// Without pages: all is given back to the general allocator, each structure once.
    #[test]
    fn structures_that_are_single_go_one_by_one() {
        let mut a = PageAlloc::of(Origin::Malloc);
        let mut all = Vec::new();
        for i in 0..if cfg!(miri) { 20 } else { 500 } {
            for ty in StructType::ALL {
                let p = a.alloc(ty).unwrap();
                let align = 1 << ty.size().trailing_zeros();
                assert_eq!(p.addr().get() % align, 0, "{ty:?}");
                // SAFETY: just allocated with this size.
                unsafe { p.write_bytes(i as u8, ty.size()) };
                all.push((ty, p));
            }
        }
        let array = a.alloc_buckets(MIN_BUCKETS).unwrap();
        let bytes: usize = all.iter().map(|(ty, _)| ty.size()).sum();
        assert_eq!(a.bytes_in_use(), bytes + LEAST);
        assert_eq!(a.bytes_held(), a.bytes_in_use());
        assert!(a.frees_singly() && a.kinds().iter().all(|k| k.pages == 0));
        for (ty, p) in all {
            // SAFETY: freed once.
            unsafe { a.free(ty, p) };
        }
        // SAFETY: freed once.
        unsafe { a.free_buckets(MIN_BUCKETS, array) };
        a.trim();
        // SAFETY: nothing is left.
        unsafe { a.release_all() };
        assert_eq!(a.bytes_held(), 0);
    }

    #[test]
    fn an_allocator_starts_small() {
        let mut a = PageAlloc::new();
        assert_eq!(a.bytes_held(), 0);
        a.alloc(StructType::AnswerNode).unwrap();
        assert!(a.bytes_held() <= 16 << 10);
        assert_eq!(a.bytes_in_use(), StructType::AnswerNode.size());
    }

    #[test]
    fn buckets_are_null() {
        let mut a = PageAlloc::new();
        for _ in 0..2 {
            let p = a.alloc_buckets(64).unwrap();
            // SAFETY: 64 initialised pointers.
            let all = unsafe { std::slice::from_raw_parts_mut(p.as_ptr(), 64) };
            assert!(all.iter().all(|p| p.is_null()));
            all.fill(NonNull::dangling().as_ptr());
            // SAFETY: freed once.
            unsafe { a.free_buckets(64, p) };
        }
        assert_eq!(a.bytes_in_use(), 0);
    }

    /// Arrays of all lengths that are in use when everything goes.
    #[test]
    fn long_arrays_go_with_their_headers() {
        use crate::TableSpace;
        let mut space: TableSpace<PageAlloc> = TableSpace::new();
        for pred in 0..2 {
            for i in 0..if cfg!(miri) { 300 } else { 3000 } {
                // Rows in one table and each in one of its own, hashed calls.
                for call in [0, i] {
                    let root = space.subgoal_root(pred).unwrap();
                    let node = space.subgoal_step(root, call << 3).unwrap();
                    let (frame, _) = space.subgoal_leaf(node).unwrap();
                    space.add_row(frame, &[(i * i) << 3]).unwrap();
                }
            }
        }
        space.verify();
        assert!(space.store.alloc.long > 0);
        space.abolish_all();
        assert_eq!((space.store.alloc.long, space.bytes_held()), (0, 0));
    }
}
