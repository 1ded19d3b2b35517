//! Where the parts of a term stand in its text, in the layout of SWI-Prolog's option `subterm_positions`.
//!
//! | part | its position |
//! |---|---|
//! | atom, number, variable | `From-To` |
//! | text in double or back quotes | `string_position(From, To)` |
//! | `{Arg}` | `brace_term_position(From, To, Arg)` |
//! | list | `list_position(From, To, Elements, Tail)`, where Tail is `none` if there is no bar |
//! | other compound | `term_position(From, To, FunctorFrom, FunctorTo, Args)` |
//! | dict | `dict_position(From, To, TagFrom, TagTo, Pairs)`, each `key_value_position(From, To, SepFrom, SepTo, Key, KeyPosition, Value)`, as written |
//! | quasi quotation | `quasi_quotation_position(From, To, Syntax, SyntaxPosition, TextFrom-TextTo)` |
//! | term in parentheses | `parentheses_term_position(From, To, Content)` |
//!
//! The numbers count characters, from the beginning of what is read. A parser has a [`Positions`] only if somebody asks.
//!
//! Invariant: `out` and `args` have an entry for each of the parser's, `args` within its frames.

use samite_term::{Atom, Cell, Functor, RecordBuilder, growth};

/// A part of a term: where it is in the text, in bytes, and the term that says so.
#[derive(Clone, Copy)]
struct Part {
    from: usize,
    to: usize,
    /// The position; of a key in a dict the key itself.
    term: Cell,
    /// Of a key: where its colon is.
    colon: usize,
}

/// A bracket that is closed, with what is inside.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Closed {
    Parentheses,
    Braces,
    Compound,
    /// Whether something is behind a bar.
    List(bool),
    Dict,
    /// Its last operand is its syntax; its argument is its text, with the syntax as the term.
    Quasi,
}

/// What a parser writes down of positions.
pub(super) struct Positions<'t> {
    text: &'t str,
    /// Characters before the text.
    before: u64,
    /// For each character beyond ASCII where it ends, and how many bytes more than characters there are up to there.
    wide: Vec<(usize, usize)>,
    out: Vec<Part>,
    args: Vec<Part>,
}

impl<'t> Positions<'t> {
    /// Of a text with so many characters before it.
    pub fn new(text: &'t str, before: u64) -> Positions<'t> {
        let mut wide = Vec::new();
        if !text.is_ascii() {
            let mut more = 0;
            for (i, c) in text.char_indices().filter(|(_, c)| !c.is_ascii()) {
                more += c.len_utf8() - 1;
                growth::must_push(&mut wide, (i + c.len_utf8(), more));
            }
        }
        Positions {
            text,
            before,
            wide,
            out: Vec::new(),
            args: Vec::new(),
        }
    }

    /// The number of characters before a byte.
    fn chars(&self, at: usize) -> Cell {
        let found = self.wide.partition_point(|&(end, _)| end <= at);
        let more = match found {
            0 => 0,
            n => self.wide[n - 1].1,
        };
        Cell::small((self.before + (at - more) as u64) as i64)
    }

    fn push(&mut self, from: usize, to: usize, term: Cell) {
        let part = Part {
            from,
            to,
            term,
            colon: 0,
        };
        growth::must_push(&mut self.out, part);
    }

    fn pair(&self, builder: &mut RecordBuilder, from: usize, to: usize) -> Cell {
        let ends = [self.chars(from), self.chars(to)];
        builder.structure(Functor::new(samite_term::atoms::MINUS, 2), &ends)
    }

    fn term(builder: &mut RecordBuilder, name: &str, args: &[Cell]) -> Cell {
        builder.structure(Functor::new(Atom::of(name), args.len()), args)
    }

    /// Something without parts.
    pub fn leaf(&mut self, builder: &mut RecordBuilder, from: usize, to: usize) {
        let term = match self.text.as_bytes().get(from) {
            Some(b'"' | b'`') => {
                let ends = [self.chars(from), self.chars(to)];
                Self::term(builder, "string_position", &ends)
            }
            _ => self.pair(builder, from, to),
        };
        self.push(from, to, term);
    }

    /// An operator at `from..to` is applied to the last operands: one before it, one behind it, or both.
    pub fn operator(
        &mut self,
        builder: &mut RecordBuilder,
        (from, to): (usize, usize),
        (left, right): (bool, bool),
    ) {
        let count = usize::from(left) + usize::from(right);
        let base = self.out.len().saturating_sub(count);
        let (Some(&first), Some(&last)) = (self.out.get(base), self.out.last()) else {
            return;
        };
        let begin = if left { first.from } else { from };
        let end = if right { last.to } else { to };
        let parts = [first.term, last.term];
        let args = builder.list(&parts[..count], Cell::NIL);
        self.out.truncate(base);
        self.compound(builder, (begin, end), (from, to), args);
    }

    fn compound(
        &mut self,
        builder: &mut RecordBuilder,
        (begin, end): (usize, usize),
        (from, to): (usize, usize),
        args: Cell,
    ) {
        let all = [
            self.chars(begin),
            self.chars(end),
            self.chars(from),
            self.chars(to),
            args,
        ];
        let term = Self::term(builder, "term_position", &all);
        self.push(begin, end, term);
    }

    /// The last operand is an argument or element.
    pub fn argument(&mut self) {
        if let Some(part) = self.out.pop() {
            growth::must_push(&mut self.args, part);
        }
    }

    /// The tag of a dict.
    pub fn tag(&mut self, from: usize, to: usize) {
        let part = Part {
            from,
            to,
            term: Cell::NIL,
            colon: 0,
        };
        growth::must_push(&mut self.args, part);
    }

    /// The syntax and the text of a quasi quotation.
    pub fn quasi(&mut self, syntax: Cell, (from, to): (usize, usize)) {
        let part = Part {
            from,
            to,
            term: syntax,
            colon: 0,
        };
        growth::must_push(&mut self.args, part);
    }

    /// A key of a dict, and its colon.
    pub fn key(&mut self, key: Cell, from: usize, to: usize, colon: usize) {
        let part = Part {
            from,
            to,
            term: key,
            colon,
        };
        growth::must_push(&mut self.args, part);
    }

    /// A bracket is closed: what began at `from`, whose bracket is at `open`, ends at `to`; its arguments are those from `base`.
    pub fn close(
        &mut self,
        builder: &mut RecordBuilder,
        closed: Closed,
        (from, open, to): (usize, usize, usize),
        base: usize,
    ) {
        let base = base.min(self.args.len());
        let inner = match closed {
            Closed::Parentheses | Closed::Braces | Closed::List(true) | Closed::Quasi => {
                self.out.pop()
            }
            _ => None,
        };
        let inner = inner.map_or(Cell::atom(Atom::new("none")), |part| part.term);
        let (begin, end) = (self.chars(from), self.chars(to));
        let mut elements = || {
            let mut terms = Vec::new();
            for part in &self.args[base..] {
                growth::must_push(&mut terms, part.term);
            }
            builder.list(&terms, Cell::NIL)
        };
        match closed {
            Closed::Parentheses => {
                let term = Self::term(builder, "parentheses_term_position", &[begin, end, inner]);
                self.push(from, to, term);
            }
            Closed::Braces => {
                let term = Self::term(builder, "brace_term_position", &[begin, end, inner]);
                self.push(from, to, term);
            }
            Closed::List(_) => {
                let elements = elements();
                let all = [begin, end, elements, inner];
                let term = Self::term(builder, "list_position", &all);
                self.push(from, to, term);
            }
            Closed::Compound => {
                let elements = elements();
                self.compound(builder, (from, to), (from, open), elements);
            }
            Closed::Quasi => {
                let Some(&text) = self.args.get(base) else {
                    return;
                };
                let place = self.pair(builder, text.from, text.to);
                let all = [begin, end, text.term, inner, place];
                let term = Self::term(builder, "quasi_quotation_position", &all);
                self.push(from, to, term);
            }
            Closed::Dict => {
                let pairs = self.pairs(builder, base + 1);
                let all = [begin, end, begin, self.chars(open), pairs];
                let term = Self::term(builder, "dict_position", &all);
                self.push(from, to, term);
            }
        }
        self.args.truncate(base);
    }

    /// The list of positions of keys and values from `base` on.
    fn pairs(&self, builder: &mut RecordBuilder, base: usize) -> Cell {
        let mut terms = Vec::new();
        for pair in self.args.get(base..).unwrap_or_default().as_chunks::<2>().0 {
            let [key, value] = pair;
            let all = [
                self.chars(key.from),
                self.chars(value.to),
                self.chars(key.colon),
                self.chars(key.colon + 1),
                key.term,
                self.pair(builder, key.from, key.to),
                value.term,
            ];
            let term = Self::term(builder, "key_value_position", &all);
            growth::must_push(&mut terms, term);
        }
        builder.list(&terms, Cell::NIL)
    }

    /// The position of the whole term, the last operand.
    pub fn whole(&self) -> Cell {
        self.out.last().map_or(Cell::NIL, |part| part.term)
    }
}
