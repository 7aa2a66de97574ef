import Foundation
import Glibc

/// A progress line on standard error that is overwritten in place; shown only on a terminal.
public final class ProgressLine {
    /// The time between two writes. 100 ms: looks alive and costs nothing measurable.
    private static let period: Duration = .milliseconds(100)
    /// The time before the line first appears. Half a second: a waiting user sees it within a second.
    private static let patience: Duration = .milliseconds(500)

    private let label: String
    private let total: Int?
    private let isShown: Bool
    private let start = ContinuousClock.now
    private var last: ContinuousClock.Instant?

    /// Creates a progress line.
    ///
    /// - Parameters:
    ///   - total: The amount of work; nil if unknown.
    ///   - isListing: True if the work prints results to standard output as it goes. On a terminal these already show
    ///     the progress, and the line would be mixed with them.
    public init(_ label: String, of total: Int? = nil, isListing: Bool = false) {
        self.label = label
        self.total = total
        isShown = isatty(STDERR_FILENO) == 1 && !(isListing && isatty(STDOUT_FILENO) == 1)
    }

    /// Reports that `done` units of the work are complete.
    ///
    /// - Parameter total: The amount of work, if it was unknown before.
    public func update(_ done: Int, of total: Int? = nil) {
        guard isShown else { return }
        let total = total ?? self.total
        let now = ContinuousClock.now
        guard now - start > Self.patience, last.map({ now - $0 > Self.period }) ?? true else { return }
        last = now
        let rest = total.map { " of \($0) (\(done * 100 / max($0, 1)) %)" } ?? ""
        write("\r\u{1B}[K\(label): \(done)\(rest)")
    }

    /// Removes the line until the next update.
    public func finish() {
        guard last != nil else { return }
        last = nil
        write("\r\u{1B}[K")
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
