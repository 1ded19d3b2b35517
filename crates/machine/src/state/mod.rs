//! What there is: of a thread, of a program. The data and their invariants; who works on them is above.
//!
//! | module | what |
//! |---|---|
//! | [`choice`], [`frame`] | the choicepoint stack; continuations |
//! | [`internal`] | resume points and alternatives that are not compiled code |
//! | [`thread`] | a Prolog thread, but for the registers; its groups are `events`, `leaving`, `results`, `streams`, `loading` (with `pending`), `locale`, `tabling`, `pins`, `transactions` |
//! | [`program`] | what all threads share; its parts are [`ending`], [`engines`], [`outside`], [`records`], [`sockets`], [`tries`], [`flag_keys`], [`directives`], [`module_space`], [`wrappers`], [`library`], [`line_reader`] |
//! | `packed` | threads that are folded |
//! | `tokens` | terms as words of tables and tries |
//! | `walked` | the atoms that a program and its threads keep in words of terms |
//! | `room` | asking for memory that is no thread's own |

pub mod choice;
pub(crate) mod depth;
pub mod directives;
pub mod ending;
pub mod engines;
pub(crate) mod events;
pub mod flag_keys;
pub mod frame;
pub mod internal;
pub(crate) mod leaving;
pub mod library;
pub mod light;
pub mod line_reader;
pub(crate) mod loading;
pub(crate) mod locale;
pub mod memory_files;
pub mod module_space;
pub mod outside;
pub(crate) mod packed;
pub(crate) mod pending;
pub(crate) mod pins;
pub mod program;
pub(crate) mod recent_queue;
pub(crate) mod record_list;
pub mod records;
pub(crate) mod results;
pub mod resume_points;
pub(crate) mod room;
pub mod sockets;
pub(crate) mod streams;
pub(crate) mod tabling;
pub mod thread;
pub(crate) mod tokens;
pub mod told;
pub(crate) mod transactions;
pub mod tries;
mod walked;
pub mod wrappers;
