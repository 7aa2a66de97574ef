/// The alignment of a value in a number of columns.
public struct OSLogStringAlignment {
    private enum Side {
        case left, right
    }

    private let side: Side
    private let columns: () -> Int

    private init(_ side: Side, _ columns: @escaping () -> Int) {
        self.side = side
        self.columns = columns
    }

    /// The value takes its own width.
    public static var none: OSLogStringAlignment { OSLogStringAlignment(.left) { 0 } }

    /// The value stands at the left of this many columns.
    public static func left(columns: @autoclosure @escaping () -> Int) -> OSLogStringAlignment {
        OSLogStringAlignment(.left, columns)
    }

    /// The value stands at the right of this many columns.
    public static func right(columns: @autoclosure @escaping () -> Int) -> OSLogStringAlignment {
        OSLogStringAlignment(.right, columns)
    }

    /// The most columns. 1,024: more are a mistake, and would fill the log.
    private static let mostColumns = 1_024

    func aligned(_ text: String) -> String {
        let padding = String(repeating: " ", count: max(0, min(columns(), Self.mostColumns) - text.count))
        return side == .left ? text + padding : padding + text
    }
}
