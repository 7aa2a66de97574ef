package import KeyedArchive

/// The state of a device as sent in its hello and after every change; the counterpart derives reachability from it.
package struct DeviceState: Equatable, Sendable {
    package var application = ApplicationState.foreground
    /// True if the app is installed, so that the counterpart's app has a partner.
    package var isAppInstalled = true
    /// Watch: true if the screen is off, so that no app is in the foreground.
    package var isWristDown = false
    /// Watch: true if a workout keeps the app running at high priority.
    package var hasWorkout = false
    /// Phone: true if it was restarted and not yet unlocked.
    package var isLocked = false
    /// Phone: true if it serves the watch that receives this state; another one may be active.
    package var serves = true

    package init() {}

    /// Watch: true if its app can receive messages immediately.
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

    /// The entries of a property list. Entries missing from a peer's dictionary have their default values.
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

    /// Decodes a device's state.
    ///
    /// - Throws: ``ProtocolError`` that names the invalid key.
    package init(_ content: PropertyListValue) throws(ProtocolError) {
        if let value = content[Key.application] {
            guard case .string(let name) = value, let state = ApplicationState(rawValue: name) else {
                throw ProtocolError(.badState, "“\(Key.application)” is not a state of an app")
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
        guard case .boolean(let flag) = value else { throw ProtocolError(.badState, "“\(key)” is not a boolean") }
        return flag
    }
}
