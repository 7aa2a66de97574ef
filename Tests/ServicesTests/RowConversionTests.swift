import Testing

@testable import Services

@Suite("Conversion of rows")
struct RowConversionTests {
    private struct Unreadable: Error, Equatable { let row: Int }

    @Test(
        "All rows are converted, in their order, whether one processor does it or several",
        arguments: [0, 1, 2 * RowConversion.leastRows - 1, 2 * RowConversion.leastRows, 500, 501])
    func order(_ count: Int) throws {
        let rows = Array(0..<count)
        #expect(try RowConversion.all(rows) { $0.map { -$0 } } == rows.map { -$0 })
    }

    @Test(
        "Of several errors the first one in the order of the rows is thrown",
        arguments: [[0], [130, 499], [499], [63, 64]])
    func errors(_ unreadable: [Int]) throws {
        let first = try #require(unreadable.first)
        #expect(throws: Unreadable(row: first)) {
            _ = try RowConversion.all(Array(0..<500)) { rows in
                try rows.map { row in
                    if unreadable.contains(row) { throw Unreadable(row: row) }
                    return row
                }
            }
        }
    }
}
