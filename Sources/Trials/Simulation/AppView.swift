import DeviceEngine
import Foundation
import LinkProtocol

/// The news that an app got of its session and its counterparts, and the order in which it may get them: written after
/// Apple's documentation, so that an error in a rule of the product is not repeated here.
struct AppView {
    private enum Session: Equatable {
        case notActivated, activated
        /// A switch of watches began. Its messages in flight fail before it is told.
        case inactive(wasTold: Bool, areMessagesOver: Bool)
        /// The delegate is about to be told that the session was deactivated.
        case deactivating
    }

    private var session = Session.notActivated
    private var isRunning = true
    private var isHeld = false
    /// True while the system gives it time for content, and has not told it so.
    private var isTaskDue = false
    /// True if it was told of the watches, or of the counterpart's app, since it was asked last.
    private var (hasHeardOfWatches, hasHeardOfApp) = (false, false)
    /// The counterparts that the app was told it can reach.
    private(set) var reachable: Set<IdentifierKey> = []

    /// Records news for the app.
    ///
    /// - Returns: The reason why it may not be told so now; nil if it may.
    mutating func hears(_ news: AppNotification) -> String? {
        switch news {
        case .activation(let activation): become(activation)
        case .didActivate: expect(session == .activated, "it was activated, but its session is \(session)")
        case .didBecomeInactive: becomeInactive()
        case .didDeactivate: deactivate()
        case .reachability(let device, let isReachable): reach(device, isReachable)
        case .hold: hold()
        case .release: release()
        case .dropHandlers: end()
        case .launch: launch()
        case .watchState: note(\.hasHeardOfWatches)
        case .companionApp: note(\.hasHeardOfApp)
        case .refreshTask: takeTask()
        case .abandonMessages: abandon()
        }
    }

    /// Records that content woke the app of a watch.
    mutating func wakes() { isTaskDue = true }

    /// Returns what the app should have been told by now, after everything was carried out.
    ///
    /// - Parameters:
    ///   - watches: True if a watch was paired, became active, or got or lost the app.
    ///   - app: True if the counterpart got or lost the app.
    mutating func misses(watches: Bool, app: Bool) -> String? {
        defer { (isTaskDue, hasHeardOfWatches, hasHeardOfApp) = (false, false, false) }
        if isTaskDue { return "it was woken without a task" }
        if watches, !hasHeardOfWatches { return "it was not told that its watches changed" }
        return expect(!app || hasHeardOfApp, "it was not told that the counterpart's app changed")
    }

    private mutating func note(_ news: WritableKeyPath<Self, Bool>) -> String? {
        self[keyPath: news] = true
        return nil
    }

    private mutating func takeTask() -> String? {
        defer { isTaskDue = false }
        return expect(isTaskDue, "it got a task, but was not woken")
    }

    private mutating func abandon() -> String? {
        guard session == .inactive(wasTold: false, areMessagesOver: false) else {
            return "its messages were abandoned, but its session is \(session)"
        }
        session = .inactive(wasTold: false, areMessagesOver: true)
        return nil
    }

    private func expect(_ condition: Bool, _ complaint: @autoclosure () -> String) -> String? {
        condition ? nil : complaint()
    }

    private mutating func become(_ activation: Activation) -> String? {
        let former = session
        switch (former, activation) {
        case (.notActivated, .activated): session = .activated
        case (.activated, .inactive): session = .inactive(wasTold: false, areMessagesOver: false)
        case (.inactive(wasTold: true, areMessagesOver: true), .notActivated): session = .deactivating
        // The end of its process ends every session.
        case (.notActivated, .notActivated) where !isRunning: break
        default: return "its session changed from \(former) to \(activation)"
        }
        return nil
    }

    private mutating func becomeInactive() -> String? {
        guard session == .inactive(wasTold: false, areMessagesOver: true) else {
            return "it became inactive, but its session is \(session)"
        }
        session = .inactive(wasTold: true, areMessagesOver: true)
        return nil
    }

    private mutating func deactivate() -> String? {
        guard session == .deactivating else { return "it was deactivated, but its session is \(session)" }
        session = .notActivated
        return nil
    }

    private mutating func reach(_ device: UUID, _ isReachable: Bool) -> String? {
        let isNews = isReachable ? reachable.insert(device) : reachable.remove(device)
        return expect(isNews, "it was told again that \(device) is \(isReachable ? "" : "not ")reachable")
    }

    private mutating func hold() -> String? {
        isHeld = true
        return nil
    }

    private mutating func release() -> String? {
        defer { isHeld = false }
        return expect(isHeld, "its calls were released, but were not held")
    }

    private mutating func end() -> String? {
        defer { (isRunning, session) = (false, .notActivated) }
        return expect(isRunning && isHeld, "it ended, but was not running, or its calls were not held")
    }

    private mutating func launch() -> String? {
        defer { isRunning = true }
        return expect(!isRunning && !isHeld, "it was launched, but was running")
    }
}
