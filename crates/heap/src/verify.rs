//! The heap verifier: walks everything reachable and checks that it is well-formed. For debug and torture builds; and the count of what
//! is alive, for collections where memory is short.
//!
//! Its own tables (what is still to be looked at, what was met) are as large as what is alive, and may be refused:
//!
//! ```text
//! there is no room for a table   =>  a verification ends, having found nothing; a count has found too much
//! ```
//!
//! A verification asks as everybody does, so that it takes nothing of what is kept for those that cannot be refused; a count is there
//! for these, and takes from that.

use crate::heap::{Heap, OldMark};
use rustc_hash::FxHashSet;
use samite_term::{Cell, Functor, Kind, Tag, growth};

/// What a verification follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Everything reachable.
    Whole,
    /// What a minor collection would move: references into the old generation are checked to be inside, and not followed.
    Young,
}

/// Checks what is reachable from `roots` and from the trail. Panics with the first violation.
///
/// For [`Extent::Young`] the roots are those of a minor collection; the remembered set is added here.
///
/// # Safety
/// `roots` are terms, frame pointers or raw cells of `heap`.
pub unsafe fn verify(heap: &Heap, roots: Vec<Cell>, extent: Extent) {
    assert!(heap.start() <= heap.floor && heap.floor <= heap.h && heap.h <= heap.end());
    assert!(heap.floor <= heap.soft_end(), "the margin was captured");
    assert!(
        heap.floor <= heap.hb && heap.hb <= heap.h,
        "hb out of place"
    );
    assert!(heap.ages.outside().all(|p| heap.old.contains(p)));
    heap.ages.verify();
    let mut v = Verifier {
        heap,
        extent,
        work: roots,
        met: FxHashSet::default(),
        words: 0,
        most: None,
        over: false,
    };
    // SAFETY: promised by the caller; the trail holds cells of the heap.
    unsafe {
        v.trail();
        v.run();
    }
}

/// Upper bound of the words that a major collection would move, if they are no more than `most`: for when there is no memory to
/// copy into but for little. `None` if they may be more, or there is no memory to find out.
///
/// # Safety
/// As [`verify`].
pub unsafe fn live_words(heap: &Heap, roots: Vec<Cell>, most: usize) -> Option<usize> {
    if heap.trail.top() > most {
        return None;
    }
    let mut v = Verifier {
        heap,
        extent: Extent::Whole,
        work: roots,
        met: FxHashSet::default(),
        words: 0,
        most: Some(most),
        over: false,
    };
    // SAFETY: promised by the caller.
    unsafe {
        v.trail();
        v.run();
    }
    (!v.over && v.words <= most).then_some(v.words)
}

/// Checks everything in the old generation from `mark` on, reachable or not: right after a collection that began
/// at that mark nothing there may refer to the (empty) nursery.
///
/// # Safety
/// `mark` is that of the old generation when the collection that just finished began.
pub unsafe fn verify_survivors(heap: &Heap, mark: OldMark) {
    let mut v = Verifier {
        heap,
        extent: Extent::Young,
        work: Vec::new(),
        met: FxHashSet::default(),
        words: 0,
        most: None,
        over: false,
    };
    for i in mark.chunk..heap.old.chunks() {
        let (start, top) = heap.old.chunk(i);
        let from = if i == mark.chunk && !mark.top.is_null() {
            mark.top
        } else {
            start
        };
        // SAFETY: survivors lie there one after the other.
        unsafe { v.objects(from, top) };
    }
    // SAFETY: as above.
    unsafe { v.run() };
}

struct Verifier<'h> {
    heap: &'h Heap,
    extent: Extent,
    work: Vec<Cell>,
    /// Values whose target was checked.
    met: FxHashSet<u64>,
    /// Words of these targets.
    words: usize,
    /// How many there may be where they are counted.
    most: Option<usize>,
    /// It has found too much, or there is no room for its tables: it goes no further.
    over: bool,
}

impl Verifier<'_> {
    /// Adds the contents of trailed cells, the values kept by the trail, and regions outside of the nursery.
    unsafe fn trail(&mut self) {
        let entries = &self.heap.trail.entries;
        let from = match self.extent {
            Extent::Whole => 0,
            Extent::Young => self.heap.trail.scanned(),
        };
        let mut i = entries.len();
        while i > from {
            i -= 1;
            let e = entries[i];
            self.inside(e.ptr());
            if self.over {
                return;
            }
            // SAFETY: the address was checked; regions hold objects one after the other (trail invariant).
            unsafe {
                match e.tag() {
                    Tag::Ref => self.add(*e.ptr()),
                    Tag::Str => {
                        i -= 1;
                        self.add(*e.ptr());
                        self.add(entries[i]);
                    }
                    Tag::Lst => {
                        i -= 1;
                        let words = entries[i].payload() as usize;
                        // Older regions were scanned, and may have been left by backtracking since.
                        if i >= self.heap.trail.scanned() {
                            self.objects(e.ptr(), e.ptr().wrapping_add(words));
                        }
                    }
                    _ => panic!("{e:?} on the trail"),
                }
            }
        }
    }

    /// Adds the values of the objects from `p` to `end`.
    unsafe fn objects(&mut self, mut p: *mut Cell, end: *mut Cell) {
        while p < end {
            // SAFETY: the caller gives a range of well-formed objects.
            unsafe {
                let c = *p;
                p = match c.is_hdr().then(|| c.kind()) {
                    None | Some(Kind::FramePtr) => {
                        self.add(c);
                        p.add(1)
                    }
                    Some(
                        Kind::Functor
                        | Kind::Frame
                        | Kind::Raw
                        | Kind::Float
                        | Kind::BigInt
                        | Kind::Rational
                        | Kind::String,
                    ) => p.add(1 + c.box_words()),
                    Some(mark) => panic!("a mark is left: {mark:?}"),
                };
            }
        }
        assert!(p == end, "objects that do not fill their region");
    }

    fn inside(&self, p: *const Cell) -> bool {
        let young = ((self.heap.start() as *const Cell) <= p && p < self.heap.h)
            || self.heap.young_variables().contains(&p.cast_mut());
        assert!(
            young || self.heap.old.contains(p),
            "pointer {p:?} outside of the heap"
        );
        young
    }

    /// Adds a value to what is to be looked at.
    fn add(&mut self, c: Cell) {
        if self.over {
            return;
        }
        let room = if self.most.is_none() {
            growth::push(&mut self.work, c).is_ok()
        } else {
            let room = self.work.try_reserve(1).is_ok();
            if room {
                self.work.push(c);
            }
            room
        };
        if !room {
            self.end();
        }
    }

    /// Adds a value to those that were met; false: it was there, or has no place.
    fn meet(&mut self, c: Cell) -> bool {
        let new = if self.most.is_none() {
            growth::add(&mut self.met, c.0).ok()
        } else {
            let room = self.met.try_reserve(1).is_ok();
            room.then(|| self.met.insert(c.0))
        };
        if new.is_none() {
            self.end();
        }
        new.unwrap_or(false)
    }

    #[cold]
    fn end(&mut self) {
        self.over = true;
        self.work.clear();
    }

    unsafe fn run(&mut self) {
        while !self.over
            && let Some(c) = self.work.pop()
        {
            if self.most.is_some_and(|most| self.words > most) {
                return self.end();
            }
            let p = match c.tag() {
                Tag::Int => continue,
                Tag::Con => {
                    assert!(self.heap.may_have(c), "{c:?} was never met");
                    continue;
                }
                Tag::Hdr if c.is_kind(Kind::FramePtr) => c.frame(),
                Tag::Hdr if c.is_kind(Kind::Raw) => continue,
                Tag::Hdr => panic!("{c:?} is not a value"),
                _ => c.ptr(),
            };
            if p.is_null() && c.is_hdr() {
                continue;
            }
            if !self.meet(c) {
                continue;
            }
            let follow = self.inside(p) || self.extent == Extent::Whole;
            // SAFETY: promised by the caller, and `p` was checked to be inside the heap.
            unsafe { self.target(c, p, follow) };
        }
    }

    /// Checks the object at `p` that `c` refers to, and adds its contents if wanted.
    unsafe fn target(&mut self, c: Cell, p: *mut Cell, follow: bool) {
        // SAFETY: the caller has checked that `p` is in the heap.
        unsafe {
            let contents = match c.tag() {
                Tag::Ref if *p == c => {
                    self.words += 1;
                    return;
                }
                Tag::Ref => {
                    // A cell of an object, so a value.
                    let raw = (*p).is_hdr() && !matches!((*p).kind(), Kind::FramePtr | Kind::Raw);
                    assert!(!raw, "reference to {:?}", *p);
                    if (*p).tag() == Tag::Att {
                        assert!(
                            !self.heap.in_nursery(p),
                            "an attributed variable that is not trailed"
                        );
                    }
                    0..1
                }
                Tag::Str | Tag::Att => {
                    assert!((*p).is_kind(Kind::Functor), "{:?} to {:?}", c.tag(), *p);
                    1..1 + Functor::from_cell(*p).arity()
                }
                Tag::Lst => 0..2,
                Tag::Box => {
                    let boxed = matches!(
                        (*p).kind(),
                        Kind::Float | Kind::BigInt | Kind::Rational | Kind::String
                    );
                    assert!((*p).is_hdr() && boxed, "BOX to {:?}", *p);
                    self.words += 1 + (*p).box_words();
                    return;
                }
                _ => {
                    assert!((*p).is_kind(Kind::Frame), "frame pointer to {:?}", *p);
                    1..crate::collect::frame_words(*p)
                }
            };
            self.words += contents.end;
            if follow {
                for i in contents {
                    self.add(*p.add(i));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::config::HeapConfig;
    use crate::copy::{Attributes, record};
    use crate::heap::Heap;
    use samite_term::variant::variant;
    use samite_term::{Atom, Cell, Functor, Tag};

    /// Random terms through record, instantiate and collection stay variants of themselves.
    #[test]
    fn random_terms_survive_copying_and_collecting() {
        let mut seed = 0x9e37_79b9_7f4a_7c15u64;
        let mut next = move |n: u64| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed % n
        };
        for _ in 0..if cfg!(miri) { 4 } else { 200 } {
            let mut h = Heap::new(HeapConfig {
                nursery: 1 << 17,
                limit: 1 << 28,
                stress: 0,
                ..HeapConfig::default()
            })
            .unwrap();
            let mut pool = vec![Cell::small(1), Cell::NIL];
            for _ in 0..next(14) + 2 {
                let a = pool[next(pool.len() as u64) as usize];
                let b = pool[next(pool.len() as u64) as usize];
                let c = match next(6) {
                    0 => h.variable().unwrap(),
                    1 => h.list_cell(a, b).unwrap(),
                    2 => h
                        .structure(Functor::new(Atom::new("f"), 2), &[a, b])
                        .unwrap(),
                    3 => h.float(next(100) as f64).unwrap(),
                    4 => {
                        // A list cell whose head is an unbound variable in place.
                        let l = h.list_cell(Cell::ZERO, b).unwrap();
                        // SAFETY: the cell was just made.
                        unsafe { *l.ptr() = Cell::to(Tag::Ref, l.ptr()) };
                        pool.push(Cell::to(Tag::Ref, l.ptr()));
                        l
                    }
                    _ => h.string("text").unwrap(),
                };
                pool.push(c);
            }
            let items = pool.clone();
            let all = h.list(&items, Cell::NIL).unwrap();
            // SAFETY: all terms belong to `h`, which is not collected while they are read.
            unsafe {
                let r = record(&mut h, all, Attributes::Dropped).unwrap();
                r.verify();
                let mut roots = [all, h.instantiate(&r).unwrap()];
                super::verify(&h, roots.to_vec(), super::Extent::Whole);
                assert!(variant(roots[0], roots[1]), "copy");
                for generation in [crate::Generation::Minor, crate::Generation::Major] {
                    let mut c = h.collect_begin(generation, 0..0).unwrap();
                    for r in &mut roots {
                        c.root(r);
                    }
                    c.finish();
                    super::verify(&h, roots.to_vec(), super::Extent::Whole);
                    assert!(variant(roots[0], roots[1]));
                }
            }
        }
    }

    #[test]
    fn long_shared_and_cyclic_terms_are_copied_with_sharing() {
        let mut h = Heap::new(HeapConfig::default()).unwrap();
        let f = Functor::new(Atom::new("f"), 2);
        let mut t = h.variable().unwrap();
        for _ in 0..100 {
            t = h.structure(f, &[t, t]).unwrap();
        }
        let cyclic = h.structure(f, &[t, Cell::NIL]).unwrap();
        // SAFETY: making our own fresh structure cyclic; then copying it.
        unsafe {
            *cyclic.ptr().add(2) = cyclic;
            let r = record(&mut h, cyclic, Attributes::Dropped).unwrap();
            assert!(r.len() < 1000);
            assert!(!r.is_ground());
            super::verify(&h, vec![cyclic], super::Extent::Whole);
        }
    }
}
