//! The command line.

use lexopt::prelude::*;
use samite_bench::arguments::{Refused, names, positive};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use crate::instructions::Recording;
use crate::programs::Set;

pub const USAGE: &str = "\
Usage: samite-bench [OPTION]...
       samite-bench micro [OPTION]... [NAME]...
       samite-bench paper [OPTION]... [NAME]...

Times the benchmark programs under Samite and the other Prolog systems found.
With micro: one operation of a Prolog each, beside swipl, at three sizes; NAME is
an operation, a file of bench/micro or the beginning of names with a * behind.
With paper: the experiments of the paper on tabling by many threads, for each
design, allocator and scheme; NAME is a program or one of the sets joins,
wordnet, models, left and right.

  --set SET          programs (default), tabling, large, threads or all
  --only NAME[,..]   only these programs, whatever their set
  --runs N           rounds in which every system runs once (default 3)
  --timeout SECS     limit for one run (default 30)
  --systems S[,..]   only these of samite,swipl,gprolog,gplc,yap,xsb
  --samite PATH      the samite executable (default: beside this program)
  --dir PATH         the bench directory (default: where this was built from)
  --markdown         print tables as Markdown
  --instructions     count instructions of the programs (valgrind), beside history.csv
  --record           append these counts to history.csv
  --remark TEXT      why counts are above the last ones
  --threads N[,..]   with paper: how many threads (default 1,2,8,16,24)
  --report DIR       with paper: where the report goes (default: paper-report)
  --list             print the names of the selected programs
  --emit DIR         write the selected programs, complete, to DIR
  --help             this text
";

/// What to do with the selected programs.
pub enum Command {
    Measure,
    List,
    Emit(PathBuf),
    /// Count instructions instead of time.
    Count,
    /// Single operations beside SWI-Prolog instead of programs.
    Micro(Asked),
    /// What the paper measured.
    Paper(Asked),
}

/// What of the operations.
pub enum Asked {
    Measure,
    List,
}

pub struct Options {
    pub command: Command,
    /// `None` is all sets.
    pub set: Option<Set>,
    /// Names of programs; of operations with [`Command::Micro`].
    pub only: Vec<String>,
    pub runs: u32,
    pub timeout: Duration,
    pub systems: Vec<String>,
    pub samite: Option<PathBuf>,
    pub dir: Option<PathBuf>,
    pub markdown: bool,
    pub recording: Recording,
    /// How many threads ask, with [`Command::Paper`].
    pub threads: Vec<u32>,
    /// Where its report goes.
    pub report: PathBuf,
}

pub enum Parsed {
    Help,
    Run(Box<Options>),
}

/// Reads the arguments after the program's name.
pub fn parse(args: &[OsString]) -> Result<Parsed, Refused> {
    let mut opts = Options {
        command: Command::Measure,
        set: Some(Set::Programs),
        only: Vec::new(),
        runs: 3,
        timeout: Duration::from_secs(30),
        systems: Vec::new(),
        samite: None,
        dir: None,
        markdown: false,
        recording: Recording {
            record: false,
            remark: String::new(),
        },
        threads: vec![1, 2, 8, 16, 24],
        report: PathBuf::from("paper-report"),
    };
    let mut words = lexopt::Parser::from_args(args);
    let micro = args.first().is_some_and(|word| word == "micro");
    let paper = args.first().is_some_and(|word| word == "paper");
    while let Some(word) = words.next()? {
        match word {
            Long("set") => opts.set = words.value()?.parse_with(set)?,
            Long("only") => opts.only = names(&mut words)?,
            Long("runs") => opts.runs = positive(&mut words)?,
            Long("timeout") => opts.timeout = Duration::from_secs(positive(&mut words)?),
            Long("systems") => opts.systems = names(&mut words)?,
            Long("samite") => opts.samite = Some(words.value()?.into()),
            Long("dir") => opts.dir = Some(words.value()?.into()),
            Long("emit") => opts.command = Command::Emit(words.value()?.into()),
            Long("remark") => opts.recording.remark = words.value()?.parse_with(remark)?,
            Long("markdown") => opts.markdown = true,
            Long("instructions") => opts.command = Command::Count,
            Long("record") => opts.recording.record = true,
            Long("list") => opts.command = Command::List,
            Long("help") | Short('h') => return Ok(Parsed::Help),
            Long("threads") if paper => opts.threads = counts(&names(&mut words)?)?,
            Long("report") if paper => opts.report = words.value()?.into(),
            Value(name) if micro || paper => opts.only.push(name.string()?),
            _ => return Err(word.unexpected()),
        }
    }
    if micro || paper {
        // The first word is the command itself.
        opts.only.remove(0);
        opts.command = match opts.command {
            Command::Measure if paper => Command::Paper(Asked::Measure),
            Command::List if paper => Command::Paper(Asked::List),
            Command::Measure => Command::Micro(Asked::Measure),
            Command::List => Command::Micro(Asked::List),
            _ => return Err("micro and paper measure or list".into()),
        };
    }
    let count = matches!(opts.command, Command::Count);
    if !count && (opts.recording.record || !opts.recording.remark.is_empty()) {
        return Err("--record and --remark belong to --instructions".into());
    }
    if count && opts.set != Some(Set::Programs) {
        return Err("--instructions counts the set programs".into());
    }
    Ok(Parsed::Run(Box::new(opts)))
}

/// Numbers of threads.
fn counts(names: &[String]) -> Result<Vec<u32>, Refused> {
    let all: Result<Vec<u32>, _> = names.iter().map(|n| n.parse()).collect();
    match all {
        Ok(all) if !all.is_empty() && all.iter().all(|n| (1..=1000).contains(n)) => Ok(all),
        _ => Err("--threads is a list of numbers from 1 to 1000".into()),
    }
}

/// A remark is a field of a line of comma-separated values.
fn remark(text: &str) -> Result<String, String> {
    if text.contains([',', '\n', '"']) {
        return Err("a remark has no comma, quote or line break".to_owned());
    }
    Ok(text.to_owned())
}

fn set(name: &str) -> Result<Option<Set>, String> {
    if name == "all" {
        return Ok(None);
    }
    match Set::ALL.into_iter().find(|set| set.name() == name) {
        Some(set) => Ok(Some(set)),
        None => Err(format!(
            "no set {name}: programs, tabling, large, threads or all"
        )),
    }
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
        let opts = parsed(&["--runs=5", "--only", "tak,fib", "--set", "all"]).unwrap();
        assert_eq!(opts.runs, 5);
        assert_eq!(opts.only, ["tak", "fib"]);
        assert!(opts.set.is_none());
    }

    #[test]
    fn operations_are_named() {
        let opts = parsed(&["micro", "first*", "--runs=2", "lists"]).unwrap();
        assert!(matches!(opts.command, Command::Micro(Asked::Measure)));
        assert_eq!(opts.only, ["first*", "lists"]);
        let opts = parsed(&["micro", "--list"]).unwrap();
        assert!(matches!(opts.command, Command::Micro(Asked::List)));
        assert!(parsed(&["micro", "--instructions"]).is_err());
        let opts = parsed(&["paper", "left", "--threads", "1,24"]).unwrap();
        assert!(matches!(opts.command, Command::Paper(Asked::Measure)));
        assert_eq!(
            (opts.only, opts.threads),
            (vec!["left".into()], vec![1, 24])
        );
        assert!(parsed(&["paper", "--threads", "0"]).is_err());
        assert!(parsed(&["micro", "--threads", "1"]).is_err());
    }

    #[test]
    fn bad_arguments_are_messages() {
        for args in [
            &["--runs", "0"][..],
            &["--runs"],
            &["--set", "x"],
            &["y"],
            &["--list=1"],
        ] {
            assert!(parsed(args).is_err(), "{args:?}");
        }
    }
}
