import LinkProtocol

/// Trouble that a seed may bring to the devices of a test. None of it is more than what an app meets on a device, so a correct app bears all of it.
public struct SimulatedHazard: Hashable, Sendable {
    let device: DeviceHazard

    fileprivate init(_ device: DeviceHazard) { self.device = device }

    /// The link is lost in the middle of what is sent, and is back after seconds or a minute.
    public static let loss = Self(.loss)
    /// Some of what is sent comes late.
    public static let slowness = Self(.slowness)
    /// Replies are lost, and so is the word that a transfer arrived.
    public static let answers = Self(.answers)
    /// Something that has come waits, and is overtaken by things of another kind.
    public static let deliveries = Self(.deliveries)
    /// The app is given things twice.
    public static let duplicates = Self(.duplicates)
    /// The phone is worn with another watch for a while: its session becomes inactive, and must be activated again.
    public static let switches = Self(.switches)
    /// The disk is full for some seconds or minutes: no file grows.
    public static let disk = Self(.disk)
    /// The clock that shows the time of day is set forward or back: by a second, a minute, an hour, a day.
    public static let clock = Self(.clock)
}

extension Set<SimulatedHazard> {
    /// What an app meets every day: loss, slowness, answers, deliveries.
    public static let usual = Set(DeviceHazard.usual.map(SimulatedHazard.init))
    /// All that there is.
    public static let all = Set(DeviceHazard.allCases.map(SimulatedHazard.init))
}
