//! What is alive on a heap that nobody uses for a while, in one block of exactly its size: of a thread that waits long and holds little, the nursery and
//! its pages are for others meanwhile.
//!
//! A heap is folded behind a collection that has copied what is alive into one region, where objects lie one after the other: they are taken as they are,
//! and moved by a distance when they are unfolded at the start of another nursery. Beside the collector this is the only place that moves objects; what
//! it has of the collector's subtleties is nothing, as nothing but addresses changes.
//!
//! *Equation*: words = objects + trail + the caller's; each address in them is of one of these objects.
//!
//! After unfolding all is in the nursery and below `floor`: as after [`Heap::capture`], backtracking does not take it away, and bindings in it are trailed. Nothing
//! is in the old generation, so choicepoints and trail are for the next collection to see (`scanned` is 0, as in any new heap).
//!
//! Used by who runs light threads (`machine/engine/folded.rs`).

use crate::collect::Generation;
use crate::heap::{Heap, HeapStatistics};
use crate::met::Met;
use crate::space::{Region, Space};
use samite_term::{Cell, Kind, Tag};

/// A heap without a place; see the module text.
#[derive(Debug)]
pub struct Folded {
    words: Box<[Cell]>,
    objects: u32,
    trail: u32,
    /// Where the objects lay.
    at: usize,
    statistics: HeapStatistics,
    /// If it has met some.
    met: Option<Box<Met>>,
}

/// By how much objects have moved.
#[derive(Debug, Clone, Copy)]
pub struct Moved {
    from: usize,
    bytes: usize,
    to: usize,
}

impl Moved {
    fn address(&self, p: *mut Cell) -> *mut Cell {
        let offset = (p as usize).wrapping_sub(self.from);
        if offset < self.bytes {
            (self.to + offset) as *mut Cell
        } else {
            p
        }
    }
    /// What a cell is now that was in the heap, on the trail or a root.
    pub fn cell(&self, c: Cell) -> Cell {
        match c.tag() {
            tag @ (Tag::Ref | Tag::Str | Tag::Lst | Tag::Box | Tag::Att) => {
                Cell::to(tag, self.address(c.ptr()))
            }
            Tag::Int | Tag::Con => c,
            Tag::Hdr if c.is_kind(Kind::FramePtr) => Cell::frame_ptr(self.frame(c.frame())),
            Tag::Hdr => c,
        }
    }
    /// Where a frame is now.
    pub fn frame(&self, frame: *mut Cell) -> *mut Cell {
        self.address(frame)
    }
}

impl Folded {
    /// The caller's words.
    pub fn others(&self) -> &[Cell] {
        &self.words[self.objects as usize + self.trail as usize..]
    }
    /// All words: objects, trail, and the caller's.
    pub fn words(&self) -> &[Cell] {
        &self.words
    }
    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        self.words.len() * 8
    }
}

impl Heap {
    /// Before the collection that folds: what it copies goes into `scratch`, if that is large enough and nothing is in the old generation. Which
    /// collection it is to be; `None`: none, there is too much, or it has what cannot be folded.
    pub fn before_fold(&mut self, scratch: &mut Option<Region>, most: usize) -> Option<Generation> {
        if !self.is_plain() {
            return None;
        }
        if self.old.chunks() > 0 {
            let few = self.old.used_bytes() / 8 <= most;
            return few.then_some(Generation::Major);
        }
        let most = crate::collect::worst_case((self.h as usize - self.start() as usize) / 8);
        if scratch.as_ref()?.words() < most {
            return None;
        }
        self.old = Space::of(scratch.take()?);
        Some(Generation::Minor)
    }

    /// Whether it is in no state that is more than what is on it.
    fn is_plain(&self) -> bool {
        self.grace() == 0 && !self.has_woken() && !self.has_had_attributed()
    }

    /// Behind a collection: takes what is alive, with the caller's words, if that is no more than `most` words; the heap is empty then, and is to
    /// be used no more. The region that it was copied into is `scratch` again.
    pub fn fold(
        &mut self,
        scratch: &mut Option<Region>,
        most: usize,
        others: &[Cell],
    ) -> Option<Folded> {
        let plain = self.is_plain() && self.ages.is_empty() && self.h == self.start();
        let one = self.old.chunks() <= 1;
        let objects = self.old.used_bytes() / 8;
        let trail = self.trail.top();
        let all = objects + trail + others.len();
        if !plain || !one || all > most.min(u32::MAX as usize) {
            return None;
        }
        let mut words = Vec::new();
        words.try_reserve_exact(all).ok()?;
        let mut at = 0;
        if self.old.chunks() == 1 {
            let (start, end) = self.old.chunk(0);
            at = start as usize;
            debug_assert!((end as usize - at) / 8 == objects);
            // SAFETY: what is allocated of a chunk.
            words.extend_from_slice(unsafe { std::slice::from_raw_parts(start, objects) });
        }
        words.extend_from_slice(&self.trail.entries);
        words.extend_from_slice(others);
        if let Some(region) = std::mem::take(&mut self.old).into_region()
            && scratch.is_none()
        {
            *scratch = Some(region);
        }
        self.trail.entries.clear();
        Some(Folded {
            words: words.into_boxed_slice(),
            // (No more than all the words of a block that is small.)
            objects: objects as u32,
            trail: trail as u32,
            at,
            statistics: self.statistics,
            met: (!self.met.is_new()).then(|| Box::new(std::mem::take(&mut self.met))),
        })
    }

    /// Puts what was folded into this heap, which is new. The roots, and the caller's words, have moved so.
    pub fn unfold(&mut self, folded: &mut Folded) -> Moved {
        debug_assert!(self.h == self.start() && self.old.chunks() == 0 && self.trail.top() == 0);
        let moved = Moved {
            from: folded.at,
            bytes: folded.objects as usize * 8,
            to: self.start() as usize,
        };
        self.make_room_at_start(folded.objects as usize);
        let (objects, rest) = folded.words.split_at(folded.objects as usize);
        // SAFETY: the nursery, where nothing is, is larger than what is folded: objects one after the other.
        unsafe {
            let (start, end) = (self.start(), self.start().wrapping_add(objects.len()));
            std::ptr::copy_nonoverlapping(objects.as_ptr(), start, objects.len());
            let mut p = start;
            while p < end {
                let c = *p;
                if c.is_hdr() && !c.is_kind(Kind::FramePtr) {
                    p = p.add(1 + c.box_words());
                } else {
                    *p = moved.cell(c);
                    p = p.add(1);
                }
            }
            debug_assert!(p == end);
            self.set_h(end);
        }
        self.floor = self.h;
        self.hb = self.h;
        let trail = rest[..folded.trail as usize].iter().map(|&c| moved.cell(c));
        self.trail.entries.extend(trail);
        self.statistics = folded.statistics;
        self.met = folded.met.take().map_or_else(Met::default, |met| *met);
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::HeapConfig;
    use crate::heap::MIN_NURSERY;
    use samite_term::{Atom, Functor};

    fn heap() -> Heap {
        Heap::new(HeapConfig {
            nursery: MIN_NURSERY,
            ..HeapConfig::default()
        })
        .unwrap()
    }

    /// `n` lists that share a tail and a variable, as one term.
    fn term(h: &mut Heap, n: usize) -> Cell {
        let v = h.variable().unwrap();
        let mut all = Cell::NIL;
        for i in 0..n {
            let f = h.allocate(3).unwrap();
            let l = h.allocate(2).unwrap();
            // SAFETY: just allocated.
            unsafe {
                *f = Functor::new(Atom::new("f"), 2).cell();
                *f.add(1) = Cell::small(i as i64);
                *f.add(2) = v;
                *l = Cell::to(Tag::Str, f);
                *l.add(1) = all;
            }
            all = Cell::to(Tag::Lst, l);
        }
        all
    }

    fn length_and_variable(mut list: Cell) -> (usize, Cell) {
        let mut n = 0;
        let mut v = Cell::ZERO;
        // SAFETY: the terms of this test.
        unsafe {
            while list.tag() == Tag::Lst {
                let f = *list.ptr();
                v = *f.ptr().add(2);
                while v.tag() == Tag::Ref && *v.ptr() != v {
                    v = *v.ptr();
                }
                list = *list.ptr().add(1);
                n += 1;
            }
        }
        (n, v)
    }

    /// Folded and unfolded, again and again, a term is what it was; garbage does not come along; a binding that was trailed is undone.
    #[test]
    fn what_is_alive_survives() {
        let mut h = heap();
        let mut scratch = Region::map(4 * MIN_NURSERY);
        let mut root = term(&mut h, 20);
        for round in 0..5 {
            // Garbage.
            term(&mut h, 100);
            let generation = h.before_fold(&mut scratch, 1000).unwrap();
            assert_eq!(generation, Generation::Minor);
            // SAFETY: the root follows.
            let mut c = unsafe { h.collect_begin(generation, 0..0) }.unwrap();
            // SAFETY: the only one.
            unsafe { c.root(&mut root) };
            c.finish();
            let mut folded = h.fold(&mut scratch, 1000, &[root]).unwrap();
            assert!(scratch.is_some());
            assert!(folded.bytes() <= (20 * 5 + 1 + round + 2) * 8, "{folded:?}");
            h = heap();
            let moved = h.unfold(&mut folded);
            root = moved.cell(folded.others()[0]);
            let (n, v) = length_and_variable(root);
            assert_eq!(n, 20);
            assert!(h.in_nursery(root.ptr()) && v.tag() == Tag::Ref);
            if round == 2 {
                let top = h.trail().top();
                // SAFETY: an unbound variable of this heap, older than HB.
                unsafe {
                    assert!(h.trail_mut().push_variable(v.ptr()));
                    *v.ptr() = Cell::small(7);
                    assert_eq!(length_and_variable(root).1, Cell::small(7));
                    h.trail_mut().undo(top);
                }
                assert_eq!(length_and_variable(root).1, v);
            }
        }
        let refused = h.before_fold(&mut None, 1000);
        assert!(refused.is_none(), "there is nothing to copy to");
        let generation = h.before_fold(&mut scratch, 1000).unwrap();
        // SAFETY: the root follows.
        let mut c = unsafe { h.collect_begin(generation, 0..0) }.unwrap();
        // SAFETY: the only one.
        unsafe { c.root(&mut root) };
        c.finish();
        assert!(h.fold(&mut scratch, 50, &[root]).is_none(), "too much");
        assert_eq!(length_and_variable(root).0, 20);
    }
}
