//! The allocators: where their libraries are found and how a program is started under one.

use crate::options::Options;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The name of the C library's own allocator: no preload.
const BASELINE: &str = "glibc";
/// The name of ours.
const OURS: &str = "samite";

/// Names and the file names of their libraries, in the order of columns and of turns.
const KNOWN: [(&str, &[&str]); 6] = [
    (BASELINE, &[]),
    ("jemalloc", &["libjemalloc.so.2"]),
    ("tcmalloc", &["libtcmalloc_minimal.so.4"]),
    ("mimalloc", &["libmimalloc.so.3", "libmimalloc.so.2"]),
    ("snmalloc", &["libsnmallocshim.so"]),
    (OURS, &["libsamite_malloc.so"]),
];

/// Where distributions keep libraries; a multiarch folder is looked for below `/usr/lib`.
const DIRECTORIES: [&str; 4] = ["/usr/local/lib", "/usr/lib64", "/usr/lib", "/lib"];

/// One allocator.
pub struct Allocator {
    label: String,
    /// `None` is the C library's own.
    library: Option<PathBuf>,
}

/// The allocators present, of those wanted. What is not here is said on standard error.
pub fn find(opts: &Options) -> Result<Vec<Allocator>, String> {
    let mut all: Vec<(String, Option<PathBuf>)> = Vec::new();
    for (label, files) in KNOWN {
        let given = opts.libs.iter().find(|(name, _)| name == label);
        let library = match given {
            Some((_, path)) => path.is_file().then(|| path.clone()),
            None => files.iter().find_map(|file| on_machine(label, file)),
        };
        all.push((label.to_owned(), library));
    }
    for (label, path) in &opts.libs {
        if all.iter().all(|(known, _)| known != label) {
            all.push((label.clone(), path.is_file().then(|| path.clone())));
        }
    }
    if let Some(unknown) = opts
        .allocators
        .iter()
        .find(|w| all.iter().all(|(l, _)| l != *w))
    {
        return Err(format!("no allocator is called {unknown}"));
    }
    let mut found = Vec::new();
    for (label, library) in all {
        if !opts.allocators.is_empty() && !opts.allocators.contains(&label) {
            continue;
        }
        if label == BASELINE || library.is_some() {
            found.push(Allocator { label, library });
        } else if label == OURS {
            eprintln!(
                "samite-bench-alloc: {label} not found: cargo build --release -p samite-malloc"
            );
        } else {
            eprintln!("samite-bench-alloc: {label} not found, so left out");
        }
    }
    if found.is_empty() {
        return Err("none of the allocators is here".to_owned());
    }
    Ok(found)
}

/// The file of a library: ours is built beside this program, others are where distributions keep them.
fn on_machine(label: &str, file: &str) -> Option<PathBuf> {
    if label == OURS {
        let beside = std::env::current_exe().ok()?.with_file_name(file);
        return beside.is_file().then_some(beside);
    }
    let multiarch = Path::new("/usr/lib").join(format!("{}-linux-gnu", std::env::consts::ARCH));
    let directories = std::iter::once(multiarch).chain(DIRECTORIES.map(PathBuf::from));
    directories
        .map(|dir| dir.join(file))
        .find(|path| path.is_file())
}

impl Allocator {
    pub fn label(&self) -> &str {
        &self.label
    }

    pub fn is_ours(&self) -> bool {
        self.label == OURS
    }

    /// Whether ratios are taken to this allocator.
    pub fn is_baseline(&self) -> bool {
        self.label == BASELINE
    }

    /// `program`, to be started under this allocator; a program of this package checks that it is.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env_remove("LD_PRELOAD");
        command.env_remove("SAMITE_BENCH_MALLOC");
        if let Some(library) = &self.library {
            command.env("LD_PRELOAD", library);
            command.env("SAMITE_BENCH_MALLOC", library);
        }
        command
    }
}
