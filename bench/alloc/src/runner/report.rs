//! The tables: for every figure the values, then the geometric means of the ratios to glibc and to the best.

use crate::allocators::Allocator;
use crate::options::Options;
use crate::tasks::{Group, Task};
use samite_bench::layout::align;
use samite_bench::measure::{Cell, Metric, Missing, Row, geometric_mean};
use std::fmt::Write;

/// Everything that was measured.
pub fn render(allocators: &[Allocator], tasks: &[Task], rows: &[Row], opts: &Options) -> String {
    let mut out = String::new();
    for (metric, title) in [
        (Metric::Wall, "wall seconds"),
        (Metric::Cpu, "CPU seconds, user and system"),
        (Metric::Peak, "peak resident memory, MB"),
        (Metric::Final, "resident memory when all is freed, MB"),
    ] {
        let heading = if opts.markdown { "### " } else { "" };
        let spread = if metric == Metric::Wall {
            " (spread)"
        } else {
            ""
        };
        let _ = writeln!(out, "{heading}{title}, least of {}{spread}\n", opts.runs);
        out += &values(metric, allocators, rows, opts.markdown);
        out.push('\n');
        out += &means(metric, allocators, tasks, rows, opts.markdown);
        out.push('\n');
    }
    out += &notes(allocators, rows);
    out
}

fn values(metric: Metric, allocators: &[Allocator], rows: &[Row], markdown: bool) -> String {
    let mut lines = vec![vec!["workload".to_owned()]];
    lines[0].extend(allocators.iter().map(|a| a.label().to_owned()));
    for row in rows {
        if row
            .cells
            .iter()
            .all(|cell| cell.succeeded() && cell.min(metric).is_none())
        {
            continue;
        }
        let mut line = vec![row.name.clone()];
        line.extend(row.cells.iter().map(|cell| show(cell, metric)));
        lines.push(line);
    }
    align(&lines, markdown)
}

fn show(cell: &Cell, metric: Metric) -> String {
    match (&cell.missing, cell.min(metric)) {
        (Some(Missing::TimedOut), _) => "timeout".to_owned(),
        (Some(Missing::Disagrees(_)), _) => "differs".to_owned(),
        (Some(Missing::Failed(_)), _) => "FAILS".to_owned(),
        (None, None) => "-".to_owned(),
        (None, Some(bytes)) if matches!(metric, Metric::Peak | Metric::Final) => {
            format!("{:.1}", bytes / 1e6)
        }
        (None, Some(seconds)) if metric == Metric::Wall => {
            let spread = cell.spread(metric).map(|s| format!(" ({:.0}%)", s * 100.0));
            format!("{seconds:.3}{}", spread.unwrap_or_default())
        }
        (None, Some(seconds)) => format!("{seconds:.3}"),
    }
}

/// One column for each allocator; for each group of workloads the geometric mean of the ratios to glibc over those that
/// both ran, then of the ratios to the best of each workload.
fn means(
    metric: Metric,
    allocators: &[Allocator],
    tasks: &[Task],
    rows: &[Row],
    markdown: bool,
) -> String {
    let base = allocators.iter().position(Allocator::is_baseline);
    let groups: [(&str, &[Group]); 4] = [
        ("all workloads", &[Group::Single, Group::Multi]),
        ("single-threaded", &[Group::Single]),
        ("multi-threaded", &[Group::Multi]),
        ("stress-ng", &[Group::Stress]),
    ];
    let mut lines = vec![vec!["geometric mean".to_owned()]];
    lines[0].extend(allocators.iter().map(|a| a.label().to_owned()));
    let best = |row: &Row| {
        let values = row.cells.iter().filter_map(|cell| cell.min(metric));
        values.reduce(f64::min)
    };
    for (title, members) in groups {
        let rows: Vec<&Row> = tasks
            .iter()
            .zip(rows)
            .filter(|(task, _)| members.contains(&task.group))
            .map(|(_, row)| row)
            .collect();
        if rows.iter().all(|row| best(row).is_none()) {
            continue;
        }
        for to_best in [false, true] {
            if !to_best && base.is_none() {
                continue;
            }
            let against = if to_best { "best" } else { "glibc" };
            let mut line = vec![format!("{title} / {against}")];
            for index in 0..allocators.len() {
                let ratios: Vec<f64> = rows
                    .iter()
                    .filter_map(|row| {
                        let own = row.cells[index].min(metric)?;
                        let other = if to_best {
                            best(row)?
                        } else {
                            row.cells[base?].min(metric)?
                        };
                        (own > 0.0 && other > 0.0).then(|| own / other)
                    })
                    .collect();
                line.push(match geometric_mean(&ratios) {
                    None => "-".to_owned(),
                    Some(mean) if ratios.len() < rows.len() => {
                        format!("{mean:.3} ({} ran)", ratios.len())
                    }
                    Some(mean) => format!("{mean:.3}"),
                });
            }
            lines.push(line);
        }
    }
    align(&lines, markdown)
}

/// Why figures are missing, one line each.
fn notes(allocators: &[Allocator], rows: &[Row]) -> String {
    let mut out = String::new();
    for row in rows {
        for (allocator, cell) in allocators.iter().zip(&row.cells) {
            let why = match &cell.missing {
                None => continue,
                Some(Missing::TimedOut) => "stopped at the time limit",
                Some(Missing::Failed(why) | Missing::Disagrees(why)) => why,
            };
            let _ = writeln!(out, "- {}: {}: {why}", row.name, allocator.label());
        }
    }
    out
}
