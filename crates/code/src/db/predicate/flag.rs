//! Properties of a predicate, bits of [`Predicate::has`](super::Predicate::has).

pub const DYNAMIC: u32 = 1;
pub const MULTIFILE: u32 = 1 << 1;
pub const DISCONTIGUOUS: u32 = 1 << 2;
/// A file says that there are clauses, somewhere: even without them it is defined, and no goal makes it dynamic by adding one.
pub const ANNOUNCED: u32 = MULTIFILE | DISCONTIGUOUS;
/// Part of the system: cannot be changed or redefined by users.
pub const SYSTEM: u32 = 1 << 3;
/// Builtin or control predicate.
pub const BUILTIN: u32 = 1 << 4;
/// The builtin is pure and deterministic: it may run in place, which is no safe point.
pub const INLINE: u32 = 1 << 5;
/// With `INLINE`: it may leave a goal behind, which runs in its stead.
pub const LEAVES_GOAL: u32 = 1 << 25;
pub const TABLED: u32 = 1 << 6;
pub const THREAD_LOCAL: u32 = 1 << 7;
/// Has or had clauses, or was declared.
pub const DEFINED: u32 = 1 << 8;
/// From a library file, may be overridden in `user`.
pub const LIBRARY: u32 = 1 << 9;
/// Users cannot define one of this name in their own modules.
pub const CORE: u32 = 1 << 11;
/// Has clauses from a library file that is still being loaded: only the loading thread may call it.
pub const LOADING: u32 = 1 << 12;
/// Tables may depend on it, and are made anew when it has changed ([`crate::db::changes`]).
pub const INCREMENTAL: u32 = 1 << 13;
/// A control construct that the compiler expands.
pub const CONTROL: u32 = 1 << 10;
/// A file that defines it is being loaded again: the loading thread sees another definition; see [`Predicate::beside`].
pub const RELOADING: u32 = 1 << 14;
/// Declared by the system's own files, for programs.
pub const KEPT: u32 = 1 << 16;
/// Imported, unless it is defined: as part of a whole module, or by name.
pub const WEAK_IMPORT: u32 = 1 << 17;
pub const STRONG_IMPORT: u32 = 1 << 18;
/// With `RELOADING`: it was not defined before.
pub const NEW: u32 = 1 << 15;
/// Dynamic because a file says so, and for no other reason.
pub const DYNAMIC_BY_FILE: u32 = 1 << 24;
/// Its entry tells its meta-arguments their module: those of programs; see [`Predicate::declare_meta`].
pub const QUALIFIES: u32 = 1 << 19;
/// A builtin with no other effect than a unification at its end.
pub const MAKES_TERMS: u32 = 1 << 28;
/// A builtin that adds to what threads have in common, and is refused memory before it has changed anything.
pub const REFUSES_FIRST: u32 = 1 << 26;
/// A builtin that may lower the memory limit.
pub const LOWERS_LIMIT: u32 = 1 << 27;
/// Somebody is to be told of its changes (`prolog_listen/2`).
pub const LISTENED: u32 = 1 << 29;
/// Its clauses are rules of single-sided unification ([`crate::neck`]), or the last ones were: a call that none takes is an error.
pub const ONE_SIDED: u32 = 1 << 30;
/// Declared deterministic (`det/1`): its entry looks at what calls come to.
pub const DET: u32 = 1 << 31;
/// What its file says of it, and nobody but `predicate_property/2` asks for, `DET` and `INCREMENTAL` excepted.
pub const PUBLIC: u32 = 1 << 20;
pub const VOLATILE: u32 = 1 << 21;
pub const NOPROFILE: u32 = 1 << 22;
/// Its file was read with the flag `generate_debug_info` off.
pub const NODEBUG: u32 = 1 << 23;
pub const TOLD: u32 = PUBLIC | VOLATILE | NOPROFILE | NODEBUG | DET | INCREMENTAL;
