//! Calling deterministic builtins: from instructions ([`super::ops`]), and in place of a goal that others follow ([`super::control`]).
//!
//! Nothing is collected meanwhile: what is called in place is called between two safe points.

use crate::engine::ctx::Builtin;
use crate::engine::worker::{Args, Worker};
use crate::error::Throw;
use samite_code::Predicate;
use samite_code::predicate::flag;

/// What a call of a builtin came to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::engine) enum Called {
    False,
    True,
    /// True, and goals were woken.
    Awaited,
    /// The run of handlers has ended.
    Left,
}

impl Called {
    #[inline(always)]
    pub(in crate::engine) fn holds(m: &Worker) -> Called {
        match m.heap.has_woken() {
            false => Called::True,
            true => Called::Awaited,
        }
    }
}

/// Calls a deterministic builtin with the arguments from X`from`.
///
/// # Safety
/// It is one, and has its function (see `builtins::Entry::install`).
#[inline(always)]
pub(in crate::engine) unsafe fn call_deterministic(
    m: &mut Worker,
    p: &'static Predicate,
    from: usize,
) -> Called {
    // SAFETY: the caller's promise.
    let f = unsafe { std::mem::transmute::<usize, Builtin>(p.function()) };
    match f(m.ctx(), Args(from)) {
        Ok(true) => Called::holds(m),
        Ok(false) => Called::False,
        Err(t) => builtin_failed(m, p, from, t),
    }
}

/// A builtin raised an error. One that is called in place, where nothing is known of what is live, is called again on credit if it was
/// refused memory: the next safe point will see what is garbage.
#[cold]
#[inline(never)]
fn builtin_failed(m: &mut Worker, p: &'static Predicate, from: usize, t: Throw) -> Called {
    let mut t = t;
    if matches!(t, Throw::Memory) && p.has(flag::INLINE) {
        crate::engine::given_up::take_refusal();
        // SAFETY: see [`call_deterministic`].
        let f = unsafe { std::mem::transmute::<usize, Builtin>(p.function()) };
        let credit = m.heap.set_credit(true);
        let r = f(m.ctx(), Args(from));
        m.heap.end_credit(credit);
        match r {
            Ok(true) => return Called::holds(m),
            Ok(false) => return Called::False,
            Err(e) => t = e,
        }
    }
    m.blamed = Some(p);
    m.went = Err(t);
    Called::Left
}
