//! `--instructions`: how many instructions each of the programs takes, as callgrind counts them, beside what `history.csv` had last. By this
//! it is judged whether a change has made the machine slower: the clock of a busy machine says nothing about a percent, this count is the same
//! in each run to some 0.02%.
//!
//! Counted programs are smaller than timed ones, as callgrind is fifty times slower: a comment `% Counted with: FROM => TO` in a program says what is
//! replaced, and must fit something. The count of a program that does nothing, `start`, is a row of its own and taken from the others.
//!
//! Invariant of `history.csv`: a row whose count is more than [`TOLERANCE`] above the row of its program before it has a remark.

use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use samite_bench::child;

use crate::programs::Program;

/// How much a count may be above the last before a reason is due.
const TOLERANCE: f64 = 0.01;

const HEADER: &str = "commit,program,instructions,kilobytes,remark";

/// The program that does nothing.
const START: &str = "start";

/// What is asked beside the figures.
pub struct Recording {
    /// Append the figures to the history.
    pub record: bool,
    /// Why counts are above the last ones; empty if none was given.
    pub remark: String,
}

/// One program's figures.
struct Count {
    program: String,
    instructions: u64,
    /// Largest resident size of a run at full size, without callgrind.
    kilobytes: u64,
}

/// Counts, prints a table, appends to the history if asked. True if nothing is above the last figures by more than the tolerance.
///
/// # Errors
///
/// A line on what could not be run, read or written.
pub fn run(
    samite: &Path,
    programs: &[Program],
    bench: &Path,
    work: &Path,
    recording: &Recording,
) -> Result<bool, String> {
    let history = bench.join("history.csv");
    let last = last_counts(&history)?;
    let empty = work.join("start.pl");
    write(&empty, "main.\n")?;
    let start = count(START, samite, &empty, peak(START, samite, &empty)?)?;
    let mut counts = Vec::new();
    for program in programs {
        let file = program.write_to(work)?;
        let kilobytes = peak(&program.name, samite, &file)?;
        write(
            &file,
            &smaller(&read(&file)?).map_err(|e| format!("{}: {e}", program.name))?,
        )?;
        let mut c = count(&program.name, samite, &file, kilobytes)?;
        c.instructions = c.instructions.saturating_sub(start.instructions);
        counts.push(c);
    }
    counts.insert(0, start);

    let mut within = true;
    println!(
        "{:<12} {:>15} {:>10} {:>10}",
        "program", "instructions", "to last", "resident"
    );
    for c in &counts {
        let before = last.get(&c.program);
        let ratio = before.map(|&l| c.instructions as f64 / l as f64);
        let over = before.is_some_and(|&l| is_over(c.instructions, l));
        within &= !over;
        println!(
            "{:<12} {:>15} {:>10} {:>7} kB{}",
            c.program,
            c.instructions,
            ratio.map_or("-".to_owned(), |r| format!("{r:.4}")),
            c.kilobytes,
            if over { "  more than before" } else { "" }
        );
    }
    if recording.record {
        if !within && recording.remark.is_empty() {
            return Err("not recorded: what is above the last figures needs a --remark".to_owned());
        }
        append(&history, &counts, &last, &recording.remark)?;
    }
    Ok(within || !recording.remark.is_empty())
}

/// The text with what its comments `% Counted with: FROM => TO` say.
fn smaller(text: &str) -> Result<String, String> {
    let (comments, mut program): (Vec<&str>, String) = {
        let (c, p): (Vec<_>, Vec<_>) = text.lines().partition(|l| l.starts_with('%'));
        (c, p.join("\n") + "\n")
    };
    for change in comments
        .iter()
        .filter_map(|c| c.strip_prefix("% Counted with: "))
    {
        let Some((from, to)) = change.split_once(" => ") else {
            return Err(format!("no arrow in: {change}"));
        };
        if !program.contains(from) {
            return Err(format!("nothing is replaced by: {change}"));
        }
        program = program.replace(from, to);
    }
    Ok(program)
}

/// Runs a program and ends.
const GOAL: [&str; 5] = ["-q", "-g", "main", "-t", "halt"];

/// The largest resident size of a run of `file`, in kilobytes.
fn peak(name: &str, samite: &Path, file: &Path) -> Result<u64, String> {
    let mut command = Command::new(samite);
    command.args(GOAL).arg(file);
    child::peak_kilobytes(command).map_err(|e| format!("{name}: {e}"))
}

/// Runs `file` under callgrind.
fn count(name: &str, samite: &Path, file: &Path, kilobytes: u64) -> Result<Count, String> {
    let ended = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(samite)
        .args(GOAL)
        .arg(file)
        .stdin(Stdio::null())
        .output()
        .map_err(|e| format!("valgrind: {e}"))?;
    let said = String::from_utf8_lossy(&ended.stderr);
    if !ended.status.success() {
        return Err(format!("{name}: {}: {}", ended.status, said.trim_end()));
    }
    let instructions = said
        .lines()
        .find_map(|l| l.split_once("Collected :")?.1.trim().parse().ok())
        .ok_or_else(|| format!("{name}: valgrind printed no count"))?;
    Ok(Count {
        program: name.to_owned(),
        instructions,
        kilobytes,
    })
}

/// The last count of each program in the history; empty if there is none yet.
fn last_counts(history: &Path) -> Result<HashMap<String, u64>, String> {
    if !history.exists() {
        return Ok(HashMap::new());
    }
    last_rows(&read(history)?).map_err(|e| format!("{}:{e}", history.display()))
}

/// The last count of each program in a history's text.
///
/// # Errors
///
/// The line that is no row, or that gives no reason for being above the one of its program before it.
fn last_rows(text: &str) -> Result<HashMap<String, u64>, String> {
    let mut last = HashMap::new();
    for (number, line) in text.lines().enumerate().skip(1) {
        let fields: Vec<&str> = line.splitn(5, ',').collect();
        let &[_, program, count, kilobytes, remark] = fields.as_slice() else {
            return Err(format!("{}: not a row", number + 1));
        };
        let (Ok(count), Ok(_)) = (count.parse(), kilobytes.parse::<u64>()) else {
            return Err(format!("{}: not a row", number + 1));
        };
        let before = last.insert(program.to_owned(), count);
        if before.is_some_and(|b| is_over(count, b)) && remark.trim().is_empty() {
            return Err(format!("{}: more than before without a reason", number + 1));
        }
    }
    Ok(last)
}

/// Whether a reason is due for a count.
fn is_over(count: u64, last: u64) -> bool {
    count as f64 > last as f64 * (1.0 + TOLERANCE)
}

fn append(
    history: &Path,
    counts: &[Count],
    last: &HashMap<String, u64>,
    remark: &str,
) -> Result<(), String> {
    let commit = Command::new("git")
        .args(["rev-parse", "--short=10", "HEAD"])
        .output()
        .map_err(|e| format!("git: {e}"))?;
    let commit = String::from_utf8_lossy(&commit.stdout).trim().to_owned();
    let mut rows = String::new();
    if !history.exists() {
        rows.push_str(HEADER);
        rows.push('\n');
    }
    for c in counts {
        let over = last
            .get(&c.program)
            .is_some_and(|&l| is_over(c.instructions, l));
        let remark = if over { remark } else { "" };
        rows += &format!(
            "{commit},{},{},{},{remark}\n",
            c.program, c.instructions, c.kilobytes
        );
    }
    fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(history)
        .and_then(|mut f| f.write_all(rows.as_bytes()))
        .map_err(|e| format!("cannot write {}: {e}", history.display()))
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|e| format!("cannot read {}: {e}", path.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_make_programs_smaller() {
        let text = "% What it is.\n% Counted with: f(90) => f(3)\nmain :- f(90), g(f(90)).\n";
        assert_eq!(smaller(text).unwrap(), "main :- f(3), g(f(3)).\n");
        assert!(smaller("% Counted with: f(1) => f(2)\nmain.\n").is_err());
    }

    #[test]
    fn what_is_above_the_row_before_has_a_reason() {
        let rows = |rows: &str| last_rows(&format!("{HEADER}\n{rows}"));
        assert_eq!(rows("a,fib,1000,5,\nb,fib,1009,5,\n").unwrap()["fib"], 1009);
        assert_eq!(
            rows("a,fib,1000,5,\nb,fib,1011,5,so, it is\n").unwrap()["fib"],
            1011
        );
        assert_eq!(rows("a,fib,1000,5,\nb,tak,2000,5,\n").unwrap().len(), 2);
        assert!(
            rows("a,fib,1000,5,\nb,fib,1011,5,\n")
                .unwrap_err()
                .starts_with("3: more")
        );
        assert!(rows("a,fib,1000\n").is_err());
    }

    #[test]
    fn the_history_is_as_it_should_be() {
        let history = Path::new(env!("CARGO_MANIFEST_DIR")).join("history.csv");
        assert!(last_counts(&history).unwrap().len() > 30);
    }

    /// All programs of the repository say how they are counted, and what they say fits.
    #[test]
    fn all_programs_can_be_counted() {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs");
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            let text = read(&path).unwrap();
            assert!(text.contains("% Counted with: "), "{}", path.display());
            smaller(&text).unwrap();
        }
    }
}
