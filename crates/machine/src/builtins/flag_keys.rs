//! The values of `flag/3` and its kin: a table from keys to numbers and atoms, program by all threads. The library
//! (`flag_keys.pl`) checks keys and values; where reading and writing are one step, the new value takes the place of the one that was read
//! or of none, as nothing may be locked while an expression is evaluated: that takes long, and events are handled meanwhile.
//!
//! A key is a constant, or `key(Name, Arity)` for a compound. Invariant: [`Table::charge`] is what the table takes, and was asked for
//! before the table grew.

use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use crate::state::flag_keys::{Key, Value};
use samite_term::{Cell, Functor, Number, View, growth};

pub const TABLE: &[Entry] = &[
    // '$flag_value'(+Key, -Value): fails if the key has none.
    det("$flag_value", 2, |m, a| {
        let key = key(m, a)?;
        let value = m.program.flag_keys.of(key).lock().values.get(&key).cloned();
        let Some(value) = value else {
            return Ok(false);
        };
        let value = match value {
            Value::Atom(a) => Cell::atom(a.get()),
            Value::Int(n) => m.number_cell(&Number::Int(n))?,
            Value::Float(f) => m.number_cell(&Number::Float(f))?,
        };
        Ok(m.unify_arg(a, 1, value))
    }),
    det("$set_flag_value", 2, set),
    det("$swap_flag_value", 3, swap),
    det("$count_flag", 2, count),
    // '$flag_keys'(-Keys): in no order.
    det("$flag_keys", 1, |m, a| {
        let mut keys: Vec<Key> = Vec::new();
        for table in &m.program.flag_keys.tables {
            keys.extend(table.lock().values.keys().cloned());
        }
        let mut items = Vec::with_capacity(keys.len());
        for key in keys {
            let key = key.get();
            items.push(match key.is_immediate() {
                true => {
                    m.heap.meet(key);
                    key
                }
                false => {
                    let f = Functor::from_cell(key);
                    let (name, arity) = (Cell::atom(f.name()), Cell::small(f.arity() as i64));
                    m.structure("key", &[name, arity])?
                }
            });
        }
        let list = m.heap.list(&items, Cell::NIL)?;
        Ok(m.unify_arg(a, 0, list))
    }),
];

fn key(m: &mut Ctx, a: Args) -> Result<Cell, Throw> {
    let c = m.arg(a, 0);
    if c.is_immediate() {
        return Ok(c);
    }
    let name = m.term(c).callable().and_then(|(_, args)| {
        let arity = match args.get(1).view() {
            View::Int(n) => usize::try_from(n).ok()?,
            _ => return None,
        };
        Some(Functor::new(args.get(0).as_atom()?, arity))
    });
    match name {
        Some(f) => Ok(f.cell()),
        None => Err(m.type_error("key", c)),
    }
}

fn value(m: &mut Ctx, a: Args, i: usize) -> Result<Value, Throw> {
    let c = m.arg(a, i);
    match m.term(c).number() {
        Some(Number::Int(n)) => Ok(Value::Int(n)),
        Some(Number::Float(f)) => Ok(Value::Float(f)),
        None if c.is_atom() => Ok(Value::Atom(c.atom_of().hold())),
        _ => Err(m.type_error("flag_value", c)),
    }
}

/// `'$set_flag_value'(+Key, +Value)`.
fn set(m: &mut Ctx, a: Args) -> Res {
    let (key, value) = (key(m, a)?, value(m, a, 1)?);
    put(m, key, None, value)
}

/// `'$swap_flag_value'(+Key, +Old, +Value)`: fails if the key has another value than Old; without one it has 0.
fn swap(m: &mut Ctx, a: Args) -> Res {
    let (key, old, value) = (key(m, a)?, value(m, a, 1)?, value(m, a, 2)?);
    put(m, key, Some(old), value)
}

/// Sets a value, if it is the `expected` one now.
fn put(m: &mut Ctx, key: Cell, expected: Option<Value>, value: Value) -> Res {
    let program = m.program.clone();
    let mut table = program.flag_keys.of(key).lock();
    let now = table.values.get(&key);
    if expected.is_some_and(|e| !now.unwrap_or(&Value::Int(0)).is(&e)) {
        return Ok(false);
    }
    if !growth::map_insert(&mut table.values, key.hold(), value, |n| m.room(n).is_ok()) {
        return Err(Throw::Memory);
    }
    let bytes = growth::map_bytes(&table.values);
    table.charge.adjust(bytes);
    Ok(true)
}

/// `'$count_flag'(+Key, -N)`: adds one to the integer that is the value, at first 0, without any step between; N is what it is then.
fn count(m: &mut Ctx, a: Args) -> Res {
    let key = key(m, a)?;
    let program = m.program.clone();
    let mut table = program.flag_keys.of(key).lock();
    let n = match table.values.get_mut(&key) {
        Some(Value::Int(n)) => {
            *n = n.wrapping_add(1);
            *n
        }
        _ => {
            let held = key.hold();
            if !growth::map_insert(&mut table.values, held, Value::Int(1), |n| {
                m.room(n).is_ok()
            }) {
                return Err(Throw::Memory);
            }
            let bytes = growth::map_bytes(&table.values);
            table.charge.adjust(bytes);
            1
        }
    };
    drop(table);
    m.unify_int(a, 1, n)
}
