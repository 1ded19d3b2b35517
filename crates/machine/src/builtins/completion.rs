//! Names that a line editor offers for what is typed. All it takes is what threads share and what lives as long as the process, so the
//! editor asks while the machine waits for it.

use super::libraries::known_exports;
use crate::state::program::Program;
use samite_code::flag;
use samite_syntax::chars::{is_alnum, is_name_start};
use samite_term::{Atom, atoms};
use std::collections::BTreeSet;

/// The names that begin with `begin`, in order: of predicates that a program can call (its own, the system's, those that libraries export)
/// and of atoms made since there were `known` of them. If there are none, of all atoms. Names that need quotes are left out.
pub fn names(program: &Program, known: usize, begin: &str) -> BTreeSet<&'static str> {
    let fits = |name: &&str| name.starts_with(begin) && is_plain(name);
    let code = &program.code;
    let callable = code.predicates().into_iter().filter(|p| {
        p.has(flag::DEFINED | flag::BUILTIN | flag::CONTROL | flag::DYNAMIC)
            && (p.module() == atoms::SYSTEM || !code.is_library(p.module()))
    });
    let mut found: BTreeSet<&'static str> = callable
        .map(|p| p.name().as_str())
        .chain(known_exports(program).map(|(name, _)| name))
        .filter(fits)
        .collect();
    found.extend(Atom::all().skip(known).map(Atom::as_str).filter(fits));
    if found.is_empty() {
        found.extend(Atom::all().map(Atom::as_str).filter(fits));
    }
    // Nobody is offered what he has typed.
    found.remove(begin);
    found
}

/// Whether an atom with this text is written without quotes, as a name.
fn is_plain(text: &str) -> bool {
    text.starts_with(is_name_start) && text.chars().all(is_alnum)
}
