//! What the keys do while a text is edited: as in GNU readline's emacs mode, as far as they are there.

use super::Terminal;
use super::completion::in_columns;
use super::keyboard::Key;
use super::line::Line;
use super::screen::{Mode, Through, screen, size};
use rustix::process::{Signal, kill_current_process_group};
use samite_machine::state::line_reader::Entered;
use std::io::{self, ErrorKind, Write};

/// What is edited and how it is to be shown.
struct Editing<'a> {
    prompt: &'a str,
    line: Line,
    /// Whether Enter in an unfinished query adds a line.
    query: bool,
    /// The entry of the history that is shown; behind the last one, what is new.
    entry: usize,
    new: String,
}

impl Terminal {
    /// Lets the user edit a text: a query, or a line.
    pub(super) fn edit(&mut self, prompt: &str, initial: &str, query: bool) -> io::Result<Entered> {
        let mut editing = Editing {
            prompt,
            line: Line::new(initial),
            query,
            entry: self.history.entries().len(),
            new: String::new(),
        };
        self.in_mode(Mode::Editing, |t| {
            screen().open(prompt, initial);
            let entered = t.edited(&mut editing);
            if !matches!(&entered, Ok(Entered::Event(_))) {
                editing.line.go(editing.line.end());
            }
            // However editing ends: what was typed last may not have been shown.
            show(prompt, &mut editing.line);
            screen().close();
            entered
        })
    }

    fn edited(&mut self, e: &mut Editing) -> io::Result<Entered> {
        loop {
            if !self.keyboard.is_ready() {
                show(e.prompt, &mut e.line);
            }
            let entered = match self.keyboard.key() {
                Ok(Some(key)) => self.act(e, key),
                Ok(None) => Ok(Some(Entered::End)),
                Err(error) => Err(error),
            };
            let entered = match entered {
                Ok(None) => continue,
                Ok(Some(entered)) => entered,
                // Whichever key was waited for, one of a search or behind Ctrl-V among them.
                Err(error) if error.kind() == ErrorKind::Interrupted => {
                    Entered::Event(e.line.text().to_owned())
                }
                Err(error) => return Err(error),
            };
            return Ok(entered);
        }
    }

    /// Does what a key says; what was entered if that ends it.
    fn act(&mut self, e: &mut Editing, key: Key) -> io::Result<Option<Entered>> {
        let line = &mut e.line;
        match key {
            Key::Enter if !e.query || line.is_complete() => {
                return Ok(Some(Entered::Text(format!("{}\n", line.text()))));
            }
            Key::Enter | Key::Alt('\r') => line.insert('\n'),
            Key::Ctrl('d') if line.text().is_empty() => return Ok(Some(Entered::End)),
            // The end of an unfinished query.
            Key::Ctrl('d') if e.query && line.is_at_empty_end() => {
                return Ok(Some(Entered::Last(line.text().to_owned())));
            }
            Key::Ctrl('c') => return Ok(Some(Entered::GivenUp)),
            Key::Ctrl('z') => suspend(),
            Key::Ctrl('r') => return self.search(e),
            Key::Ctrl('v') => {
                if let Some(byte) = self.keyboard.byte()? {
                    let c = self.keyboard.character(byte);
                    line.insert(c.unwrap_or(char::REPLACEMENT_CHARACTER));
                }
            }
            Key::Up | Key::Ctrl('p') => match line.above() {
                Some(place) => line.go(place),
                None => self.recall(e, e.entry.checked_sub(1)),
            },
            Key::Down | Key::Ctrl('n') => match line.below() {
                Some(place) => line.go(place),
                None => self.recall(e, Some(e.entry + 1)),
            },
            Key::Alt('<') => self.recall(e, Some(0)),
            Key::Alt('>') => self.recall(e, Some(self.history.entries().len())),
            Key::Char('\t') => self.complete(e),
            Key::Char(c) => line.insert(c),
            Key::Paste(text) => line.insert_text(&text),
            Key::Left | Key::Ctrl('b') => line.go(line.left()),
            Key::Right | Key::Ctrl('f') => line.go(line.right()),
            Key::WordLeft | Key::Alt('b') => line.go(line.word_left()),
            Key::WordRight | Key::Alt('f') => line.go(line.word_right()),
            Key::Home | Key::Ctrl('a') => line.go(line.line_start()),
            Key::End | Key::Ctrl('e') => line.go(line.line_end()),
            Key::Backspace => drop(line.cut_to(line.left())),
            Key::Delete | Key::Ctrl('d') => drop(line.cut_to(line.right())),
            Key::Ctrl('k') => {
                let end = line.line_end();
                // At the end of a line its end is cut.
                let end = if end == line.cursor() {
                    line.right()
                } else {
                    end
                };
                self.cut(line, end);
            }
            Key::Ctrl('u') => self.cut(line, line.line_start()),
            Key::Ctrl('w') => self.cut(line, line.blank_left()),
            Key::Alt('d') => self.cut(line, line.word_right()),
            Key::Ctrl('y') => line.insert_text(&self.cut),
            Key::Ctrl('t') => line.transpose(),
            Key::Ctrl('_') => line.undo(),
            Key::Ctrl('l') => screen().clear(),
            Key::Ctrl(_) | Key::Alt(_) | Key::Other => {}
        }
        Ok(None)
    }

    /// Cuts what is between the cursor and a place, for `Key::Ctrl('y')`. Where that is nothing, what was cut last stays.
    fn cut(&mut self, line: &mut Line, place: usize) {
        let cut = line.cut_to(place);
        if !cut.is_empty() {
            self.cut = cut;
        }
    }

    /// Completes the name before the cursor as far as it is clear, else says which there are; where there is no name, inserts a tab. With more
    /// behind it, it may be part of a paste that is not marked: there it is a tab, but where it makes a name longer.
    fn complete(&self, e: &mut Editing) {
        let line = &mut e.line;
        let found = self.names.complete(line.text(), line.cursor());
        let Some(found) = found.filter(|f| !f.common.is_empty() || !self.keyboard.is_ready())
        else {
            line.insert('\t');
            return;
        };
        if !found.common.is_empty() {
            line.insert_text(&found.common);
        } else if !found.all.is_empty() {
            show(e.prompt, line);
            let _ = Through(io::stdout()).write_all(in_columns(&found.all, size()).as_bytes());
        }
    }

    /// Shows an entry of the history, or what is new behind the last one.
    fn recall(&self, e: &mut Editing, entry: Option<usize>) {
        let entries = self.history.entries();
        let Some(entry) = entry.filter(|&n| n <= entries.len() && n != e.entry) else {
            return;
        };
        if e.entry == entries.len() {
            e.line.text().clone_into(&mut e.new);
        }
        e.entry = entry;
        e.line.set(entries.get(entry).unwrap_or(&e.new));
    }

    /// Looks for an entry of the history with what is typed; any other key takes it, and does what it says.
    fn search(&mut self, e: &mut Editing) -> io::Result<Option<Entered>> {
        let mut wanted = String::new();
        let mut at = self.history.entries().len();
        let before = (e.line.text().to_owned(), e.line.cursor());
        loop {
            let prompt = format!("(reverse-i-search)`{wanted}': ");
            show(&prompt, &mut e.line);
            let from = match self.keyboard.key()? {
                Some(Key::Ctrl('r')) => at,
                Some(Key::Char(c)) => {
                    wanted.push(c);
                    at + 1
                }
                Some(Key::Backspace) => {
                    wanted.pop();
                    self.history.entries().len()
                }
                Some(Key::Ctrl('g' | 'c')) | None => {
                    e.line.set(&before.0);
                    e.line.go(before.1);
                    return Ok(None);
                }
                Some(key) => return self.act(e, key),
            };
            let entries = self.history.entries();
            let found = entries[..from.min(entries.len())]
                .iter()
                .rposition(|q| q.contains(&wanted));
            if let Some(found) = found.filter(|_| !wanted.is_empty()) {
                at = found;
                e.entry = found;
                e.line.set(&entries[found]);
            }
        }
    }
}

fn show(prompt: &str, line: &mut Line) {
    let changed = line.take_change();
    screen().update(prompt, line.text(), line.cursor(), changed);
}

/// Stops the process, as Ctrl-Z elsewhere. When it goes on, the signal for that has the text shown again.
pub(super) fn suspend() {
    let mode = screen().mode();
    screen().set_mode(Mode::Lines);
    let _ = kill_current_process_group(Signal::TSTP);
    screen().set_mode(mode);
}
