//! `format/2` as one builtin that goes until a goal must run.
//!
//! `'$format'(Stream, Format, Args, Texts, At, Next)`: formats to the stream. `Texts` are what the goals of the first `~@` wrote.
//! At the next one (or at a `~W`, a `~p` while there is a portray hook, or a directive of the program's), `Next` is `goal(Goal, Column, At)`: the caller runs it with output to a text that starts at `Column` (as `Column-Highest`, where the stream has no character above that one),
//! appends that to `Texts` and calls again with the new `At`; at the end `Next` is `done`. `At` is `Column-Count`: where the
//! stream stood at first, and how many characters are on it since; it starts as `start`. So nothing is kept between
//! the calls that a goal's failure, exception or abandonment would have to clean up. `'$formatted'` is the same for a text, where no goal runs.

use super::args::atom;
use super::streams::format_arguments;
use super::text::single;
use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use crate::state::directives::{Own, Present};
use samite_stream::StreamType;
use samite_stream::format::locale::{Grouping, Locale};
use samite_stream::format::{
    FormatEnv, FormatError, FormatState, Step, UserDirective, format_text,
};
use samite_syntax::write::{WriteOptions, write_term};
use samite_term::{Cell, Functor, TermRef, View, atoms, common, growth};
use std::sync::Arc;

pub const TABLE: &[Entry] = &[
    det("$format", 6, format),
    det("$formatted", 3, format_to_text),
    // '$current_locale'(-Name): the one of this thread.
    det("$current_locale", 1, |m, a| {
        let name = m.thread.locale.0.clone();
        Ok(m.unify_atom(a, 0, name.get()))
    }),
    det("$set_locale", 5, set_locale),
    det("format_predicate", 2, define_directive).meta("?:"),
    // '$format_predicates'(-List): of Code-(Module:Head).
    det("$format_predicates", 1, |m, a| {
        let present = m.program.directives.present();
        let mut items = Vec::new();
        for (d, own) in present.iter().flat_map(|p| p.directives.iter().zip(&p.run)) {
            let functor = own.functor.get();
            let mut args = growth::with_room(functor.arity())?;
            for _ in 0..functor.arity() {
                args.push(m.heap.variable()?);
            }
            let head = m.heap.structure(functor, &args)?;
            let head = m.structure(":", &[Cell::atom(own.module.get()), head])?;
            let item = m.structure("-", &[Cell::small(i64::from(u32::from(d.name))), head])?;
            growth::push(&mut items, item)?;
        }
        let list = m.heap.list(&items, Cell::NIL)?;
        Ok(m.unify_arg(a, 0, list))
    }),
];

/// `format_predicate(+Char, :Head)`: the directive runs the predicate, the first argument of which is what the directive is told, or `default`.
fn define_directive(m: &mut Ctx, a: Args) -> Res {
    let given = m.arg(a, 0);
    let name = match m.term(given).view() {
        View::Var(_) => return Err(m.instantiation_error()),
        View::Int(code) => u32::try_from(code).ok().and_then(char::from_u32),
        View::Atom(text) => single(text.as_str()),
        View::Str(text) => single(text),
        _ => None,
    };
    let Some(name) = name else {
        return Err(m.type_error("character", given));
    };
    let (head, module) = m.strip_module(m.arg(a, 1), atoms::USER)?;
    if head.is_ref() {
        return Err(m.instantiation_error());
    }
    let Some(functor) = m.term(head).callable().map(|(f, _)| f) else {
        return Err(m.type_error("callable", head));
    };
    let Some(takes) = functor.arity().checked_sub(1) else {
        return Err(m.domain_error("format_predicate", head));
    };
    let run = Own {
        module: module.hold(),
        functor: functor.hold(),
    };
    let directive = UserDirective { name, takes };
    m.program.directives.define(directive, run)?;
    Ok(true)
}

/// `'$set_locale'(+Name, +Point, +Separator, +Sizes, +Others)`: of this thread. `Sizes` are those of the first groups of digits, `Others`
/// that of the rest or 0. The library has checked them.
fn set_locale(m: &mut Ctx, a: Args) -> Res {
    let name = m.atom_argument(a, 0)?;
    let point = m.atom_argument(a, 1)?.as_str().to_owned();
    let separator = m.atom_argument(a, 2)?.as_str().to_owned();
    let size = |t: TermRef| match t.view() {
        View::Int(n) => usize::try_from(n).unwrap_or(0),
        _ => 0,
    };
    let first = m.view(a, 3).list_items().0.into_iter().map(size).collect();
    let others = Some(size(m.view(a, 4))).filter(|&n| n > 0);
    let locale = Locale {
        point: point.into(),
        separator: separator.into(),
        grouping: Grouping { first, others },
    };
    m.thread.locale = Arc::new((name.hold(), locale));
    Ok(true)
}

/// The text of a template.
fn template_text(m: &mut Ctx, template: Cell) -> Result<String, Throw> {
    match super::args::finite_list(m.term(template)) {
        Some(_) if template == Cell::NIL => Ok(String::new()),
        Some(_) => format_text(m.term(template)).map_err(|e| format_error(m, e, &[], template)),
        None => Err(format_error(m, FormatError::Text, &[], template)),
    }
}

/// Formats to the end, or to a goal for which there is no text; also what has been written before an error.
fn formatted(
    m: &mut Ctx,
    state: &mut FormatState,
    args: &[TermRef],
    own: &Present,
    texts: &[&str],
    highest: char,
) -> (String, Result<Option<Pending>, Fault>) {
    let mut out = String::new();
    let mut texts = texts.iter();
    loop {
        let step = steps(m, state, args, own, highest);
        let more = state.take_output();
        if out.is_empty() {
            out = more;
        } else if growth::text_room(&mut out, more.len(), common::system_has) {
            out.push_str(&more);
        } else {
            return (out, Err(Fault::Throw(Throw::Memory)));
        }
        match step {
            Ok(Some(i)) => match texts.next() {
                Some(text) => state.supply(text),
                None => return (out, Ok(Some(i))),
            },
            Ok(None) => return (out, Ok(None)),
            Err(e) => return (out, Err(e)),
        }
    }
}

/// `'$formatted'(+Format, +Args, -String)` is semidet: what `'$format'` writes; fails if a goal must run for it.
fn format_to_text(m: &mut Ctx, a: Args) -> Res {
    let template = m.arg(a, 0);
    let text = template_text(m, template)?;
    let args = format_arguments(m.view(a, 1));
    let own = m.program.directives.present().unwrap_or_default();
    let mut state = FormatState::new(text, 0).limited(m.thread.memory_limit);
    let (out, result) = formatted(m, &mut state, &args, &own, &[], char::MAX);
    match result {
        Err(Fault::Format(e)) => Err(format_error(m, e, &args, template)),
        Err(Fault::Throw(t)) => Err(t),
        Ok(Some(_)) => Ok(false),
        Ok(None) => {
            let text = m.heap.string(&out)?;
            Ok(m.unify_arg(a, 2, text))
        }
    }
}

fn format(m: &mut Ctx, a: Args) -> Res {
    let t = m.sink(a, 0)?;
    let template = m.arg(a, 1);
    let text = template_text(m, template)?;
    let args = format_arguments(m.view(a, 2));
    let supplied: Vec<&str> = m
        .view(a, 3)
        .list_items()
        .0
        .into_iter()
        .map(|t| match t.view() {
            View::Str(s) => s,
            _ => "",
        })
        .collect();
    let (at, highest) = m.on_data(&t, false, StreamType::Text, |s| {
        Ok((s.line_position(), s.highest()))
    })?;
    let (column, written) = match m.view(a, 4).view() {
        View::Compound(c) if c.functor() == Functor::new(atoms::MINUS, 2) => (
            u32::try_from(c.arg(0).deref().small_value()).unwrap_or(0),
            usize::try_from(c.arg(1).deref().small_value()).unwrap_or(0),
        ),
        _ => (at, 0),
    };
    let own = m.program.directives.present().unwrap_or_default();
    let mut state = FormatState::new(text, column).limited(m.thread.memory_limit);
    let (out, result) = formatted(m, &mut state, &args, &own, &supplied, highest);
    let new = out
        .char_indices()
        .nth(written)
        .map_or("", |(at, _)| &out[at..]);
    m.put_text(&t, new)?;
    let next = match result {
        Err(Fault::Format(e)) => return Err(format_error(m, e, &args, template)),
        Err(Fault::Throw(t)) => return Err(t),
        Ok(None) => atom("done"),
        Ok(Some(pending)) => {
            let goal = match pending {
                Pending::Call(i) => args[i].cell(),
                Pending::Print(i) => m.structure("print", &[args[i].cell()])?,
                Pending::WriteTerm(i) => {
                    m.structure("write_term", &[args[i].cell(), args[i + 1].cell()])?
                }
                Pending::User(d) => {
                    let told = d.count.map_or(atom("default"), |n| {
                        Cell::small(i64::try_from(n).map_or(MOST, |n| n.min(MOST)))
                    });
                    let given = args[d.first..][..d.takes].iter().map(|t| t.cell());
                    let all: Vec<Cell> = std::iter::once(told).chain(given).collect();
                    let run = &own.run[d.number];
                    let goal = m.heap.structure(run.functor.get(), &all)?;
                    m.structure(":", &[Cell::atom(run.module.get()), goal])?
                }
            };
            let count = out.chars().count().max(written) as i64;
            let at = m.structure("-", &[Cell::small(i64::from(column)), Cell::small(count)])?;
            let highest = Cell::small(i64::from(u32::from(highest)));
            let column = m.structure("-", &[Cell::small(i64::from(state.column())), highest])?;
            m.structure("goal", &[goal, column, at])?
        }
    };
    Ok(m.unify_arg(a, 5, next))
}

/// Why formatting stopped.
enum Fault {
    Format(FormatError),
    Throw(Throw),
}

impl From<FormatError> for Fault {
    fn from(e: FormatError) -> Fault {
        Fault::Format(e)
    }
}

/// A goal that has to run before formatting goes on, by the number of its (first) argument.
enum Pending {
    /// `~@`
    Call(usize),
    /// `~p`
    Print(usize),
    /// `~W`: the next argument holds the options.
    WriteTerm(usize),
    User(User),
}

/// A directive of the program's: its number, and what it is given.
struct User {
    number: usize,
    count: Option<usize>,
    first: usize,
    takes: usize,
}

/// The largest number that a directive is told.
const MOST: i64 = i32::MAX as i64;

/// Goes on to the next goal or to the end; `highest` is the highest character that what is written to has.
fn steps(
    m: &mut Ctx,
    state: &mut FormatState,
    args: &[TermRef],
    own: &Present,
    highest: char,
) -> Result<Option<Pending>, Fault> {
    let operators = m.program.code.operators(atoms::USER);
    let locale = m.thread.locale.clone();
    let mut env = FormatEnv::new(&operators);
    env.locale = &locale.1;
    env.write.var_base = m.heap.start() as u64;
    env.write.limit = m.thread.memory_limit;
    env.write.highest = highest;
    env.user_directives = &own.directives;
    loop {
        match state.step(args, &env)? {
            Step::Done => return Ok(None),
            Step::Goal(i) => return Ok(Some(Pending::Call(i))),
            Step::WriteTerm(i) => return Ok(Some(Pending::WriteTerm(i))),
            Step::Print(i) if m.portrays() => return Ok(Some(Pending::Print(i))),
            Step::User {
                directive,
                count,
                first,
                takes,
            } => {
                let mut known = own.directives.iter();
                let number = known.position(|d| d.name == directive).unwrap_or(0);
                return Ok(Some(Pending::User(User {
                    number,
                    count,
                    first,
                    takes,
                })));
            }
            Step::Print(i) => {
                // As [`Style::Print`](super::termio::Style::Print).
                let options = WriteOptions {
                    quoted: true,
                    numbervars: true,
                    ..env.write
                };
                state.supply_by(|text| write_term(text, args[i], &operators, &options))?;
            }
            Step::Evaluate(i) => {
                let value = m.evaluate(args[i].cell()).map_err(Fault::Throw)?;
                state.supply_number(&value, &env)?;
            }
        }
    }
}

fn format_error(m: &mut Ctx, e: FormatError, args: &[TermRef], template: Cell) -> Throw {
    let made = match e {
        FormatError::NotEnoughArguments | FormatError::TooManyArguments | FormatError::BadStar => {
            m.structure("format", &[atom(e.message().unwrap_or(""))])
        }
        FormatError::UnknownDirective(c) => {
            return match m.char_cell(c) {
                Ok(c) => m.existence_error("format_character", c),
                Err(t) => t,
            };
        }
        FormatError::ArgumentType(c, i) => {
            let culprit = args.get(i).map_or(Cell::NIL, |t| t.cell());
            m.char_cell(c)
                .and_then(|c| m.structure("format_argument_type", &[c, culprit]))
        }
        FormatError::Radix(r) => {
            return m.domain_error("radix", Cell::small(r.min(1 << 40) as i64));
        }
        FormatError::CodePoint => return m.representation_error("code_point"),
        FormatError::Memory => return m.given_up(),
        FormatError::Instantiation => return m.instantiation_error(),
        FormatError::Text => return m.type_error("text", template),
        FormatError::NeedsMachine(_) => return m.instantiation_error(),
    };
    match made {
        Ok(f) => m.error_term(f),
        Err(t) => t,
    }
}
