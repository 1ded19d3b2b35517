//! The layout of clauses that `portray_clause/1` and `listing/1` use.
//!
//! ```text
//! head(A, _) :-
//!     goal(A),
//!     (   condition
//!     ->  then
//!     ;   else
//!     ),
//!     findall(B,
//!             ( p(B),
//!               q
//!             ),
//!             A).
//! ```
//!
//! A goal that is too wide has its arguments one below the other. Like the writer, this works on a list of what is
//! still to be written; below [`DEEPEST`] columns of indentation everything is written flat, which keeps the text
//! linear in the size of the clause.
//!
//! Necks and control constructs are laid out as long as they are operators. What stands beside them may have the priorities that the
//! operators of the program leave it, so that the text is read as the same clause; only the comma is always what it is.
//!
//! Differs from SWI-Prolog in: which control constructs are arguments of meta-predicates comes from a fixed
//! list ([`META`]); `Module:(A,B)` and a head `{A}` are written flat.

use super::WriteOptions;
use super::names::Names;
use super::term::{Writer, right_priority, write_term};
use crate::chars::is_symbol;
use crate::ops::{OpType, Operators};
use rustc_hash::FxHashMap;
use samite_term::view::Compound;
use samite_term::{Atom, TermRef, View, atoms, common, cycle, growth, heavy};

/// Column that a goal should not pass.
const MARGIN: usize = 78;
/// Indentation from which on terms are written flat.
const DEEPEST: usize = 400;

/// Predicates with goals as arguments: name, arity, positions of the goals (from 0). Arity 0: any.
const META: &[(&str, usize, &[usize])] = &[
    ("call", 0, &[0]),
    ("once", 1, &[0]),
    ("ignore", 1, &[0]),
    ("not", 1, &[0]),
    ("forall", 2, &[0, 1]),
    ("findall", 3, &[1]),
    ("findall", 4, &[1]),
    ("findnsols", 4, &[2]),
    ("findnsols", 5, &[2]),
    ("aggregate_all", 3, &[1]),
    ("aggregate_all", 4, &[2]),
    ("catch", 3, &[0, 2]),
    ("catch_with_backtrace", 3, &[0, 2]),
    ("setup_call_cleanup", 3, &[0, 1, 2]),
    ("call_cleanup", 2, &[0, 1]),
    ("with_output_to", 2, &[1]),
    ("with_mutex", 2, &[1]),
    ("thread_create", 2, &[0]),
    ("thread_create", 3, &[0]),
    ("thread_signal", 2, &[1]),
    ("thread_at_exit", 1, &[0]),
    ("at_halt", 1, &[0]),
    ("initialization", 1, &[0]),
    ("call_with_depth_limit", 3, &[0]),
    ("call_with_inference_limit", 3, &[0]),
    ("call_with_time_limit", 2, &[1]),
    ("limit", 2, &[1]),
    ("freeze", 2, &[1]),
    ("when", 2, &[1]),
    ("time", 1, &[0]),
    ("notrace", 1, &[0]),
    ("assertion", 1, &[0]),
    ("tnot", 1, &[0]),
    ("undo", 1, &[0]),
    ("transaction", 1, &[0]),
    ("snapshot", 1, &[0]),
    ("reset", 3, &[0]),
    ("concurrent_forall", 2, &[0, 1]),
    ("maplist", 0, &[0]),
    ("include", 3, &[0]),
    ("exclude", 3, &[0]),
    ("partition", 4, &[0]),
    ("foldl", 0, &[0]),
];

/// Appends a clause in the layout of `portray_clause/1` and `listing/1`, with `.` and a newline. Variables are written
/// `A`, `B`, …, and `_` if they appear once. Without memory the operation is given up ([`heavy::refuse`]).
pub fn portray_clause(out: &mut String, term: TermRef, ops: &Operators) {
    let none = FxHashMap::default();
    portray_clause_with(out, term, ops, &ClauseStyle::plain(&none));
}

/// How a clause is written.
pub struct ClauseStyle<'o> {
    /// How its terms are, but for the names of variables.
    pub options: WriteOptions<'o>,
    /// Names of variables; others have none of these.
    pub names: &'o FxHashMap<u64, String>,
    /// The column of the head.
    pub indent: usize,
}

impl<'o> ClauseStyle<'o> {
    /// That of `portray_clause/1`, but for the names.
    pub fn plain(names: &'o FxHashMap<u64, String>) -> Self {
        ClauseStyle {
            options: Self::plain_options(),
            names,
            indent: 0,
        }
    }
    /// Its options.
    pub fn plain_options() -> WriteOptions<'static> {
        WriteOptions {
            quoted: true,
            numbervars: true,
            spacing_next_argument: true,
            ..WriteOptions::default()
        }
    }
}

/// The same in a style.
pub fn portray_clause_with(
    out: &mut String,
    term: TermRef,
    ops: &Operators,
    style: &ClauseStyle<'_>,
) {
    if heavy::guard(|| portray(out, term, ops, style)).is_err() {
        heavy::refuse();
    }
}

fn portray(out: &mut String, term: TermRef, ops: &Operators, style: &ClauseStyle<'_>) {
    let names = Names::beside(term, style.names);
    let name = |id: u64| names.get(id);
    let mut layout = Layout {
        out,
        ops,
        options: WriteOptions {
            var_name: Some(&name),
            ..style.options
        },
        margin: style.indent,
        work: Vec::new(),
        scratch: String::new(),
    };
    layout.indent(0);
    if cycle::is_acyclic(term) {
        layout.clause(term);
    } else {
        layout.flat(term, 1200);
    }
    let mut patience = heavy::Patience::new();
    while let Some(item) = layout.work.pop() {
        if patience.is_over() {
            break;
        }
        growth::must(growth::text_room(layout.out, STEP, common::system_has));
        layout.step(item);
    }
    if out.chars().next_back().is_some_and(is_symbol) {
        out.push(' ');
    }
    out.push_str(".\n");
}

/// Room for so many bytes is made before each step; atoms and numbers that are longer ask themselves.
const STEP: usize = 4 << 10;

/// What is still to be written.
enum Work<'a> {
    /// A goal or control construct, from column `indent`.
    Body {
        term: TermRef<'a>,
        indent: usize,
        priority: u16,
    },
    /// What is behind the first goal of a conjunction.
    And {
        left: TermRef<'a>,
        right: TermRef<'a>,
        indent: usize,
    },
    /// Alternatives and conditions within parentheses at column `indent`.
    Or {
        term: TermRef<'a>,
        indent: usize,
    },
    /// An argument at column `indent`.
    Arg {
        term: TermRef<'a>,
        indent: usize,
    },
    /// An argument that is a goal.
    Goal {
        term: TermRef<'a>,
        indent: usize,
    },
    /// The rest of a list, elements at `indent + 2`.
    Rest {
        tail: TermRef<'a>,
        indent: usize,
    },
    Text(&'static str),
    /// A new line, indented.
    Line(usize),
}

struct Layout<'w, 'a> {
    out: &'w mut String,
    ops: &'w Operators,
    options: WriteOptions<'w>,
    /// Columns are counted from here.
    margin: usize,
    work: Vec<Work<'a>>,
    scratch: String,
}

/// The arguments of a compound term with this name and two arguments.
fn binary<'a>(term: TermRef<'a>, name: Atom) -> Option<(TermRef<'a>, TermRef<'a>)> {
    match term.view() {
        View::Compound(c) if c.name() == name && c.arity() == 2 => Some((c.arg(0), c.arg(1))),
        _ => None,
    }
}

/// The argument of a compound term with this name and one argument.
fn unary<'a>(term: TermRef<'a>, name: Atom) -> Option<TermRef<'a>> {
    match term.view() {
        View::Compound(c) if c.name() == name && c.arity() == 1 => Some(c.arg(0)),
        _ => None,
    }
}

/// A term with an infix operator: its priority, and the operands with the highest that they may have.
struct Infix<'a> {
    priority: u16,
    left: (TermRef<'a>, u16),
    right: (TermRef<'a>, u16),
}

impl<'a> Layout<'_, 'a> {
    /// A term with that name, if it is an infix operator.
    fn infix(&self, term: TermRef<'a>, name: Atom) -> Option<Infix<'a>> {
        let (left, right) = binary(term, name)?;
        let (priority, ty) = self.ops.infix(name)?;
        Some(Infix {
            priority,
            left: (left, ty.left(priority)),
            right: (right, right_priority(self.ops, right, priority, ty)),
        })
    }

    /// The same, if that is all that the name is: else what it is depends on what stands beside it.
    fn plain_infix(&self, term: TermRef<'a>, name: Atom) -> Option<Infix<'a>> {
        self.infix(term, name)
            .filter(|_| self.ops.prefix(name).is_none())
    }

    /// The operand of a prefix operator of that name, the priority of both, and the highest that the operand may have.
    fn prefix(&self, term: TermRef<'a>, name: Atom) -> Option<(TermRef<'a>, u16, u16)> {
        let operand = unary(term, name)?;
        let (priority, ty) = self.ops.prefix(name)?;
        let highest = right_priority(self.ops, operand, priority, ty);
        Some((operand, priority, highest))
    }

    /// Condition, arrow and consequence of `->` and `*->`.
    fn conditional(&self, term: TermRef<'a>) -> Option<(&'static str, Infix<'a>)> {
        if let Some(infix) = self.plain_infix(term, atoms::ARROW) {
            return Some(("->  ", infix));
        }
        let soft = self.plain_infix(term, atoms::SOFT_ARROW)?;
        Some(("*-> ", soft))
    }

    /// The priority of alternatives and conditions.
    fn or_priority(&self, term: TermRef<'a>) -> Option<u16> {
        let or = self.plain_infix(term, atoms::SEMICOLON);
        let or = or.or_else(|| self.conditional(term).map(|(_, infix)| infix));
        or.map(|infix| infix.priority)
    }

    fn is_control(&self, term: TermRef<'a>) -> bool {
        self.or_priority(term).is_some() || binary(term, atoms::COMMA).is_some()
    }

    fn clause(&mut self, term: TermRef<'a>) {
        for (name, neck) in [
            (atoms::NECK, " :-"),
            (atoms::DCG_ARROW, " -->"),
            (atoms::SSU, " =>"),
            (atoms::SSU_CHOICE, " ?=>"),
        ] {
            let Some(infix) = self.infix(term, name) else {
                continue;
            };
            let ((head, highest), (body, priority)) = (infix.left, infix.right);
            if self.priority_of(head) > 0 && head.as_atom().is_some() {
                self.out.push('(');
                self.flat(head, 999);
                self.out.push(')');
            } else {
                self.flat(head, highest);
            }
            if name == atoms::NECK && body.as_atom() == Some(atoms::TRUE) {
                return;
            }
            self.out.push_str(neck);
            self.later([
                Work::Line(4),
                Work::Body {
                    term: body,
                    indent: 4,
                    priority,
                },
            ]);
            return;
        }
        for (name, neck) in [(atoms::NECK, ":- "), (atoms::QUERY, "?- ")] {
            let Some((goal, _, priority)) = self.prefix(term, name) else {
                continue;
            };
            self.out.push_str(neck);
            if let Some((file, exports)) = binary(goal, Atom::new("module")) {
                self.module(file, exports);
            } else {
                self.later([Work::Body {
                    term: goal,
                    indent: 3,
                    priority,
                }]);
            }
            return;
        }
        if self.is_control(term)
            || unary(term, atoms::CURLY).is_some()
            || self.prefix(term, atoms::NOT).is_some()
        {
            self.later([Work::Body {
                term,
                indent: 0,
                priority: 1200,
            }]);
        } else {
            // What is no directive and looks like one is in parentheses.
            let unary = matches!(term.view(), View::Compound(c) if c.arity() == 1);
            self.flat(term, if unary { 999 } else { 1200 });
        }
    }

    fn module(&mut self, file: TermRef<'a>, exports: TermRef<'a>) {
        self.out.push_str("module(");
        self.flat(file, 999);
        self.out.push_str(",\n          ");
        self.later([Work::Text(")")]);
        if let View::List(head, tail) = exports.view() {
            self.list(head, tail, 10);
        } else {
            self.arg(exports, 10);
        }
    }

    /// Schedules items in the order given.
    fn later<const N: usize>(&mut self, items: [Work<'a>; N]) {
        growth::must_have(&mut self.work, items.len());
        self.work.extend(items.into_iter().rev());
    }

    fn step(&mut self, item: Work<'a>) {
        match item {
            Work::Text(text) => self.out.push_str(text),
            Work::Line(indent) => {
                self.out.push('\n');
                self.indent(indent);
            }
            Work::Body {
                term,
                indent,
                priority,
            } => self.body(term, indent, priority),
            Work::And {
                left,
                right,
                indent,
            } => self.and(left, right, indent),
            Work::Or { term, indent } => self.or(term, indent),
            Work::Arg { term, indent } => self.arg(term, indent),
            Work::Goal { term, indent } => {
                if self.is_control(term) {
                    self.body(term, indent, 999);
                } else {
                    self.arg(term, indent);
                }
            }
            Work::Rest { tail, indent } => self.rest(tail, indent),
        }
    }

    fn indent(&mut self, indent: usize) {
        let columns = self.margin + indent;
        growth::must(growth::text_room(self.out, 1 + columns, common::system_has));
        self.out.extend(std::iter::repeat_n(' ', columns));
    }

    fn body(&mut self, term: TermRef<'a>, indent: usize, priority: u16) {
        if indent > DEEPEST {
            self.flat(term, priority);
        } else if let Some((left, right)) = binary(term, atoms::COMMA) {
            if priority < 1000 {
                self.braced(term, indent);
                return;
            }
            self.and(left, right, indent);
        } else if self.or_priority(term).is_some() {
            self.out.push_str("(   ");
            self.later([
                Work::Or { term, indent },
                Work::Line(indent),
                Work::Text(")"),
            ]);
        } else if let Some((goal, own, highest)) = self.prefix(term, atoms::NOT)
            && own <= priority
        {
            self.out.push_str("\\+ ");
            self.later([Work::Body {
                term: goal,
                indent: indent + 3,
                priority: highest,
            }]);
        } else if let Some(goal) = unary(term, atoms::CURLY) {
            self.out.push_str("{ ");
            self.later([
                Work::Body {
                    term: goal,
                    indent: indent + 2,
                    priority: 1200,
                },
                Work::Line(indent),
                Work::Text("}"),
            ]);
        } else if self.priority_of(term) > priority {
            self.braced(term, indent);
        } else {
            self.goal(term, indent, priority);
        }
    }

    /// A conjunction. One on its left is taken apart, the nesting inside of that is kept.
    fn and(&mut self, left: TermRef<'a>, right: TermRef<'a>, indent: usize) {
        let inner = binary(left, atoms::COMMA);
        let first = Work::Body {
            term: inner.map_or(left, |(a, _)| a),
            indent,
            priority: 999,
        };
        let rest = match inner {
            Some((_, left)) => Work::And {
                left,
                right,
                indent,
            },
            None => Work::Body {
                term: right,
                indent,
                priority: right_priority(self.ops, right, 1000, OpType::Xfy),
            },
        };
        self.later([first, Work::Text(","), Work::Line(indent), rest]);
    }

    /// A construct of too high a priority.
    fn braced(&mut self, term: TermRef<'a>, indent: usize) {
        self.out.push_str("( ");
        self.later([
            Work::Body {
                term,
                indent: indent + 2,
                priority: 1200,
            },
            Work::Line(indent),
            Work::Text(")"),
        ]);
    }

    /// Priority of a term as an operator term or as an atom that is an operator.
    fn priority_of(&self, term: TermRef) -> u16 {
        let definition = match term.view() {
            View::Atom(a) => {
                return [self.ops.prefix(a), self.ops.infix(a), self.ops.postfix(a)]
                    .into_iter()
                    .flatten()
                    .map(|(p, _)| p)
                    .max()
                    .unwrap_or(0);
            }
            View::Compound(c) if c.arity() == 2 => self.ops.infix(c.name()),
            View::Compound(c) if c.arity() == 1 => {
                let prefix = self.ops.prefix(c.name());
                prefix.or_else(|| self.ops.postfix(c.name()))
            }
            _ => None,
        };
        definition.map_or(0, |(p, _)| p)
    }

    /// Alternatives and conditions; the text is at column `indent + 4`.
    fn or(&mut self, term: TermRef<'a>, indent: usize) {
        let inner = |(term, priority)| Work::Body {
            term,
            indent: indent + 4,
            priority,
        };
        // An operand whose priority is too high has parentheses of its own.
        let rest = |layout: &Self, (term, highest)| match layout.or_priority(term) {
            Some(own) if own <= highest => Work::Or { term, indent },
            _ => inner((term, highest)),
        };
        if let Some(Infix { left, right, .. }) = self.plain_infix(term, atoms::SEMICOLON) {
            let right = rest(self, right);
            self.later([Work::Line(indent), Work::Text(";   "), right]);
            match self.conditional(left.0) {
                Some((arrow, condition)) if condition.priority <= left.1 => self.later([
                    inner(condition.left),
                    Work::Line(indent),
                    Work::Text(arrow),
                    inner(condition.right),
                ]),
                _ => self.later([inner(left)]),
            }
        } else if let Some((arrow, Infix { left, right, .. })) = self.conditional(term) {
            let right = match self.conditional(right.0) {
                Some(_) => rest(self, right),
                None => inner(right),
            };
            self.later([inner(left), Work::Line(indent), Work::Text(arrow), right]);
        }
    }

    fn goal(&mut self, term: TermRef<'a>, indent: usize, priority: u16) {
        if let View::Compound(c) = term.view()
            && self.has_control_argument(c)
        {
            self.broken(c, indent);
            return;
        }
        // Directives that are prefix operators.
        if let View::Compound(c) = term.view()
            && c.arity() == 1
            && self.priority_of(term) > 999
            && c.name() != atoms::NECK
            && c.name() != atoms::QUERY
        {
            self.flat(term, 999);
            return;
        }
        self.fitted(term, indent, priority);
    }

    fn arg(&mut self, term: TermRef<'a>, indent: usize) {
        self.fitted(term, indent, 999);
    }

    /// A term on one line if it fits, or else with arguments or elements one below the other.
    fn fitted(&mut self, term: TermRef<'a>, indent: usize, priority: u16) {
        if !self.fits(term, indent) {
            match term.view() {
                View::List(head, tail) => {
                    self.list(head, tail, indent);
                    return;
                }
                View::Compound(c) if c.name() == atoms::CURLY && c.arity() == 1 => {
                    self.body(term, indent, priority);
                    return;
                }
                // (Dicts stay on one line.)
                View::Compound(c)
                    if c.arity() > 0 && c.name() != atoms::DICT && self.priority_of(term) == 0 =>
                {
                    self.broken(c, indent);
                    return;
                }
                _ => {}
            }
        }
        self.flat(term, priority);
    }

    fn broken(&mut self, c: Compound<'a>, indent: usize) {
        let options = self.options;
        let start = self.out.len();
        super::term::write_atom(self.out, c.name(), self.ops, &options);
        self.out.push('(');
        let indent = indent + self.out[start..].chars().count();
        let goals = goal_positions(c);
        let first = self.work.len();
        for (i, term) in c.args().enumerate() {
            if i > 0 {
                growth::must_push(&mut self.work, Work::Text(","));
                growth::must_push(&mut self.work, Work::Line(indent));
            }
            growth::must_push(
                &mut self.work,
                if goals.contains(&i) {
                    Work::Goal { term, indent }
                } else {
                    Work::Arg { term, indent }
                },
            );
        }
        growth::must_push(&mut self.work, Work::Text(")"));
        // What comes first has to be on top.
        self.work[first..].reverse();
    }

    fn list(&mut self, head: TermRef<'a>, tail: TermRef<'a>, indent: usize) {
        self.later([
            Work::Text("[ "),
            Work::Arg {
                term: head,
                indent: indent + 2,
            },
            Work::Rest { tail, indent },
        ]);
    }

    fn rest(&mut self, tail: TermRef<'a>, indent: usize) {
        if let View::List(head, tail) = tail.view() {
            self.later([
                Work::Text(","),
                Work::Line(indent + 2),
                Work::Arg {
                    term: head,
                    indent: indent + 2,
                },
                Work::Rest { tail, indent },
            ]);
            return;
        }
        if !tail.is_nil() {
            self.later([
                Work::Line(indent),
                Work::Text("| "),
                Work::Arg {
                    term: tail,
                    indent: indent + 2,
                },
                Work::Line(indent),
                Work::Text("]"),
            ]);
        } else {
            self.later([Work::Line(indent), Work::Text("]")]);
        }
    }

    /// Whether a goal of a meta-predicate is a control construct.
    fn has_control_argument(&self, c: Compound<'a>) -> bool {
        goal_positions(c)
            .iter()
            .any(|&i| i < c.arity() && self.is_control(c.arg(i)))
    }

    /// Whether a term fits on the line from column `indent` on. (Spaces behind commas do not count, a variable
    /// counts seven characters.)
    fn fits(&mut self, term: TermRef, indent: usize) -> bool {
        if indent > DEEPEST {
            return true;
        }
        let width = MARGIN.saturating_sub(self.margin + indent);
        let mut text = std::mem::take(&mut self.scratch);
        text.clear();
        let measured = |_: u64| Some("_123456".to_owned());
        let options = WriteOptions {
            spacing_next_argument: false,
            var_name: Some(&measured),
            ..self.options
        };
        // At most four bytes a character.
        Writer::new(&mut text, self.ops, &options)
            .stop_after(4 * width)
            .term(term, 999);
        let fits = text.chars().nth(width).is_none();
        self.scratch = text;
        fits
    }

    fn flat(&mut self, term: TermRef, priority: u16) {
        let options = WriteOptions {
            priority,
            ..self.options
        };
        write_term(self.out, term, self.ops, &options);
    }
}

/// Positions of the arguments that are goals.
fn goal_positions(c: Compound) -> &'static [usize] {
    let name = c.name().as_str();
    META.iter()
        .find(|(n, arity, _)| *n == name && (*arity == 0 || *arity == c.arity()))
        .map_or(&[], |(_, _, goals)| goals)
}
