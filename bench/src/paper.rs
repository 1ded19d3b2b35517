//! `samite-bench paper`: the experiments of "An Efficient and Scalable Memory Allocator for Multithreaded Tabled Evaluation of Logic Programs" again, with what Samite has of its designs.
//!
//! What a program is like (its Table I), and how much longer it takes when so many threads ask the same query at once than one thread with private tables from the general allocator does (its Tables II and III), first
//! and second runs, for each design, allocator and scheme. The report is a file of Markdown with a plot for each set.
//!
//! Differs from the paper in: times are the clock's, the least of the rounds (the paper: averages of five); Large Joins and Model Checking are programs of our own, of its sizes as far as it tells them. Where there are fewer processors than threads a ratio is
//! the work that they have to do after one another as well: the report says how many there are.

mod plot;

use crate::graphs::Graph;
use crate::options::Options;
use samite_bench::child;
use samite_bench::layout::align;
use samite_bench::measure::geometric_mean;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

/// One of the programs.
pub struct Program {
    pub name: String,
    set: &'static str,
    file: &'static str,
    data: Data,
}

/// What is loaded beside it.
enum Data {
    Nothing,
    Edges(Graph),
    /// Facts of examples/wordnet.
    Synsets(&'static str),
}

/// A way to keep tables, as a column of the paper.
struct Way {
    name: &'static str,
    design: &'static str,
    alloc: &'static str,
    sync: &'static str,
}

const fn way(
    name: &'static str,
    design: &'static str,
    alloc: &'static str,
    sync: &'static str,
) -> Way {
    Way {
        name,
        design,
        alloc,
        sync,
    }
}

/// The first one, with one thread, is what all are compared with. (The paper's: P for pages, G for the global array of locks; ours: L for lock-free.)
const WAYS: [Way; 12] = [
    way("NS", "private", "malloc", "lockfree"),
    way("NS_P", "private", "pages", "lockfree"),
    way("SS", "subgoal_shared", "malloc", "tlwl_field"),
    way("SS_P", "subgoal_shared", "pages", "tlwl_field"),
    way("SS_GP", "subgoal_shared", "pages", "tlwl_array"),
    way("SS_L", "subgoal_shared", "malloc", "lockfree"),
    way("SS_LP", "subgoal_shared", "pages", "lockfree"),
    way("FS", "shared", "malloc", "tlwl_field"),
    way("FS_P", "shared", "pages", "tlwl_field"),
    way("FS_GP", "shared", "pages", "tlwl_array"),
    way("FS_L", "shared", "malloc", "lockfree"),
    way("FS_LP", "shared", "pages", "lockfree"),
];

/// What the harness says of one run.
type Figures = BTreeMap<String, f64>;

/// All of them, or those asked for.
pub fn programs(only: &[String]) -> Vec<Program> {
    let mut all = Vec::new();
    let mut add = |set, name: &str, file, data| {
        all.push(Program {
            name: name.to_owned(),
            set,
            file,
            data,
        });
    };
    add("joins", "join2", "join2.pl", Data::Nothing);
    add("joins", "mondial", "mondial.pl", Data::Nothing);
    for (name, file, facts) in [
        ("clusters", "wordnet_cluster.pl", "cluster.pl"),
        ("hypo", "wordnet_hypo.pl", "hypo.pl"),
        ("holo", "wordnet_holo.pl", "holo.pl"),
        ("hyper", "wordnet_hyper.pl", "hyper.pl"),
        ("tropo", "wordnet_tropo.pl", "tropo.pl"),
        ("mero", "wordnet_mero.pl", "mero.pl"),
    ] {
        add("wordnet", name, file, Data::Synsets(facts));
    }
    for (name, file) in [
        ("iproto", "iproto.pl"),
        ("leader", "leader.pl"),
        ("sieve", "sieve.pl"),
    ] {
        add("models", name, file, Data::Nothing);
    }
    for (set, file) in [("left", "path_left.pl"), ("right", "path_right.pl")] {
        for graph in [Graph::BTree, Graph::Pyramid, Graph::Cycle, Graph::Grid] {
            let name = format!("{set}_{}", graph.name());
            add(set, &name, file, Data::Edges(graph));
        }
    }
    all.retain(|p| only.is_empty() || only.iter().any(|o| *o == p.name || o == p.set));
    all
}

/// Runs them and writes the report; whether all ran.
pub fn run(
    samite: &Path,
    dir: &Path,
    work: &Path,
    opts: &Options,
    progress: fn(&str),
) -> Result<bool, String> {
    let programs = programs(&opts.only);
    if programs.is_empty() {
        return Err("no program of the paper has such a name or set".to_owned());
    }
    let mut bench = Bench {
        samite,
        dir: dir.join("paper"),
        facts: dir.join("../examples/wordnet"),
        work,
        opts,
        good: true,
        notes: Vec::new(),
    };
    let mut report = Report::default();
    for program in &programs {
        let data = bench
            .data(program)
            .map_err(|e| format!("{}: {e}", program.name))?;
        progress(&format!("{}: what it is like", program.name));
        let like = bench.once(program, &WAYS[0], 0, &data);
        progress(&format!("{}: one thread", program.name));
        let base = bench.least(program, &WAYS[0], 1, &data);
        report.like.push((program.name.clone(), like, base.clone()));
        for threads in &opts.threads {
            for way in &WAYS {
                progress(&format!(
                    "{}: {threads} threads, {}",
                    program.name, way.name
                ));
                let figures = bench.least(program, way, *threads, &data);
                report.runs.push(Run {
                    program: program.name.clone(),
                    set: program.set,
                    threads: *threads,
                    way: way.name,
                    figures: relative(figures, base.as_ref()),
                });
            }
        }
        // (It takes long: who stops it has what there is by then.)
        report.write(&opts.report, opts, &bench.notes)?;
    }
    progress("");
    println!("{}", opts.report.join("report.md").display());
    Ok(bench.good)
}

/// With the ratios of the runs to those of one thread.
fn relative(figures: Option<Figures>, base: Option<&Figures>) -> Option<Figures> {
    let (mut figures, base) = (figures?, base?);
    for run in ["first", "second"] {
        let ratio = figures.get(run)? / base.get(run)?;
        figures.insert(format!("{run}_ratio"), ratio);
    }
    Some(figures)
}

struct Bench<'a> {
    samite: &'a Path,
    dir: PathBuf,
    facts: PathBuf,
    work: &'a Path,
    opts: &'a Options,
    good: bool,
    notes: Vec<String>,
}

impl Bench<'_> {
    /// The file that is loaded with a program.
    fn data(&self, program: &Program) -> io::Result<Option<PathBuf>> {
        match program.data {
            Data::Nothing => Ok(None),
            Data::Synsets(name) => Ok(Some(self.facts.join(name))),
            Data::Edges(graph) => {
                let path = self.work.join(format!("{}.pl", graph.name()));
                let mut out = io::BufWriter::new(fs::File::create(&path)?);
                graph.write_facts(&mut out)?;
                Ok(Some(path))
            }
        }
    }

    /// The least of each figure.
    fn least(
        &mut self,
        program: &Program,
        way: &Way,
        threads: u32,
        data: &Option<PathBuf>,
    ) -> Option<Figures> {
        let mut least: Option<Figures> = None;
        for _ in 0..self.opts.runs {
            let run = self.once(program, way, threads, data)?;
            match &mut least {
                None => least = Some(run),
                Some(least) => {
                    for (name, value) in run {
                        let known = least.entry(name).or_insert(value);
                        *known = known.min(value);
                    }
                }
            }
        }
        least
    }

    fn once(
        &mut self,
        program: &Program,
        way: &Way,
        threads: u32,
        data: &Option<PathBuf>,
    ) -> Option<Figures> {
        let mut command = Command::new(self.samite);
        command
            .arg(format!("--table-alloc={}", way.alloc))
            .arg(format!("--table-sync={}", way.sync))
            .args(["-q", "-g", "main", "-t", "halt"])
            .arg(self.dir.join("harness.pl"))
            .args(["--", way.design, &threads.to_string()])
            .arg(self.dir.join(program.file))
            .args(data);
        let printed = child::printed(command, self.opts.timeout, self.work);
        let why = match printed {
            Err(e) => e.to_string(),
            Ok(p) if p.status.is_none() => "stopped at the time limit".to_owned(),
            Ok(p) if p.status.is_some_and(|s| s.success()) && p.err.is_empty() => {
                return Some(figures(&p.out));
            }
            Ok(p) => p.err.lines().next().unwrap_or("it failed").to_owned(),
        };
        self.good = false;
        self.notes.push(format!(
            "{}, {threads} threads, {}: {why}",
            program.name, way.name
        ));
        None
    }
}

/// Lines NAME=VALUE.
fn figures(out: &str) -> Figures {
    let of = |line: &str| {
        let (name, value) = line.split_once('=')?;
        Some((name.to_owned(), value.parse().ok()?))
    };
    out.lines().filter_map(of).collect()
}

struct Run {
    program: String,
    set: &'static str,
    threads: u32,
    way: &'static str,
    figures: Option<Figures>,
}

#[derive(Default)]
struct Report {
    /// What each program is like, and its first and second run with one thread.
    like: Vec<(String, Option<Figures>, Option<Figures>)>,
    runs: Vec<Run>,
}

impl Report {
    fn write(&self, to: &Path, opts: &Options, notes: &[String]) -> Result<(), String> {
        let failed = |e: io::Error| format!("{}: {e}", to.display());
        fs::create_dir_all(to).map_err(failed)?;
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let mut out = format!(
            "# The paper's benchmarks\n\nOn {processors} processors; the least of {} runs. Seconds and ratios are by the clock.\n\n## Programs\n\n",
            opts.runs
        );
        out += &self.programs();
        for run in ["first", "second"] {
            for threads in &opts.threads {
                let _ = writeln!(
                    out,
                    "\n## Overhead ratios, {threads} threads, {run} runs\n\nTo NS with one thread.\n"
                );
                out += &self.table(*threads, |f| f.get(&format!("{run}_ratio")).copied(), 2);
            }
            let mut sets: Vec<&str> = self.runs.iter().map(|r| r.set).collect();
            sets.dedup();
            for set in sets {
                let name = format!("{set}_{run}.svg");
                let lines = self.lines(set, run, &opts.threads);
                if lines.iter().any(|(_, points)| !points.is_empty()) {
                    plot::draw(&to.join(&name), &format!("{set}, {run} runs"), &lines)?;
                    let _ = writeln!(out, "\n![{set}, {run} runs]({name})");
                }
            }
        }
        for threads in &opts.threads {
            let _ = writeln!(
                out,
                "\n## Contention, {threads} threads\n\nFor each answer of one thread's tables, in both runs together: words written that others may write too / of these those that were not, as another thread was faster / locks that were taken.\n"
            );
            out += &self.contention(*threads);
        }
        for note in notes {
            let _ = writeln!(out, "\n- {note}");
        }
        let path = to.join("report.md");
        fs::write(&path, out).map_err(failed)
    }

    fn programs(&self) -> String {
        const KEYS: [(&str, &str, usize); 8] = [
            ("subgoals", "calls", 0),
            ("subgoal_trie_nodes", "call nodes", 0),
            ("least_depth", "least depth", 0),
            ("greatest_depth", "greatest depth", 0),
            ("answers", "unique", 0),
            ("repeated", "repeated", 0),
            ("answer_trie_nodes", "answer nodes", 0),
            ("bytes", "bytes", 0),
        ];
        let mut lines = vec![vec!["program".to_owned()]];
        lines[0].extend(KEYS.map(|(_, heading, _)| heading.to_owned()));
        lines[0].push("NS first s".to_owned());
        lines[0].push("NS second s".to_owned());
        for (name, like, base) in &self.like {
            let mut line = vec![name.clone()];
            let of = |f: &Option<Figures>, key: &str, digits| {
                shown(f.as_ref().and_then(|f| f.get(key).copied()), digits)
            };
            line.extend(KEYS.map(|(key, _, digits)| of(like, key, digits)));
            line.extend(["first", "second"].map(|key| of(base, key, 3)));
            lines.push(line);
        }
        align(&lines, true)
    }

    /// A row for each program, a column for each way, and a mean below.
    fn table(&self, threads: u32, of: impl Fn(&Figures) -> Option<f64>, digits: usize) -> String {
        let mut lines = vec![heading()];
        let mut columns: Vec<Vec<f64>> = vec![Vec::new(); WAYS.len()];
        for (name, _, _) in &self.like {
            let mut line = vec![name.clone()];
            for (way, column) in WAYS.iter().zip(&mut columns) {
                let value = self.figures(name, threads, way.name).and_then(&of);
                column.extend(value);
                line.push(shown(value, digits));
            }
            lines.push(line);
        }
        let mut mean = vec!["geometric mean".to_owned()];
        mean.extend(columns.iter().map(|c| shown(geometric_mean(c), digits)));
        lines.push(mean);
        align(&lines, true)
    }

    fn contention(&self, threads: u32) -> String {
        let mut lines = vec![heading()];
        for (name, like, _) in &self.like {
            let answers = like.as_ref().and_then(|f| f.get("answers").copied());
            let mut line = vec![name.clone()];
            for way in &WAYS {
                let of = |f: &Figures, key: &str| Some(f.get(key)? / answers?.max(1.0));
                let all = self.figures(name, threads, way.name).and_then(|f| {
                    let keys = ["common_writes", "failed_writes", "lock_waits"];
                    let [a, b, c] = keys.map(|key| of(f, key));
                    Some(format!("{:.3}/{:.4}/{:.4}", a?, b?, c?))
                });
                line.push(all.unwrap_or_else(|| "-".to_owned()));
            }
            lines.push(line);
        }
        align(&lines, true)
    }

    fn figures(&self, program: &str, threads: u32, way: &str) -> Option<&Figures> {
        let found = (self.runs.iter())
            .find(|r| r.program == program && r.threads == threads && r.way == way);
        found?.figures.as_ref()
    }

    /// For each way, the geometric mean of a set's ratios by the number of threads.
    fn lines(&self, set: &str, run: &str, threads: &[u32]) -> Vec<plot::Line> {
        let of = |way: &Way| {
            let points = threads.iter().filter_map(|&n| {
                let runs = (self.runs.iter())
                    .filter(|r| r.set == set && r.threads == n && r.way == way.name);
                let ratios = runs.filter_map(|r| r.figures.as_ref()?.get(&format!("{run}_ratio")));
                let ratios: Vec<f64> = ratios.copied().collect();
                Some((n, geometric_mean(&ratios)?))
            });
            (way.name, points.collect())
        };
        WAYS.iter().map(of).collect()
    }
}

fn heading() -> Vec<String> {
    let mut line = vec!["program".to_owned()];
    line.extend(WAYS.map(|w| w.name.to_owned()));
    line
}

fn shown(value: Option<f64>, digits: usize) -> String {
    value.map_or("-".to_owned(), |v| format!("{v:.digits$}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_chosen_by_name_or_set() {
        assert_eq!(programs(&[]).len(), 19);
        let some = programs(&["models".to_owned(), "left_grid".to_owned()]);
        let names: Vec<&str> = some.iter().map(|p| p.name.as_str()).collect();
        assert_eq!(names, ["iproto", "leader", "sieve", "left_grid"]);
    }

    #[test]
    fn every_program_is_there() {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("paper");
        assert!(programs(&[]).iter().all(|p| dir.join(p.file).is_file()));
        assert!(dir.join("harness.pl").is_file());
    }

    #[test]
    fn a_report_has_what_was_said() {
        let all = figures("first=0.5\nsecond=0.25\nnoise\nlock_waits=3\n");
        let base = figures("first=0.25\nsecond=0.25\n");
        let all = relative(Some(all), Some(&base)).unwrap();
        assert_eq!((all["first_ratio"], all["second_ratio"]), (2.0, 1.0));
        assert_eq!(all["lock_waits"], 3.0);
    }
}
