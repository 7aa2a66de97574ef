package import Foundation

/// Watches the calls of a delegate, of which there is one at a time, for one that does not return: it is told of twice.
package struct CallWatch: Sendable {
    package struct Call: Equatable, Sendable {
        /// The method, as a client spells it.
        package let method: String
        /// The message or transfer that it was given.
        package let package: UUID?
        package let start: MonotonicTime
        /// How often it was told of.
        package fileprivate(set) var reports = 0
    }

    /// After how long a call is told of. 5 s: what an app does at once takes less, and a person who waits for it still looks. 60 s: it
    /// will not return any more.
    package static let patience: [Duration] = [.seconds(5), .seconds(60)]

    private let patience: [Duration]
    private var call: Call?
    /// Whether ``deadlinePassed(at:)`` will be called.
    private var isTimed = false

    /// - Parameter patience: After how long a call is told of, for the first time, the second, and so on.
    package init(patience: [Duration] = Self.patience) { self.patience = patience }

    /// - Returns: When ``deadlinePassed(at:)`` is to be called; nil if it will be anyway.
    package mutating func began(_ method: String, _ package: UUID?, at time: MonotonicTime) -> MonotonicTime? {
        call = Call(method: method, package: package, start: time)
        // One timer serves all the calls that come while it runs: most of them last microseconds.
        guard !isTimed, let first = patience.first else { return nil }
        isTimed = true
        return time + first
    }

    /// - Returns: The call, if it was told of.
    package mutating func ended() -> Call? {
        defer { call = nil }
        return call.flatMap { $0.reports > 0 ? $0 : nil }
    }

    /// - Returns: The call that has to be told of now, and when to come again.
    package mutating func deadlinePassed(at time: MonotonicTime) -> (overdue: Call?, next: MonotonicTime?) {
        isTimed = false
        guard var call, call.reports < patience.count else { return (nil, nil) }
        var overdue: Call?
        if call.start + patience[call.reports] <= time {
            call.reports += 1
            overdue = call
            self.call = call
        }
        guard call.reports < patience.count else { return (overdue, nil) }
        isTimed = true
        return (overdue, call.start + patience[call.reports])
    }

    /// The call that was told of and has not returned.
    package var overdue: Call? { call.flatMap { $0.reports > 0 ? $0 : nil } }
}
