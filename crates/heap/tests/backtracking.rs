//! Random programs of assignments, bindings, choicepoints, cuts and backtracking, with collections of either kind anywhere between
//! them, against a model that copies its state at each choicepoint.

use samite_heap::verify::{Extent, verify};
use samite_heap::{Generation, Heap, HeapConfig, TrailMap};
use samite_term::view::deref;
use samite_term::{Atom, Cell, Functor, Tag};
use std::collections::HashMap;

/// Arguments of each object.
const ARITY: usize = 3;

/// What an argument holds: in the model, objects go by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Value {
    Unbound,
    Int(i64),
    Object(usize),
}

type Model = Vec<[Value; ARITY]>;

/// Roots: object numbers and the cells that refer to them.
type Roots = Vec<(usize, Cell)>;

struct Choice {
    top: *mut Cell,
    trail: usize,
    scanned: bool,
    roots: Roots,
    model: Model,
}

struct Run {
    heap: Heap,
    seed: u64,
    model: Model,
    roots: Roots,
    choices: Vec<Choice>,
}

impl Run {
    /// With `stress`, nurseries are adopted at times.
    fn new(seed: u64, stress: u32) -> Run {
        let heap = Heap::new(HeapConfig {
            nursery: 1 << 16,
            limit: 1 << 30,
            stress,
            ..HeapConfig::default()
        });
        Run {
            heap: heap.unwrap(),
            seed: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            model: Model::new(),
            roots: Roots::new(),
            choices: Vec::new(),
        }
    }
    fn next(&mut self, n: usize) -> usize {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        (self.seed >> 11) as usize % n
    }
    /// A value and the cell for it.
    fn value(&mut self) -> (Value, Cell) {
        let i = self.next(100) as i64;
        if i < 30 || self.roots.is_empty() {
            return (Value::Int(i), Cell::small(i));
        }
        let at = self.next(self.roots.len());
        let (id, c) = self.roots[at];
        (Value::Object(id), c)
    }
    fn make(&mut self) {
        let f = Functor::new(Atom::new("object"), ARITY);
        let c = self.heap.structure(f, &[Cell::ZERO; ARITY]).unwrap();
        let mut values = [Value::Unbound; ARITY];
        for (i, v) in values.iter_mut().enumerate() {
            let at = c.ptr().wrapping_add(1 + i);
            let mut content = Cell::to(Tag::Ref, at);
            if self.next(3) > 0 {
                (*v, content) = self.value();
            }
            // SAFETY: an argument of the structure just made.
            unsafe { *at = content };
        }
        self.roots.push((self.model.len(), c));
        self.model.push(values);
    }
    /// Changes an argument, by binding it if it is unbound (then always, in half of the cases, by assignment).
    fn change(&mut self) {
        if self.roots.is_empty() {
            return;
        }
        let at = self.next(self.roots.len());
        let (id, c) = self.roots[at];
        let i = self.next(ARITY);
        let (v, content) = self.value();
        let segment = self.choices.last().map_or(0, |c| c.trail);
        // SAFETY: the roots are live structures.
        unsafe {
            let place = c.ptr().add(1 + i);
            if self.model[id][i] == Value::Unbound && self.next(2) == 0 {
                self.heap.bind(deref(*place).ptr(), content);
            } else {
                self.heap.assign(place, content, segment);
            }
        }
        self.model[id][i] = v;
    }
    fn push(&mut self) {
        // The choicepoint sees part of what there is.
        let mut roots = self.roots.clone();
        roots.retain(|_| self.next(3) > 0);
        self.choices.push(Choice {
            top: self.heap.h(),
            trail: self.heap.trail().top(),
            scanned: false,
            roots,
            model: self.model.clone(),
        });
        // SAFETY: nothing is newer.
        unsafe { self.heap.set_hb(self.heap.h()) };
    }
    fn backtrack(&mut self) {
        let Some(c) = self.choices.last() else {
            return;
        };
        // SAFETY: the height was saved with the state that is restored.
        unsafe {
            self.heap.trail_mut().undo(c.trail);
            self.heap.reset_to(c.top);
            self.heap.set_hb(self.heap.h());
        }
        self.model = c.model.clone();
        self.roots = c.roots.clone();
        if self.next(2) == 0 {
            self.cut(1);
        }
    }
    fn cut(&mut self, n: usize) {
        self.choices.truncate(self.choices.len().saturating_sub(n));
        let top = self.choices.last().map_or(self.heap.floor(), |c| c.top);
        // SAFETY: it is the newest choicepoint's.
        unsafe { self.heap.set_hb(top.max(self.heap.floor())) };
    }
    /// A major collection in place.
    fn compact(&mut self) {
        self.collect(Generation::Minor);
        // SAFETY: the roots follow, and are updated after it.
        let mut c = unsafe { self.heap.compact_begin() }.unwrap();
        for (_, root) in &mut self.roots {
            // SAFETY: a cell of the heap, given once.
            unsafe { c.root(root) };
        }
        for choice in self.choices.iter_mut().rev() {
            c.choicepoint(choice.trail);
            for (_, root) in &mut choice.roots {
                // SAFETY: a cell of the heap, given once.
                unsafe { c.root(root) };
            }
        }
        let map = c.finish();
        let of_choices = self.choices.iter_mut().flat_map(|c| &mut c.roots);
        for (_, root) in self.roots.iter_mut().chain(of_choices) {
            // SAFETY: those of before, each once.
            unsafe { map.update(root) };
        }
        self.after(true, &map);
    }
    fn collect(&mut self, generation: Generation) {
        let major = generation == Generation::Major;
        let map = if self.heap.adopt_nursery(generation) {
            TrailMap::nothing_moved()
        } else {
            let seen = self.choices.iter().rev().find(|c| c.scanned);
            let next = self.choices.iter().find(|c| !c.scanned);
            let newest =
                seen.map_or(0, |c| c.trail)..next.map_or(self.heap.trail().top(), |c| c.trail);
            // SAFETY: the roots follow.
            let mut c = unsafe { self.heap.collect_begin(generation, newest) }.unwrap();
            for (_, root) in &mut self.roots {
                // SAFETY: a cell of the heap, given once.
                unsafe { c.root(root) };
            }
            for choice in self.choices.iter_mut().rev() {
                if major || !choice.scanned {
                    c.choicepoint(choice.trail);
                    for (_, root) in &mut choice.roots {
                        // SAFETY: a cell of the heap, given once.
                        unsafe { c.root(root) };
                    }
                }
            }
            c.finish()
        };
        self.after(major, &map);
    }
    fn after(&mut self, major: bool, map: &TrailMap) {
        for choice in &mut self.choices {
            if major || !choice.scanned {
                choice.scanned = true;
                choice.top = std::ptr::null_mut();
                choice.trail = map.height(choice.trail);
            }
        }
        self.cut(0);
        if major {
            let heights = self.choices.iter().rev().map(|c| c.trail);
            self.heap.trail().verify_merged(heights);
        }
    }
    /// Everything reachable is as in the model, and what is one object there is one here.
    fn check(&self) {
        let mut all: Vec<Cell> = self.roots.iter().map(|r| r.1).collect();
        for c in &self.choices {
            all.extend(c.roots.iter().map(|r| r.1));
        }
        // SAFETY: the roots of this heap.
        unsafe { verify(&self.heap, all.clone(), Extent::Whole) };
        let mut met: HashMap<usize, *mut Cell> = HashMap::new();
        let mut work = self.roots.clone();
        while let Some((id, c)) = work.pop() {
            // SAFETY: live terms.
            let c = unsafe { deref(c) };
            assert_eq!(c.tag(), Tag::Str);
            if let Some(&p) = met.get(&id) {
                assert_eq!(p, c.ptr(), "an object is in two places");
                continue;
            }
            met.insert(id, c.ptr());
            for (i, &v) in self.model[id].iter().enumerate() {
                // SAFETY: as above.
                let content = unsafe { deref(*c.ptr().add(1 + i)) };
                match v {
                    Value::Unbound => assert!(content.is_ref()),
                    Value::Int(n) => assert_eq!(content, Cell::small(n)),
                    Value::Object(o) => work.push((o, content)),
                }
            }
        }
    }
}

#[test]
fn backtracking_restores_what_was_whatever_is_collected_between() {
    let runs = if cfg!(debug_assertions) { 150 } else { 600 };
    for seed in 1..=runs {
        let mut run = Run::new(seed, 1);
        for _ in 0..300 {
            match run.next(24) {
                0..6 => run.make(),
                6..14 => run.change(),
                14..17 => run.push(),
                17..19 => run.backtrack(),
                19 => {
                    let n = run.next(3);
                    run.cut(n);
                }
                20 => {
                    // Roots that the rest of the program does not want.
                    let mut roots = std::mem::take(&mut run.roots);
                    roots.retain(|_| run.next(4) > 0);
                    run.roots = roots;
                }
                21..23 => run.collect(Generation::Minor),
                _ if run.next(2) == 0 => run.compact(),
                _ => run.collect(Generation::Major),
            }
            run.check();
        }
        while !run.choices.is_empty() {
            run.backtrack();
            run.check();
        }
    }
}

/// Assignments without end between two choicepoints leave one entry for each cell, and the old values are garbage.
#[test]
fn the_trail_does_not_grow_with_the_number_of_assignments() {
    let mut run = Run::new(7, 0);
    run.make();
    run.make();
    run.push();
    let segment = run.heap.trail().top();
    let mut most = 0;
    for n in 0..100_000 {
        let value = run.heap.list(&[Cell::small(n); 10], Cell::NIL).unwrap();
        for &(_, c) in &run.roots {
            // SAFETY: a live structure.
            unsafe { run.heap.assign(c.ptr().add(1), value, segment) };
        }
        if run.heap.h() >= run.heap.soft_end() {
            let before = run.heap.trail().top();
            run.collect(Generation::Minor);
            most = most.max(run.heap.trail().top());
            assert!(before > run.heap.trail().top());
        }
    }
    assert!(most <= 4, "{most} words on the trail for two cells");
    run.collect(Generation::Major);
    assert!(run.heap.statistics.live < 1000, "old values are kept");
}

/// A binding of a variable that only the state before the choicepoint knows is undone at once: the term is not kept.
#[test]
fn what_only_an_undone_binding_refers_to_is_garbage() {
    let mut h = Heap::new(HeapConfig::default()).unwrap();
    let mut v = h.variable().unwrap();
    // SAFETY: nothing is newer.
    unsafe { h.set_hb(h.h()) };
    let big = h.list(&[Cell::small(1); 1000], Cell::NIL).unwrap();
    // SAFETY: an unbound variable older than the choicepoint, then only the root of that.
    unsafe { h.bind(v.ptr(), big) };
    // SAFETY: the roots follow.
    let mut c = unsafe { h.collect_begin(Generation::Major, 0..0) }.unwrap();
    c.choicepoint(0);
    // SAFETY: a cell of the heap, given once.
    unsafe { c.root(&mut v) };
    let map = c.finish();
    assert_eq!((h.trail().top(), map.height(1)), (0, 0));
    assert!(h.statistics.live < 100);
    // SAFETY: a live variable.
    assert!(unsafe { deref(v) }.is_ref());
}
