//! Collections of a machine's heap: when, and from which roots.

use crate::engine::atoms;
use crate::engine::going::Go;
use crate::engine::services::services;
use crate::engine::worker::{At, Worker};
use crate::error::Throw;
use crate::state::choice::Choice;
use crate::state::internal::{Internal, code};
use crate::state::leaving::OnItsWay;
use crate::state::thread::{CalledAgain, Thread};
use samite_code::database::sweep_for_memory;
use samite_code::{Predicate, flag};
use samite_heap::collect::of_few_sizes;
use samite_heap::verify::{self, Extent};
use samite_heap::{Collection, Compaction, Generation, TrailMap, address_space};
use samite_term::{Cell, HandleKind, common};

/// Bytes of what threads have in common that are worth calling a builtin again.
const LITTLE: usize = 64 << 10;

/// Bytes of fresh atoms that are worth a collection of these where memory is missing: it takes some itself.
const MANY_ATOMS: usize = 512 << 10;

/// A builtin that is refused memory is called again so often at most: others may take what was freed before it does.
const CALLS_AGAIN: u64 = CalledAgain::MOST;
/// Before the second time it waits for twice as long, then for more.
const MOMENT: std::time::Duration = std::time::Duration::from_micros(500);

/// Where there is no memory for a copy of the whole heap, a collection is done if no more words than these are alive.
const FEW_WORDS: usize = 1 << 19;

/// Whether the arguments of a choicepoint are read in the state at hand, not only after backtracking to it.
fn is_read_at_hand(b: Choice) -> bool {
    b.alternative() == code(Internal::Cleanup) || b.alternative() == code(Internal::SetupFailed)
}

/// What the roots are given to, each once, and in this order.
trait Visit {
    /// # Safety
    /// As [`Collection::root`].
    unsafe fn root(&mut self, cell: &mut Cell);
    fn choicepoint(&mut self, height: usize);
}

impl Visit for Collection<'_> {
    unsafe fn root(&mut self, cell: &mut Cell) {
        // SAFETY: promised by the caller.
        unsafe { Collection::root(self, cell) }
    }
    fn choicepoint(&mut self, height: usize) {
        Collection::choicepoint(self, height);
    }
}

impl Visit for Compaction<'_> {
    unsafe fn root(&mut self, cell: &mut Cell) {
        // SAFETY: promised by the caller.
        unsafe { Compaction::root(self, cell) }
    }
    fn choicepoint(&mut self, height: usize) {
        Compaction::choicepoint(self, height);
    }
}

/// After a collection in place.
struct Update<'m>(&'m TrailMap);

impl Visit for Update<'_> {
    unsafe fn root(&mut self, cell: &mut Cell) {
        // SAFETY: promised by the caller.
        unsafe { self.0.update(cell) }
    }
    fn choicepoint(&mut self, _: usize) {}
}

/// The roots of a worker at a safe point; of a minor collection, if not `major`.
struct Roots<'w> {
    registers: &'w mut [Cell],
    k: &'w mut At,
    woken: &'w mut Cell,
    thread: &'w mut Thread,
    b: Choice,
    major: bool,
}

impl Roots<'_> {
    /// # Safety
    /// At a safe point whose live arguments `registers` are.
    unsafe fn give(&mut self, c: &mut impl Visit) {
        let (major, thread) = (self.major, &mut *self.thread);
        let mut k = Cell::frame_ptr(*self.k);
        // SAFETY: at a safe point the argument registers, K and what the thread's groups keep are terms and frames of this heap; the groups own
        // theirs, so none comes twice.
        unsafe {
            c.root(self.woken);
            for cell in &mut *self.registers {
                c.root(cell);
            }
            c.root(&mut k);
            for cell in thread.globals.values_mut() {
                c.root(cell);
            }
            thread.leaving.on_their_way.for_each_mut(|exception| {
                if let Some(ball) = exception.brought_mut() {
                    c.root(ball);
                }
            });
            thread.tabling.roots(major, &mut |cell| c.root(cell));
        }
        *self.k = k.frame();
        // A cleanup handler is read in the state at hand, when its goal exits, is cut or throws: what it refers to is not seen by
        // backtracking alone, as the arguments of other choicepoints are.
        let mut b = self.b;
        while !b.is_null() && (major || !b.is_scanned()) {
            if is_read_at_hand(b) {
                for i in 0..b.size() {
                    // SAFETY: a choicepoint's arguments are cells of the stack, which hold terms; those below are left out then.
                    unsafe { c.root(&mut *b.arg(i)) };
                }
            }
            b = b.previous();
        }
        let mut b = self.b;
        while !b.is_null() && (major || !b.is_scanned()) {
            c.choicepoint(b.trail());
            // SAFETY: a choicepoint's frame and arguments are cells of the stack, which hold terms and the frame.
            unsafe {
                c.root(&mut *b.frame_cell());
                // Each cell once.
                if !is_read_at_hand(b) {
                    for i in 0..b.size() {
                        c.root(&mut *b.arg(i));
                    }
                }
            }
            b = b.previous();
        }
    }
}

impl Worker {
    /// Collects at a safe point whose live arguments are `X0..Xn`. Fails when the thread's memory limit is exceeded.
    pub(in crate::engine) fn collect_garbage(&mut self, n: usize) -> Result<(), Throw> {
        let r = self.collect_as_needed(n);
        address_space::settle();
        // Also after an error: the nursery may be another one.
        self.arm();
        self.thread.control.set_size(self.memory());
        r
    }

    fn collect_as_needed(&mut self, n: usize) -> Result<(), Throw> {
        let stress = self.heap.stress() > 0;
        if stress {
            self.verify_cleanups();
            self.collecting.stress.collections += 1;
        }
        let mut generation = Generation::Minor;
        let is_overdrawn = self.heap.is_overdrawn();
        if self.heap.wants_major()
            || is_overdrawn
            || (stress && self.collecting.stress.collections >= self.collecting.stress.major_at)
        {
            generation = Generation::Major;
        }
        if stress && generation == Generation::Major {
            // The minor one first, for the whole heap to be seen when the nursery is empty: what was not remembered shows.
            self.verify_heap(n, Extent::Whole);
            self.collect_generation(n, Generation::Minor)?;
            self.verify_heap(n, Extent::Whole);
        }
        self.collect_generation(n, generation)?;
        if is_overdrawn || self.memory() > self.thread.memory_limit + self.heap.grace() {
            if generation == Generation::Minor {
                self.collect_generation(n, Generation::Major)?;
            }
            if !self.has_gained() {
                return Err(Throw::Memory);
            }
        }
        if stress && generation == Generation::Major {
            self.verify_heap(n, Extent::Whole);
            // Rarer the more there is to look at, so that the time spent per safe point does not grow with the heap.
            let words = self.heap.old_words() + self.choices.bytes(self.b) / 8;
            self.collecting.stress.collections = 0;
            self.collecting.stress.major_at = (words / 16).clamp(50, u32::MAX as usize) as u32;
        }
        Ok(())
    }

    /// One collection.
    pub(in crate::engine) fn collect_generation(
        &mut self,
        n: usize,
        generation: Generation,
    ) -> Result<(), Throw> {
        let major = generation == Generation::Major;
        let stress = self.heap.stress() > 0;
        if stress {
            self.verify_heap(n, Extent::Young);
        }
        if self.heap.adopt_nursery(generation) {
            // SAFETY: nothing was allocated since.
            unsafe { self.thread.tabling.moved(false, &TrailMap::nothing_moved()) };
            self.after_collection(false, &TrailMap::nothing_moved());
            return Ok(());
        }
        if major && self.heap.is_to_be_compacted() {
            return self.compact(n);
        }
        if major && !self.heap.can_copy_all() {
            // Most may be garbage: then little is needed. What stays where it is needs less than a copy.
            match self.few_alive(n) {
                Some(words) => self.heap.expect_alive(words),
                None => return self.compact(n),
            }
        }
        let (mark, top) = (self.heap.old_mark(), self.heap.h());
        let variables = self.heap.young_variables();
        let newest = self.b.newest_segment_scanned(self.heap.trail().top());
        let mut woken = *self.heap.woken_root();
        // SAFETY: what follows gives it every root, and finishes it.
        let mut c = unsafe { self.heap.collect_begin(generation, newest)? };
        let mut roots = Roots {
            registers: &mut self.x[..n],
            k: &mut self.k,
            woken: &mut woken,
            thread: &mut self.thread,
            b: self.b,
            major,
        };
        // SAFETY: at a safe point.
        unsafe { roots.give(&mut c) };
        let map = c.finish();
        *self.heap.woken_root() = woken;
        // SAFETY: the collection has just finished.
        unsafe { self.thread.tabling.moved(major, &map) };
        self.after_collection(major, &map);
        drop(map);
        if major {
            self.part_with_handles(n);
        }
        self.heap.adapt_nursery();
        self.set_b(self.b);
        if stress {
            // SAFETY: the collection has emptied it.
            unsafe { self.heap.poison(top, variables) };
            if !major {
                // SAFETY: the mark was taken when the collection began.
                unsafe { verify::verify_survivors(&self.heap, mark) };
            }
        }
        Ok(())
    }

    /// How many words are alive, if they are few, and if there is the memory to find out.
    fn few_alive(&mut self, n: usize) -> Option<usize> {
        if self.choices.bytes(self.b) / 8 > FEW_WORDS {
            return None;
        }
        // One thread at a time: what counting takes is taken from what is left to everybody.
        static COUNTING: parking_lot::Mutex<()> = parking_lot::const_mutex(());
        let _counting = COUNTING.lock();
        let roots = self.all_roots(n, true)?;
        // SAFETY: the roots of this machine at a safe point.
        unsafe { verify::live_words(&self.heap, roots, FEW_WORDS) }
    }

    /// A major collection in place.
    fn compact(&mut self, n: usize) -> Result<(), Throw> {
        self.collect_generation(n, Generation::Minor)?;
        let mut woken = *self.heap.woken_root();
        // SAFETY: what follows gives it every root, finishes it, and updates every root.
        let mut c = unsafe { self.heap.compact_begin()? };
        let mut roots = Roots {
            registers: &mut self.x[..n],
            k: &mut self.k,
            woken: &mut woken,
            thread: &mut self.thread,
            b: self.b,
            major: true,
        };
        // SAFETY: at a safe point.
        unsafe { roots.give(&mut c) };
        let map = c.finish();
        if map.is_of_roots() {
            // SAFETY: the same roots.
            unsafe { roots.give(&mut Update(&map)) };
        }
        *self.heap.woken_root() = woken;
        // SAFETY: the collection has just finished.
        unsafe { self.thread.tabling.moved(true, &map) };
        self.after_collection(true, &map);
        drop(map);
        self.part_with_handles(n);
        self.heap.adapt_nursery();
        self.set_b(self.b);
        Ok(())
    }

    /// After a major collection: parts with the handles that are not on this thread's heap any more, so that what nobody can name goes.
    fn part_with_handles(&mut self, n: usize) {
        if self.heap.has_met() {
            let mut met = self.heap.take_met();
            self.each_root(n, true, &mut |c| met.see(c));
            self.heap.part(met);
        }
        self.part_with_unnamed();
    }

    /// What nobody can name any more goes.
    fn part_with_unnamed(&mut self) {
        (services().end_unnamed)(&self.program);
        self.part_with_others();
    }

    /// Sockets that nobody can name any more are closed, unless streams have them; memory files are freed, and tries, and then those that only they have named.
    pub(crate) fn part_with_others(&self) {
        loop {
            let unnamed = self.program.registry.take_unnamed_others();
            if unnamed.is_empty() {
                break;
            }
            for handle in unnamed {
                match handle.kind() {
                    HandleKind::Socket => self.program.sockets.remove(handle.number()),
                    HandleKind::MemoryFile => {
                        self.program.memory_files.remove(handle.number());
                    }
                    _ => {
                        self.program.tries.remove(handle.number());
                    }
                }
            }
            self.program.registry.bury();
        }
    }

    /// Choicepoints after a collection: nothing in the nursery is theirs.
    fn after_collection(&mut self, major: bool, map: &TrailMap) {
        let mut b = self.b;
        while !b.is_null() && (major || !b.is_scanned()) {
            b.set_scanned();
            b.set_top(std::ptr::null_mut());
            b.set_trail(map.height(b.trail()));
            b = b.previous();
        }
        if major {
            self.choices.shrink(self.b);
        }
        self.set_b(self.b);
        let nursery = self.heap.end() as usize - self.heap.start() as usize;
        self.drop_unused_generations(nursery / 8);
        self.answer_reclaimers();
    }

    /// The cells that a collection starts from, at a safe point whose live arguments are `X0..Xn`. `None` if there is no memory for so many.
    fn all_roots(&mut self, n: usize, whole: bool) -> Option<Vec<Cell>> {
        let mut roots: Vec<Cell> = Vec::new();
        let mut many = n + 2;
        let mut b: Choice = self.b;
        while !b.is_null() && (whole || !b.is_scanned()) {
            many += 1 + b.size();
            b = b.previous();
        }
        many += self.thread.globals.len() + self.thread.leaving.on_their_way.len();
        many += self.thread.tabling.count_of_roots(whole);
        roots.try_reserve_exact(of_few_sizes(many)).ok()?;
        self.each_root(n, whole, &mut |c| roots.push(c));
        Some(roots)
    }

    /// The same one by one.
    fn each_root(&mut self, n: usize, whole: bool, f: &mut dyn FnMut(Cell)) {
        (0..n).for_each(|i| f(self.register(i)));
        f(Cell::frame_ptr(self.k));
        f(*self.heap.woken_root());
        self.thread.globals.values().for_each(|&c| f(c));
        let waiting = self.thread.leaving.on_their_way.iter();
        waiting.filter_map(OnItsWay::brought).for_each(&mut *f);
        self.thread.tabling.each_root(whole, f);
        let mut b: Choice = self.b;
        let mut scanned = false;
        while !b.is_null() && (whole || !b.is_scanned()) {
            assert!(
                !scanned || b.is_scanned(),
                "an old choicepoint is not marked as scanned"
            );
            scanned = b.is_scanned();
            f(Cell::frame_ptr(b.frame()));
            (0..b.size()).for_each(|i| f(b.arg_value(i)));
            b = b.previous();
        }
    }

    /// Checks the heap from this machine's roots, before or after a collection (debug and torture runs).
    pub(in crate::engine) fn verify_heap(&mut self, n: usize, extent: Extent) {
        self.verify_redirections();
        if let Some(roots) = self.all_roots(n, extent == Extent::Whole) {
            // SAFETY: the roots of this machine at a safe point.
            unsafe { verify::verify(&self.heap, roots, extent) };
        }
    }

    // --- memory that garbage holds ---

    /// Whether a major collection for lack of memory has found so much garbage that it was worth its time. If not, the next one would
    /// follow soon, and so on for ever.
    pub(in crate::engine) fn has_gained(&self) -> bool {
        self.memory() <= self.heap.most_after_collection()
    }

    /// The builtin `p`, called with its arguments in the registers, was refused memory. If it does nothing but make a term it is called once
    /// again, after a major collection; if it adds a term to what threads have in common, after what was taken from there is free. So is a tabled
    /// predicate, a call of which has changed nothing when it is blamed.
    pub(in crate::engine) fn call_again(&mut self, p: &'static Predicate) -> Result<Go, Throw> {
        let given_up =
            !crate::engine::given_up::take_refusal() && crate::engine::given_up::has_given_up();
        let times = self.thread.called_again.times_of(self.inferences);
        if given_up || times > 0 && !(times < CALLS_AGAIN && self.has_been_freed(times)) {
            return Err(Throw::Memory);
        }
        self.collecting.atoms_freed = atoms::statistics().gained();
        let lowers_limit = p.has(flag::LOWERS_LIMIT);
        if p.has(flag::TABLED) {
            let before = self.bytes_with_tables();
            let collected = self.collect_generation(p.arity(), Generation::Major);
            self.arm();
            collected?;
            if !self.has_gained_for_tables(before) {
                return Err(Throw::Memory);
            }
        } else if lowers_limit || p.has(flag::MAKES_TERMS) {
            let collected = self.collect_generation(p.arity(), Generation::Major);
            self.reclaim_common();
            self.arm();
            collected?;
            if !lowers_limit && !self.has_gained() {
                return Err(Throw::Memory);
            }
        } else if !p.has(flag::REFUSES_FIRST) || !self.reclaims(p.arity()) {
            return Err(Throw::Memory);
        }
        self.thread.called_again = CalledAgain::new(self.inferences, times + 1);
        // It was counted when it was called first.
        self.inferences -= 1;
        Ok(Go::Enter(p))
    }

    /// Whether the builtin that runs was refused memory and is called again.
    pub(crate) fn is_called_again(&self) -> bool {
        self.thread.called_again.times_of(self.inferences) > 0
    }

    /// The builtin that runs was refused memory, after it was called again so often: others have taken what was freed, or are in the midst of what they keep
    /// the rest for, as a transaction. After a moment, whether something has been freed since.
    fn has_been_freed(&mut self, times: u64) -> bool {
        let before = common::held();
        self.while_blocked(|| samite_world::threads::sleep(MOMENT * (1 << times.min(4))));
        self.reclaim_common();
        before.saturating_sub(common::held()) >= LITTLE
            || atoms::statistics().gained() != self.collecting.atoms_freed
    }

    /// At a safe point whose live arguments are `X0..Xn`: frees the retired clauses, queues and mutexes that only this thread kept, and whether that
    /// was worth it.
    fn reclaims(&mut self, n: usize) -> bool {
        let before = common::held();
        if self.heap.has_met() {
            // (If there is no memory for that they stay.)
            let _ = self.collect_generation(n, Generation::Major);
            self.arm();
        }
        self.reclaim_common();
        before.saturating_sub(common::held()) >= LITTLE.max(before / 16)
    }

    /// At a safe point: frees the retired clauses, and the atoms that nobody has.
    fn reclaim_common(&mut self) {
        let before = common::held();
        self.free_clauses(false);
        // (Atoms that only those had may be old.)
        let freed = before.saturating_sub(common::held()) >= LITTLE;
        self.collect_fresh_atoms(if freed { 0 } else { MANY_ATOMS });
    }

    /// At a safe point: frees the erased clauses that nobody else keeps, all of them or where they are some share of a predicate's, and what they were the last to name.
    /// Who sleeps is answered for.
    pub(crate) fn free_clauses(&mut self, all: bool) {
        let code = &self.program.code;
        code.each_predicate(|p| sweep_for_memory(p, all));
        // What nobody walks is asked for first, then what nobody comes back to.
        for _ in 0..2 {
            self.publish_pins();
            self.program.code.domain.hurry();
            self.answer_for_engines();
            self.answer_reclaimers();
            self.program.code.domain.free_unreachable();
        }
        self.part_with_unnamed();
    }

    /// Makes room for `bytes` on the heap and beside it, where nothing is live but K and the choicepoints. Refused as well if the next who wants some would have to
    /// collect again.
    pub(in crate::engine) fn make_room_here(&mut self, bytes: usize) -> Result<(), Throw> {
        let fits = |m: &Worker| {
            let most = m.thread.memory_limit + m.heap.grace();
            m.memory().saturating_add(bytes) <= most && !address_space::is_short()
        };
        if fits(self) || (self.collect_here(Generation::Major) && fits(self) && self.has_gained()) {
            Ok(())
        } else {
            Err(Throw::Memory)
        }
    }
}
