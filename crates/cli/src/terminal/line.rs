//! A text that is being edited, of one or more lines, and where the cursor is in it.
//!
//! *Equations*: the cursor is at a boundary between graphemes; `changed` is where the text first differs from what it was when that was last
//! asked for; what [`Ends`] has seen is the first `scanned` bytes. So looking for the end of a query, and showing what was typed at the end,
//! cost as much as what has been added.

use samite_syntax::read::Ends;
use unicode_segmentation::UnicodeSegmentation;

/// How many states can be gone back to.
const UNDO: usize = 100;

#[derive(Default)]
pub struct Line {
    text: String,
    cursor: usize,
    changed: Option<usize>,
    ends: Ends,
    scanned: usize,
    undo: Vec<(String, usize)>,
    /// Whether the last change was typing, which is undone as a whole.
    typing: bool,
}

impl Line {
    pub fn new(text: &str) -> Line {
        Line {
            text: text.to_owned(),
            cursor: text.len(),
            ..Line::default()
        }
    }

    pub fn text(&self) -> &str {
        &self.text
    }
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// From where on the text has changed since this was last asked.
    pub fn take_change(&mut self) -> Option<usize> {
        self.changed.take()
    }

    /// Whether Enter ends it: it has a whole term, or nothing but layout and comments.
    pub fn is_complete(&mut self) -> bool {
        self.ends.push_str(&self.text[self.scanned..]);
        self.scanned = self.text.len();
        self.ends.terms() > 0 || self.ends.is_blank()
    }

    /// Whether the cursor is at the end, in a line without text.
    pub fn is_at_empty_end(&self) -> bool {
        self.cursor == self.end() && self.line_start() == self.cursor
    }

    // ---- changes ----

    /// All changes go through here.
    fn replace(&mut self, from: usize, to: usize, by: &str, typing: bool) {
        if !(typing && self.typing) {
            if self.undo.len() == UNDO {
                self.undo.remove(0);
            }
            self.undo.push((self.text.clone(), self.cursor));
        }
        self.typing = typing;
        self.put(from, to, by);
        self.cursor = from + by.len();
    }

    fn put(&mut self, from: usize, to: usize, by: &str) {
        self.text.replace_range(from..to, by);
        self.changed = Some(self.changed.map_or(from, |c| c.min(from)));
        if from < self.scanned {
            self.scanned = 0;
            self.ends = Ends::default();
        }
    }

    pub fn insert(&mut self, c: char) {
        self.replace(self.cursor, self.cursor, c.encode_utf8(&mut [0; 4]), true);
    }
    pub fn insert_text(&mut self, text: &str) {
        self.replace(self.cursor, self.cursor, text, false);
    }
    pub fn set(&mut self, text: &str) {
        self.replace(0, self.text.len(), text, false);
    }

    pub fn undo(&mut self) {
        if let Some((text, cursor)) = self.undo.pop() {
            self.put(0, self.text.len(), &text);
            self.cursor = cursor;
            self.typing = false;
        }
    }

    /// Takes out what is between the cursor and another place.
    pub fn cut_to(&mut self, place: usize) -> String {
        let (from, to) = (place.min(self.cursor), place.max(self.cursor));
        let cut = self.text[from..to].to_owned();
        if !cut.is_empty() {
            self.replace(from, to, "", false);
        }
        cut
    }

    /// Exchanges the characters around the cursor, or those before it at the end of a line.
    pub fn transpose(&mut self) {
        if self.cursor == self.line_end() {
            self.cursor = self.left();
        }
        let (from, to) = (self.left(), self.right());
        let turned = [&self.text[self.cursor..to], &self.text[from..self.cursor]].concat();
        if from < self.cursor && self.cursor < to && !turned.contains('\n') {
            self.replace(from, to, &turned, false);
        }
    }

    // ---- places ----

    pub fn go(&mut self, place: usize) {
        debug_assert!(self.text.is_char_boundary(place));
        self.cursor = place;
        self.typing = false;
    }
    pub fn end(&self) -> usize {
        self.text.len()
    }
    pub fn left(&self) -> usize {
        let before = self.text[..self.cursor].graphemes(true).next_back();
        self.cursor - before.map_or(0, str::len)
    }
    pub fn right(&self) -> usize {
        let behind = self.text[self.cursor..].graphemes(true).next();
        self.cursor + behind.map_or(0, str::len)
    }
    pub fn line_start(&self) -> usize {
        self.text[..self.cursor].rfind('\n').map_or(0, |at| at + 1)
    }
    pub fn line_end(&self) -> usize {
        let behind = self.text[self.cursor..].find('\n');
        behind.map_or(self.text.len(), |n| self.cursor + n)
    }
    /// The start of the word that the cursor is in or behind.
    pub fn word_left(&self) -> usize {
        let before = self.text[..self.cursor].trim_end_matches(|c| !is_word(c));
        before.trim_end_matches(is_word).len()
    }
    /// The end of the word that the cursor is in or before.
    pub fn word_right(&self) -> usize {
        let behind = self.text[self.cursor..].trim_start_matches(|c| !is_word(c));
        self.text.len() - behind.trim_start_matches(is_word).len()
    }
    /// The start of what stands before the cursor without layout.
    pub fn blank_left(&self) -> usize {
        let before = self.text[..self.cursor].trim_end();
        before.trim_end_matches(|c: char| !c.is_whitespace()).len()
    }
    /// The same column in the line above.
    pub fn above(&self) -> Option<usize> {
        let start = self.line_start();
        let above = self.text[..start.checked_sub(1)?]
            .rfind('\n')
            .map_or(0, |at| at + 1);
        Some(self.column_in(above))
    }
    /// The same column in the line below.
    pub fn below(&self) -> Option<usize> {
        let end = self.line_end();
        (end < self.text.len()).then(|| self.column_in(end + 1))
    }
    /// The cursor's column in the line that starts at `start`.
    fn column_in(&self, start: usize) -> usize {
        let column = self.text[self.line_start()..self.cursor]
            .graphemes(true)
            .count();
        let line = self.text[start..].split('\n').next().unwrap_or("");
        let place = line.grapheme_indices(true).nth(column);
        start + place.map_or(line.len(), |(at, _)| at)
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
