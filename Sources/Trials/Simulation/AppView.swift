import DeviceEngine
import Foundation
import LinkProtocol

/// The news that an app got of its session and its counterparts, and the order in which it may get them: written after
/// Apple's documentation, so that an error in a rule of the product is not repeated here.
struct AppView {
    private enum Session: Equatable {
        case notActivated, activated
        /// A switch of watches began.
        case inactive(wasTold: Bool)
        /// The delegate is about to be told that the session was deactivated.
        case deactivating
    }

    private var session = Session.notActivated
    private var isRunning = true
    private var isHeld = false
    /// The counterparts that the app was told it can reach.
    private(set) var reachable: Set<UUID> = []

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
        case .watchState, .companionApp, .refreshTask, .abandonMessages: nil
        }
    }

    private func expect(_ condition: Bool, _ complaint: @autoclosure () -> String) -> String? {
        condition ? nil : complaint()
    }

    private mutating func become(_ activation: Activation) -> String? {
        let former = session
        switch (former, activation) {
        case (.notActivated, .activated): session = .activated
        case (.activated, .inactive): session = .inactive(wasTold: false)
        case (.inactive(wasTold: true), .notActivated): session = .deactivating
        // The end of its process ends every session.
        case (.notActivated, .notActivated) where !isRunning: break
        default: return "its session changed from \(former) to \(activation)"
        }
        return nil
    }

    private mutating func becomeInactive() -> String? {
        guard session == .inactive(wasTold: false) else { return "it became inactive, but its session is \(session)" }
        session = .inactive(wasTold: true)
        return nil
    }

    private mutating func deactivate() -> String? {
        guard session == .deactivating else { return "it was deactivated, but its session is \(session)" }
        session = .notActivated
        return nil
    }

    private mutating func reach(_ device: UUID, _ isReachable: Bool) -> String? {
        let isNews = isReachable ? reachable.insert(device).inserted : reachable.remove(device) != nil
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
        return expect(isRunning, "it ended, but was not running")
    }

    private mutating func launch() -> String? {
        defer { isRunning = true }
        return expect(!isRunning && !isHeld, "it was launched, but was running")
    }
}
