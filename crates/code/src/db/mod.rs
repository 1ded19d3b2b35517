//! The database: predicates, their clauses, the indexes over them, and how what readers may still hold is freed.
//!
//! Its modules know those above them in this list only:
//!
//! | module | concept |
//! |---|---|
//! | `retire`, `chain` | what reclamation knows of what it retires; chains of it |
//! | [`clock`] | generations, snapshots, and the moment of many changes at once |
//! | [`sight`] | what the thread of a transaction sees |
//! | [`readers`] | workers that read |
//! | `limbo` | what waits to be freed, by predicate, and the walks that it waits for |
//! | [`frames`] | freeing what continuations may return into |
//! | [`reclaim`] | freeing what readers may still hold |
//! | `key` | keys of terms |
//! | [`place`] | places in heads: what calls, records and code have there |
//! | [`list`] | lists of clauses that readers use without locks |
//! | [`keys`] | from keys to such lists |
//! | `nodes` | the indexes of a predicate, and which calls they help |
//! | [`masks`] | which clauses of a chain a call may match |
//! | `keyed` | which those of a long one, by the first argument |
//! | `switch`, `guard` | entry code of static predicates; what is decided in it before a choicepoint is made |
//! | `names`, `origins`, [`modes`] | references to clauses; texts that files include; modes of tabled predicates |
//! | [`predicate`] | predicates and clauses, and what those of one program have in common |
//! | `assess` | which index helps |
//! | [`index`] | making them on demand, and keeping them up |
//! | [`view`] | what a call sees of a predicate's clauses |
//! | `kinds` | undefined, static, dynamic, tabled: flags, entry code and the form of the clauses together |
//! | `lists` | clauses that come to the lists of one predicate, and leave them |
//! | `sweep`, `exchange` | the same in several lists at once; many in one step |
//! | [`twins`] | what a thread sees of a dynamic predicate whose file it loads again |
//! | [`database`] | adding and erasing clauses |
//! | [`transaction`] | changes that only one thread sees until they are made all at once |
//! | [`link`] | building entry code of static predicates |
//! | [`changes`] | what became of incremental predicates, for tables that depend on them |
//! | `walked` | the atoms of clauses |

mod apart;
mod assess;
pub(crate) mod chain;
pub mod changes;
pub mod clock;
pub mod database;
mod exchange;
pub mod frames;
mod guard;
mod head;
pub mod horn;
pub mod index;
pub(crate) mod key;
pub mod keyed;
pub mod keys;
pub(crate) mod kinds;
pub mod limbo;
pub mod link;
pub mod list;
mod lists;
pub mod masks;
pub mod modes;
pub(crate) mod names;
mod nodes;
pub(crate) mod origins;
pub mod place;
pub mod predicate;
pub mod readers;
pub mod reclaim;
pub(crate) mod retire;
pub mod sight;
mod stretches;
mod sweep;
pub(crate) mod switch;
pub mod transaction;
pub mod twins;
pub mod view;
mod walked;

#[cfg(all(test, not(loom)))]
mod list_tests;
