//! The benchmark programs: one file each for the sets `programs`, `large`, `threads` and `constraints`, and
//! for `tabling` every file with every graph.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::graphs::Graph;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Set {
    Programs,
    Tabling,
    Large,
    Threads,
    Constraints,
}

impl Set {
    pub const ALL: [Self; 5] = [
        Self::Programs,
        Self::Tabling,
        Self::Large,
        Self::Threads,
        Self::Constraints,
    ];

    /// The name of the set, on the command line and as a directory.
    pub fn name(self) -> &'static str {
        match self {
            Self::Programs => "programs",
            Self::Tabling => "tabling",
            Self::Large => "large",
            Self::Threads => "threads",
            Self::Constraints => "constraints",
        }
    }
}

/// A program that can be run, once it is written out by [`Program::write_to`].
pub struct Program {
    pub name: String,
    pub set: Set,
    /// The result line, where it is known beforehand.
    pub expected: Option<String>,
    source: PathBuf,
    graph: Option<Graph>,
}

impl Program {
    /// Writes the complete program to `dir` and returns the file's path.  Always a
    /// copy: some systems leave compiled files beside the source.
    pub fn write_to(&self, dir: &Path) -> Result<PathBuf, String> {
        let path = dir.join(format!("{}.pl", self.name));
        self.compose(&path)
            .map_err(|e| format!("cannot write {}: {e}", path.display()))?;
        Ok(path)
    }

    fn compose(&self, path: &Path) -> io::Result<()> {
        let mut out = BufWriter::new(File::create(path)?);
        io::copy(&mut File::open(&self.source)?, &mut out)?;
        if let Some(graph) = self.graph {
            out.write_all(b"\n")?;
            graph.write_facts(&mut out)?;
        }
        out.flush()
    }
}

/// The directory that holds the program sets.
pub fn bench_dir(given: Option<&Path>) -> Result<PathBuf, String> {
    let candidates = match given {
        Some(dir) => vec![dir.to_owned()],
        None => vec![
            PathBuf::from(env!("CARGO_MANIFEST_DIR")),
            PathBuf::from("bench"),
        ],
    };
    match candidates
        .iter()
        .find(|dir| dir.join(Set::Programs.name()).is_dir())
    {
        Some(dir) => Ok(dir.clone()),
        None => Err("no benchmark programs found; give their directory with --dir".to_owned()),
    }
}

/// The programs of a set (`None` is all) or, if names are given, those alone.
pub fn select(dir: &Path, set: Option<Set>, only: &[String]) -> Result<Vec<Program>, String> {
    let mut all = Vec::new();
    for s in Set::ALL {
        if only.is_empty() && set.is_some_and(|wanted| wanted != s) {
            continue;
        }
        all.extend(in_set(dir, s)?);
    }
    if only.is_empty() {
        return Ok(all);
    }
    if let Some(unknown) = only
        .iter()
        .find(|name| all.iter().all(|p| p.name != **name))
    {
        return Err(format!(
            "no program {unknown} (--list --set all shows the names)"
        ));
    }
    all.retain(|p| only.contains(&p.name));
    Ok(all)
}

fn in_set(dir: &Path, set: Set) -> Result<Vec<Program>, String> {
    let dir = dir.join(set.name());
    let mut files = Vec::new();
    let entries = fs::read_dir(&dir).map_err(|e| format!("cannot read {}: {e}", dir.display()))?;
    for entry in entries {
        let path = entry
            .map_err(|e| format!("cannot read {}: {e}", dir.display()))?
            .path();
        if path.extension().is_some_and(|e| e == "pl") {
            files.push(path);
        }
    }
    files.sort();

    let mut programs = Vec::new();
    for source in files {
        let Some(stem) = source.file_stem().and_then(|s| s.to_str()) else {
            continue;
        };
        if set == Set::Tabling {
            programs.extend(Graph::ALL.map(|graph| Program {
                name: format!("{stem}_{}", graph.name()),
                set,
                expected: Some(format!("answers={}", graph.answers())),
                source: source.clone(),
                graph: Some(graph),
            }));
        } else {
            let name = stem.to_owned();
            programs.push(Program {
                name,
                set,
                expected: None,
                source,
                graph: None,
            });
        }
    }
    Ok(programs)
}
