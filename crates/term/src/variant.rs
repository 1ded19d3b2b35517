//! The variant check `=@=`: whether terms are equal up to a consistent renaming of variables.
//!
//! Both terms are walked over side by side. The cell of each variable holds its number while that goes on, so that nobody has to be asked which
//! were met; what was in it comes back at the end. *Equations*, of variables `x` on the left and `y` on the right that stood at one place:
//!
//! ```text
//! left[x] = y    right[y] = x
//! ```
//!
//! A variable may stand on both sides, where it has a partner for each. Depth costs heap memory, never native stack.

use crate::cell::{Cell, Kind, Tag};
use crate::cycle::Met;
use crate::order::{compare, parts};
use crate::view::TermRef;
use crate::{growth, heavy};
use std::cmp::Ordering;

/// No partner yet.
const NONE: u32 = u32::MAX;

/// A variable that was met.
struct Variable {
    cell: *mut Cell,
    /// What is in the cell otherwise: itself, or its attribute.
    content: Cell,
    /// The number of what it stands for where it is on the left, and on the right.
    left: u32,
    right: u32,
}

/// Those that were met; their cells are as they were when it is dropped.
struct Variables(Vec<Variable>);

impl Drop for Variables {
    fn drop(&mut self) {
        for v in &self.0 {
            // SAFETY: as in `Variables::number`, which wrote to the cell.
            unsafe { *v.cell = v.content };
        }
    }
}

/// Whether this is what the cell of a variable holds, met or not.
#[inline(always)]
fn is_variable(content: Cell) -> bool {
    matches!(content.tag(), Tag::Ref | Tag::Att | Tag::Hdr)
}

impl Variables {
    /// The number of the variable whose cell holds this; `None` if there is no room for another one.
    ///
    /// # Safety
    /// The cell may be written to, until this is dropped.
    #[inline(always)]
    unsafe fn number(&mut self, (cell, content): (*mut Cell, Cell)) -> Option<u32> {
        if content.tag() == Tag::Hdr {
            return Some(content.payload() as u32);
        }
        let n = u32::try_from(self.0.len()).ok().filter(|&n| n != NONE)?;
        let (left, right) = (NONE, NONE);
        let variable = Variable {
            cell,
            content,
            left,
            right,
        };
        growth::push(&mut self.0, variable).ok()?;
        // SAFETY: promised by the caller.
        unsafe { *cell = Cell::header(Kind::Copied, n.into()) };
        Some(n)
    }

    /// Whether the one may stand for the other.
    ///
    /// # Safety
    /// As [`Variables::number`], for both.
    #[inline(always)]
    unsafe fn are_partners(&mut self, x: (*mut Cell, Cell), y: (*mut Cell, Cell)) -> bool {
        // SAFETY: promised by the caller.
        let numbers = unsafe {
            self.number(x).and_then(|i| {
                let j = if x.0 == y.0 { i } else { self.number(y)? };
                Some((i, j))
            })
        };
        let Some((i, j)) = numbers else {
            heavy::refuse();
            return false;
        };
        let (left, right) = (self.0[i as usize].left, self.0[j as usize].right);
        if left == NONE && right == NONE {
            self.0[i as usize].left = j;
            self.0[j as usize].right = i;
            return true;
        }
        left == j && right == i
    }
}

/// The last cell on the way from this one, and what it holds.
///
/// # Safety
/// It is a cell of a term whose variables may have been met.
#[inline(always)]
unsafe fn end(p: *const Cell) -> (*mut Cell, Cell) {
    let mut p = p.cast_mut();
    loop {
        // SAFETY: references lead to cells.
        let c = unsafe { *p };
        if c.tag() != Tag::Ref || c.ptr() == p {
            return (p, c);
        }
        p = c.ptr();
    }
}

/// Whether the terms are equal up to a consistent renaming of variables. Without meaning if the work was given up ([`crate::heavy`]).
///
/// # Safety
/// They are valid terms, of which nobody else takes notice meanwhile and whose variables may be written to.
pub unsafe fn variant(a: Cell, b: Cell) -> bool {
    let roots = [a, b];
    let mut variables = Variables(Vec::new());
    let mut met = Met::new();
    // Arguments still to be looked at: two arrays of cells and their length; the present ones are beside the list.
    let mut work: Vec<(*const Cell, *const Cell, usize)> = Vec::new();
    let (mut p, mut q, mut n) = (&raw const roots[0], &raw const roots[1], 1);
    loop {
        if n == 0 {
            let Some(rest) = work.pop() else {
                return true;
            };
            (p, q, n) = rest;
        }
        // SAFETY: there are `n` cells of terms at both.
        let (x, y) = unsafe { (end(p), end(q)) };
        // SAFETY: as above; the cell after the last is not read.
        (p, q, n) = unsafe { (p.add(1), q.add(1), n - 1) };
        let (a, b) = (x.1, y.1);
        if is_variable(a) || is_variable(b) {
            // SAFETY: promised by the caller.
            if !(is_variable(a) && is_variable(b) && unsafe { variables.are_partners(x, y) }) {
                return false;
            }
            continue;
        }
        if a.tag() != b.tag() {
            return false;
        }
        if !matches!(a.tag(), Tag::Lst | Tag::Str) {
            // SAFETY: terms without variables.
            let same = || unsafe { compare(TermRef::new(a), TermRef::new(b)) };
            if a != b && same() != Ordering::Equal {
                return false;
            }
            continue;
        }
        let ((x, f), (y, g)) = (parts(a), parts(b));
        if f != g {
            return false;
        }
        if f.arity() == 0 || met.sides_again(a, b) {
            continue;
        }
        if n > 0 && growth::push(&mut work, (p, q, n)).is_err() {
            heavy::refuse();
            return false;
        }
        (p, q, n) = (x, y, f.arity());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atom::Atom;
    use crate::cell::Functor;
    use crate::view::Args;
    use std::collections::HashMap;

    /// The same by its definition: tables of what stands for what.
    fn model(a: TermRef, b: TermRef) -> bool {
        let (mut left, mut right) = (HashMap::new(), HashMap::new());
        let mut work = vec![(a, b)];
        while let Some((a, b)) = work.pop() {
            let (x, y) = (a.deref(), b.deref());
            if x.is_ref() && y.is_ref() {
                if *left.entry(x.0).or_insert(y.0) != y.0 || *right.entry(y.0).or_insert(x.0) != x.0
                {
                    return false;
                }
                continue;
            }
            let (Some((f, x)), Some((g, y))) = (a.callable(), b.callable()) else {
                if x.tag() != y.tag() || compare(a, b) != Ordering::Equal {
                    return false;
                }
                continue;
            };
            if f != g {
                return false;
            }
            if !matches!(x, Args::None) {
                work.extend((0..f.arity()).map(|i| (x.get(i), y.get(i))));
            }
        }
        true
    }

    /// Objects of terms, and the state of a sequence of numbers that look random.
    struct Terms {
        places: Vec<(*mut Cell, usize)>,
        variables: Vec<*mut Cell>,
        state: u64,
    }

    impl Terms {
        fn next(&mut self, n: u64) -> u64 {
            self.state ^= self.state << 13;
            self.state ^= self.state >> 7;
            self.state ^= self.state << 17;
            self.state % n
        }
        /// Room for so many cells, that do not move.
        fn place(&mut self, n: usize) -> *mut Cell {
            let cells = vec![Cell::ZERO; n].into_boxed_slice();
            let p = Box::into_raw(cells).cast();
            self.places.push((p, n));
            p
        }
        fn contents(&self) -> Vec<Cell> {
            let cells = self.places.iter();
            let cells = cells.flat_map(|&(p, n)| (0..n).map(move |i| p.wrapping_add(i)));
            // SAFETY: places of this.
            cells.map(|p| unsafe { *p }).collect()
        }
        fn clear(&mut self) {
            for (p, n) in self.places.drain(..) {
                // SAFETY: made by `place`.
                drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(p, n)) });
            }
        }
        fn variable(&mut self) -> *mut Cell {
            let p = self.place(1);
            // SAFETY: a place of this.
            unsafe { *p = Cell::to(Tag::Ref, p) };
            p
        }
        /// A term in the cell at `to`, with some of the variables in place, and references of some steps.
        fn term(&mut self, to: *mut Cell, depth: u64) {
            let cell = match self.next(if depth == 0 { 4 } else { 7 }) {
                0 => Cell::small(self.next(2) as i64),
                1 => Cell::atom(Atom::new("variant: a")),
                2 => {
                    let known = self.variables.len() as u64;
                    let i = self.next(known) as usize;
                    Cell::to(Tag::Ref, self.variables[i])
                }
                3 => {
                    self.variables.push(to);
                    Cell::to(Tag::Ref, to)
                }
                4 => {
                    let p = self.place(2);
                    self.term(p, depth - 1);
                    self.term(p.wrapping_add(1), depth - 1);
                    Cell::to(Tag::Lst, p)
                }
                5 => {
                    let p = self.place(1);
                    self.term(p, depth - 1);
                    Cell::to(Tag::Ref, p)
                }
                _ => {
                    let n = self.next(3) as usize;
                    let p = self.place(1 + n);
                    // SAFETY: a place of this.
                    unsafe { *p = Functor::new(Atom::new("variant: f"), n).cell() };
                    for i in 1..=n {
                        self.term(p.wrapping_add(i), depth - 1);
                    }
                    Cell::to(Tag::Str, p)
                }
            };
            // SAFETY: as above.
            unsafe { *to = cell };
        }
        /// A copy of a term with variables of its own, but for what is changed on the way.
        fn copy(&mut self, t: TermRef, names: &mut HashMap<u64, *mut Cell>, change: u64) -> Cell {
            let c = t.deref();
            if self.next(change) == 0 {
                let known = self.variables.len() as u64;
                let i = self.next(known) as usize;
                return Cell::to(Tag::Ref, self.variables[i]);
            }
            if c.is_ref() {
                let v = *names.entry(c.0).or_insert_with(|| self.variable());
                return Cell::to(Tag::Ref, v);
            }
            match t.callable() {
                Some((f, args)) if !c.is_atom() => {
                    let all: Vec<Cell> = (0..f.arity())
                        .map(|i| self.copy(args.get(i), names, change))
                        .collect();
                    let is_list = c.tag() == Tag::Lst;
                    let p = self.place(all.len() + usize::from(!is_list));
                    let first = if is_list { p } else { p.wrapping_add(1) };
                    // SAFETY: places of this.
                    unsafe {
                        if !is_list {
                            *p = f.cell();
                        }
                        for (i, x) in all.into_iter().enumerate() {
                            *first.wrapping_add(i) = x;
                        }
                    }
                    Cell::to(c.tag(), p)
                }
                _ => c,
            }
        }
    }

    #[test]
    fn it_is_as_defined_and_leaves_the_terms_as_they_were() {
        let mut t = Terms {
            places: Vec::new(),
            variables: Vec::new(),
            state: 42,
        };
        let (mut holds, mut not) = (0, 0);
        for round in 0..3000 {
            t.clear();
            let v = t.variable();
            t.variables = vec![v];
            let p = t.place(1);
            t.term(p, 5);
            // SAFETY: a term of `t`, which stays as it is while it is read.
            let a = unsafe { TermRef::new(*p) };
            let b = if round % 3 == 0 {
                let q = t.place(1);
                t.term(q, 3);
                // SAFETY: as above.
                unsafe { *q }
            } else {
                let change = if round % 3 == 1 { u64::MAX } else { 9 };
                t.copy(a, &mut HashMap::new(), change)
            };
            // SAFETY: as above.
            let expected = model(a, unsafe { TermRef::new(b) });
            let before = t.contents();
            // SAFETY: terms of `t`.
            assert_eq!(unsafe { variant(a.cell(), b) }, expected, "round {round}");
            assert_eq!(t.contents(), before, "round {round}");
            holds += usize::from(expected);
            not += usize::from(!expected);
        }
        t.clear();
        assert!(holds > 1000 && not > 500, "{holds} {not}");
    }
}
