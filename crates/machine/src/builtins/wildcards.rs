//! Wildcard patterns: `wildcard_match/3`, `expand_file_name/2`.
//!
//! A pattern has `?`, `*`, sets `[a-z_]`, alternatives `{a,b}` (they nest), and `\` before a character that means itself. It is compiled
//! to an automaton (Thompson 1968) that is simulated with sets of states: time is at most the product of both lengths, and
//! nothing recurses.

use super::files::home_of;
use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::error::Throw;
use samite_term::{Cell, atoms, growth, heavy};
use samite_world::files;
use std::fs::Metadata;
use std::io;

pub const TABLE: &[Entry] = &[
    det("$wildcard_match", 3, |m, a| {
        let (pattern, text) = (m.file_arg(a, 0)?, m.file_arg(a, 1)?);
        let fold = m.atom_argument(a, 2)? == atoms::FALSE;
        let pattern = compiled(m, &pattern, fold)?;
        within_memory(|| pattern.matches(&text))
    }),
    det("expand_file_name", 2, |m, a| {
        let text = m.file_arg(a, 0)?;
        let names = expand(m, &text)?;
        let mut items = growth::with_room(names.len())?;
        for name in &names {
            items.push(m.text_atom(name)?);
        }
        let list = m.heap.list(&items, Cell::NIL)?;
        Ok(m.unify_arg(a, 1, list))
    }),
];

/// An instruction of the automaton; those that take a character go on with the next one.
enum Item {
    Char(char),
    Any,
    Set(Vec<(char, char)>),
    Jump(usize),
    Split(usize, usize),
}

/// A compiled pattern.
struct Pattern {
    items: Vec<Item>,
    fold: bool,
}

/// An open `{`.
struct Choice {
    /// The split before the alternative that is being read.
    split: usize,
    /// The jumps behind the alternatives before it.
    ends: Vec<usize>,
}

impl Pattern {
    /// The error is the bracket that is not closed.
    fn new(text: &str, fold: bool) -> Result<Pattern, char> {
        let mut items = Vec::new();
        let mut open: Vec<Choice> = Vec::new();
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            // A character becomes three items at most, and then there is room for a choice and its ends.
            growth::must_have(&mut items, 4);
            growth::must_have(&mut open, 1);
            match c {
                '?' => items.push(Item::Any),
                '*' => {
                    let here = items.len();
                    items.extend([Item::Split(here + 1, here + 3), Item::Any, Item::Jump(here)]);
                }
                '\\' => items.push(Item::Char(chars.next().unwrap_or('\\'))),
                '[' => items.push(Item::Set(set(&mut chars)?)),
                '{' => {
                    open.push(Choice {
                        split: items.len(),
                        ends: Vec::new(),
                    });
                    items.push(Item::Split(items.len() + 1, items.len() + 1));
                }
                ',' if let Some(choice) = open.last_mut() => {
                    growth::must_push(&mut choice.ends, items.len());
                    items.push(Item::Jump(0));
                    let here = items.len();
                    items[choice.split] = Item::Split(choice.split + 1, here);
                    choice.split = here;
                    items.push(Item::Split(here + 1, here + 1));
                }
                '}' if let Some(choice) = open.pop() => {
                    let here = items.len();
                    for end in choice.ends {
                        items[end] = Item::Jump(here);
                    }
                }
                c => items.push(Item::Char(c)),
            }
        }
        if open.is_empty() {
            Ok(Pattern { items, fold })
        } else {
            Err('{')
        }
    }
    fn takes(&self, item: &Item, c: char) -> bool {
        let takes = |c: char| match item {
            Item::Char(d) => *d == c,
            Item::Any => true,
            Item::Set(ranges) => ranges.iter().any(|&(from, to)| from <= c && c <= to),
            Item::Jump(_) | Item::Split(..) => false,
        };
        takes(c) || self.fold && (takes(lower(c)) || takes(upper(c)))
    }
    /// Adds a state and those reached from it without a character.
    fn reach(&self, state: usize, states: &mut Vec<usize>, seen: &mut [bool]) {
        let mut todo = vec![state];
        while let Some(state) = todo.pop() {
            if std::mem::replace(&mut seen[state], true) {
                continue;
            }
            match self.items.get(state) {
                Some(&Item::Jump(to)) => todo.push(to),
                Some(&Item::Split(a, b)) => {
                    growth::must_have(&mut todo, 2);
                    todo.extend([a, b]);
                }
                _ => growth::must_push(states, state),
            }
        }
    }
    fn matches(&self, text: &str) -> bool {
        let end = self.items.len();
        let (mut states, mut next) = (Vec::new(), Vec::new());
        let mut seen = Vec::new();
        growth::must_have(&mut seen, end + 1);
        seen.resize(end + 1, false);
        self.reach(0, &mut states, &mut seen);
        for c in text.chars() {
            seen.fill(false);
            for &state in &states {
                if self.items.get(state).is_some_and(|i| self.takes(i, c)) {
                    self.reach(state + 1, &mut next, &mut seen);
                }
            }
            std::mem::swap(&mut states, &mut next);
            next.clear();
            if states.is_empty() {
                return false;
            }
        }
        states.contains(&end)
    }
}

/// The ranges of a set, from behind its `[`.
fn set(chars: &mut std::str::Chars) -> Result<Vec<(char, char)>, char> {
    let mut ranges = Vec::new();
    loop {
        let c = match chars.next().ok_or('[')? {
            ']' => return Ok(ranges),
            '\\' => chars.next().ok_or('[')?,
            c => c,
        };
        let mut ahead = chars.clone();
        let to = match (ahead.next(), ahead.next()) {
            (Some('-'), Some(to)) if to != ']' => {
                *chars = ahead;
                if to == '\\' {
                    chars.next().ok_or('[')?
                } else {
                    to
                }
            }
            _ => c,
        };
        growth::must_push(&mut ranges, (c, to));
    }
}

fn lower(c: char) -> char {
    c.to_lowercase().next().unwrap_or(c)
}

fn upper(c: char) -> char {
    c.to_uppercase().next().unwrap_or(c)
}

/// Work on a pattern: abandoned where there is no room for what it makes.
fn within_memory<T>(work: impl FnOnce() -> T) -> Result<T, Throw> {
    heavy::guard(work).map_err(|_| Throw::Memory)
}

fn compiled(m: &mut Ctx, text: &str, fold: bool) -> Result<Pattern, Throw> {
    within_memory(|| Pattern::new(text, fold))?
        .map_err(|c| m.syntax_error(&format!("Unmatched '{c}'")))
}

/// The files that a name with wildcards, `~` and `$VARIABLE` stands for; itself if it has no wildcards.
fn expand(m: &mut Ctx, text: &str) -> Result<Vec<String>, Throw> {
    let text = with_values(m, text)?;
    let mut names = vec![String::new()];
    let mut searched = false;
    for segment in text.split_inclusive('/') {
        let (part, slash) = match segment.strip_suffix('/') {
            Some(part) => (part, "/"),
            None => (segment, ""),
        };
        let pattern = compiled(m, part, false)?;
        if !part.contains(['?', '*', '[', '{']) || pattern.is_plain() {
            let plain = pattern.plain();
            for name in &mut names {
                name.push_str(&plain);
                name.push_str(slash);
            }
            if searched {
                names = there(m, names, |name| files::link_metadata(name))?;
            }
            continue;
        }
        searched = true;
        let mut found = Vec::new();
        for directory in names {
            let hidden = part.starts_with('.');
            let inside =
                m.in_file_system(|| within_memory(|| entries(&directory, &pattern, hidden)))?;
            let mut inside = match inside {
                Ok(names) => names,
                Err(e) => {
                    let culprit = m.text_atom(&directory)?;
                    return Err(m.file_error(&e, "access", "directory", culprit));
                }
            };
            inside.sort();
            found.extend(inside.iter().map(|n| format!("{directory}{n}{slash}")));
        }
        names = found;
        if !slash.is_empty() {
            names = there(m, names, |name| files::metadata(name))?;
        }
    }
    Ok(names)
}

impl Pattern {
    fn is_plain(&self) -> bool {
        self.items.iter().all(|i| matches!(i, Item::Char(_)))
    }
    /// The characters of a plain pattern.
    fn plain(&self) -> String {
        let chars = self.items.iter().filter_map(|i| match i {
            Item::Char(c) => Some(*c),
            _ => None,
        });
        chars.collect()
    }
}

/// Those of the names that are there.
fn there(
    m: &mut Ctx,
    names: Vec<String>,
    look: fn(&str) -> io::Result<Metadata>,
) -> Result<Vec<String>, Throw> {
    let mut found = Vec::new();
    for name in names {
        let answer = m.in_file_system(|| files::or_absent(look(&name).map(|_| true)));
        match answer {
            Ok(true) => found.push(name),
            Ok(false) => {}
            Err(e) => {
                let culprit = m.text_atom(&name)?;
                return Err(m.file_error(&e, "access", "file", culprit));
            }
        }
    }
    Ok(found)
}

/// The names in a directory that match. Hidden ones only if asked for.
fn entries(directory: &str, pattern: &Pattern, hidden: bool) -> io::Result<Vec<String>> {
    let directory = if directory.is_empty() { "." } else { directory };
    let found = match files::names(directory) {
        // What may not be read has nothing that matches.
        Err(e) if files::says_absent(&e) => return Ok(Vec::new()),
        found => found?,
    };
    let matching = |name: &String| (hidden || !name.starts_with('.')) && pattern.matches(name);
    Ok(found.into_iter().filter(matching).collect())
}

/// Puts in the home directory for `~` or `~user` at the start and the values of variables.
fn with_values(m: &mut Ctx, text: &str) -> Result<String, Throw> {
    let mut out = String::new();
    let mut rest = text;
    if let Some(after) = text.strip_prefix('~') {
        let end = after.find('/').unwrap_or(after.len());
        let user = &after[..end];
        let culprit = m.text_atom(user)?;
        let home = home_of(m, user).map_err(|e| m.file_error(&e, "access", "user", culprit))?;
        let Some(home) = home else {
            return Err(m.existence_error("user", culprit));
        };
        out.push_str(&home);
        rest = &after[end..];
    }
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        let end = after
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(after.len());
        let name = &after[..end];
        if name.is_empty() {
            out.push('$');
        } else {
            let Some(value) = m.program.outside.variable(name) else {
                let culprit = m.text_atom(name)?;
                return Err(m.existence_error("variable", culprit));
            };
            out.push_str(&value);
        }
        rest = &after[end..];
    }
    out.push_str(rest);
    Ok(out)
}
