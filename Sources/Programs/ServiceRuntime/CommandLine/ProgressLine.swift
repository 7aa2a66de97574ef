import Foundation
import Glibc

/// How far a long piece of work is: one line on standard error that is written over, if a person is there to see it.
public final class ProgressLine {
    /// Between two writes. 100 ms: quick enough to look alive, too seldom to cost anything.
    private static let period: Duration = .milliseconds(100)
    /// Work that is done before this needs no line. Half a second: whoever waits sees one within a second.
    private static let patience: Duration = .milliseconds(500)

    private let label: String
    private let total: Int?
    private let isShown: Bool
    private let start = ContinuousClock.now
    private var last: ContinuousClock.Instant?

    /// - Parameters:
    ///   - total: How much there is to do; nil if nobody knows.
    ///   - isListing: Whether the work writes results to standard output as it goes. On a terminal these show how far it is, and a
    ///     line between them would stand in their midst.
    public init(_ label: String, of total: Int? = nil, isListing: Bool = false) {
        self.label = label
        self.total = total
        isShown = isatty(STDERR_FILENO) == 1 && !(isListing && isatty(STDOUT_FILENO) == 1)
    }

    /// So much is done.
    ///
    /// - Parameter total: How much there is to do, if that was not known before.
    public func update(_ done: Int, of total: Int? = nil) {
        guard isShown else { return }
        let total = total ?? self.total
        let now = ContinuousClock.now
        guard now - start > Self.patience, last.map({ now - $0 > Self.period }) ?? true else { return }
        last = now
        let rest = total.map { " of \($0) (\(done * 100 / max($0, 1)) %)" } ?? ""
        write("\r\u{1B}[K\(label): \(done)\(rest)")
    }

    /// The line goes, until the next update.
    public func finish() {
        guard last != nil else { return }
        last = nil
        write("\r\u{1B}[K")
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
