//! Tabling: variant SLG evaluation with local scheduling, by suspension (YAP's and XSB's tables, paper "An Efficient and Scalable Memory
//! Allocator for Multithreaded Tabled Evaluation of Logic Programs" for the table space; architecture section 5).
//!
//! A call of a tabled predicate is looked up in the subgoal trie.
//! - New: it becomes a *generator*. Its clauses run on a copy of the arguments with variables of their own, so that the evaluation depends on
//!   nothing of its caller, under a choicepoint `Complete`; each solution goes to the answer trie, and fails (frame `Answer`).
//! - Incomplete: it becomes a *consumer*: the continuation, the answer template and the bindings trailed since the
//!   innermost generator (or resumption) are kept, `H` is captured, and the call fails.
//! - Complete: answers are read from the trie, one after the other.
//!
//! When the clauses of a generator are exhausted it is either the leader of its SCC, and then feeds answers to the consumers of the SCC
//! until there is nothing new, completes all its subgoals and returns its answers; or its own caller becomes a consumer of it.
//! SCCs are approximated as in XSB: a dependency on an incomplete subgoal merges everything above that one on the stack of incomplete subgoals.
//!
//! A continuation is resumed under a choicepoint `Resume`, placed above every choicepoint address that the continuation may hold
//! (cut barriers, catch choicepoints): whatever it holds is then below that *barrier*, and cuts stop there.
//!
//! Differs from SWI-Prolog: none of delimited continuations is visible. Negation and `findall/3` over an incomplete variant of itself
//! see the answers found so far.
//!
//! Invariants: `stack` holds the incomplete subgoals in order of creation, a frame's tag is its index there; `sccs` holds the indexes of the
//! SCC leaders, ascending; consumers are kept in order of creation, and those of an SCC are the last ones.

use crate::choice::{Choice, Saved};
use crate::error::Throw;
use crate::internal::{Internal, code};
use crate::machine::Machine;
use crate::run::Go;
use rustc_hash::FxHashMap;
use samite_code::modes::Mode;
use samite_code::predicate::Predicate;
use samite_heap::collect::TrailMap;
use samite_heap::{OutOfMemory, copy};
use samite_table::{AnswerPtr, FramePtr, State, TableSpace};
use samite_term::cycle;
use samite_term::view::deref;
use samite_term::{Cell, Functor, Kind, Tag, atoms};

/// A subgoal under evaluation.
#[derive(Debug)]
struct Subgoal {
    frame: FramePtr,
    /// Its generator choicepoint, as an offset.
    choice: Cell,
    /// Number of consumers when it was created.
    consumers: usize,
}

/// A suspended call.
#[derive(Debug)]
struct Consumer {
    frame: FramePtr,
    /// Continuation, a frame pointer.
    k: Cell,
    template: Cell,
    /// Trailed variables and what they were bound to.
    bindings: Vec<(Cell, Cell)>,
    /// Cells overwritten by destructive assignment and their contents, after the bindings. The address does not keep the cell alive.
    assigned: Vec<(*mut Cell, Cell)>,
    /// Address above every choicepoint that the continuation may refer to.
    above: usize,
    /// The last answer it was given.
    last: Option<AnswerPtr>,
    /// Of a moded subgoal: the events that it has seen.
    position: usize,
}

/// Tabling state of one machine.
#[derive(Default)]
pub struct Tabling {
    /// Made at the first tabled call.
    pub space: Option<Box<TableSpace>>,
    stack: Vec<Subgoal>,
    sccs: Vec<usize>,
    consumers: Vec<Consumer>,
    /// Consumers below this index were seen by the last collection.
    scanned: usize,
    /// Consumer being fed.
    current: usize,
    /// The innermost `Resume` choicepoint; null if none.
    pub(crate) barrier: Choice,
    tokens: Vec<u64>,
    /// Tables to abolish when the evaluation is over.
    abolish_later: bool,
}

/// Token of a list cell.
const LIST: u64 = Cell::header(Kind::Forward, 0).0;

pub(crate) fn variable_token(n: usize) -> u64 {
    Cell::header(Kind::Copied, n as u64).0
}

pub(crate) fn raw(v: u64) -> Cell {
    Cell::header(Kind::Raw, v)
}

impl Tabling {
    /// The cells that a collection must see: those of consumers made since the last one, or (major) all.
    pub(crate) fn roots(&mut self, major: bool, root: &mut dyn FnMut(&mut Cell)) {
        let first = if major { 0 } else { self.scanned };
        for c in &mut self.consumers[first..] {
            root(&mut c.k);
            root(&mut c.template);
            for (v, t) in &mut c.bindings {
                root(v);
                root(t);
            }
            for (_, content) in &mut c.assigned {
                root(content);
            }
        }
    }
    /// After a collection: cells that moved. What nobody refers to any more need not be assigned again.
    ///
    /// # Safety
    /// As [`TrailMap::place`]; `major` as in [`Tabling::roots`].
    pub(crate) unsafe fn moved(&mut self, major: bool, map: &TrailMap) {
        let first = if major { 0 } else { self.scanned };
        for c in &mut self.consumers[first..] {
            c.assigned.retain_mut(|(place, _)| {
                // SAFETY: promised by the caller.
                let new = unsafe { map.place(*place) };
                *place = new.unwrap_or(*place);
                new.is_some()
            });
        }
        self.scanned = self.consumers.len();
    }
    /// The continuations that wait.
    pub(crate) fn roots_of_continuations(&self, f: &mut dyn FnMut(Cell)) {
        for c in &self.consumers {
            f(c.k);
        }
    }
    /// The choicepoint stack was moved.
    pub(crate) fn relocate(&mut self, moved: &impl Fn(Choice) -> Choice) {
        self.barrier = moved(self.barrier);
        for c in &mut self.consumers {
            c.above = moved(Choice(c.above as *mut Cell)).0 as usize;
        }
    }
    /// The same cells, for the heap verifier.
    pub(crate) fn verified_roots(&self, whole: bool, out: &mut Vec<Cell>) {
        let first = if whole { 0 } else { self.scanned };
        for c in &self.consumers[first..] {
            out.extend([c.k, c.template]);
            out.extend(c.bindings.iter().flat_map(|&(v, t)| [v, t]));
            out.extend(c.assigned.iter().map(|&(_, content)| content));
        }
    }
}

/// Encodes a term as tokens, given to `step` one after the other. Variables are numbered in `variables`. False if there are more
/// than `limit` tokens: shared or cyclic subterms can make a small term a path without end.
///
/// # Safety
/// `term` is a term of a live heap.
#[inline]
pub(crate) unsafe fn encode(
    term: Cell,
    variables: &mut Vec<Cell>,
    work: &mut Vec<Cell>,
    limit: usize,
    step: &mut impl FnMut(u64),
) -> bool {
    work.push(term);
    let mut left = limit;
    while let Some(t) = work.pop() {
        if left == 0 {
            return false;
        }
        left -= 1;
        // SAFETY: promised by the caller; pointers of terms are valid.
        unsafe {
            let c = deref(t);
            match c.tag() {
                Tag::Int | Tag::Con => step(c.0),
                Tag::Ref => {
                    let n = match variables.iter().position(|&v| v == c) {
                        Some(n) => n,
                        None => {
                            variables.push(c);
                            variables.len() - 1
                        }
                    };
                    step(variable_token(n));
                }
                Tag::Lst => {
                    step(LIST);
                    work.push(*c.ptr().add(1));
                    work.push(*c.ptr());
                }
                Tag::Str => {
                    let f = Functor::from_cell(*c.ptr());
                    step(f.bits());
                    for i in (1..=f.arity()).rev() {
                        work.push(*c.ptr().add(i));
                    }
                }
                Tag::Box => {
                    for i in 0..=(*c.ptr()).box_words() {
                        step((*c.ptr().add(i)).0);
                    }
                }
                Tag::Att | Tag::Hdr => unreachable!("not a term"),
            }
        }
    }
    true
}

/// Bytes of memory that there must be for each token of a call or an answer.
pub(crate) const BYTES_PER_TOKEN: usize = 128;

impl Machine {
    fn space(&mut self) -> &mut TableSpace {
        self.tabling
            .space
            .get_or_insert_with(|| Box::new(TableSpace::new()))
    }

    /// A call of a tabled predicate.
    pub(crate) fn enter_tabled(&mut self, p: &'static Predicate) -> Result<Go, Throw> {
        let n = p.arity();
        let mut variables = Vec::new();
        let mut work = Vec::new();
        let args: Vec<Cell> = (0..n).map(|i| self.register(i)).collect();
        let modes = p.modes();
        let values = self.moded_arguments(&modes, &args)?;
        if !args.iter().all(|&a| self.is_finite(a)) {
            let goal = self.heap.structure(p.functor, &args)?;
            let colon = Functor::new(atoms::COLON, 2);
            let goal = self.heap.structure(colon, &[Cell::atom(p.module), goal])?;
            return Err(self.type_error("acyclic_term", goal));
        }
        let limit = self.memory_limit() / BYTES_PER_TOKEN;
        let space = self.space();
        let mut node = space.subgoal_root(std::ptr::from_ref(p) as usize);
        for (i, &a) in args.iter().enumerate() {
            if modes.get(i).is_some_and(|&m| m != Mode::Index) {
                continue;
            }
            // SAFETY: arguments are terms of this heap.
            let all = unsafe {
                encode(a, &mut variables, &mut work, limit, &mut |t| {
                    node = space.subgoal_step(node, t);
                })
            };
            if !all {
                return Err(Throw::Memory);
            }
        }
        let (frame, _) = space.subgoal_leaf(node);
        let key_variables = variables.len();
        variables.extend(values);
        match frame.state() {
            State::Complete => {
                let template = self.template(&variables)?;
                self.return_answers(frame, template)
            }
            State::Incomplete => {
                let template = self.template(&variables)?;
                let index = frame.tag() as usize;
                // A dependency: everything from that subgoal on is one SCC.
                while self.tabling.sccs.last().is_some_and(|&s| s > index) {
                    self.tabling.sccs.pop();
                }
                self.suspend(frame, template);
                Ok(Go::Fail)
            }
            State::Fresh => {
                let template = self.template(&variables)?;
                if modes.is_empty() {
                    return self.generate(p, frame, template, &args, &variables);
                }
                self.space().moded_begin(frame);
                // The values are computed whatever the caller's variables for them are otherwise.
                let mut args = args;
                variables.truncate(key_variables);
                for (a, &mode) in args.iter_mut().zip(modes.iter()) {
                    if mode != Mode::Index {
                        *a = self.heap.variable()?;
                        variables.push(*a);
                    }
                }
                self.generate(p, frame, template, &args, &variables)
            }
        }
    }

    /// Whether a term is a finite tree: a table cannot hold others.
    fn is_finite(&self, c: Cell) -> bool {
        let t = self.term(c);
        match t.callable() {
            Some((f, args)) => {
                // Flat ones, as most answers, are seen at a glance.
                (0..f.arity()).all(|i| {
                    let a = args.get(i).deref();
                    !matches!(a.tag(), Tag::Lst | Tag::Str)
                }) || cycle::is_acyclic(t)
            }
            None => true,
        }
    }

    /// The answer template of a call: its variables.
    fn template(&mut self, variables: &[Cell]) -> Result<Cell, Throw> {
        if variables.is_empty() {
            return Ok(Cell::atom(atoms::ANSWER));
        }
        let f = Functor::new(atoms::ANSWER, variables.len());
        Ok(self.heap.structure(f, variables)?)
    }

    /// Starts the evaluation of a new subgoal. `template` is that of the caller, `variables` those of the call `args`.
    fn generate(
        &mut self,
        p: &'static Predicate,
        frame: FramePtr,
        template: Cell,
        args: &[Cell],
        variables: &[Cell],
    ) -> Result<Go, Throw> {
        // A copy of the call with variables of its own.
        let inner = if args.iter().all(|&a| self.deref(a).is_immediate()) {
            // The registers may refer to the caller's variables, which are unbound again when a consumer is resumed.
            for (i, &a) in args.iter().enumerate() {
                self.set_register(i, self.deref(a));
            }
            template
        } else {
            let mut all = args.to_vec();
            all.push(self.template(variables)?);
            let call = self
                .heap
                .structure(Functor::new(atoms::TABLED_CALL, all.len()), &all)?;
            // SAFETY: a term of this heap.
            let r = unsafe { copy::record(&mut self.heap, call) };
            let copied = self.heap.instantiate(&r)?;
            for i in 0..args.len() {
                // SAFETY: a structure with one more argument than the call.
                self.set_register(i, unsafe { *copied.ptr().add(1 + i) });
            }
            // SAFETY: as above.
            unsafe { *copied.ptr().add(1 + args.len()) }
        };
        let index = self.tabling.stack.len();
        let c = self.push_choice(
            code(Internal::Complete),
            &[template, raw(frame.to_bits()), Cell::small(index as i64)],
        )?;
        frame.set_state(State::Incomplete);
        frame.set_tag(index as u64);
        let choice = self.choices.offset(c);
        self.tabling.sccs.push(index);
        self.tabling.stack.push(Subgoal {
            frame,
            choice,
            consumers: self.tabling.consumers.len(),
        });
        self.push_frame(Internal::Answer, &[raw(frame.to_bits()), inner])?;
        self.b0 = self.b;
        if p.is_dynamic() {
            return Ok(match self.enter_dynamic(p)? {
                Some(code) => Go::Code(code),
                None => Go::Fail,
            });
        }
        let body = p.body();
        Ok(Go::Code(if body.is_null() {
            samite_code::index::link(p)
        } else {
            body
        }))
    }

    /// Keeps the present continuation as a consumer of `frame`.
    fn suspend(&mut self, frame: FramePtr, template: Cell) {
        // Bindings since the innermost generator or resumption.
        let mut b = self.b;
        while b.alternative() != code(Internal::Complete)
            && b.alternative() != code(Internal::Resume)
        {
            b = b.previous();
        }
        let mut bindings = Vec::new();
        // SAFETY: the trail above a live choicepoint's height is valid.
        unsafe { self.heap.trail.bindings_since(b.trail(), &mut bindings) };
        let assigned = bindings
            .extract_if(.., |(place, _)| !place.is_ref())
            .map(|(place, content)| (place.ptr(), content))
            .collect();
        let above = self.b.arg(self.b.size()) as usize;
        self.tabling.consumers.push(Consumer {
            frame,
            k: Cell::frame_ptr(self.k),
            template,
            bindings,
            assigned,
            above,
            last: None,
            position: 0,
        });
        self.heap.capture(b.trail());
    }

    /// Frame `Answer`: a solution of a generator's clauses.
    pub(crate) fn tabling_answer(&mut self, frame: Cell, template: Cell) -> Result<Go, Throw> {
        // SAFETY: the cell was made from a frame that stays while its subgoal is incomplete.
        let frame = unsafe { FramePtr::from_bits(frame.payload()) };
        if !self.is_finite(template) {
            return Err(self.type_error("acyclic_term", template));
        }
        let limit = self.memory_limit() / BYTES_PER_TOKEN;
        let Some(space) = self.tabling.space.as_deref_mut() else {
            return Ok(Go::Fail);
        };
        if space.is_moded(frame) {
            return self.moded_answer(frame, template);
        }
        let mut node = space.answer_root(frame);
        if template.tag() == Tag::Str {
            let mut variables = Vec::new();
            let mut work = Vec::new();
            // SAFETY: a template is a structure of this heap.
            unsafe {
                let n = Functor::from_cell(*template.ptr()).arity();
                for i in 1..=n {
                    let a = deref(*template.ptr().add(i));
                    if a.is_immediate() {
                        node = space.answer_step(node, a.0);
                    } else {
                        let all = encode(a, &mut variables, &mut work, limit, &mut |t| {
                            node = space.answer_step(node, t);
                        });
                        if !all {
                            return Err(Throw::Memory);
                        }
                    }
                }
            }
        }
        space.answer_leaf(frame, node);
        if space.bytes_held() + self.heap.bytes() > self.memory_limit() {
            return Err(Throw::Memory);
        }
        Ok(Go::Fail)
    }

    /// Alternative `Complete`: the clauses of a generator are exhausted.
    pub(crate) fn tabling_complete(&mut self) -> Result<Go, Throw> {
        let b = self.b;
        let index = b.arg_value(2).small_value() as usize;
        if self.tabling.sccs.last() != Some(&index) {
            return Ok(self.become_consumer());
        }
        if self.tabling.consumers.len() == self.tabling.stack[index].consumers {
            return self.complete_scc(index);
        }
        self.push_barrier()?;
        self.tabling.current = self.tabling.stack[index].consumers;
        self.tabling_resume()
    }

    /// The caller of a generator that is no leader waits for its answers like any consumer.
    fn become_consumer(&mut self) -> Go {
        let b = self.b;
        // SAFETY: made from the frame of this generator.
        let frame = unsafe { FramePtr::from_bits(b.arg_value(1).payload()) };
        let template = b.arg_value(0);
        self.pop_choice();
        self.suspend(frame, template);
        Go::Fail
    }

    /// Pushes a `Resume` choicepoint above every address that a waiting continuation may hold.
    fn push_barrier(&mut self) -> Result<(), Throw> {
        let newest = self.b;
        let mut at = newest.arg(newest.size()) as usize;
        let index = self.tabling.sccs.last().copied().unwrap_or(0);
        for c in &self.tabling.consumers[self.tabling.stack[index].consumers..] {
            at = at.max(c.above);
        }
        let saved = Saved {
            alternative: code(Internal::Resume),
            top: self.heap.h,
            trail: self.heap.trail.top(),
            frame: self.k,
            barrier: self.b0,
        };
        let c = match self.choices.push_at(at as *mut Cell, newest, 1, saved) {
            Some(c) => c,
            None => {
                let offset = at - self.choices.base() as usize;
                self.push_grown_at(offset, 1, saved)?
            }
        };
        // SAFETY: the choicepoint has one argument.
        unsafe { *c.arg(0) = self.choices.offset(self.tabling.barrier) };
        self.set_b(c);
        self.tabling.barrier = c;
        Ok(())
    }

    /// Alternative `Resume`: gives the next answer to the next consumer, or completes the SCC.
    pub(crate) fn tabling_resume(&mut self) -> Result<Go, Throw> {
        let generator = self.b.previous();
        let index = generator.arg_value(2).small_value() as usize;
        let first = self.tabling.stack[index].consumers;
        let n = self.tabling.consumers.len();
        let leads = self.tabling.sccs.last() == Some(&index);
        if leads {
            // The consumer that was fed last comes first; a whole round without news ends it.
            let mut i = self.tabling.current.max(first);
            for _ in first..n {
                if i >= n {
                    i = first;
                }
                let c = &mut self.tabling.consumers[i];
                let moded = self.tabling.space.as_deref();
                let next = match (moded.filter(|s| s.is_moded(c.frame)), c.last) {
                    (Some(space), _) => space.moded_next(c.frame, &mut c.position),
                    (None, None) => c.frame.first_answer(),
                    (None, Some(a)) => c.frame.next_answer(a),
                };
                if let Some(answer) = next {
                    c.last = Some(answer);
                    self.tabling.current = i;
                    if c.above > self.b.0 as usize {
                        // Suspended while this barrier was in force: it needs a higher one.
                        self.pop_barrier();
                        self.push_barrier()?;
                    }
                    return self.feed(i, answer);
                }
                i += 1;
            }
        }
        self.pop_barrier();
        if leads {
            self.complete_scc(index)
        } else {
            Ok(self.become_consumer())
        }
    }

    fn pop_barrier(&mut self) {
        self.tabling.barrier = self.choices.at(self.b.arg_value(0));
        self.pop_choice();
    }

    /// Resumes a consumer with an answer.
    fn feed(&mut self, i: usize, answer: AnswerPtr) -> Result<Go, Throw> {
        let c = &self.tabling.consumers[i];
        let (k, template, frame) = (c.k, c.template, c.frame);
        for &(place, value) in &c.bindings {
            // SAFETY: kept alive and up to date by the collector; bound again as it was, and trailed.
            unsafe { self.heap.bind_again(place.ptr(), value) };
        }
        for &(place, content) in &c.assigned {
            // SAFETY: as above.
            unsafe { self.heap.assign(place, content, self.b.trail()) };
        }
        self.k = k.frame();
        Ok(if self.unify_answer(template, frame, answer)? {
            Go::Proceed
        } else {
            Go::Fail
        })
    }

    /// All subgoals of the SCC are complete: returns the leader's answers to its caller.
    fn complete_scc(&mut self, index: usize) -> Result<Go, Throw> {
        let b = self.b;
        let first = self.tabling.stack[index].consumers;
        for s in self.tabling.stack.drain(index..) {
            s.frame.set_state(State::Complete);
            s.frame.set_tag(0);
            if let Some(space) = &mut self.tabling.space {
                space.moded_complete(s.frame);
            }
        }
        self.tabling.sccs.pop();
        self.tabling.consumers.truncate(first);
        self.tabling.scanned = self.tabling.scanned.min(first);
        // SAFETY: made from the leader's frame.
        let frame = unsafe { FramePtr::from_bits(b.arg_value(1).payload()) };
        let template = b.arg_value(0);
        self.b0 = b.barrier();
        self.pop_choice();
        self.return_answers(frame, template)
    }

    /// Returns the answers of a complete table one after the other.
    fn return_answers(&mut self, frame: FramePtr, template: Cell) -> Result<Go, Throw> {
        let Some(first) = frame.first_answer() else {
            return Ok(Go::Fail);
        };
        if let Some(next) = frame.next_answer(first) {
            self.push_choice(
                code(Internal::Answers),
                &[template, raw(frame.to_bits()), raw(next.to_bits())],
            )?;
        }
        Ok(if self.unify_answer(template, frame, first)? {
            Go::Proceed
        } else {
            Go::Fail
        })
    }

    /// Alternative `Answers`.
    pub(crate) fn tabling_next_answer(&mut self) -> Result<Go, Throw> {
        let b = self.b;
        let template = b.arg_value(0);
        // SAFETY: made from the frame and an answer of a complete table. Tables with such choicepoints are not abolished.
        let (frame, answer) = unsafe {
            (
                FramePtr::from_bits(b.arg_value(1).payload()),
                AnswerPtr::from_bits(b.arg_value(2).payload()),
            )
        };
        match frame.next_answer(answer) {
            // SAFETY: the choicepoint has three arguments.
            Some(next) => unsafe { *b.arg(2) = raw(next.to_bits()) },
            None => self.pop_choice(),
        }
        Ok(if self.unify_answer(template, frame, answer)? {
            Go::Proceed
        } else {
            Go::Fail
        })
    }

    /// Unifies an answer template with an answer.
    #[inline]
    fn unify_answer(
        &mut self,
        template: Cell,
        frame: FramePtr,
        answer: AnswerPtr,
    ) -> Result<bool, OutOfMemory> {
        let template = self.deref(template);
        if template.tag() != Tag::Str {
            return Ok(true);
        }
        // SAFETY: a template is a structure of this heap.
        let n = Functor::from_cell(unsafe { *template.ptr() }).arity();
        let mut tokens = std::mem::take(&mut self.tabling.tokens);
        if let Some(space) = &self.tabling.space {
            space.answer_tokens(answer, &mut tokens);
            if let Some(value) = space.moded_value(frame, answer) {
                tokens.extend_from_slice(value);
            }
        }
        let mut variables: FxHashMap<u64, Cell> = FxHashMap::default();
        let mut at = 0;
        let mut ok = true;
        for i in 1..=n {
            // SAFETY: as above.
            let place = unsafe { deref(*template.ptr().add(i)) };
            let token = Cell(tokens[at]);
            let value = if token.is_immediate() {
                at += 1;
                token
            } else {
                self.decode(&tokens, &mut at, &mut variables)?
            };
            if place.is_ref() {
                // SAFETY: an unbound variable of this heap.
                unsafe { self.heap.bind(place.ptr(), value) };
            } else if !self.unify(place, value) {
                ok = false;
                break;
            }
        }
        self.tabling.tokens = tokens;
        Ok(ok)
    }

    /// Builds the term that starts at token `at`; explicit stack.
    pub(crate) fn decode(
        &mut self,
        tokens: &[u64],
        at: &mut usize,
        variables: &mut FxHashMap<u64, Cell>,
    ) -> Result<Cell, OutOfMemory> {
        // Cells to fill, the next one last.
        let mut root = Cell::ZERO;
        let mut places: Vec<*mut Cell> = vec![&raw mut root];
        while let Some(place) = places.pop() {
            let t = Cell(tokens[*at]);
            *at += 1;
            let c = match t.tag() {
                Tag::Int | Tag::Con => t,
                _ if t.0 == LIST => {
                    let l = self.heap.list_cell(Cell::NIL, Cell::NIL)?;
                    places.push(l.ptr().wrapping_add(1));
                    places.push(l.ptr());
                    l
                }
                _ => match t.kind() {
                    Kind::Functor => {
                        let n = Functor::from_cell(t).arity();
                        let p = self.heap.allocate(1 + n)?;
                        // SAFETY: that many cells were just allocated.
                        unsafe { *p = t };
                        for i in (1..=n).rev() {
                            // SAFETY: as above; a valid cell until the token is read.
                            unsafe { *p.add(i) = Cell::NIL };
                            places.push(p.wrapping_add(i));
                        }
                        Cell::to(Tag::Str, p)
                    }
                    Kind::Copied => match variables.get(&t.0) {
                        Some(&v) => v,
                        None => {
                            let v = self.heap.variable()?;
                            variables.insert(t.0, v);
                            v
                        }
                    },
                    _ => {
                        let n = t.box_words();
                        let p = self.heap.allocate(1 + n)?;
                        // SAFETY: that many cells were just allocated.
                        unsafe {
                            *p = t;
                            for i in 1..=n {
                                *p.add(i) = Cell(tokens[*at]);
                                *at += 1;
                            }
                        }
                        Cell::to(Tag::Box, p)
                    }
                },
            };
            // SAFETY: a cell of a structure made above, or `root`.
            unsafe { *place = c };
        }
        Ok(root)
    }

    /// Whether a choicepoint address comes from a continuation that was resumed: then it names nothing any more.
    pub(crate) fn tabling_is_stale(&self, c: Choice) -> bool {
        let mut barrier = self.tabling.barrier;
        while !barrier.is_null() {
            if c <= barrier && c > barrier.previous() {
                return true;
            }
            barrier = self.choices.at(barrier.arg_value(0));
        }
        false
    }

    /// An exception leaves a generator: its subgoal and all newer incomplete ones are removed.
    pub(crate) fn tabling_abandon(&mut self, generator: Choice) {
        let index = generator.arg_value(2).small_value() as usize;
        self.abandon_from(index);
    }

    fn abandon_from(&mut self, index: usize) {
        let t = &mut self.tabling;
        if index >= t.stack.len() {
            return;
        }
        let first = t.stack[index].consumers;
        let removed: Vec<Subgoal> = t.stack.drain(index..).collect();
        t.consumers.truncate(first);
        t.scanned = t.scanned.min(first);
        while t.sccs.last().is_some_and(|&s| s >= index) {
            t.sccs.pop();
        }
        if let Some(space) = t.space.as_deref_mut() {
            for s in removed.into_iter().rev() {
                space.remove_subgoal(s.frame);
            }
        }
    }

    /// Forgets every evaluation under way.
    pub(crate) fn tabling_reset(&mut self) {
        self.abandon_from(0);
        self.tabling.sccs.clear();
        self.tabling.consumers.clear();
        self.tabling.barrier = Choice::default();
        if std::mem::take(&mut self.tabling.abolish_later)
            && let Some(space) = &mut self.tabling.space
        {
            space.abolish_all();
        }
    }

    /// `abolish_all_tables/0`: at once if no table is being evaluated or read, else when the query is over.
    pub fn abolish_all_tables(&mut self) {
        let mut b = self.b;
        let mut reading = !self.tabling.stack.is_empty();
        while !b.is_null() && !reading {
            reading = b.alternative() == code(Internal::Answers);
            b = b.previous();
        }
        if reading {
            self.tabling.abolish_later = true;
        } else if let Some(space) = &mut self.tabling.space {
            space.abolish_all();
        }
    }

    /// Offset of the generator of the oldest subgoal under evaluation, for inspection.
    pub fn incomplete_tables(&self) -> usize {
        debug_assert!(self.tabling.stack.iter().all(|s| s.choice.is_small()));
        self.tabling.stack.len()
    }
}
