package import KeyedArchive

/// What a device says of itself, in its hello and whenever it changes: all that its counterpart needs to tell whether it is
/// reachable.
package struct DeviceState: Equatable, Sendable {
    package var application = ApplicationState.foreground
    /// Whether the app is there for the counterpart's to talk to.
    package var isAppInstalled = true
    /// Watch: its screen is off, and no app is in the foreground.
    package var isWristDown = false
    /// Watch: a workout keeps the app running at high priority.
    package var hasWorkout = false
    /// Phone: restarted, and not unlocked since.
    package var isLocked = false
    /// Phone: whether it talks to the watch that it says this to; it may have another active one.
    package var serves = true

    package init() {}

    /// Watch: whether its app can be talked to at once.
    package var isInteractive: Bool {
        (application == .foreground && !isWristDown) || (hasWorkout && application.isRunning)
    }

    // MARK: - On the wire

    private enum Key {
        static let application = "state"
        static let isAppInstalled = "appInstalled"
        static let isWristDown = "wristDown"
        static let hasWorkout = "workout"
        static let isLocked = "locked"
        static let serves = "serves"
    }

    /// The entries of a property list. A dictionary of a peer may lack any of them: its value is the default then.
    package var entries: [String: PropertyListValue] {
        [
            Key.application: .string(application.rawValue),
            Key.isAppInstalled: .boolean(isAppInstalled),
            Key.isWristDown: .boolean(isWristDown),
            Key.hasWorkout: .boolean(hasWorkout),
            Key.isLocked: .boolean(isLocked),
            Key.serves: .boolean(serves),
        ]
    }

    /// - Throws: ``ProtocolError`` that names what is wrong.
    package init(_ content: PropertyListValue) throws(ProtocolError) {
        if let value = content[Key.application] {
            guard case .string(let name) = value, let state = ApplicationState(rawValue: name) else {
                throw ProtocolError(.badState, "“\(Key.application)” is no state of an app")
            }
            application = state
        }
        isAppInstalled = try Self.flag(Key.isAppInstalled, content) ?? isAppInstalled
        isWristDown = try Self.flag(Key.isWristDown, content) ?? isWristDown
        hasWorkout = try Self.flag(Key.hasWorkout, content) ?? hasWorkout
        isLocked = try Self.flag(Key.isLocked, content) ?? isLocked
        serves = try Self.flag(Key.serves, content) ?? serves
    }

    private static func flag(_ key: String, _ content: PropertyListValue) throws(ProtocolError) -> Bool? {
        guard let value = content[key] else { return nil }
        guard case .boolean(let flag) = value else { throw ProtocolError(.badState, "“\(key)” is no boolean") }
        return flag
    }
}
