import Dispatch
import Locking

/// The state of this process's app. WatchConnectivity reports it; the modules that stand in for Apple's show it.
package final class AppActivity: Sendable {
    /// The app's state. A suspended or terminated app is in the background to those who could ask.
    package enum State: Sendable { case active, inactive, background }

    /// A part of a change of the state, as the system reports it to an app.
    package enum Step: Sendable { case willEnterForeground, didBecomeActive, willResignActive, didEnterBackground }

    private struct Content {
        var state = State.active
        var observers: [@Sendable (Step) -> Void] = []
    }

    package static let shared = AppActivity()

    private let content = Mutex(Content())

    package init() {}

    package var state: State { content.withLock { $0.state } }

    /// Changes the state. The observers are called afterwards, on the main queue.
    package func become(_ state: State) {
        content.withLock { content in
            let steps = Self.steps(from: content.state, to: state)
            content.state = state
            let observers = content.observers
            guard !steps.isEmpty, !observers.isEmpty else { return }
            // Within the lock, so that changes are reported in their order.
            DispatchQueue.main.async { for step in steps { for observer in observers { observer(step) } } }
        }
    }

    /// Reports each step of later changes, on the main queue.
    package func observe(_ observer: @escaping @Sendable (Step) -> Void) {
        content.withLock { $0.observers.append(observer) }
    }

    private static func steps(from former: State, to present: State) -> [Step] {
        switch (former, present) {
        case (.active, .active), (.inactive, .inactive), (.background, .background): []
        case (.active, .inactive): [.willResignActive]
        case (.active, .background): [.willResignActive, .didEnterBackground]
        case (.inactive, .active): [.didBecomeActive]
        case (.inactive, .background): [.didEnterBackground]
        case (.background, .inactive): [.willEnterForeground]
        case (.background, .active): [.willEnterForeground, .didBecomeActive]
        }
    }
}
