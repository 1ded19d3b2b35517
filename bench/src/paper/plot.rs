//! A plot of ratios by number of threads, as SVG.

use plotters::prelude::*;
use std::path::Path;

/// A way to keep tables, and its points: threads and ratio.
pub type Line = (&'static str, Vec<(u32, f64)>);

const COLORS: [RGBColor; 4] = [
    RGBColor(31, 119, 180),
    RGBColor(214, 39, 40),
    RGBColor(44, 160, 44),
    RGBColor(148, 103, 189),
];

/// Draws the lines that have points.
pub fn draw(path: &Path, title: &str, lines: &[Line]) -> Result<(), String> {
    draw_lines(path, title, lines).map_err(|e| format!("{}: {e}", path.display()))
}

fn draw_lines(path: &Path, title: &str, lines: &[Line]) -> Result<(), Box<dyn std::error::Error>> {
    let points = || lines.iter().flat_map(|(_, points)| points);
    let most_threads = points().map(|p| p.0).max().unwrap_or(1);
    let most = points().map(|p| p.1).fold(1.0, f64::max);
    let root = SVGBackend::new(path, (900, 560)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(title, ("sans-serif", 22))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(50)
        .build_cartesian_2d(0..most_threads + 1, 0.0..most * 1.05)?;
    chart
        .configure_mesh()
        .x_desc("threads")
        .y_desc("time, of NS with one thread")
        .draw()?;
    for (i, (name, points)) in lines.iter().enumerate().filter(|(_, l)| !l.1.is_empty()) {
        let color = COLORS[i % COLORS.len()];
        // (Ways with the same colour have lines of different widths.)
        let style = color.stroke_width(1 + (i / COLORS.len()) as u32);
        chart
            .draw_series(LineSeries::new(points.iter().copied(), style).point_size(3))?
            .label(*name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], style));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK)
        .draw()?;
    root.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plot_names_its_lines() {
        let path = std::env::temp_dir().join(format!("samite-plot-{}.svg", std::process::id()));
        let lines = [
            ("NS", vec![(1, 1.0), (2, 1.9)]),
            ("SS_P", vec![(1, 1.1)]),
            ("FS", vec![]),
        ];
        draw(&path, "some", &lines).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let _ = std::fs::remove_file(&path);
        assert!(text.starts_with("<svg") && text.contains("SS_P") && text.contains("threads"));
        assert!(!text.contains("FS"));
    }
}
