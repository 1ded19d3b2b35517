//! Text as terms: the text of atoms, strings, numbers and lists, and the predicates that convert between them or between text
//! and terms (ISO 13211-1, 8.16, with SWI-Prolog's additions).
//!
//! The helpers at the top are shared with the other topics of text.

use super::Entry::{self, Det, Pure};
use super::terms::{list_parts, proper_list};
use crate::error::{Res, Throw};
use crate::machine::{Args, Machine};
use samite_syntax::read::{self, QuoteKind, ReadError, ReadFlags, SyntaxError};
use samite_syntax::write::{WriteOptions, write_term};
use samite_term::{Atom, Cell, Functor, Number, Tag, View, atoms};
use std::borrow::Cow;

pub const TABLE: &[Entry] = &[
    Pure("atom_length", 2, length),
    Pure("string_length", 2, length),
    Pure("atom_codes", 2, |m, a| {
        convert(m, a, Make::Atom, Make::Codes)
    }),
    Pure("atom_chars", 2, |m, a| {
        convert(m, a, Make::Atom, Make::Chars)
    }),
    Pure("string_codes", 2, |m, a| {
        convert(m, a, Make::String, Make::Codes)
    }),
    Pure("string_chars", 2, |m, a| {
        convert(m, a, Make::String, Make::Chars)
    }),
    Pure("char_code", 2, char_code),
    Pure("number_codes", 2, |m, a| number_list(m, a, Make::Codes)),
    Pure("number_chars", 2, |m, a| number_list(m, a, Make::Chars)),
    Pure("atom_number", 2, atom_number),
    Pure("number_string", 2, number_string),
    Pure("atom_string", 2, atom_string),
    Pure("string_to_atom", 2, string_to_atom),
    Pure("text_to_string", 2, text_to_string),
    Pure("upcase_atom", 2, |m, a| {
        change_case(m, a, upper, Make::Atom)
    }),
    Pure("downcase_atom", 2, |m, a| {
        change_case(m, a, lower, Make::Atom)
    }),
    Pure("string_upper", 2, |m, a| {
        change_case(m, a, upper, Make::String)
    }),
    Pure("string_lower", 2, |m, a| {
        change_case(m, a, lower, Make::String)
    }),
    Det("term_to_atom", 2, |m, a| term_text(m, a, 0, 1, Make::Atom)),
    Det("term_string", 2, |m, a| term_text(m, a, 0, 1, Make::String)),
    Det("atom_to_term", 3, atom_to_term),
    Det("term_string", 3, |m, a| term_text(m, a, 0, 1, Make::String)),
    Det("read_term_from_atom", 3, |m, a| {
        let text = text_or_list(m, m.arg(a, 0), "text")?;
        let (t, _) = parse(m, &text)?;
        Ok(m.unify_arg(a, 1, t))
    }),
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
pub(crate) fn make(m: &mut Machine, text: &str, kind: Make) -> Result<Cell, Throw> {
    match kind {
        Make::Atom => Ok(Cell::atom(m.atom_of_text(text)?)),
        Make::String => Ok(m.heap.string(text)?),
        Make::Codes => {
            let items: Vec<Cell> = text.chars().map(code_cell).collect();
            Ok(m.heap.list(&items, Cell::NIL)?)
        }
        Make::Chars => {
            let items: Vec<Cell> = text.chars().map(char_cell).collect();
            Ok(m.heap.list(&items, Cell::NIL)?)
        }
    }
}

pub(crate) fn code_cell(c: char) -> Cell {
    Cell::small(c as i64)
}

/// The atom of one character.
pub(crate) fn char_cell(c: char) -> Cell {
    Cell::atom(Atom::of_char(c))
}

/// The only character of a text.
pub(crate) fn single(text: &str) -> Option<char> {
    let mut chars = text.chars();
    let c = chars.next()?;
    chars.next().is_none().then_some(c)
}

/// The text of a number as `write/1` writes it.
pub(crate) fn number_text(m: &mut Machine, c: Cell) -> Result<String, Throw> {
    let t = m.term(c);
    if let View::Int(v) = t.view() {
        return Ok(v.to_string());
    }
    let mut out = String::new();
    let operators = m.program().operators();
    if write_term(&mut out, t, &operators, &WriteOptions::default()) {
        Ok(out)
    } else {
        Err(m.given_up())
    }
}

/// The text of an atom, string or number; `None` of others.
pub(crate) fn atomic_text(m: &mut Machine, c: Cell) -> Result<Option<Cow<'static, str>>, Throw> {
    Ok(match m.term(c).view() {
        View::Atom(a) => Some(Cow::Borrowed(a.as_str())),
        View::Blob(a) => Some(Cow::Borrowed(a.as_str())),
        View::Handle(h) => Some(Cow::Owned(h.to_string())),
        View::Str(s) => Some(Cow::Borrowed(s)),
        View::Int(_) | View::Float(_) | View::Number(_) => Some(Cow::Owned(number_text(m, c)?)),
        _ => None,
    })
}

/// The text of an atomic argument; instantiation and type errors for others.
pub(crate) fn text(m: &mut Machine, c: Cell, expected: &str) -> Result<Cow<'static, str>, Throw> {
    match atomic_text(m, c)? {
        Some(t) => Ok(t),
        None => Err(m.type_error(expected, c)),
    }
}

/// As [`text`], and also of lists of codes or characters; `[]` is the empty text.
pub(crate) fn text_or_list(
    m: &mut Machine,
    c: Cell,
    expected: &str,
) -> Result<Cow<'static, str>, Throw> {
    let c = m.deref(c);
    if c == Cell::NIL {
        return Ok(Cow::Borrowed(""));
    }
    if c.tag() != Tag::Lst {
        return text(m, c, expected);
    }
    let (items, tail) = list_parts(m, c);
    if tail.is_ref() {
        return Err(m.instantiation_error());
    }
    if tail != Cell::NIL {
        return Err(m.type_error(expected, c));
    }
    Ok(Cow::Owned(characters(m, &items)?))
}

/// The text of a list of codes or of characters.
fn characters(m: &mut Machine, items: &[Cell]) -> Result<String, Throw> {
    let mut out = String::with_capacity(items.len());
    let mut codes = true;
    for (i, &item) in items.iter().enumerate() {
        let item = m.deref(item);
        if item.is_ref() {
            return Err(m.instantiation_error());
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
            Some(c) => out.push(c),
            None => {
                return Err(m.type_error(if codes { "character_code" } else { "character" }, item));
            }
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
fn list_side(m: &mut Machine, c: Cell) -> Result<Cow<'static, str>, Throw> {
    if let View::Str(s) = m.term(c).view() {
        return Ok(Cow::Borrowed(s));
    }
    let items = proper_list(m, c)?;
    Ok(Cow::Owned(characters(m, &items)?))
}

/// Whether a term is a string or a proper list whose elements are all bound.
fn is_complete_list(m: &Machine, c: Cell) -> bool {
    if matches!(m.term(c).view(), View::Str(_)) {
        return true;
    }
    let (items, tail) = list_parts(m, c);
    tail == Cell::NIL && !items.iter().any(|&x| m.deref(x).is_ref())
}

pub(crate) fn upper(c: char) -> char {
    let mut u = c.to_uppercase();
    match (u.next(), u.next()) {
        (Some(x), None) => x,
        _ => c,
    }
}

pub(crate) fn lower(c: char) -> char {
    let mut l = c.to_lowercase();
    match (l.next(), l.next()) {
        (Some(x), None) => x,
        _ => c,
    }
}

// --- predicates ---

fn length(m: &mut Machine, a: Args) -> Res {
    let t = text_or_list(m, m.arg(a, 0), "text")?;
    let n = m.arg(a, 1);
    if !n.is_ref() {
        super::terms::integer(m, n)?;
    }
    m.unify_int(a, 1, t.chars().count() as i64)
}

/// `atom_codes/2` and its kin.
fn convert(m: &mut Machine, a: Args, whole: Make, parts: Make) -> Res {
    let (t, list) = (m.arg(a, 0), m.arg(a, 1));
    if !t.is_ref() {
        let text = if whole == Make::String {
            text_or_list(m, t, "text")?
        } else {
            text(m, t, "atom")?
        };
        if let View::Str(s) = m.term(list).view() {
            return Ok(*s == *text);
        }
        if list != Cell::NIL && !list.is_ref() && list.tag() != Tag::Lst {
            return Err(m.type_error("list", list));
        }
        let made = make(m, &text, parts)?;
        if m.unifiable(list, made) {
            return Ok(m.unify(list, made));
        }
        // The list may hold the other kind of element.
        return Ok(is_complete_list(m, list) && list_side(m, list)? == text);
    }
    let text = list_side(m, list)?;
    let made = make(m, &text, whole)?;
    Ok(m.unify(t, made))
}

fn char_code(m: &mut Machine, a: Args) -> Res {
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
        let number = super::terms::integer(m, code)?;
        if !matches!(number, Number::Int(v) if i32::try_from(v).is_ok()) {
            return Err(m.representation_error("int"));
        }
        match code_of(code) {
            Some(c) => Some(c),
            None => return Err(m.type_error("character_code", code)),
        }
    };
    if !c.is_ref() {
        let Some(known) = m.term(c).as_atom().and_then(|x| single(x.as_str())) else {
            return Err(m.type_error("character", c));
        };
        return Ok(m.unify(code, code_cell(known)));
    }
    match from_code {
        Some(x) => Ok(m.unify(c, char_cell(x))),
        None => Err(m.instantiation_error()),
    }
}

/// `number_codes/2` and `number_chars/2`.
fn number_list(m: &mut Machine, a: Args, parts: Make) -> Res {
    let (n, list) = (m.arg(a, 0), m.arg(a, 1));
    if !n.is_ref() && m.term(n).number().is_none() {
        return Err(m.type_error("number", n));
    }
    if n.is_ref() || is_complete_list(m, list) {
        let text = list_side(m, list)?;
        let Some(value) = read::parse_number(&text) else {
            return Err(m.syntax_error("illegal_number"));
        };
        let c = m.heap.number(&value)?;
        return Ok(m.unify(n, c));
    }
    if !list.is_ref() && list.tag() != Tag::Lst {
        return Err(m.type_error("list", list));
    }
    let text = number_text(m, n)?;
    let made = make(m, &text, parts)?;
    Ok(m.unify(list, made))
}

/// The number that a whole text is, without layout around it.
pub(crate) fn plain_number(text: &str) -> Option<Number> {
    if text.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+') {
        read::parse_number(text)
    } else {
        None
    }
}

fn atom_number(m: &mut Machine, a: Args) -> Res {
    let (t, n) = (m.arg(a, 0), m.arg(a, 1));
    if t.is_ref() {
        if n.is_ref() {
            return Err(m.instantiation_error());
        }
        if m.term(n).number().is_none() {
            return Err(m.type_error("number", n));
        }
        let text = number_text(m, n)?;
        let made = m.atom_of_text(&text)?;
        return Ok(m.unify_atom(a, 0, made));
    }
    let text = match m.term(t).view() {
        View::Atom(x) => x.as_str(),
        View::Str(s) => s,
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

fn number_string(m: &mut Machine, a: Args) -> Res {
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
    let text = list_side(m, s)?;
    match plain_number(&text) {
        Some(v) => {
            let c = m.heap.number(&v)?;
            Ok(m.unify(n, c))
        }
        None => Ok(false),
    }
}

fn atom_string(m: &mut Machine, a: Args) -> Res {
    let (t, s) = (m.arg(a, 0), m.arg(a, 1));
    if t.tag() == Tag::Str && !s.is_ref() {
        // No text, so different from that of the string, if it has one.
        return text_or_list(m, s, "string").map(|_| false);
    }
    if !t.is_ref() {
        let text = text_or_list(m, t, "atom")?;
        if !s.is_ref() {
            return Ok(text_or_list(m, s, "string")? == text);
        }
        let made = m.heap.string(&text)?;
        return Ok(m.unify(s, made));
    }
    let text = text_or_list(m, s, "string")?;
    let made = m.atom_of_text(&text)?;
    Ok(m.unify_atom(a, 0, made))
}

fn string_to_atom(m: &mut Machine, a: Args) -> Res {
    let (s, t) = (m.arg(a, 0), m.arg(a, 1));
    if s.tag() == Tag::Str && !t.is_ref() {
        return text_or_list(m, t, "atom").map(|_| false);
    }
    if !s.is_ref() {
        let text = text_or_list(m, s, "string")?;
        let made = m.atom_of_text(&text)?;
        return Ok(m.unify_atom(a, 1, made));
    }
    let text = text_or_list(m, t, "atom")?;
    let made = m.heap.string(&text)?;
    Ok(m.unify(s, made))
}

fn text_to_string(m: &mut Machine, a: Args) -> Res {
    let t = m.arg(a, 0);
    if m.term(t).number().is_some() {
        return Err(m.type_error("text", t));
    }
    let text = text_or_list(m, t, "text")?;
    let made = m.heap.string(&text)?;
    Ok(m.unify_arg(a, 1, made))
}

fn change_case(m: &mut Machine, a: Args, f: fn(char) -> char, kind: Make) -> Res {
    let t = text(m, m.arg(a, 0), "atomic")?;
    let changed: String = t.chars().map(f).collect();
    let made = make(m, &changed, kind)?;
    Ok(m.unify_arg(a, 1, made))
}

// --- text and terms ---

/// The reader's flags of this thread.
pub(crate) fn reader_flags(m: &Machine) -> ReadFlags {
    let mut flags = ReadFlags::default();
    let kind = |name: &str, default: QuoteKind| {
        let root = Atom::existing(name)
            .and_then(|a| m.flags.get(&a))
            .map(|r| r.root());
        match root.filter(|c| c.is_atom()).map(|c| c.atom_of()) {
            Some(atoms::CODES) => QuoteKind::Codes,
            Some(atoms::CHARS) => QuoteKind::Chars,
            Some(atoms::ATOM) => QuoteKind::Atom,
            Some(atoms::STRING) => QuoteKind::String,
            _ => default,
        }
    };
    flags.double_quotes = kind("double_quotes", flags.double_quotes);
    flags.back_quotes = kind("back_quotes", flags.back_quotes);
    flags
}

/// Reads a term from a text; also its `Name = Variable` list.
pub(crate) fn parse(m: &mut Machine, text: &str) -> Result<(Cell, Cell), Throw> {
    let ops = m.program().operators();
    let flags = reader_flags(m);
    let read = match read::parse_text(text, &ops, &flags) {
        Ok(read) => read,
        Err(ReadError::Syntax(e)) => return Err(text_syntax_error(m, &e)),
        Err(ReadError::Source(_)) => return Err(m.syntax_error("cannot_read")),
    };
    let c = m.heap.instantiate(&read.record)?;
    match m.term(c).view() {
        View::Compound(parts) if parts.arity() == 4 => {
            Ok((parts.arg(0).cell(), parts.arg(2).cell()))
        }
        _ => Ok((c, Cell::NIL)),
    }
}

/// `error(syntax_error(Message), string(Text, Offset))`.
fn text_syntax_error(m: &mut Machine, e: &SyntaxError) -> Throw {
    match build_syntax_error(m, e) {
        Ok(t) => Throw::Term(t),
        Err(t) => t,
    }
}

fn build_syntax_error(m: &mut Machine, e: &SyntaxError) -> Result<Cell, Throw> {
    let message = match &e.argument {
        Some(argument) => m.structure(e.message, &[Cell::atom(Atom::new(argument))])?,
        None => Cell::atom(Atom::new(e.message)),
    };
    let formal = m.structure("syntax_error", &[message])?;
    let line = m.heap.string(&e.text)?;
    let place = m.structure("string", &[line, Cell::small(e.text_offset as i64)])?;
    Ok(m.heap
        .structure(Functor::new(atoms::ERROR, 2), &[formal, place])?)
}

/// A term as `writeq/1` writes it, without treatment of `'$VAR'(N)`.
fn quoted(m: &Machine, t: Cell) -> Result<String, Throw> {
    let mut out = String::new();
    let options = WriteOptions {
        quoted: true,
        var_base: m.heap.start() as u64,
        limit: m.memory_limit(),
        ..WriteOptions::default()
    };
    if write_term(&mut out, m.term(t), &m.program().operators(), &options) {
        Ok(out)
    } else {
        Err(Throw::Memory)
    }
}

/// `term_to_atom/2`, `term_string/2`: reads if there is a text, else writes.
fn term_text(m: &mut Machine, a: Args, term: usize, text: usize, kind: Make) -> Res {
    let given = m.arg(a, text);
    if !given.is_ref() {
        let source = text_or_list(m, given, "text")?;
        let (t, _) = parse(m, &source)?;
        return Ok(m.unify_arg(a, term, t));
    }
    let t = m.arg(a, term);
    let written = quoted(m, t)?;
    let made = make(m, &written, kind)?;
    Ok(m.unify(given, made))
}

fn atom_to_term(m: &mut Machine, a: Args) -> Res {
    let source = text_or_list(m, m.arg(a, 0), "text")?;
    let (t, bindings) = parse(m, &source)?;
    Ok(m.unify_arg(a, 1, t) && m.unify_arg(a, 2, bindings))
}
