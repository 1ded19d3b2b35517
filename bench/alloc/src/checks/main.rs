//! `alloc-checks [--lib PATH] [--only NAME,..] [--list]`: what a malloc that people preload must do, checked on the
//! library at `PATH` (or on the C library's own).
//!
//! Two kinds of checks: programs of this executable ([`scenes`]), each in a process of its own under the library; and
//! the scripts of `bench/alloc/programs`, which run ordinary programs with and without the library and must say the
//! same ([`programs`]). A script's `# needs:` line names the commands without which it is skipped.
//!
//! The last line is `N passed, N failed, N skipped`; the exit status is 1 if any failed.

mod programs;
mod run;
mod scenes;

use run::Verdict;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

#[global_allocator]
static ISLAND: samite_bench_alloc::island::Island = samite_bench_alloc::island::Island::new();

/// Limit for one check.
const LIMIT: Duration = Duration::from_secs(120);

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    // How this executable starts itself for one scene.
    if let [flag, name] = args.as_slice()
        && flag == "--scene"
    {
        return scenes::play(name);
    }
    match checks(&args) {
        Ok(code) => code,
        Err(message) => {
            eprintln!("alloc-checks: {message}");
            ExitCode::from(2)
        }
    }
}

fn checks(args: &[String]) -> Result<ExitCode, String> {
    let (mut library, mut only, mut list) = (None, Vec::new(), false);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
        match arg.as_str() {
            "--lib" => {
                let path = value()?;
                let path = std::fs::canonicalize(path).map_err(|e| format!("{path}: {e}"))?;
                library = Some(path);
            }
            "--only" => only.extend(value()?.split(',').map(str::to_owned)),
            "--list" => list = true,
            _ => {
                return Err(format!(
                    "unknown argument {arg}: [--lib PATH] [--only NAME,..] [--list]"
                ));
            }
        }
    }
    let scripts = programs::all()?;
    let mut names: Vec<&str> = scenes::SCENES.iter().map(|(name, ..)| *name).collect();
    names.extend(scripts.iter().map(|s| s.name.as_str()));
    if let Some(unknown) = only.iter().find(|o| !names.contains(&o.as_str())) {
        return Err(format!("no check is called {unknown}"));
    }
    if list {
        println!("{}", names.join("\n"));
        return Ok(ExitCode::SUCCESS);
    }
    let wanted = |name: &str| only.is_empty() || only.iter().any(|o| o == name);
    let work = WorkDir::new()?;
    let mut counts = [0; 3];
    let mut tell = |name: &str, verdict: Verdict| {
        let (at, text) = match verdict {
            Verdict::Passed(what) => (0, format!("ok       {what}")),
            Verdict::Failed(why) => (1, format!("FAILED   {why}")),
            Verdict::Skipped(why) => (2, format!("skipped  {why}")),
        };
        counts[at] += 1;
        println!("{name:14} {}", text.trim_end());
    };
    for (name, what, _) in scenes::SCENES {
        if wanted(name) {
            tell(name, scene(name, what, library.as_deref(), &work.0)?);
        }
    }
    for script in scripts.iter().filter(|s| wanted(&s.name)) {
        tell(&script.name, script.check(library.as_deref(), &work.0)?);
    }
    let [passed, failed, skipped] = counts;
    println!("{passed} passed, {failed} failed, {skipped} skipped");
    Ok(if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Starts this executable for one scene under the library.
fn scene(name: &str, what: &str, library: Option<&Path>, work: &Path) -> Result<Verdict, String> {
    let exe = std::env::current_exe().map_err(|e| format!("own executable: {e}"))?;
    let mut command = Command::new("sh");
    // Under a limit from its start, where the scene is about that.
    let limit = match name {
        "exhaustion" => scenes::EXHAUSTION_KIB.to_string(),
        _ => "unlimited".to_owned(),
    };
    let script =
        "ulimit -v \"$0\" && LD_PRELOAD=$2 && export LD_PRELOAD && exec \"$1\" --scene \"$3\"";
    command.args(["-c", script]);
    command
        .arg(limit)
        .arg(exe)
        .arg(library.unwrap_or(Path::new("")))
        .arg(name);
    run::preload(&mut command, None);
    let ended = run::run(command, work, "scene", LIMIT).map_err(|e| format!("{name}: {e}"))?;
    let said = String::from_utf8_lossy(&ended.stdout);
    let last = said.lines().last().unwrap_or_default();
    Ok(match ended.status {
        None => Verdict::Failed(format!("{what}: stopped after {} s", LIMIT.as_secs())),
        Some(status) if status.success() => Verdict::Passed(format!("{what}; {last}")),
        Some(status) => {
            let complaint = String::from_utf8_lossy(&ended.stderr);
            let complaint = complaint.lines().last().unwrap_or_default();
            Verdict::Failed(format!("{what}: {status}; {last} {complaint}"))
        }
    })
}

/// A directory beside the executable for outputs, removed at the end.
struct WorkDir(PathBuf);

impl WorkDir {
    fn new() -> Result<Self, String> {
        let exe = std::env::current_exe().map_err(|e| format!("own executable: {e}"))?;
        let dir = exe.with_file_name(format!("alloc-checks-{}", std::process::id()));
        std::fs::create_dir_all(&dir).map_err(|e| format!("cannot make {}: {e}", dir.display()))?;
        Ok(Self(dir))
    }
}

impl Drop for WorkDir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
