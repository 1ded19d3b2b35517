//! The age of variables: their place in the standard order, which a collection must not change.
//!
//! A program may keep a sorted list of variables, or a tree with variables as keys, across collections, and a copying
//! collector keeps no order of addresses. So a variable that has been compared gets an age that stays: in the nursery its
//! allocation number, which follows from its address until it moves; elsewhere an entry in a table, which every
//! collection updates. Variables that nobody compares cost nothing.
//!
//! Invariants: no two live variables have the same age; ages of variables first compared in the old generation are below
//! [`FIRST_YOUNG`] and in the order in which they were compared, those of the nursery above and in the order of allocation, its attributed variables before the others.
//!
//! Entries of variables that backtracking took away are harmless: the address is that of another variable then, which
//! may as well have this age.

use crate::heap::Heap;
use samite_term::growth::{self, Refused};
use samite_term::{Cell, Tag, TermRef, heavy, order};
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

/// Ages of the nursery begin here.
const FIRST_YOUNG: u64 = 1 << 40;

/// Room for so many variables is kept.
const KEPT: usize = 1 << 10;

/// The ages of so many at once are asked for.
const MANY: usize = 1 << 14;

/// The hash of an address: neighbours are neighbours in the table, too, because many variables are met in the order of their addresses. What
/// distant ones of a regular distance share at the low end is told apart by what is above it.
#[derive(Default, Debug, Clone, Copy)]
struct ByPlace(u64);

impl Hasher for ByPlace {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &b in bytes {
            self.write_usize(usize::from(b));
        }
    }
    fn write_usize(&mut self, address: usize) {
        let cell = self.0 ^ (address as u64 >> 3);
        let low = cell ^ cell >> 11 ^ cell >> 23;
        // The highest bits are what the table tells neighbours apart by before it compares them.
        self.0 =
            low & (u64::MAX >> 7) | cell.wrapping_mul(0x9e37_79b9_7f4a_7c15) & !(u64::MAX >> 7);
    }
}

type Places<V> = HashMap<usize, V, BuildHasherDefault<ByPlace>>;
type PlaceSet = HashSet<usize, BuildHasherDefault<ByPlace>>;

/// Where variables are whose age follows from their address.
#[derive(Debug, Clone)]
pub(crate) struct Young {
    /// The part of the nursery in use.
    nursery: Range<usize>,
    /// All of its room for attributed variables, which are numbered first.
    attributed: Range<usize>,
}

impl Young {
    fn contains(&self, address: usize) -> bool {
        self.nursery.contains(&address) || self.attributed.contains(&address)
    }
    /// The place of an address in the order of allocation.
    fn number(&self, address: usize) -> u64 {
        let bytes = match self.attributed.contains(&address) {
            true => address - self.attributed.start,
            false => self.attributed.len() + (address - self.nursery.start),
        };
        (bytes / 8) as u64
    }
    /// How many such places there are.
    pub(crate) fn words(&self) -> usize {
        (self.attributed.len() + self.nursery.len()) / 8
    }
}

/// What is known of the variables of one heap.
#[derive(Debug)]
pub(crate) struct Ages {
    /// Ages of variables outside of the nursery that were compared, by address.
    known: Places<u64>,
    /// Variables in the nursery that were compared.
    young: PlaceSet,
    /// Age of the first cell of the nursery.
    nursery: u64,
    /// Age of the next variable that is first compared in the old generation.
    next: u64,
}

impl Default for Ages {
    fn default() -> Self {
        Ages {
            known: Places::default(),
            young: PlaceSet::default(),
            nursery: FIRST_YOUNG,
            next: 0,
        }
    }
}

impl Ages {
    /// Whether no variable has been compared.
    pub(crate) fn is_empty(&self) -> bool {
        self.young.is_empty() && self.known.is_empty()
    }

    /// Bytes of the tables, and of what a collection makes of them.
    pub(crate) fn bytes(&self) -> usize {
        let collected = (self.young.len() + self.known.len()) * size_of::<(usize, u64)>();
        self.young.capacity() * 9 + self.known.capacity() * 17 + collected
    }

    /// Gives back what a peak took.
    fn shrink(&mut self) {
        if self.known.capacity() / 8 > self.known.len().max(KEPT) {
            self.known.shrink_to(2 * self.known.len());
        }
        if self.young.capacity() / 8 > KEPT {
            self.young = PlaceSet::default();
        }
    }

    /// The age of the variable at `address`, which stays from now on; any, if there is no room to remember it ([`heavy::refuse`]).
    fn of(&mut self, address: usize, young: &Young) -> u64 {
        if young.contains(address) {
            if growth::add(&mut self.young, address).is_err() {
                heavy::refuse();
            }
            return self.young_age(address, young);
        }
        if let Some(&age) = self.known.get(&address) {
            return age;
        }
        let age = self.next;
        match growth::insert(&mut self.known, address, age) {
            Ok(_) => self.next += 1,
            Err(_) => heavy::refuse(),
        }
        age
    }

    /// The variables outside of the nursery that have an age.
    pub(crate) fn outside(&self) -> impl Iterator<Item = *const Cell> {
        self.known.keys().map(|&a| a as *const Cell)
    }

    /// The same with their ages.
    pub(crate) fn known(&self) -> impl Iterator<Item = (usize, u64)> {
        self.known.iter().map(|(&a, &age)| (a, age))
    }

    /// Checks that no two variables have the same age, and none outside of the nursery one that the nursery will give out. Not the first
    /// where there is no room for what that takes.
    pub(crate) fn verify(&self) {
        assert!(self.known.values().all(|&a| a < self.nursery) && self.next <= FIRST_YOUNG);
        let Ok(mut ages) = growth::list(self.known.values().copied()) else {
            return;
        };
        ages.sort_unstable();
        let double = ages.windows(2).any(|w| w[0] == w[1]);
        assert!(!double, "two variables of one age");
    }

    fn young_age(&self, address: usize, young: &Young) -> u64 {
        self.nursery + young.number(address)
    }

    /// The age of the variable at `address`, if it was compared.
    pub(crate) fn get(&self, address: usize, young: &Young) -> Option<u64> {
        if young.contains(address) {
            let compared = self.young.contains(&address);
            compared.then(|| self.young_age(address, young))
        } else {
            self.known.get(&address).copied()
        }
    }

    /// Room for what a collection makes of the tables: those that are [`Ages::of_unbound`] or bound, and the table after it.
    pub(crate) fn room(&mut self, all: bool) -> Option<Vec<(usize, u64)>> {
        let mut aged = Vec::new();
        let most = self.young.len() + if all { self.known.len() } else { 0 };
        aged.try_reserve_exact(most).ok()?;
        self.known.try_reserve(self.young.len()).ok()?;
        Some(aged)
    }

    /// Ages of all variables of the nursery that were compared and are unbound, by address, and of those outside, if `all`. There is
    /// [`Ages::room`] for them.
    ///
    /// # Safety
    /// `young` is where they are before a collection changes anything.
    pub(crate) unsafe fn of_unbound(&self, young: &Young, all: bool, aged: &mut Vec<(usize, u64)>) {
        // SAFETY: addresses in the part in use are mapped, as are those of cells that were not collected. Where a variable was
        // and backtracking made room for something else, the cell does not refer to itself, or is a variable again.
        let unbound = |address: usize| unsafe {
            let p = address as *mut Cell;
            *p == Cell::to(Tag::Ref, p) || (*p).tag() == Tag::Att
        };
        let compared = self.young.iter().filter(|&&a| young.contains(a));
        let compared = compared.map(|&a| (a, self.young_age(a, young)));
        let known = self.known.iter().map(|(&a, &age)| (a, age));
        let all = if all { usize::MAX } else { 0 };
        aged.extend(compared.chain(known.take(all)).filter(|&(a, _)| unbound(a)));
    }

    /// The nursery was emptied: `moved` has the new addresses of what was [`Ages::of_unbound`], or bound and trailed.
    pub(crate) fn moved(
        &mut self,
        moved: impl Iterator<Item = (usize, u64)>,
        all: bool,
        young_words: usize,
    ) {
        if all {
            self.known.clear();
        }
        self.known.extend(moved);
        self.young.clear();
        self.shrink();
        self.nursery += young_words as u64;
    }

    /// The nursery became a part of the old generation as it is.
    pub(crate) fn adopted(&mut self, young: &Young) {
        let compared = std::mem::take(&mut self.young).into_iter();
        let first = self.nursery;
        let aged = compared
            .filter(|&a| young.contains(a))
            .map(|a| (a, first + young.number(a)));
        self.moved(aged, false, young.words());
    }
}

impl Heap {
    /// Where the nursery has variables.
    pub(crate) fn young(&self) -> Young {
        Young {
            nursery: self.start() as usize..self.h as usize,
            attributed: self.room_of_variables(),
        }
    }

    /// From now on the variable at `address` has an age.
    pub(crate) fn give_age(&mut self, address: *mut Cell) {
        let young = self.young();
        self.ages.of(address as usize, &young);
    }

    /// Standard order of two terms of this heap; variables by age, in an order that stays.
    pub fn compare(&mut self, a: TermRef, b: TermRef) -> Ordering {
        // Where they are is asked for when two are met, which is seldom.
        order::compare_with(a, b, |x, y| {
            let young = self.young();
            let ages = &mut self.ages;
            let (x, y) = (x as usize, y as usize);
            // Of two that have no age yet, the one at the lower address gets the lower one.
            if x < y {
                let x = ages.of(x, &young);
                x.cmp(&ages.of(y, &young))
            } else {
                let y = ages.of(y, &young);
                ages.of(x, &young).cmp(&y)
            }
        })
    }

    /// The ages of variables, by which they can be sorted, each with its place among them: quicker than comparing each many times.
    pub fn ages(
        &mut self,
        variables: impl ExactSizeIterator<Item = Cell> + Clone,
    ) -> Result<Vec<(u64, usize)>, Refused> {
        let n = variables.len();
        // What is returned, and the tables that grow.
        if n >= MANY && !self.has_room(n * (size_of::<(u64, usize)>() + 2 * 17)) {
            return Err(Refused);
        }
        let young = self.young();
        let ages = &mut self.ages;
        let addresses = variables.map(|v| v.ptr() as usize);
        let old = addresses.clone().filter(|&a| !young.contains(a)).count();
        growth::set_have(&mut ages.young, n - old)?;
        growth::map_have(&mut ages.known, old)?;
        let mut aged = growth::list(addresses.map(|a| a as u64).zip(0usize..))?;
        // Those that have none get theirs in the order of their addresses.
        aged.sort_unstable();
        for (age, _) in &mut aged {
            *age = ages.of(*age as usize, &young);
        }
        Ok(aged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collect::Generation;
    use crate::config::HeapConfig;
    use crate::heap::MIN_NURSERY;

    fn heap() -> Heap {
        Heap::new(HeapConfig {
            nursery: if cfg!(miri) { MIN_NURSERY } else { 1 << 20 },
            limit: 1 << 30,
            stress: 0,
            ..HeapConfig::default()
        })
        .unwrap()
    }

    fn collect(h: &mut Heap, g: Generation, roots: &mut [Cell]) {
        // SAFETY: the roots follow.
        let mut c = unsafe { h.collect_begin(g, 0..0) }.unwrap();
        for r in roots {
            // SAFETY: the callers give cells of the heap, each once.
            unsafe { c.root(r) };
        }
        c.finish();
    }

    fn sorted(h: &mut Heap, vars: &[Cell]) -> bool {
        // SAFETY: the cells are variables of the heap.
        let compare =
            |h: &mut Heap, x: Cell, y: Cell| unsafe { h.compare(TermRef::new(x), TermRef::new(y)) };
        vars.windows(2).all(|w| {
            compare(h, w[0], w[1]) == Ordering::Less && compare(h, w[1], w[0]) == Ordering::Greater
        })
    }

    /// Collections move the roots in the order given, so that the order of addresses turns round.
    #[test]
    fn collections_keep_the_order_of_compared_variables() {
        let mut h = heap();
        let mut vars: Vec<Cell> = (0..100).map(|_| h.variable().unwrap()).collect();
        assert!(sorted(&mut h, &vars));
        for g in [Generation::Minor, Generation::Major, Generation::Major] {
            vars.reverse();
            collect(&mut h, g, &mut vars);
            vars.reverse();
            assert!(sorted(&mut h, &vars));
            // Newer ones come later, in the nursery.
            vars.extend((0..10).map(|_| h.variable().unwrap()));
            assert!(sorted(&mut h, &vars));
        }
        assert_eq!(vars.len(), 130);
        // The table forgets what is gone.
        collect(&mut h, Generation::Major, &mut vars[..5]);
        assert_eq!(h.ages.known.len(), 5);
        assert!(sorted(&mut h, &vars[..5]));
    }

    #[test]
    fn variables_first_compared_when_old_have_an_order_too() {
        let mut h = heap();
        let mut vars: Vec<Cell> = (0..10).map(|_| h.variable().unwrap()).collect();
        collect(&mut h, Generation::Minor, &mut vars);
        // SAFETY: the cells are variables of the heap.
        vars.sort_by(|&x, &y| unsafe { h.compare(TermRef::new(x), TermRef::new(y)) });
        vars.push(h.variable().unwrap());
        assert!(sorted(&mut h, &vars));
        vars.reverse();
        collect(&mut h, Generation::Major, &mut vars);
        vars.reverse();
        assert!(sorted(&mut h, &vars));
    }

    #[test]
    fn a_variable_bound_for_a_while_keeps_its_age() {
        for g in [Generation::Minor, Generation::Major] {
            let mut h = heap();
            let mut vars: Vec<Cell> = (0..10).map(|_| h.variable().unwrap()).collect();
            assert!(sorted(&mut h, &vars));
            h.hb = h.h; // a choicepoint
            // SAFETY: the variable is unbound and older than the choicepoint.
            unsafe { h.bind(vars[3].ptr(), Cell::small(1)) };
            vars.reverse();
            collect(&mut h, g, &mut vars);
            vars.reverse();
            // SAFETY: backtracking to the choicepoint.
            unsafe { h.trail.undo(0) };
            assert!(sorted(&mut h, &vars));
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "fills nurseries of megabytes")]
    fn adopted_nurseries_keep_the_order() {
        let mut h = heap();
        let mut vars = vec![];
        let mut keep = [Cell::NIL];
        let mut adopted = 0;
        for _ in 0..20 {
            vars.extend((0..10).map(|_| h.variable().unwrap()));
            assert!(sorted(&mut h, &vars));
            while h.h < h.soft_end() {
                keep[0] = h.list_cell(Cell::small(1), keep[0]).unwrap();
            }
            if h.adopt_nursery(Generation::Minor) {
                adopted += 1;
            } else {
                let mut roots = vars.clone();
                roots.reverse();
                roots.push(keep[0]);
                collect(&mut h, Generation::Minor, &mut roots);
                keep[0] = roots.pop().unwrap();
                roots.reverse();
                vars = roots;
            }
            assert!(sorted(&mut h, &vars));
        }
        assert!(adopted > 5);
    }
}
