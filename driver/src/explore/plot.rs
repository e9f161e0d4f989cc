//! A plot of time against share of the device, both logarithmic, with all working variants and the Pareto front.

use super::measure::Goal;
use super::search::Found;
use kuva::prelude::*;

/// Draws the plot as SVG.
pub fn svg(title: &str, found: &Found, goal: Goal, board: &str) -> String {
    let percent = if goal == Goal::Board { 100.0 } else { 1.0 };
    let place = |n: usize| {
        let worth = found.all[n].1.worth;
        (worth.time.max(1e-3), (worth.size * percent).max(1e-3))
    };
    let (time, size) = match goal {
        Goal::Board => ("microseconds on the data", format!("largest share of anything {board} has, %")),
        Goal::Luts => ("cycles on the data", "LUTs".into()),
        Goal::Brams => ("cycles on the data", "block RAMs".into()),
    };
    let name = |n: usize| found.all[n].0.to_string();
    let behind: Vec<usize> = (1..found.all.len()).filter(|n| !found.front.contains(n)).collect();
    let scatter = |numbers: &[usize], colour: &str, size: f64, legend: &str| {
        ScatterPlot::new()
            .with_data(numbers.iter().map(|&n| place(n)))
            .with_color(colour)
            .with_size(size)
            .with_legend(legend)
            .with_tooltips()
            .with_tooltip_labels(numbers.iter().map(|&n| name(n)))
    };
    let numbers = (1..=found.front.len()).map(|k| k.to_string());
    let mut plots: Vec<Plot> = Vec::new();
    if !behind.is_empty() {
        plots.push(scatter(&behind, "#b8c2cc", 3.0, "tried").into());
    }
    plots.push(scatter(&[0], "#ff7f0e", 6.0, "as written").into());
    if !found.front.is_empty() {
        plots.push(scatter(&found.front, "#1f77b4", 4.0, "front").with_labels(numbers).into());
    }
    let layout = Layout::auto_from_plots(&plots)
        .with_title(title)
        .with_x_label(time)
        .with_y_label(size)
        .with_log_scale()
        .with_width(760.0)
        .with_height(520.0);
    let drawn = render_to_svg(plots, layout);
    let (open, rest) = drawn.split_once('>').unwrap_or((&drawn, ""));
    format!("{open}>{DARK}{rest}")
}

/// Where dark pages are wanted, a plot that stands by itself is dark, with the same hues.
const DARK: &str =
    "<style>@media (prefers-color-scheme: dark) { svg:root { filter: invert(0.9) hue-rotate(180deg) } }</style>";
