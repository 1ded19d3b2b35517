//! What must be true of tables and types that only this crate sees, for `tests/checks.rs` alone: as unit tests they would have this
//! crate, the largest one, built twice.

use crate::{builtins, engine, state};

/// Each panics if it is not true of what its name says.
pub const ALL: &[(&str, fn())] = &[
    (
        "a predicate has one row",
        builtins::checks::a_predicate_has_one_row,
    ),
    (
        "flags are sorted",
        builtins::known_flags::checks::rows_are_sorted,
    ),
    (
        "flags begin with one of their values",
        builtins::known_flags::checks::what_cannot_change_has_one_of_its_values,
    ),
    (
        "names that are meant",
        builtins::similar::checks::one_mistake_is_enough_and_two_are_too_many,
    ),
    (
        "numbers of functions",
        engine::arithmetic::checks::compiler_and_evaluator_number_functions_alike,
    ),
    (
        "variables of programs",
        state::outside::checks::programs_do_not_see_each_others_variables,
    ),
    (
        "predicates being read",
        state::pending::checks::what_is_read_is_last,
    ),
];
