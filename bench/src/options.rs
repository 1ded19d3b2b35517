//! The command line, parsed by hand.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use crate::instructions::Recording;
use crate::programs::Set;

pub const USAGE: &str = "\
Usage: samite-bench [OPTION]...

Times the benchmark programs under Samite and the other Prolog systems found.

  --set SET          programs (default), tabling, large or all
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
}

pub struct Options {
    pub command: Command,
    /// `None` is all sets.
    pub set: Option<Set>,
    pub only: Vec<String>,
    pub runs: u32,
    pub timeout: Duration,
    pub systems: Vec<String>,
    pub samite: Option<PathBuf>,
    pub dir: Option<PathBuf>,
    pub markdown: bool,
    pub recording: Recording,
}

pub enum Parsed {
    Help,
    Run(Box<Options>),
}

/// Reads the arguments after the program's name.  `--opt value` and `--opt=value`
/// are both understood.
pub fn parse(args: &[OsString]) -> Result<Parsed, String> {
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
    };
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let Some(arg) = arg.to_str() else {
            return Err(format!("argument is not text: {}", arg.display()));
        };
        let (name, inline) = match arg.split_once('=') {
            Some((name, value)) => (name, Some(OsString::from(value))),
            None => (arg, None),
        };
        let mut value = || match &inline {
            Some(value) => Ok(value.clone()),
            None => rest
                .next()
                .cloned()
                .ok_or_else(|| format!("{name} needs a value")),
        };
        match name {
            "--set" => opts.set = set(&text(name, value()?)?)?,
            "--only" => opts.only = names(&text(name, value()?)?),
            "--runs" => opts.runs = positive(name, &text(name, value()?)?)?,
            "--timeout" => {
                let seconds = positive(name, &text(name, value()?)?)?;
                opts.timeout = Duration::from_secs(seconds.into());
            }
            "--systems" => opts.systems = names(&text(name, value()?)?),
            "--samite" => opts.samite = Some(value()?.into()),
            "--dir" => opts.dir = Some(value()?.into()),
            "--emit" => opts.command = Command::Emit(value()?.into()),
            "--remark" => opts.recording.remark = remark(&text(name, value()?)?)?,
            "--markdown" | "--list" | "--instructions" | "--record" | "--help"
                if inline.is_some() =>
            {
                return Err(format!("{name} takes no value"));
            }
            "--markdown" => opts.markdown = true,
            "--instructions" => opts.command = Command::Count,
            "--record" => opts.recording.record = true,
            "--list" => opts.command = Command::List,
            "--help" | "-h" => return Ok(Parsed::Help),
            _ => return Err(format!("unknown argument {arg}")),
        }
    }
    let count = matches!(opts.command, Command::Count);
    if !count && (opts.recording.record || !opts.recording.remark.is_empty()) {
        return Err("--record and --remark belong to --instructions".to_owned());
    }
    if count && opts.set != Some(Set::Programs) {
        return Err("--instructions counts the set programs".to_owned());
    }
    Ok(Parsed::Run(Box::new(opts)))
}

/// A remark is a field of a line of comma-separated values.
fn remark(text: &str) -> Result<String, String> {
    if text.contains([',', '\n', '"']) {
        return Err("a remark has no comma, quote or line break".to_owned());
    }
    Ok(text.to_owned())
}

fn text(name: &str, value: OsString) -> Result<String, String> {
    value
        .into_string()
        .map_err(|_| format!("the value of {name} is not text"))
}

fn names(list: &str) -> Vec<String> {
    list.split(',')
        .filter(|s| !s.is_empty())
        .map(str::to_owned)
        .collect()
}

fn set(name: &str) -> Result<Option<Set>, String> {
    if name == "all" {
        return Ok(None);
    }
    match Set::ALL.into_iter().find(|set| set.name() == name) {
        Some(set) => Ok(Some(set)),
        None => Err(format!("no set {name}: programs, tabling, large or all")),
    }
}

fn positive(name: &str, value: &str) -> Result<u32, String> {
    match value.parse() {
        Ok(n) if n > 0 => Ok(n),
        _ => Err(format!("{name} wants a positive integer, not {value}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(args: &[&str]) -> Result<Box<Options>, String> {
        let args: Vec<OsString> = args.iter().map(OsString::from).collect();
        match parse(&args)? {
            Parsed::Run(opts) => Ok(opts),
            Parsed::Help => Err("help".to_owned()),
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
