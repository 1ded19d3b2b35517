//! The key of a term in a heap is that of its record. (Here because looking at a heap needs `unsafe`, which the crate forbids.)
#![cfg(not(loom))]

use samite_sched::MessageKey;
use samite_term::{Atom, Cell, Functor, Number, RecordBuilder, TermRef};

#[test]
fn records_and_terms_have_the_same_keys() {
    let roots: [fn(&mut RecordBuilder) -> Cell; 8] = [
        |_| Cell::small(7),
        |_| Cell::atom(Atom::new("x")),
        |b| b.string("seven"),
        |b| b.number(&Number::Float(7.0)),
        |b| b.number(&Number::Int(i64::MAX)),
        |b| b.structure(Functor::new(Atom::new("x"), 1), &[Cell::NIL]),
        |b| b.list_cell(Cell::NIL, Cell::NIL),
        |b| b.variable(),
    ];
    let mut seen = Vec::new();
    for make in roots {
        let mut b = RecordBuilder::new();
        let root = make(&mut b);
        let record = b.finish(root);
        let key = MessageKey::of_record(&record);
        assert!(!seen.contains(&key), "{record:?}");
        seen.push(key);
        let mut heap = vec![0; record.heap_words()];
        let root = record.instantiate(&mut heap);
        // SAFETY: `heap` holds the term and stays as it is while the reference is in use.
        let term = unsafe { TermRef::new(root) };
        assert_eq!(MessageKey::of_term(term), key, "{record:?}");
    }
}
