import EventLog
import Foundation
import Glibc

/// Colours on standard output.
public enum Terminal {
    /// A foreground colour; the raw value is its SGR code (ECMA-48).
    public enum Colour: Int, Sendable {
        /// SGR code 31.
        case red = 31
        /// SGR code 32.
        case green = 32
        /// SGR code 33.
        case yellow = 33
        /// SGR code 34.
        case blue = 34
    }

    /// True if the output may be coloured.
    public static let isColoured = LogFormat.isColoured(
        STDOUT_FILENO, environment: ProcessInfo.processInfo.environment)

    /// Returns the text in a colour, or unchanged where colours are off.
    public static func coloured(_ text: String, as colour: Colour) -> String {
        isColoured ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }
}
