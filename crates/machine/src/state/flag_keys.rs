//! The values of `flag/3`: what there is of them. Invariants: `builtins/flag_keys.rs`, whose builtins alone use it.

use parking_lot::Mutex;
use rustc_hash::{FxBuildHasher, FxHashMap};
use samite_term::common::Charge;
use samite_term::{Cell, HeldAtom, HeldCell};
use std::hash::BuildHasher;

/// A constant, or the header of a compound with the key's name and arity.
pub(crate) type Key = HeldCell;

#[derive(Clone, Debug)]
pub(crate) enum Value {
    Atom(HeldAtom),
    Int(i64),
    Float(f64),
}

impl Value {
    /// Whether the other is the same, to the bit.
    pub(crate) fn is(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Atom(a), Value::Atom(b)) => a.get() == b.get(),
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
            _ => false,
        }
    }
}

/// The flags of one program.
///
/// Several tables, so that growing copies little at a time and what it leaves is used by the next.
#[derive(Debug, Default)]
pub struct FlagKeys {
    pub(crate) tables: [Mutex<Table>; TABLES],
}

pub(crate) const TABLES: usize = 32;

impl FlagKeys {
    pub(crate) fn of(&self, key: Cell) -> &Mutex<Table> {
        // Not the bits that the table itself goes by.
        let hash = FxBuildHasher.hash_one(key);
        &self.tables[(hash >> 40) as usize % TABLES]
    }
}

#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) values: FxHashMap<Key, Value>,
    pub(crate) charge: Charge,
}

impl Default for Table {
    fn default() -> Table {
        Table {
            values: FxHashMap::default(),
            charge: Charge::new(0),
        }
    }
}
