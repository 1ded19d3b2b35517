//! Calls of dynamic predicates: walking a clause list under the logical update view.
//!
//! A choicepoint of such a call has the predicate's arguments followed by four raw cells: the list, the index of the next matching
//! clause, the end, and the generation. The next match is looked for before a clause is run, so the last one
//! leaves no choicepoint.

use crate::choice::Choice;
use crate::error::Throw;
use crate::machine::Machine;
use samite_code::clause_list::ClauseList;
use samite_code::compile;
use samite_code::database::index_of;
use samite_code::instr::{Op, op, word};
use samite_code::predicate::{ANY_KEY, Clause, Predicate, flag, generation, key_of};
use samite_term::{Cell, Functor, Kind, atoms};
use std::sync::atomic::Ordering;

/// Raw cells after the arguments.
const EXTRA: usize = 4;

/// So many erasures, and the thread looks after what it has left to be freed.
const ERASURES: u64 = 1024;

static NEXT: [u64; 1] = [word(Op::DynamicNext, 0, 0, 0)];

fn raw(v: u64) -> Cell {
    Cell::header(Kind::Raw, v)
}

/// The generation that a choicepoint reads the database with, if it is one of a dynamic call (or of clause inspection).
pub(crate) fn generation_of(b: Choice) -> Option<u64> {
    // SAFETY: alternatives are code addresses.
    if op(unsafe { *b.alternative() }) == Op::DynamicNext {
        return Some(b.arg_value(b.size() - 1).payload());
    }
    crate::builtins::clauses::generation_of(b)
}

/// First index in `from..to` of a visible clause that `key` may match.
#[inline]
pub(crate) fn find(list: &ClauseList, from: usize, to: usize, key: u64, g: u64) -> usize {
    let mut i = from;
    while i < to {
        let c = list.get(i);
        if (c.key == key || c.key == ANY_KEY || key == ANY_KEY) && c.visible(g) {
            return i;
        }
        i += 1;
    }
    to
}

/// The list to search for clauses that match a first-argument key.
#[inline]
pub(crate) fn list_for(p: &'static Predicate, key: u64) -> Option<&'static ClauseList> {
    if key != ANY_KEY
        && let Some(index) = index_of(p)
    {
        return index.get(key);
    }
    Some(p.clauses())
}

impl Machine {
    /// The predicate whose clauses this thread sees: its own copy of a thread-local one.
    #[inline]
    pub(crate) fn own(&mut self, p: &'static Predicate) -> &'static Predicate {
        if !p.has(flag::THREAD_LOCAL) {
            return p;
        }
        let id = std::ptr::from_ref(p) as usize;
        if let Some(own) = self.locals.get(&id) {
            return own;
        }
        let mut spare = self.shared.spare_locals.lock();
        let own = match spare.get_mut(&id).and_then(Vec::pop) {
            Some(own) => own,
            None => {
                let own = Predicate::new(p.module, p.functor);
                samite_code::database::make_dynamic(own);
                own
            }
        };
        drop(spare);
        self.locals.insert(id, own);
        own
    }

    /// Enters a dynamic predicate; returns the code to run, `None` to backtrack.
    pub(crate) fn enter_dynamic(
        &mut self,
        p: &'static Predicate,
    ) -> Result<Option<*const u64>, Throw> {
        let p = self.own(p);
        self.reader.enter();
        let g = generation();
        let n = p.arity();
        let key = if n > 0 {
            let c = self.deref(self.register(0));
            // SAFETY: a dereferenced term of this heap.
            unsafe { key_of(c) }
        } else {
            ANY_KEY
        };
        let Some(list) = list_for(p, key) else {
            return Ok(None);
        };
        let (from, to) = list.bounds();
        let first = find(list, from, to, key, g);
        if first == to {
            return Ok(None);
        }
        let next = find(list, first + 1, to, key, g);
        if next < to {
            let mut args: Vec<Cell> = (0..n).map(|i| self.register(i)).collect();
            args.extend([
                raw(std::ptr::from_ref(list) as u64),
                raw(next as u64),
                raw(to as u64),
                raw(g),
            ]);
            self.push_choice(NEXT.as_ptr(), &args)?;
        }
        self.clause_code(list.get(first)).map(Some)
    }

    /// The alternative of a dynamic call: the code of the next clause, or null if that cannot be had; then the machine has been told to
    /// leave with the exception. Not a result: the instruction that calls this would keep it on the native stack and could
    /// not jump to the next one.
    #[inline(never)]
    pub(crate) fn next_dynamic(&mut self) -> *const u64 {
        match self.next_clause() {
            Ok(code) => code,
            Err(t) => {
                self.leave_with(t);
                std::ptr::null()
            }
        }
    }

    fn next_clause(&mut self) -> Result<*const u64, Throw> {
        let b = self.b;
        let n = b.size() - EXTRA;
        for i in 0..n {
            self.set_register(i, b.arg_value(i));
        }
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
        let next = find(list, at + 1, to, key, g);
        self.b0 = b.previous();
        if next < to {
            // SAFETY: the choicepoint has these arguments.
            unsafe { *b.arg(n + 1) = raw(next as u64) };
        } else {
            self.pop_choice();
        }
        self.clause_code(list.get(at))
    }

    /// The code of a clause, compiled now if it has not been.
    pub(crate) fn clause_code(&mut self, c: &'static Clause) -> Result<*const u64, Throw> {
        let code = c.code();
        if !code.is_null() {
            return Ok(code);
        }
        let Some(record) = &c.record else {
            return Err(Throw::Memory);
        };
        let mut words = vec![0u64; record.heap_words()];
        let root = record.instantiate(&mut words);
        let t = self.term(root);
        let (head, body) = match t.callable() {
            Some((f, args)) if f == Functor::new(atoms::NECK, 2) => {
                (args.get(0), Some(args.get(1)))
            }
            _ => (t, None),
        };
        match compile::compile(&self.shared.program, c.predicate.module, head, body) {
            Ok(compiled) => {
                c.set_code(compiled.block);
                Ok(c.code())
            }
            Err(_) => Err(self.resource_error("clause_size")),
        }
    }

    /// Erases a clause; false if it was erased before.
    pub(crate) fn erase(&mut self, c: &'static Clause) -> bool {
        if !samite_code::database::erase(c) {
            return false;
        }
        self.erased(1);
        true
    }

    /// Erases all clauses of a predicate.
    pub(crate) fn wipe(&mut self, p: &'static Predicate) {
        self.erased(samite_code::database::wipe(p));
    }

    /// So many clauses have been erased by this thread.
    fn erased(&mut self, n: usize) {
        let before = self.erasures / ERASURES;
        self.erasures += n as u64;
        if self.erasures / ERASURES != before {
            // A loop by failure never fills the nursery: the next safe point is to publish what this thread still reads.
            self.attention.set_limit(0);
        }
    }

    /// Whether a clause has been erased since a generation began.
    pub(crate) fn still_visible(c: &Clause) -> bool {
        c.death.load(Ordering::Acquire) == samite_code::predicate::NEVER
    }
}
