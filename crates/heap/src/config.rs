//! Sizes and switches of a heap, and how they are said in the environment. Whoever makes a heap reads them once; nothing here changes later.

use crate::heap::MIN_NURSERY;

/// Sizes and switches of a heap.
#[derive(Debug, Clone, Copy)]
pub struct HeapConfig {
    /// Bytes of the nursery.
    pub nursery: usize,
    /// Bytes of it that are used until its first collection, if not 0: who ends, or waits, before that has touched no more of it.
    pub first: usize,
    /// Most bytes the thread may hold in its heap and stacks.
    pub limit: usize,
    /// Collect at every n-th safe point; 0: only when needed.
    pub stress: u32,
    /// Not 0: after every collection the nursery ends a few random words behind its start (the seed).
    pub crowded: u64,
    /// Not 0: atoms are collected whenever so many bytes of them have been made.
    pub atoms: usize,
}

impl Default for HeapConfig {
    fn default() -> Self {
        HeapConfig {
            // (Miri takes a second for each megabyte.)
            nursery: if cfg!(miri) { MIN_NURSERY } else { 4 << 20 },
            first: 0,
            limit: 1 << 30,
            stress: 0,
            crowded: 0,
            atoms: 0,
        }
    }
}

impl HeapConfig {
    /// The default with `SAMITE_NURSERY` (bytes), `SAMITE_GC_STRESS` (n), `SAMITE_NURSERY_STRESS` (seed) and `SAMITE_ATOM_STRESS` (bytes) from the environment. The error
    /// names the variable that is no such number.
    pub fn from_environment() -> Result<HeapConfig, String> {
        let number = |name: &str| match std::env::var_os(name) {
            None => Ok(None),
            Some(value) => match value.to_str().and_then(|v| v.parse::<usize>().ok()) {
                Some(n) => Ok(Some(n)),
                None => Err(format!("{name}={}: not a number", value.display())),
            },
        };
        let mut c = HeapConfig::default();
        if let Some(n) = number("SAMITE_NURSERY")? {
            c.nursery = n;
        }
        if let Some(n) = number("SAMITE_GC_STRESS")? {
            c.stress = n as u32;
        }
        if let Some(n) = number("SAMITE_NURSERY_STRESS")? {
            c.crowded = n as u64;
        }
        if let Some(n) = number("SAMITE_ATOM_STRESS")? {
            c.atoms = n;
        }
        c.nursery = c.nursery.clamp(MIN_NURSERY, 1 << 30);
        c.limit = affordable(c.limit);
        Ok(c)
    }
}

/// `limit`, or less where the system lets the process have so little address space (`RLIMIT_AS`) that a collection of a heap of that
/// size could not map what it copies to.
pub fn affordable(limit: usize) -> usize {
    match crate::address_space::left() {
        // Half as much again as the heap is mapped to copy to; some is for others.
        Some(left) => limit.min(left / 8 * 3).max(MIN_NURSERY),
        None => limit,
    }
}
