//! The state of one Prolog thread's machine, and how a host runs queries on it.
//!
//! A machine belongs to the OS thread that runs it. What threads share is in [`Shared`]. The dispatch loop is in
//! [`crate::run`]; this file only holds the data, its invariants and small accessors.
//!
//! Invariants at a safe point (predicate entry, return): the live terms are the arguments `X0..Xn`, the continuation `K`, the
//! choicepoint stack, the trail, and the roots kept here (`globals`, `tabling`, `roots`). `E` and other registers are dead.

use crate::builtins::edinburgh::Files;
use crate::builtins::formats::{NamedLocale, default_locale};
use crate::builtins::libraries::LibraryText;
use crate::builtins::limits;
use crate::builtins::recalled::Recalled;
use crate::builtins::statistics::process_seconds;
use crate::choice::{Choice, ChoiceStack, HEADER, Saved};
use crate::control::exceptions::OnItsWay;
use crate::control::redirection::Redirection;
use crate::control::safe_points::Masks;
use crate::error::Throw;
use crate::internal::{Internal, code};
use crate::mapped::Mapped;
use crate::ops::Between;
use crate::results::Results;
use crate::run::Go;
use crate::standard_streams::StandardStreams;
use parking_lot::{Mutex, RwLock};
use rustc_hash::FxHashMap;
use samite_arith::env::Clock;
use samite_code::reclaim::{self, Call, ReaderSlot};
use samite_code::{Predicate, Program};
use samite_heap::space::Region;
use samite_heap::{Heap, HeapConfig, Trail, address_space, copy, unify};
use samite_sched::interrupt::{Attention, Events};
use samite_sched::registry::{Registry, ThreadControl};
use samite_stream::{Recent, StreamId, StreamTable};
use samite_term::common::Held;
use samite_term::growth::{self, MUCH};
use samite_term::packed::Packed;
use samite_term::{Atom, Cell, Functor, Kind, Record, TermRef, atoms, common};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize};

/// What all threads of a program share.
pub struct Shared {
    pub program: Program,
    pub streams: StreamTable,
    pub registry: Registry,
    /// The recorded database.
    pub records: crate::builtins::records::Records,
    pub flag_keys: crate::builtins::flag_keys::FlagKeys,
    /// Command-line words.
    pub argv: Mutex<Vec<String>>,
    /// Errors and warnings that have been printed.
    pub printed: [AtomicU64; 2],
    /// Loads and unloadings of files that have changed what is defined.
    pub redefinitions: AtomicU64,
    /// When the program started.
    pub started: std::time::Instant,
    pub heap_config: Mutex<HeapConfig>,
    /// Copies of thread-local predicates whose threads have ended, by the predicate's address, for the next threads: predicates live
    /// as long as the process.
    pub spare_locals: Mutex<FxHashMap<usize, Vec<&'static Predicate>>>,
    /// Empty shadows of predicates, by the predicate's address and whether they are twins, for the next load; see [`crate::shadows`].
    pub spare_shadows: Mutex<FxHashMap<(usize, bool), Vec<&'static Predicate>>>,
    /// Line editing for queries, if the host has it.
    pub line_reader: Mutex<Option<Box<dyn crate::builtins::console::LineReader>>>,
    /// The libraries that come with it, and what they export; see [`crate::builtins::libraries`].
    pub libraries: &'static [LibraryText],
    pub library_exports: &'static str,
    pub recalled: RwLock<Recalled>,
    /// Code of programs is listed as it is compiled (`SAMITE_LISTING`).
    pub lists_code: std::sync::atomic::AtomicBool,
    /// The flag `print_write_options` was never set.
    pub prints_plainly: std::sync::atomic::AtomicBool,
}

/// One Prolog thread's machine; see the module text.
pub struct Machine {
    pub heap: Heap,
    registers: Region,
    /// `X0..`
    pub x: *mut Cell,
    /// Continuation: a frame; null at the bottom.
    pub k: *mut Cell,
    /// Arguments of the structure that is being read by the instructions of a head.
    pub(crate) s: *mut Cell,
    /// Where the loop goes on when the handlers have returned.
    pub(crate) went: Result<Go, Throw>,
    /// The builtin that `went` is an error of.
    pub(crate) blamed: Option<&'static Predicate>,
    /// The next instruction, in builds where handlers return after each.
    pub(crate) between: Option<Between>,
    /// The word that safe points compare `H` with: `attention`'s.
    pub(crate) limit: *const AtomicUsize,
    /// Newest choicepoint.
    pub b: Choice,
    /// Cut barrier of the running predicate.
    pub b0: Choice,
    pub choices: ChoiceStack,
    pub shared: Arc<Shared>,
    pub thread: Arc<ThreadControl>,
    pub attention: Arc<Attention>,
    pub(crate) reader: Arc<ReaderSlot>,
    pub(crate) pins: crate::pins::Pins,
    pub(crate) findall: Vec<Results>,
    pub(crate) next_results: u64,
    /// Results of goals that are suspended, by number.
    pub(crate) bags: FxHashMap<u64, Results>,
    /// Global variables: cells in the old generation that hold the value.
    pub globals: FxHashMap<Atom, Cell>,
    /// Number of cleanup choicepoints on the stack; a cut looks for them only if there are any.
    pub(crate) cleanups: usize,
    /// Exceptions for which cleanup handlers run, the innermost last.
    pub(crate) on_their_way: Vec<OnItsWay>,
    /// Which events are put off.
    pub(crate) masks: Masks,
    pub(crate) always_masked: Events,
    /// A signal to be sent at a later safe point.
    pub(crate) signal_at: Option<(u64, Held)>,
    pub(crate) tabling: crate::tabling::Tabling,
    /// This thread's clauses of thread-local predicates.
    pub(crate) locals: FxHashMap<usize, &'static Predicate>,
    pub(crate) standard_streams: StandardStreams,
    pub current_input: StreamId,
    pub current_output: StreamId,
    pub(crate) seen: Files,
    pub(crate) told: Files,
    pub(crate) recent_streams: Recent,
    /// Whether the builtin that runs is past where it may be given up: [`crate::blocked`].
    pub(crate) for_good: bool,
    /// Per-thread flags (`double_quotes` and others that a file may change).
    pub flags: FxHashMap<Atom, Record>,
    pub arith: samite_arith::Env,
    /// How `format/2` punctuates numbers where it is asked to.
    pub(crate) locale: NamedLocale,
    /// Safe points until the next collection under `SAMITE_GC_STRESS`.
    pub(crate) stress_countdown: u32,
    /// Collections under `SAMITE_GC_STRESS` since the last major one, and how many there are to be.
    pub(crate) stress_collections: u32,
    pub(crate) stress_major_at: u32,
    pub inferences: u64,
    /// The number of inferences that this thread may reach.
    pub(crate) inference_limit: u64,
    /// Module that unqualified goals are looked up in.
    pub typein: Atom,
    /// Module that clauses of files are added to.
    pub source_module: Atom,
    /// Loads in progress, the innermost last.
    pub(crate) loads: Vec<crate::builtins::reloading::Load>,
    /// Files that others load, to wait for when this thread has loaded all: without them what it uses is not whole.
    pub(crate) unfinished_loads: Vec<Atom>,
    /// Imports of files that it is making again.
    pub(crate) renewals: Vec<crate::builtins::imports::Renewal>,
    /// Whether a library is being loaded.
    pub(crate) loading_system: bool,
    /// The libraries whose terms are being read, the innermost last.
    pub(crate) library_texts: Vec<Packed<'static>>,
    /// Whether a message is being printed.
    pub(crate) reporting: bool,
    /// Predicates of that library, which others may call when it is loaded.
    pub(crate) unpublished: Vec<&'static Predicate>,
    /// Terms of clauses of the library whose text is being read again, by the clause's address; see [`crate::builtins::recalled`].
    pub(crate) recalling: FxHashMap<usize, Record>,
    /// Last values of `statistics/2` keys that report differences.
    pub(crate) last_times: [i64; 4],
    /// A collection was asked for.
    pub(crate) collection_wanted: bool,
    /// The call, by its number, that [`Machine::call_again`] was asked for last.
    pub(crate) called_again: u64,
    /// Bytes that all threads had in common when a library began to load.
    pub(crate) held_before_loading: usize,
    /// The trail is worth a minor collection.
    pub(crate) merge_wanted: bool,
    /// Where output went before, for each goal whose output is redirected, the innermost last; and how many there have been.
    pub(crate) redirected: Vec<Redirection>,
    pub(crate) redirections: u64,
    /// Bytes of heap, trail and choicepoints at which an error is raised rather than more memory taken.
    pub(crate) memory_limit: usize,
}

/// How a run ended.
#[derive(Debug)]
pub enum Outcome {
    /// A solution; more may follow if the flag is set.
    True(bool),
    False,
    Exception(Record),
    Halt(i32),
}

/// A position in a machine's registers where a builtin's arguments start.
#[derive(Clone, Copy, Debug)]
pub struct Args(pub usize);

impl Machine {
    /// A machine for the calling OS thread; `None` if memory for it cannot be had.
    pub fn new(shared: Arc<Shared>, thread: Arc<ThreadControl>) -> Option<Machine> {
        let limit = shared.heap_config.lock().limit;
        Machine::with_limit(shared, thread, limit)
    }
    /// As [`Machine::new`], for a thread with a memory limit of its own.
    pub fn with_limit(
        shared: Arc<Shared>,
        thread: Arc<ThreadControl>,
        limit: usize,
    ) -> Option<Machine> {
        let config = *shared.heap_config.lock();
        let mapped = Mapped::new(config, limit)?;
        Some(Machine::begin(mapped, shared, thread))
    }
    /// A machine for the calling OS thread on memory that is there.
    pub(crate) fn begin(
        mapped: Mapped,
        shared: Arc<Shared>,
        thread: Arc<ThreadControl>,
    ) -> Machine {
        let Mapped {
            heap,
            registers,
            choices,
            ..
        } = mapped;
        common::ask_system(has_system_room, address_space::make_room);
        crate::blocked::init();
        crate::long::enter(&shared, &thread, heap.limit());
        let (limit, stress) = (heap.limit(), heap.stress());
        let x = registers.start();
        let attention = thread.attention().clone();
        let mut m = Machine {
            heap,
            registers,
            x,
            k: std::ptr::null_mut(),
            s: std::ptr::null_mut(),
            went: Ok(Go::Fail),
            blamed: None,
            between: None,
            limit: attention.limit_address().cast(),
            b: Choice(std::ptr::null_mut()),
            b0: Choice(std::ptr::null_mut()),
            choices,
            attention: attention.clone(),
            reader: reclaim::register(waker(attention.clone())),
            pins: crate::pins::Pins::default(),
            findall: Vec::new(),
            next_results: 0,
            bags: FxHashMap::default(),
            globals: FxHashMap::default(),
            cleanups: 0,
            on_their_way: Vec::new(),
            masks: Masks::default(),
            always_masked: Events::NONE,
            signal_at: None,
            tabling: crate::tabling::Tabling::default(),
            locals: FxHashMap::default(),
            standard_streams: StandardStreams::default(),
            current_input: StreamId::STDIN,
            recent_streams: Recent::default(),
            current_output: StreamId::STDOUT,
            for_good: false,
            seen: Files::default(),
            told: Files::default(),
            flags: FxHashMap::default(),
            arith: samite_arith::Env {
                cputime: Clock::Function(process_seconds),
                ..samite_arith::Env::default()
            },
            locale: default_locale(),
            stress_countdown: stress,
            stress_collections: 0,
            stress_major_at: 0,
            inferences: 0,
            inference_limit: limits::NONE,
            typein: atoms::USER,
            source_module: atoms::USER,
            loads: Vec::new(),
            unfinished_loads: Vec::new(),
            renewals: Vec::new(),
            loading_system: false,
            library_texts: Vec::new(),
            reporting: false,
            unpublished: Vec::new(),
            recalling: FxHashMap::default(),
            last_times: [0; 4],
            collection_wanted: false,
            called_again: 0,
            held_before_loading: 0,
            merge_wanted: false,
            redirected: Vec::new(),
            redirections: 0,
            memory_limit: limit,
            shared,
            thread,
        };
        // SAFETY: the machine keeps `attention` as long as the heap.
        unsafe { m.heap.set_alarm(m.limit) };
        m.arm();
        m
    }

    pub fn program(&self) -> &Program {
        &self.shared.program
    }

    /// Asks for a collection at the next safe point.
    pub(crate) fn request_collection(&mut self) {
        self.collection_wanted = true;
        self.arm();
    }
    /// Sets the word that safe points compare `H` with.
    pub(crate) fn arm(&mut self) {
        let limit = if self.heap.stress() > 0
            || self.signal_at.is_some()
            || self.collection_wanted
            || self.merge_wanted
            || self.inference_limit != limits::NONE
        {
            0
        } else {
            self.heap.soft_end() as usize
        };
        self.attention.set_limit(limit);
    }

    // --- terms ---

    /// Argument `i` of a builtin, dereferenced.
    #[inline]
    pub fn arg(&self, a: Args, i: usize) -> Cell {
        // SAFETY: registers below `REGISTERS` are mapped; arguments are terms of this heap.
        unsafe { samite_term::view::deref(*self.x.add(a.0 + i)) }
    }
    /// Register `i`.
    #[inline]
    pub fn register(&self, i: usize) -> Cell {
        // SAFETY: registers below `REGISTERS` are mapped.
        unsafe { *self.x.add(i) }
    }
    #[inline]
    pub fn set_register(&mut self, i: usize, c: Cell) {
        // SAFETY: registers below `REGISTERS` are mapped.
        unsafe { *self.x.add(i) = c }
    }
    #[inline]
    pub fn deref(&self, c: Cell) -> Cell {
        // SAFETY: cells handled by the machine are terms of its heap.
        unsafe { samite_term::view::deref(c) }
    }
    /// A view of a term. It must not be kept across anything that changes the heap other than by adding to it.
    #[inline]
    pub fn term<'a>(&self, c: Cell) -> TermRef<'a> {
        // SAFETY: the callers are builtins, which run between safe points: nothing is collected or backtracked while they
        // run, and objects do not move; see the caller's duty above.
        unsafe { TermRef::new(c) }
    }
    /// Argument `i` of a builtin as a view.
    #[inline]
    pub fn view<'a>(&self, a: Args, i: usize) -> TermRef<'a> {
        self.term(self.arg(a, i))
    }
    /// Unifies two terms.
    #[inline]
    pub fn unify(&mut self, a: Cell, b: Cell) -> bool {
        // SAFETY: terms of this heap.
        unsafe { unify::unify(&mut self.heap, a, b) }
    }
    /// Unifies argument `i` of a builtin with a term.
    #[inline]
    pub fn unify_arg(&mut self, a: Args, i: usize, t: Cell) -> bool {
        let x = self.arg(a, i);
        self.unify(x, t)
    }
    /// Unifies argument `i` with an atom.
    pub fn unify_atom(&mut self, a: Args, i: usize, atom: Atom) -> bool {
        self.unify_arg(a, i, Cell::atom(atom))
    }
    /// Unifies argument `i` with an integer.
    pub fn unify_int(&mut self, a: Args, i: usize, v: i64) -> Result<bool, Throw> {
        let c = self.heap.number(&samite_term::Number::Int(v))?;
        Ok(self.unify_arg(a, i, c))
    }
    /// Overwrites an argument cell, undone on backtracking.
    ///
    /// # Safety
    /// As [`Heap::assign`].
    pub(crate) unsafe fn assign(&mut self, address: *mut Cell, value: Cell) {
        let segment = if self.b.is_null() { 0 } else { self.b.trail() };
        // SAFETY: promised by the caller.
        unsafe { self.heap.assign(address, value, segment) };
        if !self.merge_wanted && self.heap.wants_merge() {
            self.merge_wanted = true;
            self.arm();
        }
    }
    /// A copy of a term outside of the heap, however large it is.
    pub fn record(&mut self, t: Cell) -> Result<Record, Throw> {
        // SAFETY: a term of this heap.
        unsafe { copy::record(&mut self.heap, t) }.ok_or(Throw::Memory)
    }
    /// A copy of a term outside of the heap that is this thread's, and as large as its memory lets it be.
    pub(crate) fn record_whole(&mut self, t: Cell) -> Result<Record, Throw> {
        // SAFETY: a term of this heap.
        let record = unsafe { copy::record_within(&mut self.heap, t, Heap::has_room) };
        self.check_given_up()?;
        record.ok_or(Throw::Memory)
    }
    /// The same for what all threads have in common, where `beside` bytes are made with it.
    pub(crate) fn record_shared(&mut self, t: Cell, beside: usize) -> Result<Record, Throw> {
        let beyond = self.beyond_limit();
        let room = |_: &Heap, bytes: usize| has_common_room(bytes + beside, beyond);
        // SAFETY: a term of this heap.
        let record = unsafe { copy::record_within(&mut self.heap, t, room) };
        self.check_given_up()?;
        let record = record.ok_or(Throw::Memory)?;
        self.room(record.len() * 8 + beside)?;
        Ok(record)
    }
    /// `resource_error(memory)` if the heap must not grow by so many bytes.
    pub(crate) fn heap_room(&self, bytes: usize) -> Result<(), Throw> {
        if self.heap.has_room(bytes) {
            Ok(())
        } else {
            Err(Throw::Memory)
        }
    }
    /// An empty vector with room for so much beside the heap, where the heap could take as many bytes as well.
    pub(crate) fn vec_beside<T>(&self, n: usize) -> Result<Vec<T>, Throw> {
        let bytes = n * size_of::<T>();
        self.heap_room(bytes)?;
        let mut v = Vec::new();
        match growth::asking(bytes, has_system_room, || v.try_reserve_exact(n).is_ok()) {
            true => Ok(v),
            false => Err(Throw::Memory),
        }
    }
    /// `resource_error(memory)` if what all threads have in common must not grow by so many bytes.
    pub(crate) fn room(&self, bytes: usize) -> Result<(), Throw> {
        if has_common_room(bytes, self.beyond_limit()) {
            Ok(())
        } else {
            Err(Throw::Memory)
        }
    }
    /// Whether a table may grow by so many bytes for one more entry. A report is not to be refused because it is for its entry that the table doubles.
    pub(crate) fn has_room_to_enter(&self, growth: usize) -> bool {
        const ENTRY: usize = 256;
        self.room(growth).is_ok() || self.reporting && self.room(ENTRY).is_ok()
    }
    /// The same for the little that a program needs to go on where the common part is full: to call what it has not called yet, or to open a
    /// file. It may use a part of the reserve: files more than calls, so that calls without end leave them something.
    pub(crate) fn room_to_go_on(&self, bytes: usize, part: usize) -> Result<(), Throw> {
        if self.room(bytes).is_ok() || common::may_take(bytes, part) {
            Ok(())
        } else {
            Err(Throw::Memory)
        }
    }
    /// By how much this thread may exceed the limit of what threads have in common. A message about memory that is missing needs
    /// some; a library is not counted when it is loaded.
    pub(crate) fn beyond_limit(&self) -> usize {
        if self.loading_system {
            usize::MAX
        } else if self.reporting {
            common::RESERVE
        } else {
            0
        }
    }
    /// The atom of a text that a program made.
    pub(crate) fn atom_of_text(&self, text: &str) -> Result<Atom, Throw> {
        Atom::new_if(text, |bytes| self.room(bytes).is_ok()).ok_or(Throw::Memory)
    }
    pub fn structure(&mut self, name: &str, args: &[Cell]) -> Result<Cell, Throw> {
        let f = Functor::new(Atom::new(name), args.len());
        if args.is_empty() {
            return Ok(Cell::atom(f.name()));
        }
        Ok(self.heap.structure(f, args)?)
    }

    // --- choicepoints and frames ---

    /// Pushes a choicepoint with the given arguments for the current state.
    pub(crate) fn push_choice(
        &mut self,
        alternative: *const u64,
        args: &[Cell],
    ) -> Result<Choice, Throw> {
        let saved = Saved {
            alternative,
            top: self.heap.h,
            trail: self.heap.trail.top(),
            frame: self.k,
            barrier: self.b0,
        };
        let c = match self.choices.push(self.b, args.len(), saved) {
            Some(c) => c,
            None => self.push_grown(args.len(), saved)?,
        };
        for (i, &a) in args.iter().enumerate() {
            // SAFETY: the choicepoint has room for its arguments.
            unsafe { *c.arg(i) = a };
        }
        self.b = c;
        self.heap.hb = self.heap.h;
        Ok(c)
    }
    /// Pushes a choicepoint with room for `n` arguments where the stack is full.
    #[cold]
    pub(crate) fn push_grown(&mut self, n: usize, saved: Saved) -> Result<Choice, Throw> {
        self.push_grown_at(self.choices.bytes(self.b), n, saved)
    }
    /// As [`Machine::push_grown`], at an offset not below the top of the stack.
    #[cold]
    pub(crate) fn push_grown_at(
        &mut self,
        offset: usize,
        n: usize,
        mut saved: Saved,
    ) -> Result<Choice, Throw> {
        let barrier = self.choices.offset(saved.barrier);
        self.grow_choices(offset + (HEADER + n) * 8)?;
        saved.barrier = self.choices.at(barrier);
        let at = self.choices.base().wrapping_byte_add(offset);
        self.choices
            .push_at(at, self.b, n, saved)
            .ok_or(Throw::Memory)
    }
    /// Makes room for a choicepoint with `n` arguments.
    #[cold]
    pub(crate) fn make_room(&mut self, n: usize) -> Result<(), Throw> {
        self.grow_choices(self.choices.bytes(self.b) + (HEADER + n) * 8)
    }
    /// Grows the choicepoint stack to `needed` bytes. All addresses of choicepoints are here: in `b`, `b0`, tabling and the choicepoints
    /// themselves.
    fn grow_choices(&mut self, needed: usize) -> Result<(), Throw> {
        let old = self.choices.base() as usize;
        if !self.choices.grow(needed, self.memory_limit) {
            return Err(Throw::Memory);
        }
        let base = self.choices.base();
        if base as usize == old {
            return Ok(());
        }
        let moved = |c: Choice| {
            if c.is_null() {
                c
            } else {
                Choice(base.wrapping_byte_add(c.0 as usize - old))
            }
        };
        self.b = moved(self.b);
        self.b0 = moved(self.b0);
        self.tabling.relocate(&moved);
        let mut b = self.b;
        while !b.is_null() {
            b.relocate(&moved);
            b = b.previous();
        }
        Ok(())
    }
    /// Drops the newest choicepoint, keeping bindings.
    pub(crate) fn pop_choice(&mut self) {
        self.set_b(self.b.previous());
    }
    /// Makes `b` the newest choicepoint.
    #[inline]
    pub(crate) fn set_b(&mut self, b: Choice) {
        self.b = b;
        self.heap.hb = if b.is_null() {
            self.heap.floor
        } else {
            b.top().max(self.heap.floor)
        };
    }
    /// A frame whose parent is the continuation `parent`. A few words: only the system can refuse them.
    pub(crate) fn make_frame(
        &mut self,
        resume: *const u64,
        parent: *mut Cell,
        slots: &[Cell],
    ) -> Result<*mut Cell, Throw> {
        let words = 2 + slots.len();
        let f = match self.heap.allocate_young(words) {
            Some(f) => f,
            None => self.heap.on_credit(|h| h.allocate(words))?,
        };
        // SAFETY: that many cells were just allocated.
        unsafe { write_frame(f, resume, parent, slots) };
        Ok(f)
    }
    /// The same of what was reserved on the heap.
    pub(crate) fn make_reserved_frame(
        &mut self,
        resume: *const u64,
        parent: *mut Cell,
        slots: &[Cell],
    ) -> *mut Cell {
        let f = self.heap.allocate_reserved(2 + slots.len());
        // SAFETY: that many cells were just allocated.
        unsafe { write_frame(f, resume, parent, slots) };
        f
    }
    /// Makes the continuation a frame on top of the present one.
    pub(crate) fn push_frame(&mut self, resume: Internal, slots: &[Cell]) -> Result<(), Throw> {
        self.k = self.make_frame(code(resume), self.k, slots)?;
        Ok(())
    }
    /// Bytes of the thread's memory: heap, trail, choicepoints, results being collected.
    pub fn memory(&self) -> usize {
        let results = self.findall.last().map_or(0, Results::bytes);
        self.heap.bytes() + self.choices.bytes(self.b) + results
    }
    pub fn trail(&self) -> &Trail {
        &self.heap.trail
    }
    pub fn set_memory_limit(&mut self, bytes: usize) {
        self.memory_limit = bytes;
        self.heap.set_limit(bytes);
        samite_term::heavy::set_limit(bytes);
    }
    pub fn memory_limit(&self) -> usize {
        self.memory_limit
    }
    /// Before the thread blocks: gives memory that holds nothing back to the system.
    pub fn trim(&mut self) {
        self.heap.trim();
        self.choices.trim(self.b);
        // The first page holds the arguments of the builtin that is about to wait.
        self.registers.discard_from(self.x.wrapping_add(512));
    }

    // --- queries of the host ---

    /// Starts a query; run it with [`Machine::next_solution`]. The machine must not be running one.
    pub fn start(&mut self, goal: &Record) -> Result<(), Throw> {
        self.reset();
        self.b = Choice(std::ptr::null_mut());
        self.push_choice(code(Internal::NoMore), &[])?;
        self.b0 = self.b;
        let goal = self.heap.instantiate(goal)?;
        // The goal stays reachable through the frame for the host to read its bindings.
        self.push_frame(Internal::Solution, &[goal])?;
        self.set_register(0, goal);
        Ok(())
    }
    /// Runs the first solution of a term that was read (the reader's `'$read'(Goal, …)`).
    pub fn run_read(&mut self, read: &Record) -> Outcome {
        self.reset();
        let goal = match self.heap.instantiate(read) {
            // SAFETY: the reader's root is a structure whose first argument is the term.
            Ok(t) => unsafe { *t.ptr().add(1) },
            Err(_) => return Outcome::Exception(memory_error()),
        };
        match self.record(goal) {
            Ok(goal) => self.run_once(&goal),
            Err(_) => Outcome::Exception(memory_error()),
        }
    }
    /// Forgets the running query.
    pub fn reset(&mut self) {
        // SAFETY: undoing everything down to the empty trail restores the state before the query.
        unsafe { self.heap.trail.undo(0) };
        self.b = Choice(std::ptr::null_mut());
        self.b0 = self.b;
        self.k = std::ptr::null_mut();
        self.findall.clear();
        self.bags.clear();
        self.on_their_way.clear();
        self.end_redirections();
        self.set_masks(Masks::default());
        self.cleanups = 0;
        self.inference_limit = limits::NONE;
        self.tabling_reset();
        self.heap.floor = self.heap.start();
        self.heap.h = self.heap.start();
        self.heap.hb = self.heap.start();
    }
    /// Runs a goal once; bindings are lost. The outcome of the first solution.
    pub fn run_once(&mut self, goal: &Record) -> Outcome {
        if self.start(goal).is_err() {
            return Outcome::Exception(memory_error());
        }
        let r = self.first_solution();
        self.reset();
        r
    }
}

/// Gets a thread to a safe point.
fn waker(attention: Arc<Attention>) -> reclaim::Waker {
    Box::new(move |call| {
        attention.raise(match call {
            Call::Publish => Events::TICK,
            Call::Look => Events::COLLECT,
        });
    })
}

impl Drop for Machine {
    fn drop(&mut self) {
        // First: the thread holds on to nothing any more.
        self.forget_pins();
        for (&id, p) in &self.locals {
            samite_code::database::wipe(p);
            self.shared
                .spare_locals
                .lock()
                .entry(id)
                .or_default()
                .push(p);
        }
        reclaim::unregister(&self.reader);
        crate::long::leave();
    }
}

/// The header of a frame.
#[inline(always)]
pub fn frame_header(resume: *const u64, slots: usize) -> Cell {
    let bits = samite_term::cell::header(Kind::Frame);
    Cell(((slots as u64) << 52) | ((resume as u64 >> 3) << 8) | bits)
}

/// Writes a frame.
///
/// # Safety
/// There is room for it at `f`.
unsafe fn write_frame(f: *mut Cell, resume: *const u64, parent: *mut Cell, slots: &[Cell]) {
    // SAFETY: promised by the caller.
    unsafe {
        *f = frame_header(resume, slots.len());
        *f.add(1) = Cell::frame_ptr(parent);
        for (i, &s) in slots.iter().enumerate() {
            *f.add(2 + i) = s;
        }
    }
}

/// The number of slots in a frame header.
#[inline(always)]
pub fn slots_of(header: Cell) -> usize {
    (header.0 >> 52) as usize
}

/// The resume address of a frame header.
#[inline(always)]
pub fn resume_of(header: Cell) -> *const u64 {
    ((header.0 << 12 >> 20) << 3) as *const u64
}

/// `error(resource_error(memory), _)`.
pub fn memory_error() -> Record {
    let mut b = samite_term::RecordBuilder::new();
    let m = b.structure(
        Functor::new(atoms::RESOURCE_ERROR, 1),
        &[Cell::atom(atoms::MEMORY)],
    );
    let v = b.variable();
    let e = b.structure(Functor::new(atoms::ERROR, 2), &[m, v]);
    b.finish(e)
}

const _: () = assert!(HEADER == 7);

/// The text of a term in `words`, which stay as they are meanwhile.
pub fn show(
    root: Cell,
    _words: &[u64],
    ops: &samite_syntax::ops::Operators,
    options: &samite_syntax::write::WriteOptions,
    out: &mut String,
) {
    // SAFETY: the term lies in `_words`, which is borrowed for the call.
    let t = unsafe { TermRef::new(root) };
    samite_syntax::write::write_term(out, t, ops, options);
}

/// Whether what all threads have in common may grow by so many bytes: the limit (and `beyond` it) lets it, and so does the system.
pub(crate) fn has_common_room(bytes: usize, beyond: usize) -> bool {
    match beyond {
        0 => common::may_take(bytes, 0),
        _ => common::has_room(bytes, beyond) && (bytes < MUCH || address_space::has_room(bytes)),
    }
}

/// Whether the system has so many bytes more for what can be refused.
pub(crate) fn has_system_room(bytes: usize) -> bool {
    !address_space::is_short() && (bytes < MUCH || address_space::has_room(bytes))
}

/// Whether the system has the memory for the entry code of a static predicate with many clauses.
pub(crate) fn has_room_to_link(p: &'static Predicate) -> bool {
    const MANY: usize = 1 << 12;
    /// Of the index while it is built: a table of lists that grows, then a table of addresses.
    const BYTES_FOR_A_CLAUSE: usize = 200;
    let clauses = p.clauses().len();
    let bytes = clauses * BYTES_FOR_A_CLAUSE;
    clauses < MANY || address_space::has_room(bytes)
}
