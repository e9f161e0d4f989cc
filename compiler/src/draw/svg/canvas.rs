//! SVG elements as text, and the size of the page they need.

use crate::draw::layout::Point;
use std::fmt::Write;

/// Elements drawn so far, and how far they reach to the right.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    body: String,
    pub right: f64,
}

/// The size, weight and colour of text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Text {
    pub size: f64,
    pub bold: bool,
    pub colour: &'static str,
    /// `start` or `middle`.
    pub anchor: &'static str,
    /// A white rim that keeps it readable on lines.
    pub halo: bool,
}

impl Default for Text {
    fn default() -> Self {
        Self { size: 10.0, bold: false, colour: "#1f2933", anchor: "start", halo: false }
    }
}

/// Width of text in a sans-serif font, rather too large than too small.
pub(super) fn text_width(text: &str, size: f64, bold: bool) -> f64 {
    let em = |c: char| match c {
        'i' | 'j' | 'l' | '.' | ',' | '\'' | '|' | ' ' => 0.30,
        'f' | 't' | 'r' | '(' | ')' | '-' => 0.38,
        'm' | 'w' | 'M' | 'W' => 0.88,
        c if c.is_ascii_uppercase() => 0.70,
        _ => 0.58,
    };
    text.chars().map(em).sum::<f64>() * size * if bold { 1.07 } else { 1.0 }
}

/// Width of a FIFO's depth in its lozenge.
pub(super) fn pill_width(depth: u32) -> f64 {
    text_width(&depth.to_string(), 9.0, true) + 8.0
}

/// Where dark pages are wanted, a drawing that stands by itself is dark, with the same hues.
const DARK: &str = "<style>@media (prefers-color-scheme: dark) { svg:root { filter: invert(0.9) \
                    hue-rotate(180deg) } }</style>\n";

/// Text in XML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

impl Canvas {
    /// Text at the left or middle of its base line.
    pub fn text(&mut self, (x, y): Point, look: &Text, text: &str) {
        let Text { size, bold, colour, anchor, halo } = look;
        let weight = if *bold { " font-weight=\"600\"" } else { "" };
        let rim = if *halo { " paint-order=\"stroke\" stroke=\"#ffffff\" stroke-width=\"3\"" } else { "" };
        let share = if *anchor == "middle" { 0.5 } else { 1.0 };
        self.right = self.right.max(x + text_width(text, *size, *bold) * share);
        let _ = writeln!(
            self.body,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" fill=\"{colour}\" text-anchor=\"{anchor}\"{weight}{rim}>{}</text>",
            escaped(text)
        );
    }

    /// A path with the given attributes.
    pub fn path(&mut self, d: &str, attributes: &str) {
        let _ = writeln!(self.body, "<path d=\"{d}\" {attributes}/>");
    }

    /// A small filled circle.
    pub fn dot(&mut self, (x, y): Point, radius: f64, colour: &str) {
        let _ = writeln!(self.body, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{colour}\"/>");
    }

    /// A number in a circle, where an edge continues elsewhere.
    pub fn mark(&mut self, (x, y): Point, number: usize, colour: &str) {
        let _ = writeln!(
            self.body,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"7.5\" fill=\"#ffffff\" stroke=\"{colour}\" stroke-width=\"1.2\"/>"
        );
        let look = Text { size: 8.5, bold: true, anchor: "middle", ..Text::default() };
        self.text((x, y + 3.0), &look, &number.to_string());
    }

    /// Opens a group that shows `title` when pointed at.
    pub fn group(&mut self, title: &str) {
        let _ = writeln!(self.body, "<g><title>{}</title>", escaped(title));
    }

    /// Closes a group.
    pub fn end_group(&mut self) {
        self.body.push_str("</g>\n");
    }

    /// A FIFO's depth in a lozenge centred at a point.
    pub fn pill(&mut self, (x, y): Point, depth: u32) {
        let half = pill_width(depth) / 2.0;
        let (left, right, top, bottom) = (x - half + 6.0, x + half - 6.0, y - 6.0, y + 6.0);
        let d = format!(
            "M{left:.1},{top:.1} H{right:.1} A6,6 0 0 1 {right:.1},{bottom:.1} H{left:.1} A6,6 0 0 1 {left:.1},{top:.1} Z"
        );
        self.path(&d, "fill=\"#fff7d6\" stroke=\"#a08020\" stroke-width=\"0.8\"");
        self.text(
            (x, y + 3.2),
            &Text { size: 9.0, bold: true, colour: "#6b5310", anchor: "middle", halo: false },
            &depth.to_string(),
        );
    }

    /// The page, `height` tall and as wide as what is on it, with `margin` on the right.
    pub fn finish(self, height: f64, margin: f64) -> String {
        let width = self.right + margin;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"Helvetica, Arial, sans-serif\">\n{DARK}\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{}</svg>\n",
            self.body
        )
    }
}
