//! Goals that wait for a variable to be bound, as far as there are any: `'$wake_on_binding'/2`, with which tests try each place where a goal
//! may have to run.

use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};

pub const TABLE: &[Entry] = &[det("$wake_on_binding", 2, wake_on_binding)];

/// `'$wake_on_binding'(+Variable, :Goal)`: has the goal called when the variable is bound to something that is no variable, in `user` if it
/// names no module. Several goals run in the order of these calls. A term that is no variable: now.
fn wake_on_binding(m: &mut Ctx, a: Args) -> Res {
    let (variable, goal) = (m.arg(a, 0), m.arg(a, 1));
    let goal = m.structure("call", &[goal])?;
    if !variable.is_ref() {
        return Err(Throw::Rest(goal));
    }
    let segment = m.segment();
    // SAFETY: an unbound variable of this heap, and a term of it.
    unsafe { m.heap.wait_for(variable, goal, segment)? };
    Ok(true)
}
