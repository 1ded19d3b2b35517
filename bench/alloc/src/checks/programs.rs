//! Ordinary programs, run by scripts with and without the library: they must end alike and say the same.

use crate::LIMIT;
use crate::run::{self, Ended, Verdict};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A script of the programs' directory.
pub struct Script {
    pub name: String,
    path: PathBuf,
    /// Commands that it needs.
    needs: Vec<String>,
}

/// All scripts, by name. Their directory is part of the source tree that this was built from.
pub fn all() -> Result<Vec<Script>, String> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs");
    let entries = std::fs::read_dir(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    let mut scripts = Vec::new();
    for entry in entries {
        let path = entry.map_err(|e| e.to_string())?.path();
        if path.extension().is_none_or(|e| e != "sh") {
            continue;
        }
        let text =
            std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let needs = text.lines().find_map(|line| line.strip_prefix("# needs: "));
        scripts.push(Script {
            name: path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            needs: needs
                .unwrap_or_default()
                .split_whitespace()
                .map(str::to_owned)
                .collect(),
            path,
        });
    }
    scripts.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(scripts)
}

impl Script {
    /// Runs the script twice and compares.
    pub fn check(&self, library: Option<&Path>, work: &Path) -> Result<Verdict, String> {
        if let Some(missing) = self.needs.iter().find(|name| !here(name)) {
            return Ok(Verdict::Skipped(format!("{missing} is not installed")));
        }
        let plain = self.run(None, work)?;
        let under = self.run(library, work)?;
        Ok(compare(&plain, &under))
    }

    fn run(&self, library: Option<&Path>, work: &Path) -> Result<Ended, String> {
        // A new directory with the same name each time: names appear in what programs say.
        let dir = work.join("dir");
        if dir.exists() {
            std::fs::remove_dir_all(&dir).map_err(|e| e.to_string())?;
        }
        std::fs::create_dir_all(&dir).map_err(|e| e.to_string())?;
        let mut command = Command::new("bash");
        command.arg(&self.path).current_dir(&dir).env("LC_ALL", "C");
        run::preload(&mut command, library);
        run::run(command, work, &self.name, LIMIT).map_err(|e| format!("{}: {e}", self.name))
    }
}

fn compare(plain: &Ended, under: &Ended) -> Verdict {
    let Some(expected) = plain.status else {
        return Verdict::Skipped("does not end without the library either".to_owned());
    };
    if !expected.success() {
        let why = String::from_utf8_lossy(&plain.stderr).into_owned();
        let why = why.lines().last().unwrap_or_default();
        return Verdict::Skipped(format!("fails without the library too: {expected} {why}"));
    }
    let Some(status) = under.status else {
        return Verdict::Failed(format!("stopped after {} s", LIMIT.as_secs()));
    };
    if status != expected {
        return Verdict::Failed(format!(
            "{status}; {}",
            first_difference(&plain.stderr, &under.stderr)
        ));
    }
    for (stream, a, b) in [
        ("output", &plain.stdout, &under.stdout),
        ("error output", &plain.stderr, &under.stderr),
    ] {
        if a != b {
            return Verdict::Failed(format!("{stream} differs: {}", first_difference(a, b)));
        }
    }
    let said = String::from_utf8_lossy(&plain.stdout).into_owned();
    Verdict::Passed(said.lines().last().unwrap_or_default().to_owned())
}

/// The first line of `b` that is not in `a`, cut to a readable length.
fn first_difference(a: &[u8], b: &[u8]) -> String {
    let (a, b) = (String::from_utf8_lossy(a), String::from_utf8_lossy(b));
    let known: std::collections::HashSet<&str> = a.lines().collect();
    let line = b
        .lines()
        .find(|line| !known.contains(line))
        .unwrap_or("nothing new is said");
    line.chars().take(200).collect()
}

fn here(command: &str) -> bool {
    Command::new("bash")
        .args(["-c", "command -v \"$1\"", "bash", command])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    fn ended(code: i32, stdout: &str) -> Ended {
        Ended {
            status: Some(ExitStatus::from_raw(code)),
            stdout: stdout.as_bytes().to_vec(),
            stderr: Vec::new(),
        }
    }

    #[test]
    fn only_equals_pass() {
        let plain = ended(0, "a\nb\n");
        assert!(
            matches!(compare(&plain, &ended(0, "a\nb\n")), Verdict::Passed(what) if what == "b")
        );
        assert!(matches!(
            compare(&plain, &ended(0, "a\n")),
            Verdict::Failed(_)
        ));
        assert!(matches!(
            compare(&plain, &ended(6, "a\nb\n")),
            Verdict::Failed(_)
        ));
        assert!(matches!(
            compare(&ended(1, ""), &ended(1, "")),
            Verdict::Skipped(_)
        ));
    }

    #[test]
    fn scripts_are_found() {
        let scripts = all().unwrap();
        assert!(
            scripts
                .iter()
                .any(|s| s.name == "bash" && s.needs == ["bash"])
        );
    }
}
