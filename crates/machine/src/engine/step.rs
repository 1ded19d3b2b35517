//! The step in which a file's new definitions take the place of the old ones, for all threads at once.
//!
//! Predicates are exchanged one after another. So that nobody sees some of one version and some of the other, those that the file defined or
//! defines are marked first ([`flag::RELOADING`]: their entries lead through the cold path of `Undefined`), then exchanged, withdrawn, made dynamic or
//! static, and then the marks are taken away. Who comes to a marked one meanwhile, by a call or to look at its clauses ([`Worker::own`]), waits
//! for the end ([`Worker::await_step`]); nobody pays who calls another one.
//!
//! *Invariant*: once a call has found what is new, no call that begins afterwards finds anything that is old, in this thread or in one that has heard of
//! it. For a call that begins when the marks are set waits for the end; one that has begun before may find either, and what it calls in its turn is
//! marked. Nor are answers of tables from before looked at from then on: who steps makes them stale before the first exchange. (A goal that runs keeps its clauses, and of
//! two calls, one after the other, the second may be the first to find what is new. Who asks what is defined, and does not call it, does not wait.)
//!
//! Nobody else steps meanwhile, and who waits holds no lock: whoever steps takes others' locks. A step waits for nobody, and runs nothing of the program.
//! Thread-local predicates are not marked: nobody else sees this thread's clauses.

use crate::engine::worker::Worker;
use samite_code::Predicate;
use samite_code::predicate::{Marked, flag};

/// This thread steps as long as this is there. A panic ends a step, too: others would wait for ever.
struct Stepping<'a>(&'a mut Worker);

impl<'a> Stepping<'a> {
    fn begin(worker: &'a mut Worker) -> Stepping<'a> {
        worker.thread.loading.steps = true;
        Stepping(worker)
    }
}

impl Drop for Stepping<'_> {
    fn drop(&mut self) {
        self.0.thread.loading.steps = false;
    }
}

impl Worker {
    /// Does something to these predicates in one step.
    pub(crate) fn in_one_step<T>(
        &mut self,
        of: &[&'static Predicate],
        done: impl FnOnce(&mut Worker) -> T,
    ) -> T {
        if of.is_empty() {
            return done(self);
        }
        let program = self.program.clone();
        let _step = program.step.lock();
        let is_marked = |p: &&'static Predicate| !p.has(flag::THREAD_LOCAL);
        let stepping = Stepping::begin(self);
        let _marked = Marked::begin(of.iter().copied().filter(is_marked).collect());
        done(stepping.0)
    }

    /// A predicate that is marked is called, or its clauses are to be looked at.
    #[cold]
    pub(crate) fn await_step(&self) {
        // (Whoever has seen a mark sees that the lock is held, as long as it is.)
        if self.program.step.is_locked() && !self.thread.loading.steps {
            drop(self.program.step.lock());
        }
    }
}
