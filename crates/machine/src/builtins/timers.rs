//! Signals for later, for `library(time)`: what is under alarms and time limits. See [`samite_sched::timers`].

use super::deadlines::{after, seconds};
use super::threads::{qualified, sched_error};
use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::os_thread;
use crate::engine::worker::Args;
use crate::error::Res;
use samite_term::Cell;

pub const TABLE: &[Entry] = &[
    // '$new_timer'(-Timer)
    det("$new_timer", 1, |m, a| {
        let number = m.program.registry.timers.number();
        m.unify_int(a, 0, number.cast_signed())
    }),
    det("$set_timer", 3, set_timer),
    // '$stop_timer'(+Timer): it was running, or what it has sent was on its way; not any more.
    det("$stop_timer", 1, |m, a| {
        let number = number(m, a);
        Ok(number.is_some_and(|n| m.program.registry.timers.stop(n)))
    }),
    // '$timer_is_set'(+Timer): it has not been stopped.
    det("$timer_is_set", 1, |m, a| {
        let number = number(m, a);
        Ok(number.is_some_and(|n| m.program.registry.timers.is_set(n)))
    }),
];

fn number(m: &Ctx, a: Args) -> Option<u64> {
    let c: Cell = m.arg(a, 0);
    c.is_small().then(|| c.small_value().cast_unsigned())
}

/// `'$set_timer'(+Timer, +Seconds, +Goal)`: signals the goal to this thread after so many seconds.
fn set_timer(m: &mut Ctx, a: Args) -> Res {
    let (time, goal) = (m.arg(a, 1), m.arg(a, 2));
    let Some(number) = number(m, a) else {
        let culprit = m.arg(a, 0);
        return Err(m.type_error("integer", culprit));
    };
    let at = after(seconds(m, time)?);
    let goal = qualified(m, goal)?;
    let overtakes = crate::engine::signal_goals::overtakes(&goal);
    let program = m.program.clone();
    match program.registry.timers.set(
        number,
        at,
        &m.thread.control,
        goal,
        overtakes,
        os_thread::timers,
    ) {
        Ok(()) => Ok(true),
        Err(e) => {
            let me = m.arg(a, 0);
            Err(sched_error(m, e, me))
        }
    }
}
