//! What a program's flags say of how large the calls and answers of tables may be, and how many answers a call may have
//! (`max_table_subgoal_size` and its relatives). What is done about it: `engine/tabling/restraints.rs`.
//!
//! Set by who sets flags, read by all threads: words of their own, which nothing is ordered by.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, Ordering::Relaxed};

/// What is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wire {
    SubgoalSize,
    AnswerSize,
    Answers,
}

impl Wire {
    /// The name of the flag that limits it; that of its action has `_action` behind.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Wire::SubgoalSize => "max_table_subgoal_size",
            Wire::AnswerSize => "max_table_answer_size",
            Wire::Answers => "max_answers_for_subgoal",
        }
    }

    /// What a flag limits, or is the action of.
    pub(crate) fn of_flag(flag: &str) -> Option<Wire> {
        let all = [Wire::SubgoalSize, Wire::AnswerSize, Wire::Answers];
        all.into_iter().find(|wire| flag.starts_with(wire.name()))
    }
}

/// What is done where the limit is exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Action {
    Error,
    Warning,
    Suspend,
    /// The answer is none.
    Fail,
    /// A more general call, an answer that is undefined.
    Restrain,
}

impl Action {
    const ALL: [Action; 5] = [
        Action::Error,
        Action::Warning,
        Action::Suspend,
        Action::Fail,
        Action::Restrain,
    ];

    /// What the value of a flag means.
    pub(crate) fn of_word(word: &str) -> Action {
        match word {
            "warning" => Action::Warning,
            "suspend" => Action::Suspend,
            "fail" => Action::Fail,
            "abstract" | "bounded_rationality" | "complete_soundly" => Action::Restrain,
            _ => Action::Error,
        }
    }

    /// The word for what is to be said about it; of the others nothing is.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Action::Warning => "warning",
            Action::Suspend => "suspend",
            _ => "error",
        }
    }
}

/// No limit.
const NONE: u32 = u32::MAX;

/// The limits of a program.
pub struct Wires {
    most: [AtomicU32; 3],
    actions: [AtomicU8; 3],
    /// One has made a call or an answer more general.
    generalized: AtomicBool,
}

impl Default for Wires {
    fn default() -> Wires {
        Wires {
            most: [const { AtomicU32::new(NONE) }; 3],
            actions: [const { AtomicU8::new(Action::Error as u8) }; 3],
            generalized: AtomicBool::new(false),
        }
    }
}

impl Wires {
    /// Sets a limit; `None`: there is none.
    pub(crate) fn set_most(&self, wire: Wire, most: Option<u32>) {
        self.most[wire as usize].store(most.unwrap_or(NONE), Relaxed);
    }
    pub(crate) fn set_action(&self, wire: Wire, action: Action) {
        self.actions[wire as usize].store(action as u8, Relaxed);
    }
    /// A call or an answer is about to be made more general: before anybody derives anything from it.
    pub(crate) fn generalize(&self) {
        self.generalized.store(true, Relaxed);
    }
    /// Whether there may be such calls and answers.
    #[inline]
    pub(crate) fn have_generalized(&self) -> bool {
        self.generalized.load(Relaxed)
    }
    /// The limit, if there is one.
    #[inline]
    pub(crate) fn most(&self, wire: Wire) -> Option<u32> {
        let most = self.most[wire as usize].load(Relaxed);
        (most != NONE).then_some(most)
    }
    pub(crate) fn action(&self, wire: Wire) -> Action {
        Action::ALL[self.actions[wire as usize].load(Relaxed) as usize]
    }
}
