//! Tokens to terms: operator precedence (ISO 13211-1, 6.3) on explicit stacks.
//!
//! Every bracket, argument list and list opens a [`Frame`]; within one, operands wait in `out` and operators in `side`
//! until an operator of higher priority or the end of the frame reduces them. Finished arguments wait in `args`.
//! Nothing recurses, and each token and operator is pushed and popped once.
//!
//! Ambiguities are resolved as SWI-Prolog does:
//! - A prefix operator stays one unless it is followed by the end of its frame, or by an infix operator whose left
//!   side admits more than the prefix operator's priority; then it is an atom.
//! - Where an operand is expected, any other operator is an atom.
//! - An operator as an atom has priority 0; arguments may have any priority up to 1200 (not in ISO mode).
//!
//! Invariant: entries of `out`, `side` and `args` below the bases of the top frame belong to the frames below it.

use super::lexer::{EMPTY_BLOCK, EMPTY_LIST, Lexer, QUASI_QUOTATION, Token, TokenKind};
use super::number::negate;
use super::positions::{Closed, Positions};
use super::variables::Variables;
use super::{Fault, QuoteKind, ReadFlags};
use crate::ops::{OpType, Operators};
use samite_term::cell::MAX_ARITY;
use samite_term::{
    Atom, Cell, Functor, HeldFunctor, Number, Record, RecordBuilder, atoms, dict, growth,
};
use std::sync::OnceLock;

/// Whether a text must have an end token.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    Required,
    Optional,
}

/// What a quasi quotation is in a text.
pub(super) struct Quasi {
    syntax: Cell,
    result: Cell,
    /// Where the last character of its syntax is.
    pub syntax_end: usize,
    /// Where its text is.
    pub text: std::ops::Range<usize>,
}

/// What the parser makes of a text.
pub(super) struct Parsed {
    pub record: Record,
    /// The quasi quotations, as they come.
    pub quasi: Vec<Quasi>,
}

/// The record of `'$read'(end_of_file, [], [], [], At-At, [])`, so many characters being before the end.
pub(super) fn end_of_file(at: u64) -> Record {
    let mut builder = RecordBuilder::new();
    let at = Cell::small(at as i64);
    let ends = builder.structure(Functor::new(atoms::MINUS, 2), &[at, at]);
    let args = [
        Cell::atom(atoms::END_OF_FILE),
        Cell::NIL,
        Cell::NIL,
        Cell::NIL,
        ends,
        Cell::NIL,
    ];
    let root = builder.structure(read_functor(), &args);
    builder.finish(root)
}

fn read_functor() -> Functor {
    static FUNCTOR: OnceLock<HeldFunctor> = OnceLock::new();
    FUNCTOR
        .get_or_init(|| Functor::new(Atom::new("$read"), 6).hold())
        .get()
}

/// Parses the one term of a text to a `'$read'/6` record. Positions are looked at if the number of characters before the text is given.
pub(super) fn parse(
    text: &str,
    ops: &Operators,
    flags: &ReadFlags,
    ending: Ending,
    positions_from: Option<u64>,
) -> Result<Parsed, Fault> {
    let Stacks {
        out,
        side,
        args,
        frames,
    } = STACKS.try_with(std::cell::Cell::take).unwrap_or_default();
    let mut parser = Parser {
        lexer: Lexer::new(text, flags),
        ops,
        flags: *flags,
        builder: RecordBuilder::new(),
        variables: Variables::default(),
        quasi: Vec::new(),
        positions: positions_from.map(|before| Box::new(Positions::new(text, before))),
        out,
        side,
        args,
        frames,
        frame: Frame::new(FrameKind::Top),
        operand: false,
    };
    let term = parser.term(ending);
    let parsed = term.map(|term| parser.finish(term));
    parser.recycle();
    parsed
}

/// The stacks of a parser, kept for the next one of the thread.
#[derive(Default)]
struct Stacks {
    out: Vec<Out>,
    side: Vec<Side>,
    args: Vec<Cell>,
    frames: Vec<Frame>,
}

/// Stacks that have grown beyond so many entries are not kept.
const KEPT: usize = 4096;

thread_local! {
    static STACKS: std::cell::Cell<Stacks> = std::cell::Cell::default();
}

/// An operand.
#[derive(Clone, Copy)]
struct Out {
    cell: Cell,
    priority: u16,
}

/// An operator that waits for its right operand, or for something that binds less tightly.
#[derive(Clone, Copy)]
struct Side {
    name: Atom,
    ty: OpType,
    priority: u16,
    at: usize,
    end: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FrameKind {
    Top,
    /// `(`.
    Paren,
    /// `{`.
    Curly,
    /// `name(`.
    Args(Atom),
    /// `[`, before the bar.
    List,
    /// Behind the bar of a list.
    Tail,
    /// `Tag{`. Its arguments so far are the tag, and keys and values by turns.
    Dict,
    /// `{|`, before the double bar.
    Quasi,
}

#[derive(Clone, Copy)]
struct Frame {
    kind: FrameKind,
    /// Where its bracket is.
    at: usize,
    /// Where the name or tag before its bracket begins, if there is one: else where its bracket is.
    from: usize,
    out: usize,
    side: usize,
    args: usize,
}

impl Frame {
    fn new(kind: FrameKind) -> Frame {
        Frame {
            kind,
            at: 0,
            from: 0,
            out: 0,
            side: 0,
            args: 0,
        }
    }
}

struct Parser<'t, 'o> {
    lexer: Lexer<'t>,
    ops: &'o Operators,
    flags: ReadFlags,
    builder: RecordBuilder,
    variables: Variables<'t>,
    /// The quasi quotations so far.
    quasi: Vec<Quasi>,
    /// If somebody asks for them. (In a box: the parser stays small.)
    positions: Option<Box<Positions<'t>>>,
    out: Vec<Out>,
    side: Vec<Side>,
    args: Vec<Cell>,
    /// The frames around `frame`.
    frames: Vec<Frame>,
    frame: Frame,
    /// The last thing was a complete operand.
    operand: bool,
}

impl<'t> Parser<'t, '_> {
    /// Parses up to the end token.
    fn term(&mut self, ending: Ending) -> Result<Cell, Fault> {
        loop {
            let token = self.lexer.next()?;
            let at = token.at;
            match token.kind {
                TokenKind::Name(name) => self.name(name, at, false)?,
                TokenKind::Quoted(name) => self.name(name, at, true)?,
                TokenKind::Var(name) => {
                    self.expect_operand(at)?;
                    let cell = self.variables.get(name, &mut self.builder);
                    if self.lexer.at_curly() {
                        self.open_dict(cell, at)?;
                    } else {
                        self.leaf(cell, at);
                    }
                }
                TokenKind::Number(number) => {
                    self.expect_operand(at)?;
                    let cell = self.builder.number(&number);
                    self.leaf(cell, at);
                }
                TokenKind::DoubleQuoted => self.text(self.flags.double_quotes, at)?,
                TokenKind::BackQuoted => self.text(self.flags.back_quotes, at)?,
                TokenKind::Punctuation(p) => self.punctuation(p, at)?,
                TokenKind::End => return self.end(at),
                TokenKind::Eof => {
                    if ending == Ending::Required || self.frame.kind != FrameKind::Top {
                        return Err(self.unclosed("end_of_file", at));
                    }
                    return self.reduce_frame(at);
                }
            }
        }
    }

    fn end(&mut self, at: usize) -> Result<Cell, Fault> {
        if self.frame.kind != FrameKind::Top || (self.out.is_empty() && self.side.is_empty()) {
            return Err(self.unclosed("end_of_clause", at));
        }
        self.reduce_frame(at)
    }

    /// The fault of what cannot stand here because of the bracket that is open, if there is one.
    fn unclosed(&self, message: &'static str, at: usize) -> Fault {
        let opened = (self.frame.kind != FrameKind::Top).then_some(self.frame.at);
        Fault {
            opened,
            ..Fault::new(message, at)
        }
    }

    #[inline]
    fn push(&mut self, cell: Cell, priority: u16) {
        growth::must_push(&mut self.out, Out { cell, priority });
        self.operand = true;
    }

    /// An operand without parts, the token from `at` to here.
    #[inline]
    fn leaf(&mut self, cell: Cell, at: usize) {
        if let Some(positions) = &mut self.positions {
            positions.leaf(&mut self.builder, at, self.lexer.offset());
        }
        self.push(cell, 0);
    }

    #[inline]
    fn expect_operand(&self, at: usize) -> Result<(), Fault> {
        if self.operand {
            Err(Fault::new("operator_expected", at))
        } else {
            Ok(())
        }
    }

    #[inline]
    fn open(&mut self, kind: FrameKind, from: usize, at: usize) {
        growth::must_push(&mut self.frames, self.frame);
        self.frame = Frame {
            kind,
            at,
            from,
            out: self.out.len(),
            side: self.side.len(),
            args: self.args.len(),
        };
        self.operand = false;
    }

    /// Leaves the frame; `cell` is what it stands for.
    #[inline]
    fn close(&mut self, cell: Cell) {
        if let Some(positions) = &mut self.positions {
            let frame = &self.frame;
            let closed = match frame.kind {
                FrameKind::Top | FrameKind::Paren => Closed::Parentheses,
                FrameKind::Curly => Closed::Braces,
                FrameKind::Args(_) => Closed::Compound,
                FrameKind::List => Closed::List(false),
                FrameKind::Tail => Closed::List(true),
                FrameKind::Dict => Closed::Dict,
                FrameKind::Quasi => Closed::Quasi,
            };
            let span = (frame.from, frame.at, self.lexer.offset());
            positions.close(&mut self.builder, closed, span, frame.args);
        }
        self.args.truncate(self.frame.args);
        if let Some(outer) = self.frames.pop() {
            self.frame = outer;
        }
        self.push(cell, 0);
    }

    /// A name: the start of a compound term, an operator or an atom.
    fn name(&mut self, name: Atom, at: usize, quoted: bool) -> Result<(), Fault> {
        if self.lexer.at_open() && !(self.operand && self.is_infix(name)) {
            self.expect_operand(at)?;
            let open = self.lexer.skip_open();
            self.open(FrameKind::Args(name), at, open);
            return Ok(());
        }
        if self.lexer.at_curly()
            && (self.lexer.is_tag(at) || !self.operand && self.lexer.is_dict_ahead(at))
            && !(self.operand && self.is_infix(name))
        {
            self.expect_operand(at)?;
            return self.open_dict(Cell::atom(name), at);
        }
        if name == atoms::MINUS && !self.operand && !quoted && self.lexer.at_digit() {
            return self.negative_number(at);
        }
        let Some(&definitions) = self.ops.get(name) else {
            self.expect_operand(at)?;
            self.leaf(Cell::atom(name), at);
            return Ok(());
        };
        if !self.operand {
            if quoted {
                self.leaf(Cell::atom(name), at);
                return Ok(());
            }
            if let Some((priority, ty)) = definitions.prefix {
                self.push_side(name, priority, ty, at);
                return Ok(());
            }
            if let Some((priority, ty)) = definitions.infix.or(definitions.postfix) {
                self.no_operand(ty.left(priority))?;
            }
            if !self.operand {
                self.leaf(Cell::atom(name), at);
                return Ok(());
            }
        }
        if let Some((priority, ty)) = definitions.infix {
            self.reduce(ty.left(priority))?;
            self.push_side(name, priority, ty, at);
            self.operand = false;
            Ok(())
        } else if let Some((priority, ty)) = definitions.postfix {
            self.reduce(ty.left(priority))?;
            self.push_side(name, priority, ty, at);
            self.apply_top()
        } else {
            Err(Fault::new("operator_expected", at))
        }
    }

    fn is_infix(&self, name: Atom) -> bool {
        self.ops
            .get(name)
            .is_some_and(|d| d.infix.is_some() || d.postfix.is_some())
    }

    fn push_side(&mut self, name: Atom, priority: u16, ty: OpType, at: usize) {
        growth::must_push(
            &mut self.side,
            Side {
                name,
                ty,
                priority,
                at,
                end: self.lexer.offset(),
            },
        );
    }

    /// Behind a `-` at `at` that a digit follows.
    fn negative_number(&mut self, at: usize) -> Result<(), Fault> {
        let token = self.lexer.next()?;
        let TokenKind::Number(number) = token.kind else {
            return Err(Fault::new("illegal_number", token.at));
        };
        let cell = self.builder.number(&negate(number));
        self.leaf(cell, at);
        Ok(())
    }

    /// An operator that just came turns out to have no operand behind it: a prefix operator of priority below
    /// `limit` is an atom, an infix operator may be a postfix operator as well.
    fn no_operand(&mut self, limit: u16) -> Result<(), Fault> {
        if self.side.len() == self.frame.side {
            return Ok(());
        }
        let Some(top) = self.side.last_mut() else {
            return Ok(());
        };
        if top.ty.is_prefix() {
            if limit > top.priority {
                let &mut Side { name, at, end, .. } = top;
                self.side.pop();
                if let Some(positions) = &mut self.positions {
                    positions.leaf(&mut self.builder, at, end);
                }
                self.push(Cell::atom(name), 0);
            }
        } else if let Some((priority, ty)) = self.ops.postfix(top.name) {
            (top.priority, top.ty) = (priority, ty);
            self.apply_top()?;
        }
        Ok(())
    }

    /// Applies waiting operators of priority up to `limit`.
    #[inline]
    fn reduce(&mut self, limit: u16) -> Result<(), Fault> {
        while self.side.len() > self.frame.side
            && self.side.last().is_some_and(|s| s.priority <= limit)
        {
            self.apply_top()?;
        }
        Ok(())
    }

    /// Applies the last operator to its operands.
    fn apply_top(&mut self) -> Result<(), Fault> {
        let Some(op) = self.side.pop() else {
            return Ok(());
        };
        let clash = Fault::new("operator_clash", op.at);
        let Some(last) = self.out.pop() else {
            return Err(clash);
        };
        let cell = if op.ty.is_infix() {
            let Some(left) = self.out.pop() else {
                return Err(clash);
            };
            if left.priority > op.ty.left(op.priority) || last.priority > op.ty.right(op.priority) {
                return Err(clash);
            }
            self.compound(op.name, &[left.cell, last.cell])
        } else {
            let limit = if op.ty.is_prefix() {
                op.ty.right(op.priority)
            } else {
                op.ty.left(op.priority)
            };
            if last.priority > limit {
                return Err(clash);
            }
            self.compound(op.name, &[last.cell])
        };
        if let Some(positions) = &mut self.positions {
            let sides = (!op.ty.is_prefix(), op.ty.is_infix() || op.ty.is_prefix());
            positions.operator(&mut self.builder, (op.at, op.end), sides);
        }
        self.push(cell, op.priority);
        Ok(())
    }

    fn compound(&mut self, name: Atom, args: &[Cell]) -> Cell {
        if name == atoms::DOT && args.len() == 2 {
            self.builder.list_cell(args[0], args[1])
        } else {
            self.builder.structure(Functor::new(name, args.len()), args)
        }
    }

    /// Reduces what is in the frame to one term.
    fn reduce_frame(&mut self, at: usize) -> Result<Cell, Fault> {
        if !self.operand {
            if self.side.len() == self.frame.side {
                return Err(Fault::new("cannot_start_term", at));
            }
            self.no_operand(u16::MAX)?;
            if !self.operand {
                return Err(Fault::new("operator_balance", at));
            }
        }
        self.reduce(u16::MAX)?;
        debug_assert_eq!(self.out.len(), self.frame.out + 1);
        self.operand = false;
        match self.out.pop() {
            Some(out) if out.priority > 999 && self.flags.iso && self.is_argument() => {
                Err(Fault::new("operator_clash", at))
            }
            Some(out) => Ok(out.cell),
            None => Err(Fault::new("cannot_start_term", at)),
        }
    }

    fn is_argument(&self) -> bool {
        matches!(
            self.frame.kind,
            FrameKind::Args(_) | FrameKind::List | FrameKind::Tail | FrameKind::Dict
        )
    }

    /// Finishes an argument or element.
    #[inline]
    fn argument(&mut self, at: usize) -> Result<(), Fault> {
        // The common case: one operand and no operator.
        if self.operand && self.side.len() == self.frame.side {
            if let Some(out) = self.out.pop() {
                growth::must_push(&mut self.args, out.cell);
            }
            self.operand = false;
        } else {
            let cell = self.reduce_frame(at)?;
            growth::must_push(&mut self.args, cell);
        }
        if let Some(positions) = &mut self.positions {
            positions.argument();
        }
        Ok(())
    }

    fn punctuation(&mut self, p: u8, at: usize) -> Result<(), Fault> {
        match (p, self.frame.kind) {
            (b'(', _) => {
                self.expect_operand(at)?;
                self.open(FrameKind::Paren, at, at);
                Ok(())
            }
            (b'[', _) => {
                self.expect_operand(at)?;
                self.open(FrameKind::List, at, at);
                Ok(())
            }
            (b'{', _) => {
                self.expect_operand(at)?;
                self.open(FrameKind::Curly, at, at);
                Ok(())
            }
            (QUASI_QUOTATION, _) => {
                self.expect_operand(at)?;
                self.open(FrameKind::Quasi, at, at);
                Ok(())
            }
            (EMPTY_LIST, _) => self.name(atoms::NIL, at, true),
            (EMPTY_BLOCK, _) => self.name(atoms::CURLY, at, true),
            (b',', FrameKind::Args(_) | FrameKind::List | FrameKind::Dict) => {
                if !self.operand && self.side.len() == self.frame.side {
                    return Err(Fault::new("quoted_punctuation", at));
                }
                self.argument(at)?;
                if self.frame.kind == FrameKind::Dict {
                    let token = self.lexer.next()?;
                    self.key(token)?;
                }
                Ok(())
            }
            (b',', FrameKind::Tail) => Err(Fault::new("list_rest", at)),
            (b'|', FrameKind::Quasi) => self.quasi_quotation(at),
            (b'|', _) if self.lexer.at_bar() => {
                Err(Fault::new("double_bar_outside_quasiquotation", at))
            }
            (b'|', FrameKind::List) => {
                self.argument(at)?;
                self.frame.kind = FrameKind::Tail;
                Ok(())
            }
            (b'|', FrameKind::Tail) => Err(Fault::new("list_rest", at)),
            (b',', _) => self.infix(atoms::COMMA, at),
            (b'|', _) => self.infix(atoms::BAR, at),
            (b')', FrameKind::Paren) => {
                let cell = self.reduce_frame(at)?;
                self.close(cell);
                Ok(())
            }
            (b')', FrameKind::Args(name)) => self.close_compound(name, at),
            (b'}', FrameKind::Curly) => {
                let cell = self.reduce_frame(at)?;
                let cell = self.compound(atoms::CURLY, &[cell]);
                self.close(cell);
                Ok(())
            }
            (b'}', FrameKind::Dict) => {
                self.argument(at)?;
                self.close_dict(at)
            }
            (b']', FrameKind::List) => {
                self.argument(at)?;
                self.close_list(Cell::NIL);
                Ok(())
            }
            (b']', FrameKind::Tail) => {
                let tail = self.reduce_frame(at)?;
                self.close_list(tail);
                Ok(())
            }
            _ => Err(self.unclosed("cannot_start_term", at)),
        }
    }

    /// At a bar behind the syntax of a quasi quotation: the term is a variable, which the parser of the syntax will bind.
    fn quasi_quotation(&mut self, at: usize) -> Result<(), Fault> {
        let operand = self.operand || self.side.len() > self.frame.side;
        if !operand {
            return Err(Fault::new("quoted_punctuation", at));
        }
        if !self.lexer.at_bar() {
            return Err(Fault::new("double_bar_expected", at));
        }
        let syntax = self.reduce_frame(at)?;
        let text = self.lexer.quasi_text()?;
        if let Some(positions) = &mut self.positions {
            positions.quasi(syntax, (text.start, text.end));
        }
        let result = self.builder.variable();
        let quasi = Quasi {
            syntax,
            result,
            syntax_end: self.lexer.last_before(at),
            text,
        };
        growth::must_push(&mut self.quasi, quasi);
        self.close(result);
        Ok(())
    }

    /// A comma or bar as an operator.
    fn infix(&mut self, name: Atom, at: usize) -> Result<(), Fault> {
        let Some((priority, ty)) = self.ops.infix(name).or_else(|| {
            // The comma is an operator even if a table lacks it.
            (name == atoms::COMMA).then_some((1000, OpType::Xfy))
        }) else {
            return Err(Fault::new("cannot_start_term", at));
        };
        if !self.operand {
            self.no_operand(ty.left(priority))?;
        }
        if !self.operand {
            return Err(Fault::new("quoted_punctuation", at));
        }
        self.reduce(ty.left(priority))?;
        self.push_side(name, priority, ty, at);
        self.operand = false;
        Ok(())
    }

    fn close_compound(&mut self, name: Atom, at: usize) -> Result<(), Fault> {
        let base = self.frame.args;
        let empty = self.args.len() == base && !self.operand && self.side.len() == self.frame.side;
        if !empty {
            self.argument(at)?;
        }
        let count = self.args.len() - base;
        if count > MAX_ARITY {
            return Err(Fault::new("max_arity", at));
        }
        let cell = if name == atoms::DOT && count == 2 {
            self.builder.list_cell(self.args[base], self.args[base + 1])
        } else {
            self.builder
                .structure(Functor::new(name, count), &self.args[base..])
        };
        self.close(cell);
        Ok(())
    }

    /// Behind the tag of a dict, which began at `at`, at its `{`.
    fn open_dict(&mut self, tag: Cell, at: usize) -> Result<(), Fault> {
        let open = self.lexer.skip_open();
        self.open(FrameKind::Dict, at, open);
        growth::must_push(&mut self.args, tag);
        if let Some(positions) = &mut self.positions {
            positions.tag(at, open);
        }
        let token = self.lexer.next()?;
        match token.kind {
            TokenKind::Punctuation(b'}') => self.close_dict(token.at),
            _ => self.key(token),
        }
    }

    /// A key, of which this is the first token, and its colon.
    fn key(&mut self, token: Token) -> Result<(), Fault> {
        let Token { kind, at } = token;
        let key = match kind {
            TokenKind::Name(atoms::MINUS) if self.lexer.at_digit() => {
                let digits = self.lexer.next()?;
                let TokenKind::Number(number) = digits.kind else {
                    return Err(Fault::new("illegal_number", digits.at));
                };
                number_as_key(&negate(number)).ok_or(Fault::new("key_domain", at))?
            }
            TokenKind::Number(number) => {
                number_as_key(&number).ok_or(Fault::new("key_domain", at))?
            }
            TokenKind::Name(name) | TokenKind::Quoted(name) => Cell::atom(name),
            TokenKind::Punctuation(EMPTY_LIST) => Cell::NIL,
            TokenKind::Punctuation(EMPTY_BLOCK) => Cell::atom(atoms::CURLY),
            TokenKind::End => return Err(self.unclosed("end_of_clause", at)),
            TokenKind::Eof => return Err(self.unclosed("end_of_file", at)),
            _ => return Err(Fault::new("key_expected", at)),
        };
        growth::must_push(&mut self.args, key);
        let end = self.lexer.offset();
        let colon = self.lexer.next()?;
        if let Some(positions) = &mut self.positions {
            positions.key(key, at, end, colon.at);
        }
        match colon.kind {
            TokenKind::Name(atoms::COLON) => Ok(()),
            TokenKind::End => Err(self.unclosed("end_of_clause", colon.at)),
            TokenKind::Eof => Err(self.unclosed("end_of_file", colon.at)),
            _ => Err(Fault::new("colon_expected", colon.at)),
        }
    }

    fn close_dict(&mut self, at: usize) -> Result<(), Fault> {
        let args = &mut self.args[self.frame.args..];
        if args.len() > MAX_ARITY {
            return Err(Fault::new("max_arity", at));
        }
        let (pairs, _) = args[1..].as_chunks_mut::<2>();
        pairs.sort_unstable_by(|x, y| dict::order(x[0], y[0]));
        let twice = pairs.windows(2).find(|w| w[0][0] == w[1][0]);
        if let Some(&[[key, _], _]) = twice {
            let key = match key.is_small() {
                true => key.small_value().to_string(),
                false => key.atom_of().as_str().to_owned(),
            };
            return Err(Fault::with("duplicate_key", key, at));
        }
        for pair in pairs.iter_mut() {
            pair.swap(0, 1);
        }
        let functor = dict::functor(pairs.len());
        let cell = self
            .builder
            .structure(functor, &self.args[self.frame.args..]);
        self.close(cell);
        Ok(())
    }

    fn close_list(&mut self, tail: Cell) {
        let cell = self.builder.list(&self.args[self.frame.args..], tail);
        self.close(cell);
    }

    /// A quoted item that is not a name.
    fn text(&mut self, kind: QuoteKind, at: usize) -> Result<(), Fault> {
        self.expect_operand(at)?;
        let quoted = std::mem::take(&mut self.lexer.quoted);
        let cell = match kind {
            QuoteKind::Atom => {
                self.lexer.quoted = quoted;
                let name = Atom::of(&self.lexer.quoted);
                return self.name(name, at, true);
            }
            QuoteKind::String => self.builder.string(&quoted),
            QuoteKind::Codes | QuoteKind::Chars => {
                let base = self.args.len();
                if kind == QuoteKind::Codes {
                    let codes = quoted.chars().map(|c| Cell::small(i64::from(u32::from(c))));
                    growth::must_have(&mut self.args, quoted.len());
                    self.args.extend(codes);
                } else {
                    let mut utf8 = [0; 4];
                    for c in quoted.chars() {
                        let name = Atom::of(c.encode_utf8(&mut utf8));
                        growth::must_push(&mut self.args, Cell::atom(name));
                    }
                }
                let list = self.builder.list(&self.args[base..], Cell::NIL);
                self.args.truncate(base);
                list
            }
        };
        self.lexer.quoted = quoted;
        self.leaf(cell, at);
        Ok(())
    }

    /// The list of `quasi(Syntax, Text, Result)`.
    fn quasi_list(&mut self) -> Cell {
        let mut items = Vec::new();
        for quasi in &self.quasi {
            let text = self.lexer.slice(quasi.text.clone());
            let args = [quasi.syntax, self.builder.string(text), quasi.result];
            let functor = Functor::new(Atom::new("quasi"), 3);
            growth::must_push(&mut items, self.builder.structure(functor, &args));
        }
        self.builder.list(&items, Cell::NIL)
    }

    /// Wraps the term in `'$read'/6`.
    fn finish(&mut self, term: Cell) -> Parsed {
        let quasi = match self.quasi.is_empty() {
            true => Cell::NIL,
            false => self.quasi_list(),
        };
        let builder = &mut self.builder;
        let equals = Functor::new(atoms::EQUALS, 2);
        let mut all = Vec::new();
        let mut names = Vec::new();
        let mut singletons = Vec::new();
        for v in &self.variables.list {
            growth::must_push(&mut all, v.cell);
            if v.name == "_" {
                continue;
            }
            let binding = [Cell::atom(Atom::of(v.name)), v.cell];
            let pair = builder.structure(equals, &binding);
            growth::must_push(&mut names, pair);
            if v.count == 1 {
                growth::must_push(&mut singletons, pair);
            }
        }
        let lists = [all, names, singletons].map(|items| builder.list(&items, Cell::NIL));
        let positions = self.positions.as_ref().map_or(Cell::NIL, |p| p.whole());
        let args = [term, lists[0], lists[1], lists[2], positions, quasi];
        let root = builder.structure(read_functor(), &args);
        Parsed {
            record: std::mem::take(builder).finish(root),
            quasi: std::mem::take(&mut self.quasi),
        }
    }

    /// Hands the stacks to the next parser.
    fn recycle(self) {
        let sizes = [
            self.out.capacity(),
            self.side.capacity(),
            self.args.capacity(),
            self.frames.capacity(),
        ];
        if sizes.iter().any(|&n| n > KEPT) {
            return;
        }
        let mut stacks = Stacks {
            out: self.out,
            side: self.side,
            args: self.args,
            frames: self.frames,
        };
        stacks.out.clear();
        stacks.side.clear();
        stacks.args.clear();
        stacks.frames.clear();
        // (A host may read in a destructor at the end of its thread, when there is no next one.)
        let _ = STACKS.try_with(|kept| kept.set(stacks));
    }
}

/// The key that a number is, if it can be one.
fn number_as_key(number: &Number) -> Option<Cell> {
    match number {
        Number::Int(n) => Cell::try_small(*n),
        _ => None,
    }
}
