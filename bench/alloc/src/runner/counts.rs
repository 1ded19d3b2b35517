//! What our library counted in one run of each workload, when it is built to count: atomic read-modify-writes and
//! writes to shared cache lines, for each pair of an allocation and a free.
//!
//! With `SAMITE_MALLOC_STATS=json` the library writes its statistics to standard error when the program ends. Only
//! whole numbers are looked for, by their names.

use crate::allocators::Allocator;
use crate::options::Options;
use crate::tasks::{Group, Task};
use samite_bench::layout::align;
use std::process::Stdio;

/// The names of the figures: allocations, and what is divided by them.
const ALLOCATIONS: &str = "mallocs";
const COUNTED: [&str; 2] = ["atomic_rmws", "shared_writes"];

/// The table; nothing if the library does not count.
pub fn render(ours: &Allocator, tasks: &[Task], opts: &Options) -> String {
    let mut lines = vec![vec!["workload".to_owned()]];
    lines[0].extend([ALLOCATIONS, "RMW/pair", "shared writes/pair"].map(str::to_owned));
    for task in tasks.iter().filter(|task| task.group != Group::Stress) {
        let mut command = task.command(ours, opts.seed.wrapping_add(1), opts);
        command.env("SAMITE_MALLOC_STATS", "json");
        let output = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .output();
        let text = output.map_or_else(
            |_| String::new(),
            |o| String::from_utf8_lossy(&o.stderr).into_owned(),
        );
        let Some(pairs) = figure(&text, ALLOCATIONS).filter(|n| *n > 0) else {
            continue;
        };
        let counted = COUNTED.map(|name| figure(&text, name));
        if counted.iter().any(Option::is_some) {
            let mut line = vec![task.name.clone(), pairs.to_string()];
            line.extend(counted.map(|n| {
                n.map_or("-".to_owned(), |n| {
                    format!("{:.4}", n as f64 / pairs as f64)
                })
            }));
            lines.push(line);
        }
    }
    if lines.len() == 1 {
        return String::new();
    }
    let heading = if opts.markdown { "### " } else { "" };
    format!(
        "\n{heading}{} counted for each pair of malloc and free\n\n{}",
        ours.label(),
        align(&lines, opts.markdown)
    )
}

/// The first whole number that follows `"name":`.
fn figure(json: &str, name: &str) -> Option<u64> {
    let (_, rest) = json.split_once(&format!("\"{name}\""))?;
    let rest = rest.trim_start().strip_prefix(':')?.trim_start();
    let end = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    rest[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_found_by_name() {
        let json = r#"{"a": {"mallocs": 12, "x": "y"}, "atomic_rmws" :7}"#;
        assert_eq!(figure(json, "mallocs"), Some(12));
        assert_eq!(figure(json, "atomic_rmws"), Some(7));
        assert_eq!(figure(json, "x"), None);
        assert_eq!(figure(json, "absent"), None);
    }
}
