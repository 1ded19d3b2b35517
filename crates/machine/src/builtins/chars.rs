//! `char_type/2` and `code_type/2`: classes of characters, enumerated as in SWI-Prolog.
//!
//! The state between solutions is one number: character × [`STRIDE`] + index of the class.

use super::args::attempt;
use super::text::{code_cell, code_of, lower, single, upper};
use super::{Entry, nondet};
use crate::engine::ctx::Ctx;
use crate::engine::going::Step;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use rustc_hash::FxHashMap;
use samite_syntax::chars;
use samite_term::{Atom, Cell, Functor, HeldFunctor, View, atoms};
use std::sync::LazyLock;

pub const TABLE: &[Entry] = &[
    nondet("char_type", 2, |m, a, s| {
        char_type(m, a, s, |m, c| m.char_cell(c))
    }),
    nondet("code_type", 2, |m, a, s| {
        char_type(m, a, s, |_, c| Ok(code_cell(c)))
    }),
];

/// Makes the cell of a character: an atom or a code.
type MakeCell = fn(&Ctx, char) -> Result<Cell, Throw>;

/// What belongs to a character in a class.
#[derive(Clone, Copy)]
enum Test {
    /// Nothing.
    Is(fn(char) -> bool),
    /// A number.
    Weight(fn(char) -> Option<u32>),
    /// Another character.
    Other(fn(char) -> Option<char>),
    /// `to_lower(L)`, `to_upper(U)`: as `Other`; of an unbound character, the inverse.
    Mapping(fn(char) -> char, fn(char) -> char),
}

use Test::{Is, Mapping, Other, Weight};

/// The classes, in order of enumeration.
const CLASSES: &[(&str, Test)] = &[
    ("alnum", Is(is_alnum)),
    ("alpha", Is(chars::is_letter)),
    ("csym", Is(|c| is_alnum(c) || c == '_')),
    ("csymf", Is(|c| chars::is_letter(c) || c == '_')),
    ("prolog_var_start", Is(chars::is_variable_start)),
    ("prolog_atom_start", Is(chars::is_name_start)),
    ("prolog_identifier_continue", Is(chars::is_alnum)),
    ("prolog_symbol", Is(chars::is_symbol)),
    ("decimal", Is(|c| chars::decimal_digit(c).is_some())),
    ("decimal", Weight(chars::decimal_digit)),
    ("ascii", Is(|c| c.is_ascii())),
    ("white", Is(|c| c == ' ' || c == '\t')),
    (
        "cntrl",
        Is(|c| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')),
    ),
    ("digit", Is(|c| c.is_ascii_digit())),
    ("print", Is(is_print)),
    ("graph", Is(chars::is_graph)),
    ("space", Is(is_space)),
    ("end_of_line", Is(|c| matches!(c, '\n'..='\r'))),
    ("lower", Is(is_lower)),
    ("upper", Is(is_upper)),
    ("punct", Is(|c| chars::is_graph(c) && !is_alnum(c))),
    ("newline", Is(|c| c == '\n')),
    ("period", Is(|c| matches!(c, '!' | '.' | '?'))),
    ("quote", Is(|c| matches!(c, '"' | '\'' | '`'))),
    ("lower", Other(|c| is_lower(c).then(|| upper(c)))),
    ("upper", Other(|c| is_upper(c).then(|| lower(c)))),
    ("to_lower", Mapping(upper, lower)),
    ("to_upper", Mapping(lower, upper)),
    ("paren", Other(closing)),
    ("digit", Weight(|c| c.to_digit(10))),
    ("xdigit", Weight(|c| c.to_digit(16))),
];

/// A number above that of the classes.
const STRIDE: u64 = 64;
const _: () = assert!(CLASSES.len() < STRIDE as usize);

fn is_alnum(c: char) -> bool {
    chars::is_letter(c) || c.is_ascii_digit()
}

fn is_space(c: char) -> bool {
    match c {
        '\t'..='\r' | ' ' => true,
        // Spaces that no line is broken at, and NEL, are none.
        '\0'..='\u{ff}' | '\u{2007}' | '\u{202f}' => false,
        _ => c.is_whitespace(),
    }
}

fn is_print(c: char) -> bool {
    chars::is_graph(c) || (is_space(c) && !matches!(c, '\t'..='\r' | '\u{2028}' | '\u{2029}'))
}

/// A letter in titlecase is an upper one, and a lower one too if it has an upper one of its own.
fn is_upper(c: char) -> bool {
    c.is_uppercase() || chars::is_titlecase(c)
}

fn is_lower(c: char) -> bool {
    c.is_lowercase() || (chars::is_titlecase(c) && upper(c) != c)
}

fn closing(c: char) -> Option<char> {
    Some(match c {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        _ => return None,
    })
}

/// What the first argument is.
enum Subject {
    Any,
    Char(char),
    /// The code -1, and what `get_char/1` gives for it.
    End,
}

fn subject(m: &mut Ctx, c: Cell) -> Result<Subject, Throw> {
    let c = m.deref(c);
    let known = match m.term(c).view() {
        View::Var(_) | View::Attributed(_) => return Ok(Subject::Any),
        View::Int(-1) | View::Atom(atoms::END_OF_FILE) => return Ok(Subject::End),
        View::Int(_) => match code_of(c) {
            Some(c) => return Ok(Subject::Char(c)),
            None if u32::try_from(c.small_value()).is_ok_and(|n| n <= i32::MAX as u32) => {
                return Err(m.domain_error("character", c));
            }
            None => None,
        },
        View::Atom(a) => single(a.as_str()),
        View::Str(s) => single(s),
        // A text of one character.
        View::List(x, tail) if tail.is_nil() => match x.view() {
            View::Atom(a) => single(a.as_str()),
            _ => code_of(x.deref()),
        },
        _ => None,
    };
    match known {
        Some(c) => Ok(Subject::Char(c)),
        None => Err(m.type_error("character", c)),
    }
}

/// The argument of a class, if it is bound: a character or code.
fn bound_character(m: &mut Ctx, c: Cell) -> Result<Option<char>, Throw> {
    match subject(m, c)? {
        Subject::Char(c) => Ok(Some(c)),
        Subject::Any => Ok(None),
        Subject::End => Err(m.type_error("character", c)),
    }
}

fn char_type(m: &mut Ctx, a: Args, state: Option<Cell>, cell: MakeCell) -> Result<Step, Throw> {
    let x = m.arg(a, 0);
    let subject = subject(m, x)?;
    let class = m.arg(a, 1);
    // The classes to try.
    let view = m.term(class);
    let wanted = match view.view() {
        View::Var(_) | View::Attributed(_) => ALL,
        View::Atom(atoms::END_OF_FILE) => return end_of_file(m, a, &subject),
        View::Atom(name) => matching(name, 0),
        View::Compound(c) if c.arity() == 1 => matching(c.name(), 1),
        _ => &[],
    };
    if wanted.is_empty() && !matches!(subject, Subject::End) {
        return Err(m.type_error("char_type", class));
    }
    if matches!(subject, Subject::End) {
        return if class.is_ref() {
            end_of_file(m, a, &subject)
        } else {
            Ok(Step::Fail)
        };
    }
    // A mapping of an unbound character is inverted.
    if let (Subject::Any, &[i], View::Compound(c)) = (&subject, wanted, view.view())
        && let Mapping(_, inverse) = CLASSES[i].1
        && let Some(known) = bound_character(m, c.arg(0).cell())?
    {
        let made = cell(m, inverse(known))?;
        return Ok(match m.unify(x, made) {
            true => Step::Last,
            false => Step::Fail,
        });
    }
    // So is the value of a digit; those above nine are lower letters.
    if let (Subject::Any, View::Compound(c)) = (&subject, view.view())
        && let Some(radix) = match c.name().as_str() {
            "digit" => Some(10),
            "xdigit" => Some(16),
            _ => None,
        }
        && let View::Int(weight @ 0..=15) = c.arg(0).view()
        && let Some(digit) = char::from_digit(weight as u32, radix)
    {
        let made = cell(m, digit)?;
        return Ok(match m.unify(x, made) {
            true => Step::Last,
            false => Step::Fail,
        });
    }
    let at = state.map_or(0, |s| s.small_value() as u64);
    let (mut code, mut from) = ((at / STRIDE) as u32, (at % STRIDE) as usize);
    let end = match subject {
        Subject::Char(c) => {
            code = c as u32;
            code
        }
        _ => char::MAX as u32,
    };
    while code <= end {
        if let Some(c) = char::from_u32(code) {
            for &i in wanted.iter().filter(|&&i| i >= from) {
                if attempt(m, |m| belongs(m, a, c, i, cell))? {
                    let done = code == end && wanted.last() == Some(&i);
                    let next = u64::from(code) * STRIDE + i as u64 + 1;
                    return Ok(if done {
                        Step::Last
                    } else {
                        Step::More(Cell::small(next as i64))
                    });
                }
            }
        }
        code += 1;
        from = 0;
    }
    Ok(Step::Fail)
}

/// All classes.
const ALL: &[usize] = &{
    let mut all = [0; CLASSES.len()];
    let mut i = 0;
    while i < all.len() {
        all[i] = i;
        i += 1;
    }
    all
};

/// The classes of this name and number of arguments.
fn matching(name: Atom, arity: usize) -> &'static [usize] {
    static CLASSES_OF: LazyLock<FxHashMap<HeldFunctor, Vec<usize>>> = LazyLock::new(|| {
        let mut of: FxHashMap<HeldFunctor, Vec<_>> = FxHashMap::default();
        for (i, (name, test)) in CLASSES.iter().enumerate() {
            let arity = usize::from(!matches!(test, Is(_)));
            let class = Functor::new(Atom::new(name), arity).hold();
            of.entry(class).or_default().push(i);
        }
        of
    });
    let of = CLASSES_OF.get(&Functor::new(name, arity));
    of.map_or(&[], Vec::as_slice)
}

fn end_of_file(m: &mut Ctx, a: Args, subject: &Subject) -> Result<Step, Throw> {
    let is_there = match subject {
        Subject::Any => m.unify_arg(a, 0, Cell::small(-1)),
        Subject::Char(_) => false,
        Subject::End => true,
    };
    let holds = is_there && m.unify_atom(a, 1, Atom::new("end_of_file"));
    Ok(if holds { Step::Last } else { Step::Fail })
}

/// Unifies with the fact that `c` belongs to class `i`, if it does.
fn belongs(m: &mut Ctx, a: Args, c: char, i: usize, cell: MakeCell) -> Res {
    let (name, test) = CLASSES[i];
    let attached = match test {
        Is(f) => {
            return Ok(f(c)
                && m.unify_arg(a, 1, Cell::atom(Atom::new(name)))
                && unify_subject(m, a, c, cell)?);
        }
        Weight(f) => match f(c) {
            Some(w) => Cell::small(i64::from(w)),
            None => return Ok(false),
        },
        Other(f) => match f(c) {
            Some(o) => cell(m, o)?,
            None => return Ok(false),
        },
        Mapping(f, _) => cell(m, f(c))?,
    };
    let class = m.arg(a, 1);
    let View::Compound(given) = m.term(class).view() else {
        let t = m
            .heap
            .structure(Functor::new(Atom::new(name), 1), &[attached])?;
        return Ok(m.unify(class, t) && unify_subject(m, a, c, cell)?);
    };
    let given = given.arg(0).cell();
    let same = match m.term(given).view() {
        View::Var(_) | View::Attributed(_) => m.unify(given, attached),
        _ => {
            let Some(known) = bound_character(m, given)? else {
                return Ok(false);
            };
            match test {
                Weight(_) => code_cell(known) == attached,
                // (As in SWI-Prolog, a character is also its own image.)
                Mapping(..) => known == c || cell(m, known)? == attached,
                _ => cell(m, known)? == attached,
            }
        }
    };
    Ok(same && unify_subject(m, a, c, cell)?)
}

/// Unifies the first argument with a character; any form of it will do if it is bound.
fn unify_subject(m: &mut Ctx, a: Args, c: char, cell: MakeCell) -> Res {
    let x = m.arg(a, 0);
    if !x.is_ref() {
        return Ok(true);
    }
    let made = cell(m, c)?;
    Ok(m.unify(x, made))
}
