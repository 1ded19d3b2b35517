//! The variables of the term that is parsed.

use rustc_hash::FxHashMap;
use samite_term::{Cell, RecordBuilder, growth};

/// A variable and how often it was seen.
pub(super) struct Variable<'t> {
    pub name: &'t str,
    pub cell: Cell,
    pub count: u32,
}

/// The variables of a clause in order of appearance.
#[derive(Default)]
pub(super) struct Variables<'t> {
    pub list: Vec<Variable<'t>>,
    /// Index by name, once there are more than [`FEW`].
    index: FxHashMap<&'t str, usize>,
}

/// Up to so many variables are searched one by one.
const FEW: usize = 8;

impl<'t> Variables<'t> {
    /// The variable of this name, made if it is new.
    pub fn get(&mut self, name: &'t str, builder: &mut RecordBuilder) -> Cell {
        let found = if name == "_" {
            None
        } else if self.index.is_empty() {
            self.list.iter().position(|v| v.name == name)
        } else {
            self.index.get(name).copied()
        };
        if let Some(i) = found {
            self.list[i].count += 1;
            return self.list[i].cell;
        }
        let cell = builder.variable();
        growth::must_push(
            &mut self.list,
            Variable {
                name,
                cell,
                count: 1,
            },
        );
        if !self.index.is_empty() {
            let i = self.list.len() - 1;
            growth::must(growth::insert(&mut self.index, name, i).is_ok());
        } else if self.list.len() > FEW {
            let entries = self.list.iter().enumerate().map(|(i, v)| (v.name, i));
            self.index.extend(entries);
        }
        cell
    }
}
