//! Sorting: `msort/2`, `sort/2`, `sort/4`, `keysort/2`.
//!
//! Keys are sorted stably by the standard order, most of them by their prefixes ([`samite_term::prefix`]) without a look at the terms.

use super::args::proper_list;
use super::dicts::no_key;
use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use samite_term::dict::Dict;
use samite_term::growth::{self, LITTLE};
use samite_term::heavy::Patience;
use samite_term::prefix::prefix;
use samite_term::{Atom, Cell, Functor, Number, Tag, View, atoms, cycle, heavy};
use std::cmp::Ordering;

pub const TABLE: &[Entry] = &[
    det("msort", 2, |m, a| {
        sort_list(m, a, 0, 1, Order::ASCENDING, &[])
    })
    .makes_terms(),
    det("sort", 2, |m, a| {
        sort_list(
            m,
            a,
            0,
            1,
            Order {
                unique: true,
                ..Order::ASCENDING
            },
            &[],
        )
    })
    .core()
    .makes_terms(),
    det("sort", 4, sort_4).makes_terms(),
    det("keysort", 2, keysort).core().makes_terms(),
];

/// A list of so few keys needs no end but those of its comparisons, and is sorted without panic whatever these say.
const FEW_KEYS: usize = 20;

#[derive(Clone, Copy)]
struct Order {
    descending: bool,
    unique: bool,
}

impl Order {
    const ASCENDING: Order = Order {
        descending: false,
        unique: false,
    };
}

/// Room for the keys and items of a list that is sorted: the thread's heap could take them too, with what the library's sort needs beside
/// them, half as much, and the new list.
fn room_to_sort(m: &mut Ctx, n: usize) -> Result<Vec<(Cell, Cell)>, Throw> {
    let keyed = n * size_of::<(Cell, Cell)>();
    m.heap_room(keyed + keyed / 2 + n * 2 * size_of::<Cell>())?;
    Ok(growth::with_room(n)?)
}

/// A step to the key of an item.
#[derive(Clone, Copy)]
enum Sub {
    /// To an argument of a compound, or to what a dict has for this key.
    Argument(usize),
    /// To what a dict has for this key.
    Key(Cell),
}

/// Sorts the list in argument `from` by the sub-argument that `path` leads to; stable.
fn sort_list(m: &mut Ctx, a: Args, from: usize, to: usize, order: Order, path: &[Sub]) -> Res {
    if path.is_empty()
        && let Some((mut items, n)) = few_constants(m, m.arg(a, from))
    {
        let n = sort_few(m, &mut items[..n], order);
        let list = m.heap.list(&items[..n], Cell::NIL)?;
        return Ok(m.unify_arg(a, to, list));
    }
    let mut items = proper_list(m, m.arg(a, from))?;
    if path.is_empty() && items.len() > FEW_KEYS {
        for item in &mut items {
            *item = m.deref(*item);
        }
        if items.iter().all(|item| item.is_ref()) {
            return sort_list_of_variables(m, a, to, &items, order);
        }
    }
    let mut keyed = room_to_sort(m, items.len())?;
    for item in items {
        keyed.push((key_at(m, item, path)?, item));
    }
    sort_keyed(m, &mut keyed, order)?;
    let items = keyed.iter().map(|k| k.1);
    let list = m.heap.list_of(keyed.len(), items, Cell::NIL)?;
    Ok(m.unify_arg(a, to, list))
}

/// Most lists that are sorted are short.
const FEW_CONSTANTS: usize = 8;

/// The items of so short a list, if all are constants.
fn few_constants(m: &Ctx, list: Cell) -> Option<([Cell; FEW_CONSTANTS], usize)> {
    let mut items = [Cell::NIL; FEW_CONSTANTS];
    let (mut t, mut n) = (m.term(list), 0);
    while let View::List(item, rest) = t.view() {
        let item = item.deref();
        if !(item.is_immediate() || item.tag() == Tag::Box) {
            return None;
        }
        *items.get_mut(n)? = item;
        (t, n) = (rest, n + 1);
    }
    (t.deref() == Cell::NIL).then_some((items, n))
}

/// Sorts them where they are, by insertion; so many are left.
fn sort_few(m: &mut Ctx, items: &mut [Cell], order: Order) -> usize {
    let mut sorted = 0;
    'items: for i in 0..items.len() {
        let item = items[i];
        let mut to = sorted;
        while to > 0 {
            let compared = compare_keys(m, items[to - 1], item);
            let compared = match order.descending {
                true => compared.reverse(),
                false => compared,
            };
            match compared {
                Ordering::Less => break,
                Ordering::Equal if order.unique => continue 'items,
                Ordering::Equal => break,
                Ordering::Greater => to -= 1,
            }
        }
        items.copy_within(to..sorted, to + 1);
        items[to] = item;
        sorted += 1;
    }
    sorted
}

/// The same of a list of variables, without keys beside them.
fn sort_list_of_variables(m: &mut Ctx, a: Args, to: usize, items: &[Cell], order: Order) -> Res {
    m.heap_room(items.len() * (size_of::<(u64, usize)>() + 2 * size_of::<Cell>()))?;
    let places = places_of_variables(m, items.iter().copied(), order)?;
    let sorted = places.iter().map(|&(_, i)| items[i]);
    let list = m.heap.list_of(places.len(), sorted, Cell::NIL)?;
    Ok(m.unify_arg(a, to, list))
}

fn sort_keyed(m: &mut Ctx, keyed: &mut Vec<(Cell, Cell)>, order: Order) -> Result<(), Throw> {
    for k in keyed.iter_mut() {
        k.0 = m.deref(k.0);
    }
    if keyed.iter().all(|k| k.0.is_ref()) {
        return sort_variables(m, keyed, order);
    }
    // Few comparisons end by themselves: each of them can be given up.
    let many = keyed.len() > FEW_KEYS;
    if many && is_sorted(m, keyed, order)? {
        return Ok(());
    }
    if many && let Some((items, spare)) = prefixed(m, keyed) {
        return sort_prefixed(m, keyed, items, spare, order);
    }
    let total = are_acyclic(m, keyed);
    let mut spare = spare_for(keyed, total)?;
    if !many {
        let by_key = |x: &(Cell, Cell), y: &(Cell, Cell)| compare_keys(m, x.0, y.0);
        sort_items(keyed, &mut spare, total, order, by_key);
        return Ok(());
    }
    let by_key = patient(|x: &(Cell, Cell), y: &(Cell, Cell)| compare_keys(m, x.0, y.0));
    let sort = || sort_items(keyed, &mut spare, total, order, by_key);
    heavy::guard(sort).map_err(|_| m.given_up())
}

/// Whether each key is in its place already, and without doubles if there are to be none. To find that out costs little where it is not so.
fn is_sorted(m: &mut Ctx, keyed: &[(Cell, Cell)], order: Order) -> Result<bool, Throw> {
    let all = heavy::guard(|| {
        let mut compare = patient(|x, y| compare_keys(m, x.0, y.0));
        keyed
            .windows(2)
            .all(|pair| match compare(&pair[0], &pair[1]) {
                Ordering::Less => !order.descending,
                Ordering::Equal => !order.unique,
                Ordering::Greater => order.descending,
            })
    });
    all.map_err(|_| m.given_up())
}

/// Whether the order of the keys is transitive. That of cyclic terms is not, which the standard library's sort may answer with a panic.
fn are_acyclic(m: &Ctx, keyed: &[(Cell, Cell)]) -> bool {
    cycle::are_acyclic(keyed.iter().map(|k| m.term(k.0)))
}

fn compare_keys(m: &mut Ctx, x: Cell, y: Cell) -> Ordering {
    if x.is_small() && y.is_small() {
        return x.small_value().cmp(&y.small_value());
    }
    let (x, y) = (m.term(x), m.term(y));
    m.heap.compare(x, y)
}

/// Makes comparisons of keys look now and then whether the work is given up: compounds may be large, and constants are quick.
fn patient(
    mut compare: impl FnMut(&(Cell, Cell), &(Cell, Cell)) -> Ordering,
) -> impl FnMut(&(Cell, Cell), &(Cell, Cell)) -> Ordering {
    let mut patience = Patience::new();
    move |x, y| {
        let small = x.0.is_small() && y.0.is_small();
        if patience.is_over_after(if small { 4 } else { 256 }) {
            heavy::abandon();
        }
        compare(x, y)
    }
}

/// First all by their prefixes, whose order is total whatever the keys are; then those of the same prefix by their keys. What cannot be told by
/// prefixes is looked at for cycles at once, so that what they share is.
fn sort_prefixed(
    m: &mut Ctx,
    keyed: &mut Vec<(Cell, Cell)>,
    mut items: Vec<Prefixed>,
    mut spare: Vec<Prefixed>,
    order: Order,
) -> Result<(), Throw> {
    let mut patience = Patience::new();
    let by_prefix = |x: &Prefixed, y: &Prefixed| {
        if patience.is_over_after(4) {
            heavy::abandon();
        }
        x.prefix.cmp(&y.prefix)
    };
    let all = Order {
        unique: false,
        ..order
    };
    let sort = || sort_items(&mut items, &mut spare, true, all, by_prefix);
    heavy::guard(sort).map_err(|_| m.given_up())?;
    drop(spare);
    let runs = || items.chunk_by(|x, y| x.prefix == y.prefix);
    let alike = runs().filter(|run| run.len() > 1);
    let longest = alike.clone().map(<[_]>::len).max().unwrap_or(0);
    let total = cycle::are_acyclic(alike.flatten().map(|k| m.term(k.key)));
    let mut run = growth::with_room(longest)?;
    let mut spare = growth::with_room(longest)?;
    keyed.clear();
    for alike in runs() {
        if let [alone] = alike {
            keyed.push((alone.key, alone.item));
            continue;
        }
        run.clear();
        run.extend(alike.iter().map(|k| (k.key, k.item)));
        let by_key = patient(|x, y| compare_keys(m, x.0, y.0));
        let sort = || sort_items(&mut run, &mut spare, total, order, by_key);
        heavy::guard(sort).map_err(|_| m.given_up())?;
        keyed.append(&mut run);
    }
    Ok(())
}

/// What is sorted, and the [`prefix`] of its key.
#[derive(Clone, Copy)]
struct Prefixed {
    prefix: u128,
    key: Cell,
    item: Cell,
}

/// Keys and items with the prefixes of the keys, and room to sort them; `None`: some key has none, all keys are small integers, which are
/// compared as quickly without, or there is no memory for it.
fn prefixed(m: &Ctx, keyed: &[(Cell, Cell)]) -> Option<(Vec<Prefixed>, Vec<Prefixed>)> {
    if keyed.iter().all(|k| k.0.is_small()) {
        return None;
    }
    // What is asked for here, half as much for the library's sort, and the new list.
    m.heap_room(keyed.len() * 3 * size_of::<Prefixed>()).ok()?;
    let mut items = growth::with_room(keyed.len()).ok()?;
    for &(key, item) in keyed {
        let prefix = prefix(m.term(key))?;
        items.push(Prefixed { prefix, key, item });
    }
    let spare = spare_for(&items, true).ok()?;
    Some((items, spare))
}

/// Room to sort so many items in.
fn spare_for<T>(items: &[T], total: bool) -> Result<Vec<T>, Throw> {
    let merges = !total || items.len() > piece::<T>();
    Ok(growth::with_room(if merges { items.len() } else { 0 })?)
}

/// Sorts, and takes out doubles if there are to be none. `total`: the order is transitive. `spare` is of [`spare_for`].
fn sort_items<T: Copy>(
    items: &mut Vec<T>,
    spare: &mut Vec<T>,
    total: bool,
    order: Order,
    mut compare: impl FnMut(&T, &T) -> Ordering,
) {
    // A comparison that was given up is no order either; the end comes with the next look.
    match (total, order.descending) {
        (true, false) => sort_pieces(items, spare, &mut compare),
        (true, true) => sort_pieces(items, spare, |x, y| compare(y, x)),
        (false, false) => merge_runs(items, spare, 1, &mut compare),
        (false, true) => merge_runs(items, spare, 1, |x, y| compare(y, x)),
    }
    if order.unique {
        items.dedup_by(|y, x| compare(x, y) == Ordering::Equal);
    }
}

/// [`sort_keyed`] for keys that are different or the same variables.
fn sort_variables(m: &mut Ctx, keyed: &mut Vec<(Cell, Cell)>, order: Order) -> Result<(), Throw> {
    let places = places_of_variables(m, keyed.iter().map(|k| k.0), order)?;
    let sorted = growth::list(places.into_iter().map(|(_, i)| keyed[i]))?;
    *keyed = sorted;
    Ok(())
}

/// Variables in their order: the age of each, and its place among them.
fn places_of_variables(
    m: &mut Ctx,
    variables: impl ExactSizeIterator<Item = Cell> + Clone,
    order: Order,
) -> Result<Vec<(u64, usize)>, Throw> {
    let mut aged = m.heap.ages(variables)?;
    // Each by its place, in place: the same variables stay in the order of their places.
    match order.descending {
        false => aged.sort_unstable(),
        true => aged.sort_unstable_by_key(|&(age, i)| (std::cmp::Reverse(age), i)),
    }
    if order.unique {
        aged.dedup_by_key(|k| k.0);
    }
    Ok(aged)
}

/// The library's sort takes a buffer that cannot be refused, as large as what it sorts at most: it gets so many items, for which nobody asks.
const fn piece<T>() -> usize {
    LITTLE / size_of::<T>()
}

/// A stable sort. `spare` has room for all items if they are more than a piece.
fn sort_pieces<T: Copy>(
    items: &mut Vec<T>,
    spare: &mut Vec<T>,
    mut compare: impl FnMut(&T, &T) -> Ordering,
) {
    for piece in items.chunks_mut(piece::<T>()) {
        piece.sort_by(&mut compare);
    }
    merge_runs(items, spare, piece::<T>(), compare);
}

/// A stable sort for any `compare` of items in sorted runs of `width`: bottom-up merging. `spare` has room for all.
fn merge_runs<T: Copy>(
    items: &mut Vec<T>,
    spare: &mut Vec<T>,
    mut width: usize,
    mut compare: impl FnMut(&T, &T) -> Ordering,
) {
    let n = items.len();
    while width < n {
        spare.clear();
        for run in items.chunks(2 * width) {
            let (mut left, mut right) = run.split_at(width.min(run.len()));
            if let (Some(x), Some(y)) = (left.last(), right.first())
                && compare(y, x) != Ordering::Less
            {
                spare.extend_from_slice(run);
                continue;
            }
            while let (Some((x, xs)), Some((y, ys))) = (left.split_first(), right.split_first()) {
                if compare(y, x) == Ordering::Less {
                    spare.push(*y);
                    right = ys;
                } else {
                    spare.push(*x);
                    left = xs;
                }
            }
            spare.extend_from_slice(left);
            spare.extend_from_slice(right);
        }
        std::mem::swap(items, spare);
        width *= 2;
    }
}

/// The key of an item: itself, or what the path leads to.
fn key_at(m: &mut Ctx, item: Cell, path: &[Sub]) -> Result<Cell, Throw> {
    let mut t = m.deref(item);
    for &sub in path {
        let dict = Dict::of(m.term(t));
        let i = match (sub, dict) {
            (Sub::Argument(i), None) => i,
            (Sub::Key(_), None) if matches!(t.tag(), Tag::Lst | Tag::Str) => {
                return Err(m.type_error("dict", t));
            }
            (Sub::Key(_), None) => return Err(m.type_error("compound", t)),
            (_, Some(dict)) => {
                let key = match sub {
                    Sub::Key(key) => key,
                    Sub::Argument(i) => Cell::small(i as i64),
                };
                let Ok(i) = dict.find(key) else {
                    return Err(no_key(m, key, t));
                };
                t = dict.value(i).deref();
                continue;
            }
        };
        let Some((f, args)) = m
            .term(t)
            .callable()
            .filter(|_| matches!(t.tag(), Tag::Lst | Tag::Str))
        else {
            return Err(m.type_error("compound", t));
        };
        if i > f.arity() {
            let e = m.structure(
                "existence_error",
                &[Cell::atom(Atom::new("argument")), Cell::small(i as i64), t],
            )?;
            return Err(m.error_term(e));
        }
        t = args.get(i - 1).deref();
    }
    Ok(t)
}

fn sort_4(m: &mut Ctx, a: Args) -> Res {
    let key = m.arg(a, 0);
    if key.is_ref() {
        return Err(m.instantiation_error());
    }
    let path = match m.term(key).view() {
        View::List(..) => {
            let keys = proper_list(m, key)?;
            let mut path = growth::with_room(keys.len())?;
            for k in keys {
                path.push(match m.term(k).view() {
                    View::Atom(_) => Sub::Key(m.deref(k)),
                    _ => Sub::Argument(key_number(m, k)?.max(1)),
                });
            }
            path
        }
        View::Atom(_) => vec![Sub::Key(key)],
        _ => match key_number(m, key)? {
            0 => Vec::new(),
            n => vec![Sub::Argument(n)],
        },
    };
    let o = m.arg(a, 1);
    if !o.is_atom() {
        return Err(m.type_error("atom", o));
    }
    let (descending, unique) = match o.atom_of() {
        atoms::LESS => (false, true),
        atoms::LESS_EQ => (false, false),
        atoms::GREATER => (true, true),
        atoms::GREATER_EQ => (true, false),
        other => match other.as_str() {
            // As in SWI-Prolog the `@` may be left out.
            "<" => (false, true),
            "=<" => (false, false),
            ">" => (true, true),
            ">=" => (true, false),
            _ => return Err(m.domain_error("order", o)),
        },
    };
    sort_list(m, a, 2, 3, Order { descending, unique }, &path)
}

fn key_number(m: &mut Ctx, c: Cell) -> Result<usize, Throw> {
    match m.term(c).number() {
        Some(Number::Int(v)) if v < 0 => Err(m.domain_error("not_less_than_one", c)),
        Some(Number::Int(v)) => Ok(v as usize),
        Some(Number::Big(_)) => Err(m.representation_error("size_t")),
        _ => Err(m.type_error("sort_key", c)),
    }
}

fn keysort(m: &mut Ctx, a: Args) -> Res {
    let items = proper_list(m, m.arg(a, 0))?;
    let minus = Functor::new(atoms::MINUS, 2);
    let mut keyed = room_to_sort(m, items.len())?;
    for item in items {
        match m.term(item).view() {
            View::Compound(c) if c.functor() == minus => keyed.push((c.arg(0).deref(), item)),
            _ => return Err(m.type_error("pair", item)),
        }
    }
    sort_keyed(m, &mut keyed, Order::ASCENDING)?;
    let items = keyed.iter().map(|k| k.1);
    let list = m.heap.list_of(keyed.len(), items, Cell::NIL)?;
    Ok(m.unify_arg(a, 1, list))
}
