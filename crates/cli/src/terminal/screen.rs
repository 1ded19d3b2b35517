//! What the terminal shows: output of the program and, below it, the text that is being edited.
//!
//! *Equation*: while a text is edited, the screen shows what was written, a line break if that has not ended its line, and the text with its prompt;
//! the cursor is in the text. Whoever writes takes the text away, writes, and puts it back, so output of other threads appears above it.
//! All of it goes through one lock, which nobody holds while waiting for a key.
//!
//! Texts longer than the screen are shown around the cursor.

use rustix::termios::{
    InputModes, LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcgetwinsize,
    tcsetattr,
};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// In front of the second and further lines of a text.
pub const CONTINUE: &str = "|    ";
const PASTE_ON: &str = "\x1b[?2004h";
const PASTE_OFF: &str = "\x1b[?2004l";
const CLEAR_BELOW: &str = "\x1b[J";

/// How the terminal delivers keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Lines, which it echoes; Ctrl-C is a signal.
    Lines,
    /// Keys wait, not echoed; Ctrl-C is a signal.
    Ahead,
    /// Single keys, Ctrl-C among them, not echoed.
    Keys,
    /// The same, and what is pasted is marked.
    Editing,
}

/// A text that is shown for editing.
struct Block {
    prompt: String,
    text: String,
    cursor: usize,
    /// The column its prompt starts in.
    start: usize,
    /// The cursor's row, counted from the first one on the screen, and column.
    row: usize,
    column: usize,
    /// Whether the first row is on the screen.
    whole: bool,
    /// The column behind output that has not ended its line, in the row above.
    unended: Option<usize>,
}

/// See the module text.
pub struct Screen {
    mode: Mode,
    /// The settings of [`Mode::Lines`], while the mode is another one.
    lines: Option<Termios>,
    /// The cursor's column while no text is edited.
    column: usize,
    block: Option<Block>,
}

static SCREEN: Mutex<Screen> = Mutex::new(Screen {
    mode: Mode::Lines,
    lines: None,
    column: 0,
    block: None,
});

/// The screen of this process.
pub fn screen() -> MutexGuard<'static, Screen> {
    SCREEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The same, unless another thread is at it.
pub fn try_screen() -> Option<MutexGuard<'static, Screen>> {
    match SCREEN.try_lock() {
        Ok(screen) => Some(screen),
        Err(TryLockError::Poisoned(e)) => Some(e.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// Where a standard stream goes that is a terminal.
pub struct Through<W>(pub W);

impl<W: Write> Write for Through<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        screen().write(bytes, &mut self.0)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Screen {
    // ---- modes ----

    /// Sets the mode. What has been typed and not been taken stays.
    pub fn set_mode(&mut self, mode: Mode) {
        let stdin = rustix::stdio::stdin();
        if (mode == Mode::Editing) != (self.mode == Mode::Editing) {
            put(if mode == Mode::Editing {
                PASTE_ON
            } else {
                PASTE_OFF
            });
        }
        match (mode, self.lines.take()) {
            (Mode::Lines, Some(lines)) => {
                let _ = tcsetattr(stdin, OptionalActions::Now, &lines);
            }
            (Mode::Lines, None) => {}
            (_, known) => {
                let Some(lines) = known.or_else(|| tcgetattr(stdin).ok()) else {
                    return;
                };
                let mut keys = lines.clone();
                if mode == Mode::Ahead {
                    // The signal is not to take away what was typed.
                    keys.local_modes |= LocalModes::NOFLSH;
                }
                keys.local_modes -= LocalModes::ICANON | LocalModes::ECHO | LocalModes::IEXTEN;
                if mode != Mode::Ahead {
                    keys.local_modes -= LocalModes::ISIG;
                }
                keys.input_modes -= InputModes::IXON | InputModes::INLCR | InputModes::IGNCR;
                keys.special_codes[SpecialCodeIndex::VMIN] = 1;
                keys.special_codes[SpecialCodeIndex::VTIME] = 0;
                let _ = tcsetattr(stdin, OptionalActions::Now, &keys);
                self.lines = Some(lines);
            }
        }
        self.mode = mode;
    }

    pub fn mode(&self) -> Mode {
        self.mode
    }

    // ---- output ----

    fn write(&mut self, bytes: &[u8], to: &mut impl Write) -> io::Result<usize> {
        let Some(mut block) = self.block.take() else {
            let n = to.write(bytes)?;
            self.column = column_behind(self.column, &bytes[..n]);
            return Ok(n);
        };
        let mut taken_away = block.home();
        taken_away.push_str(CLEAR_BELOW);
        let mut column = block.start;
        if let Some(unended) = block.unended.take() {
            let _ = write!(taken_away, "\x1b[A{}", right(unended));
            column = unended;
        }
        put(&taken_away);
        let result = to.write_all(bytes).and_then(|()| to.flush());
        column = column_behind(column, bytes);
        if column > 0 {
            put("\n");
            block.unended = Some(column);
        }
        block.start = 0;
        block.show();
        self.block = Some(block);
        result.map(|()| bytes.len())
    }

    // ---- the text that is edited ----

    /// Shows a text for editing, behind what was written last.
    pub fn open(&mut self, prompt: &str, text: &str) {
        let mut block = Block {
            prompt: prompt.to_owned(),
            text: text.to_owned(),
            cursor: text.len(),
            start: self.column,
            row: 0,
            column: 0,
            whole: true,
            unended: None,
        };
        block.show();
        self.block = Some(block);
    }

    /// Shows it as it is now; it has changed from this offset on, if it has.
    pub fn update(&mut self, prompt: &str, text: &str, cursor: usize, changed: Option<usize>) {
        let Some(block) = &mut self.block else {
            return;
        };
        let old = block.text.len();
        if changed == Some(old)
            && block.cursor == old
            && cursor == text.len()
            && block.prompt == prompt
        {
            let added = &text[old..];
            block.text.push_str(added);
            block.cursor = cursor;
            block.show_more(added);
            return;
        }
        if changed.is_none() && block.cursor == cursor && block.prompt == prompt {
            return;
        }
        if changed.is_some() {
            text.clone_into(&mut block.text);
        }
        if block.prompt != prompt {
            prompt.clone_into(&mut block.prompt);
        }
        block.cursor = cursor;
        let home = block.home();
        put(&home);
        block.show();
    }

    /// The text stays on the screen; output goes on below it.
    pub fn close(&mut self) {
        if let Some(mut block) = self.block.take() {
            if block.cursor < block.text.len() {
                put(&block.home());
                block.cursor = block.text.len();
                block.show();
            }
            put("\n");
            self.column = 0;
        }
    }

    /// Clears the screen but for the text.
    pub fn clear(&mut self) {
        if let Some(block) = &mut self.block {
            put("\x1b[H\x1b[2J");
            (block.start, block.unended) = (0, None);
            block.show();
        }
    }

    /// The terminal has another size.
    pub fn resized(&mut self) {
        if let Some(block) = &mut self.block {
            // As far as known, it has broken the rows anew.
            let (columns, rows) = size();
            let row = block.layout(columns).row;
            block.row = row.min(rows - 1);
            put(&block.home());
            block.show();
        }
    }

    /// The process goes on after it was stopped: somebody else has used the terminal.
    pub fn resumed(&mut self) {
        if self.mode == Mode::Lines {
            return;
        }
        // What `lines` says stays: if nobody has set other modes, the terminal's are ours.
        let mode = std::mem::replace(&mut self.mode, Mode::Lines);
        self.set_mode(mode);
        if let Some(block) = &mut self.block {
            (block.start, block.unended) = (0, None);
            block.show();
        }
    }
}

/// Rows of a text, and where the cursor is in them.
struct Layout {
    rows: Vec<String>,
    row: usize,
    column: usize,
}

impl Block {
    fn layout(&self, columns: usize) -> Layout {
        let mut rows = Rows::new(self.start, columns);
        rows.add(&self.prompt, false);
        rows.add(&self.text[..self.cursor], true);
        let (row, column) = (rows.done.len(), rows.column);
        rows.add(&self.text[self.cursor..], true);
        rows.done.push(rows.current);
        Layout {
            rows: rows.done,
            row,
            column,
        }
    }

    /// Moves from the cursor to where the prompt starts.
    fn home(&self) -> String {
        let mut out = String::new();
        if self.row > 0 {
            let _ = write!(out, "\x1b[{}A", self.row);
        }
        out.push('\r');
        if self.whole {
            out.push_str(&right(self.start));
        }
        out
    }

    /// Shows all of it, the terminal's cursor being at [`Block::home`].
    fn show(&mut self) {
        let (columns, height) = size();
        let layout = self.layout(columns);
        // The rows that are shown: the last ones, but for a cursor above them.
        let first = layout.rows.len().saturating_sub(height).min(layout.row);
        let last = layout.rows.len().min(first + height);
        let mut out = String::from(if self.whole && first > 0 { "\r" } else { "" });
        out.push_str(CLEAR_BELOW);
        for (i, row) in layout.rows[first..last].iter().enumerate() {
            out.push_str(if i > 0 { "\n" } else { "" });
            out.push_str(row);
        }
        if self.cursor < self.text.len() {
            let below = last - 1 - layout.row;
            if below > 0 {
                let _ = write!(out, "\x1b[{below}A");
            }
            out.push('\r');
            out.push_str(&right(layout.column));
        }
        put(&out);
        (self.row, self.column, self.whole) = (layout.row - first, layout.column, first == 0);
    }

    /// Shows what was added at the end, the cursor being there.
    fn show_more(&mut self, added: &str) {
        let (columns, height) = size();
        let mut rows = Rows::new(0, columns);
        rows.column = self.column;
        rows.add(added, true);
        let more = rows.done.len();
        rows.done.push(rows.current);
        put(&rows.done.join("\n"));
        self.column = rows.column;
        self.row += more;
        if self.row >= height {
            (self.row, self.whole) = (height - 1, false);
        }
    }
}

/// A text broken into rows.
struct Rows {
    done: Vec<String>,
    current: String,
    column: usize,
    columns: usize,
}

impl Rows {
    fn new(start: usize, columns: usize) -> Rows {
        Rows {
            done: Vec::new(),
            current: String::new(),
            column: start.min(columns - 1),
            columns,
        }
    }

    fn add(&mut self, text: &str, lines: bool) {
        for g in text.graphemes(true) {
            match g {
                "\n" | "\r\n" if lines => {
                    self.end_row();
                    self.add(CONTINUE, false);
                }
                "\t" => {
                    let spaces = 8 - self.column % 8;
                    (0..spaces).for_each(|_| self.put(" ", 1));
                }
                _ if g.chars().all(|c| c < ' ') => {
                    for c in g.bytes() {
                        let shown = [b'^', c | 0x40];
                        self.put(std::str::from_utf8(&shown).unwrap_or("^?"), 2);
                    }
                }
                _ => self.put(g, g.width()),
            }
        }
    }

    fn put(&mut self, shown: &str, width: usize) {
        if self.column + width > self.columns {
            self.end_row();
        }
        self.current.push_str(shown);
        self.column += width;
        // The cursor is never behind the last column.
        if self.column >= self.columns {
            self.end_row();
        }
    }

    fn end_row(&mut self) {
        self.done.push(std::mem::take(&mut self.current));
        self.column = 0;
    }
}

/// Moves so many columns to the right.
fn right(columns: usize) -> String {
    if columns == 0 {
        return String::new();
    }
    format!("\x1b[{columns}C")
}

/// Columns and rows; at least two and one.
pub fn size() -> (usize, usize) {
    match tcgetwinsize(rustix::stdio::stdout()) {
        Ok(size) if size.ws_col > 0 => (
            usize::from(size.ws_col).max(2),
            if size.ws_row > 0 {
                usize::from(size.ws_row)
            } else {
                24
            },
        ),
        _ => (80, 24),
    }
}

/// The cursor's column behind what is written from this one on.
fn column_behind(column: usize, bytes: &[u8]) -> usize {
    let line = bytes.iter().rposition(|&b| b == b'\n' || b == b'\r');
    let mut column = if line.is_some() { 0 } else { column };
    let text = String::from_utf8_lossy(&bytes[line.map_or(0, |at| at + 1)..]);
    let mut sequences = text.split('\x1b');
    let plain = |column: usize, text: &str| {
        text.split('\t')
            .enumerate()
            .fold(column, |column, (i, part)| {
                let column = if i > 0 { (column | 7) + 1 } else { column };
                column + part.width()
            })
    };
    column = plain(column, sequences.next().unwrap_or(""));
    for sequence in sequences {
        // `[`, numbers, and the character that ends it.
        let behind = sequence.find(|c: char| c.is_ascii_alphabetic());
        column = plain(column, behind.map_or("", |at| &sequence[at + 1..]));
    }
    column % size().0
}

/// Writes to the terminal. If that fails there is nobody to see it.
fn put(text: &str) {
    let mut bytes = text.as_bytes();
    while !bytes.is_empty() {
        match rustix::io::write(rustix::stdio::stdout(), bytes) {
            Ok(n) => bytes = &bytes[n..],
            Err(rustix::io::Errno::INTR) => {}
            Err(rustix::io::Errno::AGAIN) => {
                samite_world::threads::sleep(std::time::Duration::from_millis(1))
            }
            Err(_) => return,
        }
    }
}
