//! Charts as SVG, as in the figures of the SAM paper: groups of bars over a logarithmic axis, or bars of shares.

use crate::table::grouped;
use anyhow::{Context, Result};
use std::fmt::Write;
use std::fs;
use std::path::Path;

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
    /// Whether the values of a group are shares in thousandths, one bar above the other.
    pub shares: bool,
    /// What the values are, where they are neither cycles nor shares.
    pub unit: Option<&'static str>,
    /// Decimals of the values, which are whole numbers of the last one.
    pub decimals: u32,
    /// A line across at a value, with its name.
    pub limit: Option<(String, u64)>,
}

/// Where a chart's bars are.
struct Frame {
    /// Values at the bottom and the top: powers of ten, or shares.
    range: (f64, f64),
    /// Width of a group.
    group: f64,
    /// Right end of the bars.
    right: f64,
}

impl Frame {
    fn y(&self, v: f64) -> f64 {
        TOP + HEIGHT * (self.range.1 - v) / (self.range.1 - self.range.0)
    }
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
/// Least room for the names of the series, and what a letter of theirs takes.
const LEGEND: (f64, f64) = (150.0, 6.2);

impl Chart {
    /// Writes the chart into a folder, which is created if it does not exist.
    ///
    /// # Errors
    ///
    /// The folder or the file cannot be written.
    pub fn save(&self, folder: &Path, name: &str) -> Result<()> {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        let path = folder.join(name);
        fs::write(&path, self.svg()).with_context(|| path.display().to_string())
    }

    /// Returns the chart as an SVG page.
    pub fn svg(&self) -> String {
        let frame = self.frame();
        let Frame { group, right, .. } = frame;
        // Names end below the middle of their groups and begin to the left of them.
        let names = || self.groups.iter().enumerate().map(|(g, (name, _))| (g, name.chars().count() as f64));
        let left = names().map(|(g, n)| TURNED.0 * n - LEFT - group * (g as f64 + 0.5)).fold(MARGIN, f64::max).ceil();
        let below = names().map(|(_, n)| 40.0 + TURNED.1 * n).fold(60.0, f64::max);
        let longest = self.series.iter().map(|name| name.chars().count()).max().unwrap_or(0) as f64;
        let legend = (27.0 + LEGEND.1 * longest).max(LEGEND.0).ceil();
        let (width, height) = (left + right + legend, TOP + HEIGHT + below + ACROSS);
        let mut s = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-{left} 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
             height=\"{height:.0}\" font-family=\"sans-serif\" font-size=\"11\">\n{DARK}<rect x=\"-{left}\" width=\"100%\" \
             height=\"100%\" fill=\"#ffffff\"/>\n"
        );
        // Writing to a String cannot fail.
        let _ = writeln!(s, "<text x=\"{LEFT}\" y=\"20\" font-size=\"14\" font-weight=\"bold\">{}</text>", self.title);
        let _ = writeln!(
            s,
            "<text x=\"{LEFT}\" y=\"36\" fill=\"#5b6670\">{}</text>",
            if self.shares { "shares of the cycles" } else { self.unit.unwrap_or("cycles, logarithmic") }
        );
        let _ = writeln!(
            s,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#5b6670\">{}</text>",
            (LEFT + right) / 2.0,
            height.round() - 10.0,
            self.across
        );
        for (v, label) in self.ticks(&frame) {
            let at = frame.y(v);
            let _ = writeln!(
                s,
                "<line x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{right:.1}\" y2=\"{at:.1}\" stroke=\"#d9dde1\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
                LEFT - 6.0,
                at + 4.0
            );
        }
        for (g, (name, bars)) in self.groups.iter().enumerate() {
            let start = LEFT + GAP / 2.0 + group * g as f64;
            s += &self.bars(&frame, start, name, bars);
            let (x, at) = (start + (group - GAP) / 2.0, TOP + HEIGHT + 14.0);
            let _ = writeln!(
                s,
                "<text x=\"{x:.1}\" y=\"{at:.1}\" text-anchor=\"end\" transform=\"rotate(-35 {x:.1} {at:.1})\">{name}</text>"
            );
        }
        s + &self.line(&frame) + &self.legend(right) + "</svg>\n"
    }

    /// A value as text.
    fn shown(&self, value: u64) -> String {
        let one = 10u64.pow(self.decimals);
        match self.decimals {
            0 => grouped(value),
            digits => format!("{}.{:0width$}", grouped(value / one), value % one, width = digits as usize),
        }
    }

    /// The line at the limit, if there is one.
    fn line(&self, frame: &Frame) -> String {
        let Some((name, value)) = &self.limit else { return String::new() };
        let (at, right) = (frame.y((*value.max(&1) as f64).log10()), frame.right);
        format!(
            "<line x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{right:.1}\" y2=\"{at:.1}\" stroke=\"#d55e00\" \
             stroke-dasharray=\"6 3\"><title>{name}: {}</title></line>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" fill=\"#d55e00\">{name}</text>\n",
            self.shown(*value),
            LEFT + 6.0,
            at - 5.0
        )
    }

    fn frame(&self) -> Frame {
        let limit = self.limit.as_ref().map(|limit| &limit.1);
        let values =
            || self.groups.iter().flat_map(|g| &g.1).flatten().chain(limit).map(|&v| (v.max(1) as f64).log10());
        let least = values().fold(f64::MAX, f64::min).min(1e9);
        // The least value has a bar, too.
        let low = least.floor() - if self.unit.is_some() && least.fract() < 0.02 { 1.0 } else { 0.0 };
        let high = values().fold(0.0, f64::max).ceil().max(low + 1.0);
        let bars = if self.shares { 2 } else { self.series.len() };
        let group = BAR * bars as f64 + GAP;
        let range = if self.shares { (0.0, 1000.0) } else { (low, high) };
        Frame { range, group, right: LEFT + group * self.groups.len() as f64 }
    }

    /// Values with a line across, and their labels.
    fn ticks(&self, frame: &Frame) -> Vec<(f64, String)> {
        if self.shares {
            return (0..=4).map(|k| (f64::from(k) * 250.0, format!("{} %", 25 * k))).collect();
        }
        let powers = frame.range.0 as i32..=frame.range.1 as i32;
        let label = |power: i32| match u32::try_from(power - self.decimals as i32) {
            Ok(whole) => grouped(10u64.pow(whole)),
            Err(_) => self.shown(10u64.pow(power.max(0) as u32)),
        };
        powers.map(|power| (f64::from(power), label(power))).collect()
    }

    /// The bars of a group that begins at `start`.
    fn bars(&self, frame: &Frame, start: f64, name: &str, bars: &[Option<u64>]) -> String {
        let (mut s, mut below) = (String::new(), 0);
        for (k, value) in bars.iter().enumerate() {
            let Some(v) = value else {
                let (x, at) = (start + BAR * (k as f64 + 0.5), TOP + HEIGHT - 4.0);
                let _ = writeln!(s, "<text x=\"{x:.1}\" y=\"{at:.1}\" text-anchor=\"middle\">-</text>");
                continue;
            };
            let (x, width, bottom, top, text) = if self.shares {
                let bottom = frame.y(below as f64);
                below += v;
                (start, 2.0 * BAR, bottom, frame.y(below as f64), format!("{}.{} %", v / 10, v % 10))
            } else {
                let top = frame.y((*v.max(&1) as f64).log10());
                (start + BAR * k as f64, BAR - 1.0, TOP + HEIGHT, top, self.shown(*v))
            };
            if self.shares && *v == 0 {
                continue;
            }
            let _ = writeln!(
                s,
                "<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{:.1}\" fill=\"{}\"><title>{name}, {}: \
                 {text}</title></rect>",
                bottom - top,
                COLOURS[k % COLOURS.len()],
                self.series[k]
            );
        }
        s
    }

    fn legend(&self, right: f64) -> String {
        let mut s = String::new();
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
                "<text x=\"{:.1}\" y=\"{at:.1}\" fill=\"#5b6670\">- : {}</text>",
                right + 12.0,
                if self.unit.is_some() { "none" } else { "SAM has no result" }
            );
        }
        s
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
        let svg = Chart {
            title: "t".into(),
            across: "size",
            series: vec!["ours".into(), "SAM".into()],
            groups,
            ..Chart::default()
        }
        .svg();
        assert!(svg.contains(">size</text>") && svg.contains("SAM has no result"), "{svg}");
        assert_eq!(svg.matches("<title>").count(), 3);
        // A thousand reaches the top of an axis from 10 to 1,000, a hundred its middle, ten nothing.
        for height in ["height=\"300.0\"", "height=\"150.0\"", "height=\"0.0\""] {
            assert_eq!(svg.matches(height).count(), 1, "{height}");
        }
    }

    #[test]
    fn values_with_decimals_below_a_line() {
        let groups = vec![("1".into(), vec![Some(97)]), ("128".into(), vec![Some(9_905)])];
        let limit = Some(("bus".into(), 12_800));
        let chart = Chart {
            unit: Some("a cycle"),
            decimals: 2,
            limit,
            groups,
            series: vec!["on chip".into()],
            ..Chart::default()
        };
        let svg = chart.svg();
        for part in
            [">a cycle</text>", ": 0.97<", ": 99.05<", "<title>bus: 128.00</title>", ">0.10</text>", ">1,000</text>"]
        {
            assert!(svg.contains(part), "{part}: {svg}");
        }
    }

    #[test]
    fn shares_stand_on_each_other() {
        let groups = vec![("a".into(), vec![Some(250), Some(0), Some(750)])];
        let series = vec!["busy".into(), "stalled".into(), "idle".into()];
        let svg = Chart { title: "t".into(), across: "stream", series, groups, shares: true, ..Chart::default() }.svg();
        // A quarter at the bottom, the rest above it, nothing of what is nothing.
        assert!(
            svg.contains("y=\"271.0\" width=\"18.0\" height=\"75.0\"")
                && svg.contains("y=\"46.0\" width=\"18.0\" height=\"225.0\""),
            "{svg}"
        );
        assert!(svg.matches("<title>").count() == 2 && svg.contains("busy: 25.0 %") && svg.contains(">75 %</text>"));
    }
}
