//! Tries: terms stored under keys that are terms, for all threads (`trie_insert/3`, `trie_gen/3` as in SWI-Prolog).
//!
//! What a trie is, and what a walk over one sees: [`crate::state::tries`]. Between solutions a walk has copies of entries ([`Ahead`]); no lock
//! is held while terms are made of them.
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
use crate::state::tries::{
    Ahead, BYTES, Batch, Entry, FIRST_ITEM, Form, How, Item, NODE, Put, Start, Trie, Value,
    has_variables,
};
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
    det("is_trie", 1, |m, a| {
        let c = m.arg(a, 0);
        Ok(any_trie(m, c).is_some())
    }),
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
        let Some(entry) = found else {
            return Err(m.existence_error("trie_node", c));
        };
        let term = m.term_of_tokens(entry.words())?;
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
fn any_trie(m: &mut Ctx, c: Cell) -> Option<Source> {
    if let Some(h) = c.handle().filter(|h| h.kind() == HandleKind::Trie) {
        // (The last one has not been looked for once more, nor counted.)
        let recent = m.recent_trie.take();
        let recent = recent.filter(|t| t.number() == h.number() && !t.is_closed());
        let trie = recent.or_else(|| m.program.tries.get(h.number()));
        return trie.map(Source::Trie);
    }
    m.named_table(c).map(Source::Table)
}

/// Does something with a trie, which is to be found again at once.
fn using<R>(m: &mut Ctx, trie: Arc<Trie>, f: impl FnOnce(&mut Ctx, &Trie) -> R) -> R {
    let result = f(m, &trie);
    m.recent_trie = Some(trie);
    result
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
    using(m, trie, |m, trie| put_into(m, a, trie, how, form))
}

fn put_into(m: &mut Ctx, a: Args, trie: &Trie, how: How, form: Form) -> Result<Option<u64>, Throw> {
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
    let beside = Entry::bytes(tokens.len()) + node;
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
    using(m, trie, |m, trie| {
        let Some(tokens) = key_to_look_for(m, a)? else {
            return Ok(false);
        };
        let value = match trie.value(&tokens) {
            None => return Ok(false),
            Some(Value::Constant(c)) => {
                m.heap.meet(c);
                c
            }
            Some(Value::Of(entry)) => value(m, &entry)?,
        };
        Ok(m.unify_arg(a, 2, value))
    })
}

/// Takes out the entry of a key whose value unifies with the third argument.
fn delete(m: &mut Ctx, a: Args) -> Res {
    let trie = program_trie(m, a, "delete")?;
    using(m, trie, |m, trie| delete_from(m, a, trie))
}

fn delete_from(m: &mut Ctx, a: Args, trie: &Trie) -> Res {
    let Some(tokens) = key_to_look_for(m, a)? else {
        return Ok(false);
    };
    // (Once more if another thread has given it another value meanwhile.)
    while let Some(entry) = trie.get(&tokens) {
        let value = value(m, &entry)?;
        let mut unifies = false;
        let deleted = attempt(m, |m| {
            unifies = m.unify_arg(a, 2, value);
            Ok(unifies && trie.take_out(&m.program.tries, &entry))
        })?;
        if deleted || !unifies {
            return Ok(deleted);
        }
    }
    Ok(false)
}

/// Entries that are looked for by who begins, and by who comes back when the trie has changed; then four times as many each time, up to [`MOST`].
const BEGIN: usize = 12;
const AGAIN: usize = 1;
const MOST: usize = 64;

/// What is ahead of a walk, put on the heap as the words of a number, which nobody reads as one, with one more that is not 0.
fn kept(m: &mut Ctx, ahead: &[u64]) -> Result<Cell, Throw> {
    let n = ahead.len() + 1;
    let p = m.heap.allocate(1 + n)?;
    // SAFETY: that many words were just allocated.
    unsafe {
        *p = Cell::header(Kind::BigInt, (n as u64) << 1);
        let words = p.add(1).cast::<u64>();
        words.copy_from_nonoverlapping(ahead.as_ptr(), ahead.len());
        *words.add(ahead.len()) = 1;
    }
    Ok(Cell::to(Tag::Box, p))
}

/// The words of [`kept`].
///
/// # Safety
/// There is no collection as long as they are used.
unsafe fn kept_words<'a>(kept: Cell) -> &'a [u64] {
    // SAFETY: made by `kept`.
    unsafe {
        let p = kept.ptr();
        std::slice::from_raw_parts(p.add(1).cast::<u64>(), (*p).box_words() - 1)
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
        Some(_) => {
            let c = m.arg(a, 0);
            match any_trie(m, c) {
                Some(Source::Trie(trie)) => trie,
                // It has been destroyed meanwhile.
                _ => return Ok(Step::Fail),
            }
        }
    };
    using(m, trie, |m, trie| walk(m, a, trie, state, valued))
}

/// Whether a key and its value unify with the arguments.
fn unifies(m: &mut Ctx, a: Args, key: &[u64], value: Option<&[u64]>) -> Res {
    let key = m.term_of_tokens(key)?;
    let value = match value {
        None => None,
        Some([]) => Some(no_value()),
        Some(words) => Some(m.heap.instantiate_words(words)?),
    };
    Ok(m.unify_arg(a, 1, key) && value.is_none_or(|value| m.unify_arg(a, 2, value)))
}

/// The next solution. The state is `'$trie'(Place, Ahead)`: the place of an item, raw, in what is ahead ([`kept`]).
fn walk(
    m: &mut Ctx,
    a: Args,
    trie: &Trie,
    state: Option<Cell>,
    valued: bool,
) -> Result<Step, Throw> {
    let mut found: Vec<u64> = Vec::new();
    // What is ahead, if it is on the heap.
    let (mut on_heap, mut at) = match state {
        // SAFETY: a structure made below, read before anything is added to the heap.
        Some(state) => unsafe {
            let p = state.ptr();
            (Some(*p.add(2)), (*p.add(1)).payload() as usize)
        },
        None => (None, 0),
    };
    let mut age = None;
    loop {
        let ahead = match on_heap {
            // SAFETY: a builtin runs.
            Some(kept) => Ahead(unsafe { kept_words(kept) }),
            None => Ahead(&found),
        };
        let mut most = BEGIN;
        let start = if age.is_none() && on_heap.is_none() {
            Start::First
        } else {
            age = Some(ahead.age());
            match ahead.item(at) {
                None => return Ok(Step::Fail),
                Some(Item::Onward(start)) => {
                    most = MOST.min(4 * ahead.most());
                    start
                }
                Some(Item::Entry { key, value, next }) => {
                    // (It is there before and after terms are made of it, and so are its atoms.)
                    let is_there = trie.changes() == ahead.changes();
                    let holds = is_there
                        && attempt(m, |m| {
                            let holds = unifies(m, a, key, valued.then_some(value))?;
                            Ok(holds && trie.changes() == ahead.changes())
                        })?;
                    if holds {
                        return solved(m, ahead, next, on_heap);
                    }
                    if trie.changes() == ahead.changes() {
                        at = next;
                        continue;
                    }
                    most = AGAIN;
                    Start::Key(key)
                }
            }
        };
        // Whatever there is is tried if no key is like the pattern.
        let pattern = m.tokens_of(m.arg(a, 1), true);
        let pattern = pattern.unwrap_or_else(|_| vec![variable_token(0)]);
        let born = *age.get_or_insert_with(|| trie.age());
        let only = match start {
            Start::First if !has_variables(&pattern) => trie.only(&pattern),
            _ => None,
        };
        if let Some(entry) = only {
            // Nothing else is like the pattern.
            let Some(entry) = entry else {
                return Ok(Step::Fail);
            };
            let value = valued.then(|| entry.words_of_value());
            let holds = attempt(m, |m| unifies(m, a, entry.words(), value))?;
            return Ok(if holds { Step::Last } else { Step::Fail });
        }
        let Some(Batch { first, ahead }) = trie.batch(start, &pattern, born, most)? else {
            return Ok(Step::Fail);
        };
        (found, on_heap, at) = (ahead, None, FIRST_ITEM);
        if attempt(m, |m| {
            unifies(m, a, first.words(), valued.then(|| first.words_of_value()))
        })? {
            return solved(m, Ahead(&found), at, None);
        }
    }
}

/// A solution; the next item is there, if any.
fn solved(m: &mut Ctx, ahead: Ahead, next: usize, on_heap: Option<Cell>) -> Result<Step, Throw> {
    if ahead.item(next).is_none() {
        return Ok(Step::Last);
    }
    let kept = match on_heap {
        Some(kept) => kept,
        None => kept(m, ahead.0)?,
    };
    let next = Cell::header(Kind::Raw, next as u64);
    let state = m.heap.structure(OF_TRIE, &[next, kept])?;
    Ok(match on_heap {
        Some(_) => Step::More(state),
        // What is ahead stays.
        None => Step::Kept(state),
    })
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

/// Names the state of a walk over a trie.
const OF_TRIE: Functor = Functor::new(atoms::TRIE_NODE, 2);
/// The same over a table.
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
    let mut found = Properties {
        wanted,
        pairs: Vec::new(),
    };
    match any_trie(m, c) {
        None => (),
        Some(Source::Trie(trie)) => {
            // Who asks how many there are does not wait for the rest.
            if wanted.is_some_and(|name| name.as_str() == "value_count") {
                found.add_count(m, c, "value_count", trie.len() as u64)?;
            } else {
                let sizes = trie.sizes()?;
                let n = [sizes.nodes, sizes.values, sizes.bytes, sizes.forks];
                for (name, n) in PROPERTIES.into_iter().zip(n) {
                    found.add_count(m, c, name, n as u64)?;
                }
            }
        }
        Some(Source::Table(table)) => {
            let (_, count) = m.state_of_table(table);
            found.add_count(m, c, "value_count", count as u64)?;
        }
    }
    let list = m.heap.list(&found.pairs, Cell::NIL)?;
    Ok(m.unify_arg(a, 2, list))
}
