import Testing

@testable import LinkProtocol

/// Tests of the watch over a delegate's calls: every event in every state.
@Suite("Calls that do not return: every state and event")
struct CallWatchTableTests {
    /// The states. Calls begin at second 0 and are reported after 5 s and 60 s.
    enum State: String, CaseIterable {
        case idle
        /// The timer of an earlier call is running.
        case idleTimed
        case calling, toldOnce
        /// The timer is no longer running.
        case toldTwice

        var watch: CallWatch {
            var watch = CallWatch(patience: [.seconds(5), .seconds(60)])
            guard self != .idle else { return watch }
            _ = watch.began("first", nil, at: at(0))
            if self == .idleTimed { _ = watch.ended() }
            if self == .toldOnce || self == .toldTwice { _ = watch.deadlinePassed(at: at(5)) }
            if self == .toldTwice { _ = watch.deadlinePassed(at: at(60)) }
            return watch
        }
    }

    enum Event: String, CaseIterable {
        case begins70, ends, deadline4, deadline5, deadline60

        func happen(to watch: inout CallWatch) -> Came {
            switch self {
            case .begins70: return .began(timer: watch.began("next", nil, at: at(70)))
            case .ends: return .ended(reports: watch.ended()?.reports)
            case .deadline4: return Self.passed(watch.deadlinePassed(at: at(4)))
            case .deadline5: return Self.passed(watch.deadlinePassed(at: at(5)))
            case .deadline60: return Self.passed(watch.deadlinePassed(at: at(60)))
            }
        }

        private static func passed(_ action: (overdue: CallWatch.Call?, next: MonotonicTime?)) -> Came {
            .passed(reports: action.overdue?.reports, next: action.next)
        }
    }

    enum Came: Equatable {
        case began(timer: MonotonicTime?)
        /// The number of reports; nil if the call was not reported, or if there is no call.
        case ended(reports: Int?)
        case passed(reports: Int?, next: MonotonicTime?)
    }

    private static func outcome(_ state: State, _ event: Event) -> Came {
        switch (state, event) {
        case (.idle, .begins70): .began(timer: at(75))
        case (.idle, .ends): .ended(reports: nil)
        case (.idle, .deadline4), (.idle, .deadline5), (.idle, .deadline60): .passed(reports: nil, next: nil)
        case (.idleTimed, .begins70): .began(timer: nil)
        case (.idleTimed, .ends): .ended(reports: nil)
        case (.idleTimed, .deadline4), (.idleTimed, .deadline5), (.idleTimed, .deadline60):
            .passed(reports: nil, next: nil)
        case (.calling, .begins70): .began(timer: nil)
        case (.calling, .ends): .ended(reports: nil)
        case (.calling, .deadline4): .passed(reports: nil, next: at(5))
        case (.calling, .deadline5), (.calling, .deadline60): .passed(reports: 1, next: at(60))
        case (.toldOnce, .begins70): .began(timer: nil)
        case (.toldOnce, .ends): .ended(reports: 1)
        case (.toldOnce, .deadline4), (.toldOnce, .deadline5): .passed(reports: nil, next: at(60))
        case (.toldOnce, .deadline60): .passed(reports: 2, next: nil)
        case (.toldTwice, .begins70): .began(timer: at(75))
        case (.toldTwice, .ends): .ended(reports: 2)
        case (.toldTwice, .deadline4), (.toldTwice, .deadline5), (.toldTwice, .deadline60):
            .passed(reports: nil, next: nil)
        }
    }

    /// The number of reports of the call in progress.
    private static func overdue(_ state: State, _ event: Event) -> Int? {
        switch (state, event) {
        case (_, .begins70), (_, .ends), (.idle, _), (.idleTimed, _), (.calling, .deadline4): nil
        case (.calling, .deadline5), (.calling, .deadline60), (.toldOnce, .deadline4), (.toldOnce, .deadline5): 1
        case (.toldOnce, .deadline60), (.toldTwice, .deadline4), (.toldTwice, .deadline5), (.toldTwice, .deadline60): 2
        }
    }

    @Test("Each event in each state leads to its action and to the right call")
    func pairs() {
        for state in State.allCases {
            for event in Event.allCases {
                var watch = state.watch
                let came = event.happen(to: &watch)
                #expect(came == Self.outcome(state, event), "\(event) while \(state)")
                #expect(watch.overdue?.reports == Self.overdue(state, event), "\(event) while \(state)")
                // A timer that was requested is not requested again.
                let timer = watch.began("later", nil, at: at(80))
                let isPromised =
                    switch came {
                    case .began(let timer): timer != nil || state != .idle
                    case .ended: state != .idle && state != .toldTwice
                    case .passed(_, let next): next != nil
                    }
                #expect((timer == nil) == isPromised, "\(event) while \(state)")
            }
        }
    }

    @Test("Without a limit nothing is reported, and no timer is set")
    func noPatience() {
        var watch = CallWatch(patience: [])
        let timer = watch.began("slow", nil, at: at(0))
        let passed = watch.deadlinePassed(at: at(1_000))
        let ended = watch.ended()
        #expect(timer == nil)
        #expect(passed.overdue == nil)
        #expect(passed.next == nil)
        #expect(ended == nil)
    }
}
