//! Where clauses were read that do not stand in their file, but in a text that it includes. A clause belongs to the file that is loaded, with which
//! it comes and goes; its line is one of the text.
//!
//! An origin is a number of 32 bits: the file's atom, which is the text's too, or with [`INCLUDED`] a place in the table of files with others' texts.
//! There are as many of these as `include/1` directives of a program differ, and they stay. For [`crate::predicate`].

use crate::domain::Domain;
use samite_term::Atom;

const INCLUDED: u32 = 1 << 31;

/// File and text, each pair once.
pub(crate) type Texts = Vec<(Atom, Atom)>;

/// The origin of clauses that a file has from a text.
pub(crate) fn origin(domain: &Domain, file: Atom, text: Atom) -> u32 {
    if file == text {
        debug_assert!(file.index() < INCLUDED);
        return file.index();
    }
    let known = |texts: &[(Atom, Atom)]| texts.iter().rposition(|&t| t == (file, text));
    let place = known(&domain.texts.read());
    let place = place.unwrap_or_else(|| {
        let mut texts = domain.texts.write();
        known(&texts).unwrap_or_else(|| {
            texts.push((file, text));
            texts.len() - 1
        })
    });
    INCLUDED | place as u32
}

/// The file and the text of an origin.
pub(crate) fn of(domain: &Domain, origin: u32) -> (Atom, Atom) {
    if origin & INCLUDED == 0 {
        return (Atom::from_index(origin), Atom::from_index(origin));
    }
    domain.texts.read()[(origin & !INCLUDED) as usize]
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn origins_are_told_apart() {
        let domain = Domain::new();
        let [a, b, c] = [6_000, 6_001, 6_002].map(Atom::from_index);
        for (file, text) in [(a, a), (a, b), (b, b), (c, b), (a, c), (b, a)] {
            let number = origin(domain, file, text);
            let again = origin(domain, file, text);
            assert_eq!((of(domain, number), again), ((file, text), number));
        }
    }
}
