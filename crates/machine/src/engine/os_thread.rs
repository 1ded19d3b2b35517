//! OS threads of a program, most of them for Prolog threads: when one may be made. Each belongs to the program whose thread made it. How is known to [`samite_world::threads`].
//!
//! The system limits the number of mappings of a process (Linux: `vm.max_map_count`), and past that limit *every*
//! allocation fails, whoever makes it. So the last eighth is not for threads:
//! `mappings when counted last + MAPPINGS × threads made since ≤ 7/8 of the limit`, or they are counted again.

use samite_heap::address_space;
use samite_sched::apart::Threads;
use samite_term::common;
use samite_world::threads;
use std::sync::atomic::{AtomicUsize, Ordering};

/// More mappings than a thread makes: stack and guard, nursery, registers, choicepoints, its share of the allocator (5 or 6 measured).
const MAPPINGS: usize = 24;

/// Runs `f` on a new, detached OS thread. False if the system has none left.
pub(crate) fn spawn(name: &str, stack: usize, f: impl FnOnce() + Send + 'static) -> bool {
    has_room() && threads::spawn(name, stack, address_space::make_room, of_this_program(f))
}

/// The same on one that may have run such a thread before, of this program or another one: one Prolog thread after the other.
pub(crate) fn spawn_for(name: &str, stack: usize, f: impl FnOnce() + Send + 'static) -> bool {
    let (make_room, over) = (address_space::make_room, address_space::settle);
    has_room() && threads::spawn_for(name, stack, make_room, over, of_this_program(f))
}

fn has_room() -> bool {
    room_for_mappings() && address_space::has_reserve() && threads::c_library_has_room()
}

/// What a thread does that belongs to the program of the calling one.
fn of_this_program(f: impl FnOnce() + Send + 'static) -> impl FnOnce() + Send + 'static {
    let account = common::account();
    move || {
        let _in = account.enter();
        f();
    }
}

/// Stack of a thread that calls nothing that is deep.
const SMALL_STACK: usize = 128 << 10;

/// The thread that lets timers go off.
pub(crate) fn timers(run: Box<dyn FnOnce() + Send>) -> bool {
    spawn("timers", SMALL_STACK, run)
}

/// The thread that asks for the descriptors that light threads wait for.
pub(crate) fn poller(run: Box<dyn FnOnce() + Send>) -> bool {
    spawn("poller", SMALL_STACK, run)
}

/// Threads that make calls for others.
pub(crate) const APART: Threads = Threads {
    spawn: |f| spawn("apart", SMALL_STACK, f),
    me: threads::me,
    kick: threads::kick,
};

/// Mappings when counted last, and threads made since, which a thread that ended does not undo.
static COUNTED: AtomicUsize = AtomicUsize::new(0);
static SINCE: AtomicUsize = AtomicUsize::new(0);

/// Whether another thread leaves enough mappings to everybody else. Threads that ask at the same time may each count; the
/// eighth kept back is thousands of times what that can be wrong by.
pub(in crate::engine) fn room_for_mappings() -> bool {
    let limit = threads::mapping_limit() / 8 * 7;
    // Relaxed: two counters, nothing else is read through them.
    let since = SINCE.fetch_add(1, Ordering::Relaxed) + 1;
    if COUNTED.load(Ordering::Relaxed) + MAPPINGS * since <= limit {
        return true;
    }
    let counted = threads::mappings();
    COUNTED.store(counted, Ordering::Relaxed);
    SINCE.store(1, Ordering::Relaxed);
    counted + MAPPINGS <= limit
}
