//! What there is to run: the workloads of `alloc-work`, and the malloc stressor of stress-ng with the sizes and the
//! numbers of workers of the paper's table.

use crate::allocators::Allocator;
use crate::options::Options;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Largest allocations of the stressor.
const STRESS_BYTES: [u32; 4] = [1, 5, 10, 20];
/// Its numbers of workers. They are processes with one allocating thread each.
const STRESS_WORKERS: [u32; 3] = [1, 2, 4];
/// Its operations at scale 1.
const STRESS_OPS: f64 = 1.5e6;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// Workloads with one thread.
    Single,
    /// Workloads with several.
    Multi,
    Stress,
}

enum Program {
    Work(PathBuf),
    Stress { kilobytes: u32, workers: u32 },
}

/// One thing to run under every allocator.
pub struct Task {
    pub name: String,
    pub group: Group,
    program: Program,
}

/// The tasks that the options ask for.
pub fn select(work_program: &Path, opts: &Options) -> Result<Vec<Task>, String> {
    let mut tasks = workloads(work_program)?;
    let here = Command::new("stress-ng")
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if opts.stress && here {
        for kilobytes in STRESS_BYTES {
            for workers in STRESS_WORKERS {
                tasks.push(Task {
                    name: format!("stress-{kilobytes}k-{workers}"),
                    group: Group::Stress,
                    program: Program::Stress { kilobytes, workers },
                });
            }
        }
    } else if opts.stress {
        eprintln!("samite-bench-alloc: stress-ng is not installed, so left out");
    }
    if let Some(unknown) = opts
        .only
        .iter()
        .find(|w| tasks.iter().all(|t| t.name != **w))
    {
        return Err(format!("no workload is called {unknown}"));
    }
    tasks.retain(|task| opts.only.is_empty() || opts.only.contains(&task.name));
    Ok(tasks)
}

fn workloads(work_program: &Path) -> Result<Vec<Task>, String> {
    let output = Command::new(work_program)
        .arg("--list")
        .output()
        .map_err(|e| format!("{}: {e}", work_program.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let task = |line: &str| {
        let (name, threads) = line.split_once(' ')?;
        Some(Task {
            name: name.to_owned(),
            group: if threads == "m" {
                Group::Multi
            } else {
                Group::Single
            },
            program: Program::Work(work_program.to_owned()),
        })
    };
    let tasks: Option<Vec<Task>> = text.lines().map(task).collect();
    match tasks {
        Some(tasks) if !tasks.is_empty() => Ok(tasks),
        _ => Err(format!("{} --list: {text}", work_program.display())),
    }
}

impl Task {
    /// The command that runs this once.
    pub fn command(&self, allocator: &Allocator, seed: u64, opts: &Options) -> Command {
        match &self.program {
            Program::Work(path) => {
                let mut command = allocator.command(path);
                command.arg(&self.name);
                command.args([seed.to_string(), opts.scale.to_string()]);
                command.args(opts.threads.map(|t| t.to_string()));
                command
            }
            Program::Stress { kilobytes, workers } => {
                // stress-ng has its own random numbers, from a fixed seed unless asked otherwise. The shell adds
                // a result line, since the stressor's own output has times in it.
                let mut command = allocator.command(Path::new("sh"));
                let ops = (STRESS_OPS * opts.scale) as u64;
                command.args(["-c", "stress-ng \"$@\" && echo done", "stress-ng"]);
                command.args(["--quiet", "--no-rand-seed"]);
                command.args(["--malloc".to_owned(), workers.to_string()]);
                command.args(["--malloc-ops".to_owned(), ops.to_string()]);
                command.args(["--malloc-bytes".to_owned(), format!("{kilobytes}k")]);
                command
            }
        }
    }
}
