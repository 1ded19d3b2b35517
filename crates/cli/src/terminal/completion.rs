//! What Tab offers for what stands before the cursor: names of files within quotes, variables of the text, names of predicates and atoms.

use samite_machine::Program;
use samite_machine::builtins::completion::names;
use samite_syntax::chars::{is_alnum, is_name_start, is_variable_start};
use samite_syntax::read::Ends;
use samite_term::Atom;
use samite_world::files;
use std::collections::BTreeSet;
use std::fs::Metadata;
use std::path::Path;
use std::sync::Arc;

/// Where names come from.
pub struct Names {
    program: Arc<Program>,
    /// So many atoms there were when the program started.
    known: usize,
}

/// See [`Names::complete`].
#[derive(PartialEq, Eq, Debug)]
pub struct Completion {
    /// What all of them add to what is typed.
    pub common: String,
    /// All there are, as they are shown.
    pub all: Vec<String>,
}

impl Names {
    pub fn new(program: &Arc<Program>) -> Names {
        Names {
            program: program.clone(),
            known: Atom::all().count(),
        }
    }

    /// What may follow in a text at a place; `None` where nothing is to be completed.
    pub fn complete(&self, text: &str, cursor: usize) -> Option<Completion> {
        let (typed, all) = match place(&text[..cursor]) {
            Place::Quoted(path, quote) => {
                let name = path.rfind('/').map_or(0, |at| at + 1);
                let (directory, begin) = path.split_at(name);
                (begin, files(&unescaped(directory), begin, quote))
            }
            Place::Word(word) if word.starts_with(is_variable_start) => {
                (word, variables(text, word))
            }
            Place::Word(word) => {
                let names = names(&self.program, self.known, word);
                (word, names.into_iter().map(str::to_owned).collect())
            }
            Place::Other => return None,
        };
        let all: Vec<String> = all.into_iter().collect();
        let common = all.iter().fold(None, |common: Option<&str>, name| {
            Some(common.map_or(name.as_str(), |c| same_begin(c, name)))
        });
        Some(Completion {
            common: common.map_or("", |c| &c[typed.len()..]).to_owned(),
            all,
        })
    }
}

/// What stands before the cursor.
#[derive(PartialEq, Eq, Debug)]
enum Place<'a> {
    /// What has been typed of a quoted item, and its quote.
    Quoted(&'a str, char),
    Word(&'a str),
    Other,
}

fn place(before: &str) -> Place<'_> {
    let mut ends = Ends::default();
    let mut quoted = 0;
    for (at, c) in before.char_indices() {
        let within = ends.quote().is_some();
        ends.push(c);
        if !within {
            quoted = at + c.len_utf8();
        }
    }
    if let Some(quote) = ends.quote() {
        return Place::Quoted(&before[quoted..], quote);
    }
    let word = before.trim_end_matches(is_alnum).len();
    let begins = |c| is_name_start(c) || is_variable_start(c);
    match &before[word..] {
        w if w.starts_with(begins) && !ends.in_comment() => Place::Word(w),
        _ => Place::Other,
    }
}

/// A name as it is written within quotes.
fn escaped(name: &str, quote: char) -> String {
    let mut text = String::with_capacity(name.len());
    for c in name.chars() {
        if c == quote || c == '\\' {
            text.push('\\');
        }
        text.push(c);
    }
    text
}

/// What is written so within quotes.
fn unescaped(text: &str) -> String {
    let mut chars = text.chars();
    let mut name = String::with_capacity(text.len());
    while let Some(c) = chars.next() {
        name.push(if c == '\\' {
            chars.next().unwrap_or(c)
        } else {
            c
        });
    }
    name
}

/// The files of a directory, `""` being the present one, whose names, written within quotes, begin so; directories with `/`. Hidden ones for who asks for them.
fn files(directory: &str, begin: &str, quote: char) -> BTreeSet<String> {
    let directory = if directory.is_empty() { "." } else { directory };
    let names = files::names(directory).unwrap_or_default().into_iter();
    names
        .filter(|name| name != "." && name != ".." && !name.contains(char::REPLACEMENT_CHARACTER))
        .filter_map(|name| {
            let hidden = name.starts_with('.') && !begin.starts_with('.');
            let end = match files::is(Path::new(directory).join(&name), Metadata::is_dir) {
                Ok(true) => "/",
                _ => "",
            };
            let written = escaped(&name, quote);
            (written.starts_with(begin) && !hidden).then(|| written + end)
        })
        .filter(|name| name != begin)
        .collect()
}

/// The words of a text that begin so and go on.
fn variables(text: &str, begin: &str) -> BTreeSet<String> {
    text.split(|c: char| !is_alnum(c))
        .filter(|word| word.starts_with(begin) && *word != begin)
        .map(str::to_owned)
        .collect()
}

/// What two texts have in common from their beginning on.
fn same_begin<'a>(a: &'a str, b: &str) -> &'a str {
    let same = a.char_indices().zip(b.chars()).find(|((_, c), d)| c != d);
    let end = same.map_or(a.len().min(b.len()), |((at, _), _)| at);
    &a[..end]
}

/// Names in columns, as wide as the screen is, and no more rows than it has.
pub fn in_columns(all: &[String], (columns, rows): (usize, usize)) -> String {
    use unicode_width::UnicodeWidthStr;
    let width = all.iter().map(|n| n.width()).max().unwrap_or(0) + 2;
    let across = (columns / width).max(1);
    let most = across * rows.saturating_sub(4).max(1);
    let shown = &all[..all.len().min(most)];
    let down = shown.len().div_ceil(across);
    let mut out = String::new();
    for row in 0..down {
        for (i, name) in shown.iter().skip(row).step_by(down).enumerate() {
            if i > 0 {
                let used = out.rsplit('\n').next().map_or(0, UnicodeWidthStr::width);
                out.push_str(&" ".repeat((i * width).saturating_sub(used)));
            }
            out.push_str(name);
        }
        out.push('\n');
    }
    if shown.len() < all.len() {
        out.push_str(&format!("... and {} more\n", all.len() - shown.len()));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Place, escaped, in_columns, place, same_begin, unescaped};

    #[test]
    fn what_is_before_the_cursor() {
        assert_eq!(place("X = app"), Place::Word("app"));
        assert_eq!(place("lists:app"), Place::Word("app"));
        assert_eq!(place("X = 日"), Place::Word("日"));
        assert_eq!(place("X = पता_न"), Place::Word("पता_न"));
        assert_eq!(place("consult('a/b"), Place::Quoted("a/b", '\''));
        assert_eq!(place("X = 'a', open(\""), Place::Quoted("", '"'));
        assert_eq!(place("X = 'it\\'s/"), Place::Quoted("it\\'s/", '\''));
        assert_eq!(place("X = 0'a, fo"), Place::Word("fo"));
        assert_eq!(place("X = 'it''s"), Place::Quoted("s", '\''));
        for other in ["", "X = ", "X = 12", "foo. % app", "/* app", "'a'"] {
            assert_eq!(place(other), Place::Other, "{other}");
        }
    }

    #[test]
    fn names_within_quotes() {
        for name in ["plain.pl", "it's", "a\\b", "say \"it\""] {
            assert_eq!(unescaped(&escaped(name, '\'')), name);
        }
        assert_eq!(escaped("it's", '\''), "it\\'s");
        assert_eq!(escaped("it's", '"'), "it's");
    }

    #[test]
    fn columns() {
        assert_eq!(same_begin("append", "apply"), "app");
        assert_eq!(same_begin("a", "apply"), "a");
        let names: Vec<String> = (0..5).map(|i| format!("name{i}")).collect();
        assert_eq!(
            in_columns(&names, (16, 24)),
            "name0  name3\nname1  name4\nname2\n"
        );
        assert_eq!(
            in_columns(&names, (16, 5)),
            "name0  name1\n... and 3 more\n"
        );
    }
}
