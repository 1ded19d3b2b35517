//! The Prolog systems: where they are found and how each runs a program.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::options::Options;
use crate::programs::Set;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Samite,
    /// Its light threads, where the others have their own.
    Light,
    Swi,
    /// GNU Prolog's byte code.
    GnuBytes,
    /// GNU Prolog's native code; compiling is not measured.
    GnuNative,
    Yap,
    Xsb,
}

/// Systems in the order of columns and of turns, with the name that both the
/// command line and `PATH` know.
const KINDS: [(Kind, &str); 7] = [
    (Kind::Samite, "samite"),
    (Kind::Light, "light"),
    (Kind::Swi, "swipl"),
    (Kind::GnuBytes, "gprolog"),
    (Kind::GnuNative, "gplc"),
    (Kind::Yap, "yap"),
    (Kind::Xsb, "xsb"),
];

/// Stack sizes of GNU Prolog, in kilobytes: it does not grow them itself and has
/// no collector.  It refuses to start with more than 2 GB in all.
const GNU_SIZES: [(&str, &str); 5] = [
    ("GLOBALSZ", "1000000"),
    ("LOCALSZ", "500000"),
    ("TRAILSZ", "300000"),
    ("CSTRSZ", "1000"),
    ("MAX_ATOM", "1000000"),
];

pub struct System {
    kind: Kind,
    label: &'static str,
    path: PathBuf,
}

/// The systems present, of those wanted.  Absent ones that were asked for by name,
/// and an absent Samite, are mentioned.
pub fn find(opts: &Options) -> Vec<System> {
    if let Some(unknown) = opts
        .systems
        .iter()
        .find(|s| KINDS.iter().all(|(_, k)| k != s))
    {
        eprintln!("samite-bench: no system is called {unknown}");
    }
    let mut found = Vec::new();
    for (kind, label) in KINDS {
        let asked = opts.systems.iter().any(|s| s == label);
        if !opts.systems.is_empty() && !asked {
            continue;
        }
        let path = match kind {
            Kind::Samite | Kind::Light => samite(opts),
            _ => on_path(label),
        };
        match path {
            Some(path) => found.push(System { kind, label, path }),
            None if kind == Kind::Samite => eprintln!(
                "samite-bench: samite not found: build it with cargo build --release, \
                 or give --samite PATH; the other systems are measured alone"
            ),
            None if kind == Kind::Light => {}
            None if asked => eprintln!("samite-bench: {label} is not installed"),
            None => {}
        }
    }
    found
}

fn samite(opts: &Options) -> Option<PathBuf> {
    if let Some(path) = &opts.samite {
        return path.is_file().then(|| path.clone());
    }
    let name = format!("samite{}", env::consts::EXE_SUFFIX);
    let beside = env::current_exe().ok()?.parent()?.join(name);
    beside.is_file().then_some(beside)
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .map(|dir| dir.join(name))
        .find(|file| file.is_file())
}

impl System {
    pub fn label(&self) -> &'static str {
        self.label
    }

    /// Where its executable is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn is_samite(&self) -> bool {
        self.kind == Kind::Samite
    }

    /// Whether ratios are taken to this system.
    pub fn is_baseline(&self) -> bool {
        self.kind == Kind::Swi
    }

    /// Whether the system has what the programs of `set` are about.
    pub fn supports(&self, set: Set) -> bool {
        match self.kind {
            Kind::GnuBytes | Kind::GnuNative => {
                !matches!(set, Set::Tabling | Set::Threads | Set::Constraints)
            }
            Kind::Yap | Kind::Xsb => !matches!(set, Set::Threads | Set::Constraints),
            Kind::Light => set == Set::Threads,
            Kind::Samite | Kind::Swi => true,
        }
    }

    /// The command that runs `main` of `file` and ends.
    pub fn command(&self, file: &Path, work: &Path) -> Result<Command, String> {
        let mut command = Command::new(&self.path);
        match self.kind {
            Kind::Samite => {
                command.args(["-g", "main", "-t", "halt"]).arg(file);
            }
            Kind::Light => {
                command
                    .args(["--thread-kind=light", "-g", "main", "-t", "halt"])
                    .arg(file);
            }
            Kind::Swi => {
                command
                    .args(["-O", "-q", "--stack-limit=8g", "--table-space=8g"])
                    .args(["-g", "main", "-t", "halt"])
                    .arg(file);
            }
            Kind::GnuBytes => {
                let load = format!("consult('{}')", quoted(file)?);
                command
                    .arg("--init-goal")
                    .arg(guarded(&format!("{load}, main")));
                command.envs(GNU_SIZES);
            }
            Kind::GnuNative => {
                command = Command::new(self.native(file, work)?);
                command.envs(GNU_SIZES);
            }
            Kind::Yap => {
                command
                    .arg("-q")
                    .arg("-l")
                    .arg(file)
                    .args(["-g", &guarded("main")]);
            }
            Kind::Xsb => {
                let load = format!("consult('{}')", quoted(file)?);
                let goal = format!("{}.", guarded(&format!("{load}, main")));
                command.args(["--nobanner", "--quietload", "--noprompt", "--nofeedback"]);
                command.args(["-e", &goal]);
            }
        }
        Ok(command)
    }

    /// The command that loads `files` and runs `goal`, for Samite and SWI-Prolog, whose command lines are the same.
    pub fn measuring(&self, goal: &str, files: &[&Path]) -> Command {
        let mut command = Command::new(&self.path);
        if self.kind == Kind::Swi {
            command.args(["-O", "--stack-limit=8g", "--table-space=8g"]);
        }
        command.args(["-q", "-g", goal, "-t", "halt"]).args(files);
        command
    }

    /// Compiles `file` to an executable, once for all rounds.
    fn native(&self, file: &Path, work: &Path) -> Result<PathBuf, String> {
        let exe = file.with_extension("native");
        if exe.is_file() {
            return Ok(exe);
        }
        let wrapper = work.join("native_wrapper.pl");
        let text = format!(
            ":- include('{}').\n:- initialization({}).\n",
            quoted(file)?,
            guarded("main")
        );
        fs::write(&wrapper, text).map_err(|e| format!("cannot write the wrapper: {e}"))?;
        let output = Command::new(&self.path)
            .arg("-o")
            .args([&exe, &wrapper])
            .stdin(Stdio::null())
            .output()
            .map_err(|e| format!("{}: {e}", self.path.display()))?;
        if output.status.success() && exe.is_file() {
            return Ok(exe);
        }
        let text = String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr);
        let line = text
            .lines()
            .find(|line| line.contains("undefined") || line.contains("error"))
            .or_else(|| text.lines().next())
            .unwrap_or("no message");
        Err(format!("does not compile: {}", line.trim()))
    }
}

/// A goal that halts with status 0 after `goal`, and with 1 if that fails or
/// throws.
fn guarded(goal: &str) -> String {
    format!(
        "(catch(({goal}), Ball, (write(exception(Ball)), nl, halt(1))) -> halt ; \
         write(error(main_failed)), nl, halt(1))"
    )
}

/// The text of a path inside a quoted atom.
fn quoted(file: &Path) -> Result<String, String> {
    match file.to_str() {
        Some(text) => Ok(text.replace('\\', "\\\\").replace('\'', "''")),
        None => Err(format!("path is not text: {}", file.display())),
    }
}
