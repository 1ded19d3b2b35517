//! Terms to text, on a work list.

use super::WriteOptions;
use super::atom::{is_plain_atom, quote};
use super::float::format_float;
use crate::chars::{CharClass, class, is_alnum};
use crate::ops::{OpType, Operators};
use rustc_hash::FxHashMap;
use samite_term::cycle;
use samite_term::dict::Dict;
use samite_term::heavy::{self, Patience, Stop};
use samite_term::number::IBig;
use samite_term::view::Compound;
use samite_term::{Atom, Cell, Number, TermRef, View, atoms, bignum, common, growth};
use std::fmt::Write;

/// Appends the text of `term` to `out`. False if that was given up, by the thread's host, at [`WriteOptions::limit`], or for want of memory.
pub fn write_term(
    out: &mut String,
    term: TermRef,
    ops: &Operators,
    options: &WriteOptions,
) -> bool {
    let mut writer = Writer::new(out, ops, options);
    heavy::guard(|| writer.term(term, options.priority)).unwrap_or_else(|_| {
        if heavy::is_guarded() {
            heavy::abandon();
        }
        false
    })
}

/// Appends an atom as a token of its own.
pub(super) fn write_atom(out: &mut String, atom: Atom, ops: &Operators, options: &WriteOptions) {
    Writer::new(out, ops, options).atom(atom);
}

/// In place of a prefix operator's name: the last token was the colon of a key.
const BEHIND_KEY: Atom = atoms::DICT;

/// Highest priority of a value in a dict without parentheses.
const VALUE: u16 = 999;

/// Bytes that a step writes at most, but for the texts that it asks for: more is rare, and little.
const STEP: usize = 256;

/// Bytes of a text between quotes at most, if it is long.
fn quoted_at_most(text: &str) -> usize {
    if text.len() < STEP {
        return 0;
    }
    let escaped = |b: &u8| !matches!(b, b' '..=b'~') || matches!(b, b'"' | b'\'' | b'`' | b'\\');
    text.len() + 4 * text.as_bytes().iter().filter(|b| escaped(b)).count() + 2
}

/// What is still to be written.
#[derive(Clone, Copy)]
enum Work<'a> {
    Term {
        term: TermRef<'a>,
        priority: u16,
        depth: usize,
        /// An operand of an operator, where operators as atoms are put in parentheses.
        operand: bool,
    },
    /// An infix operator and its right operand.
    Infix {
        name: Atom,
        right: TermRef<'a>,
        priority: u16,
        depth: usize,
    },
    Postfix(Atom),
    /// The arguments from `index` on.
    Args {
        compound: Compound<'a>,
        index: usize,
        depth: usize,
    },
    /// The arguments of a list cell in compound form.
    Tail {
        tail: TermRef<'a>,
        depth: usize,
    },
    /// The rest of a list.
    Rest {
        tail: TermRef<'a>,
        depth: usize,
    },
    Close(char),
    /// An opening parenthesis.
    Open,
    /// The dot of functional notation.
    Dot,
    /// The keys and values of a dict from number `index` on.
    Pairs {
        dict: Dict<'a>,
        index: usize,
        depth: usize,
    },
    /// The list of the compounds at which cycles close, from `index` on.
    Cycles {
        index: usize,
    },
}

pub(super) struct Writer<'w, 'o> {
    out: &'w mut String,
    /// Tokens are separated from what is behind this offset.
    start: usize,
    ops: &'w Operators,
    options: &'w WriteOptions<'o>,
    /// The last token was this prefix operator, or the colon [`BEHIND_KEY`].
    prefix: Option<Atom>,
    /// Give up when `out` is longer.
    limit: usize,
    /// A number could not be written.
    stopped: bool,
    /// The compounds at which the cycles of the term close, numbered; they are written as variables.
    heads: FxHashMap<Cell, usize>,
}

/// The comma is an operator in any table, as for the reader.
fn infix_definition(ops: &Operators, name: Atom) -> Option<(u16, OpType)> {
    let comma = (name == atoms::COMMA).then_some((1000, OpType::Xfy));
    ops.infix(name).or(comma)
}

/// Highest priority of a right operand without parentheses. An operand of equal priority that itself takes
/// an equal one on its left would be read as `(op a) b` in place of `op (a b)`.
pub(super) fn right_priority(ops: &Operators, right: TermRef, priority: u16, ty: OpType) -> u16 {
    let highest = ty.right(priority);
    if highest == priority
        && let View::Compound(c) = right.view()
    {
        let definition = match c.arity() {
            1 => ops.postfix(c.name()),
            2 => infix_definition(ops, c.name()),
            _ => None,
        };
        if definition.is_some_and(|(p, t)| t.left(p) == priority) {
            return priority - 1;
        }
    }
    highest
}

impl<'w, 'o> Writer<'w, 'o> {
    pub(super) fn new(
        out: &'w mut String,
        ops: &'w Operators,
        options: &'w WriteOptions<'o>,
    ) -> Writer<'w, 'o> {
        Writer {
            start: if options.partial { 0 } else { out.len() },
            out,
            ops,
            options,
            prefix: None,
            limit: options.limit,
            stopped: false,
            heads: FxHashMap::default(),
        }
    }

    /// Writing stops soon after `limit` more bytes.
    pub(super) fn stop_after(mut self, limit: usize) -> Self {
        self.limit = self.out.len() + limit;
        self
    }

    /// Writes a term; a cyclic one, unless `max_depth` ends it, as `@(Template,[Variable=Subterm,…])`. False if it was given up.
    pub(super) fn term(&mut self, term: TermRef, priority: u16) -> bool {
        let mut work = vec![Work::Term {
            term,
            priority,
            depth: 1,
            operand: false,
        }];
        let mut heads = Vec::new();
        if self.options.max_depth == 0 && !cycle::is_acyclic(term) {
            heads = cycle::heads(term);
            growth::must(self.heads.try_reserve(heads.len()).is_ok());
            self.heads.extend(heads.iter().map(|t| t.deref()).zip(1..));
            self.token("@");
            self.punctuation('(');
            work = vec![
                Work::Close(')'),
                Work::Cycles { index: 0 },
                argument(term, 1),
            ];
        }
        let mut patience = Patience::new();
        while let Some(item) = work.pop() {
            let long = self.out.len() + work.len() * size_of::<Work>() > self.limit;
            if long || patience.is_over() || !self.has_room(STEP) {
                return false;
            }
            match item {
                Work::Cycles { index } => self.cycle(&heads, index, &mut work),
                _ => self.step(item, &mut work),
            }
        }
        !self.stopped
    }

    /// Room for so many bytes more; without it writing stops.
    #[inline]
    fn has_room(&mut self, bytes: usize) -> bool {
        let room = growth::text_room(self.out, bytes, common::system_has);
        if !room {
            (self.limit, self.stopped) = (0, true);
        }
        room
    }

    /// The equation of a cycle, and what comes behind it.
    fn cycle<'a>(&mut self, heads: &[TermRef<'a>], index: usize, work: &mut Vec<Work<'a>>) {
        // In SWI-Prolog's layout there is no space between the equations.
        if index == 0 {
            self.separator(',');
            self.punctuation('[');
        } else {
            self.punctuation(',');
        }
        if index + 1 < heads.len() {
            growth::must_push(work, Work::Cycles { index: index + 1 });
        } else {
            growth::must_push(work, Work::Close(']'));
        }
        if self.options.ignore_ops {
            self.token("=");
            self.punctuation('(');
            self.head(index + 1);
            self.separator(',');
            growth::must_push(work, Work::Close(')'));
        } else {
            self.head(index + 1);
            self.infix(atoms::EQUALS);
        }
        self.view(heads[index], 699, 1, false, work);
    }

    /// The variable that stands for a compound at which a cycle closes.
    fn head(&mut self, number: usize) {
        let name = if self.options.numbervars {
            format!("S_{number}")
        } else {
            format!("_S{number}")
        };
        self.token(&name);
    }

    fn step<'a>(&mut self, item: Work<'a>, work: &mut Vec<Work<'a>>) {
        match item {
            Work::Term {
                term,
                priority,
                depth,
                operand,
            } => self.one(term, priority, depth, operand, work),
            Work::Infix {
                name,
                right,
                priority,
                depth,
            } => {
                self.infix(name);
                growth::must_push(
                    work,
                    Work::Term {
                        term: right,
                        priority,
                        depth,
                        operand: true,
                    },
                );
            }
            Work::Postfix(name) => self.atom(name),
            Work::Args {
                compound,
                index,
                depth,
            } => {
                if index > 0 {
                    self.separator(',');
                }
                if index + 1 < compound.arity() {
                    growth::must_push(
                        work,
                        Work::Args {
                            compound,
                            index: index + 1,
                            depth,
                        },
                    );
                }
                growth::must_push(work, argument(compound.arg(index), depth));
            }
            Work::Tail { tail, depth } => {
                self.separator(',');
                growth::must_push(work, argument(tail, depth));
            }
            Work::Rest { tail, depth } => self.rest(tail, depth, work),
            Work::Close(c) => self.punctuation(c),
            Work::Open => self.open(),
            Work::Dot => self.token("."),
            Work::Pairs { dict, index, depth } => self.pairs(dict, index, depth, work),
            Work::Cycles { .. } => unreachable!("the loop in `term` takes these"),
        }
    }

    fn one<'a>(
        &mut self,
        term: TermRef<'a>,
        priority: u16,
        depth: usize,
        operand: bool,
        work: &mut Vec<Work<'a>>,
    ) {
        if self.too_deep(depth) {
            self.token("...");
            return;
        }
        if !self.heads.is_empty()
            && let Some(&number) = self.heads.get(&term.deref())
        {
            self.head(number);
            return;
        }
        self.view(term, priority, depth, operand, work);
    }

    fn view<'a>(
        &mut self,
        term: TermRef<'a>,
        priority: u16,
        depth: usize,
        operand: bool,
        work: &mut Vec<Work<'a>>,
    ) {
        match term.view() {
            View::Var(id) | View::Attributed(id) => self.variable(id),
            View::Int(v) => {
                let mut buffer = [0; 20];
                let text = decimal(v, &mut buffer);
                self.token(text);
            }
            View::Float(f) => self.token(&format_float(f)),
            View::Number(b) => match number_text(&b.number()) {
                Ok(text) => self.token(&text),
                // As where there is too much to write.
                Err(_) => (self.limit, self.stopped) = (0, true),
            },
            View::Atom(a) => {
                if operand && (self.ops.is_op(a) || a.as_str() == ".") {
                    self.open();
                    self.atom(a);
                    self.punctuation(')');
                } else {
                    self.atom(a);
                }
            }
            View::Blob(atoms::DICT) => self.atom(atoms::DICT),
            View::Blob(atoms::TRIE_NODE) if self.options.quoted => self.token("C'trienode'"),
            View::Blob(a) => self.token(a.as_str()),
            View::Handle(h) => self.token(&h.to_string()),
            View::Str(text) => {
                if self.options.quoted {
                    self.separate('"');
                    if self.has_room(quoted_at_most(text)) {
                        quote(self.out, text, '"', self.options);
                    }
                } else {
                    self.prefix = None;
                    if self.has_room(text.len()) {
                        self.out.push_str(text);
                    }
                }
            }
            View::List(head, tail) => self.list(head, tail, depth, work),
            View::Compound(c) => self.compound(c, priority, depth, work),
        }
    }

    fn list<'a>(
        &mut self,
        head: TermRef<'a>,
        tail: TermRef<'a>,
        depth: usize,
        work: &mut Vec<Work<'a>>,
    ) {
        let depth = depth + 1;
        if self.options.dotlists || self.options.no_lists {
            if self.options.dotlists {
                self.token(".");
            } else {
                self.atom(atoms::DOT);
            }
            self.punctuation('(');
            growth::must_push(work, Work::Close(')'));
            growth::must_push(work, Work::Tail { tail, depth });
        } else {
            self.punctuation('[');
            growth::must_push(work, Work::Rest { tail, depth });
        }
        growth::must_push(work, argument(head, depth));
    }

    fn too_deep(&self, depth: usize) -> bool {
        let most = self.options.max_depth;
        most != 0 && usize::try_from(most).map_or(true, |most| depth > most)
    }

    /// Behind an element, which was at `depth`.
    fn rest<'a>(&mut self, tail: TermRef<'a>, depth: usize, work: &mut Vec<Work<'a>>) {
        if tail.is_nil() {
            self.punctuation(']');
            return;
        }
        let depth = depth + 1;
        if self.too_deep(depth) {
            self.punctuation('|');
            self.token("...");
            self.punctuation(']');
            return;
        }
        let closes = !self.heads.is_empty() && self.heads.contains_key(&tail.deref());
        if !closes && let View::List(head, tail) = tail.view() {
            self.separator(',');
            growth::must_push(work, Work::Rest { tail, depth });
            growth::must_push(work, argument(head, depth));
        } else {
            self.punctuation('|');
            growth::must_push(work, Work::Close(']'));
            growth::must_push(work, argument(tail, depth));
        }
    }

    fn compound<'a>(
        &mut self,
        c: Compound<'a>,
        priority: u16,
        depth: usize,
        work: &mut Vec<Work<'a>>,
    ) {
        let name = c.name();
        let depth = depth + 1;
        if let Some(dict) = Dict::of_compound(c).filter(|dict| dict.is_ordered()) {
            growth::must_push(
                work,
                Work::Pairs {
                    dict,
                    index: 0,
                    depth,
                },
            );
            match dict.tag().view() {
                View::Atom(tag) => self.tag(tag),
                _ => growth::must_push(
                    work,
                    Work::Term {
                        term: dict.tag(),
                        priority: 0,
                        depth,
                        operand: false,
                    },
                ),
            }
            return;
        }
        match c.arity() {
            1 => {
                let arg = c.arg(0);
                if name == atoms::CURLY && self.options.brace_terms {
                    self.separate('{');
                    self.out.push('{');
                    growth::must_push(work, Work::Close('}'));
                    growth::must_push(
                        work,
                        Work::Term {
                            term: arg,
                            priority: 1200,
                            depth,
                            operand: false,
                        },
                    );
                    return;
                }
                if name == atoms::VARN && self.options.numbervars && self.numbered(arg) {
                    return;
                }
                if !self.options.ignore_ops {
                    if let Some((p, ty)) = self.ops.prefix(name)
                        && !self.quotes(name)
                    {
                        self.embrace(p > priority, work);
                        self.atom(name);
                        self.prefix = Some(name);
                        let priority = right_priority(self.ops, arg, p, ty);
                        growth::must_push(work, operand(arg, priority, depth));
                        return;
                    }
                    if let Some((p, ty)) = self.ops.postfix(name) {
                        self.embrace(p > priority, work);
                        growth::must_push(work, Work::Postfix(name));
                        growth::must_push(work, operand(arg, ty.left(p), depth));
                        return;
                    }
                }
            }
            2 if !self.options.ignore_ops => {
                if let Some((p, ty)) = infix_definition(self.ops, name) {
                    self.embrace(p > priority, work);
                    let right = c.arg(1);
                    if name == atoms::ISO_DOT {
                        return self.function(c, (p, ty), depth, work);
                    }
                    growth::must_push(
                        work,
                        Work::Infix {
                            name,
                            right,
                            priority: right_priority(self.ops, right, p, ty),
                            depth,
                        },
                    );
                    growth::must_push(work, operand(c.arg(0), ty.left(p), depth));
                    return;
                }
            }
            _ => {}
        }
        self.atom(name);
        self.punctuation('(');
        growth::must_push(work, Work::Close(')'));
        if c.arity() > 0 {
            growth::must_push(
                work,
                Work::Args {
                    compound: c,
                    index: 0,
                    depth,
                },
            );
        }
    }

    /// The tag of a dict: in quotes unless it is a name of letters or symbols, as `!` would not be read as one.
    fn tag(&mut self, tag: Atom) {
        let text = tag.as_str();
        let first = text.chars().next().map(class);
        let plain = matches!(first, Some(CharClass::Lower | CharClass::Symbol));
        if plain || !self.options.quoted || self.quotes(tag) || tag.is_reserved() {
            return self.atom(tag);
        }
        self.separate('\'');
        if self.has_room(quoted_at_most(text)) {
            quote(self.out, text, '\'', self.options);
        }
    }

    /// The keys and values of a dict from number `index` on, and its end.
    fn pairs<'a>(&mut self, dict: Dict<'a>, index: usize, depth: usize, work: &mut Vec<Work<'a>>) {
        if index == 0 {
            self.punctuation('{');
        }
        if index == dict.len() {
            return self.punctuation('}');
        }
        if index > 0 {
            self.separator(',');
        }
        let key = dict.key(index);
        if key.is_small() {
            self.token(decimal(key.small_value(), &mut [0; 20]));
        } else {
            self.atom(key.atom_of());
        }
        self.token(":");
        self.prefix = Some(BEHIND_KEY);
        growth::must_push(
            work,
            Work::Pairs {
                dict,
                index: index + 1,
                depth,
            },
        );
        growth::must_push(
            work,
            Work::Term {
                term: dict.value(index),
                priority: VALUE,
                depth,
                operand: false,
            },
        );
    }

    /// `Left.Right`. Nothing may stand between the dot and what follows, nor may that make another token of the dot.
    fn function<'a>(
        &mut self,
        c: Compound<'a>,
        (priority, ty): (u16, OpType),
        depth: usize,
        work: &mut Vec<Work<'a>>,
    ) {
        let (left, right) = (c.arg(0), c.arg(1));
        let is_digit = matches!(
            right.view(),
            View::Int(_) | View::Float(_) | View::Number(_)
        );
        let left_priority = match left.view() {
            View::Int(_) | View::Number(_) if is_digit => None,
            View::Compound(c) if is_digit && self.is_operation(c) => None,
            _ => Some(ty.left(priority)),
        };
        let right_priority = match self.begins_with_symbol(right) {
            true => None,
            false => Some(right_priority(self.ops, right, priority, ty)),
        };
        self.side(right, right_priority, depth, work);
        growth::must_push(work, Work::Dot);
        self.side(left, left_priority, depth, work);
    }

    /// An operand, in parentheses if no priority is given.
    fn side<'a>(
        &self,
        term: TermRef<'a>,
        priority: Option<u16>,
        depth: usize,
        work: &mut Vec<Work<'a>>,
    ) {
        let Some(priority) = priority else {
            growth::must_push(work, Work::Close(')'));
            growth::must_push(work, argument(term, depth));
            growth::must_push(work, Work::Open);
            return;
        };
        growth::must_push(work, operand(term, priority, depth));
    }

    fn is_operation(&self, c: Compound) -> bool {
        match c.arity() {
            1 => self.ops.is_op(c.name()),
            2 => self.ops.infix(c.name()).is_some(),
            _ => false,
        }
    }

    /// Whether the text of a term may begin with a symbol character.
    fn begins_with_symbol(&self, mut term: TermRef) -> bool {
        loop {
            let name = match term.view() {
                View::Int(n) => return n < 0,
                View::Float(f) => return f.is_sign_negative(),
                View::Number(_) => return true,
                View::Atom(name) => name,
                View::Compound(c) => match Dict::of_compound(c) {
                    Some(dict) => {
                        term = dict.tag();
                        continue;
                    }
                    None if c.arity() == 2 && self.ops.infix(c.name()).is_some() => {
                        term = c.arg(0);
                        continue;
                    }
                    None if c.arity() == 1 && self.ops.postfix(c.name()).is_some() => return true,
                    None => c.name(),
                },
                _ => return false,
            };
            let first = name.as_str().chars().next();
            return !self.quotes(name) && first.is_some_and(|c| class(c) == CharClass::Symbol);
        }
    }

    /// Opens a parenthesis around what comes, if needed.
    fn embrace(&mut self, needed: bool, work: &mut Vec<Work>) {
        if needed {
            self.open();
            growth::must_push(work, Work::Close(')'));
        }
    }

    fn infix(&mut self, name: Atom) {
        if name == atoms::COMMA {
            self.separator(',');
        } else if name == atoms::BAR {
            self.separator('|');
        } else {
            let before = self.out.len();
            self.atom(name);
            let spaced = before > self.start && self.out.as_bytes()[before] == b' ';
            if spaced && !name.as_str().starts_with(' ') {
                self.out.push(' ');
            }
        }
    }

    /// `'$VAR'(arg)` as a variable name, if `arg` is fit for it.
    fn numbered(&mut self, arg: TermRef) -> bool {
        match arg.view() {
            View::Int(n) => {
                self.token(&variable_name(n));
                true
            }
            View::Atom(a) if is_variable_name(a.as_str()) => {
                self.token(a.as_str());
                true
            }
            _ => false,
        }
    }

    fn variable(&mut self, id: u64) {
        if let Some(name) = self.options.var_name.and_then(|f| f(id)) {
            self.token(&name);
            return;
        }
        self.separate('_');
        // Cells on both sides of the base, by turns.
        let distance = id.wrapping_sub(self.options.var_base).cast_signed() / 8;
        let number = 2 * distance.unsigned_abs() - u64::from(distance < 0);
        let written = write!(self.out, "_{number}");
        debug_assert!(written.is_ok());
    }

    /// An atom as a token.
    fn atom(&mut self, atom: Atom) {
        if atom == atoms::DICT {
            // No text stands for it.
            self.token(if self.options.quoted {
                "C'dict'"
            } else {
                "dict"
            });
        } else if self.quotes(atom) {
            self.separate('\'');
            if self.has_room(quoted_at_most(atom.as_str())) {
                quote(self.out, atom.as_str(), '\'', self.options);
            }
        } else {
            self.token(atom.as_str());
        }
    }

    /// Whether an atom is written in quotes. A quoted atom does not read back as a prefix operator.
    fn quotes(&self, atom: Atom) -> bool {
        let text = atom.as_str();
        self.options.quoted
            && atom != atoms::NIL
            && (!is_plain_atom(text)
                || self.options.quote_non_ascii && text.chars().any(|c| c > '\u{ff}')
                || text.chars().any(|c| c > self.options.highest))
    }

    fn token(&mut self, text: &str) {
        if let Some(first) = text.chars().next() {
            self.separate(first);
        }
        if self.has_room(text.len()) {
            self.out.push_str(text);
        }
    }

    /// Writes a space if a token that starts with `next` would run into the last one.
    fn separate(&mut self, next: char) {
        let prefix = self.prefix.take();
        if self.out.len() <= self.start {
            return;
        }
        let Some(last) = self.out.chars().next_back() else {
            return;
        };
        let needed = if prefix.is_some_and(|p| p != BEHIND_KEY) && next == '{'
            || prefix == Some(atoms::MINUS) && next.is_ascii_digit()
        {
            true
        } else if is_alnum(next) {
            is_alnum(last)
        } else if next == '\'' {
            last == '\'' || last.is_ascii_digit()
        } else if next == '"' {
            last == '"'
        } else {
            class(next) == CharClass::Symbol && class(last) == CharClass::Symbol
        };
        if needed {
            self.out.push(' ');
        }
    }

    /// An opening parenthesis that is not an argument list's.
    fn open(&mut self) {
        if self.prefix.take().is_some() {
            self.out.push(' ');
        }
        self.out.push('(');
    }

    fn punctuation(&mut self, c: char) {
        self.prefix = None;
        self.out.push(c);
    }

    /// A comma or bar between arguments.
    fn separator(&mut self, c: char) {
        self.punctuation(c);
        if self.options.spacing_next_argument {
            self.out.push(' ');
        }
    }
}

fn argument(term: TermRef, depth: usize) -> Work {
    Work::Term {
        term,
        priority: 999,
        depth,
        operand: false,
    }
}

fn operand(term: TermRef, priority: u16, depth: usize) -> Work {
    Work::Term {
        term,
        priority,
        depth,
        operand: true,
    }
}

/// Decimal digits of `v`.
fn decimal(v: i64, buffer: &mut [u8; 20]) -> &str {
    let mut at = buffer.len();
    let mut rest = v.unsigned_abs();
    loop {
        at -= 1;
        buffer[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if v < 0 {
        at -= 1;
        buffer[at] = b'-';
    }
    std::str::from_utf8(&buffer[at..]).unwrap_or_default()
}

fn number_text(number: &Number) -> Result<String, Stop> {
    Ok(match number {
        Number::Int(v) => v.to_string(),
        Number::Big(b) => big_decimal(b)?,
        Number::Rat(r) => format!(
            "{}r{}",
            big_decimal(r.numerator())?,
            big_decimal(&r.denominator().clone().into())?
        ),
        Number::Float(f) => format_float(*f),
    })
}

fn big_decimal(b: &IBig) -> Result<String, Stop> {
    let bits = 64 * b.as_sign_words().1.len();
    if bits < heavy::HEAVY_BITS {
        return Ok(bignum::decimal(b));
    }
    let b = heavy::guard(|| b.clone())?;
    heavy::run(bits, move || bignum::decimal(&b))
}

/// `A`..`Z`, `A1`, …; `S_1` for -1.
pub(super) fn variable_name(n: i64) -> String {
    if n < 0 {
        return format!("S_{}", n.unsigned_abs());
    }
    let letter = char::from(b'A' + (n % 26) as u8);
    match n / 26 {
        0 => letter.to_string(),
        i => format!("{letter}{i}"),
    }
}

fn is_variable_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| class(c) == CharClass::Upper) && chars.all(is_alnum)
}
