//! What the runs of a program gave, per system.

/// One run that ended well.
pub struct Sample {
    /// User and system time of the process, seconds.
    pub cpu: f64,
    pub wall: f64,
    pub peak_bytes: u64,
    /// Seconds of the query alone, where the program reports them.
    pub query: Option<f64>,
    /// The line on which the systems must agree.
    pub result: String,
    /// Resident memory when the work was done and everything freed, where the program reports it.
    pub final_bytes: Option<u64>,
}

pub enum Outcome {
    Finished(Sample),
    TimedOut,
    Failed(String),
}

/// Why a system has no figures for a program.
#[derive(Debug, PartialEq, Eq)]
pub enum Missing {
    TimedOut,
    Failed(String),
    /// It ran, and said something else than the others.
    Disagrees(String),
}

/// All runs of one program under one system.
#[derive(Default)]
pub struct Cell {
    samples: Vec<Sample>,
    pub missing: Option<Missing>,
}

/// What a table shows of the runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Metric {
    /// Time of the query if the program reports it, else of the process.
    Cpu,
    Wall,
    Peak,
    /// Resident memory at the end.
    Final,
}

impl Cell {
    pub fn record(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Finished(sample) => {
                // A program must also agree with itself.
                let same = self
                    .samples
                    .first()
                    .is_none_or(|s| s.result == sample.result);
                if !same {
                    self.missing = Some(Missing::Disagrees(sample.result.clone()));
                }
                self.samples.push(sample);
            }
            Outcome::TimedOut => self.missing = Some(Missing::TimedOut),
            Outcome::Failed(why) => self.missing = Some(Missing::Failed(why)),
        }
    }

    /// Further runs would tell nothing.
    pub fn given_up(&self) -> bool {
        self.missing.is_some()
    }

    pub fn succeeded(&self) -> bool {
        self.missing.is_none() && !self.samples.is_empty()
    }

    /// The smallest value of all runs, if every run succeeded.
    pub fn min(&self, metric: Metric) -> Option<f64> {
        self.fold(metric, f64::min)
    }

    /// How far the largest value is above the smallest, as a fraction of it; nothing
    /// to say of a single run.
    pub fn spread(&self, metric: Metric) -> Option<f64> {
        if self.samples.len() < 2 {
            return None;
        }
        let (min, max) = (self.min(metric)?, self.fold(metric, f64::max)?);
        (min > 0.0).then(|| max / min - 1.0)
    }

    fn fold(&self, metric: Metric, pick: fn(f64, f64) -> f64) -> Option<f64> {
        if !self.succeeded() {
            return None;
        }
        self.samples
            .iter()
            .map(|sample| sample.value(metric))
            .collect::<Option<Vec<f64>>>()?
            .into_iter()
            .reduce(pick)
    }

    fn result(&self) -> Option<&str> {
        if self.succeeded() {
            self.samples.first().map(|s| s.result.as_str())
        } else {
            None
        }
    }
}

impl Sample {
    fn value(&self, metric: Metric) -> Option<f64> {
        match metric {
            Metric::Cpu => Some(self.query.unwrap_or(self.cpu)),
            Metric::Wall => Some(self.wall),
            Metric::Peak => Some(self.peak_bytes as f64),
            Metric::Final => Some(self.final_bytes? as f64),
        }
    }
}

/// One program under all systems.
pub struct Row {
    pub name: String,
    /// In the order of the systems.
    pub cells: Vec<Cell>,
}

impl Row {
    /// Marks the systems that say something else than `expected` or, without it,
    /// than the system at index `baseline` (or, without that, the first that ran).
    pub fn check_against(&mut self, expected: Option<&str>, baseline: Option<usize>) {
        let reference = expected
            .or_else(|| self.cells[baseline?].result())
            .or_else(|| self.cells.iter().find_map(Cell::result))
            .map(str::to_owned);
        let Some(reference) = reference else { return };
        for cell in &mut self.cells {
            if let Some(result) = cell.result()
                && result != reference
            {
                cell.missing = Some(Missing::Disagrees(result.to_owned()));
            }
        }
    }
}

/// The geometric mean of positive numbers.
pub fn geometric_mean(ratios: &[f64]) -> Option<f64> {
    if ratios.is_empty() {
        return None;
    }
    let logs: f64 = ratios.iter().map(|r| r.ln()).sum();
    Some((logs / ratios.len() as f64).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finished(cpu: f64, result: &str) -> Outcome {
        let result = result.to_owned();
        Outcome::Finished(Sample {
            cpu,
            wall: cpu,
            peak_bytes: 1,
            query: None,
            result,
            final_bytes: None,
        })
    }

    fn cell(outcomes: Vec<Outcome>) -> Cell {
        let mut cell = Cell::default();
        for outcome in outcomes {
            cell.record(outcome);
        }
        cell
    }

    #[test]
    fn minimum_and_spread() {
        let cell = cell(vec![finished(3.0, "a"), finished(2.0, "a")]);
        assert_eq!(cell.min(Metric::Cpu), Some(2.0));
        assert_eq!(cell.spread(Metric::Cpu), Some(0.5));
    }

    #[test]
    fn a_failed_run_leaves_no_figures() {
        let cell = cell(vec![finished(3.0, "a"), Outcome::TimedOut]);
        assert_eq!(cell.min(Metric::Cpu), None);
        assert!(cell.given_up());
    }

    #[test]
    fn the_baseline_is_the_reference() {
        let cells = vec![
            cell(vec![finished(1.0, "b")]),
            cell(vec![finished(1.0, "a")]),
        ];
        let mut row = Row {
            name: "x".to_owned(),
            cells,
        };
        row.check_against(None, Some(1));
        assert_eq!(
            row.cells[0].missing,
            Some(Missing::Disagrees("b".to_owned()))
        );
        assert!(row.cells[1].succeeded());
    }

    #[test]
    fn known_results_bind_the_baseline_too() {
        let cells = vec![cell(vec![finished(1.0, "a")])];
        let mut row = Row {
            name: "x".to_owned(),
            cells,
        };
        row.check_against(Some("b"), Some(0));
        assert!(!row.cells[0].succeeded());
    }

    #[test]
    fn means() {
        assert_eq!(geometric_mean(&[]), None);
        assert!((geometric_mean(&[2.0, 8.0]).unwrap() - 4.0).abs() < 1e-12);
    }
}
