//! Calls of dynamic predicates: walking a clause list under the logical update view.
//!
//! A choicepoint of such a call has the predicate's arguments followed by four raw cells: the list, the index of the next matching
//! clause, the end, and the generation. The next match is looked for before a clause is run, so the last one
//! leaves no choicepoint.

use super::services::services;
use super::walk::EXTRA;
use crate::engine::worker::Worker;
use crate::error::Throw;
use samite_code::compile::{CompileError, Room};
use samite_code::instr::{Op, word};
use samite_code::predicate::ClauseList;
use samite_code::predicate::{ANY_KEY, Clause, Predicate, key_of};
use samite_code::view::{find, view};
use samite_term::{Cell, Functor, Kind, atoms};

static NEXT: [u64; 1] = [word(Op::DynamicNext, 0, 0, 0)];

fn raw(v: u64) -> Cell {
    Cell::header(Kind::Raw, v)
}

impl Worker {
    /// Enters a dynamic predicate; returns the code to run, `None` to backtrack.
    pub(in crate::engine) fn enter_dynamic(
        &mut self,
        p: &'static Predicate,
    ) -> Result<Option<*const u64>, Throw> {
        let p = self.own(p);
        self.reader.enter();
        let n = p.arity();
        let key = if n > 0 {
            let c = self.deref(self.register(0));
            // SAFETY: a dereferenced term of this heap.
            unsafe { key_of(c) }
        } else {
            ANY_KEY
        };
        let v = view(p, key);
        let first = v.find(v.from, key);
        if first == v.to {
            return Ok(None);
        }
        let next = v.find(first + 1, key);
        if next < v.to {
            let mut args: Vec<Cell> = (0..n).map(|i| self.register(i)).collect();
            args.extend([
                raw(std::ptr::from_ref(v.list) as u64),
                raw(next as u64),
                raw(v.to as u64),
                raw(v.generation),
            ]);
            self.push_choice(NEXT.as_ptr(), &args)?;
        }
        self.clause_code(v.list.get(first)).map(Some)
    }

    /// The alternative of a dynamic call: the code of the next clause, or null if that cannot be had; then the machine has been told to
    /// leave with the exception. Not a result: the instruction that calls this would keep it on the native stack and could
    /// not jump to the next one.
    #[inline(never)]
    pub(in crate::engine) fn next_dynamic(&mut self) -> *const u64 {
        match self.next_clause::<true>() {
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

    #[inline(always)]
    fn next_clause<const NEAR: bool>(&mut self) -> Result<*const u64, Throw> {
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
        let next = match NEAR {
            true => match list.find_at_once(at + 1, to, key, g) {
                Some(next) => next,
                None => return self.next_clause_far(),
            },
            false => find(list, at + 1, to, key, g),
        };
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
        let beside = record.heap_words() * 8;
        // Small facts that there are can be called when there is no room for more.
        if beside > Room::UNASKED {
            self.room(beside)?;
        }
        let mut words = vec![0u64; record.heap_words()];
        let root = record.instantiate(&mut words);
        // SAFETY: nothing is collected or undone before the view was used for the last time.
        let t = unsafe { self.term(root) };
        let (head, body) = match t.callable() {
            Some((f, args)) if f == Functor::new(atoms::NECK, 2) => {
                (args.get(0), Some(args.get(1)))
            }
            _ => (t, None),
        };
        let compile = services().compile;
        match compile(self.ctx(), c.predicate.module(), head, body, beside) {
            Ok(compiled) => {
                c.set_code(compiled.block);
                Ok(c.code())
            }
            Err(CompileError::NoRoom) => Err(Throw::Memory),
            Err(_) => Err(self.resource_error("clause_size")),
        }
    }
}
