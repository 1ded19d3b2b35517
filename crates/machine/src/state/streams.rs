//! The streams of a thread: standard ones, current ones, and where output is redirected.

use samite_stream::StreamId;
use std::time::Instant;

/// See the module text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StandardStreams(pub(crate) [StreamId; 3]);

impl Default for StandardStreams {
    fn default() -> StandardStreams {
        OF_PROCESS
    }
}

/// The streams of one thread.
#[derive(Debug)]
pub(crate) struct ThreadStreams {
    pub standard: StandardStreams,
    pub current_input: StreamId,
    pub current_output: StreamId,
    /// Files of `see/1` and `tell/1`.
    pub seen: Files,
    pub told: Files,
    /// Where output went before, for each goal whose output is redirected, the innermost last; and how many there have been.
    pub redirected: Vec<Redirection>,
    pub redirections: u64,
    /// Whether the builtin that runs is past where it may be given up: [`crate::engine::blocked`].
    pub for_good: bool,
    /// Until when the builtin that is called again has wanted to wait for its stream, and the number of that call: [`crate::engine::blocked`].
    pub until: Option<(Instant, u64)>,
}

impl Default for ThreadStreams {
    fn default() -> ThreadStreams {
        ThreadStreams {
            standard: StandardStreams::default(),
            current_input: StreamId::STDIN,
            current_output: StreamId::STDOUT,
            seen: Files::default(),
            told: Files::default(),
            redirected: Vec::new(),
            redirections: 0,
            for_good: false,
            until: None,
        }
    }
}

impl ThreadStreams {
    /// Whether there is nothing but the streams that it began with, or has chosen.
    pub(crate) fn is_plain(&self) -> bool {
        let ThreadStreams {
            standard: _,
            current_input: _,
            current_output: _,
            seen,
            told,
            redirected,
            redirections,
            for_good,
            until: _,
        } = self;
        let none = |files: &Files| files.opened.is_empty() && files.before.is_empty();
        none(seen) && none(told) && redirected.is_empty() && *redirections == 0 && !for_good
    }
}

/// One redirection.
#[derive(Debug)]
pub(crate) struct Redirection {
    /// Tells it from another that was in its place before.
    pub(crate) number: u64,
    /// The buffer that output goes to, unless it is a stream of somebody's.
    pub(crate) buffer: Option<StreamId>,
    /// Current output before.
    pub(crate) before: StreamId,
}

/// What a thread reads or writes by these predicates.
#[derive(Debug, Default)]
pub(crate) struct Files {
    /// What they opened, maybe closed since.
    pub(crate) opened: Vec<StreamId>,
    /// What was current when that was opened, unless it has been come back to, the newest last.
    pub(crate) before: Vec<StreamId>,
}

/// Those of the process.
pub(crate) const OF_PROCESS: StandardStreams =
    StandardStreams([StreamId::STDIN, StreamId::STDOUT, StreamId::STDERR]);
