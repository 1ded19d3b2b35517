//! Walks over terms that may be cyclic (rational trees): when to remember what was met, and where the cycles are.
//!
//! A cyclic term is a finite graph whose unfolding is an infinite tree. A walk along it ends if it skips what it has met. To
//! remember every compound would make walks over ordinary terms slow. So [`Met`] remembers one compound at a time, that of step 4, 8, 16 and so on,
//! which is met again where a walk goes round a single cycle (R. P. Brent, "An improved Monte Carlo factorization algorithm", BIT 20, 1980, section 2): after
//! some three times its length. For all others it watches now and then:
//!
//! ```text
//! steps    0 .. 1024     .. 1152    .. 2304       .. 2592    …
//!          not watched   watched    not watched   watched    …
//! ```
//!
//! A watch lasts an eighth of the steps so far. If three quarters of what came by during a watch had been met before, the term is
//! cyclic (or shares so much that it is worth it), and the watch does not end any more. A graph of `n` pairs of compounds is so
//! walked in `O(n)` steps beyond the first 1024: a watch of `4n` steps meets the whole graph.
//!
//! A walk may still be long. Every 2^16 steps it asks the thread's host ([`crate::heavy`]) whether it is to be given up; from then on
//! there is nowhere to go: all compounds count as met, so that the walk ends with what it has in its work list and without a
//! meaningful result. The host knows that, and raises its reason where the machine looks next.

use crate::cell::{Cell, Tag};
use crate::growth;
use crate::heavy::{self, BETWEEN_LOOKS, Patience};
use crate::order::parts;
use crate::view::{TermRef, deref};
use rustc_hash::FxHashMap;

/// Steps before the first watch.
const FIRST: usize = 1 << 10;
/// The step whose compound is the first to be remembered.
const TURN: usize = 4;
/// No compound.
const NOTHING: (Cell, Cell) = (Cell(0), Cell(0));
const _: () = assert!(Tag::Lst as u64 != 0 && Tag::Str as u64 != 0);

/// What a walk has met: compounds, or pairs of compounds that count as equal. Two counters for the many walks that are short.
#[derive(Debug)]
pub struct Met {
    steps: usize,
    /// Nothing is to be done before this step.
    next: usize,
    /// The compound that is remembered, or pair of them.
    one: (Cell, Cell),
    watch: Option<Box<Watch>>,
}

/// What is kept of a walk that is not short.
#[derive(Debug)]
struct Watch {
    /// Another compound is remembered from this step on. (Before there is a watch: `next`.)
    turn: usize,
    /// The next look for events is at this step.
    look: usize,
    /// Nothing is to be walked over any more.
    ended: bool,
    /// Compounds are remembered from this step on, and not before.
    from: usize,
    /// That ends with this step.
    until: usize,
    hits: usize,
    /// Each compound met, with another of its class (union-find, with path halving) or with itself.
    class: FxHashMap<Cell, Cell>,
}

impl Default for Met {
    fn default() -> Self {
        Met::new()
    }
}

impl Met {
    #[inline]
    pub fn new() -> Met {
        Met {
            steps: 0,
            next: TURN,
            one: NOTHING,
            watch: None,
        }
    }

    /// A walk over what is inside of a compound, or of a pair of them: these have been met.
    #[inline]
    pub fn below(one: (Cell, Cell)) -> Met {
        Met { one, ..Met::new() }
    }

    /// Counts a step to a compound; true if the walk need not go there again.
    #[inline]
    pub fn again(&mut self, compound: Cell) -> bool {
        self.steps += 1;
        self.one.0 == compound
            || self.steps >= self.next
                && self.watch((compound, compound), |w| w.set(compound, compound))
    }

    /// Counts a step to two compounds; true if it follows from the pairs met that they are equal, unless a difference is found
    /// elsewhere.
    #[inline]
    pub fn pair_again(&mut self, a: Cell, b: Cell) -> bool {
        self.steps += 1;
        self.one == (a, b) || self.steps >= self.next && self.watch((a, b), |w| w.join(a, b))
    }

    /// As [`Met::pair_again`], where the left and the right compounds are equal up to something, as a renaming of variables: what is
    /// on the left says nothing of itself on the right.
    #[inline]
    pub fn sides_again(&mut self, left: Cell, right: Cell) -> bool {
        // No compound has this bit set in its tag.
        const RIGHT: u64 = 4;
        self.pair_again(left, Cell(right.0 | RIGHT))
    }

    /// Whether the walk was given up: its result says nothing.
    pub fn has_ended(&self) -> bool {
        self.watch.as_ref().is_some_and(|w| w.ended)
    }

    /// The step at which another compound is remembered.
    fn turn(&self) -> usize {
        self.watch.as_ref().map_or(self.next, |w| w.turn)
    }

    #[cold]
    fn watch(&mut self, one: (Cell, Cell), meet: impl FnOnce(&mut Watch) -> bool) -> bool {
        let steps = self.steps;
        if steps >= self.turn() {
            self.one = one;
            match &mut self.watch {
                Some(watch) => watch.turn = 2 * steps,
                None => self.next = 2 * steps,
            }
        }
        if steps < FIRST {
            return false;
        }
        let watch = self.watch.get_or_insert_with(|| {
            Box::new(Watch {
                turn: 2 * steps,
                look: BETWEEN_LOOKS,
                ended: false,
                from: FIRST,
                until: 0,
                hits: 0,
                class: FxHashMap::default(),
            })
        });
        if self.steps >= watch.look {
            watch.look = self.steps + BETWEEN_LOOKS;
            watch.ended |= heavy::is_given_up();
        }
        let known = watch.ended || (self.steps >= watch.from && watch.remember(self.steps, meet));
        self.next = if watch.ended {
            0
        } else {
            watch.from.min(watch.look).min(watch.turn)
        };
        known
    }
}

/// What a walk that goes depth first has learned of cycles; see [`Above::circles`].
enum Circles {
    /// Nothing.
    No,
    /// The term is cyclic.
    Yes,
    /// It is, or shares so much that it is worth it to remember all of it, or the walk is given up.
    Perhaps,
}

/// A walk that goes wherever it comes, depth first, and knows how much is left. As [`Met`], but the compound that is remembered is always one that the walk is below: met
/// again, it is on a cycle.
struct Above {
    met: Met,
    /// So many arguments are left, at least, as long as the walk is below it.
    left: usize,
}

impl Above {
    fn new() -> Above {
        Above {
            met: Met::new(),
            left: usize::MAX,
        }
    }
    /// The walk goes on elsewhere: it is below nothing.
    fn be_elsewhere(&mut self) {
        self.left = usize::MAX;
    }
    /// Counts a step to a compound, when so many arguments are left to walk over beside it and what is in it.
    #[inline]
    fn circles(&mut self, compound: Cell, left: usize) -> Circles {
        let met = &mut self.met;
        met.steps += 1;
        if left < self.left {
            (met.one.0, self.left) = (compound, left);
        } else if met.one.0 == compound {
            return Circles::Yes;
        }
        if met.steps < met.next {
            return Circles::No;
        }
        let turns = met.steps >= met.turn();
        let again = met.watch((compound, compound), |w| w.set(compound, compound));
        if turns {
            self.left = left;
        }
        match &met.watch {
            Some(w) if again && (w.ended || w.until == usize::MAX) => Circles::Perhaps,
            _ => Circles::No,
        }
    }
}

impl Watch {
    fn remember(&mut self, step: usize, meet: impl FnOnce(&mut Watch) -> bool) -> bool {
        if step == self.from {
            self.until = step + step / 8;
            self.hits = 0;
        }
        let known = meet(self) || self.ended;
        self.hits += usize::from(known);
        if step == self.until {
            if self.hits >= (self.until - self.from) / 4 * 3 {
                self.until = usize::MAX;
            } else {
                self.from = step * 2;
                self.class = FxHashMap::default();
            }
        }
        known
    }

    /// Puts two compounds into one class; true if they are already.
    fn join(&mut self, a: Cell, b: Cell) -> bool {
        let (a, b) = (self.representative(a), self.representative(b));
        if a != b {
            self.set(a, b);
        }
        a == b
    }

    /// Puts a compound below another one; whether it was below one. Without room the walk ends.
    fn set(&mut self, below: Cell, above: Cell) -> bool {
        let before = growth::insert(&mut self.class, below, above);
        if before.is_err() && !self.ended {
            self.ended = true;
            heavy::refuse();
        }
        before.is_ok_and(|b| b.is_some())
    }

    fn representative(&mut self, mut c: Cell) -> Cell {
        while let Some(&next) = self.class.get(&c) {
            if let Some(&over) = self.class.get(&next) {
                self.class.insert(c, over);
            }
            c = next;
        }
        c
    }
}

fn is_compound(c: Cell) -> bool {
    matches!(c.tag(), Tag::Lst | Tag::Str)
}

/// Whether no argument of the term is compound.
fn is_flat(t: TermRef<'_>) -> bool {
    !is_compound(t.deref())
        || t.callable()
            .is_some_and(|(f, args)| (0..f.arity()).all(|i| !is_compound(args.get(i).deref())))
}

/// Whether the term is a finite tree.
pub fn is_acyclic(t: TermRef) -> bool {
    are_acyclic(std::iter::once(t))
}

/// Whether the terms are finite trees. What they share is gone through once, however many of them do.
pub fn are_acyclic<'a>(terms: impl Iterator<Item = TermRef<'a>> + Clone) -> bool {
    // Most terms share little: a plain walk comes to an end.
    let mut above = Above::new();
    // Arguments still to be looked at of the compounds above the present one: cells and their number.
    let mut work: Vec<(*const Cell, usize)> = Vec::new();
    for root in terms.clone().filter(|t| !is_flat(*t)) {
        above.be_elsewhere();
        let root = root.deref();
        // The present ones are beside the list.
        let (mut p, mut n, mut left) = (&raw const root, 1, 1);
        loop {
            if n == 0 {
                match work.pop() {
                    Some(rest) => (p, n) = rest,
                    None => break,
                }
            }
            // SAFETY: there are `n` cells of valid terms at `p`, which live as long as the references do; the one after the last is not read.
            let compound = unsafe {
                let c = deref(*p);
                (p, n, left) = (p.add(1), n - 1, left - 1);
                c
            };
            if !is_compound(compound) {
                continue;
            }
            match above.circles(compound, left) {
                Circles::No => {}
                Circles::Yes => return false,
                Circles::Perhaps => return above.met.has_ended() || heads_of(terms).is_empty(),
            }
            let (inside, f) = parts(compound);
            if n > 0 && growth::push(&mut work, (p, n)).is_err() {
                heavy::refuse();
                return false;
            }
            (p, n) = (inside, f.arity());
            left += n;
        }
    }
    true
}

/// The compounds at which the cycles of a term close: those met again below themselves, going depth first from left to right, in the
/// order in which that happens. Cut there, the term is finite.
pub fn heads(t: TermRef<'_>) -> Vec<TermRef<'_>> {
    heads_of(std::iter::once(t))
}

fn heads_of<'a>(mut roots: impl Iterator<Item = TermRef<'a>>) -> Vec<TermRef<'a>> {
    /// What is known of a compound that was met.
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        /// It is on the way down from the root.
        Above,
        /// It is, and was met again below itself.
        Head,
        Done,
    }
    let mut found = Vec::new();
    let mut state: FxHashMap<Cell, State> = FxHashMap::default();
    // The way down: compounds and their next argument.
    let mut way: Vec<(TermRef<'_>, usize)> = Vec::new();
    let mut next = None;
    let mut patience = Patience::new();
    loop {
        if patience.is_over() {
            return found;
        }
        if way.is_empty() && next.is_none() {
            next = roots.next();
            if next.is_none() {
                return found;
            }
        }
        if let Some(t) = next.take()
            && is_compound(t.deref())
        {
            let added = match state.get(&t.deref()).copied() {
                None => growth::insert(&mut state, t.deref(), State::Above)
                    .and_then(|_| growth::push(&mut way, (t, 0))),
                Some(State::Above) => {
                    state.insert(t.deref(), State::Head);
                    growth::push(&mut found, t)
                }
                Some(_) => Ok(()),
            };
            if added.is_err() {
                heavy::refuse();
                return found;
            }
        }
        let Some((t, i)) = way.last_mut() else {
            continue;
        };
        match t.callable() {
            Some((f, args)) if *i < f.arity() => {
                next = Some(args.get(*i));
                *i += 1;
            }
            _ => {
                state.insert(t.deref(), State::Done);
                way.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::RecordBuilder;
    use crate::{Atom, Functor};

    /// A heap that holds a list cell of `a` and itself (at 0), and the list `[a, b]` (at 2).
    fn heap() -> (Vec<u64>, Cell, Cell) {
        let atom = |name| Cell::atom(Atom::new(name)).0;
        let mut words = vec![atom("a"), 0, atom("a"), 0, atom("b"), Cell::NIL.0];
        let at = |i: usize| Cell::pointer(Tag::Lst, words.as_ptr() as u64 + 8 * i as u64);
        let (cyclic, finite, rest) = (at(0), at(2), at(4));
        words[1] = cyclic.0;
        words[3] = rest.0;
        (words, cyclic, finite)
    }

    #[test]
    fn cycles_are_found() {
        let (_words, cyclic, finite) = heap();
        // SAFETY: the words live and do not change.
        let [c, f] = [cyclic, finite].map(|t| unsafe { TermRef::new(t) });
        assert!(!is_acyclic(c));
        assert_eq!(
            heads(c).iter().map(|t| t.deref()).collect::<Vec<_>>(),
            [cyclic]
        );
        assert!(is_acyclic(f));
        assert!(heads(f).is_empty());
        assert!(are_acyclic([f, f].into_iter()));
        assert!(!are_acyclic([f, c].into_iter()) && !are_acyclic([c, f].into_iter()));
    }

    /// All ends of a list, which is longer than what is walked before anything is remembered; the last of it is cyclic, or not.
    #[test]
    fn what_terms_share_is_gone_through_once() {
        const N: usize = 3_000;
        for cyclic in [false, true] {
            let mut words = vec![Cell::NIL.0; 2 * N];
            let at = |i: usize| Cell::pointer(Tag::Lst, words.as_ptr() as u64 + 16 * i as u64);
            let ends: Vec<Cell> = (0..N).map(at).collect();
            for i in 0..N - 1 {
                words[2 * i + 1] = ends[i + 1].0;
            }
            if cyclic {
                words[2 * N - 1] = ends[N - 1].0;
            }
            // SAFETY: the words live and do not change.
            let ends = ends.iter().map(|&c| unsafe { TermRef::new(c) });
            assert_eq!(are_acyclic(ends.clone()), !cyclic);
            assert_eq!(are_acyclic(ends.rev()), !cyclic);
        }
    }

    #[test]
    fn shared_compounds_are_no_cycle() {
        let mut b = RecordBuilder::new();
        let f = Functor::new(Atom::new("f"), 2);
        let mut t = Cell::NIL;
        for _ in 0..100 {
            t = b.structure(f, &[t, t]);
        }
        let r = b.finish(t);
        let mut out = vec![0; r.heap_words()];
        let root = r.instantiate(&mut out);
        // SAFETY: the words live and do not change.
        let t = unsafe { TermRef::new(root) };
        assert!(is_acyclic(t));
        assert!(heads(t).is_empty());
    }

    /// A list of one compound is walked along, and nothing is remembered of it but during watches.
    #[test]
    fn a_shared_element_is_no_reason_to_remember_a_list() {
        let goes_on = |above: &mut Above, c, left| matches!(above.circles(c, left), Circles::No);
        let mut above = Above::new();
        let shared = Cell::pointer(Tag::Str, 8);
        for i in 1..1_000_000 {
            let list = Cell::pointer(Tag::Lst, 16 * i);
            assert!(goes_on(&mut above, list, 0) && goes_on(&mut above, shared, 1));
        }
        let mut above = Above::new();
        let ring = |i: u64| Cell::pointer(Tag::Lst, 16 * (i % 10_000));
        let ends = |i| !goes_on(&mut above, ring(i), 0) || !goes_on(&mut above, shared, 1);
        assert!((1..40_000).any(ends));
    }

    /// What is met again beside itself is on no cycle: `f(T, T, …)`, with another compound behind each `T`.
    #[test]
    fn the_same_compound_again_is_a_cycle_only_below_itself() {
        let mut b = RecordBuilder::new();
        let [f, g] = ["f", "g"].map(|name| Functor::new(Atom::new(name), 20));
        let g1 = Functor::new(Atom::new("g"), 1);
        let leaf = b.structure(g1, &[Cell::NIL]);
        let shared = b.structure(g1, &[leaf]);
        let all = b.structure(g, &[shared; 20]);
        let root = b.structure(f, &[all; 20]);
        let r = b.finish(root);
        let mut out = vec![0; r.heap_words()];
        let root = r.instantiate(&mut out);
        // SAFETY: the words live and do not change.
        let t = unsafe { TermRef::new(root) };
        assert!(is_acyclic(t) && are_acyclic([t, t, t].into_iter()));
    }

    #[test]
    fn a_walk_round_a_cycle_ends() {
        for length in [1, 2, 7, 1000] {
            let mut met = Met::new();
            let ring = |i: usize| Cell::pointer(Tag::Lst, 16 * (i % length) as u64);
            let walked = (0..).find(|&i| met.again(ring(i)));
            assert!(walked.is_some_and(|n| n < 3 * length + 2 * TURN));
            let mut met = Met::new();
            let other = |i: usize| Cell::pointer(Tag::Lst, 0x10_0000 + 16 * (i % 1001) as u64);
            let walked = (0..).find(|&i| met.pair_again(ring(i), other(i)));
            assert!(walked.is_some_and(|n| n < 200_000));
        }
    }

    #[test]
    fn ordinary_walks_remember_little() {
        let mut met = Met::new();
        for i in 0..1_000_000 {
            assert!(!met.again(Cell::pointer(Tag::Lst, 16 * i)));
            assert!(met.watch.as_ref().is_none_or(|w| w.class.len() < 200_000));
        }
    }
}
