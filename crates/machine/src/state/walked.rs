//! The atoms that a program and its threads keep in words of terms, found by walking ([`samite_term::walked`]). What things are called is counted;
//! cells of a thread's heap, and those that its collector knows as roots, are for the collector.

use super::events::ThreadEvents;
use super::leaving::Leaving;
use super::loading::Loading;
use super::program::Program;
use super::results::AllResults;
use super::tabling::Tabling;
use super::thread::Thread;
use samite_term::{Atom, HoldsAtoms};

impl HoldsAtoms for Program {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        self.code.each_atom(f);
        self.registry.each_atom(f);
        self.records.each_atom(f);
        self.tries.each_atom(f);
        self.engines.each_atom(f);
        self.shared_tables.each_atom(f);
        // Those of the libraries' clauses that were read again stay.
        let recalled = self.recalled.read();
        recalled.terms.values().for_each(|term| term.each_atom(f));
    }
}

impl HoldsAtoms for Thread {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        // (Its control block is one of the registry's.)
        self.events.each_atom(f);
        self.leaving.each_atom(f);
        self.results.each_atom(f);
        self.tabling.each_atom(f);
        self.loading.each_atom(f);
        self.flags.values().for_each(|value| value.each_atom(f));
        self.locals.values().for_each(|p| p.each_atom(f));
    }
}

impl HoldsAtoms for ThreadEvents {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        if let Some((_, goal)) = &self.signal_at {
            goal.each_atom(f);
        }
        self.blocked.each_atom(f);
    }
}

impl HoldsAtoms for Leaving {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        let waiting = self.on_their_way.iter();
        waiting.for_each(|exception| exception.ball.record.each_atom(f));
    }
}

impl HoldsAtoms for AllResults {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        let all = self.open.iter().chain(self.bags.values());
        all.for_each(|results| results.records.each_atom(f));
    }
}

impl HoldsAtoms for Tabling {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        for generation in &self.tables.all {
            generation.space.each_atom(f);
            generation.dependencies.each_atom(f);
        }
        self.each_awaited_atom(f);
        if let Some(joint) = self.share.as_ref().and_then(|s| s.joint.as_ref()) {
            joint.each_atom(f);
        }
    }
}

impl HoldsAtoms for Loading {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        self.texts.each_atom(f);
        (self.recalling.values()).for_each(|term| term.each_atom(f));
        for load in &self.loads {
            for pending in &load.pending.all {
                (pending.clauses.iter()).for_each(|c| c.each_atom(f));
            }
            // (Of a dynamic predicate that is a twin, which its predicate tells of as well.)
            (load.shadows.values()).for_each(|(_, shadow)| shadow.each_atom(f));
        }
    }
}
