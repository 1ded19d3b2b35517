//! Bags: results kept outside of the heap while the goal that makes them is suspended, for predicates that hand them out in parts.
//!
//! `findall/3` has a stack of its own, whose newest entry is always the one that is filled; a bag may be left and come back to, so it has a
//! number. Who makes one drops it by a cleanup handler.

use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use crate::state::results::Results;
use samite_heap::address_space;
use samite_term::{View, growth};

pub const TABLE: &[Entry] = &[
    // '$partial_list'(+List): a type error unless it is one.
    det("$partial_list", 1, |m, a| {
        super::args::partial_list(m, m.arg(a, 0))?;
        Ok(true)
    }),
    // '$become'(?Var, ?Term): as `=`, but a variable without goals is bound to Term even if that is a variable too, whichever is older. Of many that become the same
    // one, one after the other, none is at the end of a chain.
    det("$become", 2, |m, a| {
        let (v, t) = (m.arg(a, 0), m.arg(a, 1));
        let is_plain = matches!(m.term(v).view(), View::Var(_));
        if !is_plain || v == t {
            return Ok(m.unify(v, t));
        }
        // SAFETY: an unbound variable of this heap, and a term of it.
        unsafe { m.heap.bind(v.ptr(), t) };
        Ok(true)
    }),
    det("$bag_new", 1, |m, a| {
        m.thread.results.next += 1;
        let number = m.thread.results.next;
        growth::insert(&mut m.thread.results.bags, number, Results::default())?;
        m.unify_int(a, 0, number as i64)
    }),
    det("$bag_add", 3, add),
    det("$bag_take", 3, take),
    det("$bag_drop", 1, |m, a| {
        let number = number(m, a)?;
        m.thread.results.bags.remove(&number);
        Ok(true)
    }),
];

fn number(m: &mut Ctx, a: Args) -> Result<u64, Throw> {
    let c = m.arg(a, 0);
    if !c.is_small() {
        return Err(m.type_error("integer", c));
    }
    let number = c.small_value() as u64;
    if m.thread.results.bags.contains_key(&number) {
        return Ok(number);
    }
    // A goal that had waited for a table goes on after its bag was dropped.
    Err(m.incomplete_error("collect"))
}

/// `'$bag_add'(+Bag, +Term, -Count)`: adds a copy of the term; Count is how many there are now.
fn add(m: &mut Ctx, a: Args) -> Res {
    let number = number(m, a)?;
    let term = m.arg(a, 1);
    let record = m.record_whole(term)?;
    let limit = m.thread.memory_limit;
    let Some(bag) = m.thread.results.bags.get_mut(&number) else {
        return Ok(false);
    };
    if !bag.has_room() {
        return Err(Throw::Memory);
    }
    bag.add(record);
    if bag.bytes() > limit || address_space::is_short() {
        return Err(Throw::Memory);
    }
    let count = bag.len();
    m.unify_int(a, 2, count as i64)
}

/// `'$bag_take'(+Bag, -List, ?Tail)`: empties the bag.
fn take(m: &mut Ctx, a: Args) -> Res {
    let number = number(m, a)?;
    // (Not by `insert`: a full table grows there even where the key is.)
    let results = m.thread.results.bags.get_mut(&number).map(std::mem::take);
    let tail = m.arg(a, 2);
    let records = results.unwrap_or_default().into_records();
    let list = m.list_of_records(records, tail)?;
    Ok(m.unify_arg(a, 1, list))
}
