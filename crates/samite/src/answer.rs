//! What a goal comes to.

use samite_machine::host::Binding;
use samite_machine::query::show;
use samite_machine::{Outcome, Program};
use samite_syntax::write::WriteOptions;
use samite_term::{Record, atoms, growth};

/// What the first solution of a goal is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It is true, of these values of its variables.
    True(Bindings),
    False,
    /// It has raised an exception: the ball as text, as `writeq/1` writes it.
    Exception(String),
    /// The program has ended, or ends, with this status.
    Halted(i32),
}

/// What is said of an answer whose text would take more memory than there is.
const TOO_LONG: &str = "error(resource_error(memory),_)";

/// The named variables of a goal and what they are bound to, as text that `writeq/1` would write.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bindings(Vec<(String, String)>);

impl Bindings {
    /// The value of a variable; `None` if the goal has none of that name.
    pub fn get(&self, name: &str) -> Option<&str> {
        let named = self.0.iter().find(|(n, _)| n == name);
        named.map(|(_, value)| value.as_str())
    }
    /// All of them, in the order of the goal's text.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(n, v)| (n.as_str(), v.as_str()))
    }
}

impl Answer {
    /// Whether the goal is true.
    pub fn is_true(&self) -> bool {
        matches!(self, Answer::True(_))
    }
    /// The value of a variable of a goal that is true.
    pub fn get(&self, name: &str) -> Option<&str> {
        match self {
            Answer::True(bindings) => bindings.get(name),
            _ => None,
        }
    }
    /// Texts take no more than a thread may use: what is longer is an error of memory.
    pub(crate) fn new(program: &Program, outcome: Outcome, bindings: Vec<Binding>) -> Answer {
        match outcome {
            Outcome::True => {
                let mut left = program.heap_config.lock().limit;
                let value = |(name, r): Binding| {
                    let value = text(program, &r, left)?;
                    left = left.saturating_sub(value.len());
                    Some((name.as_str().to_owned(), value))
                };
                match bindings.into_iter().map(value).collect() {
                    Some(values) => Answer::True(Bindings(values)),
                    None => Answer::Exception(TOO_LONG.to_owned()),
                }
            }
            Outcome::False => Answer::False,
            Outcome::Exception(ball) => Answer::Exception(ball_text(program, &ball)),
            Outcome::Halt(status) => Answer::Halted(status),
        }
    }
}

/// What was thrown, as text; if that is too long, that it is.
pub(crate) fn ball_text(program: &Program, ball: &Record) -> String {
    let limit = program.heap_config.lock().limit;
    text(program, ball, limit).unwrap_or_else(|| TOO_LONG.to_owned())
}

/// A recorded term as text of at most `limit` bytes, with the operators of `user`. `None`: it would be longer, or there is no memory for it.
fn text(program: &Program, r: &Record, limit: usize) -> Option<String> {
    let mut words = growth::with_room(r.heap_words()).ok()?;
    words.resize(r.heap_words(), 0u64);
    let root = r.instantiate(&mut words);
    let mut out = String::new();
    let options = WriteOptions {
        quoted: true,
        limit,
        ..Default::default()
    };
    let operators = program.code.operators(atoms::USER);
    show(root, &words, &operators, &options, &mut out).then_some(out)
}
