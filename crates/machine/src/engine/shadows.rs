//! What a thread that loads a file again sees of the file's predicates: those of a fresh process, while others see the old ones.
//!
//! Each has a *shadow* for this, a predicate of its own that only the loading thread calls. That of a static one has copies of the new clauses
//! read so far, and of those that other files have added; that of a dynamic one is its [twin](samite_code::twins), which has the clauses
//! themselves, and what is asserted and retracted meanwhile is so for all. A call tells the threads apart in the cold path of `Undefined`
//! ([`samite_code::predicate::flag::RELOADING`]), so that nobody pays who does not call a predicate that is being loaded again. Thread-local
//! predicates have no shadow: other threads see nothing of this thread's clauses as it is. Threads that goals of the load start call the shadows of
//! static predicates as long as the load goes on ([`Inherited`](crate::state::loading::Inherited)), and do not have either what it has not imported so far.
//!
//! Hooks of other files that are asked what becomes of a term, and call what is being loaded again, find the version before of it
//! ([`Loading::asks_version_before`](crate::state::loading::Loading)): else they would mean nothing, or half of what they say, while their own file is read. Hooks of messages find
//! what has been read, and the version before of the rest. And what a name of the file's was linked to by an import that the
//! new version has not made so far is hidden from this thread ([`Worker::seen_link`]).
//!
//! *Equation*: a load of a file that was loaded before ([`Load::again`]) has, since the first time that it ran anything of the program, a
//! shadow of each predicate that the file defined or has defined since, with all of the clauses read until it last
//! ran anything.

use crate::engine::worker::Worker;
use samite_code::Predicate;
use samite_code::index::fail_code;
use samite_code::instr::{self, Op};
use samite_code::predicate::flag;
use samite_term::{Atom, Functor};

/// Entry code, unless it is that of what has no definition.
pub(crate) fn leading_somewhere(code: *const u64) -> Option<*const u64> {
    // SAFETY: entry code is at least one word.
    let op = instr::op(unsafe { *code });
    (op != Op::Undefined).then_some(code)
}

impl Worker {
    /// The predicate whose clauses this thread sees: its own copy of a thread-local one, the shadow of one that it loads again.
    #[inline]
    pub(crate) fn own(&mut self, p: &'static Predicate) -> &'static Predicate {
        if !p.has(flag::THREAD_LOCAL | flag::RELOADING) {
            return p;
        }
        if p.has(flag::RELOADING) {
            self.await_step();
            return self.thread.loading.shadow(p).unwrap_or(p);
        }
        self.own_local(p)
    }

    /// This thread's copy, if the predicate is thread-local.
    pub(crate) fn own_local(&mut self, p: &'static Predicate) -> &'static Predicate {
        if !p.has(flag::THREAD_LOCAL) {
            return p;
        }
        let id = std::ptr::from_ref(p) as usize;
        if let Some(own) = self.thread.locals.get(&id) {
            return own;
        }
        let mut spare = self.program.spare_locals.lock();
        let own = match spare.get_mut(&id).and_then(Vec::pop) {
            Some(own) => own,
            None => {
                let own = Predicate::new(p.domain, p.module(), p.functor());
                samite_code::database::make_dynamic(own);
                own
            }
        };
        drop(spare);
        self.thread.locals.insert(id, own);
        own
    }

    /// A predicate is called that is being loaded again: the code to run, `None` if it is not defined.
    #[cold]
    pub(in crate::engine) fn reloading(&self, p: &'static Predicate) -> Option<*const u64> {
        let (code, declared) = match self.seen_by(p) {
            Some(shadow) => (
                shadow.entry(),
                shadow.has(flag::DEFINED) || self.thread.loading.says_nothing(p),
            ),
            None => (p.beside(), !p.has(flag::NEW)),
        };
        leading_somewhere(code).or_else(|| declared.then_some(fail_code()))
    }

    /// What this thread calls in place of a predicate that is being loaded again; `None`: what others call.
    fn seen_by(&self, p: &'static Predicate) -> Option<&'static Predicate> {
        let loading = &self.thread.loading;
        match loading.shadow(p) {
            Some(shadow) => (!loading.asks_version_before(p, shadow)).then_some(shadow),
            None => loading.inherited(p),
        }
    }

    /// What a name is linked to as this thread sees it: not by what only the version before of a file says that it loads again.
    pub(crate) fn seen_link(&self, p: &'static Predicate) -> Option<&'static Predicate> {
        p.link().filter(|to| !self.thread.loading.hides(p, to))
    }

    /// Whether a predicate is dynamic as this thread sees it.
    pub(crate) fn is_dynamic(&mut self, p: &'static Predicate) -> bool {
        self.own(p).is_dynamic()
    }

    /// Whether a predicate is defined as this thread sees it, or declared.
    pub(crate) fn is_defined(&self, p: &'static Predicate) -> bool {
        match p.has(flag::RELOADING).then(|| self.seen_by(p)) {
            Some(Some(shadow)) => shadow.has(flag::DEFINED),
            Some(None) => !p.has(flag::NEW),
            None => p.is_defined(),
        }
    }

    /// What a name means in a module, as this thread sees it; see [`Program::resolve`](samite_code::Program::resolve).
    pub(crate) fn resolve(&self, module: Atom, functor: Functor) -> Option<&'static Predicate> {
        let program = &self.program.code;
        let loading = &self.thread.loading;
        if loading.loads.is_empty() && loading.inherited.is_empty() {
            return program.resolve(module, functor);
        }
        program.resolve_as(
            module,
            functor,
            |p| self.is_defined(p),
            |p| self.seen_link(p),
        )
    }
}
