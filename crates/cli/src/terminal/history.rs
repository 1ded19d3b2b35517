//! The queries that were entered, in a file of the home directory.
//!
//! A query is appended to the file as soon as it was read, in one write under the file's lock, so sessions at the same time and one that is
//! killed lose nothing. An entry is a line, with `\n` for the ends of the query's lines and `\\` for a backslash; the first line
//! of the file, `#V2`, says so. A file that has become long is shortened when a session begins.

use samite_world::{File, files};
use std::fs::OpenOptions;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::PathBuf;

/// Name of the file in the home directory.
const NAME: &str = ".samite_history";
const VERSION: &str = "#V2";
/// Entries that are kept; a file may have as many again before it is shortened.
const KEPT: usize = 1000;

pub struct History {
    entries: Vec<String>,
    path: Option<PathBuf>,
}

impl History {
    /// That of the home directory. One that cannot be read is empty, and one that cannot be written to is not kept.
    pub fn load() -> History {
        let home = std::env::var_os("HOME").filter(|home| !home.is_empty());
        let path = home.map(|home| PathBuf::from(home).join(NAME));
        let mut history = History {
            entries: Vec::new(),
            path,
        };
        let _ = history.read();
        history
    }

    /// One that is not kept.
    pub fn none() -> History {
        History {
            entries: Vec::new(),
            path: None,
        }
    }

    pub fn entries(&self) -> &[String] {
        &self.entries
    }

    /// Adds a query, unless it is the last one again.
    pub fn add(&mut self, query: &str) {
        if self.entries.last().is_none_or(|last| last != query) {
            self.entries.push(query.to_owned());
            let _ = self.append(query);
        }
    }

    /// The file, locked. What is no regular file keeps nothing: a pipe would wait for who writes to it.
    fn open(&self) -> io::Result<File> {
        let path = self.path.as_ref().ok_or(io::ErrorKind::NotFound)?;
        if files::metadata(path).is_ok_and(|there| !there.is_file()) {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        loop {
            let mut how = OpenOptions::new();
            how.read(true).append(true).create(true).mode(0o600);
            let file = File::open(path, &how)?;
            file.lock()?;
            // Another session may have put a shorter one in its place meanwhile.
            let (ours, there) = (file.metadata()?, files::metadata(path));
            if there.is_ok_and(|there| (there.dev(), there.ino()) == (ours.dev(), ours.ino())) {
                return Ok(file);
            }
        }
    }

    fn append(&self, query: &str) -> io::Result<()> {
        let mut file = self.open()?;
        let mut line = String::new();
        if file.metadata()?.len() == 0 {
            line.push_str(VERSION);
            line.push('\n');
        } else if !ends_in_line(&mut file)? {
            line.push('\n');
        }
        push_entry(&mut line, query);
        file.write_all(line.as_bytes())
    }

    fn read(&mut self) -> io::Result<()> {
        let path = self.path.as_ref().ok_or(io::ErrorKind::NotFound)?;
        if !files::is(path, |_| true)? {
            return Ok(());
        }
        let mut file = self.open()?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let text = String::from_utf8_lossy(&bytes);
        let mut lines = text.lines().peekable();
        let escaped = lines.next_if_eq(&VERSION).is_some();
        let lines = lines.filter(|line| !line.is_empty());
        self.entries = match escaped {
            true => lines.map(entry).collect(),
            false => lines.map(str::to_owned).collect(),
        };
        let more = self.entries.len().saturating_sub(KEPT);
        if more > KEPT || (!escaped && !bytes.is_empty()) {
            let mut text = format!("{VERSION}\n");
            self.entries[more..]
                .iter()
                .for_each(|query| push_entry(&mut text, query));
            let beside = path.with_extension(format!("{}", std::process::id()));
            let mut how = OpenOptions::new();
            how.write(true).create_new(true).mode(0o600);
            let mut shorter = File::open(&beside, &how)?;
            let written = shorter.write_all(text.as_bytes());
            let replaced = written.and_then(|()| files::rename(&beside, path));
            if replaced.is_err() {
                let _ = files::remove(&beside);
            }
            replaced?;
        }
        self.entries.drain(..more);
        Ok(())
    }
}

/// Whether the last line of a file that is not empty has an end: not if somebody has edited it, or the disk was full.
fn ends_in_line(file: &mut File) -> io::Result<bool> {
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

fn push_entry(text: &mut String, query: &str) {
    text.push_str(&query.replace('\\', "\\\\").replace('\n', "\\n"));
    text.push('\n');
}

/// The query of a line.
fn entry(line: &str) -> String {
    let mut query = String::with_capacity(line.len());
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        query.push(match c {
            '\\' => match chars.next() {
                Some('n') => '\n',
                other => other.unwrap_or('\\'),
            },
            _ => c,
        });
    }
    query
}

#[cfg(test)]
mod tests {
    use super::{entry, push_entry};

    #[test]
    fn an_entry_is_a_line() {
        for query in ["X = 1.", "X = '\\n',\n  true. % \\", "\\", "a\\\nb"] {
            let mut line = String::new();
            push_entry(&mut line, query);
            assert_eq!(line.matches('\n').count(), 1);
            assert_eq!(entry(line.trim_end_matches('\n')), query);
        }
    }
}
