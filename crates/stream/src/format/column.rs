//! Text in columns: `~t`, `~|` and `~+`.
//!
//! Text is finished at once unless there was a fill point since the last column stop; then it is pending, from that fill
//! point on, until the next column stop distributes the missing white space over the fill points.
//!
//! The column is counted as SWI-Prolog does in `format/2`: each character takes one, and a tab ends in the column
//! before the next tab stop. Behind a stop at column N it is N, also if the text has come further. Written terms and what goals
//! write ([`Columns::push_written`]) go through a stream, where a tab ends at the tab stop; while text is pending, that is a buffer, which
//! begins in column 0, and its last column is added.

use super::error::FormatError;
use samite_term::{common, growth};

/// Longest repetition or column accepted: more is taken for a mistake.
const MAX_SIZE: usize = 1 << 28;

/// Whether that many characters can reasonably be written.
pub(super) fn check_size(n: usize) -> Result<(), FormatError> {
    if n > MAX_SIZE {
        Err(FormatError::Memory)
    } else {
        Ok(())
    }
}

/// Where white space may go.
#[derive(Clone, Copy, Debug)]
struct FillPoint {
    /// Offset in the text.
    at: usize,
    fill: char,
}

/// Formatted text, its end in columns. Invariant: fill points lie in the text, in order.
#[derive(Debug)]
pub(super) struct Columns {
    text: String,
    /// Column behind the text.
    column: usize,
    /// Column of the last stop.
    stop: usize,
    /// Since the last stop; the text is pending from the first of them on.
    fills: Vec<FillPoint>,
    /// Bytes of text taken.
    taken: usize,
    /// Most bytes of text, taken or not.
    limit: usize,
}

impl Columns {
    pub fn new(column: usize) -> Columns {
        Columns {
            text: String::new(),
            column,
            stop: 0,
            fills: Vec::new(),
            taken: 0,
            limit: usize::MAX,
        }
    }

    pub fn set_limit(&mut self, bytes: usize) {
        self.limit = bytes;
    }

    /// Fails if there is more text than allowed.
    pub fn check_limit(&self) -> Result<(), FormatError> {
        self.check_room(0)
    }

    fn check_room(&self, bytes: usize) -> Result<(), FormatError> {
        let all = self.taken.saturating_add(self.text.len());
        if all.saturating_add(bytes) > self.limit {
            Err(FormatError::Memory)
        } else {
            Ok(())
        }
    }

    pub fn column(&self) -> usize {
        self.column
    }

    pub fn set_column(&mut self, column: usize) {
        self.column = column;
    }

    pub fn is_pending(&self) -> bool {
        !self.fills.is_empty()
    }

    pub fn push_char(&mut self, c: char) {
        self.column = column_after(self.column, c);
        self.text.push(c);
    }

    pub fn push_str(&mut self, text: &str) -> Result<(), FormatError> {
        self.room(text.len())?;
        self.column = text.chars().fold(self.column, column_after);
        self.text.push_str(text);
        Ok(())
    }

    fn room(&mut self, n: usize) -> Result<(), FormatError> {
        match growth::text_room(&mut self.text, n, common::system_has) {
            true => Ok(()),
            false => Err(FormatError::Memory),
        }
    }

    /// Text that was written to a stream.
    pub fn push_written(&mut self, text: &str) {
        self.text.push_str(text);
        self.written(self.text.len() - text.len());
    }

    /// The text from byte `from` on was written to a stream.
    fn written(&mut self, from: usize) {
        let base = if self.is_pending() { self.column } else { 0 };
        let text = self.text[from..].chars();
        self.column = base + text.fold(self.column - base, column_on_stream);
    }

    /// Lets `write` append written text; it returns false if it had to give up.
    pub fn append(&mut self, write: impl FnOnce(&mut String) -> bool) -> Result<(), FormatError> {
        let before = self.text.len();
        let all = write(&mut self.text);
        self.written(before);
        if all {
            Ok(())
        } else {
            Err(FormatError::Memory)
        }
    }

    pub fn repeat(&mut self, c: char, n: usize) -> Result<(), FormatError> {
        self.reserve(n)?;
        for _ in 0..n {
            self.push_char(c);
        }
        Ok(())
    }

    fn reserve(&mut self, n: usize) -> Result<(), FormatError> {
        check_size(n)?;
        self.check_room(n)?;
        self.room(n)
    }

    /// `~t`
    pub fn fill_point(&mut self, fill: char) {
        self.fills.push(FillPoint {
            at: self.text.len(),
            fill,
        });
    }

    /// `~N|`: a stop at a column, or here.
    pub fn stop_at(&mut self, column: Option<usize>) -> Result<(), FormatError> {
        let column = column.unwrap_or(self.column);
        if self.column < column {
            self.pad(column - self.column)?;
        }
        self.column = column;
        self.stop = column;
        self.fills.clear();
        Ok(())
    }

    /// `~N+`: a stop so many columns behind the last one.
    pub fn stop_after(&mut self, columns: usize) -> Result<(), FormatError> {
        self.stop_at(Some(self.stop.saturating_add(columns)))
    }

    /// Puts `size` characters at the fill points; without fill points, spaces behind the text.
    fn pad(&mut self, size: usize) -> Result<(), FormatError> {
        self.reserve(size)?;
        let Some(first) = self.fills.first() else {
            self.text.extend(std::iter::repeat_n(' ', size));
            return Ok(());
        };
        let pending = self.text.split_off(first.at);
        let start = first.at;
        let mut done = 0;
        for (point, n) in self.fills.iter().zip(distribute(size, self.fills.len())) {
            self.text.push_str(&pending[done..point.at - start]);
            done = point.at - start;
            self.text.extend(std::iter::repeat_n(point.fill, n));
        }
        self.text.push_str(&pending[done..]);
        Ok(())
    }

    /// Nothing more will come: what is pending stays as it is.
    pub fn finish(&mut self) {
        self.fills.clear();
    }

    /// Takes all text that is not pending.
    pub fn take(&mut self) -> String {
        let Some(first) = self.fills.first() else {
            self.taken += self.text.len();
            return std::mem::take(&mut self.text);
        };
        let finished = first.at;
        self.taken += finished;
        let pending = self.text.split_off(finished);
        for point in &mut self.fills {
            point.at -= finished;
        }
        std::mem::replace(&mut self.text, pending)
    }
}

/// `size` in equal parts for `points` (at least 1) fill points. What is left goes to single points, in SWI-Prolog's order: the
/// middle one, the one behind it, then by turns further in front and behind; when that leaves the range, from the last (where
/// SWI-Prolog leaves the column too narrow).
fn distribute(size: usize, points: usize) -> Vec<usize> {
    let each = size / points;
    let mut parts = vec![each; points];
    let mut left = size % points;
    let (mut at, mut step) = (points as isize / 2, 1);
    while left > 0
        && let Some(part) = usize::try_from(at).ok().and_then(|i| parts.get_mut(i))
    {
        *part += 1;
        left -= 1;
        at += step;
        step = if step > 0 { -step - 2 } else { 2 - step };
    }
    for part in parts.iter_mut().rev().filter(|p| **p == each).take(left) {
        *part += 1;
    }
    parts
}

/// The column behind `c`.
fn column_after(column: usize, c: char) -> usize {
    match c {
        '\n' | '\r' => 0,
        '\t' => (column + 1) | 7,
        '\u{8}' => column.saturating_sub(1),
        _ => column + 1,
    }
}

/// The same on a stream.
fn column_on_stream(column: usize, c: char) -> usize {
    match c {
        '\t' => (column | 7) + 1,
        _ => column_after(column, c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finished_text_can_be_taken_while_more_is_pending() {
        let mut c = Columns::new(0);
        c.push_str("ab").unwrap();
        c.fill_point('-');
        c.push_str("cd").unwrap();
        assert_eq!(c.take(), "ab");
        c.fill_point('*');
        assert_eq!(c.take(), "");
        c.stop_at(Some(7)).unwrap();
        assert_eq!(c.take(), "-cd**");
        assert_eq!(c.column(), 7);
    }

    #[test]
    fn parts_add_up_and_differ_by_one() {
        for points in 1..12 {
            for size in 0..40 {
                let parts = distribute(size, points);
                assert_eq!(parts.iter().sum::<usize>(), size);
                assert!(parts.iter().all(|&p| p.abs_diff(size / points) <= 1));
            }
        }
        // Fill points in the order of getting one more, as SWI-Prolog shows.
        let extra: Vec<Vec<usize>> = (1..6).map(|n| distribute(n, 9)).collect();
        assert_eq!(extra[0], [0, 0, 0, 0, 1, 0, 0, 0, 0]);
        assert_eq!(extra[1], [0, 0, 0, 0, 1, 1, 0, 0, 0]);
        assert_eq!(extra[2], [0, 0, 1, 0, 1, 1, 0, 0, 0]);
        assert_eq!(extra[3], [0, 0, 1, 0, 1, 1, 0, 1, 0]);
        assert_eq!(extra[4], [1, 0, 1, 0, 1, 1, 0, 1, 0]);
    }

    #[test]
    fn absurd_columns_are_refused() {
        let mut c = Columns::new(0);
        assert_eq!(c.stop_at(Some(usize::MAX)), Err(FormatError::Memory));
        assert_eq!(c.repeat('x', usize::MAX), Err(FormatError::Memory));
    }
}
