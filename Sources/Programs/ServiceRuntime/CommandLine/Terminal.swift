import EventLog
import Foundation
import Glibc

/// What standard output is.
public enum Terminal {
    public enum Colour: Int, Sendable {
        case red = 31
        case green = 32
        case yellow = 33
        case blue = 34
    }

    /// Whether colours may be used.
    public static let isColoured = LogFormat.isColoured(
        STDOUT_FILENO, environment: ProcessInfo.processInfo.environment)

    public static func coloured(_ text: String, as colour: Colour) -> String {
        isColoured ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }
}
