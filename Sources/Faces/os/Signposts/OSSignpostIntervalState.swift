import Foundation
import Synchronization

/// An interval that has begun.
public final class OSSignpostIntervalState: Sendable {
    let signpostID: OSSignpostID
    private let start = DispatchTime.now()
    private let ended = Atomic(false)

    init(_ signpostID: OSSignpostID) { self.signpostID = signpostID }

    /// Ends the interval, and returns its length in seconds; nil if it has ended before.
    func end() -> Double? {
        guard !ended.exchange(true, ordering: .relaxed) else { return nil }
        return Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1_000_000_000
    }
}
