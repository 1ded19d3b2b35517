//! Text as terms: the text of atoms, strings, numbers and lists, and the predicates that convert between them or between text
//! and terms (ISO 13211-1, 8.16, with SWI-Prolog's additions).
//!
//! The helpers at the top are shared with the other topics of text.

use super::args::list_parts;
use super::quasi::{self, OnError, ReadFrom};
use super::termio::{quoted_with, read_text_with};
use super::{Entry, det, pure};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use samite_syntax::read::{self, Note, ReadError, SyntaxError};
use samite_syntax::write::{WriteOptions, format_float, write_term};
use samite_term::growth::{self, Refused};
use samite_term::heavy::{BETWEEN_LOOKS, Patience};
use samite_term::positions::Positions;
use samite_term::{Atom, Cell, Functor, Number, Tag, View, atoms, common};
use std::borrow::Cow;

pub const TABLE: &[Entry] = &[
    pure("atom_length", 2, |m, a| {
        let t = m.arg(a, 0);
        // With the flag `iso` numbers are no atoms (8.16.1.3).
        let is_text = t.is_atom() || matches!(m.term(t).view(), View::Str(_) | View::List(..));
        if m.thread.arith.iso && !t.is_ref() && !is_text {
            return Err(m.type_error("atom", t));
        }
        length(m, a)
    })
    .core(),
    pure("string_length", 2, length),
    pure("atom_codes", 2, |m, a| {
        convert(m, a, Make::Atom, Make::Codes)
    })
    .core(),
    pure("atom_chars", 2, |m, a| {
        convert(m, a, Make::Atom, Make::Chars)
    })
    .core(),
    pure("string_codes", 2, |m, a| {
        convert(m, a, Make::String, Make::Codes)
    }),
    pure("string_chars", 2, |m, a| {
        convert(m, a, Make::String, Make::Chars)
    }),
    pure("char_code", 2, char_code).core(),
    pure("number_codes", 2, |m, a| number_list(m, a, Make::Codes)).core(),
    pure("number_chars", 2, |m, a| number_list(m, a, Make::Chars)).core(),
    pure("atom_number", 2, atom_number),
    pure("number_string", 2, number_string),
    pure("atom_string", 2, atom_string),
    pure("string_to_atom", 2, string_to_atom),
    pure("text_to_string", 2, text_to_string),
    pure("upcase_atom", 2, |m, a| {
        change_case(m, a, upper, Make::Atom)
    }),
    pure("downcase_atom", 2, |m, a| {
        change_case(m, a, lower, Make::Atom)
    }),
    pure("string_upper", 2, |m, a| {
        change_case(m, a, upper, Make::String)
    }),
    pure("string_lower", 2, |m, a| {
        change_case(m, a, lower, Make::String)
    }),
    det("term_to_atom", 2, |m, a| {
        term_text(m, a, Make::Atom, m.reading_module())
    })
    .makes_terms(),
    det("term_string", 2, |m, a| {
        term_text(m, a, Make::String, m.reading_module())
    })
    .makes_terms(),
    det("atom_to_term", 3, atom_to_term).makes_terms(),
    det("$unclosed", 5, unclosed),
    det("term_string", 3, |m, a| match m.arg(a, 1) {
        text if text.is_ref() => {
            let written = quoted_with(m, m.arg(a, 0), m.arg(a, 2))?;
            let made = make(m, &written, Make::String)?;
            Ok(m.unify(text, made))
        }
        text => {
            let text = text_or_list(m, text, "text")?;
            read_text_with(m, &text, m.arg(a, 0), m.arg(a, 2))
        }
    })
    .makes_terms(),
    det("read_term_from_atom", 3, |m, a| {
        let text = text_or_list(m, m.arg(a, 0), "text")?;
        read_text_with(m, &text, m.arg(a, 1), m.arg(a, 2))
    })
    .makes_terms(),
];

/// What to make of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Make {
    Atom,
    String,
    Codes,
    Chars,
}

/// A term for a text.
pub(crate) fn make(m: &mut Ctx, text: &str, kind: Make) -> Result<Cell, Throw> {
    match kind {
        Make::Atom => Ok(Cell::atom(m.atom_of_text(text)?)),
        Make::String => Ok(m.heap.string(text)?),
        Make::Codes => list_of(m, text, |c| Some(code_cell(c))),
        Make::Chars => {
            let beyond = m.thread.beyond_limit();
            list_of(m, text, |c| char_cell(c, beyond))
        }
    }
}

/// The list of the characters of a text; `cell` may be refused one.
fn list_of(m: &mut Ctx, text: &str, cell: impl Fn(char) -> Option<Cell>) -> Result<Cell, Throw> {
    if text.len() < BETWEEN_LOOKS {
        let n = text.chars().count();
        let mut refused = false;
        let cells = text.chars().map(|c| {
            cell(c).unwrap_or_else(|| {
                refused = true;
                Cell::NIL
            })
        });
        let list = m.heap.list_of(n, cells, Cell::NIL)?;
        return if refused {
            Err(Throw::Memory)
        } else {
            Ok(list)
        };
    }
    let mut patience = Patience::new();
    let mut items = m.vec_beside(text.chars().count())?;
    for c in text.chars() {
        if patience.is_over() {
            return Err(m.given_up());
        }
        items.push(cell(c).ok_or(Throw::Memory)?);
    }
    Ok(m.heap.list(&items, Cell::NIL)?)
}

pub(crate) fn code_cell(c: char) -> Cell {
    Cell::small(c as i64)
}

/// The atom of one character, for who may exceed the limit of what threads have in common by `beyond`; `None` if it is refused.
fn char_cell(c: char, beyond: usize) -> Option<Cell> {
    Atom::of_char_if(c, |bytes| common::may_take(bytes, beyond)).map(Cell::atom)
}

impl Ctx<'_> {
    /// The cell of the atom of a text that a program made.
    pub(crate) fn text_atom(&self, text: &str) -> Result<Cell, Throw> {
        self.atom_of_text(text).map(Cell::atom)
    }
    /// The atom of one character of a text that a program has.
    pub(crate) fn char_cell(&self, c: char) -> Result<Cell, Throw> {
        char_cell(c, self.thread.beyond_limit()).ok_or(Throw::Memory)
    }
}

/// The only character of a text.
pub(crate) fn single(text: &str) -> Option<char> {
    let mut chars = text.chars();
    let c = chars.next()?;
    chars.next().is_none().then_some(c)
}

/// The text of a number as `write/1` writes it.
pub(crate) fn number_text(m: &mut Ctx, c: Cell) -> Result<String, Throw> {
    let t = m.term(c);
    match t.view() {
        View::Int(v) => return Ok(v.to_string()),
        View::Float(x) => return Ok(format_float(x)),
        _ => {}
    }
    let mut out = String::new();
    let operators = m.program.code.operators(atoms::USER);
    if write_term(&mut out, t, &operators, &WriteOptions::default()) {
        Ok(out)
    } else {
        Err(m.given_up())
    }
}

/// The text of an atom, string or number; `None` of others.
pub(crate) fn atomic_text<'b>(m: &mut Ctx<'b>, c: Cell) -> Result<Option<Cow<'b, str>>, Throw> {
    Ok(match m.term(c).view() {
        View::Atom(a) => Some(Cow::Borrowed(a.as_str())),
        View::Blob(a) => Some(Cow::Borrowed(a.as_str())),
        View::Str(s) => Some(Cow::Borrowed(s)),
        View::Int(_) | View::Float(_) | View::Number(_) => Some(Cow::Owned(number_text(m, c)?)),
        _ => None,
    })
}

/// The text of an atomic argument; instantiation and type errors for others. The empty list has none.
pub(crate) fn text<'b>(m: &mut Ctx<'b>, c: Cell, expected: &str) -> Result<Cow<'b, str>, Throw> {
    if c == Cell::NIL {
        let expected = if expected == "text" { expected } else { "atom" };
        return Err(m.type_error(expected, c));
    }
    match atomic_text(m, c)? {
        Some(t) => Ok(t),
        None => Err(m.type_error(expected, c)),
    }
}

/// The text of an atomic argument, or of a complete list of codes or characters (`[]` is the empty text); `None` if it has none.
fn any_text<'b>(m: &mut Ctx<'b>, c: Cell) -> Result<Option<Cow<'b, str>>, Throw> {
    if c == Cell::NIL {
        return Ok(Some(Cow::Borrowed("")));
    }
    if c.tag() != Tag::Lst {
        return atomic_text(m, c);
    }
    if let Some(text) = short_text(m, c) {
        return Ok(Some(Cow::Owned(text)));
    }
    let (items, tail) = list_parts(m, c);
    Ok(if tail == Cell::NIL {
        match text_of_items(m, &items) {
            Err(Wrong::Refused) => return Err(Throw::Memory),
            text => text.ok().map(Cow::Owned),
        }
    } else {
        None
    })
}

/// Unifies an output with a text: a variable with a term made of it, any other text if it is the same. A term without a text is
/// different from it.
fn give(m: &mut Ctx, out: Cell, text: &str, kind: Make) -> Res {
    if out.is_ref() {
        let made = make(m, text, kind)?;
        return Ok(m.unify(out, made));
    }
    match any_text(m, out)? {
        Some(t) => Ok(*t == *text),
        // A partial list.
        None if matches!(kind, Make::Codes | Make::Chars) && out.tag() == Tag::Lst => {
            let made = make(m, text, kind)?;
            Ok(m.unify(out, made))
        }
        None => Ok(false),
    }
}

/// As [`text`], and also of lists of codes or characters; `[]` is the empty text.
pub(crate) fn text_or_list<'b>(
    m: &mut Ctx<'b>,
    c: Cell,
    expected: &str,
) -> Result<Cow<'b, str>, Throw> {
    let c = m.deref(c);
    if c == Cell::NIL {
        return Ok(Cow::Borrowed(""));
    }
    if c.tag() != Tag::Lst {
        return text(m, c, expected);
    }
    characters(m, c, expected).map(Cow::Owned)
}

/// The characters of an atom or string, but for the empty list.
#[inline]
pub(crate) fn text_as_it_is<'b>(m: &Ctx<'b>, c: Cell) -> Option<Positions<'b>> {
    if c == Cell::NIL {
        return None;
    }
    m.term(c).positions()
}

/// The characters of the text `t` of a term.
pub(crate) fn positions<'t, 'b: 't>(m: &Ctx<'b>, c: Cell, t: &'t str) -> Positions<'t> {
    // (The text of the empty list is none to some, and `[]` to others.)
    let known = m.term(c).positions().filter(|p| p.text().len() == t.len());
    known.unwrap_or_else(|| Positions::uncounted(t))
}

/// The text of a list of codes or of characters. What is wrong first counts, the end of the list last.
fn characters(m: &mut Ctx, list: Cell, expected: &str) -> Result<String, Throw> {
    if let Some(text) = short_text(m, list) {
        return Ok(text);
    }
    let (items, tail) = list_parts(m, list);
    match text_of_items(m, &items) {
        Err(Wrong::Item("character_code", item)) => Err(no_code(m, item)),
        Err(Wrong::Item(kind, item)) => Err(m.type_error(kind, item)),
        Err(Wrong::Variable) => Err(m.instantiation_error()),
        Err(Wrong::Refused) => Err(Throw::Memory),
        Ok(text) if tail == Cell::NIL => Ok(text),
        Ok(_) if tail.is_ref() => Err(m.instantiation_error()),
        Ok(_) => Err(m.type_error(expected, list)),
    }
}

/// The error where a code is none: with the flag `iso` that of the standard (7.12.2), where it is an integer.
fn no_code(m: &mut Ctx, item: Cell) -> Throw {
    match m.thread.arith.iso && m.term(item).number().is_some_and(|n| n.is_integer()) {
        true => m.representation_error("character_code"),
        false => m.type_error("character_code", item),
    }
}

/// Most characters of a short text.
const SHORT: usize = 64;

/// The text of a list that is mostly what lists of characters are: proper, short, all codes or all atoms, of ASCII. `None`: look at it in full.
fn short_text(m: &Ctx, list: Cell) -> Option<String> {
    let mut bytes = [0; SHORT];
    let mut n = 0;
    let mut t = m.term(list);
    let mut codes = true;
    while let View::List(item, rest) = t.view() {
        let item = item.deref();
        if n == 0 {
            codes = item.is_small();
        }
        let byte = if codes && item.is_small() {
            u8::try_from(item.small_value()).ok()?
        } else if !codes && item.is_atom() {
            match item.atom_of().as_str().as_bytes() {
                &[byte] => byte,
                _ => return None,
            }
        } else {
            return None;
        };
        if !byte.is_ascii() {
            return None;
        }
        *bytes.get_mut(n)? = byte;
        n += 1;
        t = rest;
    }
    let text = t.is_nil().then(|| std::str::from_utf8(&bytes[..n]))?;
    text.ok().map(str::to_owned)
}

/// Why elements have no text.
enum Wrong {
    /// This one should be such a thing.
    Item(&'static str, Cell),
    /// One is a variable.
    Variable,
    /// There is no room for it.
    Refused,
}

impl From<Refused> for Wrong {
    fn from(_: Refused) -> Wrong {
        Wrong::Refused
    }
}

/// The text of such elements, or the first thing that is wrong.
fn text_of_items(m: &Ctx, items: &[Cell]) -> Result<String, Wrong> {
    let mut out = growth::text_with_room(items.len())?;
    let mut codes = true;
    let mut patience = Patience::new();
    for (i, &item) in items.iter().enumerate() {
        if patience.is_over() {
            // The reason is raised instead.
            return Err(Wrong::Item("list", item));
        }
        let item = m.deref(item);
        if item.is_ref() {
            return Err(Wrong::Variable);
        }
        if i == 0 {
            codes = !(item.is_atom() && single(item.atom_of().as_str()).is_some());
        }
        let c = if codes {
            code_of(item)
        } else if item.is_atom() {
            single(item.atom_of().as_str())
        } else {
            None
        };
        match c {
            Some(c) => growth::push_char(&mut out, c)?,
            None if codes => return Err(Wrong::Item("character_code", item)),
            None => return Err(Wrong::Item("character", item)),
        }
    }
    Ok(out)
}

/// The character of a code.
pub(crate) fn code_of(c: Cell) -> Option<char> {
    if !c.is_small() {
        return None;
    }
    u32::try_from(c.small_value()).ok().and_then(char::from_u32)
}

/// The text of the list side of a conversion: a list or a string.
fn list_side<'b>(m: &mut Ctx<'b>, c: Cell) -> Result<Cow<'b, str>, Throw> {
    if let View::Str(s) = m.term(c).view() {
        return Ok(Cow::Borrowed(s));
    }
    characters(m, c, "list").map(Cow::Owned)
}

/// The letter's capital, if that is one character: of those that are several, the letter in titlecase, if there is one (`ᾀ`, `ᾈ`).
pub(crate) fn upper(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_uppercase();
    }
    let mut u = c.to_uppercase();
    match (u.next(), u.next()) {
        (Some(x), None) => x,
        _ => [8, 9]
            .iter()
            .filter_map(|n| char::from_u32(c as u32 + n))
            .find(|&t| t.to_lowercase().eq([c]))
            .unwrap_or(c),
    }
}

/// The small letter; without the mark above it, if Unicode would have one (`İ`).
pub(crate) fn lower(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    c.to_lowercase().next().unwrap_or(c)
}

// --- predicates ---

fn length(m: &mut Ctx, a: Args) -> Res {
    let c = m.arg(a, 0);
    let (made, known);
    let whole = match text_as_it_is(m, c) {
        Some(whole) => whole,
        None => {
            made = text_or_list(m, c, "text")?;
            known = positions(m, c, &made);
            known
        }
    };
    let n = m.arg(a, 1);
    if !n.is_ref() && matches!(super::args::integer(m, n)?, Number::Int(..0)) && m.thread.arith.iso
    {
        return Err(m.domain_error("not_less_than_zero", n));
    }
    m.unify_int(a, 1, whole.chars() as i64)
}

/// `atom_codes/2` and its kin.
fn convert(m: &mut Ctx, a: Args, whole: Make, parts: Make) -> Res {
    let (t, list) = (m.arg(a, 0), m.arg(a, 1));
    if whole == Make::String {
        if let Some(text) = any_text(m, t)? {
            return give(m, list, &text, parts);
        }
        // (A list with variables is as good as a variable.)
        let (items, tail) = list_parts(m, t);
        match text_of_items(m, &items) {
            Err(Wrong::Item(expected, item)) => return Err(m.type_error(expected, item)),
            Err(Wrong::Refused) => return Err(Throw::Memory),
            Ok(_) if !tail.is_ref() => return Err(m.type_error("text", t)),
            _ => {}
        }
    } else if !t.is_ref() {
        return atom_parts(m, t, list, parts);
    }
    let text = list_side(m, list)?;
    let made = make(m, &text, whole)?;
    Ok(m.unify(t, made))
}

/// `atom_codes/2` and `atom_chars/2` of something bound: the list must be one, as ISO has it.
fn atom_parts(m: &mut Ctx, t: Cell, list: Cell, parts: Make) -> Res {
    let text = text(m, t, "atom")?;
    match known_parts(m, list)? {
        // The text of an atom may be there in any form; a string and a number give the one form, as in SWI-Prolog.
        Some(known) if m.term(t).as_atom().is_some() => Ok(known == text),
        _ => {
            let made = make(m, &text, parts)?;
            Ok(m.unify(list, made))
        }
    }
}

/// The text of a string or of a list that has no variable, `None` for one that has; type errors up to there.
fn known_parts<'b>(m: &mut Ctx<'b>, list: Cell) -> Result<Option<Cow<'b, str>>, Throw> {
    if list.is_ref() {
        return Ok(None);
    }
    if let View::Str(s) = m.term(list).view() {
        return Ok(Some(Cow::Borrowed(s)));
    }
    if let Some(text) = short_text(m, list) {
        return Ok(Some(Cow::Owned(text)));
    }
    let (items, tail) = list_parts(m, list);
    match text_of_items(m, &items) {
        Err(Wrong::Variable) => Ok(None),
        Err(Wrong::Item(expected, item)) => Err(m.type_error(expected, item)),
        Err(Wrong::Refused) => Err(Throw::Memory),
        Ok(text) if tail == Cell::NIL => Ok(Some(Cow::Owned(text))),
        Ok(_) if tail.is_ref() => Ok(None),
        Ok(_) => Err(m.type_error("list", list)),
    }
}

fn char_code(m: &mut Ctx, a: Args) -> Res {
    let (c, code) = (m.arg(a, 0), m.arg(a, 1));
    if !c.is_ref()
        && m.term(c)
            .as_atom()
            .and_then(|x| single(x.as_str()))
            .is_none()
    {
        return Err(m.type_error("character", c));
    }
    let from_code = if code.is_ref() {
        None
    } else {
        let number = super::args::integer(m, code)?;
        if !matches!(number, Number::Int(v) if i32::try_from(v).is_ok()) {
            return Err(m.representation_error("int"));
        }
        match code_of(code) {
            Some(c) => Some(c),
            None => return Err(no_code(m, code)),
        }
    };
    if !c.is_ref() {
        let Some(known) = m.term(c).as_atom().and_then(|x| single(x.as_str())) else {
            return Err(m.type_error("character", c));
        };
        return Ok(m.unify(code, code_cell(known)));
    }
    match from_code {
        Some(x) => {
            let made = m.char_cell(x)?;
            Ok(m.unify(c, made))
        }
        None => Err(m.instantiation_error()),
    }
}

/// `number_codes/2` and `number_chars/2`.
fn number_list(m: &mut Ctx, a: Args, parts: Make) -> Res {
    let (n, list) = (m.arg(a, 0), m.arg(a, 1));
    if !n.is_ref() && m.term(n).number().is_none() {
        return Err(m.type_error("number", n));
    }
    let known = if n.is_ref() {
        Some(list_side(m, list)?)
    } else {
        known_parts(m, list)?
    };
    if let Some(text) = known {
        let Some(value) = read::parse_number(&text) else {
            return Err(m.syntax_error("illegal_number"));
        };
        let c = m.heap.number(&value)?;
        return Ok(m.unify(n, c));
    }
    let text = number_text(m, n)?;
    let made = make(m, &text, parts)?;
    Ok(m.unify(list, made))
}

/// The number that a whole text is, without layout around it.
fn plain_number(text: &str) -> Option<Number> {
    if text
        .starts_with(|c| matches!(c, '-' | '+') || samite_syntax::chars::decimal_digit(c).is_some())
    {
        read::parse_number(text)
    } else {
        None
    }
}

fn atom_number(m: &mut Ctx, a: Args) -> Res {
    let (t, n) = (m.arg(a, 0), m.arg(a, 1));
    let text = match m.term(t).view() {
        View::Atom(x) if t != Cell::NIL => x.as_str(),
        View::Str(s) => s,
        _ if m.term(n).number().is_some() => {
            let text = number_text(m, n)?;
            let made = m.atom_of_text(&text)?;
            return Ok(m.unify_atom(a, 0, made));
        }
        _ if !n.is_ref() => return Err(m.type_error("number", n)),
        _ => return Err(m.type_error("atom", t)),
    };
    match plain_number(text) {
        Some(v) => {
            let c = m.heap.number(&v)?;
            Ok(m.unify(n, c))
        }
        None => Ok(false),
    }
}

fn number_string(m: &mut Ctx, a: Args) -> Res {
    let (n, s) = (m.arg(a, 0), m.arg(a, 1));
    if !n.is_ref() && m.term(n).number().is_none() {
        return Err(m.type_error("number", n));
    }
    if s.is_ref() {
        if n.is_ref() {
            return Err(m.instantiation_error());
        }
        let text = number_text(m, n)?;
        let made = m.heap.string(&text)?;
        return Ok(m.unify(s, made));
    }
    let known = if n.is_ref() {
        Some(list_side(m, s)?)
    } else {
        known_parts(m, s)?
    };
    match known.and_then(|text| plain_number(&text)) {
        Some(v) => {
            let c = m.heap.number(&v)?;
            Ok(m.unify(n, c))
        }
        None => Ok(false),
    }
}

/// `atom_string/2`, and with its arguments exchanged `string_to_atom/2`: `from` is looked at first. The arguments' numbers, types
/// and what is made of them.
fn two_texts(m: &mut Ctx, a: Args, from: (usize, &str, Make), to: (usize, &str, Make)) -> Res {
    let (x, y) = (m.arg(a, from.0), m.arg(a, to.0));
    if let Some(text) = any_text(m, x)? {
        return give(m, y, &text, to.2);
    }
    if let Some(text) = any_text(m, y)? {
        if !x.is_ref() {
            return Ok(false);
        }
        let made = make(m, &text, from.2)?;
        return Ok(m.unify(x, made));
    }
    let ((_, expected, _), culprit) = match (x.is_ref(), y.is_ref()) {
        (true, true) => return Err(m.instantiation_error()),
        // The string, if both have no text.
        (false, false) if from.1 == "string" => (from, x),
        (_, false) => (to, y),
        (_, true) => (from, x),
    };
    Err(m.type_error(expected, culprit))
}

fn atom_string(m: &mut Ctx, a: Args) -> Res {
    two_texts(m, a, (0, "atom", Make::Atom), (1, "string", Make::String))
}

fn string_to_atom(m: &mut Ctx, a: Args) -> Res {
    two_texts(m, a, (0, "string", Make::String), (1, "atom", Make::Atom))
}

fn text_to_string(m: &mut Ctx, a: Args) -> Res {
    let t = m.arg(a, 0);
    if m.term(t).number().is_some() {
        return Err(m.type_error("text", t));
    }
    let text = text_or_list(m, t, "text")?;
    let out = m.arg(a, 1);
    give(m, out, &text, Make::String)
}

fn change_case(m: &mut Ctx, a: Args, f: impl Fn(char) -> char, kind: Make) -> Res {
    let (t, out) = (m.arg(a, 0), m.arg(a, 1));
    let text = text(m, t, "atomic")?;
    if !out.is_ref() && (out == Cell::NIL || atomic_text(m, out)?.is_none()) {
        let expected = if kind == Make::Atom { "atom" } else { "string" };
        return Err(m.type_error(expected, out));
    }
    let room: Vec<u8> = growth::with_room(text.len())?;
    let mut changed = String::from_utf8(room).unwrap_or_default();
    if text.is_ascii() {
        // (There is room for as many bytes.)
        changed.extend(text.bytes().map(|b| f(char::from(b))));
    } else {
        for c in text.chars().map(f) {
            growth::push_char(&mut changed, c)?;
        }
    }
    give(m, out, &changed, kind)
}
// --- text and terms ---

/// Reads a term from a text, by the operators of a module, and unifies it; also its `Name = Variable` list.
fn read_text(m: &mut Ctx, text: &str, module: Atom, term: Cell, bindings: Option<Cell>) -> Res {
    let ops = m.program.code.operators(module);
    let flags = m.read_flags(module);
    let read = match read::parse_text(text, &ops, &flags) {
        Ok(read) => read,
        Err(ReadError::Syntax(e)) => return Err(Throw::Term(text_syntax_error(m, &e)?)),
        Err(ReadError::Source(_)) => return Err(m.syntax_error("cannot_read")),
        Err(ReadError::Memory) => return Err(Throw::Memory),
    };
    let [read_term, _, names, singletons, _, quotations] = m.read_parts(&read)?;
    let values = [(Some(term), read_term), (bindings, names)];
    let values = values.into_iter().filter_map(|(x, y)| Some((x?, y)));
    if quotations == Cell::NIL {
        return Ok(values.into_iter().all(|(x, y)| m.unify(x, y)));
    }
    let mut rest = quasi::Rest::new(m, singletons)?;
    for (x, y) in values {
        rest.unify(x, y)?;
    }
    let from = ReadFrom::Text(text);
    let list = quasi::quotations(m, quotations, names, &read.quasi, from)?;
    let retry = quasi::Retry {
        on_error: OnError::Throw,
        term,
        options: &[],
    };
    rest.goal(m, list, module, None, (retry, from))
}

/// `'$unclosed'(+Text, +Offset, -Bracket, -Line, -Column)`: the syntax error that Text has at Offset is that this bracket is open.
fn unclosed(m: &mut Ctx, a: Args) -> Res {
    let source = text_or_list(m, m.arg(a, 0), "text")?;
    let module = m.reading_module();
    let (ops, flags) = (m.program.code.operators(module), m.read_flags(module));
    let Err(ReadError::Syntax(e)) = read::parse_text(&source, &ops, &flags) else {
        return Ok(false);
    };
    let Some(Note::Opened(bracket, line, column)) = e.note else {
        return Ok(false);
    };
    let bracket = m.char_cell(bracket)?;
    Ok(m.unify_int(a, 1, e.text_offset as i64)?
        && m.unify_arg(a, 2, bracket)
        && m.unify_int(a, 3, i64::from(line))?
        && m.unify_int(a, 4, i64::from(column))?)
}

/// `error(syntax_error(Message), string(Text, Offset))`.
pub(super) fn text_syntax_error(m: &mut Ctx, e: &SyntaxError) -> Result<Cell, Throw> {
    let message = match &e.argument {
        Some(argument) => m.structure(e.message, &[Cell::atom(Atom::of(argument))])?,
        None => Cell::atom(Atom::of(e.message)),
    };
    let formal = m.structure("syntax_error", &[message])?;
    let line = m.heap.string(&e.text)?;
    let place = m.structure("string", &[line, Cell::small(e.text_offset as i64)])?;
    Ok(m.heap
        .structure(Functor::new(atoms::ERROR, 2), &[formal, place])?)
}

/// A term as `writeq/1` writes it, without treatment of `'$VAR'(N)`.
fn quoted(m: &Ctx, t: Cell, character_escapes: bool) -> Result<String, Throw> {
    let mut out = String::new();
    let options = WriteOptions {
        quoted: true,
        character_escapes,
        var_base: m.heap.start() as u64,
        limit: m.thread.memory_limit,
        ..WriteOptions::default()
    };
    if write_term(
        &mut out,
        m.term(t),
        &m.program.code.operators(atoms::USER),
        &options,
    ) {
        Ok(out)
    } else {
        Err(Throw::Memory)
    }
}

/// `term_to_atom/2`, `term_string/2,3`: reads by the operators of a module if there is a text, else writes.
fn term_text(m: &mut Ctx, a: Args, kind: Make, module: Atom) -> Res {
    let given = m.arg(a, 1);
    if !given.is_ref() {
        let source = text_or_list(m, given, "text")?;
        return read_text(m, &source, module, m.arg(a, 0), None);
    }
    let t = m.arg(a, 0);
    // (As in SWI-Prolog, layout stands for itself in atoms.)
    let written = quoted(m, t, kind != Make::Atom)?;
    let made = make(m, &written, kind)?;
    Ok(m.unify(given, made))
}

fn atom_to_term(m: &mut Ctx, a: Args) -> Res {
    let source = text_or_list(m, m.arg(a, 0), "text")?;
    let module = m.reading_module();
    read_text(m, &source, module, m.arg(a, 1), Some(m.arg(a, 2)))
}
