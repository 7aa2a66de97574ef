import Words

/// A table of text whose columns are as wide as their widest cell.
public enum TextTable {
    /// Formats rows of cells. Control characters are escaped.
    public static func text(_ cells: [[String]]) -> String {
        let rows = cells.map { $0.map(TerminalText.printable) }
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
        return rows.map { row in
            row.enumerated().map { column, cell in
                column == row.count - 1 ? cell : cell + String(repeating: " ", count: widths[column] - cell.count)
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}
