//! `samite-bench micro [NAME...]`: the operations of `micro/*.pl`, one line each, under Samite and SWI-Prolog: the ratio of their times at three
//! sizes (N, 2N, 4N), and how the time of each grows. `micro/measure.pl` says what an operation is and prints what is read here.
//!
//! A process measures one operation at its three sizes. The systems take turns, and the least of the rounds counts. An operation is marked if
//! Samite takes more than [`SLOWER`] of SWI-Prolog's time at a size (where that is long enough to be told), if its time grows by a higher
//! order, if the results differ, or if Samite did not get to the end.
//!
//! Invariant: a name is that of one operation only, in all files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use samite_bench::child::{self, Printed};

use crate::options::Options;
use crate::systems::System;

/// Above this ratio an operation is marked.
const SLOWER: f64 = 1.2;

/// Seconds below which a time says nothing about a ratio.
const TELLING: f64 = 0.002;

/// Of how much higher an order the growth is marked: time is about size to the power of the order.
const HIGHER: f64 = 0.4;

/// What all topics are loaded after.
const HARNESS: &str = "measure.pl";

/// The sizes are the smallest times these.
const MULTIPLES: [u64; 3] = [1, 2, 4];

/// One operation, as its file declares it.
pub struct Operation {
    pub name: String,
    size: u64,
    file: PathBuf,
}

impl Operation {
    fn sizes(&self) -> [u64; 3] {
        MULTIPLES.map(|m| m * self.size)
    }
}

/// The operations of the files in `bench/micro`; those of `names` alone if there are any: an operation's name, a file's without `.pl`, or the
/// beginning of names before a `*`.
///
/// # Errors
///
/// A line on what cannot be read, is there twice or not at all.
pub fn operations(bench: &Path, names: &[String]) -> Result<Vec<Operation>, String> {
    let dir = bench.join("micro");
    let cannot = |e: std::io::Error| format!("cannot read {}: {e}", dir.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(&dir).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        if path.extension().is_some_and(|e| e == "pl") && !path.ends_with(HARNESS) {
            files.push(path);
        }
    }
    files.sort();
    let mut all: Vec<Operation> = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).map_err(cannot)?;
        for (name, size) in declared(&text) {
            if all.iter().any(|o| o.name == name) {
                return Err(format!("{}: {name} is there twice", file.display()));
            }
            let file = file.clone();
            all.push(Operation { name, size, file });
        }
    }
    if let Some(unknown) = names.iter().find(|n| !all.iter().any(|o| fits(n, o))) {
        return Err(format!(
            "no operation {unknown} (micro --list shows the names)"
        ));
    }
    if !names.is_empty() {
        all.retain(|o| names.iter().any(|n| fits(n, o)));
    }
    Ok(all)
}

/// Whether what stands on the command line means this operation.
fn fits(asked: &str, operation: &Operation) -> bool {
    match asked.strip_suffix('*') {
        Some(beginning) => operation.name.starts_with(beginning),
        None => operation.name == asked || operation.file.file_stem().is_some_and(|s| s == asked),
    }
}

/// The clauses `operation(Name, Size).` of a file, each a line.
fn declared(text: &str) -> impl Iterator<Item = (String, u64)> + '_ {
    text.lines().filter_map(|line| {
        let inside = line.strip_prefix("operation(")?.strip_suffix(").")?;
        let (name, size) = inside.split_once(", ")?;
        Some((name.to_owned(), size.parse().ok()?))
    })
}

/// What a system took for an operation, by size, and what came out.
#[derive(Default)]
struct Times {
    seconds: BTreeMap<u64, f64>,
    results: BTreeMap<u64, String>,
    /// Why there is no more.
    ended: Option<String>,
}

impl Times {
    /// Takes in what one process printed: the least counts.
    fn record(&mut self, printed: Printed) {
        for line in printed.out.lines() {
            let Some((size, seconds, result)) = measurement(line) else {
                continue;
            };
            let least = self.seconds.entry(size).or_insert(seconds);
            *least = least.min(seconds);
            self.results.entry(size).or_insert(result);
        }
        if printed.status.is_none() {
            self.ended = Some("stopped at the time limit".to_owned());
        } else if let Some(complaint) = child::complaint(&printed.err) {
            self.ended = Some(complaint);
        }
    }

    fn at(&self, size: u64) -> Option<f64> {
        self.seconds.get(&size).copied()
    }

    /// The order of growth: how the last time is above the first, as a power of the size.
    fn order(&self, sizes: [u64; 3]) -> Option<f64> {
        let (first, last) = (self.at(sizes[0])?, self.at(sizes[2])?);
        let (first, last) = (first.max(TELLING), last.max(TELLING));
        Some((last / first).ln() / ((sizes[2] as f64) / (sizes[0] as f64)).ln())
    }
}

/// Size, seconds and result of a line `micro NAME SIZE SECONDS RESULT`.
fn measurement(line: &str) -> Option<(u64, f64, String)> {
    let mut words = line.strip_prefix("micro ")?.splitn(4, ' ');
    let _name = words.next()?;
    Some((
        words.next()?.parse().ok()?,
        words.next()?.parse().ok()?,
        words.next()?.to_owned(),
    ))
}

/// An operation under both systems.
struct Compared<'a> {
    operation: &'a Operation,
    samite: Times,
    swipl: Times,
}

impl Compared<'_> {
    /// Samite's time to that of SWI-Prolog; none where that of both is too short.
    fn ratio(&self, size: u64) -> Option<f64> {
        let (a, b) = (self.samite.at(size)?, self.swipl.at(size)?);
        (a >= TELLING || b >= TELLING).then(|| a.max(1e-6) / b.max(1e-6))
    }

    /// What the line is marked with; nothing if all is well.
    fn marks(&self) -> Vec<String> {
        let mut marks = Vec::new();
        let sizes = self.operation.sizes();
        if let Some(why) = &self.samite.ended {
            marks.push(why.clone());
        }
        let differs = |size: &u64| {
            let of = |t: &Times| t.results.get(size).cloned();
            of(&self.samite)
                .zip(of(&self.swipl))
                .is_some_and(|(a, b)| a != b)
        };
        if sizes.iter().any(differs) {
            marks.push("results differ".to_owned());
        }
        let ratios = sizes.iter().filter_map(|&s| self.ratio(s));
        if ratios.fold(0.0, f64::max) > SLOWER {
            marks.push("slower".to_owned());
        }
        if let (Some(ours), Some(theirs)) = (self.samite.order(sizes), self.swipl.order(sizes))
            && ours > theirs + HIGHER
        {
            marks.push("higher order".to_owned());
        }
        marks
    }

    fn line(&self) -> [String; COLUMNS] {
        let sizes = self.operation.sizes();
        let number = |x: Option<f64>, digits: usize| {
            x.map_or_else(|| "-".to_owned(), |x| format!("{x:.digits$}"))
        };
        let last = |times: &Times| number(times.at(sizes[2]).map(|s| s * 1000.0), 1);
        let order = |times: &Times| number(times.order(sizes), 1);
        let [one, two, four] = sizes.map(|size| number(self.ratio(size), 2));
        [
            self.operation.name.clone(),
            self.operation.size.to_string(),
            last(&self.samite),
            last(&self.swipl),
            one,
            two,
            four,
            order(&self.samite),
            order(&self.swipl),
            self.marks().join("; "),
        ]
    }
}

/// Of a line of the table.
const COLUMNS: usize = 10;

/// A line in columns as wide as what usually stands in them, since each line is printed when it is measured.
fn laid_out(line: &[String; COLUMNS]) -> String {
    let [name, size, times @ .., marks] = line;
    let times: String = times.iter().map(|t| format!(" {t:>7}")).collect();
    let line = format!("{name:<28} {size:>8}{times}  {marks}");
    format!("{}\n", line.trim_end())
}

/// Measures and prints the operations; true if none is marked.
///
/// # Errors
///
/// A line on what is missing.
pub fn run(
    operations: &[Operation],
    systems: &[System],
    opts: &Options,
    bench: &Path,
    work: &Path,
    progress: impl Fn(&str),
    print: impl Fn(&str),
) -> Result<bool, String> {
    let Some(samite) = systems.iter().find(|s| s.is_samite()) else {
        return Err("no samite to measure (--samite PATH)".to_owned());
    };
    let swipl = systems.iter().find(|s| s.is_baseline());
    let harness = bench.join("micro").join(HARNESS);
    let header = [
        "operation",
        "size",
        "ms 4N",
        "swipl",
        "N",
        "2N",
        "4N",
        "order",
        "swipl",
        "",
    ];
    print(&laid_out(&header.map(str::to_owned)));
    let mut marked = 0;
    let mut ratios = Vec::new();
    for (index, operation) in operations.iter().enumerate() {
        let mut compared = Compared {
            operation,
            samite: Times::default(),
            swipl: Times::default(),
        };
        for round in 1..=opts.runs {
            progress(&format!(
                "{}/{} {} round {round}",
                index + 1,
                operations.len(),
                operation.name
            ));
            let measured = [
                (Some(samite), &mut compared.samite),
                (swipl, &mut compared.swipl),
            ];
            for (system, times) in measured {
                if let Some(system) = system
                    && times.ended.is_none()
                {
                    let command = system.measuring(&goal(operation), &[&harness, &operation.file]);
                    times.record(printed(command, opts, work)?);
                }
            }
        }
        marked += usize::from(!compared.marks().is_empty());
        ratios.extend(compared.ratio(operation.sizes()[2]));
        progress("");
        print(&laid_out(&compared.line()));
    }
    if let Some(mean) = samite_bench::measure::geometric_mean(&ratios) {
        print(&format!("\ngeometric mean at 4N: {mean:.2}\n"));
    }
    print(&format!("marked: {marked} of {}\n", operations.len()));
    Ok(marked == 0)
}

/// What measures an operation at its sizes.
fn goal(operation: &Operation) -> String {
    format!("measure({}, {:?})", operation.name, operation.sizes())
}

fn printed(command: Command, opts: &Options, work: &Path) -> Result<Printed, String> {
    let name = command.get_program().display().to_string();
    child::printed(command, opts.timeout, work).map_err(|e| format!("{name}: {e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operation(name: &str) -> Operation {
        Operation {
            name: name.to_owned(),
            size: 10,
            file: PathBuf::from("topic.pl"),
        }
    }

    fn times(seconds: [f64; 3]) -> Times {
        let mut times = Times::default();
        for (size, s) in [10, 20, 40].into_iter().zip(seconds) {
            times.seconds.insert(size, s);
            times.results.insert(size, "r".to_owned());
        }
        times
    }

    fn marks(samite: Times, swipl: Times) -> Vec<String> {
        let operation = &operation("x");
        Compared {
            operation,
            samite,
            swipl,
        }
        .marks()
    }

    #[test]
    fn lines_are_read() {
        let (size, seconds, result) = measurement("micro x 10 0.25 f(a, b)").unwrap();
        assert_eq!((size, result.as_str()), (10, "f(a, b)"));
        assert!((seconds - 0.25).abs() < 1e-9);
        assert!(measurement("Warning: micro").is_none());
        let found: Vec<_> = declared("operation(a, 5).\noperation(Name, Size) :- x.\n").collect();
        assert_eq!(found, [("a".to_owned(), 5)]);
    }

    #[test]
    fn what_is_slower_or_grows_faster_is_marked() {
        let linear = || times([0.01, 0.02, 0.04]);
        assert!(marks(linear(), linear()).is_empty());
        assert!(marks(times([0.005, 0.01, 0.02]), linear()).is_empty());
        assert_eq!(marks(times([0.01, 0.02, 0.05]), linear()), ["slower"]);
        assert_eq!(
            marks(times([0.0021, 0.006, 0.03]), linear()),
            ["higher order"]
        );
        assert_eq!(
            marks(times([0.01, 0.04, 0.16]), linear()),
            ["slower", "higher order"]
        );
        // Too short to tell.
        assert!(marks(times([0.0009; 3]), times([0.0001; 3])).is_empty());
    }

    #[test]
    fn other_results_and_ends_are_marked() {
        let mut other = times([0.01, 0.02, 0.04]);
        other.results.insert(20, "s".to_owned());
        assert_eq!(marks(other, times([0.01, 0.02, 0.04])), ["results differ"]);
        let ended = Times {
            ended: Some("why".to_owned()),
            ..Times::default()
        };
        assert_eq!(marks(ended, times([0.01, 0.02, 0.04])), ["why"]);
    }

    #[test]
    fn names_select() {
        let o = operation("first_int");
        assert!(fits("first_int", &o) && fits("topic", &o) && fits("first*", &o));
        assert!(!fits("first", &o) && !fits("second*", &o));
    }

    #[test]
    fn the_operations_have_names_of_their_own() {
        let all = operations(Path::new(env!("CARGO_MANIFEST_DIR")), &[]).unwrap();
        assert!(all.len() > 300, "{}", all.len());
    }
}
