/// The life of the app on this device: whether its code runs and why, beside the other things that the device says of itself.
///
///     foreground, background ◄──► suspended ── something came ──► woken ── all was handled ──► suspended
///     any ──► terminated ── launched by a person or by what comes ──► foreground, background, woken
struct AppLife: Sendable {
    enum State: CaseIterable, Equatable, Sendable {
        /// Can become: background, suspended, terminated.
        case foreground
        /// Can become: foreground, suspended, terminated.
        case background
        /// In the background, and only because something came for it. Can become: foreground, background, suspended, terminated.
        case woken
        /// Can become: foreground, background, woken, terminated.
        case suspended
        /// Can become: foreground, background, woken.
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

    /// What an event means for the app's code.
    enum Action: Equatable, Sendable {
        case nothing
        /// Its code runs as before, or does not, but the counterparts may see a difference.
        case goOn
        /// It was running, and is only in memory now.
        case suspend
        /// It was in memory, and runs again.
        case resume
        /// Its process ended.
        case end
        /// Its process begins anew.
        case launch
    }

    private(set) var state: State
    /// What the device says of itself, but for the app's state, which is ``state``.
    private var conditions: DeviceState

    init(_ device: DeviceState) {
        state = State(device.application)
        conditions = device
    }

    /// What the device says of itself.
    var device: DeviceState {
        var device = conditions
        device.application = state.application
        return device
    }

    // MARK: - Events

    /// The person, or the system, puts the app into another state.
    mutating func enter(_ application: ApplicationState) -> Action { become(Self.entering(application, from: state)) }

    /// Something came that wakes the app. A phone that was not unlocked since it restarted starts none.
    mutating func arrived() -> Action {
        conditions.isLocked ? .nothing : become(Self.waking(from: state))
    }

    /// All that came was handled.
    mutating func drained() -> Action {
        switch state {
        case .woken: enter(.suspended)
        case .foreground, .background, .suspended, .terminated: .nothing
        }
    }

    /// The phone restarts: its app is gone, and stays so until the phone was unlocked.
    mutating func reboot() -> Action {
        conditions.isLocked = true
        return state == .terminated ? .goOn : enter(.terminated)
    }

    /// Anything changes but the app's state, which is entered.
    mutating func change(_ change: (inout DeviceState) -> Void) {
        var changed = device
        change(&changed)
        conditions = changed
    }

    // MARK: - Rules

    private mutating func become(_ step: (next: State, action: Action)) -> Action {
        state = step.next
        // Nothing runs on a phone that was not unlocked: a running app says that it was.
        if step.action != .nothing, state.application.isRunning { conditions.isLocked = false }
        return step.action
    }

    private static func entering(_ application: ApplicationState, from state: State) -> (State, Action) {
        switch (state, application) {
        case (.foreground, .foreground): (.foreground, .nothing)
        case (.background, .background), (.woken, .background): (.background, .nothing)
        case (.suspended, .suspended): (.suspended, .nothing)
        // What is not in memory cannot be suspended.
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
