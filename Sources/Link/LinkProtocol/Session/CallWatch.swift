package import Foundation

/// Detects a delegate call that does not return, and reports it twice. Delegate calls are serial.
package struct CallWatch: Sendable {
    package struct Call: Equatable, Sendable {
        /// The method's name in the client API.
        package let method: String
        /// The message or transfer passed to it.
        package let package: UUID?
        package let start: MonotonicTime
        /// The number of reports so far.
        package fileprivate(set) var reports = 0
    }

    /// One timer serves all calls while it runs, as most last microseconds. `isTimed` is true while it runs.
    private enum State {
        case idle(isTimed: Bool)
        case calling(Call, isTimed: Bool)

        var isTimed: Bool {
            switch self {
            case .idle(let isTimed), .calling(_, let isTimed): isTimed
            }
        }
    }

    /// The durations after which a call is reported. 5 s: synchronous work takes less, and a waiting person is still
    /// looking. 60 s: the call will probably never return.
    package static let patience: [Duration] = [.seconds(5), .seconds(60)]

    private let patience: [Duration]
    private var state = State.idle(isTimed: false)

    /// Creates an idle watch.
    ///
    /// - Parameter patience: The durations after which a call is reported for the first time, the second, and so on.
    package init(patience: [Duration] = Self.patience) { self.patience = patience }

    /// Records the start of a call, which also ends the previous one: calls are serial.
    ///
    /// - Returns: The time at which to call ``deadlinePassed(at:)``; nil if a timer is already running.
    package mutating func began(_ method: String, _ package: UUID?, at time: MonotonicTime) -> MonotonicTime? {
        let isTimed = state.isTimed
        state = .calling(Call(method: method, package: package, start: time), isTimed: isTimed || !patience.isEmpty)
        return isTimed ? nil : patience.first.map { time + $0 }
    }

    /// Records the end of the call.
    ///
    /// - Returns: The call if it was reported.
    package mutating func ended() -> Call? {
        let ended = overdue
        state = .idle(isTimed: state.isTimed)
        return ended
    }

    /// Checks the current call.
    ///
    /// - Returns: The call to report now, and the time of the next check.
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

    /// The reported call that has not returned yet.
    package var overdue: Call? {
        if case .calling(let call, _) = state, call.reports > 0 { call } else { nil }
    }
}
