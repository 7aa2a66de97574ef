import Foundation

/// How long the probe waits, in seconds. Nothing of it is in the record.
enum Patience {
    /// For something that comes at once between two apps in the foreground. A device may take a minute for a file.
    static let arrival: TimeInterval = 90
    /// For a second call that must not come.
    static let quiet: TimeInterval = 10
    /// For a handler: how long a device waits for a reply is documented nowhere.
    static let handler: TimeInterval = 360
    /// For a person.
    static let person: TimeInterval = 300
    /// Between two looks at a property.
    static let look: TimeInterval = 0.2

    /// Looks at a condition again and again.
    ///
    /// - Returns: False if it does not hold in time.
    static func until(_ seconds: TimeInterval, _ holds: () -> Bool) -> Bool {
        let end = Date(timeIntervalSinceNow: seconds)
        while !holds() {
            guard Date() < end else { return false }
            Thread.sleep(forTimeInterval: look)
        }
        return true
    }
}
