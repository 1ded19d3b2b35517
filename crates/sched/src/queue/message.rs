//! What a queue holds: a term outside of every heap. A small integer or an atom is the word that it is, most others a record.
//!
//! Plain data; any thread.

use super::key::MessageKey;
use samite_term::{Atom, Cell, HoldsAtoms, Record, Tag};

/// See the module text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    /// A small integer or an atom. What is counted ([`samite_term::counted`]) is no such word.
    Constant(Cell),
    Term(Record),
}

impl Message {
    /// A dereferenced term of a heap, if it is one word that nothing counts.
    #[inline]
    pub fn constant(term: Cell) -> Option<Message> {
        let is_word = term.tag() == Tag::Int || term.is_atom();
        is_word.then_some(Message::Constant(term))
    }
    /// Bytes that it takes beside its place in a queue.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Message::Constant(_) => size_of::<Cell>(),
            Message::Term(record) => size_of::<Record>() + record.len() * 8,
        }
    }
    pub(super) fn key(&self) -> Option<MessageKey> {
        match self {
            Message::Constant(c) => Some(MessageKey::of_constant(*c)),
            Message::Term(record) => MessageKey::of_record(record),
        }
    }
}

impl HoldsAtoms for Message {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        match self {
            Message::Constant(c) if c.is_atom() => f(c.atom_of()),
            Message::Constant(_) => {}
            Message::Term(record) => record.each_atom(f),
        }
    }
}
