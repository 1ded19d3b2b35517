//! The directives of `format/2` that the program has defined (`format_predicate/2`): those of all its threads. `builtins/formats.rs` alone uses it.

use parking_lot::{Mutex, RwLock};
use samite_stream::format::UserDirective;
use samite_term::{HeldAtom, HeldFunctor, growth};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The predicate that a directive runs.
#[derive(Clone, Debug)]
pub(crate) struct Own {
    pub module: HeldAtom,
    pub functor: HeldFunctor,
}

/// What there is at some time, in the order of definition: the directives, and what they run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Present {
    pub directives: Vec<UserDirective>,
    pub run: Vec<Own>,
}

/// See the module text.
#[derive(Debug, Default)]
pub struct Directives {
    /// There is one: false in most programs, and then nothing else is looked at.
    any: AtomicBool,
    present: RwLock<Arc<Present>>,
    /// Held by who defines one.
    defining: Mutex<()>,
}

impl Directives {
    /// Those that there are, if any.
    pub(crate) fn present(&self) -> Option<Arc<Present>> {
        // Relaxed: who hears otherwise that one has been defined has heard it by something that orders both.
        self.any
            .load(Ordering::Relaxed)
            .then(|| self.present.read().clone())
    }
    /// Defines one, or defines it anew. Formatting that has begun goes on with what there was.
    pub(crate) fn define(&self, directive: UserDirective, run: Own) -> Result<(), growth::Refused> {
        let _defining = self.defining.lock();
        let mut new = Present::clone(&self.present.read());
        match new.directives.iter().position(|d| d.name == directive.name) {
            Some(i) => {
                new.directives[i] = directive;
                new.run[i] = run;
            }
            None => {
                growth::push(&mut new.directives, directive)?;
                growth::push(&mut new.run, run)?;
            }
        }
        *self.present.write() = Arc::new(new);
        self.any.store(true, Ordering::Relaxed);
        Ok(())
    }
}
