//! `compile_predicates/1`: dynamic predicates become static.

use super::det;
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use crate::state::loading::key;
use rustc_hash::FxHashMap;
use samite_code::database::MadeStatic;
use samite_code::predicate::Clause;
use samite_code::sources::What;
use samite_code::{Predicate, database, flag};
use samite_term::heavy::Patience;
use samite_term::{common, growth};

pub const TABLE: &[super::Entry] = &[det("$make_static", 1, make_static)];

/// `'$make_static'(:PI)`: the clauses are exchanged for linked copies in one step, with which the predicate is static. Within a load of a
/// file that was loaded before this is put off to its end, as all that others see of such a load.
fn make_static(m: &mut Ctx, a: Args) -> Res {
    let p = m.predicate_argument(a, 0)?;
    if !m.is_dynamic(p) {
        if m.is_defined(p) || m.pending_place(p).is_some() || m.imported_definition(p).is_some() {
            return Ok(true);
        }
        let i = m.qualified_indicator(p)?;
        return Err(m.existence_error("procedure", i));
    }
    if p.has(flag::THREAD_LOCAL | flag::SYSTEM) {
        let i = m.indicator_of(p)?;
        return Err(m.permission_error("modify", "static_procedure", i));
    }
    if let Some(load) = m
        .thread
        .loading
        .loads
        .iter_mut()
        .rfind(|l| l.shadow(p).is_some())
    {
        load.made_dynamic.remove(&key(p));
        load.made_static.push(p);
        load.takes_back(p, What::Dynamic);
        return Ok(true);
    }
    m.compile_clauses(p)?;
    Ok(true)
}

/// Whether a predicate has become static.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Settled {
    Static,
    /// A clause does not fit, or is not known.
    Unfit,
    /// A transaction that has not ended has changed it.
    InTransaction,
}

/// Steps that copying a clause counts for.
const COPYING: usize = 1 << 8;

impl Ctx<'_> {
    /// A dynamic predicate becomes static; without clauses it is not defined any more.
    pub(super) fn compile_clauses(&mut self, p: &'static Predicate) -> Result<(), Throw> {
        let (action, kind) = match self.make_static_if(p, |_| true)? {
            Settled::Static => {
                self.take_back(p, What::Dynamic);
                return Ok(());
            }
            Settled::Unfit => ("access", "private_procedure"),
            Settled::InTransaction => ("compile", "procedure_in_transaction"),
        };
        let i = self.indicator_of(p)?;
        Err(self.permission_error(action, kind, i))
    }

    /// A dynamic predicate becomes static if this holds of all its clauses, and they are known. Copies are made without its lock, so that
    /// others may have added clauses meanwhile; those are copied then. Others may add faster than copies are made: after some rounds they wait.
    ///
    /// Not while a transaction has added clauses that it has not committed, nor if this thread's own has erased some: the copies would be of what others see.
    pub(super) fn make_static_if(
        &mut self,
        p: &'static Predicate,
        fits: impl Fn(&Clause) -> bool,
    ) -> Result<Settled, Throw> {
        let own = self.thread.transactions.open.as_ref();
        if own.is_some_and(|t| t.has_changed(p)) {
            return Ok(Settled::InTransaction);
        }
        /// Rounds of copying what others have added before they have to wait.
        const ROUNDS: usize = 3;
        // From here on no clause is freed whose address is a key.
        self.reader.enter();
        let mut copies = Copies::default();
        let mut patience = Patience::new();
        for round in 0.. {
            let waiting = (round >= ROUNDS).then(|| p.lock());
            if !p.is_dynamic() {
                break;
            }
            if !self.copy_clauses(p, &fits, &mut copies, &mut patience)? {
                return Ok(Settled::Unfit);
            }
            self.room(copies.len() * database::EXCHANGED)?;
            let mut writer = waiting.unwrap_or_else(|| p.lock());
            match database::make_static(p, &mut writer, &mut copies)? {
                MadeStatic::Yes => break,
                MadeStatic::NotYet => (),
                MadeStatic::InTransaction => return Ok(Settled::InTransaction),
            }
        }
        database::undefine_if_empty(p);
        Ok(Settled::Static)
    }

    /// Makes linked copies of the clauses that there are none of yet. False: this does not hold of one, or it is not known.
    fn copy_clauses(
        &mut self,
        p: &'static Predicate,
        fits: &impl Fn(&Clause) -> bool,
        copies: &mut Copies,
        patience: &mut Patience,
    ) -> Result<bool, Throw> {
        let beyond = self.thread.beyond_limit();
        for c in p.visible_clauses() {
            let known = copies.contains_key(&std::ptr::from_ref(c));
            if patience.is_over_after(if known { 1 } else { COPYING }) {
                return Err(self.given_up());
            }
            if !fits(c) {
                return Ok(false);
            }
            if !known {
                let Some(copy) = self.linked_copy(c, p)? else {
                    return Ok(false);
                };
                let room = |bytes| common::may_take(bytes, beyond);
                if !growth::map_insert(copies, std::ptr::from_ref(c), copy, room) {
                    return Err(Throw::Memory);
                }
            }
        }
        Ok(true)
    }
}

/// Linked copies of the clauses at these addresses.
type Copies = FxHashMap<*const Clause, Box<Clause>>;
