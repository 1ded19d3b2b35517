//! `samite-bench`: runs the benchmark programs under Samite and under the other
//! Prolog systems found on the machine, checks that their outputs agree, and
//! prints times, memory and ratios.
//!
//! Bird's-eye view: [`options`] reads the command line, [`programs`] lists what
//! there is to run (with [`graphs`] for the tabling programs), [`systems`] knows
//! how each Prolog is started, [`samite_bench::child`] runs one process and accounts for
//! it, [`samite_bench::measure`] collects the runs, [`report`] prints them;
//! [`instructions`] counts instructions instead, [`micro`] measures single operations, [`paper`] what the paper on tabling by many threads did.
//!
//! Invariant: one process runs at a time.  The systems take turns within each
//! round, so that noise on the machine falls on all of them.

mod graphs;
mod instructions;
mod micro;
mod options;
mod paper;
mod programs;
mod report;
mod systems;

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use options::{Asked, Command, Options, Parsed};
use programs::{Program, Set};
use samite_bench::child;
use samite_bench::measure::{Cell, Outcome, Row};
use systems::System;

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args_os().skip(1).collect();
    let result = match options::parse(&args) {
        Ok(Parsed::Help) => {
            print_out(options::USAGE);
            Ok(ExitCode::SUCCESS)
        }
        Ok(Parsed::Run(opts)) => run(&opts),
        Err(message) => {
            eprintln!("samite-bench: {message} (--help lists the options)");
            Ok(ExitCode::from(2))
        }
    };
    result.unwrap_or_else(|message| {
        eprintln!("samite-bench: {message}");
        ExitCode::from(2)
    })
}

/// Does what the options ask.  The exit code is 1 if Samite took part and failed
/// or disagreed anywhere.
fn run(opts: &Options) -> Result<ExitCode, String> {
    let dir = programs::bench_dir(opts.dir.as_deref())?;
    if let Command::Micro(asked) = &opts.command {
        return micro(asked, opts, &dir);
    }
    if let Command::Paper(asked) = &opts.command {
        return paper(asked, opts, &dir);
    }
    let selected = programs::select(&dir, opts.set, &opts.only)?;
    match &opts.command {
        Command::List => {
            let names: String = selected.iter().map(|p| format!("{}\n", p.name)).collect();
            print_out(&names);
            return Ok(ExitCode::SUCCESS);
        }
        Command::Emit(to) => {
            make_dir(to)?;
            for program in &selected {
                program.write_to(to)?;
            }
            return Ok(ExitCode::SUCCESS);
        }
        Command::Measure | Command::Count | Command::Micro(_) | Command::Paper(_) => {}
    }

    let work = WorkDir::new()?;
    let systems = systems::find(opts);
    if systems.is_empty() {
        return Err("no Prolog system found on this machine".to_owned());
    }
    if matches!(opts.command, Command::Count) {
        let Some(samite) = systems.iter().find(|s| s.is_samite()) else {
            return Err("no samite to count (--samite PATH)".to_owned());
        };
        let within = instructions::run(samite.path(), &selected, &dir, &work.0, &opts.recording)?;
        return Ok(if within {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        });
    }
    let mut samite_ok = true;
    for set in Set::ALL {
        let programs: Vec<&Program> = selected.iter().filter(|p| p.set == set).collect();
        if programs.is_empty() {
            continue;
        }
        let systems: Vec<&System> = systems.iter().filter(|s| s.supports(set)).collect();
        let rows = measure_set(&programs, &systems, opts, &work.0)?;
        samite_ok &= rows.iter().all(|row| {
            row.cells
                .iter()
                .zip(&systems)
                .all(|(cell, system)| !system.is_samite() || cell.succeeded())
        });
        print_out(&report::render(set, &systems, &rows, opts));
    }
    Ok(if samite_ok {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Lists or measures what the paper did.
fn paper(asked: &Asked, opts: &Options, dir: &Path) -> Result<ExitCode, String> {
    if matches!(asked, Asked::List) {
        let programs = paper::programs(&opts.only);
        let names: String = programs.iter().map(|p| format!("{}\n", p.name)).collect();
        print_out(&names);
        return Ok(ExitCode::SUCCESS);
    }
    let work = WorkDir::new()?;
    let systems = systems::find(opts);
    let Some(samite) = systems.iter().find(|s| s.is_samite()) else {
        return Err("no samite to measure (--samite PATH)".to_owned());
    };
    Ok(
        match paper::run(samite.path(), dir, &work.0, opts, progress)? {
            true => ExitCode::SUCCESS,
            false => ExitCode::FAILURE,
        },
    )
}

/// Lists or measures operations.
fn micro(asked: &Asked, opts: &Options, dir: &Path) -> Result<ExitCode, String> {
    let operations = micro::operations(dir, &opts.only)?;
    if matches!(asked, Asked::List) {
        let names: String = operations.iter().map(|o| format!("{}\n", o.name)).collect();
        print_out(&names);
        return Ok(ExitCode::SUCCESS);
    }
    let work = WorkDir::new()?;
    let systems = systems::find(opts);
    let good = micro::run(
        &operations,
        &systems,
        opts,
        dir,
        &work.0,
        progress,
        print_out,
    )?;
    Ok(if good {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Runs every program of one set, the systems in turn, `opts.runs` times.
fn measure_set(
    programs: &[&Program],
    systems: &[&System],
    opts: &Options,
    work: &Path,
) -> Result<Vec<Row>, String> {
    let mut rows = Vec::with_capacity(programs.len());
    for (index, program) in programs.iter().enumerate() {
        let file = program.write_to(work)?;
        let mut cells: Vec<Cell> = systems.iter().map(|_| Cell::default()).collect();
        for round in 1..=opts.runs {
            for (system, cell) in systems.iter().zip(&mut cells) {
                if cell.given_up() {
                    continue;
                }
                progress(&format!(
                    "{}/{} {} round {round} {}",
                    index + 1,
                    programs.len(),
                    program.name,
                    system.label()
                ));
                cell.record(run_once(system, &file, opts, work));
            }
        }
        progress("");
        let mut row = Row {
            name: program.name.clone(),
            cells,
        };
        let baseline = systems.iter().position(|s| s.is_baseline());
        row.check_against(program.expected.as_deref(), baseline);
        rows.push(row);
    }
    Ok(rows)
}

fn run_once(system: &System, file: &Path, opts: &Options, work: &Path) -> Outcome {
    match system.command(file, work) {
        Ok(command) => child::run(command, opts.timeout, work),
        Err(reason) => Outcome::Failed(reason),
    }
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

fn make_dir(dir: &Path) -> Result<(), String> {
    std::fs::create_dir_all(dir).map_err(|e| format!("cannot make {}: {e}", dir.display()))
}

/// A directory beside the executable for composed programs and outputs, removed
/// at the end.
struct WorkDir(PathBuf);

impl WorkDir {
    fn new() -> Result<Self, String> {
        let exe = std::env::current_exe().map_err(|e| format!("own executable: {e}"))?;
        let parent = exe.parent().unwrap_or(Path::new("."));
        let dir = parent.join(format!("bench-work-{}", std::process::id()));
        make_dir(&dir)?;
        Ok(Self(dir))
    }
}

impl Drop for WorkDir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
