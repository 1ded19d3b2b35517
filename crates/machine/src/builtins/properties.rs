//! Properties and positions of streams (ISO 13211-1, 8.11.8 and 8.11.9; `set_stream/2` and counts as in SWI-Prolog).

use super::args::atom;
use super::options::Opt;
use super::streams::Target;
use super::waitable::patience;
use super::{Entry, det, pure};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use samite_sched::exclusive::Guard;
use samite_stream::{
    Buffering, Encoding, EndOfStream, EofAction, Mode, Newline, Position, SharedStream, Stream,
    StreamId, StreamType, Unrepresentable, Whence,
};
use samite_term::{Atom, Cell, Functor, Number, TermRef, View, atoms, growth};
use std::num::NonZero;
use std::time::Duration;

pub const TABLE: &[Entry] = &[
    det("$stream_properties", 3, properties),
    det("set_stream", 2, set_stream),
    det("set_stream_position", 2, set_stream_position).core(),
    det("seek", 4, seek),
    // set_end_of_stream(+Stream): what a file had behind the place where it is being written is gone.
    det("set_end_of_stream", 1, |m, a| {
        let t = m.any_target(a, 0)?;
        m.on(&t, |s| s.truncate())?;
        Ok(true)
    }),
    det("line_count", 2, |m, a| count(m, a, |p| u64::from(p.line))),
    det("line_position", 2, |m, a| {
        count(m, a, |p| u64::from(p.column))
    }),
    det("character_count", 2, |m, a| count(m, a, |p| p.char_count)),
    det("byte_count", 2, |m, a| count(m, a, |p| p.byte_count)),
    pure("$stream_position_data", 3, stream_position_data),
    // '$output_like'(+Stream, -Like): where a text begins that is to be written on it, for '$output_of'/3: `like(Column, Highest, How)`, the highest
    // character that it has, and how others are written, so that they are (`unicode` for `error`).
    det("$output_like", 2, |m, a| {
        let t = m.sink(a, 0)?;
        let (column, highest, how) = m.on_data(&t, false, StreamType::Text, |s| {
            Ok((s.position().column, s.highest(), s.unrepresentable()))
        })?;
        let how = match how {
            Unrepresentable::Error => Unrepresentable::Unicode,
            how => how,
        };
        let like = [
            Cell::small(column.into()),
            Cell::small(u32::from(highest).into()),
            atom(how.name()),
        ];
        let like = m.structure("like", &like)?;
        Ok(m.unify_arg(a, 1, like))
    }),
];

fn boolean(b: bool) -> Cell {
    Cell::atom(if b { atoms::TRUE } else { atoms::FALSE })
}

fn count(m: &mut Ctx, a: Args, of: fn(Position) -> u64) -> Res {
    let t = m.any_target(a, 0)?;
    let p = m.locked(&t)?.position();
    m.unify_int(a, 1, i64::try_from(of(p)).unwrap_or(i64::MAX))
}

/// A property that streams have.
struct Property {
    name: &'static str,
    arity: usize,
    of: Of,
}

/// Where its values come from.
enum Of {
    /// One cell, if the stream has it.
    Stream(fn(&Stream) -> Option<Cell>),
    /// It has it if it is read from, or else if it is not.
    Input(bool),
    Alias,
    Position,
    Timeout,
    /// No stream has it.
    Nothing,
}

const fn of(name: &'static str, of: fn(&Stream) -> Option<Cell>) -> Property {
    row(name, 1, Of::Stream(of))
}

const fn row(name: &'static str, arity: usize, of: Of) -> Property {
    Property { name, arity, of }
}

/// In SWI-Prolog's order.
static PROPERTIES: &[Property] = &[
    of("file_name", |s| s.file_name().map(atom)),
    of("mode", |s| {
        Some(Cell::atom(match s.mode() {
            Mode::Read => atoms::READ,
            Mode::Write => atoms::WRITE,
            Mode::Append => atoms::APPEND,
            Mode::Update => atoms::UPDATE,
        }))
    }),
    row("input", 0, Of::Input(true)),
    row("output", 0, Of::Input(false)),
    row("alias", 1, Of::Alias),
    row("position", 1, Of::Position),
    of("end_of_stream", |s| {
        let at = match s.end_of_stream() {
            EndOfStream::Past if s.eof_action() != EofAction::Error => EndOfStream::At,
            at => at,
        };
        s.is_input().then(|| atom(at.name()))
    }),
    of("eof_action", |s| Some(atom(s.eof_action().name()))),
    of("reposition", |s| Some(boolean(s.can_reposition()))),
    of("type", |s| Some(atom(s.stream_type().name()))),
    of("file_no", |s| {
        (s.file_number()).map(|number| Cell::small(i64::from(number)))
    }),
    of("buffer", |s| Some(atom(s.buffering().name()))),
    of("close_on_abort", |s| Some(boolean(s.close_on_abort()))),
    of("buffer_size", |s| {
        let size = s.buffer_size().filter(|_| s.buffering() != Buffering::None);
        size.map(|size| Cell::small(size as i64))
    }),
    of("tty", |s| s.is_tty().then(|| boolean(true))),
    of("encoding", |s| Some(atom(s.encoding().name()))),
    of("bom", |s| s.has_bom().then(|| boolean(true))),
    of("newline", |s| Some(atom(s.newline().name()))),
    of("representation_errors", |s| {
        Some(atom(s.unrepresentable().name()))
    }),
    of("write_errors", |_| Some(atom("error"))),
    row("timeout", 1, Of::Timeout),
    row("locale", 1, Of::Nothing),
    row("error", 1, Of::Nothing),
    row("nlink", 1, Of::Nothing),
    row("close_on_exec", 1, Of::Nothing),
];

/// Which properties are asked for, and the name of the one, if it is one.
#[derive(Clone, Copy)]
struct Wanted {
    rows: &'static [Property],
    name: Option<Atom>,
}

impl Wanted {
    fn one(name: Atom, arity: usize) -> Option<Wanted> {
        let text = name.as_str();
        let at = (PROPERTIES.iter()).position(|p| p.arity == arity && p.name == text)?;
        Some(Wanted {
            rows: &PROPERTIES[at..=at],
            name: Some(name),
        })
    }
    fn has_alias(&self) -> bool {
        self.rows.iter().any(|p| matches!(p.of, Of::Alias))
    }
    fn is_alias(&self) -> bool {
        self.name.is_some() && self.has_alias()
    }
}

/// `'$stream_properties'(Stream, Property, Pairs)`: `Stream-Property` for all that may match; `true` where there is one at most, which has been unified.
fn properties(m: &mut Ctx, a: Args) -> Res {
    let (stream, property) = (m.arg(a, 0), m.arg(a, 1));
    let wanted = match m.term(property).view() {
        View::Var(_) | View::Attributed(_) => Some(Wanted {
            rows: PROPERTIES,
            name: None,
        }),
        View::Atom(name) => Wanted::one(name, 0),
        View::Compound(c) => Wanted::one(c.name(), c.arity()),
        _ => None,
    };
    let Some(wanted) = wanted else {
        return Err(m.domain_error("stream_property", property));
    };
    let mut pairs = growth::with_room(1)?;
    if stream.is_ref() {
        let alias = match m.term(property).view() {
            View::Compound(c) if wanted.is_alias() => Some(c.arg(0).deref()),
            _ => None,
        };
        let ids = match alias.filter(|alias| alias.is_atom()) {
            Some(alias) => m.find_stream(alias).into_iter().collect(),
            None => m.program.streams.ids(),
        };
        for id in ids {
            properties_of(m, id, wanted, None, &mut pairs)?;
        }
    } else {
        super::streams::is_stream_name(m, stream)?;
        let id = m.stream_of(stream)?;
        if let ([row], false) = (wanted.rows, wanted.is_alias()) {
            return one_property(m, a, id, row);
        }
        properties_of(m, id, wanted, Some(stream), &mut pairs)?;
    }
    let list = m.heap.list(&pairs, Cell::NIL)?;
    Ok(m.unify_arg(a, 2, list))
}

/// Adds what a stream has of the properties. `asked` is the term that it was asked for by; one in use elsewhere is waited for only then.
fn properties_of(
    m: &mut Ctx,
    id: StreamId,
    wanted: Wanted,
    asked: Option<Cell>,
    pairs: &mut Vec<Cell>,
) -> Result<(), Throw> {
    let stream = asked.unwrap_or_else(|| id.term());
    let mut add = |m: &mut Ctx, row: &Property, value: Cell| -> Result<(), Throw> {
        let name = wanted.name.unwrap_or_else(|| Atom::of(row.name));
        let property = match row.arity {
            0 => Cell::atom(name),
            _ => (m.heap).structure(Functor::new(name, 1), &[value])?,
        };
        let pair = Functor::new(atoms::MINUS, 2);
        pairs.push(m.heap.structure(pair, &[stream, property])?);
        Ok(())
    };
    // (The table of streams is not looked at while one of them is locked.)
    let aliases = match wanted.has_alias() {
        true => m.stream_aliases(id),
        false => Vec::new(),
    };
    if wanted.is_alias() {
        for alias in aliases {
            add(m, &wanted.rows[0], Cell::atom(alias))?;
        }
        return Ok(());
    }
    let Some(shared) = m.program.streams.get(id) else {
        return Ok(());
    };
    let Some(s) = locked(m, &shared, asked.is_some())? else {
        return Ok(());
    };
    for row in wanted.rows {
        if matches!(row.of, Of::Alias) {
            for &alias in &aliases {
                add(m, row, Cell::atom(alias))?;
            }
        } else if let Some(value) = row.value(m, &s)? {
            add(m, row, value)?;
        }
    }
    Ok(())
}

/// A stream, if it is free soon or is to be waited for.
fn locked<'s>(
    m: &mut Ctx,
    stream: &'s SharedStream,
    wait: bool,
) -> Result<Option<Guard<'s, Stream>>, Throw> {
    match stream.try_lock() {
        Some(s) => Ok(Some(s)),
        None if wait => m.free(stream).map(Some),
        None => Ok(stream.try_lock_for(Duration::from_millis(20))),
    }
}

/// Unifies the one property that was asked for, of which the stream has one at most.
fn one_property(m: &mut Ctx, a: Args, id: StreamId, row: &Property) -> Res {
    let found = match m.program.streams.get(id) {
        Some(shared) => match locked(m, &shared, true)? {
            Some(s) => row.value(m, &s)?,
            None => None,
        },
        None => None,
    };
    let Some(value) = found else {
        return Ok(false);
    };
    let asked = match m.term(m.arg(a, 1)).view() {
        View::Compound(c) => c.arg(0).cell(),
        _ => value,
    };
    Ok(m.unify(asked, value) && m.unify_atom(a, 2, atoms::TRUE))
}

impl Property {
    /// Its value, or anything if it has none but is there. (No alias: of these the stream itself knows nothing.)
    fn value(&self, m: &mut Ctx, s: &Stream) -> Result<Option<Cell>, Throw> {
        Ok(match self.of {
            Of::Stream(value) => value(s),
            Of::Input(input) => (input == s.is_input()).then_some(Cell::NIL),
            Of::Position => Some(m.position_term(s.position())?),
            Of::Timeout => Some(match s.patience() {
                Some(time) => m.heap.float(time.as_secs_f64())?,
                None => atom("infinite"),
            }),
            Of::Alias | Of::Nothing => None,
        })
    }
}

impl Ctx<'_> {
    /// `'$stream_position'(Char, Line, LinePosition, Byte)`.
    pub(crate) fn position_term(&mut self, p: Position) -> Result<Cell, Throw> {
        let mut args = Vec::with_capacity(4);
        for n in [
            p.char_count,
            u64::from(p.line),
            u64::from(p.column),
            p.byte_count,
        ] {
            args.push(
                self.heap
                    .number(&Number::Int(i64::try_from(n).unwrap_or(i64::MAX)))?,
            );
        }
        self.structure("$stream_position", &args)
    }
    /// The position that a term stands for.
    pub(super) fn position_of(&mut self, c: Cell) -> Result<Position, Throw> {
        if c.is_ref() {
            return Err(self.instantiation_error());
        }
        if let View::Compound(p) = self.term(c).view()
            && p.functor() == Functor::new(Atom::new("$stream_position"), 4)
        {
            let mut n = [0u64; 4];
            let mut good = true;
            for (slot, arg) in n.iter_mut().zip(p.args()) {
                match arg.view() {
                    View::Int(v) if v >= 0 => *slot = v as u64,
                    _ => good = false,
                }
            }
            if let (true, Ok(line), Ok(column)) = (good, u32::try_from(n[1]), u32::try_from(n[2])) {
                return Ok(Position {
                    char_count: n[0],
                    line,
                    column,
                    byte_count: n[3],
                });
            }
        }
        Err(self.domain_error("stream_position", c))
    }
}

fn stream_position_data(m: &mut Ctx, a: Args) -> Res {
    let field = m.arg(a, 0);
    let p = m.position_of(m.arg(a, 1))?;
    if !field.is_atom() {
        return Err(m.type_error("atom", field));
    }
    let n = match field.atom_of().as_str() {
        "char_count" => p.char_count,
        "line_count" => u64::from(p.line),
        "line_position" => u64::from(p.column),
        "byte_count" => p.byte_count,
        _ => return Err(m.domain_error("stream_position_data", field)),
    };
    m.unify_int(a, 2, n as i64)
}

fn set_stream_position(m: &mut Ctx, a: Args) -> Res {
    let t = m.any_target(a, 0)?;
    let p = m.position_of(m.arg(a, 1))?;
    m.on(&t, |s| s.set_position(p))?;
    Ok(true)
}

fn seek(m: &mut Ctx, a: Args) -> Res {
    let t = m.any_target(a, 0)?;
    let method = m.arg(a, 2);
    if method.is_ref() {
        return Err(m.instantiation_error());
    }
    let whence = match m.term(method).as_atom().map(Atom::as_str) {
        Some("bof") => Whence::Start,
        Some("current") => Whence::Current,
        Some("eof") => Whence::End,
        _ => return Err(m.domain_error("seek_method", method)),
    };
    let offset = m.int_arg(a, 1)?;
    let at = m.on(&t, |s| s.seek(whence, offset))?;
    m.unify_int(a, 3, i64::try_from(at).unwrap_or(i64::MAX))
}

/// What nobody has a use for.
const LARGEST_BUFFER: usize = 1 << 30;

/// What a stream does whatever it is told: the property may be set to that, and to nothing else.
fn is_always(name: &str, value: Option<Atom>) -> bool {
    let always = match name {
        "record_position" | "close_on_exec" => "true",
        "locale" => "default",
        "write_errors" => "error",
        _ => return false,
    };
    value.is_some_and(|v| v.as_str() == always)
}

/// Whether a property is one of the names of the thread's current streams; `true` of the one that is read.
fn is_current(property: TermRef) -> Option<bool> {
    match property.view() {
        View::Compound(c) if c.arity() == 1 && c.name().as_str() == "alias" => {
            match c.arg(0).as_atom()?.as_str() {
                "current_input" => Some(true),
                "current_output" => Some(false),
                _ => None,
            }
        }
        _ => None,
    }
}

/// `set_stream(+Stream, +Property)`; both streams of a pair get it. What is called as the thread's current stream is that from then on.
fn set_stream(m: &mut Ctx, a: Args) -> Res {
    if let Some(input) = is_current(m.view(a, 1)) {
        let id = m.target(a, 0, input)?.id;
        match input {
            true => m.thread.io.current_input = id,
            false => m.thread.io.current_output = id,
        }
        return Ok(true);
    }
    let Some(halves) = m.halves(m.arg(a, 0)) else {
        let t = m.any_target(a, 0)?;
        return set_one(m, a, t);
    };
    for id in halves.into_iter().flatten() {
        let t = m.target_of(id, id.term())?;
        set_one(m, a, t)?;
    }
    Ok(true)
}

fn set_one(m: &mut Ctx, a: Args, t: Target) -> Res {
    let property = m.arg(a, 1);
    let o = match m.term(property).view() {
        View::Var(_) | View::Attributed(_) => return Err(m.instantiation_error()),
        View::Compound(c) if c.arity() == 1 => Opt {
            name: c.name(),
            value: c.arg(0),
            term: property,
        },
        _ => return Err(m.domain_error("stream_attribute", property)),
    };
    if o.value.is_var() {
        return Err(m.instantiation_error());
    }
    match o.name.as_str() {
        "alias" => {
            let alias = m.option_atom(&o)?;
            if !m.set_stream_alias(t.id, alias) && m.program.streams.is_open(t.id) {
                return Err(Throw::Memory);
            }
        }
        "buffer" => {
            let v = m.option_named(&o, "buffer", Buffering::from_name)?;
            m.locked(&t)?.set_buffering(v);
        }
        "buffer_size" => {
            let v = o.value.deref();
            let size = match m.term(v).number() {
                Some(Number::Int(n)) if n < 1 => return Err(m.domain_error("not_less_than_one", v)),
                Some(Number::Int(n)) => usize::try_from(n).ok().and_then(NonZero::new),
                Some(Number::Big(_)) => None,
                _ => return Err(m.type_error("integer", v)),
            };
            match size.filter(|s| s.get() <= LARGEST_BUFFER) {
                Some(size) => m.locked(&t)?.set_buffer_size(size),
                None => return Err(m.representation_error("buffer_size")),
            }
        }
        "eof_action" => {
            let v = m.option_named(&o, "eof_action", EofAction::from_name)?;
            m.locked(&t)?.set_eof_action(v);
        }
        "encoding" => {
            let v = m.option_named(&o, "encoding", Encoding::from_name)?;
            m.locked(&t)?.set_encoding(v);
        }
        "type" => {
            let v = m.option_named(&o, "type", StreamType::from_name)?;
            let mut s = m.locked(&t)?;
            s.set_stream_type(v);
            match v {
                StreamType::Binary => s.set_encoding(Encoding::Octet),
                StreamType::Text if s.encoding() == Encoding::Octet => {
                    s.set_encoding(Encoding::Utf8)
                }
                StreamType::Text => {}
            }
        }
        "newline" => {
            let v = m.option_named(&o, "newline", Newline::from_name)?;
            m.locked(&t)?.set_newline(v);
        }
        "tty" => {
            let v = m.option_bool(&o)?;
            m.locked(&t)?.set_tty(v);
        }
        "close_on_abort" => {
            let v = m.option_bool(&o)?;
            m.locked(&t)?.set_close_on_abort(v);
        }
        "file_name" => {
            let v = m.text_arg(o.value.deref())?;
            m.locked(&t)?.set_file_name(Some(v));
        }
        "line_position" => match o.value.view() {
            View::Int(n) if u32::try_from(n).is_ok() => m.locked(&t)?.set_line_position(n as u32),
            _ => return Err(m.type_error("integer", o.value.deref())),
        },
        "representation_errors" => {
            let v = m.option_named(&o, "representation_errors", Unrepresentable::from_name)?;
            m.locked(&t)?.set_unrepresentable(v);
        }
        "timeout" => {
            let v = patience(m, o.value.deref())?;
            let mut s = m.locked(&t)?;
            if v.is_some() && s.is_tty() && s.fd().is_none() {
                // Who edits his line there is waited for.
                drop(s);
                return Err(m.domain_error("waitable_stream", m.arg(a, 0)));
            }
            s.set_patience(v);
        }
        name if is_always(name, o.value.as_atom()) => {}
        _ => return Err(m.domain_error("stream_attribute", property)),
    }
    Ok(true)
}
