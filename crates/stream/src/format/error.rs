//! What can be wrong with a call of `format/2`; its text and its arguments.

use samite_term::growth::{self, Refused};
use samite_term::{TermRef, View, atoms};
use std::fmt;

/// Why a text could not be formatted. Each becomes `error(Formal, _)` with the formal part shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormatError {
    /// `format('not enough arguments')`
    NotEnoughArguments,
    /// `format('too many arguments')`
    TooManyArguments,
    /// ``format('no or negative integer for `*\' argument')``
    BadStar,
    /// `existence_error(format_character, Char)`
    UnknownDirective(char),
    /// `format_argument_type(Char, Argument)`, with the number of the argument.
    ArgumentType(char, usize),
    /// `domain_error(radix, Radix)`
    Radix(usize),
    /// `representation_error(code_point)`
    CodePoint,
    /// `resource_error(memory)`
    Memory,
    /// `instantiation_error`: the format text is unbound.
    Instantiation,
    /// `type_error(text, Format)`: the format text is no text.
    Text,
    /// This argument needs a goal to run or an expression to be evaluated.
    NeedsMachine(usize),
}

impl FormatError {
    /// The message of the errors whose formal part is `format(Message)`.
    pub fn message(self) -> Option<&'static str> {
        match self {
            FormatError::NotEnoughArguments => Some("not enough arguments"),
            FormatError::TooManyArguments => Some("too many arguments"),
            FormatError::BadStar => Some("no or negative integer for `*' argument"),
            _ => None,
        }
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatError::UnknownDirective(c) => write!(f, "unknown directive ~{c}"),
            FormatError::ArgumentType(c, i) => write!(f, "argument {} does not fit ~{c}", i + 1),
            FormatError::Radix(r) => write!(f, "no radix: {r}"),
            FormatError::CodePoint => f.write_str("not a character code"),
            FormatError::Memory => f.write_str("output too large"),
            FormatError::Instantiation => f.write_str("format is not instantiated"),
            FormatError::Text => f.write_str("format is not a text"),
            FormatError::NeedsMachine(i) => write!(f, "argument {} needs evaluation", i + 1),
            FormatError::NotEnoughArguments
            | FormatError::TooManyArguments
            | FormatError::BadStar => f.write_str(self.message().unwrap_or("")),
        }
    }
}

impl std::error::Error for FormatError {}

impl From<Refused> for FormatError {
    fn from(_: Refused) -> FormatError {
        FormatError::Memory
    }
}

/// The text of a list of character codes or of characters: `None` if it is no such list, `Some(None)` if a code is that
/// of a surrogate.
pub(super) fn text_of_list(list: TermRef) -> Result<Option<Option<String>>, Refused> {
    let mut text = String::new();
    let mut surrogate = false;
    let mut codes: Option<bool> = None;
    let mut rest = list;
    // A cell that is looked for, another one after twice as many (R. P. Brent): a list that comes back to it has no end.
    let (mut seen, mut steps, mut most) = (list.cell(), 0, 1);
    loop {
        match rest.view() {
            View::Atom(atoms::NIL) => break,
            View::List(head, tail) => {
                if steps == most {
                    (seen, steps, most) = (rest.cell(), 0, 2 * most);
                } else if steps > 0 && rest.cell() == seen {
                    return Ok(None);
                }
                steps += 1;
                let (is_code, c) = match head.view() {
                    View::Int(code @ 0..=0x10_ffff) => (true, char::from_u32(code as u32)),
                    View::Atom(a) => {
                        let mut chars = a.as_str().chars();
                        match (chars.next(), chars.next()) {
                            (Some(c), None) => (false, Some(c)),
                            _ => return Ok(None),
                        }
                    }
                    _ => return Ok(None),
                };
                if *codes.get_or_insert(is_code) != is_code {
                    return Ok(None);
                }
                match c {
                    Some(c) => growth::push_char(&mut text, c)?,
                    None => surrogate = true,
                }
                rest = tail;
            }
            _ => return Ok(None),
        }
    }
    Ok(Some((!surrogate).then_some(text)))
}

/// The text of the first argument of `format/2`: an atom, string, or list of codes or characters.
pub fn format_text(format: TermRef) -> Result<String, FormatError> {
    match format.view() {
        View::Var(_) | View::Attributed(_) => Err(FormatError::Instantiation),
        View::Atom(a) if a != atoms::NIL => Ok(growth::text(a.as_str())?),
        View::Str(text) => Ok(growth::text(text)?),
        _ => text_of_list(format)?
            .ok_or(FormatError::Text)?
            .ok_or(FormatError::CodePoint),
    }
}

/// The arguments that the second argument of `format/2` stands for: the elements of a proper list, or itself.
pub fn arguments(args: TermRef<'_>) -> Vec<TermRef<'_>> {
    let (items, tail) = args.list_items();
    if tail.is_nil() { items } else { vec![args] }
}
