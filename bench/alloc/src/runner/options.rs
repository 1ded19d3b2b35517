//! The command line, parsed by hand.

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

/// Reads the arguments after the program's name. `--opt value` and `--opt=value` are both understood.
pub fn parse(args: &[OsString]) -> Result<Parsed, String> {
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
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let Some(arg) = arg.to_str() else {
            return Err(format!("argument is not text: {}", arg.display()));
        };
        let (name, inline) = match arg.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (arg, None),
        };
        let mut value = || match &inline {
            Some(value) => Ok(value.clone()),
            None => rest
                .next()
                .and_then(|v| v.to_str())
                .map(str::to_owned)
                .ok_or_else(|| format!("{name} needs a value")),
        };
        match name {
            "--only" => opts.only = names(&value()?),
            "--allocators" => opts.allocators = names(&value()?),
            "--lib" => {
                let value = value()?;
                let (label, path) = value.split_once('=').ok_or("--lib wants NAME=PATH")?;
                opts.libs.push((label.to_owned(), path.into()));
            }
            "--runs" => opts.runs = positive(name, &value()?)?,
            "--seed" => {
                let text = value()?;
                opts.seed = text.parse().map_err(|_| format!("no number: {text}"))?;
            }
            "--scale" => {
                let text = value()?;
                opts.scale = match text.parse() {
                    Ok(x) if x > 0.0 => x,
                    _ => return Err(format!("--scale wants a positive number, not {text}")),
                };
            }
            "--threads" => opts.threads = Some(positive(name, &value()?)?),
            "--timeout" => opts.timeout = Duration::from_secs(positive(name, &value()?)?.into()),
            "--no-stress" | "--markdown" | "--list" | "--help" if inline.is_some() => {
                return Err(format!("{name} takes no value"));
            }
            "--no-stress" => opts.stress = false,
            "--markdown" => opts.markdown = true,
            "--list" => opts.list = true,
            "--help" | "-h" => return Ok(Parsed::Help),
            _ => return Err(format!("unknown argument {arg}")),
        }
    }
    Ok(Parsed::Run(Box::new(opts)))
}

fn names(list: &str) -> Vec<String> {
    list.split(',')
        .filter(|s| !s.is_empty())
        .map(str::to_owned)
        .collect()
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
