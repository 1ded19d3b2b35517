//! Unit tests of the collector on small heaps.

use super::*;
use crate::config::HeapConfig;
use samite_term::{Atom, TermRef};

fn heap() -> Heap {
    Heap::new(HeapConfig {
        nursery: 1 << 16,
        limit: 1 << 30,
        stress: 0,
        ..HeapConfig::default()
    })
    .unwrap()
}

fn collect(h: &mut Heap, g: Generation, roots: &mut [Cell]) -> TrailMap {
    // SAFETY: the roots follow.
    let mut c = unsafe { h.collect_begin(g, 0..0) }.unwrap();
    for r in roots {
        // SAFETY: tests give cells of the heap, each once.
        unsafe { c.root(r) };
    }
    c.finish()
}

fn show(c: Cell) -> String {
    // SAFETY: test terms are live.
    match unsafe { TermRef::new(c) }.view() {
        samite_term::View::Int(i) => i.to_string(),
        samite_term::View::Atom(a) => a.as_str().to_owned(),
        samite_term::View::Var(_) => "_".to_owned(),
        samite_term::View::Str(s) => format!("{s:?}"),
        samite_term::View::Float(f) => f.to_string(),
        samite_term::View::List(h, t) => format!("[{}|{}]", show(h.cell()), show(t.cell())),
        samite_term::View::Compound(c) => {
            let args: Vec<_> = c.args().map(|a| show(a.cell())).collect();
            format!("{}({})", c.name().as_str(), args.join(","))
        }
        _ => "?".to_owned(),
    }
}

#[test]
fn terms_survive_both_generations() {
    let mut h = heap();
    let v = h.variable().unwrap();
    let s = h.string("some text").unwrap();
    let f = h.float(2.5).unwrap();
    let l = h.list(&[v, s, f, v], Cell::NIL).unwrap();
    let t = h
        .structure(Functor::new(Atom::new("t"), 2), &[l, Cell::small(7)])
        .unwrap();
    let mut roots = [t, v];
    let before = show(t);
    for g in [Generation::Minor, Generation::Major, Generation::Major] {
        collect(&mut h, g, &mut roots);
        assert_eq!(show(roots[0]), before);
        // SAFETY: `roots[1]` is a live variable; sharing must have survived.
        unsafe { h.bind(samite_term::view::deref(roots[1]).ptr(), Cell::small(1)) };
        assert!(show(roots[0]).starts_with("t([1|"));
        // SAFETY: undoing our own binding.
        unsafe { h.trail.undo(0) };
    }
}

#[test]
fn trailed_bindings_are_not_short_circuited() {
    let mut h = heap();
    let v = h.variable().unwrap();
    let t = h
        .structure(Functor::new(Atom::new("f"), 2), &[v, v])
        .unwrap();
    h.hb = h.h; // a choicepoint
    // SAFETY: `v` is unbound and older than the choicepoint.
    unsafe { h.bind(v.ptr(), Cell::small(3)) };
    assert_eq!(h.trail.top(), 1);
    let mut roots = [t];
    collect(&mut h, Generation::Minor, &mut roots);
    assert_eq!(show(roots[0]), "f(3,3)");
    // SAFETY: backtracking to the choicepoint.
    unsafe { h.trail.undo(0) };
    assert_eq!(show(roots[0]), "f(_,_)");
}

/// A trailed argument reached by a reference first and by its structure later has one new place.
#[test]
fn a_trailed_argument_is_undone_for_everybody() {
    for generation in [Generation::Minor, Generation::Major] {
        let mut h = heap();
        let p = h.allocate(2).unwrap();
        // SAFETY: two fresh cells, made a list cell whose head is unbound in place.
        let (list, v) = unsafe {
            *p = Cell::to(Tag::Ref, p);
            *p.add(1) = Cell::NIL;
            (Cell::to(Tag::Lst, p), Cell::to(Tag::Ref, p))
        };
        h.hb = h.h; // a choicepoint
        // SAFETY: `v` is unbound and older than the choicepoint.
        unsafe { h.bind(v.ptr(), Cell::small(3)) };
        let mut roots = [v, list, v];
        collect(&mut h, generation, &mut roots);
        assert_eq!(roots.map(show), ["3", "[3|[]]", "3"]);
        // SAFETY: backtracking to the choicepoint.
        unsafe { h.trail.undo(0) };
        assert_eq!(roots.map(show), ["_", "[_|[]]", "_"]);
        // SAFETY: the first root is an unbound variable.
        unsafe { h.bind(samite_term::view::deref(roots[0]).ptr(), Cell::small(4)) };
        assert_eq!(roots.map(show), ["4", "[4|[]]", "4"]);
    }
}

#[test]
fn dead_trail_entries_are_dropped_and_heights_mapped() {
    let mut h = heap();
    let a = h.variable().unwrap();
    let b = h.variable().unwrap();
    h.hb = h.h;
    // SAFETY: both are unbound and older than the choicepoint.
    unsafe {
        h.bind(a.ptr(), Cell::small(1));
        h.bind(b.ptr(), Cell::small(2));
    }
    let mut roots = [b];
    let map = collect(&mut h, Generation::Minor, &mut roots);
    assert_eq!((map.height(0), map.height(1), map.height(2)), (0, 0, 1));
    assert_eq!(h.trail.top(), 1);
}

/// After a cut only what an older choicepoint or the collector wants stays on the trail; what saves a value is left alone.
#[test]
fn a_cut_takes_entries_off_the_trail() {
    let mut h = heap();
    let mut roots = [h.variable().unwrap()];
    collect(&mut h, Generation::Minor, &mut roots);
    // SAFETY: a term of this heap.
    let old = unsafe { samite_term::view::deref(roots[0]) };
    let outer = h.h;
    let (a, b) = (h.variable().unwrap(), h.variable().unwrap());
    h.hb = h.h; // a choicepoint that will be cut
    // SAFETY: all are unbound, and older than the choicepoint.
    unsafe {
        h.bind(a.ptr(), Cell::small(1));
        h.bind(old.ptr(), Cell::small(2));
        h.bind(b.ptr(), Cell::small(3));
    }
    assert_eq!(h.trail.top(), 3);
    h.hb = outer;
    assert!(!h.tidy_one(0));
    h.tidy_trail(0);
    assert!(h.tidy_one(0));
    assert_eq!(h.trail.top(), 1, "the variable outside of the nursery");
    // SAFETY: back to before all of this.
    unsafe { h.trail.undo(0) };
    assert_eq!([show(old), show(a), show(b)], ["_", "1", "3"]);

    h.hb = h.h;
    // SAFETY: `a` is bound; its cell can be overwritten. The other is unbound.
    unsafe {
        h.bind(old.ptr(), Cell::small(2));
        assert!(h.trail.push_value(a.ptr(), *a.ptr()));
    }
    h.hb = outer;
    h.tidy_trail(0);
    assert_eq!(h.trail.top(), 3);
}

#[test]
fn old_cells_bound_to_young_terms_are_remembered() {
    let mut h = heap();
    let v = h.variable().unwrap();
    let mut roots = [v];
    collect(&mut h, Generation::Minor, &mut roots);
    let t = h.list(&[Cell::small(1)], Cell::NIL).unwrap();
    // SAFETY: the root is an unbound variable in the old generation.
    unsafe { h.bind(samite_term::view::deref(roots[0]).ptr(), t) };
    collect(&mut h, Generation::Minor, &mut []);
    assert_eq!(show(roots[0]), "[1|[]]");
}

#[test]
fn big_objects_in_the_old_generation_are_scanned() {
    let mut h = heap();
    let young = h.list(&[Cell::small(5)], Cell::NIL).unwrap();
    let items = vec![young; 5_000];
    let l = h.list(&items, Cell::NIL).unwrap();
    assert!(!h.in_nursery(l.ptr()));
    let mut roots = [l];
    collect(&mut h, Generation::Minor, &mut roots);
    let (mut length, mut c) = (0, roots[0]);
    while c.tag() == Tag::Lst {
        // SAFETY: a live list cell.
        let (item, rest) = unsafe { (*c.ptr(), *c.ptr().add(1)) };
        assert_eq!(show(item), "[5|[]]");
        (length, c) = (length + 1, rest);
    }
    assert_eq!((length, c), (5_000, Cell::NIL));
    assert_eq!(h.trail.top(), 0);
}

#[test]
#[cfg_attr(miri, ignore = "fills nurseries of megabytes")]
fn a_nursery_where_everything_survives_is_adopted() {
    let mut h = Heap::new(HeapConfig {
        nursery: SMALLEST_ADOPTED,
        limit: 1 << 30,
        stress: 0,
        ..HeapConfig::default()
    })
    .unwrap();
    let mut roots = [Cell::NIL];
    let mut adopted = 0;
    for _ in 0..100 {
        while h.h < h.soft_end() {
            roots[0] = h.list_cell(Cell::small(1), roots[0]).unwrap();
        }
        if h.adopt_nursery(Generation::Minor) {
            adopted += 1;
            assert_eq!(h.h, h.start());
            assert!(!h.in_nursery(roots[0].ptr()) && h.old.contains(roots[0].ptr()));
        } else {
            collect(&mut h, Generation::Minor, &mut roots);
        }
    }
    // The first collection shows that all survives; after some adoptions it is asked again.
    assert!((80..100).contains(&adopted), "{adopted}");
    collect(&mut h, Generation::Major, &mut roots);
    let (mut length, mut c) = (0, roots[0]);
    while c.tag() == Tag::Lst {
        length += 1;
        // SAFETY: a live list cell.
        c = unsafe { *c.ptr().add(1) };
    }
    assert!(length > 100 * (SMALLEST_ADOPTED / 16 - 2 * crate::heap::MARGIN));
    // Garbage is not adopted again.
    for i in 0..10 {
        while h.h < h.soft_end() {
            h.variable().unwrap();
        }
        if !h.adopt_nursery(Generation::Minor) {
            collect(&mut h, Generation::Minor, &mut roots);
        } else {
            assert!(i < ADOPTED_IN_TURN);
        }
    }
    assert_eq!(h.survivors, 0);
}

#[test]
fn a_lone_variable_and_its_structure_meet_again() {
    let mut h = heap();
    let p = h.allocate(2).unwrap();
    // SAFETY: two fresh cells, made a list cell whose head is unbound.
    let (l, v) = unsafe {
        *p = Cell::to(Tag::Ref, p);
        *p.add(1) = Cell::NIL;
        (Cell::to(Tag::Lst, p), Cell::to(Tag::Ref, p))
    };
    let mut roots = [v, l, v];
    collect(&mut h, Generation::Major, &mut roots);
    // SAFETY: the first root is an unbound variable.
    unsafe { h.bind(samite_term::view::deref(roots[0]).ptr(), Cell::small(9)) };
    assert_eq!(show(roots[1]), "[9|[]]");
    assert_eq!(show(roots[2]), "9");
}

/// What makes only boxes of two words never raises `h` above `soft_end`.
#[test]
fn boxes_that_do_not_fit_any_more_ask_for_a_collection() {
    let mut h = heap();
    // More than fits says nothing about how full it is.
    let all = h.nursery_room();
    h.allocate(all + 1).unwrap();
    assert!(!h.is_filled());
    // An odd number of words.
    h.allocate(1).unwrap();
    loop {
        let float = h.float(0.5).unwrap();
        if !h.in_nursery(float.ptr()) {
            break;
        }
        assert!(!h.is_filled());
    }
    assert!(h.h < h.soft_end() && h.is_filled());
    collect(&mut h, Generation::Minor, &mut []);
    assert!(!h.is_filled());
    // Backtracking makes room as well.
    let start = h.h;
    while !h.is_filled() {
        h.float(0.5).unwrap();
    }
    // SAFETY: nobody has kept one of the floats.
    unsafe { h.give_back(start) };
    assert!(!h.is_filled());
}

/// The present state has an argument that was its own variable by a reference only, and its structure is that of the state before: the argument is its own
/// variable again after backtracking, not a reference to where it lay alone.
#[test]
fn an_overwritten_variable_is_its_own_again() {
    for generation in [Generation::Minor, Generation::Major] {
        let mut h = heap();
        let t = h.allocate(2).unwrap();
        let arg = t.wrapping_add(1);
        // SAFETY: just allocated, and older than the choicepoint that follows.
        unsafe {
            *t = Functor::new(Atom::new("k"), 1).cell();
            *arg = Cell::to(Tag::Ref, arg);
            h.hb = h.h;
            h.assign(arg, Cell::small(1), 0);
        }
        let (mut x, mut t) = (Cell::to(Tag::Ref, arg), Cell::to(Tag::Str, t));
        // SAFETY: these are the roots, that of the choicepoint last.
        unsafe {
            let mut c = h.collect_begin(generation, 0..0).unwrap();
            c.root(&mut x);
            c.choicepoint(0);
            c.root(&mut t);
            c.finish();
            h.trail.undo(0);
            let arg = t.ptr().add(1);
            assert_eq!(*arg, Cell::to(Tag::Ref, arg));
            assert!(x == *arg || *x.ptr() == *arg);
        }
    }
}

fn compact(h: &mut Heap, roots: &mut [Cell]) -> TrailMap {
    collect(h, Generation::Minor, roots);
    // SAFETY: the roots follow, and are updated after it.
    let mut c = unsafe { h.compact_begin() }.unwrap();
    for r in &mut *roots {
        // SAFETY: tests give cells of the heap, each once.
        unsafe { c.root(r) };
    }
    let map = c.finish();
    for r in roots {
        // SAFETY: the same.
        unsafe { map.update(r) };
    }
    map
}

/// More is to be looked at than there is room for; a long list, deep terms and boxes are among it.
#[test]
fn what_is_too_much_to_look_at_is_found_all_the_same() {
    let n = if cfg!(miri) { 3_000 } else { 60_000 };
    let mut h = heap();
    let f = Functor::new(Atom::new("f"), 2);
    let mut parts = vec![];
    let mut deep = Cell::NIL;
    for i in 0..n {
        let x = h.float(i as f64).unwrap();
        deep = h.structure(f, &[deep, x]).unwrap();
        // Garbage between what is alive.
        h.string("nobody refers to this").unwrap();
        parts.push(h.structure(f, &[x, Cell::small(i)]).unwrap());
    }
    let wide = h.structure(Functor::new(Atom::new("w"), parts.len()), &parts);
    let list = h.list(&parts, deep).unwrap();
    let mut roots = [wide.unwrap(), list, deep];
    let used = h.old.used_bytes();
    compact(&mut h, &mut roots);
    let live = h.statistics.live;
    assert!(live < used && live == h.old.used_bytes());
    // SAFETY: live terms of the heap.
    unsafe {
        crate::verify::verify(&h, roots.to_vec(), crate::verify::Extent::Whole);
        let wide = roots[0].ptr();
        let (mut list, mut deep) = (roots[1], roots[2]);
        for i in 0..n {
            let part = *wide.add(1 + i as usize);
            assert_eq!(part, *list.ptr(), "shared");
            assert_eq!(*part.ptr().add(2), Cell::small(i));
            let x = *part.ptr().add(1);
            assert_eq!(*x.ptr().add(1), Cell((i as f64).to_bits()));
            list = *list.ptr().add(1);
        }
        assert_eq!(list, deep);
        for i in (0..n).rev() {
            assert_eq!(
                *(*deep.ptr().add(2)).ptr().add(1),
                Cell((i as f64).to_bits())
            );
            deep = *deep.ptr().add(1);
        }
        assert_eq!(deep, Cell::NIL);
    }
    // All is alive: nothing moves.
    let before = roots;
    compact(&mut h, &mut roots);
    assert_eq!(roots, before);
    // Nothing is.
    compact(&mut h, &mut []);
    assert_eq!((h.old.used_bytes(), h.old.chunks()), (0, 0));
}

/// Chains of references end at their target, as in a copy: else they would grow for ever.
#[test]
fn references_to_bound_variables_are_gone_after_a_compaction() {
    let mut h = heap();
    let end = h.list(&[Cell::small(1)], Cell::NIL).unwrap();
    let mut chain = end;
    for _ in 0..1000 {
        let v = h.variable().unwrap();
        // SAFETY: an unbound variable, and no choicepoint.
        unsafe { h.bind(v.ptr(), chain) };
        chain = v;
    }
    let t = h.structure(Functor::new(Atom::new("f"), 2), &[chain, chain]);
    // (Roots of a minor collection would be short-circuited: what refers to the chain is in the old generation.)
    let mut roots = [t.unwrap(), chain];
    compact(&mut h, &mut roots);
    assert_eq!(show(roots[0]), "f([1|[]],[1|[]])");
    assert!(h.old.used_bytes() <= 5 * 8);
}

/// Of a variable in a chunk of which little is garbage, and of one that moves.
#[test]
fn compared_variables_keep_their_order_in_a_compaction() {
    let mut h = heap();
    let mut roots: Vec<Cell> = (0..100).map(|_| h.variable().unwrap()).collect();
    let less = |h: &mut Heap, a: Cell, b: Cell| {
        // SAFETY: variables of the heap.
        unsafe { h.compare(TermRef::new(a), TermRef::new(b)) == std::cmp::Ordering::Less }
    };
    for i in 1..100 {
        assert!(less(&mut h, roots[i - 1], roots[i]));
    }
    roots.reverse();
    collect(&mut h, Generation::Minor, &mut roots);
    let mut some: Vec<Cell> = roots.iter().copied().step_by(3).collect();
    compact(&mut h, &mut some);
    for i in 1..some.len() {
        assert!(less(&mut h, some[i], some[i - 1]));
    }
}
