//! Addresses (RFC 3986, 3987), for `library(uri)`: taken apart and put together, %-sequences, paths without dots. What is asked of arguments is asked there: they are texts here.

use super::args::list_parts;
use super::text::{lower, text};
use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use samite_term::growth::{self, Refused};
use samite_term::heavy::Patience;
use samite_term::{Atom, Cell, Functor, atoms};
use std::borrow::Cow;

pub const TABLE: &[Entry] = &[
    // '$uri_parts'(+Text, -Scheme, -Authority, -Path, -Search, -Fragment): those that are not there stay unbound.
    det("$uri_parts", 6, |m, a| {
        let whole = text(m, m.arg(a, 0), "text")?;
        let parts = Parts::of(&whole);
        let all = [
            parts.scheme,
            parts.authority,
            Some(parts.path),
            parts.search,
            parts.fragment,
        ];
        let mut atoms = [None; 5];
        for (atom, part) in atoms.iter_mut().zip(all) {
            *atom = part.map(|part| m.atom_of_text(part)).transpose()?;
        }
        let mut there = (1..).zip(atoms).filter_map(|(i, atom)| Some((i, atom?)));
        Ok(there.all(|(i, atom)| m.unify_atom(a, i, atom)))
    })
    .makes_terms(),
    // '$uri_is_global'(+Text)
    det("$uri_is_global", 1, |m, a| {
        let whole = text(m, m.arg(a, 0), "text")?;
        let is_of_scheme = |b: u8| b.is_ascii_alphanumeric() || b"+-.".contains(&b);
        // (One letter is the drive of a file.)
        Ok(Parts::of(&whole)
            .scheme
            .is_some_and(|s| s.len() > 1 && s.bytes().all(is_of_scheme)))
    }),
    // '$uri_escaped'(+Value, +Component, -Atom): what has no place there as %-sequences.
    det("$uri_escaped", 3, |m, a| {
        let (value, component) = (value(m, a)?, word(m, a, 1));
        make(m, a, 2, value.len(), |made| {
            made.escaped(&value, component, How::RAW)
        })
    })
    .makes_terms(),
    // '$uri_decoded'(+Value, +Plus, -Atom): without %-sequences; Plus says whether + is a blank.
    det("$uri_decoded", 3, |m, a| {
        let (value, plus) = (value(m, a)?, m.arg(a, 1) == Cell::atom(atoms::TRUE));
        make(m, a, 2, value.len(), |made| made.decoded(&value, plus))
    })
    .makes_terms(),
    // '$uri_rewritten'(+Text, +Percent, +Charset, -Atom), '$uri_normal'(+Text, +Percent, +Charset, -Atom): see `How`.
    det("$uri_rewritten", 4, |m, a| {
        let (whole, how) = (text(m, m.arg(a, 0), "text")?, How::of(m, a));
        make(m, a, 3, whole.len(), |made| {
            made.rewritten(&Parts::of(&whole), how)
        })
    })
    .makes_terms(),
    det("$uri_normal", 4, |m, a| {
        let (whole, how) = (text(m, m.arg(a, 0), "text")?, How::of(m, a));
        make(m, a, 3, whole.len(), |made| {
            made.normal(&Parts::of(&whole), how)
        })
    })
    .makes_terms(),
    // '$uri_resolved'(+Text, +Base, -Atom)
    det("$uri_resolved", 3, |m, a| {
        let (whole, base) = (text(m, m.arg(a, 0), "text")?, text(m, m.arg(a, 1), "text")?);
        let bytes = whole.len() + base.len();
        make(m, a, 2, bytes, |made| {
            made.resolved(&Parts::of(&whole), &Parts::of(&base))
        })
    })
    .makes_terms(),
    // '$uri_query'(+Text, -Pairs): `Name=Value` for each; fails where there is a name alone.
    det("$uri_query", 2, query).makes_terms(),
    // '$uri_query_made'(+NamesAndValues, -Atom): the other way round.
    det("$uri_query_made", 2, query_made).makes_terms(),
    // '$uri_joined'(?Scheme, ?Authority, ?Path, ?Search, ?Fragment, -Atom): of those that are bound.
    det("$uri_joined", 6, joined).makes_terms(),
];

/// The parts of an address.
struct Parts<'t> {
    scheme: Option<&'t str>,
    authority: Option<&'t str>,
    path: &'t str,
    search: Option<&'t str>,
    fragment: Option<&'t str>,
}

impl<'t> Parts<'t> {
    fn of(text: &'t str) -> Parts<'t> {
        let (scheme, rest) = match text.find([':', '/', '?', '#']) {
            Some(end) if end > 0 && text[end..].starts_with(':') => {
                (Some(&text[..end]), &text[end + 1..])
            }
            _ => (None, text),
        };
        let (authority, rest) = match rest.strip_prefix("//") {
            Some(rest) => {
                let (authority, rest) =
                    rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
                (Some(authority), rest)
            }
            None => (None, rest),
        };
        let apart = |text: &'t str, at| match text.split_once(at) {
            Some((before, behind)) => (before, Some(behind)),
            None => (text, None),
        };
        let (rest, fragment) = apart(rest, '#');
        let (path, search) = apart(rest, '?');
        Parts {
            scheme,
            authority,
            path,
            search,
            fragment,
        }
    }
}

/// What of %-sequences and characters is written anew.
#[derive(Clone, Copy)]
struct How {
    percent: Percent,
    /// Characters beyond ASCII stay, and so does a % that is no part of a sequence. (Charset `all`; else `ascii`.)
    all: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Percent {
    /// It is a character as any other.
    Raw,
    /// It always belongs to a sequence.
    Kept,
    /// The same, and sequences of allowed characters become these.
    Decoded,
}

impl How {
    const RAW: How = How {
        percent: Percent::Raw,
        all: false,
    };
    /// As the second and third arguments say.
    fn of(m: &Ctx, a: Args) -> How {
        How {
            percent: match word(m, a, 1) {
                "kept" => Percent::Kept,
                "decoded" => Percent::Decoded,
                _ => Percent::Raw,
            },
            all: word(m, a, 2) == "all",
        }
    }
}

/// The name of an atom that the library gives.
fn word(m: &Ctx, a: Args, i: usize) -> &'static str {
    let c = m.arg(a, i);
    const WORDS: &[&str] = &[
        "query_value",
        "query_name",
        "fragment",
        "path",
        "segment",
        "authority",
        "kept",
        "decoded",
        "all",
    ];
    let is = |w: &&&str| c.is_atom() && c.atom_of().as_str() == **w;
    WORDS.iter().find(is).copied().unwrap_or("")
}

/// The ASCII characters that stand for themselves in a component, a bit each.
fn allowed(component: &str) -> u128 {
    const fn with(also: &[u8]) -> u128 {
        let always = b"-_.~!$'()*,";
        let (mut set, mut b) = (0, 0u8);
        while b < 128 {
            set |= (b.is_ascii_alphanumeric() as u128) << b;
            b += 1;
        }
        let mut i = 0;
        while i < always.len() {
            set |= 1 << always[i];
            i += 1;
        }
        let mut i = 0;
        while i < also.len() {
            set |= 1 << also[i];
            i += 1;
        }
        set
    }
    match component {
        "query_value" => const { with(b"/?@") },
        "query_name" => const { with(b"@:") },
        "fragment" => const { with(b"/?@&+:;=") },
        "path" => const { with(b"/@&+;=") },
        "segment" => const { with(b"@&+;=") },
        "authority" => const { with(b"@&+;=:[]") },
        _ => const { with(b"") },
    }
}

/// Whether a byte is a character of such a set.
fn is_in(allowed: u128, b: u8) -> bool {
    b.is_ascii() && allowed >> b & 1 != 0
}

/// The byte of a %-sequence that a text begins with.
fn byte_at(text: &str) -> Option<u8> {
    let &[b'%', high, low, ..] = text.as_bytes() else {
        return None;
    };
    let digit = |b: u8| char::from(b).to_digit(16);
    Some((digit(high)? << 4 | digit(low)?) as u8)
}

/// Characters of a %-sequence.
const SEQUENCE: usize = 3;

/// The characters of bytes of UTF-8; those that are none are a character each.
fn characters(bytes: &[u8]) -> Result<Vec<char>, Refused> {
    let mut found = growth::with_room(bytes.len())?;
    let mut rest = bytes;
    while let [first, ..] = rest {
        let length = match first {
            0xC0..0xE0 => 2,
            0xE0..0xF0 => 3,
            0xF0..0xF5 => 4,
            _ => 1,
        };
        let one = rest.get(..length).and_then(|b| std::str::from_utf8(b).ok());
        let one = one.and_then(|s| s.chars().next());
        found.push(one.unwrap_or(char::from(*first)));
        rest = &rest[one.map_or(1, |_| length)..];
    }
    Ok(found)
}

/// A text that is being made.
struct Made {
    text: String,
    patience: Patience,
}

/// Why there is none.
enum Stop {
    Refused,
    GivenUp,
}

impl Stop {
    fn thrown(self, m: &mut Ctx) -> Throw {
        match self {
            Stop::Refused => Throw::Memory,
            Stop::GivenUp => m.given_up(),
        }
    }
}

impl From<Refused> for Stop {
    fn from(_: Refused) -> Stop {
        Stop::Refused
    }
}

/// The text of an atomic argument.
fn value<'b>(m: &mut Ctx<'b>, a: Args) -> Result<Cow<'b, str>, Throw> {
    let c = m.arg(a, 0);
    value_of(m, c)
}

fn value_of<'b>(m: &mut Ctx<'b>, c: Cell) -> Result<Cow<'b, str>, Throw> {
    match c {
        Cell::NIL => Ok("[]".into()),
        value => text(m, value, "atomic"),
    }
}

/// Unifies argument `i` with an atom of what is made of so many bytes.
fn make(
    m: &mut Ctx,
    a: Args,
    i: usize,
    bytes: usize,
    work: impl FnOnce(&mut Made) -> Result<(), Stop>,
) -> Res {
    match Made::of(bytes, work) {
        Ok(made) => {
            let atom = m.atom_of_text(&made)?;
            Ok(m.unify_atom(a, i, atom))
        }
        Err(stop) => Err(stop.thrown(m)),
    }
}

impl Made {
    fn of(bytes: usize, work: impl FnOnce(&mut Made) -> Result<(), Stop>) -> Result<String, Stop> {
        let mut made = Made {
            text: growth::text_with_room(bytes + bytes / 4)?,
            patience: Patience::new(),
        };
        work(&mut made)?;
        Ok(made.text)
    }
    fn push(&mut self, c: char) -> Result<(), Stop> {
        Ok(growth::push_char(&mut self.text, c)?)
    }
    fn push_text(&mut self, text: &str) -> Result<(), Stop> {
        Ok(growth::push_text(&mut self.text, text)?)
    }
    fn look(&mut self) -> Result<(), Stop> {
        match self.patience.is_over() {
            true => Err(Stop::GivenUp),
            false => Ok(()),
        }
    }

    /// What has no place in a component as %-sequences.
    fn escaped(&mut self, text: &str, component: &str, how: How) -> Result<(), Stop> {
        let allowed = allowed(component);
        let mut rest = text;
        loop {
            self.look()?;
            // (Most of it stays as it is.)
            let as_is = rest.bytes().position(|b| !is_in(allowed, b));
            let (same, behind) = rest.split_at(as_is.unwrap_or(rest.len()));
            self.push_text(same)?;
            rest = behind;
            let Some(c) = rest.chars().next() else {
                return Ok(());
            };
            if c == '%' && how.percent != Percent::Raw {
                rest = self.percent(rest, component, how)?;
                continue;
            }
            rest = &rest[c.len_utf8()..];
            match how.all && !c.is_ascii() {
                true => self.push(c)?,
                false => self.sequences(c)?,
            }
        }
    }
    fn sequences(&mut self, c: char) -> Result<(), Stop> {
        let digit = |b: u8| char::from(b"0123456789ABCDEF"[usize::from(b)]);
        for &b in c.encode_utf8(&mut [0; 4]).as_bytes() {
            for c in ['%', digit(b >> 4), digit(b & 15)] {
                self.push(c)?;
            }
        }
        Ok(())
    }
    /// The % that a text begins with, where it may belong to a sequence: what comes behind it.
    fn percent<'t>(&mut self, text: &'t str, component: &str, how: How) -> Result<&'t str, Stop> {
        if how.percent == Percent::Kept {
            self.push('%')?;
            return Ok(&text[1..]);
        }
        let Some(byte) = byte_at(text) else {
            self.push_text(if how.all { "%" } else { "%25" })?;
            return Ok(&text[1..]);
        };
        let (first, behind) = text.split_at(SEQUENCE);
        if is_in(allowed(component), byte) {
            self.push(byte.into())?;
            return Ok(behind);
        }
        if byte >= 0xC0 && how.all {
            let (bytes, behind) = bytes(text)?;
            let made = characters(&bytes)?;
            // (As long as they are all of characters.)
            if !made
                .iter()
                .any(|&c| u8::try_from(c).is_ok_and(|b| bytes.contains(&b)))
            {
                made.into_iter().try_for_each(|c| self.push(c))?;
                return Ok(behind);
            }
        }
        self.push_text(first)?;
        Ok(behind)
    }

    /// Without %-sequences.
    fn decoded(&mut self, text: &str, plus: bool) -> Result<(), Stop> {
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            self.look()?;
            match byte_at(rest) {
                Some(byte) if byte.is_ascii() => {
                    self.push(byte.into())?;
                    rest = &rest[SEQUENCE..];
                }
                Some(_) => {
                    let (bytes, behind) = bytes(rest)?;
                    characters(&bytes)?
                        .into_iter()
                        .try_for_each(|c| self.push(c))?;
                    rest = behind;
                }
                None => {
                    self.push(if c == '+' && plus { ' ' } else { c })?;
                    rest = &rest[c.len_utf8()..];
                }
            }
        }
        Ok(())
    }

    /// An address of these parts.
    fn joined(&mut self, parts: &Parts) -> Result<(), Stop> {
        if let Some(scheme) = parts.scheme {
            self.push_text(scheme)?;
            self.push(':')?;
        }
        if let Some(authority) = parts.authority {
            self.push_text("//")?;
            self.push_text(authority)?;
        }
        self.push_text(parts.path)?;
        for (mark, part) in [('?', parts.search), ('#', parts.fragment)] {
            if let Some(part) = part {
                self.push(mark)?;
                self.push_text(part)?;
            }
        }
        Ok(())
    }
    /// The same, each part written anew.
    fn rewritten(&mut self, parts: &Parts, how: How) -> Result<(), Stop> {
        let whole = |part: Option<&str>, component: &str| {
            part.map(|part| Made::of(part.len(), |made| made.escaped(part, component, how)))
                .transpose()
        };
        let authority = whole(parts.authority, "authority")?;
        let path = whole(Some(parts.path), "path")?;
        // What separates the names and values of a query stays as it is.
        let search = |made: &mut Made, text: &str| {
            for piece in text.split_inclusive(['=', '&', ';']) {
                let end = piece.find(['=', '&', ';']).unwrap_or(piece.len());
                made.escaped(&piece[..end], "query_value", how)?;
                made.push_text(&piece[end..])?;
            }
            Ok(())
        };
        let search = parts
            .search
            .map(|text| Made::of(text.len(), |made| search(made, text)));
        self.joined(&Parts {
            scheme: parts.scheme,
            authority: authority.as_deref(),
            path: path.as_deref().unwrap_or_default(),
            search: search.transpose()?.as_deref(),
            fragment: whole(parts.fragment, "query_value")?.as_deref(),
        })
    }
    /// Scheme and authority in small letters, a path without dots, and what is written anew.
    fn normal(&mut self, parts: &Parts, how: How) -> Result<(), Stop> {
        let small = |text: &str| {
            Made::of(text.len(), |made| {
                text.chars().try_for_each(|c| made.push(lower(c)))
            })
        };
        let scheme = parts.scheme.map(small).transpose()?;
        let authority = parts.authority.map(|text| {
            let how = How { all: true, ..how };
            small(&Made::of(text.len(), |made| {
                made.escaped(text, "authority", how)
            })?)
        });
        let authority = authority.transpose()?;
        let path = Made::of(parts.path.len(), |made| {
            made.escaped(parts.path, "path", how)
        })?;
        let path = Made::of(path.len(), |made| made.without_dots(&path))?;
        let parts = Parts {
            scheme: scheme.as_deref(),
            authority: authority.as_deref(),
            path: &path,
            ..*parts
        };
        self.rewritten(&parts, how)
    }
    /// What an address, which may be relative, means in a document of another one (RFC 3986, 5.2.2).
    fn resolved(&mut self, parts: &Parts, base: &Parts) -> Result<(), Stop> {
        let mut path = String::new();
        let global = if parts.scheme.is_some() || parts.authority.is_some() {
            path = Made::of(parts.path.len(), |made| made.without_dots(parts.path))?;
            Parts {
                scheme: parts.scheme.or(base.scheme),
                path: &path,
                ..*parts
            }
        } else if parts.path.is_empty() {
            Parts {
                search: parts.search.or(base.search),
                fragment: parts.fragment,
                ..*base
            }
        } else {
            let directory = match parts.path.starts_with('/') {
                true => "",
                false if base.authority.is_some() && base.path.is_empty() => "/",
                false => &base.path[..base.path.rfind('/').map_or(0, |at| at + 1)],
            };
            growth::push_text(&mut path, directory)?;
            growth::push_text(&mut path, parts.path)?;
            path = Made::of(path.len(), |made| made.without_dots(&path))?;
            Parts {
                path: &path,
                search: parts.search,
                fragment: parts.fragment,
                ..*base
            }
        };
        self.joined(&global)
    }
    /// RFC 3986, 5.2.4, but the slash behind a .. at the start stays.
    fn without_dots(&mut self, path: &str) -> Result<(), Stop> {
        // Where the segments begin that have been kept, each with the slash before it.
        let mut kept: Vec<usize> = Vec::new();
        let mut rest = path;
        while !rest.is_empty() && rest != "." && rest != ".." {
            self.look()?;
            if let Some(behind) = rest.strip_prefix("./") {
                rest = behind;
            } else if rest.starts_with("../") || rest.starts_with("/./") {
                rest = &rest[2..];
            } else if rest == "/." {
                rest = "/";
            } else if rest.starts_with("/../") || rest == "/.." {
                self.text.truncate(kept.pop().unwrap_or(0));
                rest = if rest == "/.." { "/" } else { &rest[3..] };
            } else {
                let slash = usize::from(rest.starts_with('/'));
                let end = rest[slash..].find('/').map_or(rest.len(), |at| at + slash);
                growth::push(&mut kept, self.text.len())?;
                self.push_text(&rest[..end])?;
                rest = &rest[end..];
            }
        }
        Ok(())
    }
}

/// The bytes above those of ASCII that a text begins with, as %-sequences, and what is behind them.
fn bytes(text: &str) -> Result<(Vec<u8>, &str), Refused> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(byte) = byte_at(rest).filter(|b| !b.is_ascii()) {
        growth::push(&mut found, byte)?;
        rest = &rest[SEQUENCE..];
    }
    Ok((found, rest))
}

fn joined(m: &mut Ctx, a: Args) -> Res {
    let mut parts: [Option<Cow<str>>; 5] = [const { None }; 5];
    for (i, part) in parts.iter_mut().enumerate() {
        let c = m.arg(a, i);
        if !c.is_ref() {
            *part = Some(value_of(m, c)?);
        }
    }
    let bytes = parts.iter().flatten().map(|part| part.len() + 2).sum();
    // What stands before each, and behind it.
    const AROUND: [(&str, &str); 5] = [("", ":"), ("//", ""), ("", ""), ("?", ""), ("#", "")];
    make(m, a, 5, bytes, |made| {
        for (part, (before, behind)) in parts.iter().zip(AROUND) {
            if let Some(part) = part {
                made.push_text(before)?;
                made.push_text(part)?;
                made.push_text(behind)?;
            }
        }
        Ok(())
    })
}

fn query_made(m: &mut Ctx, a: Args) -> Res {
    let (items, _) = list_parts(m, m.arg(a, 0));
    let mut texts = growth::with_room(items.len())?;
    for item in items {
        texts.push(value_of(m, item)?);
    }
    let bytes = texts.iter().map(|text| text.len() + 1).sum();
    make(m, a, 1, bytes, |made| {
        for (i, text) in texts.iter().enumerate() {
            let (before, component) = match i % 2 {
                0 => ("&", "query_name"),
                _ => ("=", "query_value"),
            };
            if i > 0 {
                made.push_text(before)?;
            }
            made.escaped(text, component, How::RAW)?;
        }
        Ok(())
    })
}

fn query(m: &mut Ctx, a: Args) -> Res {
    let whole = text(m, m.arg(a, 0), "text")?;
    let equals = Functor::new(Atom::new("="), 2);
    let mut pairs = Vec::new();
    let mut rest = &*whole;
    loop {
        rest = rest.trim_start_matches(['&', ';']);
        if rest.is_empty() {
            let list = m.heap.list(&pairs, Cell::NIL)?;
            return Ok(m.unify_arg(a, 1, list));
        }
        let Some((name, behind)) = rest.split_once('=') else {
            return Ok(false);
        };
        let (value, behind) = behind.split_at(behind.find(['&', ';']).unwrap_or(behind.len()));
        rest = behind;
        let mut both = [Cell::NIL; 2];
        for (text, place) in [name, value].into_iter().zip(&mut both) {
            match Made::of(text.len(), |made| made.decoded(text, true)) {
                Ok(made) => *place = Cell::atom(m.atom_of_text(&made)?),
                Err(stop) => return Err(stop.thrown(m)),
            }
        }
        growth::push(&mut pairs, m.heap.structure(equals, &both)?)?;
    }
}
