//! Line editing, which is the host's: what the builtins of the terminal ask of it.

use std::io;

/// What the user entered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entered {
    /// Lines, each with its end.
    Text(String),
    /// What there was when the input ended.
    Last(String),
    /// Nothing: the input has ended.
    End,
    /// Nothing: the user has given up what was there.
    GivenUp,
    /// What there was when an event of the thread wanted it.
    Event(String),
}

/// The terminal on standard input.
pub trait LineReader: Send {
    /// Lets the user edit a text, which begins with `initial`, until there is a whole term, or nothing but layout and comments.
    fn read_query(&mut self, prompt: &str, initial: &str) -> io::Result<Entered>;
    /// A line with its end; `None` at the end of the input. [`ErrorKind::Interrupted`] if an event wants the thread.
    fn read_line(&mut self, prompt: &str) -> io::Result<Option<String>>;
    /// A key, not waiting for the end of a line; `None` at the end of the input. [`ErrorKind::Interrupted`] as above.
    fn key(&mut self) -> io::Result<Option<char>>;
    /// Ctrl-C was typed: what has been typed by now does not say what to do about it, and waits.
    fn interrupted(&mut self);
    /// A key that was typed after that; as [`LineReader::key`].
    fn key_after_interrupt(&mut self) -> io::Result<Option<char>>;
    /// From now on the toplevel shows answers and asks: what is typed waits, unseen, until it is wanted; or, not `on`, a goal runs, and the
    /// system shows what is typed.
    fn answering(&mut self, on: bool);
    /// What was entered and has not been given to the stream, or has been begun, is wanted no more.
    fn forget(&mut self);
    /// A whole query was read: for the history.
    fn remember(&mut self, query: &str);
}
