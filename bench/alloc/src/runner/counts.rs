//! What our library counted in one run of each workload, when it is built to count: atomic read-modify-writes and
//! writes to shared cache lines, for each pair of an allocation and a free.
//!
//! With `SAMITE_MALLOC_STATS=json` the library writes its statistics to standard error when the program ends. Only
//! whole numbers are looked for, by their names; allocations are those of all size classes and large blocks together.

use crate::allocators::Allocator;
use crate::options::Options;
use crate::tasks::{Group, Task};
use samite_bench::layout::align;
use std::process::Stdio;

/// The names of the figures: allocations, and what is divided by them.
const ALLOCATIONS: &str = "allocations";
const COUNTED: [&str; 2] = ["rmw", "shared_writes"];

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

/// The sum of the whole numbers that follow `"name":`; `None` if there is none.
fn figure(json: &str, name: &str) -> Option<u64> {
    let quoted = format!("\"{name}\"");
    let numbers = json.split(&quoted).skip(1).filter_map(|rest| {
        let rest = rest.trim_start().strip_prefix(':')?.trim_start();
        let end = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        rest[..end].parse::<u64>().ok()
    });
    numbers.reduce(|sum, n| sum + n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_found_by_name() {
        let json =
            r#"{"rmw" :7,"large":{"allocations":2, "x": "y"},"classes":[{"allocations": 12}]}"#;
        assert_eq!(figure(json, ALLOCATIONS), Some(14));
        assert_eq!(figure(json, "rmw"), Some(7));
        assert_eq!(figure(json, "x"), None);
        assert_eq!(figure(json, "absent"), None);
    }
}
