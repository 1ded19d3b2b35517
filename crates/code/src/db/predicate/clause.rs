//! Clauses. Immutable but for `death`, the code of a dynamic clause, which is made when it runs, and what the bits of `about` say.

use super::{Domain, Predicate, flag};
use crate::code_block::{Code, CodeBlock};
use crate::db::clock::{PRIVATE, PRIVATE_SHIFT};
use crate::db::key::{ANY_KEY, Part};
use crate::db::list::Entry;
use crate::db::place::{Call, FILTERED, MOST_DEEP, PARTS, Place};
use crate::db::readers::ReaderSlot;
use crate::db::retire::{Fate, Node, Retire};
use crate::db::sight::Sight;
use crate::sync::AtomicU64;
use samite_term::{Atom, Cell, Functor, Handle, HoldsAtoms, Kind, Record, atom, atoms};
use std::sync::atomic::Ordering;

/// A generation that has not come.
pub const NEVER: u64 = u64::MAX;

/// A clause. Immutable but for `death`, the code of a dynamic clause, which is made when it runs, and whether it has a name.
#[derive(Debug)]
pub struct Clause {
    pub predicate: &'static Predicate,
    /// First-argument key, see [`key_of`](super::key_of); [`ANY_KEY`](super::ANY_KEY) if the first argument is a variable.
    pub key: u64,
    birth: AtomicU64,
    /// [`NEVER`], or the generation that does not see it any more, and who erased it: a worker's number, in the lowest bits.
    death: AtomicU64,
    code: Code,
    /// The term `Head :- Body`, with another neck of a rule of single-sided unification, kept for dynamic predicates.
    pub record: Option<Record>,
    /// What the clause is: the bits of [`WHAT`]. Below them where it was read ([`crate::db::origins`]), [`atoms::NIL`] if it was not, or while it has a name the place
    /// of that ([`crate::db::names`]), and the line
    /// where it starts, 0 if unknown; when it has been retired, the address of the next clause in its chain ([`crate::db::chain`]).
    about: std::sync::atomic::AtomicU64,
}

/// Bits of a clause's death that say who erased it.
const WORKER_BITS: u32 = u16::BITS;

/// The clause was made for a static predicate, whose entry code jumps to its clauses.
const LINKED: u64 = 1 << 63;
/// The clause has a name; see [`Clause::name`].
const NAMED: u64 = 1 << 62;
/// The clause was read by a load in progress: only the twin that the loading thread sees has it; see [`crate::db::twins`].
const UNREAD: u64 = 1 << 61;
/// The clause has a body.
const RULE: u64 = 1 << 60;
/// The clause has been called; see [`Clause::is_first_call`].
const CALLED: u64 = 1 << 59;
/// The clause's body is straight; see [`Clause::is_straight`].
const STRAIGHT: u64 = 1 << 58;
/// The clause is a rule of single-sided unification.
const ONE_SIDED: u64 = 1 << 57;
/// The clause waits to be freed.
const RETIRED: u64 = 1 << 56;
/// The clause came with a transaction, or one has erased it, of which others may not know; see [`crate::db::sight`].
const TRANSACTED: u64 = 1 << 55;
/// The clause was in the lists before it was born, with others behind it: walks that began before its birth may pass it.
const EARLY: u64 = 1 << 54;
const WHAT: u64 = !(EARLY - 1);
/// Of a clause of no file that was in the lists early, in place of the upper part of a line, and while it waits to be freed: the logarithm of a number of generations that it was
/// there before it was born; 0: not known. An address has fewer bits.
const HEAD_START_SHIFT: u32 = 48;
const HEAD_START: u64 = EARLY - (1 << HEAD_START_SHIFT);
/// The line is above the file.
const LINE_SHIFT: u32 = u32::BITS;
const MOST_LINE: u32 = ((EARLY - 1) >> LINE_SHIFT) as u32;
/// The birth of a clause that has died without being born for others: above all generations, by the one that it was not in the lists before.
const UNBORN: u64 = 2 << PRIVATE_SHIFT;

impl Clause {
    // (Else it is copied on its way to where it stays.)
    #[inline(always)]
    pub fn new(
        predicate: &'static Predicate,
        key: u64,
        record: Option<Record>,
        block: Option<CodeBlock>,
        line: u32,
    ) -> Clause {
        let c = Clause {
            predicate,
            key,
            birth: AtomicU64::new(NEVER),
            death: AtomicU64::new(NEVER),
            code: Code::default(),
            record,
            about: Clause::place(atoms::NIL.index(), line).into(),
        };
        let code = block.map_or(0, |b| c.code.set(b));
        if atom::is_collecting()
            && let Some(key) = Cell(key).atom_in()
        {
            key.mark();
        }
        samite_term::common::charge(c.bytes_without_code() + code);
        c
    }
    /// An origin and a line in [`Clause::about`].
    fn place(origin: u32, line: u32) -> u64 {
        u64::from(line.min(MOST_LINE)) << LINE_SHIFT | u64::from(origin)
    }
    fn domain(&self) -> &'static Domain {
        self.predicate.domain
    }
    fn about(&self) -> u64 {
        self.about.load(Ordering::Relaxed)
    }
    /// File that the clause belongs to; [`atoms::NIL`] if to none, or if it waits to be freed.
    pub fn file(&self) -> Atom {
        match self.about() {
            about if about & RETIRED != 0 => atoms::NIL,
            about => self.domain().texts.of(self.origin(about)).0,
        }
    }
    /// The text that its line is one of: the file, or one that it includes.
    pub fn text(&self) -> Atom {
        match self.about() {
            about if about & RETIRED != 0 => atoms::NIL,
            about => self.domain().texts.of(self.origin(about)).1,
        }
    }
    /// Where it was read, of a clause that has not been retired, of which `about` says what it is.
    #[inline]
    fn origin(&self, about: u64) -> u32 {
        match about & NAMED {
            0 => about as u32,
            _ => self.origin_of_named(),
        }
    }
    #[cold]
    #[inline(never)]
    fn origin_of_named(&self) -> u32 {
        let names = self.domain().names.read();
        // What it says now holds as long as the table's lock is held; its name may have been taken off.
        let about = self.about();
        let kept = match about & (NAMED | RETIRED) {
            NAMED => names.origin(about as u32),
            0 => Some(about as u32),
            _ => None,
        };
        kept.unwrap_or(atoms::NIL.index())
    }
    /// Says so of a new clause.
    pub fn set_file(&mut self, file: Atom, text: Atom) {
        let origin = self.domain().texts.origin(file, text);
        let place = Clause::place(origin, self.line());
        let about = self.about.get_mut();
        debug_assert!(*about & NAMED == 0, "it gets a name later");
        *about = *about & WHAT | place;
    }
    /// Line of the source file where the clause starts; 0 if unknown, or if the clause waits to be freed.
    pub fn line(&self) -> u32 {
        match self.about() {
            about if about & RETIRED != 0 => 0,
            about if self.may_say_head_start(about) => {
                ((about & !(WHAT | HEAD_START)) >> LINE_SHIFT) as u32
            }
            about => ((about & !WHAT) >> LINE_SHIFT) as u32,
        }
    }
    /// Whether [`HEAD_START`] is no part of a line.
    fn may_say_head_start(&self, about: u64) -> bool {
        about & EARLY != 0 && self.origin(about) == atoms::NIL.index()
    }
    /// Whether it was made for a static predicate, whose entry code jumps to its clauses.
    pub fn is_linked(&self) -> bool {
        self.about() & LINKED != 0
    }
    /// Says so of a new clause.
    pub fn set_linked(&mut self) {
        *self.about.get_mut() |= LINKED;
    }
    /// Whether it has a body.
    pub fn is_rule(&self) -> bool {
        self.about() & RULE != 0
    }
    /// Says so of a new clause.
    pub fn set_rule(&mut self) {
        *self.about.get_mut() |= RULE;
    }
    /// Whether it is a rule of single-sided unification.
    pub fn is_one_sided(&self) -> bool {
        self.about() & ONE_SIDED != 0
    }
    /// Says so of a new clause.
    pub fn set_one_sided(&mut self) {
        *self.about.get_mut() |= ONE_SIDED;
    }
    /// Whether nothing comes back into its body once a goal of it has been left; see [`crate::compile::Body`].
    pub fn is_straight(&self) -> bool {
        self.about() & STRAIGHT != 0
    }
    /// Says so of a new clause.
    pub fn set_straight(&mut self) {
        *self.about.get_mut() |= STRAIGHT;
    }
    /// Whether it is of no file, and has come after that generation.
    pub(crate) fn is_asserted_since(&self, g: u64) -> bool {
        self.file() == atoms::NIL && self.born_at() > g
    }
    /// Whether a load that ends may take it away: it is everybody's.
    pub fn is_left_to_loads(&self) -> bool {
        !self.is_unread() && !self.is_unborn()
    }
    /// Whether nobody but the thread that loads its file sees it yet; see [`crate::db::twins`].
    pub(crate) fn is_unread(&self) -> bool {
        self.about() & UNREAD != 0
    }
    /// Under the predicate's lock.
    pub(crate) fn set_unread(&self, unread: bool) {
        if unread {
            self.about.fetch_or(UNREAD, Ordering::Relaxed);
        } else {
            self.about.fetch_and(!UNREAD, Ordering::Relaxed);
        }
    }
    /// Whether it has a name; see [`Clause::name`].
    #[inline]
    fn is_named(&self) -> bool {
        self.about() & NAMED != 0
    }
    /// Exchanges its origin for the place of its name, or this for that. Under the table's lock.
    fn set_named(&self, named: bool, lowest: u32) {
        let what = if named { NAMED } else { 0 };
        let new = |about: u64| about & !(NAMED | u64::from(u32::MAX)) | what | u64::from(lowest);
        // Relaxed: who reads the lowest bits of a named clause holds the lock.
        let _ = (self.about).fetch_update(Ordering::Relaxed, Ordering::Relaxed, |a| Some(new(a)));
    }
    /// Gives a clause its code that was made without; a second one is dropped (two threads compiled at once).
    pub fn set_code(&self, block: CodeBlock) {
        debug_assert!(self.is_compiled_late());
        samite_term::common::charge_unasked(self.code.set(block));
    }
    /// Whether it gets its code when it is called: those of dynamic predicates do.
    fn is_compiled_late(&self) -> bool {
        self.record.is_some() && !self.is_linked()
    }
    /// Whether nobody has asked this before. What is called once, as many clauses are, is not worth code: see `Worker::enter_clause`. (Of two threads that
    /// ask at once both may hear that they are the first, and so may one after the clause has been retired; nothing but time depends on it.)
    pub fn is_first_call(&self) -> bool {
        self.about() & CALLED == 0 && self.about.fetch_or(CALLED, Ordering::Relaxed) & CALLED == 0
    }
    /// Entry of the code; null if the clause has not been compiled yet.
    #[inline]
    pub fn code(&self) -> *const u64 {
        self.code.entry()
    }
    /// Whether a call of generation `g` sees the clause.
    #[inline]
    pub fn visible(&self, g: u64) -> bool {
        if g >= PRIVATE {
            return self.visible_within(g);
        }
        self.birth.load(Ordering::Acquire) <= g
            && g < self.death.load(Ordering::Acquire) >> WORKER_BITS
    }
    /// The same of a call in a transaction.
    #[cold]
    fn visible_within(&self, g: u64) -> bool {
        Sight::of(g).is_some_and(|sight| self.is_seen(sight, g))
    }
    /// Whether a call of that reader's that starts now sees the clause.
    pub fn is_visible_to(&self, reader: &ReaderSlot) -> bool {
        let sight = reader.sight();
        match sight.filter(|_| self.predicate.is_transactional()) {
            Some(sight) => self.is_seen(sight, sight.now()),
            None => self.visible(self.domain().generation()),
        }
    }
    /// Whether a reference leads to it for this reader: not if it has been erased, or is another transaction's. In a transaction, to what that sees, and to what it tells of
    /// ([`Sight::tells_of`]).
    pub fn is_known_to(&self, reader: &ReaderSlot) -> bool {
        let sight = reader.sight();
        match sight.filter(|_| self.predicate.is_transactional()) {
            None => !self.is_erased() && !self.is_unborn(),
            Some(sight) => {
                self.is_seen(sight, sight.now()) || sight.tells_of(self.born_at(), self.died_at())
            }
        }
    }
    /// Says that a transaction has added or erased it.
    pub(crate) fn be_transacted(&self) {
        self.about.fetch_or(TRANSACTED, Ordering::Relaxed);
    }
    /// Whether only the transaction that has made it sees it, or has seen it while it lived.
    pub(crate) fn is_unborn(&self) -> bool {
        (PRIVATE..NEVER).contains(&self.born_at())
    }
    /// A transaction adds it: it will be in the lists before it is everybody's.
    pub(crate) fn be_early(&self) {
        let about = self.about.fetch_or(EARLY, Ordering::Relaxed) | EARLY;
        if self.may_say_head_start(about) {
            self.about.fetch_and(!HEAD_START, Ordering::Relaxed);
        }
    }
    /// Nothing has come behind it in the lists before it was everybody's: older walks end before it ([`crate::db::view::end_of`]).
    pub(crate) fn be_on_time(&self) {
        self.about.fetch_and(!EARLY, Ordering::Relaxed);
    }
    /// It was in the lists before it was everybody's, with others behind it, but not before generation `since`. Under the predicate's lock, when it has been born.
    pub(crate) fn has_come_after(&self, since: u64) {
        let about = self.about();
        if self.may_say_head_start(about) && about & RETIRED == 0 {
            let generations = self.born_at().saturating_sub(since).max(2);
            let logarithm = u64::from((generations - 1).ilog2() + 1);
            debug_assert!(about & HEAD_START == 0);
            (self.about).fetch_or(logarithm << HEAD_START_SHIFT, Ordering::Relaxed);
        }
    }
    /// The generation by which it was not in the lists, if it was there before it was born.
    fn not_before(&self, about: u64) -> u64 {
        match (about & HEAD_START) >> HEAD_START_SHIFT {
            0 => 0,
            _ if about & RETIRED == 0 && !self.may_say_head_start(about) => 0,
            logarithm => self.born_at().saturating_sub(1 << logarithm),
        }
    }
    /// It dies unborn: nobody but its transaction has ever seen it, which has added it after generation `since`. No snapshot holds it, as it is dead to all generations, and
    /// walks that are as old as `since` do not pass it.
    pub(crate) fn be_nobodys(&self, since: u64, by: u16) {
        debug_assert!(self.is_unborn() && !self.is_erased() && since < PRIVATE);
        self.birth.store(UNBORN + since, Ordering::Release);
        self.die(0, by);
    }
    /// A transaction's clause is everybody's, from generation `g` on. As [`Clause::be_born`].
    pub(crate) fn be_everybodys(&self, g: u64) {
        debug_assert!(self.is_unborn());
        self.birth.store(g, Ordering::Release);
    }
    /// The generation that does not see it any more.
    pub(crate) fn died_at(&self) -> Option<u64> {
        let death = self.death.load(Ordering::Relaxed);
        (death != NEVER).then_some(death >> WORKER_BITS)
    }
    /// Whether a transaction has added or erased it.
    pub(crate) fn is_transacted(&self) -> bool {
        self.about() & TRANSACTED != 0
    }
    /// Whether continuations and choicepoints may refer to the code.
    pub fn is_resumable(&self) -> bool {
        self.code.is_resumable()
    }
    /// Addresses of the code; empty if it has none.
    pub fn code_range(&self) -> std::ops::Range<usize> {
        self.code.range()
    }
    /// Whether it has become visible.
    pub(crate) fn is_born(&self) -> bool {
        self.born_at() != NEVER
    }
    /// The generation that it is visible from, [`NEVER`] before.
    pub(crate) fn born_at(&self) -> u64 {
        self.birth.load(Ordering::Relaxed)
    }
    /// Generation `g` sees it, and those after it; once, under the predicate's lock. Release: pairs with the acquires in `visible` and `is_born_by`.
    pub(crate) fn be_born(&self, g: u64) {
        debug_assert!(!self.is_born());
        self.birth.store(g, Ordering::Release);
    }
    pub fn is_erased(&self) -> bool {
        self.death.load(Ordering::Acquire) != NEVER
    }
    /// Generation `g` does not see it any more; once, under the predicate's lock. Release: pairs with the acquires in `visible`,
    /// `is_erased` and `erased_by`.
    pub(crate) fn die(&self, g: u64, by: u16) {
        let death = g << WORKER_BITS | u64::from(by);
        self.death.store(death, Ordering::Release);
    }
    /// Whether this worker erased it.
    pub fn erased_by(&self, worker: u16) -> bool {
        let death = self.death.load(Ordering::Acquire);
        death != NEVER && death as u16 == worker && worker != 0
    }
    /// Bytes held by the clause. Changes once, when it gets its code.
    pub fn bytes(&self) -> usize {
        self.bytes_without_code() + self.code.bytes()
    }
    fn bytes_without_code(&self) -> usize {
        let record = self.record.as_ref().map_or(0, |r| r.len() * 8);
        size_of::<Clause>() + record
    }
}

impl Clause {
    /// What its head has at a place. Of clauses without a record, which are those of Samite's own libraries, that is known of the first argument alone: their
    /// code does not say where the head ends, and `clause/2` looks for heads.
    pub(crate) fn part_at(&self, place: Place) -> Part {
        match &self.record {
            _ if place == Place::argument(0) => Part::of_key(self.key),
            Some(record) => place.of_record(record),
            None => Part::Any,
        }
    }
    /// Whether a call may match it, by all but the key of the first argument, which has been looked at.
    #[inline]
    pub(crate) fn may_match(&self, call: &Call) -> bool {
        // (Mostly there is nothing to look at.)
        (0..call.arity.min(FILTERED)).all(|i| match call.key_of_argument(i) {
            ANY_KEY => true,
            key if i == 0 && !Cell(key).is_kind(Kind::Functor) => true,
            key => self.may_match_at(i, key, call),
        })
    }
    /// The same by an argument, whose key this is.
    #[inline(never)]
    fn may_match_at(&self, i: usize, key: u64, call: &Call) -> bool {
        let place = Place::argument(i);
        (i == 0 || self.may_have(place, key))
            && self.may_match_inside(&place, key, call, &mut { MOST_DEEP })
    }
    fn may_have(&self, place: Place, key: u64) -> bool {
        match self.part_at(place) {
            Part::Any => true,
            part => part == Part::Is(key),
        }
    }
    /// The same by what the call has inside of a structure; so many places are looked at that are deeper than an argument's.
    fn may_match_inside(&self, around: &Place, key: u64, call: &Call, deep: &mut usize) -> bool {
        if key == ANY_KEY || !Cell(key).is_kind(Kind::Functor) {
            return true;
        }
        let arity = Functor::from_cell(Cell(key)).arity();
        for i in 0..arity.min(PARTS) {
            let Some(part) = around.inside(key, i, deep) else {
                return true;
            };
            let there = call.key_at(&part);
            let may = there == ANY_KEY || self.may_have(part, there);
            if !may || !self.may_match_inside(&part, there, call, deep) {
                return false;
            }
        }
        true
    }
}

impl Entry for Clause {
    fn is_seen(&self, sight: &Sight, g: u64) -> bool {
        let death = self.death.load(Ordering::Acquire);
        let death = (death != NEVER).then_some(death >> WORKER_BITS);
        let marked = self
            .is_transacted()
            .then(|| std::ptr::from_ref(self).addr());
        sight.sees(g, self.birth.load(Ordering::Acquire), death, marked)
    }
    #[inline]
    fn key(&self) -> u64 {
        self.key
    }
    #[inline]
    fn is_dead_to(&self, g: u64) -> bool {
        self.death.load(Ordering::Acquire) >> WORKER_BITS <= g
    }
    #[inline]
    fn is_born_by(&self, g: u64) -> bool {
        self.birth.load(Ordering::Acquire) <= g
    }
}

impl HoldsAtoms for Clause {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        // (File and text are held where origins are: `crate::db::origins`.)
        if let Some(a) = Cell(self.key).atom_in() {
            f(a);
        }
        self.record.each_atom(f);
        self.code.each_atom(f);
    }
}

impl Node for Clause {
    fn lead_to(&self, next: *mut Clause) {
        let address = next.expose_provenance() as u64;
        debug_assert!(address & (WHAT | HEAD_START) == 0);
        let about = self.about();
        debug_assert!(about & NAMED == 0, "its name has been taken off");
        let kept = match about & RETIRED != 0 || self.may_say_head_start(about) {
            true => WHAT | HEAD_START,
            false => WHAT,
        };
        self.about
            .store(about & kept | RETIRED | address, Ordering::Relaxed);
    }
    fn next(&self) -> *mut Clause {
        debug_assert!(self.is_retired());
        std::ptr::with_exposed_provenance_mut((self.about() & !(WHAT | HEAD_START)) as usize)
    }
    fn is_retired(&self) -> bool {
        self.about() & RETIRED != 0
    }
    fn is_erased(&self) -> bool {
        Clause::is_erased(self)
    }
}

impl Retire for Clause {
    fn bytes(&self) -> usize {
        Clause::bytes(self)
    }
    fn born(&self) -> Option<u64> {
        let (birth, about) = (self.born_at(), self.about());
        Some(match birth >= UNBORN && birth != NEVER {
            true => birth - UNBORN,
            false if about & EARLY != 0 => self.not_before(about),
            false => birth,
        })
    }
    fn fate(&self) -> Fate {
        if self.is_linked() && self.predicate.is_copied() {
            // Other predicates' entry code jumps to it too.
            Fate::Stay
        } else if self.is_linked() || self.predicate.has(flag::TABLED) || self.is_resumable() {
            // Calls of static and tabled predicates need no generation: their entry code jumps to the clauses.
            Fate::Frames
        } else {
            Fate::Free
        }
    }
    fn code(&self) -> std::ops::Range<usize> {
        self.code_range()
    }
}

// As large as a block of the allocator: there may be millions.
const _: () = assert!(size_of::<Clause>() == 64);

impl Drop for Clause {
    fn drop(&mut self) {
        let code = self.code.bytes();
        if code > 0 && self.is_compiled_late() {
            samite_term::common::release(self.bytes_without_code());
            samite_term::common::release_unasked(code);
        } else {
            samite_term::common::release(self.bytes_without_code() + code);
        }
        #[cfg(loom)]
        crate::loom_models::FREED.set(crate::loom_models::FREED.get() + 1);
    }
}

impl Clause {
    /// The name of a clause ([`crate::db::names`]). One that was erased gets a name that leads nowhere. `None`: there is no room for it, as `ask` says. The caller has
    /// entered.
    pub fn name(&'static self, ask: impl Fn(usize) -> bool) -> Option<Handle> {
        let names = &self.domain().names;
        if self.is_named() {
            let names = names.read();
            let about = self.about();
            if about & NAMED != 0 {
                return Some(names.name(about as u32));
            }
        }
        let _w = self.predicate.lock();
        if self.is_dead_to(self.domain().oldest()) {
            return Some(names.write().new_name());
        }
        self.give_name(ask)
    }
    /// Names a clause, if it has no name: the caller holds the lock of the predicate, or the clause is nobody else's yet.
    fn give_name(&'static self, ask: impl Fn(usize) -> bool) -> Option<Handle> {
        let mut names = self.domain().names.write();
        let about = self.about();
        if about & NAMED != 0 {
            return Some(names.name(about as u32));
        }
        let place = names.give(self, about as u32, ask)?;
        self.set_named(true, place);
        Some(names.name(place))
    }
    /// Names a clause that is about to be added to its predicate. `None`: there is no room for that.
    pub fn name_new(&self, ask: impl Fn(usize) -> bool) -> Option<Handle> {
        // SAFETY: clauses are at home in boxes and their names are taken off before they are freed; the caller adds this one.
        unsafe { &*std::ptr::from_ref(self) }.give_name(ask)
    }
    /// The same if no snapshot sees the clause: else it is taken off when the clause leaves the lists.
    #[inline]
    pub(crate) fn let_name_go(&self) {
        if self.is_named() && self.is_dead_to(self.domain().oldest()) {
            self.take_name_off();
        }
    }
    /// Takes the name off a clause that was erased. Caller holds the lock of the predicate.
    #[inline]
    pub(crate) fn forget_name(&self) {
        if self.is_named() {
            self.take_name_off();
        }
    }
    #[cold]
    #[inline(never)]
    fn take_name_off(&self) {
        let mut names = self.domain().names.write();
        let about = self.about();
        debug_assert!(about & RETIRED == 0);
        if about & NAMED != 0
            && let Some(origin) = names.forget(about as u32, self)
        {
            self.set_named(false, origin);
        }
    }
}
