//! The line editor of the toplevel, with a history kept in the home directory.

use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{Config, Editor};
use samite_machine::builtins::console::LineReader;
use std::io::{self, ErrorKind, IsTerminal};
use std::path::PathBuf;

/// Name of the history file in the home directory.
const HISTORY: &str = ".samite_history";

struct LineEditor {
    editor: Editor<(), FileHistory>,
    history: Option<PathBuf>,
}

/// An editor, if standard input and output are a terminal.
pub fn for_terminal() -> Option<Box<dyn LineReader>> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return None;
    }
    let config = Config::builder()
        .auto_add_history(false)
        .max_history_size(1000)
        .ok()?
        .build();
    let mut editor = Editor::with_config(config).ok()?;
    let history = std::env::var_os("HOME").map(|home| PathBuf::from(home).join(HISTORY));
    if let Some(path) = &history {
        // No history yet is not an error.
        let _ = editor.load_history(path);
    }
    Some(Box::new(LineEditor { editor, history }))
}

impl LineReader for LineEditor {
    fn read_line(&mut self, prompt: &str) -> io::Result<Option<String>> {
        match self.editor.readline(prompt) {
            Ok(line) => Ok(Some(line)),
            Err(ReadlineError::Eof) => Ok(None),
            Err(ReadlineError::Interrupted) => Err(ErrorKind::Interrupted.into()),
            Err(ReadlineError::Io(e)) => Err(e),
            Err(e) => Err(io::Error::other(e.to_string())),
        }
    }

    fn remember(&mut self, query: &str) {
        // One entry, one line: an entry with newlines would come back as several.
        let line = query.lines().map(str::trim).collect::<Vec<_>>().join(" ");
        let _ = self.editor.add_history_entry(line);
    }
}

impl Drop for LineEditor {
    fn drop(&mut self) {
        if let Some(path) = &self.history {
            // A home directory that cannot be written to only costs the history.
            let _ = self.editor.save_history(path);
        }
    }
}
