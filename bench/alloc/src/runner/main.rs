//! `samite-bench-alloc`: runs the workloads of `alloc-work` under every C allocator found on the machine, checks
//! that the results agree, and prints times, memory and ratios.
//!
//! Bird's-eye view: [`options`] reads the command line, [`allocators`] finds the libraries, [`tasks`] lists what
//! there is to run, [`report`] prints the tables, [`counts`] what our own library counted.
//!
//! Invariant: one process runs at a time. The allocators take turns within each round, so that noise on the machine
//! falls on all of them, and every round has another seed.

mod allocators;
mod counts;
mod options;
mod report;
mod tasks;

use allocators::Allocator;
use options::{Options, Parsed};
use samite_bench::child;
use samite_bench::measure::{Cell, Outcome, Row};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tasks::Task;

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args_os().skip(1).collect();
    let result = match options::parse(&args) {
        Ok(Parsed::Help) => {
            print_out(options::USAGE);
            Ok(ExitCode::SUCCESS)
        }
        Ok(Parsed::Run(opts)) => run(&opts),
        Err(message) => Err(format!("{message} (--help lists the options)")),
    };
    result.unwrap_or_else(|message| {
        eprintln!("samite-bench-alloc: {message}");
        ExitCode::from(2)
    })
}

/// Does what the options ask. The exit code is 1 if our allocator took part and failed or disagreed anywhere.
fn run(opts: &Options) -> Result<ExitCode, String> {
    let work_program = beside("alloc-work")?;
    let tasks = tasks::select(&work_program, opts)?;
    if opts.list {
        let names: String = tasks.iter().map(|t| format!("{}\n", t.name)).collect();
        print_out(&names);
        return Ok(ExitCode::SUCCESS);
    }
    let allocators = allocators::find(opts)?;
    let work = WorkDir::new()?;
    let mut rows = Vec::with_capacity(tasks.len());
    for (number, task) in tasks.iter().enumerate() {
        rows.push(measure(
            task,
            number,
            tasks.len(),
            &allocators,
            opts,
            &work.0,
        ));
    }
    progress("");
    print_out(&report::render(&allocators, &tasks, &rows, opts));
    if let Some(ours) = allocators.iter().position(Allocator::is_ours) {
        print_out(&counts::render(&allocators[ours], &tasks, opts));
        if !rows.iter().all(|row| row.cells[ours].succeeded()) {
            return Ok(ExitCode::FAILURE);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs one task under all allocators in turn, `opts.runs` times.
fn measure(
    task: &Task,
    number: usize,
    of: usize,
    allocators: &[Allocator],
    opts: &Options,
    work: &Path,
) -> Row {
    let mut cells: Vec<Cell> = allocators.iter().map(|_| Cell::default()).collect();
    // The rounds have different seeds, hence different results; they are compared within a round.
    for round in 1..=opts.runs {
        let seed = opts.seed.wrapping_add(u64::from(round));
        let mut expected = None;
        for (allocator, cell) in allocators.iter().zip(&mut cells) {
            if cell.given_up() {
                continue;
            }
            let (label, name) = (allocator.label(), &task.name);
            progress(&format!("{}/{of} {name} round {round} {label}", number + 1));
            let mut outcome = child::run(task.command(allocator, seed, opts), opts.timeout, work);
            if let Outcome::Finished(sample) = &mut outcome {
                let expected = expected.get_or_insert_with(|| sample.result.clone());
                if *expected == sample.result {
                    sample.result = "agreed".to_owned();
                } else {
                    sample.result += " differs";
                }
            }
            cell.record(outcome);
        }
    }
    let mut row = Row {
        name: task.name.clone(),
        cells,
    };
    row.check_against(Some("agreed"), None);
    row
}

/// One line on the terminal that the next one overwrites; nothing elsewhere.
fn progress(text: &str) {
    let mut err = io::stderr();
    if err.is_terminal() {
        // A progress line that cannot be written is no reason to stop.
        let _ = write!(err, "\r\x1b[K{text}");
        let _ = err.flush();
    }
}

/// Standard output may be a closed pipe (`| head`): that ends quietly.
fn print_out(text: &str) {
    let _ = io::stdout().write_all(text.as_bytes());
}

/// A program of this package, which is built beside this one.
fn beside(name: &str) -> Result<PathBuf, String> {
    let exe = std::env::current_exe().map_err(|e| format!("own executable: {e}"))?;
    let path = exe.with_file_name(name);
    if path.is_file() {
        Ok(path)
    } else {
        Err(format!(
            "no {name} beside this program: cargo build --release -p samite-bench-alloc"
        ))
    }
}

/// A directory beside the executable for outputs, removed at the end.
struct WorkDir(PathBuf);

impl WorkDir {
    fn new() -> Result<Self, String> {
        let dir =
            beside("alloc-work")?.with_file_name(format!("bench-alloc-{}", std::process::id()));
        std::fs::create_dir_all(&dir).map_err(|e| format!("cannot make {}: {e}", dir.display()))?;
        Ok(Self(dir))
    }
}

impl Drop for WorkDir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
