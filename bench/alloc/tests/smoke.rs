//! The programs end to end, small: every workload, the runner, the fuzzer and a check, on the C library's own allocator
//! and on ours if it has been built beside the programs.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const WORK: &str = env!("CARGO_BIN_EXE_alloc-work");
const FUZZ: &str = env!("CARGO_BIN_EXE_alloc-fuzz");
const CHECKS: &str = env!("CARGO_BIN_EXE_alloc-checks");
const RUNNER: &str = env!("CARGO_BIN_EXE_samite-bench-alloc");

/// The libraries to preload.
fn libraries() -> Vec<Option<PathBuf>> {
    let ours = Path::new(WORK).with_file_name("libsamite_malloc.so");
    if ours.is_file() {
        vec![None, Some(ours)]
    } else {
        println!("libsamite_malloc.so is not built: the C library's allocator only");
        vec![None]
    }
}

fn run(program: &str, library: Option<&Path>, args: &[&str]) -> Output {
    let mut command = Command::new(program);
    command.args(args).env_remove("LD_PRELOAD");
    if let Some(path) = library {
        command
            .env("LD_PRELOAD", path)
            .env("SAMITE_BENCH_MALLOC", path);
    }
    command.output().expect("a program of this package")
}

fn text(output: &Output) -> String {
    let [out, err] = [&output.stdout, &output.stderr].map(|b| String::from_utf8_lossy(b));
    format!("{out}{err}")
}

#[test]
fn workloads_come_to_the_same_sums_and_depend_on_the_seed() {
    let list = text(&run(WORK, None, &["--list"]));
    let names: Vec<&str> = list.lines().filter_map(|l| l.split(' ').next()).collect();
    assert!(names.len() > 20);
    for name in names {
        let sum = |library: Option<&Path>, seed: &str| {
            let output = run(WORK, library, &[name, seed, "0.01", "3"]);
            assert!(output.status.success(), "{name}: {}", text(&output));
            let said = text(&output);
            assert!(said.contains("final_bytes="), "{name}: {said}");
            said.lines().last().map(str::to_owned)
        };
        let first = sum(None, "1");
        assert_ne!(first, sum(None, "2"), "{name} is the same with every seed");
        for library in libraries() {
            assert_eq!(first, sum(library.as_deref(), "1"), "{name}");
        }
    }
}

#[test]
fn a_preload_that_did_not_take_is_an_error() {
    let output = Command::new(WORK)
        .args(["pairs", "1", "0.01"])
        .env_remove("LD_PRELOAD")
        .env("SAMITE_BENCH_MALLOC", WORK)
        .output()
        .expect("alloc-work");
    assert!(!output.status.success());
    assert!(
        text(&output).contains("malloc is from"),
        "{}",
        text(&output)
    );
}

#[test]
fn the_fuzzer_passes() {
    for library in libraries() {
        for threads in ["1", "3"] {
            let args = ["--ops", "60000", "--threads", threads, "--budget", "32"];
            let output = run(FUZZ, library.as_deref(), &args);
            assert!(output.status.success(), "{}", text(&output));
        }
    }
}

#[test]
fn the_fuzzer_repeats_itself() {
    let digest = |library: Option<&Path>, seed: &str| {
        let said = text(&run(FUZZ, library, &["--ops", "5000", "--seed", seed]));
        said.lines().last().map(str::to_owned)
    };
    let first = digest(None, "9");
    assert!(
        first.as_ref().is_some_and(|l| l.starts_with("digest=")),
        "{first:?}"
    );
    assert_ne!(first, digest(None, "10"));
    for library in libraries() {
        assert_eq!(first, digest(library.as_deref(), "9"));
    }
}

#[test]
fn checks_are_counted() {
    let output = run(CHECKS, None, &["--only", "thread-ends,bash"]);
    let said = text(&output);
    assert!(output.status.success(), "{said}");
    assert_eq!(said.lines().last(), Some("2 passed, 0 failed, 0 skipped"));
}

#[test]
fn the_runner_prints_its_tables() {
    let args = [
        "--only",
        "pairs,remote",
        "--allocators",
        "glibc",
        "--runs",
        "1",
    ];
    let output = run(
        RUNNER,
        None,
        &[&args[..], &["--scale", "0.02", "--no-stress"]].concat(),
    );
    let said = text(&output);
    assert!(output.status.success(), "{said}");
    for word in [
        "wall seconds",
        "peak resident",
        "multi-threaded / glibc",
        "remote",
    ] {
        assert!(said.contains(word), "{word}: {said}");
    }
    assert!(!said.contains("FAILS"), "{said}");
}
