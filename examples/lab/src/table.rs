//! Plain text tables for the terminal.

/// Rows in columns two spaces apart, the first row underlined; numbers to the right.
pub fn text(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let cell = |row: &'_ Vec<String>, column: usize| row.get(column).cloned().unwrap_or_default();
    let width = |column: usize| {
        rows.iter()
            .map(|row| cell(row, column).chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut lines = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        let padded = widths.iter().enumerate().map(|(column, &width)| {
            let text = cell(row, column);
            let number = text.starts_with(|c: char| c.is_ascii_digit() || "+-±".contains(c));
            if number {
                format!("{text:>width$}")
            } else {
                format!("{text:<width$}")
            }
        });
        lines.push(padded.collect::<Vec<_>>().join("  ").trim_end().to_string());
        if index == 0 {
            lines.push("-".repeat(widths.iter().sum::<usize>() + 2 * columns.saturating_sub(1)));
        }
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_are_on_the_right() {
        let row = |cells: [&str; 2]| cells.map(str::to_string).to_vec();
        let table = super::text(&[
            row(["name", "cost"]),
            row(["a", "1"]),
            row(["bcdef", "200"]),
        ]);
        assert_eq!(
            table,
            "name   cost\n-----------\na         1\nbcdef   200\n"
        );
    }
}
