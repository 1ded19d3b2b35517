//! The machine: a worker, and what it does to run a Prolog thread.
//!
//! | module | concept |
//! |---|---|
//! | [`worker`] | registers, heap and choicepoints of the thread that runs |
//! | [`begin`] | from memory to a worker, and the end of one |
//! | [`going`] | where a run goes on, and how it ends |
//! | [`run`] | the loop around the instructions |
//! | `ops` | the instructions |
//! | `alone` | instructions run one at a time, from where goals were woken to where they can run |
//! | [`control`] | calling goals, exceptions, cleanup, events at safe points |
//! | [`ctx`] | what builtins get of the machine |
//! | `services` | what the engine asks of the builtins |
//! | `errors` | constructors of error terms |
//! | [`atoms`] | collecting atoms |
//! | `telling` | what a worker tells of its atoms |
//! | `limits` | the limit of inferences |
//! | `asleep` | engines between two answers, light threads that wait |
//! | `folded` | light threads that wait long, without a worker |
//! | `driver` | runs a thread, and the engines that it asks |
//! | [`carrier`] | runs light threads on OS threads that they share |
//! | `life` | a thread's steps from its goal to its status |
//! | `left` | engines that a thread has left in the midst of a load |
//! | [`query`] | how a host runs queries |
//! | [`host`] | what a host does with a worker on a thread of its own |
//! | [`collect`] | when and from which roots to collect |
//! | `room` | asking for memory |
//! | `terms` | terms, arguments and registers |
//! | [`dynamic`] | calls of dynamic predicates |
//! | `walk` | walks over clauses, as choicepoints keep them |
//! | `pins` | what choicepoints read of the database |
//! | `shadows` | predicates as a thread sees them that loads a file |
//! | `step` | a file's definitions change for all threads at once |
//! | [`tabling`] | SLG evaluation |
//! | [`blocked`] | what blocks in the system, and who need not wait for it |
//! | `given_up` | why a long operation has no result, until the machine hears of it |
//! | `by_thread` | what is kept by OS thread |
//! | `called` | calling deterministic builtins |
//! | `long` | events in the middle of a long operation |
//! | `mapped` | what a worker maps before it begins, and for whom the last part of memory is not |
//! | `os_thread` | OS threads, and when to have no more of them |
//! | `places` | where a thread stands, for who shows it |
//! | `results` | results of `findall/3` |
//! | `signal_goals` | the goals of signals: which end what runs, which may not be broken off |
//! | `standard_streams` | the streams of a thread |
//! | [`arithmetic`] | between cells and the evaluator |
//!
//! Registers, choicepoints and what changes the flow of control are private to this module. A builtin cannot touch them: it sees the worker as a
//! [`Ctx`](crate::Ctx), and what is visible outside is what may be called in the middle of one.

mod alone;
pub mod arithmetic;
pub(crate) mod asleep;
pub mod atoms;
pub mod begin;
pub mod blocked;
pub(in crate::engine) mod by_thread;
pub(crate) mod called;
pub mod carrier;
pub mod collect;
pub mod control;
pub mod ctx;
pub(crate) mod driver;
pub mod dynamic;
pub(crate) mod errors;
pub(crate) mod folded;
pub(crate) mod given_up;
pub mod going;
pub mod host;
mod left;
pub(crate) mod life;
pub(crate) mod limits;
pub(crate) mod long;
pub(crate) mod mapped;
pub(crate) mod ops;
pub(crate) mod os_thread;
pub(crate) mod pins;
pub(crate) mod places;
pub mod query;
pub(crate) mod results;
pub(crate) mod room;
pub mod run;
pub(crate) mod services;
pub(crate) mod shadows;
pub(crate) mod signal_goals;
pub(crate) mod standard_streams;
pub(crate) mod step;
pub mod tabling;
pub(in crate::engine) mod telling;
mod terms;
pub(crate) mod walk;
pub mod worker;
