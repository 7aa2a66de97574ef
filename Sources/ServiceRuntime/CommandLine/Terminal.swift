import Foundation
import Glibc

/// What standard output is.
public enum Terminal {
    public enum Colour: Int, Sendable {
        case red = 31
        case green = 32
        case yellow = 33
        case blue = 34
        case grey = 90
    }

    /// Whether colours may be used: on a terminal that has them, unless `NO_COLOR` is set (no-color.org).
    public static let isColoured: Bool = {
        let environment = ProcessInfo.processInfo.environment
        return isatty(STDOUT_FILENO) == 1 && environment["NO_COLOR"]?.isEmpty ?? true && environment["TERM"] != "dumb"
    }()

    public static func coloured(_ text: String, as colour: Colour) -> String {
        isColoured ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }
}
