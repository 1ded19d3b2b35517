//! Reading and writing terms (ISO 13211-1, 8.14), with the options of SWI-Prolog.
//!
//! What is written is made as one text first and then put on the stream, so threads' terms do not mix.

use super::args::{atom, finite_list};
use super::module_flags::quote_kind;
use super::options::Opt;
use super::quasi::{self, OnError, ReadFrom};
use super::streams::Target;
use super::{Entry, det, pure};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use rustc_hash::FxHashMap;
use samite_stream::StreamType;
use samite_syntax::chars::is_symbol;
use samite_syntax::read::{
    self, Comment, Note, Position, ReadError, ReadFlags, ReadTerm, SyntaxError, Wanted,
};
use samite_syntax::write::{self, ClauseStyle, WriteOptions};
use samite_term::{Atom, Cell, Functor, Number, View, atoms, cycle, growth};
use std::sync::atomic::Ordering;

pub const TABLE: &[Entry] = &[
    det("read", 1, |m, a| {
        let t = m.side(a, false, true)?;
        read_with(m, &t, m.arg(a, 0), &[], OnError::Throw)
    })
    .core(),
    det("read", 2, |m, a| {
        let t = m.source(a, 0)?;
        read_with(m, &t, m.arg(a, 1), &[], OnError::Throw)
    })
    .core(),
    det("read_term", 2, |m, a| {
        let t = m.side(a, false, true)?;
        let options = m.options(m.arg(a, 1), "read_option")?;
        read_with(m, &t, m.arg(a, 0), &options, OnError::Throw)
    })
    .core(),
    det("read_term", 3, |m, a| {
        let t = m.source(a, 0)?;
        let options = m.options(m.arg(a, 2), "read_option")?;
        read_with(m, &t, m.arg(a, 1), &options, OnError::Throw)
    })
    .core(),
    // read_clause(+Stream, -Term, +Options): as read_term/3, but that after a syntax error, which is printed, the next term is read.
    det("read_clause", 3, |m, a| {
        let t = m.source(a, 0)?;
        let options = m.options(m.arg(a, 2), "read_option")?;
        read_with(m, &t, m.arg(a, 1), &options, OnError::Skip)
    }),
    det("$read_clause", 6, read_clause),
    det("prompt", 2, prompt),
    // prompt1(+Text): asks for the next line that is read from the terminal.
    det("prompt1", 1, |m, a| {
        let text = prompt_text(m, m.arg(a, 0))?;
        *m.program.outside.next_prompt.lock() = Some(text.hold());
        Ok(true)
    }),
    det("write", 1, |m, a| write_as(m, a, false, Style::Write)).core(),
    det("write", 2, |m, a| write_as(m, a, true, Style::Write)).core(),
    det("$print", 1, |m, a| write_as(m, a, false, Style::Print)),
    det("$print", 2, |m, a| write_as(m, a, true, Style::Print)),
    det("writeln", 1, |m, a| write_as(m, a, false, Style::Line)),
    det("writeln", 2, |m, a| write_as(m, a, true, Style::Line)),
    det("writeq", 1, |m, a| write_as(m, a, false, Style::Quoted)).core(),
    det("writeq", 2, |m, a| write_as(m, a, true, Style::Quoted)).core(),
    det("write_canonical", 1, |m, a| {
        write_as(m, a, false, Style::Canonical)
    })
    .core(),
    det("write_canonical", 2, |m, a| {
        write_as(m, a, true, Style::Canonical)
    })
    .core(),
    det("portray_clause", 1, |m, a| {
        write_as(m, a, false, Style::Clause)
    }),
    det("portray_clause", 2, |m, a| {
        write_as(m, a, true, Style::Clause)
    }),
    det("portray_clause", 3, portray_clause),
    det("$write_term", 2, |m, a| write_term(m, a, false)),
    det("$write_term", 3, |m, a| write_term(m, a, true)),
    pure("$portrays", 0, |m, _| Ok(m.portrays())),
    det("write_length", 3, write_length),
];

// --- reading ---

fn prompt(m: &mut Ctx, a: Args) -> Res {
    let old = m.program.outside.prompt();
    if !m.unify_atom(a, 0, old) {
        return Ok(false);
    }
    let new = prompt_text(m, m.arg(a, 1))?;
    *m.program.outside.prompt.lock() = Some(new.hold());
    Ok(true)
}

fn prompt_text(m: &mut Ctx, new: Cell) -> Result<Atom, Throw> {
    if new.is_ref() {
        return Err(m.instantiation_error());
    }
    if !new.is_atom() && !matches!(m.term(new).view(), View::Str(_)) {
        return Err(m.type_error("atom", new));
    }
    let text = m.text_arg(new)?;
    m.atom_of_text(&text)
}

impl Ctx<'_> {
    /// The module by whose operators and flags terms are read where nothing is said: what a file runs while it is loaded reads as the file, and the toplevel as the
    /// module that it is in (`module/1`).
    pub(crate) fn reading_module(&self) -> Atom {
        self.thread.modules.source.get()
    }
    /// Reads a term. A syntax error comes back as such, with the stream's other errors thrown.
    fn read_from(
        &mut self,
        t: &Target,
        flags: &ReadFlags,
        module: Atom,
        wanted: Wanted,
    ) -> Result<Result<ReadTerm, SyntaxError>, Throw> {
        let operators = self.program.code.operators(module);
        // A term takes several times the memory of its text.
        let limit = self.thread.memory_limit / 4;
        self.on_data(t, true, StreamType::Text, |s| {
            s.ready_to_read()?;
            s.with_limit(limit, |s| {
                match read::read_term_with(s, &operators, flags, wanted) {
                    Ok(r) => Ok(Ok(r)),
                    Err(ReadError::Syntax(e)) => Ok(Err(e)),
                    Err(ReadError::Memory) => Err(samite_stream::StreamError::TooLarge),
                    Err(ReadError::Source(e)) => {
                        Err(s.take_error().unwrap_or(samite_stream::StreamError::Io {
                            action: "read",
                            error: std::io::Error::other(e.to_string()),
                        }))
                    }
                }
            })
        })
    }
    /// `error(syntax_error(Message), Context)`, where the context is `stream(S, Line, LinePosition, CharCount)` or
    /// `file(Path, Line, LinePosition, CharCount)`; for the loader with a fifth argument `opened(Bracket, Line, LinePosition)`, `begins(Line)` or
    /// `begins_quoted(Line)` if there is something to say.
    pub(crate) fn syntax_error_at(&mut self, e: &SyntaxError, place: Place, source: Cell) -> Throw {
        match self.syntax_error_term(e, place, source) {
            Ok(t) => Throw::Term(t),
            Err(t) => t,
        }
    }
    /// The file that is read from a stream, after its text has been.
    pub(super) fn file_of(&mut self, t: &Target) -> Result<Option<Atom>, Throw> {
        self.whatever_happens(|m| m.ctx().locked(t).map(|s| s.file_name().map(Atom::of)))
    }
    fn syntax_error_term(
        &mut self,
        e: &SyntaxError,
        place: Place,
        source: Cell,
    ) -> Result<Cell, Throw> {
        let mut message = atom(e.message);
        if let Some(argument) = &e.argument {
            message = self.structure(e.message, &[atom(argument)])?;
        }
        let formal = self.structure("syntax_error", &[message])?;
        let p = e.position;
        let number = |n: u32| Cell::small(i64::from(n));
        let mut arguments = vec![
            source,
            number(p.line),
            number(p.column),
            Cell::small(p.char_count as i64),
        ];
        match e.note.filter(|_| place == Place::Loaded) {
            Some(Note::Opened(bracket, line, column)) => {
                let bracket = self.char_cell(bracket)?;
                let note = [bracket, number(line), number(column)];
                arguments.push(self.structure("opened", &note)?);
            }
            Some(Note::Begins(line)) => {
                arguments.push(self.structure("begins", &[number(line)])?);
            }
            Some(Note::BeginsQuoted(line)) => {
                arguments.push(self.structure("begins_quoted", &[number(line)])?);
            }
            None => {}
        }
        let name = match place {
            Place::Stream => "stream",
            Place::File | Place::Loaded => "file",
        };
        let context = self.structure(name, &arguments)?;
        self.structure("error", &[formal, context])
    }
    /// The parts of a term that was read: term, variables, names, singletons, positions, quasi quotations.
    pub(super) fn read_parts(&mut self, r: &ReadTerm) -> Result<[Cell; 6], Throw> {
        let c = self.heap.instantiate_on_credit(&r.record)?;
        Ok(match self.term(c).view() {
            View::Compound(c) if c.arity() == 6 => [0, 1, 2, 3, 4, 5].map(|i| c.arg(i).cell()),
            _ => [c, Cell::NIL, Cell::NIL, Cell::NIL, Cell::NIL, Cell::NIL],
        })
    }
}

/// What a syntax error is in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Stream,
    File,
    /// A file that is being loaded.
    Loaded,
}

/// What the options of reading say before it.
struct Reading {
    flags: ReadFlags,
    on_error: OnError,
    module: Atom,
    wanted: Wanted,
}

fn reading(m: &mut Ctx, options: &[Opt], mut on_error: OnError) -> Result<Reading, Throw> {
    let mut module = m.reading_module();
    for o in options.iter().filter(|o| o.name.as_str() == "module") {
        module = m.option_atom(o)?;
    }
    let mut flags = m.read_flags(module);
    let mut wanted = Wanted::default();
    for o in options {
        match o.name.as_str() {
            "double_quotes" | "back_quotes" => {
                let name = m.option_atom(o)?;
                let Some(kind) = quote_kind(name) else {
                    return Err(m.domain_error(o.name.as_str(), Cell::atom(name)));
                };
                if o.name.as_str() == "double_quotes" {
                    flags.double_quotes = kind;
                } else {
                    flags.back_quotes = kind;
                }
            }
            "var_prefix" => flags.var_prefix = m.option_bool(o)?,
            "subterm_positions" => wanted.positions = true,
            "comments" => wanted.comments = true,
            "syntax_errors" => {
                on_error = match m.option_atom(o)?.as_str() {
                    "error" => OnError::Throw,
                    "fail" => OnError::Tell,
                    "quiet" => OnError::Fail,
                    "dec10" => OnError::Skip,
                    _ => return Err(m.domain_error("syntax_errors", o.value.deref())),
                }
            }
            _ => {}
        }
    }
    Ok(Reading {
        flags,
        on_error,
        module,
        wanted,
    })
}

fn read_with(m: &mut Ctx, t: &Target, term: Cell, options: &[Opt], on_error: OnError) -> Res {
    let r = reading(m, options, on_error)?;
    let e = match m.read_from(t, &r.flags, r.module, r.wanted)? {
        Ok(read) => return read_answer(m, &read, term, options, ReadFrom::Stream(t), &r),
        Err(_) if r.on_error == OnError::Fail => return Ok(false),
        Err(e) => e,
    };
    let error = match m.file_of(t)? {
        Some(f) => m.syntax_error_term(&e, Place::File, Cell::atom(f))?,
        None => m.syntax_error_term(&e, Place::Stream, t.id.term())?,
    };
    Err(match r.on_error {
        OnError::Throw | OnError::Fail => Throw::Term(error),
        OnError::Tell => tell_and(m, error, Cell::atom(atoms::FAIL))?,
        // The text of the error has been read: the second call reads the next term.
        OnError::Skip => Throw::First(tell(m, error)?),
    })
}

/// As `read_term/2` from a text, with a list of options.
pub(super) fn read_text_with(m: &mut Ctx, text: &str, term: Cell, list: Cell) -> Res {
    let options = m.options(list, "read_option")?;
    let r = reading(m, &options, OnError::Throw)?;
    let operators = m.program.code.operators(r.module);
    let e = match read::parse_text_with(text, &operators, &r.flags, r.wanted) {
        Ok(read) => return read_answer(m, &read, term, &options, ReadFrom::Text(text), &r),
        Err(ReadError::Syntax(_)) if r.on_error == OnError::Fail => return Ok(false),
        Err(ReadError::Syntax(e)) => e,
        Err(ReadError::Source(_)) => return Err(m.syntax_error("cannot_read")),
        Err(ReadError::Memory) => return Err(Throw::Memory),
    };
    let error = super::text::text_syntax_error(m, &e)?;
    Err(match r.on_error {
        OnError::Throw | OnError::Fail => Throw::Term(error),
        OnError::Tell => tell_and(m, error, Cell::atom(atoms::FAIL))?,
        OnError::Skip => {
            // The text is at its end.
            let end = m.structure("=", &[term, Cell::atom(atoms::END_OF_FILE)])?;
            tell_and(m, error, end)?
        }
    })
}

/// The goal that prints an error.
fn tell(m: &mut Ctx, error: Cell) -> Result<Cell, Throw> {
    m.structure("print_message", &[Cell::atom(atoms::ERROR), error])
}

/// What is left to do: printing an error, and a goal.
fn tell_and(m: &mut Ctx, error: Cell, goal: Cell) -> Result<Throw, Throw> {
    let tell = tell(m, error)?;
    Ok(Throw::Rest(m.structure(",", &[tell, goal])?))
}

/// Unifies with a term that was read, from a stream or a text, and with what the options ask about it.
fn read_answer(
    m: &mut Ctx,
    read: &ReadTerm,
    term: Cell,
    options: &[Opt],
    from: ReadFrom,
    reading: &Reading,
) -> Res {
    let [
        read_term,
        variables,
        names,
        mut singletons,
        positions,
        quotations,
    ] = m.read_parts(read)?;
    let kept = options
        .iter()
        .any(|o| o.name.as_str() == "quasi_quotations");
    // Their parsers run before anything is unified.
    let mut parsed = match quotations != Cell::NIL && !kept {
        true => Some(quasi::Rest::new(m, singletons)?),
        false => None,
    };
    if let Some(rest) = &mut parsed {
        singletons = rest.singletons();
        rest.unify(term, read_term)?;
    } else if !m.unify(term, read_term) {
        return Ok(false);
    }
    // The last one of these options counts.
    let asked = options
        .iter()
        .rposition(|o| o.name.as_str() == "singletons");
    let mut warned = false;
    for (i, o) in options.iter().enumerate() {
        let value = match o.name.as_str() {
            "variables" => variables,
            "variable_names" => names,
            "singletons" if asked != Some(i) => continue,
            "singletons" if o.value.as_atom() == Some(Atom::new("warning")) => {
                warned = singletons != Cell::NIL;
                continue;
            }
            "singletons" => singletons,
            "subterm_positions" => positions,
            "term_position" => m.position_term(place_in(read.start, from))?,
            "comments" => comments(m, &read.comments, from)?,
            "quasi_quotations" => quasi::kept(m, quotations, names)?,
            _ => continue,
        };
        if let Some(rest) = &mut parsed {
            rest.unify(o.value.cell(), value)?;
        } else if !m.unify(o.value.cell(), value) {
            return Ok(false);
        }
    }
    let warning = match warned {
        true => Some(warning(m, read, read_term, singletons, from)?),
        false => None,
    };
    if let Some(rest) = parsed {
        let list = quasi::quotations(m, quotations, names, &read.quasi, from)?;
        let retry = quasi::Retry {
            on_error: reading.on_error,
            term,
            options,
        };
        return rest.goal(m, list, reading.module, warning, (retry, from));
    }
    warning.map_or(Ok(true), |goal| Err(Throw::Rest(goal)))
}

/// The goal that warns of variables that occur once.
fn warning(
    m: &mut Ctx,
    read: &ReadTerm,
    read_term: Cell,
    singletons: Cell,
    from: ReadFrom,
) -> Result<Cell, Throw> {
    let file = match from {
        ReadFrom::Stream(t) => m.file_of(t)?,
        ReadFrom::Text(_) => None,
    };
    let place = match file {
        Some(f) => {
            let line = Cell::small(i64::from(read.start.line));
            m.structure(":", &[Cell::atom(f), line])?
        }
        None => Cell::NIL,
    };
    m.structure("$warn_of_read", &[read_term, singletons, place])
}

/// A place as options of reading say it: in a text that is no stream's, lines are counted from 0.
fn place_in(place: Position, from: ReadFrom) -> Position {
    Position {
        line: place.line - u32::from(matches!(from, ReadFrom::Text(_))),
        ..place
    }
}

/// The list of `Position-Text` of comments.
fn comments(m: &mut Ctx, comments: &[Comment], from: ReadFrom) -> Result<Cell, Throw> {
    let mut pairs = growth::with_room(comments.len())?;
    for comment in comments {
        let text = m.heap.string(&comment.text)?;
        let start = m.position_term(place_in(comment.start, from))?;
        pairs.push(m.structure("-", &[start, text])?);
    }
    Ok(m.heap.list(&pairs, Cell::NIL)?)
}

/// `'$read_clause'(Stream, Term, VariableNames, Singletons, Line, Bad)`: as `read_term/3`, with errors placed in the file. Bad is the place
/// `Line:Column` of bytes that are no text in the stream's encoding, or `[]`.
fn read_clause(m: &mut Ctx, a: Args) -> Res {
    let t = m.source(a, 0)?;
    // Libraries are read as they were written, whatever the program has set.
    let flags = match m.thread.loading.system {
        true => ReadFlags::default(),
        false => m.read_flags(m.thread.modules.source.get()),
    };
    let read = match m.read_from(&t, &flags, m.thread.modules.source.get(), Wanted::default())? {
        Ok(r) => r,
        Err(e) => {
            if let Some(load) = m.thread.loading.loads.last_mut() {
                load.position = Some(e.start);
            }
            return Err(match m.file_of(&t)? {
                Some(f) => m.syntax_error_at(&e, Place::Loaded, Cell::atom(f)),
                None => {
                    let source = t.id.term();
                    m.syntax_error_at(&e, Place::Stream, source)
                }
            });
        }
    };
    let [term, _, names, singletons, _, quotations] = m.read_parts(&read)?;
    let bad = match m.whatever_happens(|m| m.ctx().locked(&t).map(|mut s| s.take_bad_place()))? {
        None => Cell::NIL,
        Some((line, column)) => {
            let place = [line, column].map(|n| Cell::small(i64::from(n)));
            m.structure(":", &place)?
        }
    };
    if let Some(load) = m.thread.loading.loads.last_mut() {
        load.position = Some(read.start);
    }
    let line = Cell::small(i64::from(read.start.line));
    if quotations == Cell::NIL {
        let values = [term, names, singletons, line, bad];
        return Ok((1..).zip(values).all(|(i, v)| m.unify_arg(a, i, v)));
    }
    let mut rest = quasi::Rest::new(m, singletons)?;
    let values = [term, names, rest.singletons(), line, bad];
    for (i, v) in (1..).zip(values) {
        rest.unify(m.arg(a, i), v)?;
    }
    let from = ReadFrom::Stream(&t);
    let list = quasi::quotations(m, quotations, names, &read.quasi, from)?;
    let retry = quasi::Retry {
        on_error: OnError::Throw,
        term: Cell::NIL,
        options: &[],
    };
    let module = m.thread.modules.source.get();
    rest.goal(m, list, module, None, (retry, from))
}

// --- writing ---

/// The builtins that write without options.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Write,
    Print,
    Line,
    Quoted,
    Canonical,
    Clause,
}

impl Ctx<'_> {
    /// Whether `user:portray/1` has clauses, or `print/1` has options of the program's.
    pub(crate) fn portrays(&self) -> bool {
        if !self.program.prints_plainly.load(Ordering::Relaxed) {
            return true;
        }
        let hook = Functor::new(Atom::new("portray"), 1);
        self.program
            .code
            .find(atoms::USER, hook)
            .is_some_and(|p| p.lock().live > 0)
    }
    /// The text of a term in one of the usual styles; an error if it is larger than the thread's memory may be.
    fn text_of(&self, c: Cell, style: Style, highest: char) -> Result<String, Throw> {
        let operators = self.program.code.operators(atoms::USER);
        let term = self.term(c);
        let mut text = String::new();
        let mut options = WriteOptions {
            numbervars: true,
            var_base: self.heap.start() as u64,
            limit: self.thread.memory_limit,
            highest,
            ..WriteOptions::default()
        };
        match style {
            Style::Clause => {
                let style = ClauseStyle {
                    options: WriteOptions {
                        highest,
                        ..ClauseStyle::plain_options()
                    },
                    names: &FxHashMap::default(),
                    indent: 0,
                };
                write::portray_clause_with(&mut text, term, &operators, &style);
                self.check_given_up()?;
                return Ok(text);
            }
            Style::Canonical => {
                let names = write::canonical_names(term);
                let name = |id| names.get(id);
                options.numbervars = false;
                options.quoted = true;
                options.ignore_ops = true;
                options.brace_terms = false;
                options.quote_non_ascii = true;
                options.character_escapes_unicode = false;
                options.var_name = Some(&name);
                let all = write::write_term(&mut text, term, &operators, &options);
                return if all { Ok(text) } else { Err(Throw::Memory) };
            }
            Style::Write | Style::Line => {}
            Style::Print => options.quoted = true,
            Style::Quoted => {
                options.quoted = true;
                options.character_escapes_unicode = false;
            }
        }
        if !write::write_term(&mut text, term, &operators, &options) {
            return Err(Throw::Memory);
        }
        if style == Style::Line {
            text.push('\n');
        }
        Ok(text)
    }
}

fn write_as(m: &mut Ctx, a: Args, explicit: bool, style: Style) -> Res {
    let t = m.side(a, explicit, false)?;
    let term = m.arg(a, usize::from(explicit));
    let quoted = !matches!(style, Style::Write | Style::Line);
    put_text_for(m, &t, quoted, |m, highest| m.text_of(term, style, highest))
}

/// Writes a text that is made so, with escapes for characters above the highest one that the stream's encoding has, if it is `quoted`.
fn put_text_for(
    m: &mut Ctx,
    t: &Target,
    quoted: bool,
    mut make: impl FnMut(&mut Ctx, char) -> Result<String, Throw>,
) -> Res {
    let mut text = make(m, char::MAX)?;
    if quoted && let Some(highest) = lower_than(m, t, &text)? {
        text = make(m, highest)?;
    }
    m.put_text(t, &text)?;
    Ok(true)
}

/// The highest character that the stream has, if one of the text is above it.
fn lower_than(m: &mut Ctx, t: &Target, text: &str) -> Result<Option<char>, Throw> {
    if text.is_ascii() {
        return Ok(None);
    }
    let highest = m.on_data(t, false, StreamType::Text, |s| Ok(s.highest()))?;
    Ok(text.chars().any(|c| c > highest).then_some(highest))
}

/// Options of `write_term/2` that are not the writer's.
#[derive(Default)]
struct Extra {
    names: FxHashMap<u64, String>,
    /// Whose operators are written as such; `user` if nothing is said.
    module: Option<Atom>,
    fullstop: bool,
    nl: bool,
    /// Cyclic terms are errors.
    finite: bool,
    /// Limit of `write_length/3`.
    max_length: Option<i64>,
    /// Column of a clause.
    indent: usize,
}

fn write_options(m: &mut Ctx, list: Cell) -> Result<(WriteOptions<'static>, Extra), Throw> {
    let options = m.options(list, "write_option")?;
    write_options_from(m, &options, WriteOptions::default())
}

/// What options say where something else is said already.
fn write_options_from(
    m: &mut Ctx,
    options: &[Opt],
    start: WriteOptions<'static>,
) -> Result<(WriteOptions<'static>, Extra), Throw> {
    let mut w = WriteOptions {
        var_base: m.heap.start() as u64,
        ..start
    };
    let mut extra = Extra::default();
    // What is portrayed has its variables numbered, if nothing else is said.
    let (mut numbervars, mut portray) = (None, w.numbervars);
    for o in options {
        if o.value.is_var() && super::options::knows("write_option", o.name) {
            return Err(m.instantiation_error());
        }
        match o.name.as_str() {
            "indent" => extra.indent = option_count(m, o)?.clamp(0, WIDEST) as usize,
            "quoted" => w.quoted = m.option_bool(o)?,
            "ignore_ops" => w.ignore_ops = m.option_bool(o)?,
            "numbervars" => numbervars = Some(m.option_bool(o)?),
            "portray" | "portrayed" => portray |= m.option_bool(o)?,
            "quote_non_ascii" => w.quote_non_ascii = m.option_bool(o)?,
            "cycles" => extra.finite = !m.option_bool(o)?,
            "dotlists" => w.dotlists = m.option_bool(o)?,
            "brace_terms" => w.brace_terms = m.option_bool(o)?,
            "no_lists" => w.no_lists = m.option_bool(o)?,
            "partial" => w.partial = m.option_bool(o)?,
            "character_escapes" => w.character_escapes = m.option_bool(o)?,
            "character_escapes_unicode" => w.character_escapes_unicode = m.option_bool(o)?,
            "module" => extra.module = Some(m.option_atom(o)?),
            "fullstop" => extra.fullstop = m.option_bool(o)?,
            "nl" => extra.nl = m.option_bool(o)?,
            "max_depth" => w.max_depth = option_int(m, o)?,
            "max_length" => extra.max_length = Some(option_count(m, o)?),
            "priority" => {
                let priority = option_int(m, o)?;
                if priority < 0 {
                    return Err(m.domain_error("operator_priority", o.value.deref()));
                }
                w.priority = priority.min(1200) as u16;
            }
            "spacing" => match m.option_atom(o)?.as_str() {
                "next_argument" => w.spacing_next_argument = true,
                "standard" => w.spacing_next_argument = false,
                _ => return Err(m.domain_error("spacing", o.value.deref())),
            },
            "variable_names" => extra.names.extend(variable_names(m, o)?),
            "$portrayed" => extra.names.extend(portrayed(o)),
            _ => {}
        }
    }
    w.numbervars = numbervars.unwrap_or(portray);
    Ok((w, extra))
}

/// The number of an option that is a C integer in SWI-Prolog.
fn option_int(m: &mut Ctx, o: &Opt) -> Result<i32, Throw> {
    match o.value.number() {
        Some(Number::Int(n)) => i32::try_from(n).map_err(|_| m.representation_error("int")),
        Some(Number::Big(_)) => Err(m.representation_error("int")),
        _ => Err(m.type_error("integer", o.value.deref())),
    }
}

/// The number of an option that may be any integer; beyond all counts it is the largest.
fn option_count(m: &mut Ctx, o: &Opt) -> Result<i64, Throw> {
    match o.value.number() {
        Some(Number::Int(n)) => Ok(n),
        Some(Number::Big(_)) => Ok(i64::MAX),
        _ => Err(m.type_error("integer", o.value.deref())),
    }
}

/// The names of `variable_names(['X'=_, …])` by variable; the first name of a variable counts.
fn variable_names(m: &mut Ctx, o: &Opt) -> Result<FxHashMap<u64, String>, Throw> {
    let list = o.value.deref();
    let Some((items, tail)) = finite_list(o.value) else {
        return Err(m.type_error("list", list));
    };
    if tail.is_var() {
        return Err(m.instantiation_error());
    }
    if !tail.is_nil() {
        return Err(m.type_error("list", list));
    }
    let mut names = FxHashMap::default();
    for item in items {
        let (name, variable) = match item.view() {
            View::Var(_) | View::Attributed(_) => return Err(m.instantiation_error()),
            View::Compound(c) if c.functor() == Functor::new(atoms::EQUALS, 2) => {
                (c.arg(0), c.arg(1))
            }
            _ => return Err(m.domain_error("write_option", o.term)),
        };
        let Some(text) = name.as_atom() else {
            return Err(m.type_error("atom", name.deref()));
        };
        let text = text.as_str();
        let good = text.starts_with(|c: char| c == '_' || c.is_uppercase())
            && text.chars().all(|c| c == '_' || c.is_alphanumeric());
        if !good {
            return Err(m.domain_error("variable_name", name.deref()));
        }
        if let View::Var(id) | View::Attributed(id) = variable.view() {
            names.entry(id).or_insert_with(|| text.to_owned());
        }
    }
    Ok(names)
}

/// The texts of `'$portrayed'([Text=_, …])` by variable: what the portray hook wrote for the terms that these stand for.
fn portrayed(o: &Opt) -> FxHashMap<u64, String> {
    let pairs = o.value.list_items().0.into_iter();
    let texts = pairs.filter_map(|pair| match pair.view() {
        View::Compound(c) => match (c.arg(0).view(), c.arg(1).view()) {
            (View::Str(text), View::Var(id)) => Some((id, text.to_owned())),
            _ => None,
        },
        _ => None,
    });
    texts.collect()
}

/// The text of a term, quoted unless these options say otherwise.
pub(super) fn quoted_with(m: &mut Ctx, term: Cell, options: Cell) -> Result<String, Throw> {
    let options = m.options(options, "write_option")?;
    let quoted = WriteOptions {
        quoted: true,
        ..WriteOptions::default()
    };
    let (w, extra) = write_options_from(m, &options, quoted)?;
    text_with(m, term, &w, &extra)
}

/// The text of a term under these options.
fn text_with(m: &mut Ctx, c: Cell, w: &WriteOptions, extra: &Extra) -> Result<String, Throw> {
    if extra.finite && !cycle::is_acyclic(m.term(c)) {
        return Err(m.domain_error("cyclic_term", c));
    }
    let operators = m
        .program
        .code
        .operators(extra.module.unwrap_or(atoms::USER));
    let mut text = String::new();
    let name = |id| extra.names.get(&id).cloned();
    let options = WriteOptions {
        var_name: Some(&name),
        limit: m.thread.memory_limit,
        ..*w
    };
    if !write::write_term(&mut text, m.term(c), &operators, &options) {
        return Err(Throw::Memory);
    }
    if extra.fullstop {
        // The end token must not become part of a symbol atom.
        if text.ends_with(is_symbol) {
            text.push(' ');
        }
        text.push('.');
        text.push(if extra.nl { '\n' } else { ' ' });
    } else if extra.nl {
        text.push('\n');
    }
    Ok(text)
}

/// The column in which a clause begins at most.
const WIDEST: i64 = 1 << 16;

/// `portray_clause(+Stream, +Clause, +Options)`: those of `write_term/2` and `indent(Columns)`.
fn portray_clause(m: &mut Ctx, a: Args) -> Res {
    let t = m.side(a, true, false)?;
    let options = m.options(m.arg(a, 2), "portray_clause_option")?;
    let plain = ClauseStyle::plain_options();
    let (options, extra) = write_options_from(m, &options, plain)?;
    put_text_for(m, &t, true, |m, highest| {
        let operators = m
            .program
            .code
            .operators(extra.module.unwrap_or(atoms::USER));
        let mut text = String::new();
        let style = ClauseStyle {
            options: WriteOptions { highest, ..options },
            names: &extra.names,
            indent: extra.indent,
        };
        write::portray_clause_with(&mut text, m.view(a, 1), &operators, &style);
        m.check_given_up()?;
        Ok(text)
    })
}

fn write_term(m: &mut Ctx, a: Args, explicit: bool) -> Res {
    let i = usize::from(explicit);
    let t = m.side(a, explicit, false)?;
    let (w, extra) = write_options(m, m.arg(a, i + 1))?;
    let term = m.arg(a, i);
    put_text_for(m, &t, w.quoted, |m, highest| {
        text_with(m, term, &WriteOptions { highest, ..w }, &extra)
    })
}

/// `write_length(Term, Length, Options)`; fails past `max_length`.
fn write_length(m: &mut Ctx, a: Args) -> Res {
    let (w, extra) = write_options(m, m.arg(a, 2))?;
    let length = text_with(m, m.arg(a, 0), &w, &extra)?.chars().count() as i64;
    if extra.max_length.is_some_and(|most| length > most) {
        return Ok(false);
    }
    m.unify_int(a, 1, length)
}
