//! Terms for tests: a record on a heap of its own.

use samite_syntax::Operators;
use samite_syntax::read::{ReadFlags, parse_text};
use samite_term::{TermRef, View};

/// A term that owns its heap.
pub struct Term {
    root: samite_term::Cell,
    _heap: Box<[u64]>,
}

impl Term {
    /// Parses a term.
    pub fn parse(text: &str, ops: &Operators) -> Term {
        let read = match parse_text(text, ops, &ReadFlags::default()) {
            Ok(read) => read,
            Err(e) => panic!("{text}: {e:?}"),
        };
        let mut heap = vec![0; read.record.heap_words()].into_boxed_slice();
        let root = read.record.instantiate(&mut heap);
        Term { root, _heap: heap }
    }
    /// What was parsed.
    pub fn root(&self) -> TermRef<'_> {
        // SAFETY: the heap was just filled by a verified record, and lives unchanged as long as `self`.
        let read = unsafe { TermRef::new(self.root) };
        match read.view() {
            View::Compound(c) => c.arg(0),
            _ => read,
        }
    }
}
