//! What a goal comes to.

use samite_machine::host::Binding;
use samite_machine::query::show;
use samite_machine::{Outcome, Program};
use samite_syntax::write::WriteOptions;
use samite_term::{Record, atoms};

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
    pub(crate) fn new(program: &Program, outcome: Outcome, bindings: Vec<Binding>) -> Answer {
        match outcome {
            Outcome::True => {
                let value = |(name, r): Binding| (name.as_str().to_owned(), text(program, &r));
                Answer::True(Bindings(bindings.into_iter().map(value).collect()))
            }
            Outcome::False => Answer::False,
            Outcome::Exception(ball) => Answer::Exception(text(program, &ball)),
            Outcome::Halt(status) => Answer::Halted(status),
        }
    }
}

/// A recorded term as text, with the operators of `user`.
pub(crate) fn text(program: &Program, r: &Record) -> String {
    let mut words = vec![0u64; r.heap_words()];
    let root = r.instantiate(&mut words);
    let mut out = String::new();
    let options = WriteOptions {
        quoted: true,
        ..Default::default()
    };
    let operators = program.code.operators(atoms::USER);
    show(root, &words, &operators, &options, &mut out);
    out
}
