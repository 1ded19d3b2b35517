//! The command line.

use lexopt::prelude::*;
use samite_bench::arguments::{Refused, names, positive};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

pub const USAGE: &str = "\
Usage: samite-bench-alloc [OPTION]...

Times the workloads of alloc-work, and stress-ng where it is installed, under the
C allocators found on the machine.

  --only NAME[,..]       only these workloads
  --allocators A[,..]    only these of glibc,jemalloc,tcmalloc,mimalloc,snmalloc,samite
                         and the names given with --lib
  --lib NAME=PATH        one more library (or another file for one of the above)
  --runs N               rounds in which every allocator runs once (default 3)
  --seed N               first seed; every round has its own (default 0)
  --scale X              multiplies the number of operations (default 1)
  --threads N            threads of the workloads with several (default: as many as
                         processors, at least 2)
  --timeout SECS         limit for one run (default 60)
  --no-stress            without stress-ng
  --markdown             print tables as Markdown
  --list                 print the names of the selected workloads
  --help                 this text
";

pub struct Options {
    pub only: Vec<String>,
    pub allocators: Vec<String>,
    pub libs: Vec<(String, PathBuf)>,
    pub runs: u32,
    pub seed: u64,
    pub scale: f64,
    pub threads: Option<u32>,
    pub timeout: Duration,
    pub stress: bool,
    pub markdown: bool,
    pub list: bool,
}

pub enum Parsed {
    Help,
    Run(Box<Options>),
}

/// Reads the arguments after the program's name.
pub fn parse(args: &[OsString]) -> Result<Parsed, Refused> {
    let mut opts = Options {
        only: Vec::new(),
        allocators: Vec::new(),
        libs: Vec::new(),
        runs: 3,
        seed: 0,
        scale: 1.0,
        threads: None,
        timeout: Duration::from_secs(60),
        stress: true,
        markdown: false,
        list: false,
    };
    let mut words = lexopt::Parser::from_args(args);
    while let Some(word) = words.next()? {
        match word {
            Long("only") => opts.only = names(&mut words)?,
            Long("allocators") => opts.allocators = names(&mut words)?,
            Long("lib") => opts.libs.push(words.value()?.parse_with(library)?),
            Long("runs") => opts.runs = positive(&mut words)?,
            Long("seed") => opts.seed = words.value()?.parse()?,
            Long("scale") => opts.scale = positive(&mut words)?,
            Long("threads") => opts.threads = Some(positive(&mut words)?),
            Long("timeout") => opts.timeout = Duration::from_secs(positive(&mut words)?),
            Long("no-stress") => opts.stress = false,
            Long("markdown") => opts.markdown = true,
            Long("list") => opts.list = true,
            Long("help") | Short('h') => return Ok(Parsed::Help),
            _ => return Err(word.unexpected()),
        }
    }
    Ok(Parsed::Run(Box::new(opts)))
}

fn library(text: &str) -> Result<(String, PathBuf), &'static str> {
    let (label, path) = text.split_once('=').ok_or("--lib wants NAME=PATH")?;
    Ok((label.to_owned(), path.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(args: &[&str]) -> Result<Box<Options>, Refused> {
        let args: Vec<OsString> = args.iter().map(OsString::from).collect();
        match parse(&args)? {
            Parsed::Run(opts) => Ok(opts),
            Parsed::Help => Err("help".into()),
        }
    }

    #[test]
    fn values_follow_or_are_joined() {
        let opts = parsed(&["--runs=5", "--only", "a,b", "--lib", "x=/y=z"]).unwrap();
        assert_eq!((opts.runs, opts.only.len()), (5, 2));
        assert_eq!(opts.libs, [("x".to_owned(), PathBuf::from("/y=z"))]);
    }

    #[test]
    fn bad_arguments_are_messages() {
        for args in [
            &["--runs", "0"][..],
            &["--runs"],
            &["--scale", "-1"],
            &["--lib", "x"],
            &["y"],
            &["--list=1"],
        ] {
            assert!(parsed(args).is_err(), "{args:?}");
        }
    }
}
