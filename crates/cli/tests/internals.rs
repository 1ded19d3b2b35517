//! What `docs/internals` and `ARCHITECTURE.md` name is there: files, functions, types. A page that speaks of what has been renamed or taken away is found so, not
//! one that says something wrong of what there is.
//!
//! *Equation*: of each text in backticks outside of code blocks, what looks like a file is one, and what looks like a path of Rust (`Worker::collect`) ends in a
//! name that the sources define; a name alone with an underscore, or of capitals and small letters, stands in the sources; what Samite takes from the environment is
//! described, and what is described is taken. How files are written there is said in its README.

mod common;

use common::root;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// All sources in Rust below a folder, one behind the other.
fn sources(folder: &Path, all: &mut String) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, all);
        } else if path.extension().is_some_and(|e| e == "rs") {
            all.push_str(&std::fs::read_to_string(path).expect("a text"));
        }
    }
}

/// The names that sources define: behind `fn` and the like, or with a colon, a bracket, a comma behind them (fields and variants).
fn defined(text: &str) -> BTreeSet<&str> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut names = BTreeSet::new();
    for line in text.lines().map(str::trim_start) {
        if line.starts_with("//") {
            continue;
        }
        let mut words = line.split(|c: char| !is_name(c)).filter(|w| !w.is_empty());
        while let Some(word) = words.next() {
            let definers = [
                "fn", "struct", "enum", "trait", "const", "static", "mod", "type",
            ];
            if definers.contains(&word) {
                names.extend(words.clone().next());
            }
        }
        let own = line.strip_prefix("pub ").unwrap_or(line);
        let own = own.strip_prefix("pub(crate) ").unwrap_or(own);
        let end = own.find(|c| !is_name(c)).unwrap_or(own.len());
        if end > 0 && own[end..].starts_with([':', '(', ',', ' ']) {
            names.insert(&own[..end]);
        }
    }
    names
}

/// The words of sources, but for comments.
fn words(text: &str) -> BTreeSet<&str> {
    let code = text.lines().filter(|l| !l.trim_start().starts_with("//"));
    code.flat_map(|l| l.split(|c: char| !(c.is_alphanumeric() || c == '_')))
        .collect()
}

/// Whether it looks like a name in Rust and like nothing else: of more than one word, or capitals.
fn is_identifier(text: &str) -> bool {
    let inner = text.get(1..).unwrap_or_default();
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && (inner.contains('_') || inner.contains(|c: char| c.is_ascii_uppercase()))
        && text.len() > 2
}

/// The variables of the environment that a text names behind one of these.
fn variables<'a>(text: &'a str, before: &[&str]) -> BTreeSet<&'a str> {
    let mut all = BTreeSet::new();
    for b in before {
        for (at, _) in text.match_indices(&format!("{b}SAMITE_")) {
            let name = &text[at + b.len()..];
            let end = name.find(|c: char| !(c.is_ascii_uppercase() || c == '_'));
            all.insert(&name[..end.unwrap_or(name.len())]);
        }
    }
    all
}

#[test]
fn variables_of_the_environment_are_described() {
    let root = root();
    let mut text = String::new();
    for entry in std::fs::read_dir(root.join("crates")).expect("the crates") {
        sources_without_tests(&entry.expect("an entry").path().join("src"), &mut text);
    }
    let taken = variables(&text, &["\""]);
    let read = |name: &str| std::fs::read_to_string(root.join(name)).expect("a text");
    let described = read("README.md") + &read("crates/alloc/src/config.rs");
    let described = variables(&described, &["`"]);
    assert_eq!(taken, described, "taken (left), described (right)");
    assert!(taken.len() > 10, "{taken:?}");
}

/// As [`sources`], each up to its tests.
fn sources_without_tests(folder: &Path, all: &mut String) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources_without_tests(&path, all);
        } else if path.extension().is_some_and(|e| e == "rs") {
            let text = std::fs::read_to_string(path).expect("a text");
            all.push_str(text.split("#[cfg(test)]").next().unwrap_or_default());
        }
    }
}

/// Where a file may be that a page names.
fn places(root: &Path, name: &str) -> Vec<PathBuf> {
    let mut places = vec![root.join(name), root.join("crates/samite").join(name)];
    if let Some((first, rest)) = name.split_once('/') {
        let krate = root.join("crates").join(first);
        places.push(krate.join("src").join(rest));
        places.push(krate.join(rest));
    }
    places
}

#[test]
fn pages_name_what_is_there() {
    let root = root();
    let mut text = String::new();
    sources(&root.join("crates"), &mut text);
    let names = defined(&text);
    let words = words(&text);
    let (mut files, mut paths, mut wrong) = (0, 0, Vec::new());
    let mut pages = BTreeSet::new();
    let entries = std::fs::read_dir(root.join("docs/internals")).expect("the pages");
    let inside = entries.map(|entry| entry.expect("an entry").path());
    for page in inside.chain([root.join("ARCHITECTURE.md")]) {
        let name = page.file_name().unwrap().to_str().unwrap().to_owned();
        let text = std::fs::read_to_string(&page).expect("a page");
        // Every second part stands between fences, and so between backticks.
        for prose in text.split("```").step_by(2) {
            for quoted in prose.split('`').skip(1).step_by(2) {
                let last = quoted.rsplit_once('.').map(|(_, e)| e);
                let is_file = quoted.contains('/') && !quoted.contains([' ', '(', '$', '~']);
                if is_file && last.is_some_and(|e| ["rs", "pl", "md"].contains(&e)) {
                    files += 1;
                    if !places(&root, quoted).iter().any(|p| p.is_file()) {
                        wrong.push(format!("{name}: `{quoted}` is no file"));
                    }
                } else if let Some((_, item)) = quoted.rsplit_once("::")
                    && !quoted.contains(' ')
                {
                    paths += 1;
                    if !names.contains(item.trim_end_matches("()")) {
                        wrong.push(format!("{name}: nothing is called `{quoted}`"));
                    }
                } else if is_identifier(quoted) && !words.contains(quoted) {
                    wrong.push(format!("{name}: nothing is called `{quoted}`"));
                }
            }
        }
        pages.insert(name);
    }
    let index = std::fs::read_to_string(root.join("docs/internals/README.md")).expect("the index");
    for page in (pages.iter()).filter(|p| !["README.md", "ARCHITECTURE.md"].contains(&p.as_str())) {
        if !index.contains(&format!("({page})")) {
            wrong.push(format!("{page} is not in the README"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(files > 100 && paths > 60, "{files} files, {paths} paths");
}
