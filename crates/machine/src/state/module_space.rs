//! How much the clauses of a module may take (`set_module(program_space(Bytes))`). `builtins/modules.rs` sets it, who adds clauses asks.

use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use samite_term::{Atom, HeldAtom};
use std::sync::atomic::{AtomicBool, Ordering};

/// A module's limit.
#[derive(Clone, Copy, Debug)]
struct Limit {
    bytes: usize,
    /// So much may be added before what there is must be counted again.
    left: usize,
}

/// Of one program.
#[derive(Debug, Default)]
pub struct ModuleSpace {
    /// There is one: false in most programs, and then nothing else is looked at.
    any: AtomicBool,
    of: Mutex<FxHashMap<HeldAtom, Limit>>,
}

impl ModuleSpace {
    /// The limit of a module, if it has one.
    pub(crate) fn limit(&self, module: Atom) -> Option<usize> {
        self.of.lock().get(&module).map(|l| l.bytes)
    }
    /// Sets it; 0: there is none.
    pub(crate) fn set_limit(&self, module: Atom, bytes: usize) {
        let mut of = self.of.lock();
        match bytes {
            0 => drop(of.remove(&module)),
            _ => drop(of.insert(module.hold(), Limit { bytes, left: 0 })),
        }
        self.any.store(!of.is_empty(), Ordering::Relaxed);
    }
    /// Whether `bytes` more are within the limit, where `count` says how many there are. (What is counted holds for half of what is left, as clauses go
    /// meanwhile, too: so counting costs each clause little.)
    #[inline]
    pub(crate) fn has_room(
        &self,
        module: Atom,
        bytes: usize,
        count: impl FnOnce() -> usize,
    ) -> bool {
        !self.any.load(Ordering::Relaxed) || self.has_room_within(module, bytes, count)
    }
    #[cold]
    fn has_room_within(&self, module: Atom, bytes: usize, count: impl FnOnce() -> usize) -> bool {
        let left = match self.of.lock().get_mut(&module) {
            None => return true,
            Some(l) if bytes <= l.left => {
                l.left -= bytes;
                return true;
            }
            Some(l) => *l,
        };
        let Some(rest) = left.bytes.checked_sub(count() + bytes) else {
            return false;
        };
        if let Some(l) = self.of.lock().get_mut(&module) {
            l.left = rest / 2;
        }
        true
    }
}
