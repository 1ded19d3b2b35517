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
    let mut c = unsafe { h.collect_begin(g, 0) }.unwrap();
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
            let mut c = h.collect_begin(generation, 0).unwrap();
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
