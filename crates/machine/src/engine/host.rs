//! What a host does with a worker on a thread of its own: runs goals that were read.
//!
//! Such a thread is the program's only while it runs something of it, and may run another program next. What the system keeps by thread (whose memory is
//! counted, whose events long operations look for) is put in place before and put back afterwards ([`Inside`]).
//!
//! *Invariant*: a worker of a host is made, used and dropped by one thread, inside; whenever that thread is outside, it has said what it holds
//! ([`OwnedWorker::go_outside`]).

use crate::engine::going::{Outcome, memory_error};
use crate::engine::long;
use crate::engine::worker::{OwnedWorker, Worker};
use samite_heap::address_space;
use samite_term::{Atom, Cell, Record, common};

/// The calling thread is a program's until this is dropped.
#[must_use]
pub struct Inside {
    _urgent: Urgent,
    // In this order: the program itself may go with what was kept by thread.
    _before: long::Before,
    _account: common::Entered,
}

impl Inside {
    /// Nothing of the program runs yet.
    pub fn program(account: &'static common::Account) -> Inside {
        let account = account.enter();
        Inside {
            _urgent: Urgent(address_space::set_urgent(false)),
            _before: long::Before::new(),
            _account: account,
        }
    }
    /// The calling thread runs this worker, which is its own.
    pub fn worker(m: &Worker) -> Inside {
        let inside = Inside::program(m.program.code.account);
        long::enter(&m.program, &m.thread.control, m.thread.memory_limit);
        inside
    }
}

/// Whether the thread was urgent, as it is again when this is dropped.
struct Urgent(bool);

impl Drop for Urgent {
    fn drop(&mut self) {
        address_space::set_urgent(self.0);
    }
}

/// A variable of a goal, by its name, and what it is bound to.
pub type Binding = (Atom, Record);

impl OwnedWorker {
    /// Between two goals, for as long as the host likes: no clause that others erase waits for this thread.
    pub fn go_outside(&mut self) {
        self.leave_readers();
    }
    /// The host's thread uses the worker again.
    pub fn come_inside(&mut self) {
        self.after_wait();
    }
    /// Runs the first solution of a term that was read (the reader's `'$read'(Goal, _, Names, _, _)`); what its named variables are bound to then.
    pub fn first_answer(&mut self, read: &Record) -> (Outcome, Vec<Binding>) {
        if self.start(read).is_err() {
            return (Outcome::Exception(memory_error()), Vec::new());
        }
        let whole = self.register(0);
        let goal = self.argument(whole, 0);
        self.set_register(0, goal);
        let outcome = self.first_solution();
        let outcome = match outcome {
            Outcome::True => match self.bindings() {
                Some(bindings) => {
                    self.reset();
                    return (Outcome::True, bindings);
                }
                None => Outcome::Exception(memory_error()),
            },
            other => other,
        };
        self.reset();
        (outcome, Vec::new())
    }
    /// Argument `i` of a structure, dereferenced.
    fn argument(&mut self, t: Cell, i: usize) -> Cell {
        let m = self.ctx();
        m.term(t)
            .callable()
            .map_or(Cell::NIL, |(_, args)| args.get(i).cell())
    }
    /// The bindings of a term that was read, at its solution. `None`: there is no memory for them.
    fn bindings(&mut self) -> Option<Vec<Binding>> {
        // SAFETY: K is the frame of the solution, which has the term in its slot.
        let whole = unsafe { *self.k.add(2) };
        let names = self.argument(whole, 2);
        let items = self.ctx().term(names).list_items().0;
        let names: Vec<Cell> = items.into_iter().map(|t| t.cell()).collect();
        let mut bindings = Vec::with_capacity(names.len());
        for binding in names {
            let (name, value) = (self.argument(binding, 0), self.argument(binding, 1));
            bindings.push((name.atom_of(), self.record_plain(value).ok()?));
        }
        Some(bindings)
    }
}
