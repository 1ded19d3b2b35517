//! Characters, codes and bytes (ISO 13211-1, 8.12 and 8.13), lines and whole texts.

use super::streams::Target;
use super::text::single;
use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use samite_stream::{Stream, StreamError, StreamType};
use samite_term::{Cell, Number, View, atoms};

pub const TABLE: &[Entry] = &[
    det("get_char", 1, |m, a| get(m, a, false, Unit::Char, false)).core(),
    det("get_char", 2, |m, a| get(m, a, true, Unit::Char, false)).core(),
    det("peek_char", 1, |m, a| get(m, a, false, Unit::Char, true)).core(),
    det("peek_char", 2, |m, a| get(m, a, true, Unit::Char, true)).core(),
    det("get_code", 1, |m, a| get(m, a, false, Unit::Code, false)).core(),
    det("get_code", 2, |m, a| get(m, a, true, Unit::Code, false)).core(),
    det("get0", 1, |m, a| get(m, a, false, Unit::Code, false)),
    det("get0", 2, |m, a| get(m, a, true, Unit::Code, false)),
    det("peek_code", 1, |m, a| get(m, a, false, Unit::Code, true)).core(),
    det("peek_code", 2, |m, a| get(m, a, true, Unit::Code, true)).core(),
    det("get_byte", 1, |m, a| get(m, a, false, Unit::Byte, false)).core(),
    det("get_byte", 2, |m, a| get(m, a, true, Unit::Byte, false)).core(),
    det("peek_byte", 1, |m, a| get(m, a, false, Unit::Byte, true)).core(),
    det("peek_byte", 2, |m, a| get(m, a, true, Unit::Byte, true)).core(),
    det("peek_string", 3, peek_string),
    det("put_char", 1, |m, a| put_char(m, a, false)).core(),
    det("put_char", 2, |m, a| put_char(m, a, true)).core(),
    det("put_code", 1, |m, a| put_code(m, a, false)).core(),
    det("put_code", 2, |m, a| put_code(m, a, true)).core(),
    det("put", 1, |m, a| put_char(m, a, false)),
    det("put", 2, |m, a| put_char(m, a, true)),
    det("put_byte", 1, |m, a| put_byte(m, a, false)).core(),
    det("put_byte", 2, |m, a| put_byte(m, a, true)).core(),
    det("nl", 0, |m, a| nl(m, a, false)).core(),
    det("nl", 1, |m, a| nl(m, a, true)).core(),
    det("tab", 1, |m, a| tab(m, a, false)),
    det("tab", 2, |m, a| tab(m, a, true)),
    det("skip", 1, |m, a| skip(m, a, false)),
    det("skip", 2, |m, a| skip(m, a, true)),
    det("at_end_of_stream", 0, |m, a| at_end(m, a, false)).core(),
    det("at_end_of_stream", 1, |m, a| at_end(m, a, true)).core(),
    det("copy_stream_data", 2, |m, a| copy(m, a, false)),
    det("copy_stream_data", 3, |m, a| copy(m, a, true)),
    det("read_line_to_string", 2, line_to_string),
    det("read_line_to_codes", 2, line_to_codes),
    det("read_line_to_codes", 3, line_with_tail),
    det("read_stream_to_codes", 2, |m, a| {
        stream_to_codes(m, a, Cell::NIL)
    }),
    det("read_stream_to_codes", 3, |m, a| {
        stream_to_codes(m, a, m.arg(a, 2))
    }),
    det("read_pending_codes", 3, |m, a| read_pending(m, a, false)),
    det("read_pending_chars", 3, |m, a| read_pending(m, a, true)),
    det("fill_buffer", 1, |m, a| {
        let t = m.source(a, 0)?;
        m.on(&t, Stream::fill_buffer)?;
        Ok(true)
    }),
    det("read_string", 3, read_string),
    det("read_string", 5, read_string_to),
];

/// What is read at a time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Char,
    Code,
    Byte,
}

impl Ctx<'_> {
    /// Writes a text.
    pub(crate) fn put_text(&mut self, t: &Target, text: &str) -> Result<(), Throw> {
        self.on_data(t, false, StreamType::Text, |s| s.put_str(text))
    }
    /// The character of a one-character atom or a code.
    fn char_of(&mut self, c: Cell) -> Result<char, Throw> {
        match self.term(c).view() {
            View::Atom(a) => {
                let mut chars = a.as_str().chars();
                if let (Some(c), None) = (chars.next(), chars.next())
                    && a != atoms::NIL
                {
                    return Ok(c);
                }
            }
            View::Int(n) => {
                return match u32::try_from(n).ok().and_then(char::from_u32) {
                    Some(c) => Ok(c),
                    None if n < 0 => Err(self.type_error("character", c)),
                    None => Err(self.representation_error("character_code")),
                };
            }
            _ => {}
        }
        Err(self.type_error("character", c))
    }
    /// A text operation on an input stream that keeps what it takes.
    fn input_text<T>(
        &mut self,
        t: &Target,
        f: impl FnOnce(&mut Stream) -> Result<T, StreamError>,
    ) -> Result<T, Throw> {
        let limit = self.thread.memory_limit;
        self.on_data(t, true, StreamType::Text, |s| s.with_limit(limit, f))
    }
    /// A text operation on an input stream.
    fn input<T>(
        &mut self,
        t: &Target,
        f: impl FnOnce(&mut Stream) -> Result<T, StreamError>,
    ) -> Result<T, Throw> {
        self.on_data(t, true, StreamType::Text, f)
    }
}

/// Checks that an output argument can be what is read (ISO 13211-1, 8.12.1.3, 8.13.1.3).
fn check_result(m: &mut Ctx, c: Cell, unit: Unit) -> Result<(), Throw> {
    if c.is_ref() {
        return Ok(());
    }
    let error = match (m.term(c).view(), unit) {
        (View::Atom(atoms::END_OF_FILE), Unit::Char) => return Ok(()),
        (View::Atom(a), Unit::Char) if a != atoms::NIL && a.as_str().chars().count() == 1 => {
            return Ok(());
        }
        (_, Unit::Char) => m.type_error("in_character", c),
        (View::Int(-1..0x11_0000), Unit::Code) | (View::Int(-1..256), Unit::Byte) => return Ok(()),
        (View::Int(_), Unit::Code) => m.representation_error("in_character_code"),
        (_, Unit::Code) => m.type_error("integer", c),
        (_, Unit::Byte) => m.type_error("in_byte", c),
    };
    Err(error)
}

fn get(m: &mut Ctx, a: Args, explicit: bool, unit: Unit, peek: bool) -> Res {
    let t = m.side(a, explicit, true)?;
    let i = usize::from(explicit);
    check_result(m, m.arg(a, i), unit)?;
    let result = if unit == Unit::Byte {
        let b = m.on_data(&t, true, StreamType::Binary, |s| {
            if peek { s.peek_byte() } else { s.get_byte() }
        })?;
        Cell::small(b.map_or(-1, i64::from))
    } else {
        let c = m.input(&t, |s| if peek { s.peek_char() } else { s.get_char() })?;
        match (c, unit) {
            (Some(c), Unit::Char) => m.char_cell(c)?,
            (Some(c), _) => Cell::small(i64::from(u32::from(c))),
            (None, Unit::Char) => Cell::atom(atoms::END_OF_FILE),
            (None, _) => Cell::small(-1),
        }
    };
    Ok(m.unify_arg(a, i, result))
}

fn peek_string(m: &mut Ctx, a: Args) -> Res {
    let t = m.source(a, 0)?;
    let n = count_arg(m, a, 1)?;
    let text = m.input_text(&t, |s| s.peek_string(n))?;
    let c = m.heap.string(&text)?;
    Ok(m.unify_arg(a, 2, c))
}

fn put_char(m: &mut Ctx, a: Args, explicit: bool) -> Res {
    let t = m.side(a, explicit, false)?;
    let c = m.char_of(m.arg(a, usize::from(explicit)))?;
    m.on_data(&t, false, StreamType::Text, |s| s.put_char(c))?;
    Ok(true)
}

/// As `put_char/1,2`, which takes codes too, but what is wrong is no code.
fn put_code(m: &mut Ctx, a: Args, explicit: bool) -> Res {
    let t = m.side(a, explicit, false)?;
    let given = m.arg(a, usize::from(explicit));
    let c = match m.term(given).view() {
        View::Int(n) if n < 0 => return Err(m.representation_error("character_code")),
        View::Var(_) => return Err(m.instantiation_error()),
        View::Int(_) => m.char_of(given)?,
        View::Atom(text) if single(text.as_str()).is_some() => m.char_of(given)?,
        _ => return Err(m.type_error("integer", given)),
    };
    m.on_data(&t, false, StreamType::Text, |s| s.put_char(c))?;
    Ok(true)
}

fn put_byte(m: &mut Ctx, a: Args, explicit: bool) -> Res {
    let t = m.side(a, explicit, false)?;
    let c = m.arg(a, usize::from(explicit));
    let byte = match m.term(c).view() {
        View::Int(n) => u8::try_from(n).ok(),
        _ => None,
    };
    let Some(byte) = byte else {
        return Err(m.type_error("byte", c));
    };
    m.on_data(&t, false, StreamType::Binary, |s| s.put_byte(byte))?;
    Ok(true)
}

fn nl(m: &mut Ctx, a: Args, explicit: bool) -> Res {
    let t = m.side(a, explicit, false)?;
    m.put_text(&t, "\n")?;
    Ok(true)
}

fn tab(m: &mut Ctx, a: Args, explicit: bool) -> Res {
    let t = m.side(a, explicit, false)?;
    let c = m.arg(a, usize::from(explicit));
    let n = match m.evaluate(c)? {
        Number::Int(n) => n,
        Number::Big(big) if big < samite_term::number::IBig::ZERO => 0,
        Number::Big(_) => return Err(m.evaluation_error("int_overflow")),
        Number::Float(x) if x.is_infinite() => return Err(m.evaluation_error("float_overflow")),
        Number::Float(x) if x.is_nan() => return Err(m.evaluation_error("undefined")),
        _ => return Err(m.type_error("integer_expression", c)),
    };
    const BLANKS: &str = "                                                                ";
    // More than memory could hold is a mistake, and would block the thread for good.
    if usize::try_from(n).is_ok_and(|n| n > m.thread.memory_limit) {
        return Err(m.resource_error("memory"));
    }
    m.on_data(&t, false, StreamType::Text, |s| {
        let mut left = n;
        while left > 0 {
            let part = left.min(BLANKS.len() as i64);
            s.put_str(&BLANKS[..part as usize])?;
            left -= part;
        }
        Ok(true)
    })
}

fn skip(m: &mut Ctx, a: Args, explicit: bool) -> Res {
    let t = m.side(a, explicit, true)?;
    let stop = m.char_of(m.arg(a, usize::from(explicit)))?;
    // What has been skipped in earlier steps stays so if this one is interrupted.
    while !m.input(&t, |s| {
        for _ in 0..CHUNK {
            if s.get_char()?.is_none_or(|c| c == stop) {
                return Ok(true);
            }
        }
        Ok(false)
    })? {}
    Ok(true)
}

fn at_end(m: &mut Ctx, a: Args, explicit: bool) -> Res {
    let t = m.side(a, explicit, true)?;
    m.on(&t, |s| s.at_eof())
}

/// Characters copied or skipped with one locking.
const CHUNK: usize = 4096;

fn copy(m: &mut Ctx, a: Args, limited: bool) -> Res {
    let (from, to) = (m.target(a, 0, true)?, m.target(a, 1, false)?);
    let mut left = match limited {
        true => usize::try_from(m.int_arg(a, 2)?).unwrap_or(0),
        false => usize::MAX,
    };
    while left > 0 {
        let n = left.min(CHUNK);
        // Where there is no room for more, nothing more is taken.
        let room = m.on(&to, |_| Ok(()));
        let text = match room.and_then(|()| m.input_text(&from, |s| take(s, n))) {
            Err(Throw::Interrupted) if limited => {
                // It is called again with what is left.
                let left = m.heap.number(&Number::Int(left as i64))?;
                m.set_register(2, left);
                return Err(Throw::Interrupted);
            }
            text => text?,
        };
        let copied = text.chars().count();
        m.whatever_happens(|m| m.ctx().put_text(&to, &text))?;
        if copied < n {
            // The end, which may not be read twice.
            break;
        }
        left -= copied;
    }
    Ok(true)
}

/// Takes up to `n` characters.
fn take(s: &mut Stream, n: usize) -> Result<String, StreamError> {
    let mut text = String::new();
    for _ in 0..n {
        match s.get_char()? {
            Some(c) => samite_stream::append(&mut text, c)?,
            None => break,
        }
    }
    Ok(text)
}

/// A line of the stream in argument 0 with what ends it, without a newline if it is the last; empty at the end.
fn line(m: &mut Ctx, a: Args) -> Result<String, Throw> {
    let t = m.source(a, 0)?;
    m.input_text(&t, |s| s.read_whole_line())
}

/// `read_line_to_string(Stream, String)`: the end is where nothing is left of the last line without carriage returns, as in SWI-Prolog.
fn line_to_string(m: &mut Ctx, a: Args) -> Res {
    let line = line(m, a)?;
    let ended = line.strip_suffix('\n');
    let text = ended.unwrap_or(&line).trim_matches('\r');
    if ended.is_none() && text.is_empty() {
        return Ok(m.unify_atom(a, 1, atoms::END_OF_FILE));
    }
    let c = m.heap.string(text)?;
    Ok(m.unify_arg(a, 1, c))
}

/// `read_line_to_codes(Stream, Codes)`. At the end it is the atom, as in SWI-Prolog 9.0; its manual says -1.
fn line_to_codes(m: &mut Ctx, a: Args) -> Res {
    let line = line(m, a)?;
    if line.is_empty() {
        return Ok(m.unify_atom(a, 1, atoms::END_OF_FILE));
    }
    let text = match line.strip_suffix('\n') {
        Some(text) => text.strip_suffix('\r').unwrap_or(text),
        None => &line,
    };
    let c = m.text_list(text, false, Cell::NIL)?;
    Ok(m.unify_arg(a, 1, c))
}

/// `read_line_to_codes(Stream, Codes, Tail)`: with the newline. A line without one is the last; Tail is `[]` then.
fn line_with_tail(m: &mut Ctx, a: Args) -> Res {
    let text = line(m, a)?;
    let tail = m.arg(a, 2);
    if !text.ends_with('\n') && !m.unify(tail, Cell::NIL) {
        return Ok(false);
    }
    let list = m.text_list(&text, false, tail)?;
    Ok(m.unify_arg(a, 1, list))
}

/// Everything up to the end.
fn rest(m: &mut Ctx, t: &Target) -> Result<String, Throw> {
    m.input_text(t, |s| {
        let mut text = String::new();
        s.read_to_end(&mut text)?;
        Ok(text)
    })
}

fn stream_to_codes(m: &mut Ctx, a: Args, tail: Cell) -> Res {
    let t = m.source(a, 0)?;
    let text = rest(m, &t)?;
    let list = m.text_list(&text, false, tail)?;
    Ok(m.unify_arg(a, 1, list))
}

/// `read_pending_codes(Stream, Codes, Tail)`: what has been read from the stream's source and not taken; `[]` and `[]` if that is nothing.
fn read_pending(m: &mut Ctx, a: Args, chars: bool) -> Res {
    let t = m.source(a, 0)?;
    let Some(text) = m.input_text(&t, Stream::take_pending)? else {
        return Ok(m.unify_arg(a, 1, Cell::NIL) && m.unify_arg(a, 2, Cell::NIL));
    };
    let list = m.text_list(&text, chars, m.arg(a, 2))?;
    Ok(m.unify_arg(a, 1, list))
}

/// A number of characters.
fn count_arg(m: &mut Ctx, a: Args, i: usize) -> Result<usize, Throw> {
    let n = m.int_arg(a, i)?;
    usize::try_from(n).map_err(|_| m.domain_error("not_less_than_zero", m.arg(a, i)))
}

fn read_string(m: &mut Ctx, a: Args) -> Res {
    let t = m.source(a, 0)?;
    let text = if m.arg(a, 1).is_ref() {
        rest(m, &t)?
    } else {
        let n = count_arg(m, a, 1)?;
        m.input_text(&t, |s| take(s, n))?
    };
    let length = text.chars().count() as i64;
    let c = m.heap.string(&text)?;
    // A length that was given is a limit.
    if m.arg(a, 1).is_ref() {
        m.unify_int(a, 1, length)?;
    }
    Ok(m.unify_arg(a, 2, c))
}

/// `read_string(Stream, SeparatorChars, PadChars, Separator, String)`.
fn read_string_to(m: &mut Ctx, a: Args) -> Res {
    let t = m.source(a, 0)?;
    let (separators, pad) = (m.text_arg(m.arg(a, 1))?, m.text_arg(m.arg(a, 2))?);
    let (text, end) = m.input_text(&t, |s| {
        let mut text = String::new();
        loop {
            match s.get_char()? {
                Some(c) if separators.contains(c) => return Ok((text, Some(c))),
                Some(c) => samite_stream::append(&mut text, c)?,
                None => return Ok((text, None)),
            }
        }
    })?;
    let code = end.map_or(-1, |c| i64::from(u32::from(c)));
    if !m.unify_int(a, 3, code)? {
        return Ok(false);
    }
    let c = m.heap.string(text.trim_matches(|c| pad.contains(c)))?;
    Ok(m.unify_arg(a, 4, c))
}
