//! Operators by module: what a module says of operators holds in it and in those that inherit from it (in all, for `user`), as far as these
//! say nothing themselves.
//!
//! What a module sees is one table ([`OperatorTables::of`]), made from the definitions of the modules it inherits from when it is first asked
//! for, a snapshot that never changes while somebody holds it.
//!
//! *Equation*: the table of a module is `system`'s definitions, overwritten by those of the modules between that and itself, from the
//! farthest to its own; priority 0 takes away. A table that is kept is the one that would be made now.

use crate::inherit::Inheritance;
use parking_lot::RwLock;
use rustc_hash::FxHashMap;
use samite_syntax::ops::{OpType, Operators};
use samite_term::{Atom, HeldAtom, atoms};
use std::sync::Arc;

/// What a module says of operators: names with the place where they stand ([`OpType::place`]).
pub type Own = FxHashMap<(HeldAtom, u8), (u16, OpType)>;

/// See the module text.
pub struct OperatorTables {
    tables: RwLock<Tables>,
}

struct Tables {
    own: FxHashMap<HeldAtom, Own>,
    /// Tables, without those of modules that see what another one sees.
    made: FxHashMap<HeldAtom, Arc<Operators>>,
}

impl Default for OperatorTables {
    fn default() -> Self {
        OperatorTables {
            tables: RwLock::new(Tables {
                own: FxHashMap::default(),
                made: FxHashMap::from_iter([(
                    atoms::SYSTEM.hold(),
                    Arc::new(Operators::iso_swi()),
                )]),
            }),
        }
    }
}

impl OperatorTables {
    /// The operators that `module` sees.
    pub fn of(&self, module: Atom, inheritance: &Inheritance) -> Arc<Operators> {
        let tables = self.tables.read();
        let home = tables.home(module, inheritance);
        if let Some(made) = tables.made.get(&home) {
            return made.clone();
        }
        drop(tables);
        let mut tables = self.tables.write();
        let home = tables.home(module, inheritance);
        tables.make(home, inheritance).clone()
    }

    /// Defines an operator in a module, in place of one of the same atom and position; priority 0: there is none. Tables change in place,
    /// but for a copy if somebody reads or writes a term by one.
    pub fn add(
        &self,
        module: Atom,
        (priority, ty, name): (u16, OpType, Atom),
        inheritance: &Inheritance,
    ) {
        let mut tables = self.tables.write();
        let own = tables.own.entry(module.hold()).or_default();
        if own.insert((name.hold(), ty.place()), (priority, ty)) == Some((priority, ty)) {
            return;
        }
        tables.make(module, inheritance);
        match module {
            // They see what it says.
            atoms::SYSTEM | atoms::USER => tables
                .made
                .retain(|m, _| *m == module || *m == atoms::SYSTEM),
            _ if !inheritance.is_default() => tables
                .made
                .retain(|m, _| *m == module || *m == atoms::SYSTEM || *m == atoms::USER),
            _ => {}
        }
        if let Some(table) = tables.made.get_mut(&module) {
            Arc::make_mut(table).add(priority, ty, name);
        }
    }

    /// All that modules say: priority 0 takes away.
    pub fn said(&self) -> Vec<(Atom, (u16, OpType, Atom))> {
        let tables = self.tables.read();
        let of = |(m, own): (&HeldAtom, &Own)| {
            let m = m.get();
            let each = own
                .iter()
                .map(move |((name, _), &(p, ty))| (m, (p, ty, name.get())));
            each.collect::<Vec<_>>()
        };
        tables.own.iter().flat_map(of).collect()
    }

    /// What a module says.
    pub fn own(&self, module: Atom) -> Own {
        self.tables
            .read()
            .own
            .get(&module)
            .cloned()
            .unwrap_or_default()
    }
    /// It says this, in place of all that it has said.
    pub fn put_own(&self, module: Atom, own: Own) {
        let mut tables = self.tables.write();
        match own.is_empty() {
            true => tables.own.remove(&module),
            false => tables.own.insert(module.hold(), own),
        };
        tables.made.retain(|m, _| *m == atoms::SYSTEM);
    }
    /// Modules inherit from others than before.
    pub fn forget(&self) {
        self.tables.write().made.retain(|m, _| *m == atoms::SYSTEM);
    }
}

impl Tables {
    /// The module nearest to `module` that says something: one sees what the other sees.
    fn home(&self, module: Atom, inheritance: &Inheritance) -> Atom {
        if module == atoms::USER && inheritance.is_default() && !self.own.contains_key(&module) {
            return atoms::SYSTEM;
        }
        let mut module = module;
        while module != atoms::SYSTEM && !self.own.contains_key(&module) {
            match inheritance.of(module)[..] {
                [parent] => module = parent,
                _ => break,
            }
        }
        module
    }

    fn make(&mut self, module: Atom, inheritance: &Inheritance) -> &Arc<Operators> {
        if !self.made.contains_key(&module) {
            let mut walk = Vec::new();
            let none: Option<()> = inheritance.walk(module, &mut |m| {
                walk.push(m);
                None
            });
            debug_assert!(none.is_none());
            let mut table = (*self.made[&atoms::SYSTEM]).clone();
            for own in walk.iter().rev().filter_map(|m| self.own.get(m)) {
                for ((name, _), &(priority, ty)) in own {
                    table.add(priority, ty, name.get());
                }
            }
            self.made.insert(module.hold(), Arc::new(table));
        }
        &self.made[&module]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(i: usize) -> Atom {
        Atom::of(&format!("op_{i}"))
    }

    /// The table is copied for those who hold it, and only then: else many operators would take the square of their number.
    #[test]
    fn operators_change_in_place_unless_held() {
        let (tables, inheritance) = (OperatorTables::default(), Inheritance::default());
        for module in [atoms::SYSTEM, atoms::USER, Atom::new("operators_m")] {
            let at = || Arc::as_ptr(&tables.of(module, &inheritance));
            tables.add(module, (700, OpType::Xfx, name(0)), &inheritance);
            let first = at();
            for i in 0..100 {
                tables.add(module, (700, OpType::Xfx, name(i)), &inheritance);
                assert_eq!(at(), first);
            }
            let held = tables.of(module, &inheritance);
            tables.add(module, (700, OpType::Xfx, name(100)), &inheritance);
            assert!(!held.is_op(name(100)) && tables.of(module, &inheritance).is_op(name(100)));
            assert_ne!(at(), Arc::as_ptr(&held));
            tables.add(module, (0, OpType::Xfx, name(100)), &inheritance);
        }
    }

    /// Random definitions, and looks at what modules see, against the equation.
    #[test]
    fn modules_see_what_they_inherit() {
        let (tables, inheritance) = (OperatorTables::default(), Inheritance::default());
        let library = Atom::new("operators_library");
        inheritance.set_libraries([library]);
        let modules = [
            atoms::SYSTEM,
            atoms::USER,
            library,
            Atom::new("operators_a"),
            Atom::new("operators_b"),
            Atom::new("operators_c"),
        ];
        let types = [OpType::Xfx, OpType::Xfy, OpType::Fy, OpType::Xf];
        let mut said: Vec<(Atom, (u16, OpType, Atom))> = Vec::new();
        let mut random: u32 = 7;
        let mut draw = move |n: usize| {
            random = random.wrapping_mul(1_103_515_245).wrapping_add(12345);
            (random >> 16) as usize % n
        };
        let rounds = if cfg!(miri) { 60 } else { 3000 };
        for round in 0..rounds {
            if round == rounds / 2 {
                assert!(inheritance.set(modules[3], vec![modules[4], modules[5]]));
                tables.forget();
            }
            let what = (draw(3) as u16 * 200, types[draw(4)], name(draw(5)));
            let module = modules[draw(6)];
            tables.add(module, what, &inheritance);
            said.push((module, what));
            let module = modules[draw(6)];
            let mut walk = Vec::new();
            let _: Option<()> = inheritance.walk(module, &mut |m| {
                walk.push(m);
                None
            });
            let seen = tables.of(module, &inheritance);
            for i in 0..5 {
                for ty in types {
                    // The last word of the nearest module that has one.
                    let last = |m: &Atom| {
                        let mut of = said.iter().rev();
                        of.find(|(n, (_, t, a))| n == m && *a == name(i) && t.place() == ty.place())
                    };
                    let expected = walk.iter().find_map(last).map(|&(_, (p, t, _))| (p, t));
                    let found = match ty {
                        OpType::Fy => seen.prefix(name(i)),
                        OpType::Xf => seen.postfix(name(i)),
                        _ => seen.infix(name(i)),
                    };
                    assert_eq!(found, expected.filter(|e| e.0 > 0), "{}", module.as_str());
                }
            }
        }
    }
}
