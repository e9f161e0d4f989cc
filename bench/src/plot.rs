//! Charts as SVG: groups of bars over a logarithmic axis, as in the figures of the SAM paper.

use crate::table::grouped;
use std::fmt::Write;

/// A chart with a bar per series for every group (data set, kernel).
#[derive(Debug, Default)]
pub struct Chart {
    /// Title in the first line.
    pub title: String,
    /// Title of the horizontal axis, with its unit.
    pub across: &'static str,
    /// Names of the series, in the order of the bars.
    pub series: Vec<String>,
    /// Name of each group and its values; `None` for a missing measurement.
    pub groups: Vec<(String, Vec<Option<u64>>)>,
}

/// Pairs of a strong and a light colour that differ for colour-blind readers, too (Okabe and Ito).
const COLOURS: [&str; 12] = [
    "#0072b2", "#7fb8d8", "#e69f00", "#f2cf7f", "#009e73", "#7fceb9", "#d55e00", "#eaae7f", "#cc79a7", "#e5bcd3",
    "#444444", "#a8a8a8",
];
const BAR: f64 = 9.0;
const GAP: f64 = 18.0;
const LEFT: f64 = 70.0;

/// Least room left of 0, for the labels of a hundred million.
const MARGIN: f64 = 12.0;
/// Width of a letter of a group's name along the page, and its height across, turned by 35 degrees.
const TURNED: (f64, f64) = (5.0, 3.5);
const TOP: f64 = 46.0;
const HEIGHT: f64 = 300.0;
/// Room for the title of the horizontal axis.
const ACROSS: f64 = 18.0;
const LEGEND: f64 = 150.0;

impl Chart {
    /// Returns the chart as an SVG page.
    pub fn svg(&self) -> String {
        let values = || self.groups.iter().flat_map(|g| &g.1).flatten().map(|&v| (v.max(1) as f64).log10());
        let low = values().fold(f64::MAX, f64::min).min(1e9).floor();
        let high = values().fold(0.0, f64::max).ceil().max(low + 1.0);
        let y = |v: f64| TOP + HEIGHT * (high - v) / (high - low);
        let group = BAR * self.series.len() as f64 + GAP;
        let right = LEFT + group * self.groups.len() as f64;
        // Names end below the middle of their groups and begin to the left of them.
        let names = || self.groups.iter().enumerate().map(|(g, (name, _))| (g, name.chars().count() as f64));
        let left = names().map(|(g, n)| TURNED.0 * n - LEFT - group * (g as f64 + 0.5)).fold(MARGIN, f64::max).ceil();
        let below = names().map(|(_, n)| 40.0 + TURNED.1 * n).fold(60.0, f64::max);
        let (width, height) = (left + right + LEGEND, TOP + HEIGHT + below + ACROSS);
        let mut s = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-{left} 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
             height=\"{height:.0}\" font-family=\"sans-serif\" font-size=\"11\">\n{DARK}<rect x=\"-{left}\" width=\"100%\" \
             height=\"100%\" fill=\"#ffffff\"/>\n"
        );
        // Writing to a String cannot fail.
        let _ = writeln!(s, "<text x=\"{LEFT}\" y=\"20\" font-size=\"14\" font-weight=\"bold\">{}</text>", self.title);
        let _ = writeln!(s, "<text x=\"{LEFT}\" y=\"36\" fill=\"#5b6670\">cycles, logarithmic</text>");
        let _ = writeln!(
            s,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#5b6670\">{}</text>",
            (LEFT + right) / 2.0,
            height.round() - 10.0,
            self.across
        );
        for power in low as i32..=high as i32 {
            let at = y(f64::from(power));
            let _ = writeln!(
                s,
                "<line x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{right:.1}\" y2=\"{at:.1}\" stroke=\"#d9dde1\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 6.0,
                at + 4.0,
                grouped(10u64.pow(power.max(0) as u32))
            );
        }
        for (g, (name, bars)) in self.groups.iter().enumerate() {
            let start = LEFT + GAP / 2.0 + group * g as f64;
            for (k, value) in bars.iter().enumerate() {
                let Some(v) = value else {
                    let (x, at) = (start + BAR * (k as f64 + 0.5), TOP + HEIGHT - 4.0);
                    let _ = writeln!(s, "<text x=\"{x:.1}\" y=\"{at:.1}\" text-anchor=\"middle\">-</text>");
                    continue;
                };
                let top = y((*v.max(&1) as f64).log10());
                let _ = writeln!(
                    s,
                    "<rect x=\"{:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{}\"><title>{name}, {}: \
                     {}</title></rect>",
                    start + BAR * k as f64,
                    BAR - 1.0,
                    TOP + HEIGHT - top,
                    COLOURS[k % COLOURS.len()],
                    self.series[k],
                    grouped(*v)
                );
            }
            let (x, at) = (start + (group - GAP) / 2.0, TOP + HEIGHT + 14.0);
            let _ = writeln!(
                s,
                "<text x=\"{x:.1}\" y=\"{at:.1}\" text-anchor=\"end\" transform=\"rotate(-35 {x:.1} {at:.1})\">{name}</text>"
            );
        }
        for (k, name) in self.series.iter().enumerate() {
            let at = TOP + 16.0 * k as f64;
            let (x, colour) = (right + 12.0, COLOURS[k % COLOURS.len()]);
            let _ = writeln!(
                s,
                "<rect x=\"{x:.1}\" y=\"{at:.1}\" width=\"10\" height=\"10\" fill=\"{colour}\"/><text x=\"{:.1}\" \
                 y=\"{:.1}\">{name}</text>",
                x + 15.0,
                at + 9.0
            );
        }
        if self.groups.iter().any(|(_, bars)| bars.contains(&None)) {
            let at = TOP + 16.0 * self.series.len() as f64 + 14.0;
            let _ = writeln!(
                s,
                "<text x=\"{:.1}\" y=\"{at:.1}\" fill=\"#5b6670\">- : SAM has no result</text>",
                right + 12.0
            );
        }
        s + "</svg>\n"
    }
}

/// Where dark pages are wanted, a chart that stands by itself is dark, with the same hues.
const DARK: &str =
    "<style>@media (prefers-color-scheme: dark) { svg:root { filter: invert(0.9) hue-rotate(180deg) } }</style>\n";

#[cfg(test)]
mod tests {
    use super::Chart;

    #[test]
    fn a_bar_for_every_value_that_is_there() {
        let groups = vec![("a".into(), vec![Some(10), Some(1000)]), ("b".into(), vec![None, Some(100)])];
        let svg = Chart { title: "t".into(), across: "size", series: vec!["ours".into(), "SAM".into()], groups }.svg();
        assert!(svg.contains(">size</text>") && svg.contains("SAM has no result"), "{svg}");
        assert_eq!(svg.matches("<title>").count(), 3);
        // A thousand reaches the top of an axis from 10 to 1,000, a hundred its middle, ten nothing.
        for height in ["height=\"300.0\"", "height=\"150.0\"", "height=\"0.0\""] {
            assert_eq!(svg.matches(height).count(), 1, "{height}");
        }
    }
}
