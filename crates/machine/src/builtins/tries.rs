//! Tries: terms stored under keys that are terms, for all threads (`trie_insert/3`, `trie_gen/3` as in SWI-Prolog).
//!
//! What a trie is, and what a walk over one sees: [`crate::state::tries`]. The state between solutions is `'$trie'(Age, Place)`: the age of the walk, raw, and
//! the tokens of the key where it goes on as the words of a number, which nobody reads as one. A walk takes one entry at a time; no lock is held while its terms are made.
//!
//! The table of a call (`current_table/2`), which is a literal of tabling, is taken for a trie where something is looked for: its keys are `ret(Variable...)`, its
//! values the constant of `'$tbl_trienode'/1`. It belongs to tabling, and nothing is put into it. The state of a walk over it is what [`Walk`] says, raw.

use super::args::{atom, attempt};
use super::threads::Properties;
use super::{Entry as Row, det, nondet};
use crate::engine::ctx::Ctx;
use crate::engine::going::Step;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use crate::state::tabling::conditions::Literal;
use crate::state::tokens::{Unfit, variable_token};
use crate::state::tries::{BYTES, Entry, Form, Found, How, Key, NODE, Put, Sizes, Trie};
use samite_term::{Cell, Functor, Handle, HandleKind, Kind, Tag, View, atoms, counted, growth};
use std::sync::Arc;

pub const TABLE: &[Row] = &[
    det("trie_new", 1, |m, a| {
        if !m.arg(a, 0).is_ref() {
            return Ok(false);
        }
        m.part_with_others();
        m.room(BYTES)?;
        let handle = m.program.registry.handle_for_other(HandleKind::Trie);
        let handle = handle.map_err(|_| Throw::Memory)?;
        let added = m.program.tries.add(handle.number());
        if added.is_err() {
            m.program.registry.forget_other(handle);
        }
        added?;
        let term = Cell::of_handle(handle);
        m.heap.meet_new(term);
        Ok(m.unify_arg(a, 0, term))
    })
    .refuses_first(),
    det("trie_destroy", 1, |m, a| {
        let trie = program_trie(m, a, "destroy")?;
        if !m.program.tries.remove(trie.number()) {
            return Err(gone(m, a));
        }
        let handle = Handle::new(HandleKind::Trie, trie.number());
        m.program.registry.forget_other(handle);
        Ok(true)
    }),
    det("is_trie", 1, |m, a| Ok(any_trie(m, m.arg(a, 0)).is_some())),
    // '$tries'(-Tries): those of the program.
    det("$tries", 1, |m, a| {
        let mut items = Vec::new();
        for number in m.program.tries.numbers() {
            // (One that nobody could name may have been taken out meanwhile.)
            let c = Cell::of_handle(Handle::new(HandleKind::Trie, number));
            m.heap.meet(c);
            if c.counted_handle().is_some_and(counted::is_known) {
                growth::push(&mut items, c)?;
            }
        }
        let list = m.heap.list(&items, Cell::NIL)?;
        Ok(m.unify_arg(a, 0, list))
    })
    .makes_terms(),
    det("trie_insert", 2, |m, a| {
        Ok(put(m, a, How::Insert, Form::Set)?.is_some())
    })
    .refuses_first(),
    det("trie_insert", 3, |m, a| {
        Ok(put(m, a, How::Insert, Form::Map)?.is_some())
    })
    .refuses_first(),
    det("trie_insert", 4, |m, a| {
        match put(m, a, How::InsertNamed, Form::Map)? {
            Some(node) => Ok(m.unify_arg(a, 3, Cell::small(node as i64))),
            None => Ok(false),
        }
    })
    .refuses_first(),
    det("trie_update", 3, |m, a| {
        Ok(put(m, a, How::Update, Form::Map)?.is_some())
    })
    .refuses_first(),
    det("trie_lookup", 3, lookup).makes_terms(),
    det("trie_delete", 3, delete).refuses_first(),
    det("trie_term", 2, |m, a| {
        let c = m.arg(a, 0);
        let node = match m.term(c).view() {
            View::Int(n) => n,
            _ => return Err(m.type_error("address", c)),
        };
        let found = m.program.tries.at_node(node as u64);
        let Some((key, _entry)) = found else {
            return Err(m.existence_error("trie_node", c));
        };
        let term = m.term_of_tokens(key.words())?;
        Ok(m.unify_arg(a, 1, term))
    })
    .makes_terms(),
    nondet("trie_gen", 2, |m, a, s| generate(m, a, s, false)).makes_terms(),
    nondet("trie_gen", 3, |m, a, s| generate(m, a, s, true)).makes_terms(),
    nondet("trie_gen_compiled", 2, |m, a, s| generate(m, a, s, false)).makes_terms(),
    nondet("trie_gen_compiled", 3, |m, a, s| generate(m, a, s, true)).makes_terms(),
    det("$trie_properties", 3, properties).makes_terms(),
    // '$tbl_trienode'(-Constant): the value of keys that have none.
    det("$tbl_trienode", 1, |m, a| Ok(m.unify_arg(a, 0, no_value()))),
    // '$tbl_table_status'(+Table, -Status, -Goal, -Return): complete, incomplete or fresh; Module:Goal, and ret(Variable...) as in the keys of its answers.
    det("$tbl_table_status", 4, |m, a| {
        let Some(table) = table_argument(m, a)? else {
            return Ok(false);
        };
        let (goal, key) = m.goal_and_return(table)?;
        let status = status(m, table);
        Ok(m.unify_arg(a, 1, status) && m.unify_arg(a, 2, goal) && m.unify_arg(a, 3, key))
    })
    .makes_terms(),
    det("$tbl_table_status", 2, |m, a| {
        let Some(table) = table_argument(m, a)? else {
            return Ok(false);
        };
        let status = status(m, table);
        Ok(m.unify_arg(a, 1, status))
    }),
];

/// What `trie_lookup/3` gives for a key without value.
fn no_value() -> Cell {
    Cell::blob(atoms::TRIE_NODE)
}

/// Where keys are.
enum Source {
    Trie(Arc<Trie>),
    Table(Literal),
}

/// A trie that there is, or a table.
fn any_trie(m: &Ctx, c: Cell) -> Option<Source> {
    if let Some(h) = c.handle().filter(|h| h.kind() == HandleKind::Trie) {
        return m.program.tries.get(h.number()).map(Source::Trie);
    }
    m.named_table(c).map(Source::Table)
}

/// The same of the first argument; errors if there is none.
fn source(m: &mut Ctx, a: Args) -> Result<Source, Throw> {
    let c = m.arg(a, 0);
    match any_trie(m, c) {
        Some(source) => Ok(source),
        None => Err(gone(m, a)),
    }
}

/// The error of a first argument that names no trie.
fn gone(m: &mut Ctx, a: Args) -> Throw {
    let c = m.arg(a, 0);
    let is_name =
        c.handle().is_some_and(|h| h.kind() == HandleKind::Trie) || m.literal(c).is_some();
    match is_name {
        true => m.existence_error("trie", c),
        false => m.type_error("trie", c),
    }
}

/// The trie of the first argument, which is about to be changed.
fn program_trie(m: &mut Ctx, a: Args, action: &str) -> Result<Arc<Trie>, Throw> {
    match source(m, a)? {
        Source::Trie(trie) => Ok(trie),
        Source::Table(_) => {
            let c = m.arg(a, 0);
            Err(m.permission_error(action, "trie", c))
        }
    }
}

/// The table of the first argument; `None` if it is a trie.
fn table_argument(m: &mut Ctx, a: Args) -> Result<Option<Literal>, Throw> {
    Ok(match source(m, a)? {
        Source::Table(table) => Some(table),
        Source::Trie(_) => None,
    })
}

fn status(m: &Ctx, table: Literal) -> Cell {
    atom(m.state_of_table(table).0)
}

/// The value of an entry as a term.
fn value(m: &mut Ctx, entry: &Entry) -> Result<Cell, Throw> {
    match &entry.value {
        Some(record) => Ok(m.heap.instantiate(record)?),
        None => Ok(no_value()),
    }
}

/// The tokens of the second argument as a key; `None` if no key is like it.
fn key_to_look_for(m: &mut Ctx, a: Args) -> Result<Option<Vec<u64>>, Throw> {
    match m.tokens_of(m.arg(a, 1), false) {
        Ok(tokens) => Ok(Some(tokens)),
        Err(Unfit::TooLong) => Err(Throw::Memory),
        Err(Unfit::Cyclic | Unfit::Attributed) => Ok(None),
    }
}

/// Puts the second argument there, with the third one as its value unless it is to be a key without. `None`: it is there already.
fn put(m: &mut Ctx, a: Args, how: How, form: Form) -> Result<Option<u64>, Throw> {
    let trie = program_trie(m, a, "insert")?;
    let (c, key) = (m.arg(a, 0), m.arg(a, 1));
    let now = trie.form();
    if now != form && now != Form::Open {
        return Err(m.permission_error("insert", "trie", c));
    }
    let tokens = m.tokens_of(key, false).map_err(|unfit| match unfit {
        Unfit::TooLong => Throw::Memory,
        Unfit::Cyclic => m.type_error("acyclic_term", key),
        Unfit::Attributed => m.type_error("free_of_attvar", key),
    })?;
    let node = if how == How::InsertNamed { NODE } else { 0 };
    let beside = Key::bytes_of_entry(&tokens) + node;
    let value = if form == Form::Map {
        Some(m.record_shared(m.arg(a, 2), beside)?)
    } else {
        m.room(beside)?;
        None
    };
    match trie.put(&m.program.tries, &tokens, value, how)? {
        Put::Done { node } => Ok(Some(node)),
        Put::There => Ok(None),
        Put::Taken => Err(m.permission_error("modify", "trie_key", key)),
        Put::OtherForm => Err(m.permission_error("insert", "trie", c)),
        Put::Closed => Err(gone(m, a)),
    }
}

fn lookup(m: &mut Ctx, a: Args) -> Res {
    let source = source(m, a)?;
    let trie = match source {
        Source::Trie(trie) => trie,
        Source::Table(table) => {
            let key = m.arg(a, 1);
            let there = m.has_answer(table, key)?;
            return Ok(there && m.unify_arg(a, 2, no_value()));
        }
    };
    let Some(tokens) = key_to_look_for(m, a)? else {
        return Ok(false);
    };
    match trie.get(&Key::new(&tokens)) {
        Some(entry) => {
            let value = value(m, &entry)?;
            Ok(m.unify_arg(a, 2, value))
        }
        None => Ok(false),
    }
}

/// Takes out the entry of a key whose value unifies with the third argument.
fn delete(m: &mut Ctx, a: Args) -> Res {
    let trie = program_trie(m, a, "delete")?;
    let Some(tokens) = key_to_look_for(m, a)? else {
        return Ok(false);
    };
    let key = Key::new(&tokens);
    // (Once more if another thread has given it another value meanwhile.)
    while let Some(entry) = trie.get(&key) {
        let value = value(m, &entry)?;
        let mut unifies = false;
        let deleted = attempt(m, |m| {
            unifies = m.unify_arg(a, 2, value);
            Ok(unifies && trie.take_out(&m.program.tries, &key, &entry))
        })?;
        if deleted || !unifies {
            return Ok(deleted);
        }
    }
    Ok(false)
}

/// A walk: its age, and where it goes on.
fn kept(m: &mut Ctx, age: u64, place: &Key) -> Result<Cell, Throw> {
    let words = place.words();
    let p = m.heap.allocate(2 + words.len())?;
    // SAFETY: that many words were just allocated. It is a number as its last word is not 0.
    unsafe {
        *p = Cell::header(Kind::BigInt, (words.len() as u64 + 1) << 1);
        for (i, &w) in words.iter().chain([&1]).enumerate() {
            *p.add(1 + i) = Cell(w);
        }
    }
    let state = [Cell::header(Kind::Raw, age), Cell::to(Tag::Box, p)];
    Ok(m.heap.structure(OF_TRIE, &state)?)
}

fn taken_up(state: Cell) -> (u64, Key) {
    // SAFETY: a state made by `kept`; it is read before anything is added to the heap.
    unsafe {
        let (age, place) = (*state.ptr().add(1), *state.ptr().add(2));
        let n = (*place.ptr()).box_words() - 1;
        let words = std::slice::from_raw_parts(place.ptr().add(1).cast::<u64>(), n);
        (age.payload(), Key::new(words))
    }
}

/// `trie_gen(+Trie, ?Key, -Value)` and `trie_gen(+Trie, ?Key)`; see the module text.
fn generate(m: &mut Ctx, a: Args, state: Option<Cell>, valued: bool) -> Result<Step, Throw> {
    let trie = match state {
        None => match source(m, a)? {
            Source::Trie(trie) => trie,
            Source::Table(table) => {
                let walk = match m.state_of_table(table).0 {
                    "complete" => Walk::Complete(None),
                    _ => Walk::Growing(0),
                };
                return generate_answers(m, a, table, walk, valued);
            }
        },
        // SAFETY: a state, read before anything is added to the heap.
        Some(state) if unsafe { *state.ptr() } == OF_TABLE.cell() => {
            return go_on_with_answers(m, a, state, valued);
        }
        Some(_) => match any_trie(m, m.arg(a, 0)) {
            Some(Source::Trie(trie)) => trie,
            // It has been destroyed meanwhile.
            _ => return Ok(Step::Fail),
        },
    };
    let (age, mut from) = match state {
        Some(state) => {
            let (age, place) = taken_up(state);
            (age, Some(place))
        }
        None => (trie.age(), None),
    };
    let pattern = match m.tokens_of(m.arg(a, 1), true) {
        Ok(tokens) => tokens,
        // Whatever there is is tried.
        Err(_) => vec![variable_token(0)],
    };
    while let Some(Found { key, entry, next }) = trie.next(from, &pattern, age) {
        let holds = attempt(m, |m| {
            let term = m.term_of_tokens(key.words())?;
            let value = match valued {
                true => value(m, &entry)?,
                false => no_value(),
            };
            Ok(m.unify_arg(a, 1, term) && (!valued || m.unify_arg(a, 2, value)))
        })?;
        match (holds, next) {
            (true, None) => return Ok(Step::Last),
            (true, Some(next)) => return Ok(Step::More(kept(m, age, &next)?)),
            (false, None) => break,
            (false, next) => from = next,
        }
    }
    Ok(Step::Fail)
}

/// Where a walk over a table is.
#[derive(Clone, Copy)]
enum Walk {
    /// Behind this answer of a complete one, which stays as it is for who has it, if need be without being found by calls.
    Complete(Option<u64>),
    /// So many answers are behind it; such a table may go with its evaluation, and then has no name.
    Growing(usize),
}

fn answer_of(m: &Ctx, table: Literal, walk: Walk) -> Option<(Literal, Walk)> {
    match walk {
        Walk::Complete(behind) => {
            let answer = m.next_answer(table, behind)?;
            Some((answer, Walk::Complete(Some(answer.answer))))
        }
        Walk::Growing(n) => Some((m.answer_at(table, n)?, Walk::Growing(n + 1))),
    }
}

/// [`generate`] of a table.
fn generate_answers(
    m: &mut Ctx,
    a: Args,
    table: Literal,
    walk: Walk,
    valued: bool,
) -> Result<Step, Throw> {
    let mut at = answer_of(m, table, walk);
    while let Some((answer, walk)) = at {
        let holds = attempt(m, |m| {
            let (_, key) = m.goal_and_return(answer)?;
            Ok(m.unify_arg(a, 1, key) && (!valued || m.unify_arg(a, 2, no_value())))
        })?;
        at = answer_of(m, table, walk);
        if holds {
            if at.is_none() {
                return Ok(Step::Last);
            }
            let (complete, place) = match walk {
                Walk::Complete(behind) => (1, behind.unwrap_or(0)),
                Walk::Growing(n) => (0, n as u64),
            };
            let raw = |n: u64| Cell::header(Kind::Raw, n);
            let state = [table.frame, table.generation.into(), complete, place].map(raw);
            return Ok(Step::More(m.heap.structure(OF_TABLE, &state)?));
        }
    }
    Ok(Step::Fail)
}

fn go_on_with_answers(m: &mut Ctx, a: Args, state: Cell, valued: bool) -> Result<Step, Throw> {
    // SAFETY: a state made by `generate_answers`, read before anything is added to the heap.
    let raw = |i| unsafe { (*state.ptr().add(i)).payload() };
    let table = Literal {
        frame: raw(1),
        answer: 0,
        generation: raw(2) as u32,
    };
    let (walk, is_there) = match raw(3) {
        1 => (Walk::Complete(Some(raw(4))), m.has_tables_of(table)),
        _ => {
            let named = m.named_table(m.arg(a, 0));
            (Walk::Growing(raw(4) as usize), named == Some(table))
        }
    };
    if !is_there {
        return Ok(Step::Fail);
    }
    generate_answers(m, a, table, walk, valued)
}

/// The state of a walk over a trie.
const OF_TRIE: Functor = Functor::new(atoms::TRIE_NODE, 2);
/// Names the state of a walk over a table.
const OF_TABLE: Functor = Functor::new(atoms::TRIE_NODE, 4);

const PROPERTIES: [&str; 4] = ["node_count", "value_count", "size", "hashed"];

/// `'$trie_properties'(+Trie, ?Property, -Pairs)`: all pairs `Trie-Property`; none if it is no trie, or there is no such property.
fn properties(m: &mut Ctx, a: Args) -> Res {
    let c = m.arg(a, 0);
    let p = m.arg(a, 1);
    let wanted = match m.term(p).view() {
        View::Var(_) | View::Attributed(_) => None,
        View::Compound(t) if t.arity() == 1 && PROPERTIES.contains(&t.name().as_str()) => {
            Some(t.name())
        }
        _ => return Ok(m.unify_arg(a, 2, Cell::NIL)),
    };
    let sizes = match any_trie(m, c) {
        None => return Ok(m.unify_arg(a, 2, Cell::NIL)),
        Some(Source::Trie(trie)) => trie.sizes(),
        Some(Source::Table(table)) => {
            let mut found = Properties {
                wanted,
                pairs: Vec::new(),
            };
            let (_, count) = m.state_of_table(table);
            found.add_count(m, c, "value_count", count as u64)?;
            let list = m.heap.list(&found.pairs, Cell::NIL)?;
            return Ok(m.unify_arg(a, 2, list));
        }
    };
    let mut found = Properties {
        wanted,
        pairs: Vec::new(),
    };
    let Sizes {
        values,
        nodes,
        forks,
        bytes,
    } = sizes;
    for (name, n) in PROPERTIES.into_iter().zip([nodes, values, bytes, forks]) {
        found.add_count(m, c, name, n as u64)?;
    }
    let list = m.heap.list(&found.pairs, Cell::NIL)?;
    Ok(m.unify_arg(a, 2, list))
}
