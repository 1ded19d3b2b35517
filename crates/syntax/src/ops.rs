//! Operator tables (ISO 13211-1, 6.3.4).
//!
//! A table maps an atom to at most one prefix, one infix and one postfix definition. It is a plain value: who keeps
//! tables per module or shares them between threads clones or wraps it.

use rustc_hash::FxHashMap;
use samite_term::{Atom, HeldAtom, atoms};

/// Type of an operator: where it stands and which side may hold an operator of equal priority.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OpType {
    /// Infix; both operands of lower priority.
    Xfx,
    /// Infix; the right operand may have the same priority.
    Xfy,
    /// Infix; the left operand may have the same priority.
    Yfx,
    /// Prefix; the operand may have the same priority.
    Fy,
    /// Prefix.
    Fx,
    /// Postfix.
    Xf,
    /// Postfix; the operand may have the same priority.
    Yf,
}

impl OpType {
    /// The type named by an atom (`xfx`, `fy`, …).
    pub fn from_atom(atom: Atom) -> Option<OpType> {
        Some(match atom {
            atoms::XFX => OpType::Xfx,
            atoms::XFY => OpType::Xfy,
            atoms::YFX => OpType::Yfx,
            atoms::FY => OpType::Fy,
            atoms::FX => OpType::Fx,
            atoms::XF => OpType::Xf,
            atoms::YF => OpType::Yf,
            _ => return None,
        })
    }
    /// The atom that names the type.
    pub fn atom(self) -> Atom {
        match self {
            OpType::Xfx => atoms::XFX,
            OpType::Xfy => atoms::XFY,
            OpType::Yfx => atoms::YFX,
            OpType::Fy => atoms::FY,
            OpType::Fx => atoms::FX,
            OpType::Xf => atoms::XF,
            OpType::Yf => atoms::YF,
        }
    }
    /// Before its operand.
    pub fn is_prefix(self) -> bool {
        matches!(self, OpType::Fy | OpType::Fx)
    }
    /// Between its operands.
    pub fn is_infix(self) -> bool {
        matches!(self, OpType::Xfx | OpType::Xfy | OpType::Yfx)
    }
    /// Behind its operand.
    pub fn is_postfix(self) -> bool {
        matches!(self, OpType::Xf | OpType::Yf)
    }
    /// Where it stands: an atom has at most one definition for each.
    pub fn place(self) -> u8 {
        match self {
            OpType::Fy | OpType::Fx => 0,
            OpType::Xfx | OpType::Xfy | OpType::Yfx => 1,
            OpType::Xf | OpType::Yf => 2,
        }
    }
    /// Highest priority of the left operand of an operator of this priority (0 for prefix operators).
    pub fn left(self, priority: u16) -> u16 {
        match self {
            OpType::Yfx | OpType::Yf => priority,
            OpType::Xfx | OpType::Xfy | OpType::Xf => priority.saturating_sub(1),
            OpType::Fy | OpType::Fx => 0,
        }
    }
    /// Highest priority of the right operand of an operator of this priority (0 for postfix operators).
    pub fn right(self, priority: u16) -> u16 {
        match self {
            OpType::Xfy | OpType::Fy => priority,
            OpType::Xfx | OpType::Yfx | OpType::Fx => priority.saturating_sub(1),
            OpType::Xf | OpType::Yf => 0,
        }
    }
}

/// Definitions of one atom.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Definitions {
    pub prefix: Option<(u16, OpType)>,
    pub infix: Option<(u16, OpType)>,
    pub postfix: Option<(u16, OpType)>,
}

impl Definitions {
    fn slot(&mut self, ty: OpType) -> &mut Option<(u16, OpType)> {
        if ty.is_prefix() {
            &mut self.prefix
        } else if ty.is_infix() {
            &mut self.infix
        } else {
            &mut self.postfix
        }
    }
    fn is_empty(&self) -> bool {
        self.prefix.is_none() && self.infix.is_none() && self.postfix.is_none()
    }
}

/// An operator table.
#[derive(Clone, Default, Debug)]
pub struct Operators {
    table: FxHashMap<HeldAtom, Definitions>,
}

/// SWI-Prolog's default operators, by priority and type.
const DEFAULT: &[(u16, OpType, &str)] = &[
    (1200, OpType::Xfx, ":- --> =>"),
    (1200, OpType::Fx, ":- ?-"),
    (
        1150,
        OpType::Fx,
        "dynamic discontiguous initialization meta_predicate module_transparent multifile public \
         thread_local thread_initialization volatile table",
    ),
    (1105, OpType::Xfy, "|"),
    (1100, OpType::Xfy, ";"),
    (1050, OpType::Xfy, "-> *->"),
    (1000, OpType::Xfy, ","),
    (800, OpType::Xfx, ":="),
    (900, OpType::Fy, "\\+"),
    (
        700,
        OpType::Xfx,
        "< = =.. =@= \\=@= =:= =< == =\\= > >= @< @=< @> @>= \\= \\== as is >:< :<",
    ),
    (600, OpType::Xfy, ":"),
    (500, OpType::Yfx, "+ - /\\ \\/"),
    (400, OpType::Yfx, "* / // mod rdiv << >> div rem xor"),
    (200, OpType::Xfx, "**"),
    (200, OpType::Xfy, "^"),
    (200, OpType::Fy, "- + \\"),
    (100, OpType::Yfx, "."),
    (1, OpType::Fx, "$"),
];

impl Operators {
    /// A table without operators.
    pub fn empty() -> Operators {
        Operators::default()
    }
    /// SWI-Prolog's default table (which contains ISO's).
    pub fn iso_swi() -> Operators {
        let mut ops = Operators::empty();
        for &(priority, ty, names) in DEFAULT {
            for name in names.split_whitespace() {
                ops.add(priority, ty, Atom::new(name));
            }
        }
        ops
    }
    /// Defines an operator in place of one of the same atom and position; priority 0 removes that.
    pub fn add(&mut self, priority: u16, ty: OpType, name: Atom) {
        let entry = self.table.entry(name.hold()).or_default();
        *entry.slot(ty) = (priority > 0).then_some((priority, ty));
        if entry.is_empty() {
            self.table.remove(&name);
        }
    }
    pub(crate) fn get(&self, name: Atom) -> Option<&Definitions> {
        self.table.get(&name)
    }
    /// The prefix definition of an atom.
    pub fn prefix(&self, name: Atom) -> Option<(u16, OpType)> {
        self.get(name)?.prefix
    }
    /// The infix definition of an atom.
    pub fn infix(&self, name: Atom) -> Option<(u16, OpType)> {
        self.get(name)?.infix
    }
    /// The postfix definition of an atom.
    pub fn postfix(&self, name: Atom) -> Option<(u16, OpType)> {
        self.get(name)?.postfix
    }
    /// Whether the atom is an operator in any position.
    pub fn is_op(&self, name: Atom) -> bool {
        self.table.contains_key(&name)
    }
    /// All definitions, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (u16, OpType, Atom)> {
        self.table.iter().flat_map(|(name, d)| {
            let name = name.get();
            [d.prefix, d.infix, d.postfix]
                .into_iter()
                .flatten()
                .map(move |(priority, ty)| (priority, ty, name))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_table() {
        let ops = Operators::iso_swi();
        assert_eq!(ops.infix(atoms::NECK), Some((1200, OpType::Xfx)));
        assert_eq!(ops.prefix(atoms::MINUS), Some((200, OpType::Fy)));
        assert_eq!(ops.infix(atoms::MINUS), Some((500, OpType::Yfx)));
        assert_eq!(ops.postfix(atoms::MINUS), None);
        assert!(!ops.is_op(Atom::new("foo")));
    }

    #[test]
    fn add_replaces_and_removes_one_position() {
        let mut ops = Operators::empty();
        let a = Atom::new("~~");
        ops.add(300, OpType::Fy, a);
        ops.add(700, OpType::Xfx, a);
        ops.add(200, OpType::Yf, a);
        assert_eq!(ops.iter().count(), 3);
        ops.add(400, OpType::Xfy, a);
        assert_eq!(ops.infix(a), Some((400, OpType::Xfy)));
        ops.add(0, OpType::Fx, a);
        assert_eq!((ops.prefix(a), ops.iter().count()), (None, 2));
        ops.add(0, OpType::Xfx, a);
        ops.add(0, OpType::Xf, a);
        assert!(!ops.is_op(a));
    }

    #[test]
    fn sides_of_types() {
        assert_eq!((OpType::Xfy.left(200), OpType::Xfy.right(200)), (199, 200));
        assert_eq!((OpType::Yfx.left(200), OpType::Yfx.right(200)), (200, 199));
        for ty in [OpType::Xfx, OpType::Fy, OpType::Fx, OpType::Xf, OpType::Yf] {
            assert_eq!(OpType::from_atom(ty.atom()), Some(ty));
        }
    }
}
