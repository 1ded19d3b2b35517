//! What a message looks like from outside: the key by which queues are indexed.
//!
//! Invariant: two terms that unify, neither of them a variable, have the same key. The converse does not hold.
//!
//! Plain data; any thread.

use rustc_hash::FxHasher;
use samite_term::view::string_of;
use samite_term::{Cell, Functor, Kind, Record, Tag, TermRef, View, atoms};
use std::hash::Hasher;

/// Functor, constant, or hash of the number or string that a term is.
///
/// The bits are those of the functor's header cell, of the constant's cell, or a hash under [`Tag::Box`]. An
/// attributed variable is a variable: it has no key.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MessageKey(u64);

impl MessageKey {
    /// The key of a small integer, atom or blob.
    pub const fn of_constant(constant: Cell) -> MessageKey {
        debug_assert!(constant.is_immediate());
        MessageKey(constant.0)
    }
    /// The key of any compound with this functor.
    pub const fn of_functor(functor: Functor) -> MessageKey {
        MessageKey(functor.bits())
    }
    /// The key of any list cell.
    const fn of_list() -> MessageKey {
        MessageKey::of_functor(Functor::new(atoms::DOT, 2))
    }
    /// The key of a string.
    fn of_string(text: &str) -> MessageKey {
        let mut h = FxHasher::default();
        h.write(text.as_bytes());
        MessageKey::hashed(h)
    }
    /// The key of a float.
    fn of_float(value: f64) -> MessageKey {
        MessageKey::of_box(&[value.to_bits()])
    }
    /// The key of a big integer or rational, from header and raw words.
    fn of_box(words: &[u64]) -> MessageKey {
        let mut h = FxHasher::default();
        words.iter().for_each(|&w| h.write_u64(w));
        MessageKey::hashed(h)
    }
    fn hashed(h: FxHasher) -> MessageKey {
        MessageKey(h.finish() & !samite_term::cell::TAG_MASK | Tag::Box as u64)
    }

    /// The key of a record; `None` if it is a variable.
    pub fn of_record(record: &Record) -> Option<MessageKey> {
        let words = record.words();
        let mut root = record.root();
        loop {
            let at = (root.address() / 8) as usize;
            match root.tag() {
                Tag::Int | Tag::Con => return Some(MessageKey::of_constant(root)),
                Tag::Str => {
                    return Some(MessageKey::of_functor(Functor::from_cell(Cell(words[at]))));
                }
                Tag::Lst => return Some(MessageKey::of_list()),
                Tag::Box => {
                    let header = Cell(words[at]);
                    let object = &words[at..=at + header.box_words()];
                    return Some(match header.kind() {
                        Kind::Float => MessageKey::of_float(f64::from_bits(object[1])),
                        Kind::String => MessageKey::of_string(string_of(object)),
                        _ => MessageKey::of_box(object),
                    });
                }
                Tag::Ref if Cell(words[at]) != root => root = Cell(words[at]),
                Tag::Ref | Tag::Att | Tag::Hdr => return None,
            }
        }
    }

    /// The key of a term in a heap; `None` if it is a variable.
    pub fn of_term(term: TermRef<'_>) -> Option<MessageKey> {
        Some(match term.view() {
            View::Var(_) | View::Attributed(_) => return None,
            View::Int(_) | View::Atom(_) | View::Blob(_) | View::Handle(_) => {
                MessageKey::of_constant(term.deref())
            }
            View::Float(f) => MessageKey::of_float(f),
            View::Number(b) => MessageKey::of_box(b.words()),
            View::Str(s) => MessageKey::of_string(s),
            View::List(..) => MessageKey::of_list(),
            View::Compound(c) => MessageKey::of_functor(c.functor()),
        })
    }
}
