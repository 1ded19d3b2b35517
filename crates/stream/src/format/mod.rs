//! The engine of `format/2`: directives as in SWI-Prolog 9.0.
//!
//! Formatting may need goals to run (`~@`), `portray/1` (`~p`) or arithmetic (`~d` of an expression), which only the machine
//! can do. So a [`FormatState`] is stepped: [`FormatState::step`] goes as far as it can and says what it needs; the
//! machine does that and hands the result back with [`FormatState::supply`] or [`FormatState::supply_number`]. In between, the
//! collector may run: a state holds numbers of arguments, never terms.
//!
//! ```text
//! let mut state = FormatState::new(text, column of the stream);
//! loop {
//!     let step = state.step(args, env);
//!     write state.take_output() to the stream;      // also if the step failed: that much has been formatted
//!     match step? {
//!         Step::Done => break,
//!         Step::Goal(i) => state.supply(output of argument i, run with a buffer at column state.column()),
//!         …
//!     }
//! }
//! ```
//!
//! If nothing [is pending](FormatState::is_pending) before a column stop, what a goal wrote before it failed or
//! threw still belongs on the stream; otherwise it goes with the rest of the column.
//!
//! Differs from SWI-Prolog in: a repeat count or column that no memory holds is a resource error; in `~Ne` of big integers and rationals, a carry that makes the number longer keeps `N` digits; a column with many
//! fill points is always filled up.

mod column;
mod error;
pub mod locale;
mod number;

pub use error::{FormatError, arguments, format_text};

use column::Columns;
use locale::Locale;
use samite_syntax::Operators;
use samite_syntax::write::{WriteOptions, canonical_names, write_term};
use samite_term::{Number, TermRef, View, atoms, growth};

/// What formatting depends on.
#[derive(Clone, Copy)]
pub struct FormatEnv<'a> {
    /// Operators for writing.
    pub operators: &'a Operators,
    /// Options for writing; quoting and the like are set by the directive.
    pub write: WriteOptions<'a>,
    /// Directives of the program's own (`format_predicate/2`), which come first.
    pub user_directives: &'a [UserDirective],
    /// How directives with a colon punctuate numbers.
    pub locale: &'a Locale,
}

impl<'a> FormatEnv<'a> {
    /// An environment with default options.
    pub fn new(operators: &'a Operators) -> FormatEnv<'a> {
        FormatEnv {
            operators,
            write: WriteOptions::default(),
            user_directives: &[],
            locale: &locale::PLAIN,
        }
    }
}

/// A directive that runs a predicate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UserDirective {
    /// Its character.
    pub name: char,
    /// How many arguments of `format/2` it takes.
    pub takes: usize,
}

/// What formatting needs to go on. Arguments are numbered from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Nothing: all is formatted.
    Done,
    /// `~@`: run this argument as a goal and supply what it writes.
    Goal(usize),
    /// `~p`: `print/1` this argument and supply what that writes.
    Print(usize),
    /// `~W`: `write_term/2` this argument with the next one as options and supply what that writes.
    WriteTerm(usize),
    /// Evaluate this argument and supply the number.
    Evaluate(usize),
    /// Run the predicate of a user-defined directive with its numeric argument (`None`: `default`) and the
    /// arguments that it takes, and supply what it writes.
    User {
        /// The directive.
        directive: char,
        /// Its numeric argument.
        count: Option<usize>,
        /// The first of its arguments.
        first: usize,
        /// How many it takes.
        takes: usize,
    },
}

/// One directive of the text.
#[derive(Clone, Copy, Debug)]
struct Directive {
    name: char,
    count: Option<usize>,
    /// Behind a colon.
    colon: bool,
    /// The term it takes, for those that wait for a number.
    argument: usize,
}

/// A call of `format/2` under way; see the module text.
#[derive(Debug)]
pub struct FormatState {
    text: String,
    /// Bytes of the text done.
    at: usize,
    /// Arguments used.
    used: usize,
    out: Columns,
    /// The directive whose number is being evaluated.
    waiting: Option<Directive>,
}

impl FormatState {
    /// Formats `text` for a stream at `column`.
    pub fn new(text: impl Into<String>, column: u32) -> FormatState {
        FormatState {
            text: text.into(),
            at: 0,
            used: 0,
            out: Columns::new(column as usize),
            waiting: None,
        }
    }

    /// Its output may have at most so many bytes.
    pub fn limited(mut self, bytes: usize) -> FormatState {
        self.out.set_limit(bytes);
        self
    }

    /// Goes on until all is done or something is needed. `args` must be the same terms each time (where they lie may change).
    pub fn step(&mut self, args: &[TermRef], env: &FormatEnv) -> Result<Step, FormatError> {
        self.waiting = None;
        loop {
            let rest = &self.text[self.at..];
            let literal = rest.find('~').unwrap_or(rest.len());
            self.out.push_str(&rest[..literal])?;
            self.at += literal;
            if self.at == self.text.len() {
                if self.used < args.len() {
                    return Err(FormatError::TooManyArguments);
                }
                self.out.check_limit()?;
                self.out.finish();
                return Ok(Step::Done);
            }
            self.at += 1;
            self.out.check_limit()?;
            let directive = self.parse(args)?;
            if let Some(step) = self.run(directive, args, env)? {
                return Ok(step);
            }
        }
    }

    /// Hands over the text that the last step asked for.
    pub fn supply(&mut self, text: &str) {
        self.out.push_written(text);
    }

    /// The same for a text that `write` appends to what there is; it returns false if it had to give up.
    pub fn supply_by(
        &mut self,
        write: impl FnOnce(&mut String) -> bool,
    ) -> Result<(), FormatError> {
        self.out.append(write)
    }

    /// Says that the text the last step asked for has been written to the stream itself, which is now at `column`. Only
    /// when nothing [is pending](FormatState::is_pending) and all output has been taken.
    pub fn supplied_directly(&mut self, column: u32) {
        self.out.set_column(column as usize);
    }

    /// Hands over the number that the last step asked for.
    pub fn supply_number(&mut self, value: &Number, env: &FormatEnv) -> Result<(), FormatError> {
        match self.waiting.take() {
            Some(directive) => self.number(directive, value, env.locale),
            None => Ok(()),
        }
    }

    /// Takes the finished text: all but what waits for its column stop.
    pub fn take_output(&mut self) -> String {
        self.out.take()
    }

    /// Whether text waits for its column stop.
    pub fn is_pending(&self) -> bool {
        self.out.is_pending()
    }

    /// The column behind all text so far.
    pub fn column(&self) -> u32 {
        u32::try_from(self.out.column()).unwrap_or(u32::MAX)
    }

    /// The next character of the text; NUL at the end.
    fn next_char(&mut self) -> char {
        match self.text[self.at..].chars().next() {
            Some(c) => {
                self.at += c.len_utf8();
                c
            }
            None => '\0',
        }
    }

    /// Number of the next argument, which is used up.
    fn take_argument(&mut self, args: &[TermRef]) -> Result<usize, FormatError> {
        if self.used == args.len() {
            return Err(FormatError::NotEnoughArguments);
        }
        self.used += 1;
        Ok(self.used - 1)
    }

    /// Parses a directive behind its tilde.
    fn parse(&mut self, args: &[TermRef]) -> Result<Directive, FormatError> {
        let mut count = None;
        let mut name = self.next_char();
        match name {
            '0'..='9' => {
                let mut n = 0usize;
                while let Some(digit) = name.to_digit(10) {
                    n = n.saturating_mul(10).saturating_add(digit as usize);
                    if self.at == self.text.len() {
                        return Err(FormatError::UnknownDirective(name));
                    }
                    name = self.next_char();
                }
                count = Some(n);
            }
            '*' => {
                let i = self.take_argument(args)?;
                match args[i].view() {
                    View::Int(n @ 0..=0x7fff_ffff) => count = Some(n as usize),
                    _ => return Err(FormatError::BadStar),
                }
                name = self.next_char();
            }
            '`' => {
                count = Some(self.next_char() as usize);
                name = self.next_char();
            }
            _ => {}
        }
        let colon = name == ':';
        if colon {
            name = self.next_char();
        }
        Ok(Directive {
            name,
            count,
            colon,
            argument: 0,
        })
    }

    fn run(
        &mut self,
        mut d: Directive,
        args: &[TermRef],
        env: &FormatEnv,
    ) -> Result<Option<Step>, FormatError> {
        if let Some(own) = env.user_directives.iter().find(|u| u.name == d.name) {
            let (first, takes) = (self.used, own.takes);
            for _ in 0..takes {
                self.take_argument(args)?;
            }
            return Ok(Some(Step::User {
                directive: d.name,
                count: d.count,
                first,
                takes,
            }));
        }
        match d.name {
            '~' => self.out.push_char('~'),
            'n' => self.out.repeat('\n', d.count.unwrap_or(1))?,
            // The first one stands at the beginning of a line already.
            'N' => {
                let first = usize::from(self.out.column() == 0);
                let count = d.count.unwrap_or(1);
                self.out.repeat('\n', count.saturating_sub(first))?;
            }
            't' => self.out.fill_point(fill_char(d.count)?),
            '|' => self.out.stop_at(d.count)?,
            '+' => self.out.stop_after(d.count.unwrap_or(8))?,
            'i' => drop(self.take_argument(args)?),
            '@' => return self.take_argument(args).map(|i| Some(Step::Goal(i))),
            'p' => return self.take_argument(args).map(|i| Some(Step::Print(i))),
            'W' => {
                let i = self.take_argument(args)?;
                self.take_argument(args)?;
                return Ok(Some(Step::WriteTerm(i)));
            }
            'w' | 'q' | 'k' => {
                let i = self.take_argument(args)?;
                self.write(d.name, args[i], env)?;
            }
            'a' => self.atomic(args, env)?,
            'c' => self.codes(d.count.unwrap_or(1), args)?,
            's' => self.string(d.count.unwrap_or(usize::MAX), args)?,
            'd' | 'D' | 'I' | 'e' | 'f' | 'g' | 'E' | 'G' | 'r' | 'R' => {
                d.argument = self.take_argument(args)?;
                match args[d.argument].number() {
                    Some(value) => self.number(d, &value, env.locale)?,
                    None => {
                        self.waiting = Some(d);
                        return Ok(Some(Step::Evaluate(d.argument)));
                    }
                }
            }
            unknown => return Err(FormatError::UnknownDirective(unknown)),
        }
        Ok(None)
    }

    /// `~w`, `~q`, `~k`.
    fn write(&mut self, name: char, term: TermRef, env: &FormatEnv) -> Result<(), FormatError> {
        let mut options = env.write;
        options.quoted = name != 'w';
        options.numbervars = name != 'k';
        options.ignore_ops = name == 'k';
        options.brace_terms = name != 'k';
        options.character_escapes_unicode = name == 'w';
        options.priority = 1200;
        if name == 'k' {
            let names = canonical_names(term);
            let var_name = |id| names.get(id);
            options.var_name = Some(&var_name);
            self.out
                .append(|text| write_term(text, term, env.operators, &options))
        } else {
            self.out
                .append(|text| write_term(text, term, env.operators, &options))
        }
    }

    /// `~a`.
    fn atomic(&mut self, args: &[TermRef], env: &FormatEnv) -> Result<(), FormatError> {
        let i = self.take_argument(args)?;
        match args[i].view() {
            View::Atom(a) if a != atoms::NIL => self.out.push_str(a.as_str())?,
            View::Str(text) => self.out.push_str(text)?,
            View::Int(_) | View::Float(_) | View::Number(_) | View::Blob(_) | View::Handle(_) => {
                self.write('w', args[i], env)?;
            }
            _ => return Err(FormatError::ArgumentType('a', i)),
        }
        Ok(())
    }

    /// `~c`.
    fn codes(&mut self, count: usize, args: &[TermRef]) -> Result<(), FormatError> {
        let i = self.take_argument(args)?;
        let code = match args[i].view() {
            View::Int(code @ 0..=0x7fff_ffff) => code as u32,
            _ => return Err(FormatError::ArgumentType('c', i)),
        };
        let c = char::from_u32(code).ok_or(FormatError::CodePoint)?;
        self.out.repeat(c, count)
    }

    /// `~s`.
    fn string(&mut self, limit: usize, args: &[TermRef]) -> Result<(), FormatError> {
        let i = self.take_argument(args)?;
        let list;
        let text = match args[i].view() {
            View::Str(text) => text,
            View::Atom(a) if a != atoms::NIL => a.as_str(),
            _ => {
                list = error::text_of_list(args[i])?
                    .ok_or(FormatError::ArgumentType('s', i))?
                    .ok_or(FormatError::CodePoint)?;
                list.as_str()
            }
        };
        let end = text
            .char_indices()
            .nth(limit)
            .map_or(text.len(), |(at, _)| at);
        self.out.push_str(&text[..end])?;
        Ok(())
    }

    /// The directives that take a number.
    fn number(&mut self, d: Directive, value: &Number, locale: &Locale) -> Result<(), FormatError> {
        let wrong = FormatError::ArgumentType(d.name, d.argument);
        if let Number::Big(b) = value {
            // A digit takes more than three bits.
            has_room_for_digits(64 * b.as_sign_words().1.len() / 3)?;
        }
        let text = match d.name {
            'd' | 'D' => match value {
                Number::Int(_) | Number::Big(_) => {
                    column::check_size(d.count.unwrap_or(0))?;
                    has_room_for_digits(d.count.unwrap_or(0))?;
                    let locale = match d.name {
                        'd' if d.colon => locale,
                        'D' if d.colon && !locale.separator.is_empty() => locale,
                        'D' => &locale::THOUSANDS,
                        _ => &locale::PLAIN,
                    };
                    number::integer(value, d.count.unwrap_or(0), locale)
                }
                _ => return Err(wrong),
            },
            'I' => match value {
                Number::Int(_) | Number::Big(_) => number::in_groups(value, d.count.unwrap_or(3)),
                _ => return Err(wrong),
            },
            'r' | 'R' => {
                // The argument of the error is that of `~r` in both cases.
                let radix = d.count.unwrap_or(8);
                if !(2..=36).contains(&radix) {
                    return Err(FormatError::Radix(radix));
                }
                match value.to_big() {
                    Some(big) => number::radix(&big, radix as u32, d.name == 'R'),
                    None => return Err(FormatError::ArgumentType('r', d.argument)),
                }
            }
            _ => {
                let digits = d.count.unwrap_or(6);
                column::check_size(digits)?;
                has_room_for_digits(digits)?;
                match d.name {
                    'f' if d.colon => number::fixed_for(value, digits, locale),
                    _ => number::float(value, d.name, digits),
                }
            }
        };
        self.out.push_str(&text)?;
        Ok(())
    }
}

/// So many digits are an error unless there is room for them: a number's text is made in steps that cannot be refused, of which each has a copy
/// of it, and grows by doubling.
fn has_room_for_digits(n: usize) -> Result<(), FormatError> {
    if n > 1 << 13 {
        growth::text_with_room(6 * n)?;
    }
    Ok(())
}

/// The fill character of `~t`.
fn fill_char(code: Option<usize>) -> Result<char, FormatError> {
    match code {
        None => Ok(' '),
        Some(code) => u32::try_from(code)
            .ok()
            .and_then(char::from_u32)
            .ok_or(FormatError::CodePoint),
    }
}

/// Formats without a machine, for a stream at `column`: `~p` does not portray, and what needs goals or arithmetic is
/// [`FormatError::NeedsMachine`].
pub fn format(
    text: &str,
    args: &[TermRef],
    column: u32,
    env: &FormatEnv,
) -> Result<String, FormatError> {
    let mut state = FormatState::new(text, column);
    loop {
        match state.step(args, env)? {
            Step::Done => return Ok(state.take_output()),
            Step::Print(i) => state.write('q', args[i], env)?,
            Step::Goal(i)
            | Step::WriteTerm(i)
            | Step::Evaluate(i)
            | Step::User { first: i, .. } => {
                return Err(FormatError::NeedsMachine(i));
            }
        }
    }
}
