//! Aligned tables as text.

/// A table: the first column is aligned left, the others right.
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Creates a table with these column heads.
    pub fn new(heads: &[&str]) -> Self {
        Self { rows: vec![heads.iter().map(ToString::to_string).collect()] }
    }
    /// Adds a row, one cell per column.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }
    /// Prints the table.
    pub fn print(&self) {
        print!("{}", self.text());
    }
    fn text(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |c: usize| self.rows.iter().filter_map(|r| r.get(c)).map(|s| s.chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let line = |row: &Vec<String>| {
            let cell = |(c, s): (usize, &String)| {
                let w = widths[c];
                if c == 0 { format!("{s:<w$}") } else { format!("{s:>w$}") }
            };
            row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ").trim_end().to_string() + "\n"
        };
        self.rows.iter().map(line).collect()
    }
}

/// Formats a number with commas between thousands.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (k, d) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            out.push(',');
        }
        out.push(d);
    }
    out
}

/// Returns `ok` or `MISSED`.
pub fn verdict(ok: bool) -> String {
    if ok { "ok" } else { "MISSED" }.to_string()
}

#[cfg(test)]
mod tests {
    use super::{Table, grouped};

    #[test]
    fn columns_line_up() {
        let mut t = Table::new(&["name", "n"]);
        t.row(vec!["a".into(), "1,234".into()]);
        assert_eq!(t.text(), "name      n\na     1,234\n");
    }

    #[test]
    fn thousands_are_grouped() {
        assert_eq!([0, 999, 1000, 1234567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
