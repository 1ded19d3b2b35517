//! Terms of a clause as records, which instructions copy from: large terms, boxed values, and the bodies of clauses that are not
//! compiled. Nothing here recurses.

use samite_term::{Cell, Functor, Record, RecordBuilder, TermRef, View, atoms};

use super::unify::compound;
use rustc_hash::FxHashMap;

enum Step<'a> {
    Visit(TermRef<'a>),
    /// A goal: a variable becomes `call(V)`.
    Goal(TermRef<'a>),
    Build(Functor),
}

/// A record in the making.
#[derive(Default)]
pub(super) struct Recorder {
    builder: RecordBuilder,
    /// By the variable's address.
    known: FxHashMap<u64, Cell>,
    /// The variables in order of their first occurrence.
    pub variables: Vec<(u64, Cell)>,
}

impl Recorder {
    pub fn term(&mut self, t: TermRef) -> Cell {
        self.run(Step::Visit(t))
    }
    /// A body, in which variables as goals are `call/1`.
    pub fn body(&mut self, t: TermRef) -> Cell {
        self.run(Step::Goal(t))
    }
    fn run<'a>(&mut self, first: Step<'a>) -> Cell {
        let mut work = vec![first];
        let mut done: Vec<Cell> = Vec::new();
        while let Some(step) = work.pop() {
            match step {
                Step::Build(f) => {
                    let args = done.split_off(done.len() - f.arity());
                    done.push(self.structure(f, &args));
                }
                Step::Goal(t) if t.is_var() => {
                    work.push(Step::Build(Functor::new(atoms::CALL, 1)));
                    work.push(Step::Visit(t));
                }
                Step::Goal(t) => match compound(t) {
                    Some((f, args)) if is_control(f) => {
                        work.push(Step::Build(f));
                        work.extend(args.into_iter().rev().map(Step::Goal));
                    }
                    _ => work.push(Step::Visit(t)),
                },
                Step::Visit(t) => match t.view() {
                    View::Var(v) | View::Attributed(v) => done.push(self.variable(v)),
                    View::Str(s) => done.push(self.builder.string(s)),
                    View::Float(_) | View::Number(_) => {
                        if let Some(n) = t.number() {
                            done.push(self.builder.number(&n));
                        }
                    }
                    _ => match compound(t) {
                        Some((f, args)) => {
                            work.push(Step::Build(f));
                            work.extend(args.into_iter().rev().map(Step::Visit));
                        }
                        None => done.push(t.deref()),
                    },
                },
            }
        }
        done.pop().unwrap_or(Cell::NIL)
    }
    fn variable(&mut self, v: u64) -> Cell {
        let (builder, variables) = (&mut self.builder, &mut self.variables);
        *self.known.entry(v).or_insert_with(|| {
            let c = builder.variable();
            variables.push((v, c));
            c
        })
    }
    pub fn structure(&mut self, f: Functor, args: &[Cell]) -> Cell {
        if f == Functor::new(atoms::DOT, 2) {
            self.builder.list_cell(args[0], args[1])
        } else {
            self.builder.structure(f, args)
        }
    }
    pub fn finish(self, root: Cell) -> Box<Record> {
        Box::new(self.builder.finish(root))
    }
}

/// Whether the arguments of a goal are goals of the same clause.
fn is_control(f: Functor) -> bool {
    let name = f.name();
    match f.arity() {
        2 => [
            atoms::COMMA,
            atoms::SEMICOLON,
            atoms::BAR,
            atoms::ARROW,
            atoms::SOFT_ARROW,
        ]
        .contains(&name),
        1 => name == atoms::NOT,
        _ => false,
    }
}
