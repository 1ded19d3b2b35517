//! The tables: times, memory and their ratios, as aligned text or as Markdown.

use std::fmt::Write;

use samite_bench::layout::align;
use samite_bench::measure::{Cell, Metric, Missing, Row, geometric_mean};

use crate::options::Options;
use crate::programs::Set;
use crate::systems::System;

/// All tables of one set.
pub fn render(set: Set, systems: &[&System], rows: &[Row], opts: &Options) -> String {
    let runs = opts.runs;
    let time = match set {
        Set::Tabling => "CPU seconds of the query",
        Set::Programs | Set::Large | Set::Threads | Set::Constraints => {
            "CPU seconds, user and system"
        }
    };
    let mut out = String::new();
    for (metric, title) in [
        (
            Metric::Cpu,
            format!("{}: {time}, least of {runs} (spread)", set.name()),
        ),
        (
            Metric::Wall,
            format!("{}: wall seconds, least of {runs} (spread)", set.name()),
        ),
        (
            Metric::Peak,
            format!("{}: peak resident memory, MB, least of {runs}", set.name()),
        ),
    ] {
        let heading = if opts.markdown { "### " } else { "" };
        let _ = writeln!(out, "{heading}{title}\n");
        out += &table(metric, systems, rows, opts.markdown);
        out.push('\n');
        let summary = summary(metric, systems, rows, opts.markdown);
        if !summary.is_empty() {
            out += &summary;
            out.push('\n');
        }
    }
    out += &notes(systems, rows, opts.markdown);
    out
}

/// One row for each program, one column for each system, and for Samite the ratio
/// to the baseline.
fn table(metric: Metric, systems: &[&System], rows: &[Row], markdown: bool) -> String {
    let pair = samite_and_baseline(systems);
    let mut header = vec!["program".to_owned()];
    header.extend(systems.iter().map(|s| s.label().to_owned()));
    if let Some((samite, base)) = pair {
        header.push(format!(
            "{}/{}",
            systems[samite].label(),
            systems[base].label()
        ));
    }
    let mut lines = vec![header];
    for row in rows {
        let mut line = vec![row.name.clone()];
        line.extend(row.cells.iter().map(|cell| show(cell, metric)));
        if let Some((samite, base)) = pair {
            let ratio = ratio(row, samite, base, metric);
            line.push(ratio.map_or("-".to_owned(), |r| format!("{r:.2}")));
        }
        lines.push(line);
    }
    align(&lines, markdown)
}

fn show(cell: &Cell, metric: Metric) -> String {
    match (&cell.missing, cell.min(metric)) {
        (Some(Missing::TimedOut), _) => "timeout".to_owned(),
        (Some(Missing::Disagrees(_)), _) => "differs".to_owned(),
        (Some(Missing::Failed(_)), _) | (None, None) => "-".to_owned(),
        (None, Some(bytes)) if matches!(metric, Metric::Peak | Metric::Final) => {
            format!("{:.1}", bytes / 1e6)
        }
        (None, Some(seconds)) => {
            let spread = cell.spread(metric).map(|s| format!(" ({:.0}%)", s * 100.0));
            format!("{seconds:.3}{}", spread.unwrap_or_default())
        }
    }
}

/// For every system but the baseline: the geometric mean of its ratios to it over
/// the programs both ran, and the worst.
fn summary(metric: Metric, systems: &[&System], rows: &[Row], markdown: bool) -> String {
    let mut out = String::new();
    let Some(base) = systems.iter().position(|s| s.is_baseline()) else {
        return "no swipl on this machine, so no ratios\n".to_owned();
    };
    let bullet = if markdown { "- " } else { "" };
    for (index, system) in systems.iter().enumerate().filter(|(i, _)| *i != base) {
        let ratios: Vec<(f64, &str)> = rows
            .iter()
            .filter_map(|row| Some((ratio(row, index, base, metric)?, row.name.as_str())))
            .collect();
        let values: Vec<f64> = ratios.iter().map(|(r, _)| *r).collect();
        let worst = ratios.iter().max_by(|a, b| a.0.total_cmp(&b.0));
        let (Some(mean), Some((worst, name))) = (geometric_mean(&values), worst) else {
            continue;
        };
        let _ = writeln!(
            out,
            "{bullet}{}/{}: geometric mean {mean:.2} over {} of {} programs, worst {worst:.2} ({name})",
            system.label(),
            systems[base].label(),
            values.len(),
            rows.len()
        );
    }
    out
}

/// Why figures are missing, one line each.
fn notes(systems: &[&System], rows: &[Row], markdown: bool) -> String {
    let mut out = String::new();
    for row in rows {
        for (system, cell) in systems.iter().zip(&row.cells) {
            let Some(missing) = &cell.missing else {
                continue;
            };
            let why = match missing {
                Missing::TimedOut => "stopped at the time limit".to_owned(),
                Missing::Failed(why) => why.clone(),
                Missing::Disagrees(result) => format!("output differs: {result}"),
            };
            let bullet = if markdown { "- " } else { "" };
            let _ = writeln!(out, "{bullet}{}: {}: {why}", row.name, system.label());
        }
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

fn samite_and_baseline(systems: &[&System]) -> Option<(usize, usize)> {
    let samite = systems.iter().position(|s| s.is_samite())?;
    let base = systems.iter().position(|s| s.is_baseline())?;
    Some((samite, base))
}

fn ratio(row: &Row, of: usize, to: usize, metric: Metric) -> Option<f64> {
    let (a, b) = (row.cells[of].min(metric)?, row.cells[to].min(metric)?);
    (a > 0.0 && b > 0.0).then(|| a / b)
}
