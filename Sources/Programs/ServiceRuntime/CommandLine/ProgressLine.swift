import Foundation
import Glibc

/// A progress line on standard error: on a terminal one that is overwritten in place, elsewhere a line each minute.
public final class ProgressLine {
    private let label: String
    private let total: Int?
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let start = ContinuousClock.now
    /// Nil if progress is never shown.
    private var rule: ProgressRule?

    /// Creates a progress line.
    ///
    /// - Parameters:
    ///   - total: The amount of work; nil if unknown.
    ///   - isListing: True if the work prints results to standard output as it goes. On a terminal these already show
    ///     the progress, and the line would be mixed with them.
    public init(_ label: String, of total: Int? = nil, isListing: Bool = false) {
        self.label = label
        self.total = total
        guard !(isListing && isatty(STDOUT_FILENO) == 1) else { return }
        rule = isTerminal ? .terminal : .file
    }

    /// Reports that `done` units of the work are complete.
    ///
    /// - Parameter total: The amount of work, if it was unknown before.
    public func update(_ done: Int, of total: Int? = nil) {
        guard rule?.isDue(after: .now - start) == true else { return }
        let text = Self.text(label, done, of: total ?? self.total)
        write(isTerminal ? "\r\u{1B}[K\(text)" : "\(text)\n")
    }

    static func text(_ label: String, _ done: Int, of total: Int?) -> String {
        "\(label): \(done)" + (total.map { " of \($0) (\(done * 100 / max($0, 1)) %)" } ?? "")
    }

    /// Removes the line until the next update.
    public func finish() {
        guard isTerminal, rule?.last != nil else { return }
        rule = .terminal
        write("\r\u{1B}[K")
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
