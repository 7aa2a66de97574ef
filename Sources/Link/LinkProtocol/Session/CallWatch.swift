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

    /// One timer serves all the calls that come while it runs: most of them last microseconds. `isTimed` is whether it does.
    private enum State {
        case idle(isTimed: Bool)
        case calling(Call, isTimed: Bool)

        var isTimed: Bool {
            switch self {
            case .idle(let isTimed), .calling(_, let isTimed): isTimed
            }
        }
    }

    /// After how long a call is told of. 5 s: what an app does at once takes less, and a person who waits for it still looks. 60 s: it
    /// will not return any more.
    package static let patience: [Duration] = [.seconds(5), .seconds(60)]

    private let patience: [Duration]
    private var state = State.idle(isTimed: false)

    /// - Parameter patience: After how long a call is told of, for the first time, the second, and so on.
    package init(patience: [Duration] = Self.patience) { self.patience = patience }

    /// A call that has not been told to have ended is over all the same: there is one at a time.
    ///
    /// - Returns: When ``deadlinePassed(at:)`` is to be called; nil if it will be anyway.
    package mutating func began(_ method: String, _ package: UUID?, at time: MonotonicTime) -> MonotonicTime? {
        let isTimed = state.isTimed
        state = .calling(Call(method: method, package: package, start: time), isTimed: isTimed || !patience.isEmpty)
        return isTimed ? nil : patience.first.map { time + $0 }
    }

    /// - Returns: The call, if it was told of.
    package mutating func ended() -> Call? {
        let ended = overdue
        state = .idle(isTimed: state.isTimed)
        return ended
    }

    /// - Returns: The call that has to be told of now, and when to come again.
    package mutating func deadlinePassed(at time: MonotonicTime) -> (overdue: Call?, next: MonotonicTime?) {
        let (next, overdue, deadline) = passed(at: time)
        state = next
        return (overdue, deadline)
    }

    private func passed(at time: MonotonicTime) -> (State, overdue: Call?, next: MonotonicTime?) {
        guard case .calling(var call, _) = state else { return (.idle(isTimed: false), nil, nil) }
        var overdue: Call?
        if call.reports < patience.count, call.start + patience[call.reports] <= time {
            call.reports += 1
            overdue = call
        }
        guard call.reports < patience.count else { return (.calling(call, isTimed: false), overdue, nil) }
        return (.calling(call, isTimed: true), overdue, call.start + patience[call.reports])
    }

    /// The call that was told of and has not returned.
    package var overdue: Call? {
        if case .calling(let call, _) = state, call.reports > 0 { call } else { nil }
    }
}
