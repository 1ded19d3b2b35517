//! Calls that walk a clause list under the logical update view: of dynamic predicates, and of others by an index.
//!
//! A choicepoint of such a call has the predicate's arguments followed by four raw cells: the list, the index of the next matching
//! clause, the end, and the generation. The next match is looked for before a clause is run, so the last one
//! leaves no choicepoint.

use super::services::services;
use super::walk::{EXTRA, walk_of_call};
use crate::engine::worker::Worker;
use crate::error::Throw;
use crate::state::choice::Choice;
use samite_code::compile::{CompileError, Parts, Room, whole};
use samite_code::index::{fail_code, no_clause};
use samite_code::instr::{Op, word};
use samite_code::predicate::ClauseList;
use samite_code::predicate::{ANY_KEY, Clause, Predicate, flag, key_of};
use samite_code::view::{Call, Matches, View, find, matches, matches_by_index};
use samite_term::{Atom, Cell, Functor, Kind, Record, Tag, atoms};

/// The alternatives of a walk over clauses that only the first argument tells apart, of one where others do so too, and of such a one over clauses that run
/// by their terms.
static NEXT: [[u64; 1]; 3] = [
    [word(Op::DynamicNext, 0, 0, 0)],
    [word(Op::DynamicNext, 1, 0, 0)],
    [word(Op::DynamicNext, BY_TERMS, 0, 0)],
];
const BY_TERMS: u16 = 2;

/// What a fact goes on with.
static PROCEED: [u64; 1] = [word(Op::Proceed, 0, 0, 0)];

fn raw(v: u64) -> Cell {
    Cell::header(Kind::Raw, v)
}

/// What a call of a dynamic predicate is to do.
struct Selected {
    first: &'static Clause,
    /// Where the next one is, if there is one that may match; and whether arguments other than the first have been looked at.
    rest: Option<(View, usize, bool)>,
}

/// The clauses of those found that a call is to try.
fn select(found: Matches, call: &Call) -> Option<Selected> {
    let v = match found {
        Matches::Nothing => return None,
        Matches::One(first) => return Some(Selected { first, rest: None }),
        Matches::Some(v) => v,
    };
    let mut first = v.find(v.from, call.key);
    if first == v.to {
        return None;
    }
    let mut next = v.find(first + 1, call.key);
    let mut all = false;
    // Which are tried is looked at more closely where there are several.
    if next < v.to && call.has_keys_behind_first() {
        all = true;
        first = v.find_match(first, call);
        if first == v.to {
            return None;
        }
        next = v.find_match(first + 1, call);
    }
    Some(Selected {
        first: v.list.get(first),
        rest: (next < v.to).then_some((v, next, all)),
    })
}

/// What runs where no clause of a predicate is the call's; `None`: to backtrack.
fn without_clause(p: &'static Predicate) -> Option<*const u64> {
    p.has(flag::ONE_SIDED).then(|| no_clause(p))
}

impl Worker {
    /// The clauses of a predicate that the arguments in the registers may match. The reader has entered.
    #[inline(always)]
    fn selected(&self, p: &'static Predicate) -> Option<Selected> {
        let argument = |i| self.deref(self.register(i));
        // SAFETY: the arguments are terms of this heap, and nothing is bound or collected here.
        let call = unsafe { Call::new(p.arity(), &argument) };
        select(matches(&self.reader, p, &call), &call)
    }

    /// Enters a dynamic predicate; returns the code to run, `None` to backtrack.
    pub(in crate::engine) fn enter_dynamic(
        &mut self,
        p: &'static Predicate,
    ) -> Result<Option<*const u64>, Throw> {
        let p = self.own(p);
        self.reader.enter();
        let selected = self.selected(p);
        self.enter_selected(p, selected)
    }

    /// Enters a predicate whose clauses run by their terms, as far as those are kept; `None` to backtrack.
    pub(in crate::engine) fn enter_by_terms(
        &mut self,
        p: &'static Predicate,
    ) -> Result<Option<*const u64>, Throw> {
        let p = self.own(p);
        self.reader.enter();
        let Some(Selected { first, rest }) = self.selected(p) else {
            return Ok(without_clause(p));
        };
        if let Some((v, next, _)) = rest {
            self.push_walk(NEXT[usize::from(BY_TERMS)].as_ptr(), p.arity(), (v, next))?;
        }
        self.enter_term(first).map(Some)
    }

    /// Enters a static predicate by an index, if there is one that helps: the code to run, which is `chain` if there is none. `by_first`: the first argument's key
    /// is to be looked at, too. Null as in [`Worker::next_dynamic`].
    #[inline(never)]
    pub(in crate::engine) fn pick(
        &mut self,
        p: &'static Predicate,
        by_first: bool,
        chain: *const u64,
    ) -> *const u64 {
        let selected = {
            let argument = |i| self.deref(self.register(i));
            // SAFETY: as in `enter_dynamic`.
            let call = unsafe { Call::new(p.arity(), &argument) };
            if !by_first && call.key != ANY_KEY && !call.has_keys_behind_first() {
                return chain;
            }
            self.reader.enter();
            match matches_by_index(p, &call) {
                Some(found) => select(found, &call),
                None => return chain,
            }
        };
        match self.enter_selected(p, selected) {
            Ok(code) => code.unwrap_or_else(|| no_clause(p)),
            Err(t) => {
                self.leave_with(t);
                std::ptr::null()
            }
        }
    }

    fn enter_selected(
        &mut self,
        p: &'static Predicate,
        selected: Option<Selected>,
    ) -> Result<Option<*const u64>, Throw> {
        let Some(Selected { first, rest }) = selected else {
            return Ok(without_clause(p));
        };
        if let Some((v, next, all)) = rest {
            self.push_walk(NEXT[usize::from(all)].as_ptr(), p.arity(), (v, next))?;
        }
        self.enter_clause(first).map(Some)
    }

    /// Pushes a choicepoint with the `n` arguments in the registers, and a walk.
    fn push_walk(
        &mut self,
        alternative: *const u64,
        n: usize,
        (v, next): (View, usize),
    ) -> Result<(), Throw> {
        let walk: [Cell; EXTRA] = [
            raw(std::ptr::from_ref(v.list) as u64),
            raw(next as u64),
            raw(v.to as u64),
            raw(v.generation),
        ];
        let c = self.push_choice_of(alternative, n + EXTRA)?;
        for i in 0..n {
            // SAFETY: the choicepoint has room for its arguments.
            unsafe { *c.arg(i) = self.register(i) };
        }
        for (i, w) in walk.into_iter().enumerate() {
            // SAFETY: as above.
            unsafe { *c.arg(n + i) = w };
        }
        Ok(())
    }

    /// The alternative of a dynamic call: the code of the next clause, or null if that cannot be had; then the machine has been told to
    /// leave with the exception. Not a result: the instruction that calls this would keep it on the native stack and could
    /// not jump to the next one.
    #[inline(never)]
    pub(in crate::engine) fn next_dynamic(&mut self, how: usize) -> *const u64 {
        let next = match how {
            0 => self.next_clause::<true>(),
            _ => self.next_clause_of_all(how == BY_TERMS.into()),
        };
        match next {
            Ok(code) => code,
            Err(t) => {
                self.leave_with(t);
                std::ptr::null()
            }
        }
    }

    /// The clause of [`Worker::next_clause`] with erased ones before the one after it. From the beginning: what that has done does not matter.
    #[cold]
    #[inline(never)]
    fn next_clause_far(&mut self) -> Result<*const u64, Throw> {
        self.next_clause::<false>()
    }

    /// The same where all arguments are looked at.
    #[inline(never)]
    fn next_clause_of_all(&mut self, by_terms: bool) -> Result<*const u64, Throw> {
        let b = self.b;
        let n = self.restore_arguments();
        let walk = walk_of_call(b);
        // SAFETY: lists are kept as long as a choicepoint of their generation exists (see `samite_code::reclaim`).
        let list = unsafe { &*walk.list };
        let v = View {
            list,
            from: walk.at,
            to: b.arg_value(n + 2).payload() as usize,
            generation: walk.generation,
        };
        let argument = |i| self.deref(self.register(i));
        // SAFETY: as in `enter_dynamic`.
        let call = unsafe { Call::new(n, &argument) };
        let next = v.find_match(walk.at + 1, &call);
        self.go_on_at(b, n, next, v.to);
        let c = list.get(walk.at);
        match by_terms {
            true => self.enter_term(c),
            false => self.enter_clause(c),
        }
    }

    /// Restores the arguments of a call from the newest choicepoint, that of its walk; how many there are.
    #[inline(always)]
    fn restore_arguments(&mut self) -> usize {
        let n = self.b.size() - EXTRA;
        for i in 0..n {
            self.set_register(i, self.b.arg_value(i));
        }
        n
    }

    /// The walk of `n` arguments in choicepoint `b` has come to `next`: it goes on there, or ends.
    #[inline(always)]
    fn go_on_at(&mut self, b: Choice, n: usize, next: usize, to: usize) {
        self.b0 = b.previous();
        if next < to {
            // SAFETY: the choicepoint has these arguments.
            unsafe { *b.arg(n + 1) = raw(next as u64) };
        } else {
            self.pop_choice();
        }
    }

    #[inline(always)]
    fn next_clause<const NEAR: bool>(&mut self) -> Result<*const u64, Throw> {
        let b = self.b;
        let n = self.restore_arguments();
        let list = b.arg_value(n).payload() as *const ClauseList;
        let at = b.arg_value(n + 1).payload() as usize;
        let to = b.arg_value(n + 2).payload() as usize;
        let g = b.arg_value(n + 3).payload();
        // SAFETY: lists are kept as long as a choicepoint of their generation exists (see `samite_code::reclaim`).
        let list = unsafe { &*list };
        let key = if n > 0 {
            let c = self.deref(self.register(0));
            // SAFETY: a dereferenced term of this heap.
            unsafe { key_of(c) }
        } else {
            ANY_KEY
        };
        let next = match NEAR {
            true => match list.find_at_once(at + 1, to, key, g) {
                Some(next) => next,
                None => return self.next_clause_far(),
            },
            false => find(list, at + 1, to, key, g),
        };
        self.go_on_at(b, n, next, to);
        self.enter_clause(list.get(at))
    }

    /// What runs a clause for the arguments in the registers. A clause is compiled when it is called for the second time: most of what programs
    /// assert is called once at most, and matching its term, and running its body goal by goal, takes less than making code of it. Not so
    /// if something may come back into the body, for then it may run any number of times.
    #[inline]
    fn enter_clause(&mut self, c: &'static Clause) -> Result<*const u64, Throw> {
        let code = c.code();
        if !code.is_null() {
            return Ok(code);
        }
        self.enter_new_clause(c)
    }
    #[inline(never)]
    fn enter_new_clause(&mut self, c: &'static Clause) -> Result<*const u64, Throw> {
        let Some(record) = &c.record else {
            return self.clause_code(c);
        };
        if c.is_one_sided() {
            return self.clause_code(c);
        }
        if c.is_rule() {
            return match c.is_straight() && c.is_first_call() {
                true => self.enter_body(c.predicate.module(), record),
                false => self.clause_code(c),
            };
        }
        // What is too large for code is matched each time.
        if !c.is_first_call()
            && let Some(code) = self.made_code(c)?
        {
            return Ok(code);
        }
        self.enter_fact(record)
    }
    /// No clause of a predicate takes the call whose arguments are in the registers: the machine leaves with `existence_error(matching_rule, Call)`.
    #[cold]
    #[inline(never)]
    pub(in crate::engine) fn say_no_rule(&mut self, p: &'static Predicate) {
        let error = self.no_rule(p).unwrap_or_else(|t| t);
        self.leave_with(error);
    }
    fn no_rule(&mut self, p: &'static Predicate) -> Result<Throw, Throw> {
        let arguments: Vec<Cell> = (0..p.arity()).map(|i| self.register(i)).collect();
        let call = match arguments[..] {
            [] => Cell::atom(p.name()),
            [x, y] if p.functor() == Functor::new(atoms::DOT, 2) => self.heap.list_cell(x, y)?,
            _ => self.heap.structure(p.functor(), &arguments)?,
        };
        let call = self.in_module(p.module(), call)?;
        let indicator = self.indicator(p.functor())?;
        let indicator = self.in_module(p.module(), indicator)?;
        let kind = Cell::atom(atoms::MATCHING_RULE);
        let formal = Functor::new(atoms::EXISTENCE_ERROR, 2);
        let formal = self.heap.structure(formal, &[kind, call])?;
        let message = self.heap.variable()?;
        let context = Functor::new(atoms::CONTEXT, 2);
        let context = self.heap.structure(context, &[indicator, message])?;
        let error = Functor::new(atoms::ERROR, 2);
        Ok(Throw::Term(self.heap.structure(error, &[formal, context])?))
    }
    /// A term that belongs to a module, as errors show it: what belongs to `user` does not say so.
    fn in_module(&mut self, module: Atom, t: Cell) -> Result<Cell, Throw> {
        if module == atoms::USER {
            return Ok(t);
        }
        let colon = Functor::new(atoms::COLON, 2);
        Ok(self.heap.structure(colon, &[Cell::atom(module), t])?)
    }
    /// What runs a clause by its term, if that is kept.
    fn enter_term(&mut self, c: &'static Clause) -> Result<*const u64, Throw> {
        match &c.record {
            Some(_) if c.is_one_sided() => self.clause_code(c),
            Some(record) if c.is_rule() => self.enter_body(c.predicate.module(), record),
            Some(record) => self.enter_fact(record),
            None => self.clause_code(c),
        }
    }
    /// Unifies the arguments in the registers with a fact's; what goes on then.
    fn enter_fact(&mut self, record: &Record) -> Result<*const u64, Throw> {
        Ok(match self.match_head(record, record.root(), false)? {
            Some(_) => PROCEED.as_ptr(),
            None => fail_code(),
        })
    }
    /// Unifies the arguments in the registers with a rule's; what runs its body, which is in the registers then.
    fn enter_body(&mut self, module: Atom, record: &Record) -> Result<*const u64, Throw> {
        // Small ones can be called when there is no room for more.
        let bytes = record.heap_words() * 8;
        if bytes > Room::UNASKED {
            self.room(bytes)?;
        }
        let root = record.root();
        let head = Cell(record.words()[root.address() as usize / 8 + 1]);
        let Some(rule) = self.match_head(record, head, true)? else {
            return Ok(fail_code());
        };
        // SAFETY: a copy of the record; nothing is collected here.
        let rule = unsafe { self.term(rule) };
        if let Some((_, parts)) = rule.callable() {
            self.set_register(0, parts.get(1).cell());
        }
        self.set_register(1, self.choices.offset(self.b0));
        self.set_register(2, Cell::atom(module));
        let code = self.program.body_code.get_or_init(|| {
            let body = Functor::new(Atom::new(whole::BODY.0), whole::BODY.1);
            let run = self.program.code.callee(atoms::SYSTEM, body);
            [word(Op::Execute, 0, 0, 0), std::ptr::from_ref(run) as u64]
        });
        Ok(code.as_ptr())
    }
    /// Unifies the arguments in the registers with those of a head in a record; `None` if they do not unify. The record's copy on the heap, if the arguments
    /// or the caller need one.
    fn match_head(
        &mut self,
        record: &Record,
        head: Cell,
        copied: bool,
    ) -> Result<Option<Cell>, Throw> {
        let words = record.words();
        // Of a list cell, which is a head like others, there is no functor.
        let args = match head.tag() {
            _ if head.is_immediate() => 0..0,
            Tag::Lst => (head.address() as usize / 8)..(head.address() as usize / 8 + 2),
            _ => {
                let at = head.address() as usize / 8;
                at + 1..at + 1 + Functor::from_cell(Cell(words[at])).arity()
            }
        };
        // A variable that is nowhere else is told by its referring to itself, unless others refer to it. Those and what is no constant need a copy.
        let is_own = |at: usize| {
            let c = Cell(words[at]);
            c.tag() == Tag::Ref && c.address() as usize == at * 8
        };
        let mut whole = copied;
        for (i, at) in args.clone().enumerate() {
            let c = Cell(words[at]);
            if c.is_immediate() {
                let x = self.deref(self.register(i));
                if x != c {
                    self.heap.meet(c);
                    if !x.is_ref() || !self.unify(x, c) {
                        return Ok(None);
                    }
                }
            } else {
                whole |= !is_own(at);
            }
        }
        if !whole {
            return Ok(Some(Cell::NIL));
        }
        let copy = self.heap.instantiate_on_credit(record)?;
        // SAFETY: a copy of the record; nothing is collected here.
        let t = unsafe { self.term(copy) };
        let head = match (copied, t.callable()) {
            (true, Some((_, parts))) => parts.get(0).callable(),
            (_, t) => t,
        };
        let Some((_, copies)) = head else {
            return Ok(None);
        };
        for (i, at) in args.enumerate() {
            if !Cell(words[at]).is_immediate()
                && !self.unify(self.register(i), copies.get(i).cell())
            {
                return Ok(None);
            }
        }
        Ok(Some(copy))
    }

    /// The code of a clause, compiled now if it has not been.
    pub(crate) fn clause_code(&mut self, c: &'static Clause) -> Result<*const u64, Throw> {
        match self.made_code(c)? {
            Some(code) => Ok(code),
            None => Err(self.resource_error("clause_size")),
        }
    }
    /// The same; `None`: it is too large.
    fn made_code(&mut self, c: &'static Clause) -> Result<Option<*const u64>, Throw> {
        let code = c.code();
        if !code.is_null() {
            return Ok(Some(code));
        }
        let Some(record) = &c.record else {
            return Err(Throw::Memory);
        };
        let beside = record.heap_words() * 8;
        // Small facts that there are can be called when there is no room for more.
        if beside > Room::UNASKED {
            self.room(beside)?;
        }
        let mut words = vec![0u64; record.heap_words()];
        let root = record.instantiate(&mut words);
        // SAFETY: nothing is collected or undone before the view was used for the last time.
        let t = unsafe { self.term(root) };
        let compile = services().compile;
        match compile(self.ctx(), c.predicate.module(), Parts::of(t), beside) {
            Ok(compiled) => {
                c.set_code(compiled.block);
                Ok(Some(c.code()))
            }
            Err(CompileError::NoRoom) => Err(Throw::Memory),
            Err(CompileError::TooLarge | CompileError::NotCallable) => Ok(None),
        }
    }
}
