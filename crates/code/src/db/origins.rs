//! Where clauses were read that do not stand in their file, but in a text that it includes. A clause belongs to the file that is loaded, with which
//! it comes and goes; its line is one of the text.
//!
//! An origin is a number of 32 bits: the file's atom, which is the text's too, or with [`INCLUDED`] a place in the table of files with others' texts.
//! There are as many of these as `include/1` directives of a program differ, and they stay; so do the atoms of the files, which clauses refer to
//! by their numbers and are not counted for.

use parking_lot::RwLock;
use rustc_hash::FxHashSet;
use samite_term::{Atom, HeldAtom};

const INCLUDED: u32 = 1 << 31;

/// See the module text.
#[derive(Default)]
pub(crate) struct Texts {
    /// File and text, each pair once.
    included: RwLock<Vec<(HeldAtom, HeldAtom)>>,
    /// The files whose atoms are origins.
    files: RwLock<FxHashSet<HeldAtom>>,
}

impl Texts {
    /// The origin of clauses that a file has from a text.
    pub fn origin(&self, file: Atom, text: Atom) -> u32 {
        if file == text {
            debug_assert!(file.index() < INCLUDED);
            if !self.files.read().contains(&file) {
                self.files.write().insert(file.hold());
            }
            return file.index();
        }
        let known = |texts: &[(HeldAtom, HeldAtom)]| {
            (texts.iter()).rposition(|(f, t)| *f == file && *t == text)
        };
        let place = known(&self.included.read());
        let place = place.unwrap_or_else(|| {
            let mut texts = self.included.write();
            known(&texts).unwrap_or_else(|| {
                texts.push((file.hold(), text.hold()));
                texts.len() - 1
            })
        });
        INCLUDED | place as u32
    }
    /// The file and the text of an origin.
    pub fn of(&self, origin: u32) -> (Atom, Atom) {
        if origin & INCLUDED == 0 {
            return (Atom::from_index(origin), Atom::from_index(origin));
        }
        let (file, text) = &self.included.read()[(origin & !INCLUDED) as usize];
        (file.get(), text.get())
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn origins_are_told_apart() {
        let texts = Texts::default();
        let [a, b, c] = ["origins: a", "origins: b", "origins: c"].map(Atom::of);
        for (file, text) in [(a, a), (a, b), (b, b), (c, b), (a, c), (b, a)] {
            let number = texts.origin(file, text);
            let again = texts.origin(file, text);
            assert_eq!((texts.of(number), again), ((file, text), number));
        }
    }
}
