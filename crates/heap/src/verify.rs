//! The heap verifier: walks everything reachable and checks that it is well-formed. For debug and torture builds.

use crate::heap::Heap;
use rustc_hash::FxHashSet;
use samite_term::{Cell, Functor, Kind, Tag};

/// Checks everything reachable from `roots` and the trail. Panics with the first violation.
///
/// # Safety
/// `roots` are terms, frame pointers or raw cells of `heap`.
pub unsafe fn verify(heap: &Heap, roots: &[Cell]) {
    assert!(heap.start() <= heap.floor && heap.floor <= heap.h && heap.h <= heap.end());
    assert!(
        heap.floor <= heap.hb && heap.hb <= heap.h,
        "hb out of place"
    );
    let mut work: Vec<Cell> = roots.to_vec();
    let mut met: FxHashSet<u64> = FxHashSet::default();
    let check = |p: *const Cell| {
        let inside = (heap.start() as *const Cell) <= p && p < heap.h;
        assert!(
            inside || heap.old.contains(p),
            "pointer {p:?} outside of the heap"
        );
    };
    while let Some(c) = work.pop() {
        let p = match c.tag() {
            Tag::Int | Tag::Con => continue,
            Tag::Hdr if c.is_kind(Kind::FramePtr) => c.frame(),
            Tag::Hdr if c.is_kind(Kind::Raw) => continue,
            Tag::Hdr => panic!("{c:?} is not a value"),
            _ => c.ptr(),
        };
        if p.is_null() && c.is_hdr() {
            continue;
        }
        check(p);
        if !met.insert(c.0) {
            continue;
        }
        // SAFETY: promised by the caller, and `p` was checked to be inside the heap.
        unsafe {
            match c.tag() {
                Tag::Ref => {
                    if *p != c {
                        work.push(*p);
                    }
                }
                Tag::Att => work.push(*p),
                Tag::Str => {
                    assert!((*p).is_kind(Kind::Functor), "STR to {:?}", *p);
                    for i in 1..=Functor::from_cell(*p).arity() {
                        work.push(*p.add(i));
                    }
                }
                Tag::Lst => work.extend([*p, *p.add(1)]),
                Tag::Box => {
                    let boxed = matches!(
                        (*p).kind(),
                        Kind::Float | Kind::BigInt | Kind::Rational | Kind::String
                    );
                    assert!((*p).is_hdr() && boxed, "BOX to {:?}", *p);
                }
                _ => {
                    assert!((*p).is_kind(Kind::Frame), "frame pointer to {:?}", *p);
                    for i in 1..crate::collect::frame_words(*p) {
                        work.push(*p.add(i));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::copy::record;
    use crate::heap::{Heap, HeapConfig};
    use samite_term::{Atom, Cell, Functor, Tag, TermRef, order};

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
        for _ in 0..200 {
            let mut h = Heap::new(HeapConfig {
                nursery: 1 << 17,
                limit: 1 << 28,
                stress: 0,
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
                let r = record(&mut h, all);
                r.verify();
                let mut roots = [all, h.instantiate(&r).unwrap()];
                super::verify(&h, &roots);
                assert!(
                    order::variant(TermRef::new(roots[0]), TermRef::new(roots[1])),
                    "copy"
                );
                for generation in [crate::Generation::Minor, crate::Generation::Major] {
                    let mut c = h.collect_begin(generation).unwrap();
                    for r in &mut roots {
                        c.root(r);
                    }
                    c.finish();
                    super::verify(&h, &roots);
                    assert!(order::variant(
                        TermRef::new(roots[0]),
                        TermRef::new(roots[1])
                    ));
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
            let r = record(&mut h, cyclic);
            assert!(r.len() < 1000);
            assert!(!r.is_ground());
            super::verify(&h, &[cyclic]);
        }
    }
}
