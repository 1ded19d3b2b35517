//! Predicates that change hands, and kinds that nobody asks for any more.
//!
//! A predicate that is neither multifile nor thread-local is one file's: another file that defines it takes it over, with all clauses that it had.
//! Of static ones that is seen to by what every load does ([`super::reloading`]); of dynamic ones, whose asserted clauses stay when their
//! own file is loaded again, here.
//!
//! *Equation*: with no load in progress, a predicate is dynamic, or thread-local, if a file that has a say in it declares it so, or a goal has
//! made it so, or it has clauses that were asserted. ([`flag::DYNAMIC_BY_FILE`]: no goal has.)
//!
//! What a file declares is in [`Program::sources`](samite_code::Program) from where it is read, so before the load ends. Who takes something back because nothing there says so looks
//! again afterwards (`keep_declared`), as another load may have said so meanwhile.

use crate::engine::ctx::Ctx;
use crate::state::loading::{Load, key};
use samite_code::predicate::{Clause, flag};
use samite_code::sources::What;
use samite_code::{Predicate, database};
use samite_term::{Atom, atoms};

/// Whether a predicate is dynamic, and another file's, so that this file redefines it. To be called in the database.
pub(super) fn is_dynamic_of_other(p: &'static Predicate, file: Atom) -> bool {
    p.is_dynamic()
        && !p.has(flag::MULTIFILE | flag::THREAD_LOCAL | flag::KEPT)
        && clause_of_other(p, file).is_some()
}

/// Whether a predicate is static, and another file's, so that this file redefines it. To be called in the database.
pub(super) fn is_static_of_other(p: &'static Predicate, file: Atom) -> bool {
    !p.has(flag::DYNAMIC | flag::MULTIFILE | flag::THREAD_LOCAL | flag::KEPT)
        && clause_of_other(p, file).is_some()
}

/// Whether a predicate is dynamic, and not because files say so.
pub(super) fn is_dynamic_by_goal(p: &Predicate) -> bool {
    p.is_dynamic() && !p.has(flag::DYNAMIC_BY_FILE)
}

/// The first clause of another file. To be called in the database.
pub(super) fn clause_of_other(p: &'static Predicate, file: Atom) -> Option<&'static Clause> {
    let mut clauses = p.visible_clauses();
    clauses.find(|c| c.file() != atoms::NIL && c.file() != file)
}

impl Ctx<'_> {
    /// A predicate is this file's alone from now on. What others have declared of it is over when the load ends.
    pub(super) fn take_over(&mut self, p: &'static Predicate, file: Atom) {
        let lost = self.program.code.sources.lock().take_over(file, p);
        let load = self.thread.loading.loads.iter_mut();
        if let Some(load) = load.rev().find(|l| l.file() == file) {
            load.lost.extend(lost);
        }
    }

    /// Whether others than the file that is being loaded define a predicate: another file does, or did before this one took it over, or a
    /// goal has made it dynamic.
    pub(super) fn is_others_too(&self, p: &'static Predicate) -> bool {
        let Some(load) = self.thread.loading.loads.last() else {
            return false;
        };
        is_dynamic_by_goal(p)
            || self
                .program
                .code
                .sources
                .lock()
                .is_others_too(load.file(), p)
    }

    /// Whether a predicate is thread-local because the version before of the file said so, which is its only one, and this version has not
    /// so far. What this thread has asserted keeps it so; of other threads nobody can tell.
    pub(super) fn was_local(&mut self, p: &'static Predicate, load: &Load) -> bool {
        if !p.has(flag::THREAD_LOCAL) || !load.was_alone(p) || load.has(p, "thread_local") {
            return false;
        }
        self.reader.enter();
        let own = self.own_local(p);
        p.has(flag::DYNAMIC_BY_FILE) && own.visible_clauses().all(|c| c.file() == load.file())
    }

    /// What was thread-local is so no longer. A clause of a thread-local predicate that is read is this thread's at once: so is the change.
    pub(super) fn end_local(&mut self, p: &'static Predicate, file: Atom) {
        let own = self.own_local(p);
        database::withdraw(own, |c| c.file() == file);
        database::end_thread_local(p);
    }

    /// Before a predicate is declared dynamic or thread-local, by a file or by a goal that nobody is loading.
    pub(super) fn dynamic_by_file(&self, p: &'static Predicate) {
        p.be_dynamic_by(self.is_read_from_file());
    }
    /// Whether a file of a program is being loaded, which has its say.
    pub(super) fn is_read_from_file(&self) -> bool {
        let loading = &self.thread.loading;
        !loading.loads.is_empty() && !loading.system
    }

    /// A load of a file that had or has these predicates has ended: what it declares is so, whatever the end of another load, which did not know that,
    /// has made of it meanwhile; those that no file declares dynamic any more, and that have clauses of files alone, are static.
    pub(super) fn settle_kinds(&mut self, load: &Load, of: &[&'static Predicate]) {
        for &p in of {
            {
                let mut sources = self.program.code.sources.lock();
                for what in What::ALL {
                    let says = !load.declared.is_empty() && load.has(p, what.directive());
                    sources.set_declared(load.file(), p, what, says);
                }
            }
            self.keep_declared(p);
            self.settle_kind(load, p);
        }
    }

    /// The file of this load does not declare a predicate dynamic any more: if no other does it is static, unless it has clauses of no file, or a goal has made it dynamic.
    pub(super) fn settle_kind(&mut self, load: &Load, p: &'static Predicate) {
        let settled = !p.is_dynamic()
            || !p.has(flag::DYNAMIC_BY_FILE)
            || p.has(flag::THREAD_LOCAL | flag::KEPT)
            || load.made_dynamic.contains(&key(p))
            || (self.program.code.sources.lock()).is_declared(p, What::Dynamic);
        if !settled {
            // Without the memory for it, it stays as it is, and so it does while a transaction has changed it.
            _ = self.make_static_if(p, |c| c.file() != atoms::NIL && !p.has(flag::RELOADING));
            self.keep_declared(p);
        }
    }

    /// What files have declared so far of a predicate, in this respect, a goal has taken back.
    pub(super) fn take_back(&mut self, p: &'static Predicate, what: What) {
        for load in &mut self.thread.loading.loads {
            load.takes_back(p, what);
        }
        self.program.code.sources.lock().take_back(p, what);
    }

    /// All of it.
    pub(super) fn forget_declared(&mut self, p: &'static Predicate) {
        for load in &mut self.thread.loading.loads {
            load.forget_declared(p);
        }
        let mut sources = self.program.code.sources.lock();
        let meta = sources.is_declared(p, What::Meta);
        for what in What::ALL {
            sources.take_back(p, what);
        }
        drop(sources);
        if meta {
            p.declare_meta(None);
        }
    }

    /// What the file that is being loaded has.
    pub(super) fn forget_own_declared(&mut self, p: &'static Predicate) {
        let Some(load) = self.thread.loading.loads.last_mut() else {
            return;
        };
        load.forget_declared(p);
        let file = load.file();
        let mut sources = self.program.code.sources.lock();
        for what in What::ALL {
            sources.set_declared(file, p, what, false);
        }
    }

    /// What files declare of a predicate is so. To be called when a file has said so, and when something was taken back because none did: of two loads that end at
    /// the same time one sees what the other has done.
    fn keep_declared(&mut self, p: &'static Predicate) {
        let declared: Vec<What> = {
            let sources = self.program.code.sources.lock();
            let is = |what: &What| sources.is_declared(p, *what);
            What::ALL.into_iter().filter(is).collect()
        };
        for what in declared {
            match what {
                What::Dynamic if !p.is_dynamic() && !p.has(flag::THREAD_LOCAL) => {
                    // (Without the memory for it, it stays as it is.)
                    if self.become_dynamic(p).is_ok() {
                        p.has_become_dynamic_by_file();
                    }
                }
                What::Tabled if !p.has(flag::TABLED) => {
                    database::make_tabled(p);
                    self.tables_are_stale();
                }
                What::Multifile => p.declare(flag::MULTIFILE),
                What::Discontiguous => p.declare(flag::DISCONTIGUOUS),
                What::Public => p.declare(flag::PUBLIC),
                What::Incremental if !p.has(flag::INCREMENTAL | flag::THREAD_LOCAL) => {
                    p.be_incremental();
                    self.tables_are_stale();
                }
                What::Dynamic | What::Tabled | What::Det | What::Volatile => {}
                What::Incremental | What::Meta => {}
            }
        }
    }

    /// What a file declares of its predicates.
    pub(super) fn declared_by(&self, file: Atom) -> Vec<(What, &'static Predicate)> {
        let sources = self.program.code.sources.lock();
        let by = |what| (sources.declared_by(file, what).into_iter()).map(move |p| (what, p));
        What::ALL.into_iter().flat_map(by).collect()
    }

    /// These have been declared so by a file that has been loaded again since, or unloaded: what no file declares so is so no more.
    pub(super) fn settle_declared(&mut self, before: Vec<(What, &'static Predicate)>) {
        for (what, p) in before {
            if self.program.code.sources.lock().is_declared(p, what) {
                continue;
            }
            match what {
                // See [`Ctx::settle_kinds`].
                What::Dynamic => {}
                What::Tabled if p.has(flag::TABLED) => {
                    database::make_untabled(p);
                    self.tables_are_stale();
                }
                What::Tabled => {}
                What::Multifile if !self.has_clauses_of_one(p) => {}
                What::Multifile => self.is_declared_no_more(p, flag::MULTIFILE),
                What::Discontiguous => self.is_declared_no_more(p, flag::DISCONTIGUOUS),
                What::Public => self.is_declared_no_more(p, flag::PUBLIC),
                What::Volatile => self.is_declared_no_more(p, flag::VOLATILE),
                What::Incremental => self.is_declared_no_more(p, flag::INCREMENTAL),
                What::Det => {
                    self.is_declared_no_more(p, flag::DET);
                    database::look_again(p);
                }
                What::Meta if !p.has(flag::KEPT) => p.declare_meta(None),
                What::Meta => {}
            }
            self.keep_declared(p);
        }
    }

    /// Whether the clauses of a predicate are of one file, or of none.
    fn has_clauses_of_one(&mut self, p: &'static Predicate) -> bool {
        self.reader.enter();
        let mut clauses = p.visible_clauses();
        let first = clauses.next().map(Clause::file);
        clauses.all(|c| Some(c.file()) == first)
    }

    fn is_declared_no_more(&self, p: &'static Predicate, declaration: u32) {
        if p.has(declaration) && !p.has(flag::KEPT) {
            p.undeclare(declaration);
            database::undefine_if_empty(p);
        }
    }
}
