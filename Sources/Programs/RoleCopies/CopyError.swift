/// The error for a source that cannot be copied.
package struct CopyError: Error, Equatable, CustomStringConvertible {
    /// The line of the source, from 1.
    package let line: Int
    package let message: String
    package var description: String { "line \(line): \(message)" }
}
