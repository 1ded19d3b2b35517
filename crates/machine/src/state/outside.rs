//! What a program has of the process that it runs in: the variables that it has changed, the commands that it has started, the text that asks for
//! input.
//!
//! *Invariant*: no program sees another's. So a variable that a program sets is not set in the process, and is given to the commands that it starts.

use parking_lot::Mutex;
use samite_stream::StreamId;
use samite_term::common::Charge;
use samite_term::{Atom, HeldAtom};
use std::collections::BTreeMap;
use std::process::{Child, Command};
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

/// See the module text.
#[derive(Default)]
pub struct Outside {
    /// Variables set or (as `None`) taken away.
    environment: Mutex<BTreeMap<String, Variable>>,
    /// Commands that nobody waits for at the moment, by process.
    pub(crate) commands: Mutex<BTreeMap<u32, Child>>,
    /// Processes that the program knows, and that nobody waits for at the moment, by number.
    pub(crate) processes: Mutex<BTreeMap<u32, Child>>,
    /// Processes of these programs that who closes the last of these streams waits for.
    pub(crate) piped: Mutex<Vec<(Vec<StreamId>, HeldAtom, Child)>>,
    /// Whether the main thread waits for a command. The host's handler of Ctrl-C looks: what it passed on might come when the command has ended.
    pub main_waits: AtomicBool,
    /// Whether the main thread has been told that the terminal is no more.
    pub(crate) terminal_has_gone: AtomicBool,
    /// How the host has a signal of the system, by its number, handled; false if it cannot. A host that offers nothing leaves it empty.
    pub signals: OnceLock<fn(i32, SignalAction) -> bool>,
    /// The text that asks for input, if it has been set.
    pub(crate) prompt: Mutex<Option<HeldAtom>>,
    /// The one for the next line only, if it has been set.
    pub(crate) next_prompt: Mutex<Option<HeldAtom>>,
}

/// What to do about a signal of the system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SignalAction {
    /// What the host does about it if nobody says anything.
    Default,
    Ignore,
    /// Run `system:'$signal'(Number)` in the main thread.
    Catch,
}

struct Variable {
    value: Option<String>,
    _charge: Charge,
}

impl Outside {
    /// What is written to a terminal before the next line is read from it: see `prompt1/1`.
    pub fn next_prompt(&self) -> Atom {
        let next = self.next_prompt.lock().as_ref().map(HeldAtom::get);
        next.unwrap_or_else(|| self.prompt())
    }
    /// A line has been read from the terminal.
    pub fn line_was_read(&self) {
        *self.next_prompt.lock() = None;
    }
    /// What is written to a terminal before a line is read from it: see `prompt/2`.
    pub fn prompt(&self) -> Atom {
        let set = self.prompt.lock();
        set.as_ref().map_or_else(|| Atom::new("|: "), HeldAtom::get)
    }
    /// The value of a variable.
    pub(crate) fn variable(&self, name: &str) -> Option<String> {
        if let Some(variable) = self.environment.lock().get(name) {
            return variable.value.clone();
        }
        if name.is_empty() || name.contains(['=', '\0']) {
            return None;
        }
        std::env::var_os(name).map(|v| v.to_string_lossy().into_owned())
    }
    /// What setting a variable takes.
    pub(crate) fn bytes_of_variable(name: &str, value: Option<&str>) -> usize {
        // Places of a tree are two thirds in use.
        const PLACE: usize = size_of::<(String, Variable)>() * 3 / 2;
        PLACE + name.len() + value.map_or(0, str::len)
    }
    /// Sets a variable, or takes it away.
    pub(crate) fn set_variable(&self, name: String, value: Option<String>) {
        let charge = Charge::new(Outside::bytes_of_variable(&name, value.as_deref()));
        let variable = Variable {
            value,
            _charge: charge,
        };
        self.environment.lock().insert(name, variable);
    }
    /// Gives a command that is to be started the environment that the program has made.
    pub(crate) fn give_environment(&self, to: &mut Command) {
        for (name, value) in self.environment.lock().iter() {
            match &value.value {
                _ if name.is_empty() || name.contains(['=', '\0']) => {}
                Some(v) if !v.contains('\0') => drop(to.env(name, v)),
                _ => drop(to.env_remove(name)),
            }
        }
    }
}

/// Run by `tests/checks.rs`.
#[cfg(debug_assertions)]
pub(crate) mod checks {
    use super::*;

    pub(crate) fn programs_do_not_see_each_others_variables() {
        let (a, b) = (Outside::default(), Outside::default());
        a.set_variable("OUTSIDE_OF_ONE".into(), Some("a".into()));
        assert_eq!(a.variable("OUTSIDE_OF_ONE").as_deref(), Some("a"));
        assert_eq!(b.variable("OUTSIDE_OF_ONE"), None);
        a.set_variable("PATH".into(), None);
        assert_eq!(a.variable("PATH"), None);
        assert_eq!(
            b.variable("PATH").is_some(),
            std::env::var_os("PATH").is_some()
        );
        assert_eq!(a.prompt(), Atom::new("|: "));
    }
}
