//! `alloc-work NAME [SEED [SCALE [THREADS]]]`: one workload on whatever `malloc` the process has.
//!
//! Prints `final_bytes=` (resident memory when everything is freed) and, last, a sum over all blocks that depends on
//! the workload, the seed, the scale and the number of threads only: allocators must agree on it.
//! With `SAMITE_BENCH_MALLOC` set, `malloc` must come from that file; a preload that did not take is an error.
//! `alloc-work --list` prints the names, with `m` for those with several threads and `s` for the others.

mod fork;
mod shared;
mod single;
mod structures;

use samite_bench_alloc::{calls, island::Island, process};
use std::process::ExitCode;

#[global_allocator]
static ISLAND: Island = Island::new();

/// What a workload is asked for.
#[derive(Clone, Copy)]
pub struct Plan {
    pub seed: u64,
    /// Multiplies the number of operations.
    pub scale: f64,
    pub threads: usize,
}

impl Plan {
    /// `n` operations at scale 1.
    fn ops(&self, n: usize) -> usize {
        ((n as f64 * self.scale) as usize).max(1)
    }
}

/// A workload: its name, whether it has several threads, and the program, which returns the sum.
type Workload = (&'static str, bool, fn(&Plan) -> u64);

const WORKLOADS: &[Workload] = &[
    ("pairs", false, single::pairs),
    ("local", false, single::local),
    ("sizes", false, single::sizes),
    ("large", false, single::large),
    ("phases", false, single::phases),
    ("many", false, single::many),
    ("batches", false, single::batches),
    ("zeroed", false, single::zeroed),
    ("aligned", false, single::aligned),
    ("lists", false, structures::lists),
    ("trees", false, structures::trees),
    ("strings", false, structures::strings),
    ("forks", false, fork::forks),
    ("mlocal", true, shared::local),
    ("msizes", true, shared::sizes),
    ("mlarge", true, shared::large),
    ("remote", true, shared::remote),
    ("fanout", true, shared::fanout),
    ("ring", true, shared::ring),
    ("server", true, shared::server),
    ("exchange", true, shared::exchange),
    ("threads", true, shared::threads),
    ("lines", true, shared::lines),
    ("mtrees", true, shared::trees),
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.first().is_some_and(|a| a == "--list") {
        for (name, threaded, _) in WORKLOADS {
            println!("{name} {}", if *threaded { 'm' } else { 's' });
        }
        return ExitCode::SUCCESS;
    }
    match run(&args) {
        Ok(sum) => {
            println!("final_bytes={}", process::resident());
            println!("sum={sum:016x}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            println!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &[String]) -> Result<u64, String> {
    let name = args
        .first()
        .ok_or("usage: alloc-work NAME [SEED [SCALE [THREADS]]]")?;
    let (_, _, work) = WORKLOADS
        .iter()
        .find(|(n, ..)| n == name)
        .ok_or_else(|| format!("no workload {name}: --list prints them"))?;
    let plan = Plan {
        seed: number(args, 1, 1)?,
        scale: number(args, 2, 1.0)?,
        threads: number(args, 3, process::processors().max(2))?,
    };
    if !(plan.scale > 0.0 && plan.threads > 0) {
        return Err("scale and threads must be positive".to_owned());
    }
    if let Some(expected) = std::env::var_os("SAMITE_BENCH_MALLOC") {
        let expected = std::fs::canonicalize(&expected).map_err(|e| e.to_string())?;
        let origin = calls::origin().ok_or("where malloc comes from cannot be told")?;
        if origin != expected {
            return Err(format!("malloc is from {}", origin.display()));
        }
    }
    Ok(work(&plan))
}

fn number<T: std::str::FromStr>(args: &[String], at: usize, default: T) -> Result<T, String> {
    match args.get(at) {
        None => Ok(default),
        Some(text) => text.parse().map_err(|_| format!("not a number: {text}")),
    }
}
