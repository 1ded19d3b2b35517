//! Dicts: making, reading and changing them.
//!
//! What a dict is: [`samite_term::dict`]. As in SWI-Prolog a list of `Key-Value`, `Key=Value`, `Key:Value` and `Key(Value)` is taken for a dict
//! where data are asked for (`put_dict/3`, `del_dict/4`, `:< /2`, …), not where a dict is (`get_dict/3`, `b_set_dict/3`); the keys are given in the
//! standard order, where SWI-Prolog 9.0 gives them in an order of its own.
//!
//! *Invariant*: the pairs of [`Data`] are in the order of their keys, each once, if they come from a list, or from a dict that no program has made by its name.
//!
//! Functional notation is in Prolog (`library/data/dict_functions.pl`) on top of `$get_dict_ex/3`.

use super::args::{attempt, finite_list};
use super::expansion::has_compound;
use super::terms::set_argument;
use super::{Entry, det, nondet, pure};
use crate::engine::ctx::Ctx;
use crate::engine::going::Step;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use samite_term::dict::{self, Dict};
use samite_term::{Atom, Cell, Functor, Tag, TermRef, View, atoms, growth};
use std::cmp::Ordering;

pub const TABLE: &[Entry] = &[
    pure("is_dict", 1, |m, a| Ok(Dict::of(m.view(a, 0)).is_some())),
    pure("is_dict", 2, is_dict),
    nondet("get_dict", 3, get_dict),
    nondet("$get_dict_ex", 3, get_dict_ex),
    det("get_dict", 5, get_and_put).makes_terms(),
    det("put_dict", 4, put_dict).makes_terms(),
    det("put_dict", 3, put_all).makes_terms(),
    det("del_dict", 4, del_dict).makes_terms(),
    det("select_dict", 3, select_dict).makes_terms(),
    det(":<", 2, |m, a| {
        let (select, from) = (data(m, m.arg(a, 0))?, data(m, m.arg(a, 1))?);
        Ok(select_from(m, &select, &from, |_| ()))
    })
    .makes_terms(),
    det(">:<", 2, agree).makes_terms(),
    det("dict_pairs", 3, dict_pairs).makes_terms(),
    det("dict_create", 3, dict_create).makes_terms(),
    det("b_set_dict", 3, |m, a| set(m, a, false)).makes_terms(),
    det("nb_set_dict", 3, |m, a| set(m, a, true)).makes_terms(),
    det("nb_link_dict", 3, |m, a| set(m, a, true)).makes_terms(),
    pure("$has_functions", 1, |m, a| {
        Ok(has_functions(m, m.arg(a, 0))?)
    }),
];

/// A dict, or a list that is taken for one: its keys and values.
enum Data<'b> {
    Dict(Dict<'b>),
    Pairs(Vec<(Cell, Cell)>),
}

impl Data<'_> {
    /// `None`: a new variable.
    fn tag(&self) -> Option<Cell> {
        match self {
            Data::Dict(dict) => Some(dict.tag().cell()),
            Data::Pairs(_) => None,
        }
    }
    fn len(&self) -> usize {
        match self {
            Data::Dict(dict) => dict.len(),
            Data::Pairs(pairs) => pairs.len(),
        }
    }
    #[inline]
    fn get(&self, i: usize) -> Option<(Cell, Cell)> {
        match self {
            Data::Dict(dict) => (i < dict.len()).then(|| (dict.key(i), dict.value(i).cell())),
            Data::Pairs(pairs) => pairs.get(i).copied(),
        }
    }
    fn pairs(&self) -> impl ExactSizeIterator<Item = (Cell, Cell)> {
        (0..self.len()).map(|i| self.get(i).unwrap_or((Cell::NIL, Cell::NIL)))
    }
}

/// What a list of keys and values may consist of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Items {
    /// `Key-Value`.
    Pairs,
    /// That, `Key=Value`, `Key:Value` and `Key(Value)`.
    Any,
}

fn is_dict(m: &mut Ctx, a: Args) -> Res {
    match Dict::of(m.view(a, 0)) {
        Some(dict) => Ok(m.unify_arg(a, 1, dict.tag().cell())),
        None => Ok(false),
    }
}

/// The dict that an argument is to be.
fn dict_argument<'b>(m: &mut Ctx<'b>, a: Args, i: usize) -> Result<Dict<'b>, Throw> {
    let t = m.view(a, i);
    match Dict::of(t) {
        Some(dict) => Ok(dict),
        None if t.is_var() => Err(m.instantiation_error()),
        None => Err(m.type_error("dict", t.cell())),
    }
}

/// A key that is to be bound.
fn key(m: &mut Ctx, c: Cell) -> Result<Cell, Throw> {
    let c = m.deref(c);
    if dict::is_key(c) {
        Ok(c)
    } else if c.is_ref() {
        Err(m.instantiation_error())
    } else {
        Err(m.type_error("dict-key", c))
    }
}

/// The dict that a term is, or that a list of keys and values stands for.
fn data<'b>(m: &mut Ctx<'b>, t: Cell) -> Result<Data<'b>, Throw> {
    match Dict::of(m.term(t)) {
        Some(dict) => Ok(Data::Dict(dict)),
        None => list_data(m, t, Items::Any).map(Data::Pairs),
    }
}

/// The dict that a term is, or a new one of a list of keys and values.
fn dict_of_data(m: &mut Ctx, t: Cell) -> Result<Cell, Throw> {
    if Dict::of(m.term(t)).is_some() {
        return Ok(t);
    }
    let pairs = list_data(m, t, Items::Any)?;
    build(m, None, pairs.into_iter())
}

/// The dict that a term is known to be.
fn dict_at<'b>(m: &mut Ctx<'b>, t: Cell) -> Result<Dict<'b>, Throw> {
    Dict::of(m.term(t)).ok_or_else(|| m.type_error("dict", t))
}

/// A dict as this one, but that from number `i` on `removed` keys (one or none) are replaced by another, or by none.
fn changed(
    m: &mut Ctx,
    dict: Dict,
    i: usize,
    removed: usize,
    new: Option<(Cell, Cell)>,
) -> Result<Cell, Throw> {
    let keys = dict.len() - removed + usize::from(new.is_some());
    if !dict::functor_fits(keys) {
        return Err(m.resource_error("memory"));
    }
    let (before, rest) = dict.args().split_at(1 + 2 * i);
    let behind = &rest[2 * removed..];
    let p = m.heap.allocate(2 + 2 * keys)?;
    // SAFETY: so many cells were just allocated, apart from those of the dict: the functor, and what is copied.
    unsafe {
        *p = dict::functor(keys).cell();
        let mut to = p.add(1);
        to.copy_from_nonoverlapping(before.as_ptr(), before.len());
        to = to.add(before.len());
        if let Some((key, value)) = new {
            *to = value;
            *to.add(1) = key;
            to = to.add(2);
        }
        to.copy_from_nonoverlapping(behind.as_ptr(), behind.len());
    }
    Ok(Cell::to(Tag::Str, p))
}

/// What a list of keys and values stands for.
fn list_data(m: &mut Ctx, t: Cell, items: Items) -> Result<Vec<(Cell, Cell)>, Throw> {
    let t = m.deref(t);
    if t.is_ref() {
        return Err(m.instantiation_error());
    }
    if t.tag() != Tag::Lst && t != Cell::NIL {
        return Err(m.type_error("dict-data", t));
    }
    let list = finite_list(m.term(t)).filter(|(_, tail)| tail.is_nil());
    let Some((elements, _)) = list else {
        return Err(m.type_error("list", t));
    };
    if dict::functor_fits(elements.len()) {
        let mut pairs = growth::with_room(elements.len())?;
        for element in elements {
            let Some((k, v)) = key_and_value(element, items) else {
                let what = match items {
                    Items::Pairs => "pair",
                    Items::Any => "key-value",
                };
                return Err(m.type_error(what, element.cell()));
            };
            pairs.push((key(m, k)?, v));
        }
        pairs.sort_unstable_by(|x, y| dict::order(x.0, y.0));
        if let Some(twice) = pairs.windows(2).find(|w| w[0].0 == w[1].0) {
            let twice = twice[0].0;
            return Err(m.formal(Atom::new("duplicate_key"), &[twice]));
        }
        return Ok(pairs);
    }
    Err(m.resource_error("memory"))
}

fn key_and_value(t: TermRef, items: Items) -> Option<(Cell, Cell)> {
    let View::Compound(c) = t.view() else {
        return None;
    };
    let any = items == Items::Any;
    match (c.arity(), c.name()) {
        (2, atoms::MINUS) => Some((c.arg(0).cell(), c.arg(1).cell())),
        (2, atoms::EQUALS | atoms::COLON) if any => Some((c.arg(0).cell(), c.arg(1).cell())),
        (1, name) if any => Some((Cell::name(name), c.arg(0).cell())),
        _ => None,
    }
}

/// The dict of keys and values that are in order.
fn build(
    m: &mut Ctx,
    tag: Option<Cell>,
    pairs: impl ExactSizeIterator<Item = (Cell, Cell)>,
) -> Result<Cell, Throw> {
    if !dict::functor_fits(pairs.len()) {
        return Err(m.resource_error("memory"));
    }
    let f = dict::functor(pairs.len());
    let p = m.heap.allocate(1 + f.arity())?;
    // SAFETY: so many cells were just allocated: the functor, the tag, and two for each pair.
    unsafe {
        *p = f.cell();
        *p.add(1) = tag.unwrap_or(Cell::to(Tag::Ref, p.add(1)));
        for (i, (key, value)) in pairs.enumerate().take(f.arity() / 2) {
            *p.add(2 + 2 * i) = value;
            *p.add(3 + 2 * i) = key;
        }
    }
    Ok(Cell::to(Tag::Str, p))
}

/// `get_dict(?Key, +Dict, -Value)`.
fn get_dict(m: &mut Ctx, a: Args, state: Option<Cell>) -> Result<Step, Throw> {
    let dict = dict_argument(m, a, 1)?;
    let k = m.arg(a, 0);
    if k.is_ref() {
        return enumerate(m, a, dict, (0, 2), state);
    }
    let k = key(m, k)?;
    let found = dict.find(k).map(|i| dict.value(i).cell());
    Ok(match found {
        Ok(value) if m.unify_arg(a, 2, value) => Step::Last,
        _ => Step::Fail,
    })
}

/// The keys of a dict and their values, one after the other; `to` says which arguments these are unified with.
fn enumerate(
    m: &mut Ctx,
    a: Args,
    dict: Dict,
    to: (usize, usize),
    state: Option<Cell>,
) -> Result<Step, Throw> {
    let mut i = state.map_or(0, |s| s.small_value() as usize);
    while i < dict.len() {
        let (key, value) = (dict.key(i), dict.value(i).cell());
        i += 1;
        if attempt(m, |m| {
            Ok(m.unify_arg(a, to.1, value) && m.unify_arg(a, to.0, key))
        })? {
            return Ok(match i == dict.len() {
                true => Step::Last,
                false => Step::More(Cell::small(i as i64)),
            });
        }
    }
    Ok(Step::Fail)
}

/// `'$get_dict_ex'(?Key, +Dict, -Value)`: the same, but that a key has to be there; fails if one of them is something else.
fn get_dict_ex(m: &mut Ctx, a: Args, state: Option<Cell>) -> Result<Step, Throw> {
    let (k, t) = (m.arg(a, 0), m.view(a, 1));
    let Some(dict) = Dict::of(t) else {
        if t.is_var() {
            return Err(m.instantiation_error());
        }
        return Ok(Step::Fail);
    };
    if k.is_ref() {
        return enumerate(m, a, dict, (0, 2), state);
    }
    if !dict::is_key(k) {
        return Ok(Step::Fail);
    }
    match dict.find(k) {
        Ok(i) => {
            let value = dict.value(i).cell();
            Ok(match m.unify_arg(a, 2, value) {
                true => Step::Last,
                false => Step::Fail,
            })
        }
        Err(_) => Err(no_key(m, k, t.cell())),
    }
}

/// `error(existence_error(key, Key, Dict), _)`.
pub(crate) fn no_key(m: &mut Ctx, key: Cell, dict: Cell) -> Throw {
    m.formal(atoms::EXISTENCE_ERROR, &[Cell::atom(atoms::KEY), key, dict])
}

/// `get_dict(+Key, +Dict, -Value, -NewDict, ?NewValue)`: NewDict has NewValue in place of Value.
fn get_and_put(m: &mut Ctx, a: Args) -> Res {
    let k = key(m, m.arg(a, 0))?;
    let t = dict_of_data(m, m.arg(a, 1))?;
    let dict = dict_at(m, t)?;
    let Ok(i) = dict.find(k) else {
        return Ok(false);
    };
    let value = dict.value(i).cell();
    let new = changed(m, dict, i, 1, Some((k, m.arg(a, 4))))?;
    Ok(m.unify_arg(a, 2, value) && m.unify_arg(a, 3, new))
}

/// `put_dict(+Key, +Dict, +Value, -NewDict)`.
fn put_dict(m: &mut Ctx, a: Args) -> Res {
    let t = dict_of_data(m, m.arg(a, 1))?;
    let k = key(m, m.arg(a, 0))?;
    let dict = dict_at(m, t)?;
    let (i, replaced) = match dict.find(k) {
        Ok(i) => (i, 1),
        Err(i) => (i, 0),
    };
    let new = changed(m, dict, i, replaced, Some((k, m.arg(a, 2))))?;
    Ok(m.unify_arg(a, 3, new))
}

/// `del_dict(+Key, +Dict, ?Value, -NewDict)`.
fn del_dict(m: &mut Ctx, a: Args) -> Res {
    let t = dict_of_data(m, m.arg(a, 1))?;
    let k = key(m, m.arg(a, 0))?;
    let dict = dict_at(m, t)?;
    let Ok(i) = dict.find(k) else {
        return Ok(false);
    };
    let value = dict.value(i).cell();
    let new = changed(m, dict, i, 1, None)?;
    Ok(m.unify_arg(a, 2, value) && m.unify_arg(a, 3, new))
}

/// `put_dict(+New, +Dict, -NewDict)`.
fn put_all(m: &mut Ctx, a: Args) -> Res {
    let old = data(m, m.arg(a, 1))?;
    let new = data(m, m.arg(a, 0))?;
    let mut pairs = growth::with_room(new.len() + old.len())?;
    let mut rest = old.pairs().peekable();
    for (k, v) in new.pairs() {
        while let Some(pair) = rest.next_if(|old| dict::order(old.0, k) == Ordering::Less) {
            pairs.push(pair);
        }
        rest.next_if(|old| old.0 == k);
        pairs.push((k, v));
    }
    pairs.extend(rest);
    let new = build(m, old.tag(), pairs.into_iter())?;
    Ok(m.unify_arg(a, 2, new))
}

/// Unifies the tags, and the values of `select` with those that `from` has for the same keys; false if it lacks a key or something does not unify. What
/// `from` has besides goes to `other`, of which there is no more than it has more keys.
fn select_from(
    m: &mut Ctx,
    select: &Data,
    from: &Data,
    mut other: impl FnMut((Cell, Cell)),
) -> bool {
    if !unify_tags(m, select, from) {
        return false;
    }
    let mut others = from.len().saturating_sub(select.len());
    let mut wanted = select.pairs().peekable();
    for (k, v) in from.pairs() {
        match wanted.next_if(|w| w.0 == k) {
            Some((_, w)) => {
                if !m.unify(w, v) {
                    return false;
                }
            }
            None if others > 0 => {
                others -= 1;
                other((k, v));
            }
            None => return false,
        }
    }
    wanted.peek().is_none()
}

fn unify_tags(m: &mut Ctx, x: &Data, y: &Data) -> bool {
    match (x.tag(), y.tag()) {
        (Some(x), Some(y)) => m.unify(x, y),
        _ => true,
    }
}

/// `select_dict(+Select, +From, -Rest)`.
fn select_dict(m: &mut Ctx, a: Args) -> Res {
    let (select, from) = (data(m, m.arg(a, 0))?, data(m, m.arg(a, 1))?);
    let most = from.len().saturating_sub(select.len());
    // (Few are beside the list.)
    let mut few = [(Cell::NIL, Cell::NIL); 8];
    let mut many = Vec::new();
    let others = match few.get_mut(..most) {
        Some(few) => few,
        None => {
            growth::have(&mut many, most)?;
            many.resize(most, (Cell::NIL, Cell::NIL));
            &mut many[..]
        }
    };
    let mut found = 0;
    let selected = select_from(m, &select, &from, |pair| {
        others[found] = pair;
        found += 1;
    });
    if !selected {
        return Ok(false);
    }
    let rest = build(m, None, others[..found].iter().copied())?;
    Ok(m.unify_arg(a, 2, rest))
}

/// `+Dict1 >:< +Dict2`: what both have for a key unifies, and so do the tags.
fn agree(m: &mut Ctx, a: Args) -> Res {
    let (x, y) = (data(m, m.arg(a, 0))?, data(m, m.arg(a, 1))?);
    if !unify_tags(m, &x, &y) {
        return Ok(false);
    }
    let (mut i, mut j) = (0, 0);
    while let (Some((k, v)), Some((l, w))) = (x.get(i), y.get(j)) {
        let order = dict::order(k, l);
        i += usize::from(order != Ordering::Greater);
        j += usize::from(order != Ordering::Less);
        if order == Ordering::Equal && !m.unify(v, w) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// `dict_pairs(?Dict, ?Tag, ?Pairs)`.
fn dict_pairs(m: &mut Ctx, a: Args) -> Res {
    let t = m.arg(a, 0);
    if t.is_ref() {
        let pairs = list_data(m, m.arg(a, 2), Items::Pairs)?;
        let dict = build(m, Some(m.arg(a, 1)), pairs.into_iter())?;
        return Ok(m.unify(t, dict));
    }
    let data = data(m, t)?;
    let minus = Functor::new(atoms::MINUS, 2);
    let mut pairs = growth::with_room(data.len())?;
    for (k, v) in data.pairs() {
        pairs.push(m.heap.structure(minus, &[k, v])?);
    }
    let list = m.heap.list(&pairs, Cell::NIL)?;
    Ok(data.tag().is_none_or(|tag| m.unify_arg(a, 1, tag)) && m.unify_arg(a, 2, list))
}

/// `dict_create(-Dict, ?Tag, +Pairs)`; Pairs may be a dict, which then is Dict.
fn dict_create(m: &mut Ctx, a: Args) -> Res {
    let t = m.arg(a, 2);
    if Dict::of(m.term(t)).is_some() {
        return Ok(m.unify_arg(a, 0, t));
    }
    let pairs = list_data(m, t, Items::Any)?;
    let dict = build(m, Some(m.arg(a, 1)), pairs.into_iter())?;
    Ok(m.unify_arg(a, 0, dict))
}

/// `b_set_dict(+Key, !Dict, +Value)`, `nb_set_dict(+Key, !Dict, +Value)`.
fn set(m: &mut Ctx, a: Args, keep: bool) -> Res {
    let dict = dict_argument(m, a, 1)?;
    let k = key(m, m.arg(a, 0))?;
    let t = m.arg(a, 1);
    let Ok(i) = dict.find(k) else {
        return Err(no_key(m, k, t));
    };
    // SAFETY: a dict is a structure: behind its functor and its tag there are two cells for each key.
    let target = unsafe { t.ptr().add(2 + 2 * i) };
    // SAFETY: an argument cell of this heap.
    unsafe { set_argument(m, target, m.arg(a, 2), keep)? };
    Ok(true)
}

/// `'$has_functions'(@Term)`: whether functional notation is in it.
fn has_functions(m: &Ctx, t: Cell) -> Result<bool, growth::Refused> {
    let function = Functor::new(atoms::ISO_DOT, 2);
    has_compound(m.term(t), |c| c.functor() == function)
}
