//! Attributed variables (Holzbaur, *Metastructures vs. Attributed Variables in the Context of Extensible Unification*, PLILP 1992).
//!
//! Such a variable is a cell `ATT a`; at `a` is what belongs to it, `'$attributed'(Attributes, Variable, Next)`, where `Attributes` is
//! `att(Module, Value, Attributes)` or `[]` as in SWI-Prolog. Before it is bound it becomes a plain variable, and what belongs to it is chained to
//! what has been woken before, newest first; `'$woken'(First, Noted, Round)` is where the chain
//! begins. The machine takes it at the next place where a goal can run ([`Heap::woken`]). Nothing is allocated meanwhile: `H` may be in a
//! register.
//!
//! Somebody may ask which variables get attributes or others from now on ([`Heap::note_attributed`]). `Round` is a number of that request, 0 if there
//! is none, `Noted` the list of what belongs to these variables, newest first; `Next` of one that is not bound is the round in which it was noted last, so
//! that it is once in a round. All of it is undone on backtracking.
//!
//! Invariants:
//! - An attributed variable lies by itself, no argument of a structure, in the old generation or behind the nursery's end, where its region has room for
//!   young ones ([`Heap::allocate_variable`]): a minor collection moves those that are reached, and what waits for the others is not kept alive by them. Either
//!   way it is outside of `[hb, end)`, so each binding of one is trailed anyway, and
//!   only a binding that is looks at what the variable is ([`Heap::bind_at_once`]): the others cost nothing. Whatever waking overwrites here is
//!   trailed with its old value, the chain as well: backtracking takes a goal that was woken and has not run off it.
//!   `verify` looks at where it lies; so no thread that has had one is folded ([`crate::folded`]).
//! - A plain variable is bound to an attributed one, never the other way ([`crate::unify::in_order`]).
//! - `woke` is set if there is a chain. (It may be set without: after backtracking.)
//!
//! In a record the attributes lie beside the term ([`crate::copy`]); [`Heap::give_attributes`] makes the variables of its copy what they were.

use crate::heap::{Heap, Hindrance, OutOfMemory, VARIABLE_WORDS};
use samite_term::view::deref;
use samite_term::{Cell, Functor, Tag, atoms, growth};

/// The arguments of `'$attributed'/3`.
const ATTRIBUTES: usize = 1;
const VARIABLE: usize = 2;
const NEXT: usize = 3;

/// The arguments of `'$woken'/3`.
const FIRST: usize = 1;
const NOTED: usize = 2;
const ROUND: usize = 3;

/// Trail entries: a value takes two, for the variable, the next one and the beginning of the chain; and the binding that follows one.
const ENTRIES: usize = 7;

/// What was woken by a binding, in a chain.
#[derive(Clone, Copy, Debug)]
pub struct Woken {
    pub attributes: Cell,
    pub variable: Cell,
    next: Cell,
}

impl Woken {
    /// What a chain begins with.
    ///
    /// # Safety
    /// `chain` was read from a heap that has not changed since other than by growing.
    unsafe fn first(chain: Cell) -> Option<Woken> {
        // SAFETY: promised by the caller.
        unsafe {
            let first = deref(chain);
            (first.tag() == Tag::Str).then(|| Woken {
                attributes: *first.ptr().add(ATTRIBUTES),
                variable: *first.ptr().add(VARIABLE),
                next: *first.ptr().add(NEXT),
            })
        }
    }
    /// The one that was woken before.
    ///
    /// # Safety
    /// As for [`Heap::woken`].
    pub unsafe fn before(self) -> Option<Woken> {
        // SAFETY: promised by the caller.
        unsafe { Woken::first(self.next) }
    }
}

impl Heap {
    /// Makes an attributed variable of a plain one. `segment` is the height of the trail at the newest choicepoint.
    ///
    /// # Safety
    /// `variable` is a plain unbound variable of this heap, `attributes` a term of it.
    pub unsafe fn attribute(
        &mut self,
        variable: Cell,
        attributes: Cell,
        segment: usize,
    ) -> Result<(), OutOfMemory> {
        self.begin_chain()?;
        let attributed = match self.allocate_variable() {
            // SAFETY: just allocated.
            Some(p) => unsafe { self.attributed_at(p, attributes)? },
            None => {
                self.ask_for_room_for_variables();
                self.old_attributed(attributes, segment)?
            }
        };
        // SAFETY: promised by the caller.
        unsafe { self.bind(variable.ptr(), attributed) };
        Ok(())
    }
    /// A new attributed variable, in the old generation.
    fn old_attributed(&mut self, attributes: Cell, segment: usize) -> Result<Cell, OutOfMemory> {
        let p = self.allocate_old_remembered(VARIABLE_WORDS, segment)?;
        // SAFETY: just allocated.
        unsafe { self.attributed_at(p, attributes) }
    }
    /// Makes an attributed variable of the words at `p`.
    ///
    /// # Safety
    /// [`VARIABLE_WORDS`] cells were just allocated there, and the chain has begun.
    unsafe fn attributed_at(
        &mut self,
        p: *mut Cell,
        attributes: Cell,
    ) -> Result<Cell, OutOfMemory> {
        // SAFETY: promised by the caller.
        unsafe {
            *p = Cell::to(Tag::Att, p.add(1));
            *p.add(1) = Functor::new(atoms::ATTRIBUTED, 3).cell();
            *p.add(1 + ATTRIBUTES) = attributes;
            *p.add(1 + VARIABLE) = Cell::to(Tag::Ref, p);
            *p.add(1 + NEXT) = Cell::NIL;
            if self.note(p.add(1))? {
                // The order in which they were made is asked for, whatever moves them.
                self.give_age(p);
            }
        }
        Ok(Cell::to(Tag::Ref, p))
    }
    /// Makes what the chain begins with, if there is nothing yet.
    fn begin_chain(&mut self) -> Result<(), OutOfMemory> {
        if self.woken.is_immediate() {
            let p = self.allocate_old(4)?;
            // SAFETY: so many cells were just allocated.
            unsafe {
                *p = Functor::new(atoms::WOKEN, 3).cell();
                *p.add(FIRST) = Cell::NIL;
                *p.add(NOTED) = Cell::NIL;
                *p.add(ROUND) = Cell::small(0);
            }
            self.woken = Cell::to(Tag::Str, p);
        }
        Ok(())
    }

    /// Notes a variable whose attributes are changed, by what belongs to it, if somebody asks, and has not been told of it.
    ///
    /// # Safety
    /// `attribute` is what belongs to an attributed variable, and the chain has begun.
    unsafe fn note(&mut self, attribute: *mut Cell) -> Result<bool, OutOfMemory> {
        // SAFETY: promised by the caller; laid out as the module text says.
        unsafe {
            let chain = self.woken.ptr();
            let round = *chain.add(ROUND);
            if round == Cell::small(0) || *attribute.add(NEXT) == round {
                return Ok(false);
            }
            let p = self.allocate(2)?;
            if !self.trail.reserve(ENTRIES) {
                return Err(OutOfMemory);
            }
            *p = Cell::to(Tag::Str, attribute);
            *p.add(1) = *chain.add(NOTED);
            let changes = [
                (chain.add(NOTED), Cell::to(Tag::Lst, p)),
                (attribute.add(NEXT), round),
            ];
            for (at, new) in changes {
                let trailed = self.trail.push_value(at, *at);
                debug_assert!(trailed);
                *at = new;
            }
        }
        Ok(true)
    }
    /// The attributes of a variable are about to be changed.
    ///
    /// # Safety
    /// `variable` is an attributed variable of this heap.
    pub unsafe fn note_change(&mut self, variable: Cell) -> Result<(), OutOfMemory> {
        // SAFETY: promised by the caller.
        unsafe { self.note((*variable.ptr()).ptr()) }.map(|_| ())
    }
    /// From now on variables are noted that get attributes, or others, until [`Heap::noted_attributed`]. What it is to be told: the
    /// list and the round that were before. `segment` as in [`Heap::assign`].
    pub fn note_attributed(&mut self, segment: usize) -> Result<[Cell; 2], OutOfMemory> {
        self.begin_chain()?;
        self.rounds += 1;
        let round = Cell::small(self.rounds);
        // SAFETY: the chain has begun.
        unsafe {
            let chain = self.woken.ptr();
            let before = [*chain.add(NOTED), *chain.add(ROUND)];
            self.assign(chain.add(ROUND), round, segment);
            Ok(before)
        }
    }
    /// The variables that were noted since, once each, newest first, that are attributed still. `segment` as in [`Heap::assign`].
    ///
    /// # Safety
    /// `list` and `round` are what [`Heap::note_attributed`] has said, in a goal that has not been left since.
    pub unsafe fn noted_attributed(
        &mut self,
        [list, round]: [Cell; 2],
        segment: usize,
    ) -> Result<Vec<Cell>, OutOfMemory> {
        let mut variables = Vec::new();
        // SAFETY: promised by the caller.
        unsafe {
            let chain = self.woken.ptr();
            let mut rest = *chain.add(NOTED);
            while rest != list && rest.tag() == Tag::Lst {
                let attribute = (*rest.ptr()).ptr();
                let variable = deref(*attribute.add(VARIABLE));
                let is_attributed = variable.is_ref()
                    && *variable.ptr() == Cell::to(Tag::Att, attribute)
                    && *attribute.add(ATTRIBUTES) != Cell::NIL;
                if is_attributed {
                    growth::push(&mut variables, variable).map_err(|_| OutOfMemory)?;
                }
                rest = *rest.ptr().add(1);
            }
            if round == Cell::small(0) {
                self.assign(chain.add(NOTED), list, segment);
            }
            self.assign(chain.add(ROUND), round, segment);
        }
        Ok(variables)
    }

    /// Where the attributes of a variable are; none if it is a plain one.
    ///
    /// # Safety
    /// `variable` is an unbound variable of this heap. The address is good until the next collection.
    pub unsafe fn attributes(&self, variable: Cell) -> Option<*mut Cell> {
        // SAFETY: promised by the caller.
        unsafe {
            let content = *variable.ptr();
            (content.tag() == Tag::Att).then(|| content.ptr().add(ATTRIBUTES))
        }
    }

    /// Makes a plain variable of an attributed one. `segment` as in [`Heap::assign`].
    ///
    /// # Safety
    /// `variable` is an attributed variable of this heap.
    pub unsafe fn forget_attributes(&mut self, variable: Cell, segment: usize) {
        // SAFETY: promised by the caller.
        unsafe { self.assign(variable.ptr(), variable, segment) };
    }

    /// Of a record that was put on the heap: makes its variables what they were. `[Term, V1, As1, V2, As2, ...]` is the list at `kept`. The term.
    ///
    /// # Safety
    /// The list is made as [`crate::copy::Attributes::Kept`] says, and on this heap. If not in the nursery, it is remembered, or its variables are not `young`.
    pub(crate) unsafe fn give_attributes(
        &mut self,
        kept: Cell,
        young: bool,
    ) -> Result<Cell, OutOfMemory> {
        // SAFETY: promised by the caller: pairs of cells.
        unsafe {
            self.begin_chain()?;
            let p = kept.ptr();
            // The root of the record, in front of the list, is no term.
            *p.sub(1) = Cell::NIL;
            let (term, mut rest) = (*p, *p.add(1));
            while rest.tag() == Tag::Lst {
                let (variable, second) = (*rest.ptr(), (*rest.ptr().add(1)).ptr());
                // (No binding, which backtracking would undo: nobody knows the copy yet.)
                // (A large copy finds little room, and is alive: it asks for no collection to make more.)
                let room = young.then(|| self.allocate_variable()).flatten();
                *deref(variable).ptr() = match room {
                    Some(p) => self.attributed_at(p, *second)?,
                    None => self.old_attributed(*second, usize::MAX)?,
                };
                rest = *second.add(1);
            }
            Ok(term)
        }
    }

    /// Wakes what waits for the variable at `address`, which is about to be bound and has room on the trail for that.
    ///
    /// # Safety
    /// It is an attributed variable of this heap.
    pub(crate) unsafe fn wake(&mut self, address: *mut Cell) -> Hindrance {
        if !self.trail.reserve(ENTRIES) {
            return Hindrance::Starved;
        }
        // SAFETY: promised by the caller; laid out as the module text says.
        unsafe {
            debug_assert_eq!((*address).tag(), Tag::Att, "bound already");
            let attribute = (*address).ptr();
            let first = self.woken.ptr().add(FIRST);
            let mut set = |at: *mut Cell, new: Cell| {
                if *at == new {
                    return;
                }
                let trailed = self.trail.push_value(at, *at);
                debug_assert!(trailed);
                *at = new;
            };
            set(address, Cell::to(Tag::Ref, address));
            set(attribute.add(NEXT), *first);
            set(first, Cell::to(Tag::Str, attribute));
        }
        self.woke = true;
        self.alert_if(true);
        Hindrance::Awaited
    }

    /// Whether there may be attributed variables.
    pub fn has_had_attributed(&self) -> bool {
        !self.woken.is_immediate()
    }
    /// Whether a goal may have been woken.
    #[inline(always)]
    pub fn has_woken(&self) -> bool {
        self.woke
    }
    /// What was woken last.
    ///
    /// # Safety
    /// What is read from the heap stays as it is until the chain has been followed.
    pub unsafe fn woken(&self) -> Option<Woken> {
        if self.woken.is_immediate() {
            return None;
        }
        // SAFETY: the beginning of the chain.
        unsafe { Woken::first(*self.woken.ptr().add(FIRST)) }
    }
    /// What was woken is seen to. `segment` as in [`Heap::assign`].
    pub fn forget_woken(&mut self, segment: usize) {
        self.woke = false;
        // SAFETY: the beginning of the chain, if there is one.
        unsafe {
            if self.woken().is_some() {
                self.assign(self.woken.ptr().add(FIRST), Cell::NIL, segment);
            }
        }
    }
    /// Where the chain begins, for the collector.
    pub fn woken_root(&mut self) -> &mut Cell {
        &mut self.woken
    }
}

#[cfg(test)]
mod tests {
    use crate::heap::VARIABLE_WORDS;
    use crate::{Generation, Heap, HeapConfig};
    use samite_term::view::deref;
    use samite_term::{Cell, Tag};

    fn goals(h: &Heap) -> Vec<Cell> {
        let mut goals = Vec::new();
        // SAFETY: nothing changes meanwhile.
        unsafe {
            let mut next = h.woken();
            while let Some(w) = next {
                goals.push(w.attributes);
                next = w.before();
            }
        }
        goals
    }

    /// A heap with two variables that goals wait for.
    fn two() -> (Heap, [Cell; 2]) {
        let mut h = Heap::new(HeapConfig::default()).unwrap();
        let vars = [1, 2].map(|n| {
            let v = h.variable().unwrap();
            // SAFETY: a variable of this heap.
            unsafe { h.attribute(v, Cell::small(n), 0).unwrap() };
            v
        });
        (h, vars)
    }

    #[test]
    fn what_is_bound_wakes_until_it_is_undone() {
        let (mut h, [v, w]) = two();
        let top = h.trail.top();
        assert!(!h.has_woken() && goals(&h).is_empty());
        // SAFETY: variables of this heap, here and below.
        unsafe {
            let [v, w] = [deref(v), deref(w)];
            assert_eq!((*v.ptr()).tag(), Tag::Att);
            h.bind(v.ptr(), Cell::small(10));
            h.bind(w.ptr(), v);
            assert!(h.has_woken());
            assert_eq!(goals(&h), [Cell::small(2), Cell::small(1)]);
            assert_eq!([deref(v), deref(w)], [Cell::small(10); 2]);
            h.trail.undo(top);
            assert!(goals(&h).is_empty());
            assert_eq!((*v.ptr()).tag(), Tag::Att);
            h.bind(w.ptr(), Cell::small(11));
            assert_eq!(goals(&h), [Cell::small(2)]);
            h.forget_woken(0);
            assert!(!h.has_woken() && goals(&h).is_empty());
        }
    }

    #[test]
    fn they_survive_collections_waiting_and_woken() {
        let (mut h, vars) = two();
        let mut roots = [vars[0], vars[1], Cell::ZERO];
        for round in 0..2 {
            for g in [Generation::Minor, Generation::Major, Generation::Major] {
                roots[2] = *h.woken_root();
                // SAFETY: the roots follow.
                let mut c = unsafe { h.collect_begin(g, 0..0) }.unwrap();
                for r in &mut roots {
                    // SAFETY: cells of the heap, each once.
                    unsafe { c.root(r) };
                }
                c.finish();
                *h.woken_root() = roots[2];
            }
            // SAFETY: variables of this heap.
            unsafe {
                match round {
                    0 => {
                        assert_eq!((*deref(roots[0]).ptr()).tag(), Tag::Att);
                        h.bind(deref(roots[0]).ptr(), Cell::small(10));
                    }
                    _ => {
                        assert_eq!(goals(&h), [Cell::small(1)]);
                        assert_eq!(deref(roots[0]), Cell::small(10));
                        assert_eq!((*deref(roots[1]).ptr()).tag(), Tag::Att);
                        h.trail.undo(0);
                        assert!(goals(&h).is_empty());
                    }
                }
            }
        }
    }

    /// A collection to which the cells of `roots` are given, and no choicepoint: all that is young is newer than those there may be.
    fn collect(h: &mut Heap, g: Generation, roots: &mut [Cell]) {
        let mut woken = *h.woken_root();
        let newest = 0..h.trail.top();
        // SAFETY: the roots follow, each once.
        unsafe {
            let mut c = h.collect_begin(g, newest).unwrap();
            c.root(&mut woken);
            for r in roots {
                c.root(r);
            }
            c.finish();
        }
        *h.woken_root() = woken;
    }

    /// What waited for a variable that nobody can look at any more does not survive it.
    #[test]
    fn those_that_are_dead_keep_nothing_alive() {
        let (mut h, vars) = two();
        // SAFETY: variables of this heap.
        let [v, w] = vars.map(|v| unsafe { deref(v) });
        assert!(h.young_words() > 0 && !h.old.contains(v.ptr()));
        // SAFETY: a variable of this heap.
        unsafe { h.bind(v.ptr(), Cell::small(10)) };
        h.forget_woken(0);
        let before = h.old.used_bytes();
        let mut roots = [v, w];
        collect(&mut h, Generation::Minor, &mut roots);
        // The one that was bound is no cell any more; the other has moved, with what belongs to it.
        assert_eq!(roots[0], Cell::small(10));
        assert!(h.old.contains(roots[1].ptr()) && h.has_no_young_variables());
        assert_eq!(h.old.used_bytes() - before, VARIABLE_WORDS * 8);
        // SAFETY: a variable of this heap.
        unsafe { h.bind(deref(roots[1]).ptr(), Cell::small(11)) };
        assert_eq!(goals(&h), [Cell::small(2)]);
    }

    /// One that is captured is one again when what bound it is undone.
    #[test]
    fn those_that_are_captured_keep_their_bindings_on_the_trail() {
        let (mut h, [v, _]) = two();
        let top = h.trail.top();
        h.capture(top);
        // SAFETY: variables of this heap.
        unsafe {
            h.bind(deref(v).ptr(), Cell::small(10));
            let mut roots = [v];
            collect(&mut h, Generation::Minor, &mut roots);
            assert_eq!(deref(roots[0]), Cell::small(10));
            h.trail.undo(0);
            assert_eq!((*deref(roots[0]).ptr()).tag(), Tag::Att);
        }
    }

    /// When there is no room for more in the nursery they are old, and a collection is asked for, after which there is room again.
    #[test]
    fn those_without_room_are_old() {
        let (mut h, _) = two();
        let makes_old = |h: &mut Heap| {
            let v = h.variable().unwrap();
            // SAFETY: a variable of this heap.
            unsafe {
                h.attribute(v, Cell::small(1), 0).unwrap();
                h.old.contains(deref(v).ptr())
            }
        };
        let mut n = 2;
        while !makes_old(&mut h) {
            n += 1;
        }
        assert!(h.is_filled() && n * VARIABLE_WORDS * 8 <= h.config.nursery / 8);
        collect(&mut h, Generation::Minor, &mut []);
        assert!(!h.is_filled() && !makes_old(&mut h));
    }

    /// A nursery with attributed variables that becomes a part of the old generation is one row of objects.
    #[test]
    fn they_are_adopted_with_the_nursery() {
        let (mut h, [v, _]) = two();
        while h.has_nursery(100) {
            h.variable().unwrap();
        }
        (h.survivors, h.adopted) = (100, 0);
        // SAFETY: a variable of this heap, which stays where it is.
        unsafe {
            let at = deref(v).ptr();
            assert!(h.adopt_nursery(Generation::Minor));
            assert!(h.old.contains(at) && h.has_no_young_variables());
            let mut words = 0;
            h.each_word(&mut |_| words += 1);
            assert!(words >= h.old.used_bytes() / 8);
            let mut roots = [v];
            collect(&mut h, Generation::Major, &mut roots);
            h.bind(deref(roots[0]).ptr(), Cell::small(10));
        }
        assert_eq!(goals(&h), [Cell::small(1)]);
    }
}
