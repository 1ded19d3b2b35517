//! Tables as aligned text or as Markdown.

use std::fmt::Write;

/// Lays out lines of equal length in columns, the first to the left and the others
/// to the right.
pub fn align(lines: &[Vec<String>], markdown: bool) -> String {
    let Some(header) = lines.first() else {
        return String::new();
    };
    let width = |column: usize| {
        let cells = lines.iter().map(|line| line[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    let mut out = String::new();
    for (number, line) in lines.iter().enumerate() {
        let cells: Vec<String> = line
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(i, (cell, &w))| {
                if i == 0 {
                    format!("{cell:<w$}")
                } else {
                    format!("{cell:>w$}")
                }
            })
            .collect();
        if markdown {
            let _ = writeln!(out, "| {} |", cells.join(" | "));
            if number == 0 {
                let rules: Vec<String> = widths
                    .iter()
                    .enumerate()
                    .map(|(i, &w)| {
                        if i == 0 {
                            "-".repeat(w)
                        } else {
                            format!("{}:", "-".repeat(w - 1))
                        }
                    })
                    .collect();
                let _ = writeln!(out, "| {} |", rules.join(" | "));
            }
        } else {
            let _ = writeln!(out, "{}", cells.join("  ").trim_end());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines() -> Vec<Vec<String>> {
        [["a", "1"], ["bcd", "10"]]
            .map(|l| l.map(str::to_owned).to_vec())
            .to_vec()
    }

    #[test]
    fn text_columns_line_up() {
        assert_eq!(align(&lines(), false), "a     1\nbcd  10\n");
    }

    #[test]
    fn markdown_has_a_rule_under_the_header() {
        assert_eq!(
            align(&lines(), true),
            "| a   |  1 |\n| --- | -: |\n| bcd | 10 |\n"
        );
    }
}
