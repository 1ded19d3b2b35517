//! Quasi quotations, `{|Syntax||Text|}`, once the reader has found them: their parsers are goals of the program, so reading leaves a goal behind
//! ([`Throw::Rest`]) that runs them, and then unifies. What that goal does is `library(quasi_quotations)`.
//!
//! Which predicates are declared parsers (`quasi_quotation_syntax/1`) the program knows for as long as it runs, as it does operators.

use super::args::atom;
use super::options::Opt;
use super::streams::Target;
use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use crate::state::loading;
use samite_code::Predicate;
use samite_stream::Stream;
use samite_syntax::read::{Position, QuasiPlace};
use samite_term::{Atom, Cell, View, atoms, growth};

pub const TABLE: &[Entry] = &[
    // '$quasi_quotation_syntax'(:PredicateIndicator): it parses quasi quotations.
    det("$quasi_quotation_syntax", 1, declare),
    // '$open_quotation'(+Text, +Position, +File, -Stream): a stream on the text of a quotation that begins there, in a file or [].
    det("$open_quotation", 4, open_quotation),
];

/// What is read.
#[derive(Clone, Copy)]
pub(super) enum ReadFrom<'a> {
    Stream(&'a Target),
    Text(&'a str),
}

/// What a syntax error does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OnError {
    Throw,
    /// It is printed, and reading fails.
    Tell,
    Fail,
    /// It is printed, and the next term is read.
    Skip,
}

/// What has to be known for a syntax error that a parser finds.
pub(super) struct Retry<'a> {
    pub on_error: OnError,
    /// What is to be read, and how.
    pub term: Cell,
    pub options: &'a [Opt<'a>],
}

/// What is to be unified when the parsers have run.
pub(super) struct Rest {
    singletons: [Cell; 2],
    /// Both sides of each unification.
    sides: [Vec<Cell>; 2],
}

impl Rest {
    /// Of a term with these variables that occur once.
    pub fn new(m: &mut Ctx, singletons: Cell) -> Result<Rest, Throw> {
        Ok(Rest {
            singletons: [singletons, m.heap.variable()?],
            sides: [Vec::new(), Vec::new()],
        })
    }
    /// Those of them that what the parsers make does not have either: a variable until that is known.
    pub fn singletons(&self) -> Cell {
        self.singletons[1]
    }
    /// One more unification.
    pub fn unify(&mut self, x: Cell, y: Cell) -> Result<(), Throw> {
        growth::push(&mut self.sides[0], x)?;
        growth::push(&mut self.sides[1], y)?;
        Ok(())
    }
    /// The goal: `'$quasi_quotations'(Quotations, Module, OnError, Singletons, Left, Then)`.
    pub fn goal(
        self,
        m: &mut Ctx,
        quotations: Cell,
        module: Atom,
        warning: Option<Cell>,
        (retry, from): (Retry, ReadFrom),
    ) -> Res {
        let on_error = match retry.on_error {
            OnError::Throw => Cell::atom(atoms::ERROR),
            OnError::Tell => atom("fail"),
            OnError::Fail => atom("quiet"),
            OnError::Skip => {
                let next = match from {
                    ReadFrom::Stream(t) => {
                        let mut items = growth::with_room(retry.options.len())?;
                        items.extend(retry.options.iter().map(|o| o.term));
                        let options = m.heap.list(&items, Cell::NIL)?;
                        m.structure("read_term", &[t.id.term(), retry.term, options])?
                    }
                    // The text is at its end.
                    ReadFrom::Text(_) => {
                        m.structure("=", &[retry.term, Cell::atom(atoms::END_OF_FILE)])?
                    }
                };
                m.structure("skip", &[next])?
            }
        };
        let [left, right] = &self.sides;
        let left = m.heap.list(left, Cell::NIL)?;
        let right = m.heap.list(right, Cell::NIL)?;
        let mut then = m.structure("=", &[left, right])?;
        if let Some(warning) = warning {
            then = m.structure(",", &[then, warning])?;
        }
        let [before, after] = self.singletons;
        let args = [
            quotations,
            Cell::atom(module),
            on_error,
            before,
            after,
            then,
        ];
        Err(Throw::Rest(m.structure("$quasi_quotations", &args)?))
    }
}

/// The syntax, text and result of each quotation.
fn parts(m: &Ctx, quotations: Cell) -> Result<Vec<[Cell; 3]>, Throw> {
    let (items, _) = m.term(quotations).list_items();
    let mut parts = growth::with_room(items.len())?;
    for item in items {
        if let View::Compound(c) = item.view() {
            parts.push([0, 1, 2].map(|i| c.arg(i).cell()));
        }
    }
    Ok(parts)
}

/// The value of the option `quasi_quotations(List)`: `quasi_quotation(Syntax, Codes, VariableNames, Result)` for each.
pub(super) fn kept(m: &mut Ctx, quotations: Cell, names: Cell) -> Result<Cell, Throw> {
    let parts = parts(m, quotations)?;
    let mut items = growth::with_room(parts.len())?;
    for [syntax, text, result] in parts {
        let text = m.text_arg(text)?;
        let codes = super::text::make(m, &text, super::text::Make::Codes)?;
        items.push(m.structure("quasi_quotation", &[syntax, codes, names, result])?);
    }
    Ok(m.heap.list(&items, Cell::NIL)?)
}

/// What the goal has of each: `Place-quasi_quotation(Syntax, Content, VariableNames, Result)`, where Place is the context of an error in its syntax, and
/// Content is `'$quasi_quotation'(Text, File, Position)`; File is `[]` if there is none.
pub(super) fn quotations(
    m: &mut Ctx,
    quotations: Cell,
    names: Cell,
    places: &[QuasiPlace],
    from: ReadFrom,
) -> Result<Cell, Throw> {
    let parts = parts(m, quotations)?;
    let file = match from {
        ReadFrom::Stream(t) => m.file_of(t)?.map(Cell::atom),
        ReadFrom::Text(_) => None,
    };
    let mut items = growth::with_room(parts.len())?;
    for ([syntax, text, result], place) in parts.into_iter().zip(places) {
        let begins = match from {
            // Its bytes are counted from its beginning.
            ReadFrom::Stream(_) => Position {
                byte_count: 0,
                ..place.text
            },
            ReadFrom::Text(_) => Position::default(),
        };
        let begins = m.position_term(begins)?;
        let content = [text, file.unwrap_or(Cell::NIL), begins];
        let content = m.structure("$quasi_quotation", &content)?;
        let quotation = [syntax, content, names, result];
        let quotation = m.structure("quasi_quotation", &quotation)?;
        let at = place.syntax_end;
        let count = Cell::small(at.char_count as i64);
        let numbers = [at.line, at.column].map(|n| Cell::small(i64::from(n)));
        let place = match (from, file) {
            (ReadFrom::Text(text), _) => {
                let text = m.heap.string(text)?;
                m.structure("string", &[text, count])?
            }
            (ReadFrom::Stream(_), Some(file)) => {
                m.structure("file", &[file, numbers[0], numbers[1], count])?
            }
            (ReadFrom::Stream(t), None) => {
                m.structure("stream", &[t.id.term(), numbers[0], numbers[1], count])?
            }
        };
        items.push(m.structure("-", &[place, quotation])?);
    }
    Ok(m.heap.list(&items, Cell::NIL)?)
}

impl Ctx<'_> {
    /// Whether a predicate is declared as a parser of quasi quotations.
    pub(super) fn is_quasi_syntax(&self, p: &'static Predicate) -> bool {
        self.program
            .quasi_syntaxes
            .read()
            .contains(&loading::key(p))
    }
}

fn declare(m: &mut Ctx, a: Args) -> Res {
    let (t, module) = m.strip_module(m.arg(a, 0), m.thread.modules.source.get())?;
    let f = m.functor_of_indicator(t)?;
    // (What is imported may be declared, too.)
    let p = match (
        m.modifiable(module, f, "modify", "static_procedure"),
        m.resolve(module, f),
    ) {
        (Ok(p), _) | (Err(_), Some(p)) => p,
        (Err(e), None) => return Err(e),
    };
    growth::add(&mut m.program.quasi_syntaxes.write(), loading::key(p))?;
    Ok(true)
}

fn open_quotation(m: &mut Ctx, a: Args) -> Res {
    let text = m.text_arg(m.arg(a, 0))?;
    let position = m.position_of(m.arg(a, 1))?;
    let file = m.term(m.arg(a, 2)).as_atom().map(|f| f.as_str().to_owned());
    m.room(Stream::BYTES + text.len())?;
    let mut stream = Stream::from_string(text);
    stream.begin_at(position);
    stream.set_file_name(file.filter(|f| f != "[]"));
    let id = m.program.streams.add(stream);
    Ok(m.unify_arg(a, 3, id.term()))
}
