//! The texts of Samite's libraries in the repository, found apart from the build script: what is missing in one of the two lists is seen.

use super::root;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Where they stand: each folder is a shelf.
pub fn folder() -> PathBuf {
    root().join("crates/samite/library")
}

/// The shelves' names.
pub fn shelves() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).expect("the libraries are there");
    let mut names: Vec<String> = entries
        .map(|e| e.expect("an entry").path())
        .filter(|p| p.is_dir())
        .map(|p| name(&p))
        .collect();
    names.sort();
    names
}

/// The texts of a shelf by their names, as `dcg/basics`.
pub fn texts_of(shelf: &str) -> BTreeMap<String, PathBuf> {
    let mut texts = BTreeMap::new();
    let mut folders = vec![(folder().join(shelf), String::new())];
    while let Some((folder, prefix)) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let text = format!("{prefix}{}", name(&path));
            if path.is_dir() {
                folders.push((path, format!("{text}/")));
            } else if path.extension().is_some_and(|e| e == "pl") {
                texts.insert(text, path);
            }
        }
    }
    texts
}

/// The names of all libraries: of what is on each shelf but that of what every program begins with.
pub fn names() -> Vec<String> {
    let shelves = shelves().into_iter().filter(|s| s != "boot");
    let mut all: Vec<String> = shelves.flat_map(|s| texts_of(&s).into_keys()).collect();
    all.sort();
    all
}

/// Clauses `library(Name)` for all of them.
pub fn facts() -> String {
    let clauses = names().into_iter().map(|n| format!("library('{n}').\n"));
    clauses.collect()
}

fn name(path: &Path) -> String {
    let stem = path.file_stem().and_then(|n| n.to_str());
    stem.expect("a name that is text").to_owned()
}
