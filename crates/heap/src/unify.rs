//! Unification with an explicit work list (ISO 13211-1, 7.3.2), without occurs check unless asked for.
//!
//! Binding direction: a variable is bound to the older one (lower in the nursery, or outside of it), so that references
//! point from newer to older memory. Rational trees: pairs of compounds already met are skipped, so unification of cyclic terms ends.
//! One that is given up ([`Met::has_ended`], or for want of memory) fails.

use crate::heap::Heap;
use samite_term::cycle::Met;
use samite_term::view::deref;
use samite_term::{Cell, Functor, Kind, Tag, growth, heavy};

/// A work list that grew larger than this is not kept.
const MAX_KEPT: usize = 1 << 16;

/// Arguments still to be unified: two arrays of cells and their length.
pub(crate) type Rest = (*const Cell, *const Cell, usize);

/// Unifies two terms; bindings are left for the caller to undo on failure.
///
/// # Safety
/// `a` and `b` are terms of `heap`.
pub unsafe fn unify(heap: &mut Heap, a: Cell, b: Cell) -> bool {
    let (mut a, mut b) = (a, b);
    // What is flat, and what goes on in the last argument only, as lists do, needs no work list.
    for _ in 0..FEW {
        // SAFETY: promised by the caller.
        match unsafe { flat(heap, a, b) } {
            Flat::Done(unified) => return unified,
            Flat::Last(x, y) => (a, b) = (x, y),
        }
    }
    // SAFETY: as above.
    unsafe { unify_long(heap, a, b) }
}

/// [`unify`] of terms that have gone on in their last arguments for some while. Rational trees do not do so for ever, and small ones not for long: what a stretch
/// begins with is not met again.
///
/// # Safety
/// As [`unify`].
#[inline(never)]
unsafe fn unify_long(heap: &mut Heap, mut a: Cell, mut b: Cell) -> bool {
    let mut one = (a, b);
    for stretch in STRETCHES {
        one = (a, b);
        for _ in 0..stretch {
            // SAFETY: promised by the caller.
            match unsafe { flat(heap, a, b) } {
                Flat::Done(unified) => return unified,
                Flat::Last(x, y) => (a, b) = (x, y),
            }
            if (a, b) == one {
                return true;
            }
        }
    }
    // SAFETY: promised by the caller; both live until it returns.
    unsafe { unify_rest(heap, one, (&raw const a, &raw const b, 1)) }
}

/// So many terms that continue in their last argument are unified without remembering one of them, and so many without remembering more.
const FEW: usize = 4;
const STRETCHES: [usize; 3] = [12, 112, 896];

/// No compounds: to keep those that a flat term was, for cycles, would cost what most terms are unified with a register.
const FORGOTTEN: (Cell, Cell) = (Cell::NIL, Cell::NIL);

/// What [`flat`] has come to.
enum Flat {
    Done(bool),
    /// All but the last arguments are unified.
    Last(Cell, Cell),
}

/// Unifies two terms but for their last arguments; also these, if there is more to be done than that.
///
/// # Safety
/// As [`unify`].
#[inline(always)]
unsafe fn flat(heap: &mut Heap, a: Cell, b: Cell) -> Flat {
    // SAFETY: promised by the caller, here and below: pointers of terms are valid.
    unsafe {
        let (a, b) = (deref(a), deref(b));
        let (mut p, mut q, mut n): Rest = match pair(heap, a, b) {
            Pair::Same => return Flat::Done(true),
            Pair::Different => return Flat::Done(false),
            Pair::Arguments(rest) => rest,
        };
        while n > 1 {
            let (x, y) = (deref(*p), deref(*q));
            match pair(heap, x, y) {
                Pair::Same => {}
                Pair::Different => return Flat::Done(false),
                Pair::Arguments(_) => return Flat::Done(unify_rest(heap, FORGOTTEN, (p, q, n))),
            }
            (p, q, n) = (p.add(1), q.add(1), n - 1);
        }
        if n == 0 {
            return Flat::Done(true);
        }
        Flat::Last(*p, *q)
    }
}

/// What there is to be done for two dereferenced terms.
enum Pair {
    /// Nothing, or it has been done: a variable was bound.
    Same,
    Different,
    /// Their arguments are to be unified.
    Arguments(Rest),
}

/// The first step of the unification of two dereferenced terms.
///
/// # Safety
/// They are terms of `heap`.
#[inline(always)]
unsafe fn pair(heap: &mut Heap, a: Cell, b: Cell) -> Pair {
    if a == b {
        return Pair::Same;
    }
    // (Branches, the frequent cases first: a jump by both tags is hardly ever predicted.)
    // SAFETY: promised by the caller: pointers of terms are valid.
    unsafe {
        if a.is_ref() {
            if b.is_ref() {
                bind_variables(heap, a, b);
            } else {
                heap.bind(a.ptr(), b);
            }
        } else if b.is_ref() {
            heap.bind(b.ptr(), a);
        } else if a.is_immediate() || a.tag() as u8 != b.tag() as u8 {
            return Pair::Different;
        } else if a.tag() == Tag::Str {
            let functor = *a.ptr();
            if functor != *b.ptr() {
                return Pair::Different;
            }
            let arity = Functor::from_cell(functor).arity();
            return Pair::Arguments((a.ptr().add(1), b.ptr().add(1), arity));
        } else if a.tag() == Tag::Lst {
            return Pair::Arguments((a.ptr(), b.ptr(), 2));
        } else if !boxes_equal(a, b) {
            return Pair::Different;
        }
    }
    Pair::Same
}

/// [`unify`] of so many terms and others, with a work list; they are inside of `above`, which are unified so, if these are known ([`FORGOTTEN`]).
///
/// # Safety
/// As [`unify`], of all of them.
#[inline(never)]
unsafe fn unify_rest(heap: &mut Heap, above: (Cell, Cell), rest: Rest) -> bool {
    let mut work = std::mem::take(&mut heap.unify_work);
    work.clear();
    // SAFETY: promised by the caller.
    let unified = unsafe { unify_with(heap, above, rest, &mut work) };
    if work.capacity() > MAX_KEPT {
        work = Vec::new();
    }
    heap.unify_work = work;
    unified
}

/// [`unify_rest`] with an empty work list, which holds what is left of the structures above the present one.
///
/// # Safety
/// As [`unify`].
unsafe fn unify_with(
    heap: &mut Heap,
    above: (Cell, Cell),
    rest: Rest,
    work: &mut Vec<Rest>,
) -> bool {
    let mut met = Met::below(above);
    let (mut p, mut q, mut n) = rest;
    loop {
        if n == 0 {
            match work.pop() {
                Some(rest) => (p, q, n) = rest,
                None => return true,
            }
            continue;
        }
        // SAFETY: promised by the caller, here and below: `p` and `q` are at `n` cells that hold terms of the heap.
        unsafe {
            let (mut a, mut b) = (*p, *q);
            (p, q, n) = (p.add(1), q.add(1), n - 1);
            if a == b {
                continue;
            }
            (a, b) = (deref(a), deref(b));
            let (x, y, arity) = match pair(heap, a, b) {
                Pair::Same => continue,
                Pair::Different => return false,
                Pair::Arguments(rest) => rest,
            };
            if !met.pair_again(a, b) {
                if n > 0 && growth::push(work, (p, q, n)).is_err() {
                    heavy::refuse();
                    return false;
                }
                (p, q, n) = (x, y, arity);
            } else if met.has_ended() {
                return false;
            }
        }
    }
}

/// Binds one of two distinct unbound variables to the other.
///
/// # Safety
/// Both are unbound variables of `heap`.
#[inline]
unsafe fn bind_variables(heap: &mut Heap, a: Cell, b: Cell) {
    // SAFETY: promised by the caller.
    unsafe {
        let (variable, value) = in_order(heap, a, b);
        heap.bind(variable, value);
    }
}

/// Which of two distinct unbound variables is bound, and to which.
///
/// # Safety
/// Both are unbound variables of `heap`.
#[inline]
pub unsafe fn in_order(heap: &Heap, a: Cell, b: Cell) -> (*mut Cell, Cell) {
    let (pa, pb) = (a.ptr(), b.ptr());
    // SAFETY: promised by the caller.
    unsafe {
        // (One that goals wait for is behind the nursery's end, or old.)
        if (*pa).tag() == Tag::Att || (heap.in_nursery(pb) && (pb > pa || !heap.in_nursery(pa))) {
            (pb, a)
        } else {
            (pa, b)
        }
    }
}

/// Whether two boxes hold the same value. Floats are compared by bits, except that NaN is NaN.
///
/// # Safety
/// Both are box cells of live objects.
pub unsafe fn boxes_equal(a: Cell, b: Cell) -> bool {
    // SAFETY: promised by the caller; the header says how many words follow.
    unsafe {
        let (p, q) = (a.ptr(), b.ptr());
        if *p != *q {
            return false;
        }
        let n = (*p).box_words();
        debug_assert!(n > 0 || (*p).is_kind(Kind::String));
        (1..=n).all(|i| *p.add(i) == *q.add(i))
    }
}

/// Whether the variable at `variable` occurs in `term`.
///
/// # Safety
/// Both belong to the same live heap.
pub unsafe fn occurs(variable: Cell, term: Cell) -> bool {
    let mut work = vec![term];
    let mut met = Met::new();
    while let Some(t) = work.pop() {
        // SAFETY: promised by the caller: pointers of terms are valid.
        unsafe {
            let t = deref(t);
            match t.tag() {
                Tag::Ref if t == variable => return true,
                Tag::Lst | Tag::Str => {
                    if met.again(t) {
                        continue;
                    }
                    let p = t.ptr();
                    let range = if t.tag() == Tag::Lst {
                        0..2
                    } else {
                        1..Functor::from_cell(*p).arity() + 1
                    };
                    if growth::have(&mut work, range.len()).is_err() {
                        heavy::refuse();
                        return true;
                    }
                    work.extend(range.map(|i| *p.add(i)));
                }
                _ => {}
            }
        }
    }
    false
}

/// Unification with occurs check: as [`unify`], but fails where a variable would be bound to a term that contains it.
///
/// # Safety
/// As [`unify`].
pub unsafe fn unify_with_occurs_check(heap: &mut Heap, a: Cell, b: Cell) -> bool {
    let mut met = Met::new();
    let mut work = vec![(a, b)];
    while let Some((a, b)) = work.pop() {
        // SAFETY: promised by the caller.
        unsafe {
            let (a, b) = (deref(a), deref(b));
            if a == b {
                continue;
            }
            match (a.tag(), b.tag()) {
                (Tag::Ref, Tag::Ref) => bind_variables(heap, a, b),
                (Tag::Ref, _) | (_, Tag::Ref) => {
                    let (v, t) = if a.is_ref() { (a, b) } else { (b, a) };
                    if occurs(v, t) {
                        return false;
                    }
                    heap.bind(v.ptr(), t);
                }
                (Tag::Lst, Tag::Lst) | (Tag::Str, Tag::Str) if met.pair_again(a, b) => {
                    if met.has_ended() {
                        return false;
                    }
                }
                (Tag::Lst, Tag::Lst) | (Tag::Str, Tag::Str) => {
                    let (p, q) = (a.ptr(), b.ptr());
                    let places = match a.tag() {
                        Tag::Lst => 0..2,
                        _ if *p != *q => return false,
                        _ => 1..Functor::from_cell(*p).arity() + 1,
                    };
                    if growth::have(&mut work, places.len()).is_err() {
                        heavy::refuse();
                        return false;
                    }
                    work.extend(places.rev().map(|i| (*p.add(i), *q.add(i))));
                }
                (Tag::Box, Tag::Box) if boxes_equal(a, b) => {}
                _ => return false,
            }
        }
    }
    true
}
