//! Asking for memory that is no thread's own: whether there is some, of the limit and of the system.

use samite_heap::address_space;
use samite_term::common;
use samite_term::growth::MUCH;

/// Whether what all threads have in common may grow by so many bytes: the limit (and `beyond` it) lets it, and so does the system.
pub(crate) fn has_common_room(bytes: usize, beyond: usize) -> bool {
    match beyond {
        0 => common::may_take(bytes, 0),
        _ => common::has_room(bytes, beyond) && (bytes < MUCH || address_space::has_room(bytes)),
    }
}

/// Whether the system has so many bytes more for what can be refused.
pub(crate) fn has_system_room(bytes: usize) -> bool {
    !address_space::is_short() && (bytes < MUCH || address_space::has_room(bytes))
}
