//! Incremental predicates: their changes are logged, for tables that depend on them ([`crate::db::changes`]).

use super::{Clause, Predicate, flag};
use crate::db::changes::{ANY_KEY, Changes, Changing};
use crate::db::key::Part;
use crate::db::place::Place;

impl Predicate {
    fn address(&self) -> usize {
        std::ptr::from_ref(self.main()).addr()
    }
    /// The log of its changes, if it is incremental.
    pub fn changes(&self) -> Option<&'static Changes> {
        let p = self.main();
        if !p.has(flag::INCREMENTAL) {
            return None;
        }
        p.domain.logs.of(self.address())
    }
    /// Is incremental from now on.
    pub fn be_incremental(&self) {
        let p = self.main();
        p.domain.logs.make(self.address());
        p.declare(flag::INCREMENTAL);
    }
    /// Before a change of its clauses. Its lock is held.
    #[inline]
    pub(crate) fn begin_change(&self) -> Option<Changing> {
        if self.is_logged() {
            let domain = self.main().domain;
            domain.logs.begin(self.address(), self.arity())
        } else {
            None
        }
    }
    /// Whether changes of its clauses are written down for tables.
    #[inline]
    pub(crate) fn is_logged(&self) -> bool {
        self.main().has(flag::INCREMENTAL)
    }
}

impl Clause {
    /// The key of its head in an argument, as far as it is known without its code.
    pub(crate) fn key_in_head(&self, argument: usize) -> u64 {
        let part = self
            .record
            .as_ref()
            .map(|r| Place::argument(argument).of_record(r));
        match part {
            Some(Part::Is(key)) => key,
            _ => ANY_KEY,
        }
    }
}
