/// The life cycle of the app on this device: whether and why its code runs, together with the other parts of the
/// device's state.
///
///     foreground, background ◄──► suspended ── content arrived ──► woken ── all handled ──► suspended
///     any ──► terminated ── launched by a person or by content ──► foreground, background, woken
struct AppLife: Equatable, Sendable {
    enum State: CaseIterable, Equatable, Sendable {
        /// Next: background, suspended, terminated.
        case foreground
        /// Next: foreground, suspended, terminated.
        case background
        /// Running in the background only because content arrived. Next: foreground, background, suspended, terminated.
        case woken
        /// Next: foreground, background, woken, terminated.
        case suspended
        /// Next: foreground, background, woken.
        case terminated

        init(_ application: ApplicationState) {
            self =
                switch application {
                case .foreground: .foreground
                case .background: .background
                case .suspended: .suspended
                case .terminated: .terminated
                }
        }

        var application: ApplicationState {
            switch self {
            case .foreground: .foreground
            case .background, .woken: .background
            case .suspended: .suspended
            case .terminated: .terminated
            }
        }
    }

    /// The consequence of an event for the app's code.
    enum Action: Equatable, Sendable {
        case nothing
        /// Code keeps running, or not, but counterparts may see a difference.
        case goOn
        /// The app was running and is now only in memory.
        case suspend
        /// The app was in memory and runs again.
        case resume
        /// The app's process ends.
        case end
        /// The app's process starts from scratch.
        case launch
    }

    private(set) var state: State
    /// The device's state except that of the app, which is ``state``.
    private var conditions: DeviceState

    init(_ device: DeviceState) {
        state = State(device.application)
        conditions = device
    }

    /// The device's state as sent to counterparts.
    var device: DeviceState {
        var device = conditions
        device.application = state.application
        return device
    }

    // MARK: - Events

    /// Puts the app into a state chosen by a person or the system.
    mutating func enter(_ application: ApplicationState) -> Action { become(Self.entering(application, from: state)) }

    /// Wakes the app for arriving content. A phone that has not been unlocked since its restart starts no app.
    mutating func arrived() -> Action {
        conditions.isLocked ? .nothing : become(Self.waking(from: state))
    }

    /// Records that all content was handled.
    mutating func drained() -> Action {
        switch state {
        case .woken: enter(.suspended)
        case .foreground, .background, .suspended, .terminated: .nothing
        }
    }

    /// Restarts the phone: its app is terminated until the phone is unlocked.
    mutating func reboot() -> Action {
        conditions.isLocked = true
        return state == .terminated ? .goOn : enter(.terminated)
    }

    /// Changes the device's state except that of the app, for which ``enter(_:)`` is used.
    mutating func change(_ change: (inout DeviceState) -> Void) {
        var changed = device
        change(&changed)
        conditions = changed
    }

    // MARK: - Rules

    private mutating func become(_ step: (next: State, action: Action)) -> Action {
        state = step.next
        // A locked phone runs no app, so a running app means that it was unlocked.
        if step.action != .nothing, state.application.isRunning { conditions.isLocked = false }
        return step.action
    }

    private static func entering(_ application: ApplicationState, from state: State) -> (State, Action) {
        switch (state, application) {
        case (.foreground, .foreground): (.foreground, .nothing)
        case (.background, .background), (.woken, .background): (.background, .nothing)
        case (.suspended, .suspended): (.suspended, .nothing)
        // An app that is not in memory cannot be suspended.
        case (.terminated, .suspended), (.terminated, .terminated): (.terminated, .nothing)
        case (.background, .foreground), (.woken, .foreground): (.foreground, .goOn)
        case (.foreground, .background): (.background, .goOn)
        case (.foreground, .suspended), (.background, .suspended), (.woken, .suspended): (.suspended, .suspend)
        case (.suspended, .foreground): (.foreground, .resume)
        case (.suspended, .background): (.background, .resume)
        case (.foreground, .terminated), (.background, .terminated), (.woken, .terminated), (.suspended, .terminated):
            (.terminated, .end)
        case (.terminated, .foreground): (.foreground, .launch)
        case (.terminated, .background): (.background, .launch)
        }
    }

    private static func waking(from state: State) -> (State, Action) {
        switch state {
        case .foreground, .background, .woken: (state, .nothing)
        case .suspended: (.woken, .resume)
        case .terminated: (.woken, .launch)
        }
    }
}
