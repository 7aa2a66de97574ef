import LinkProtocol

/// A hazard that a seed may apply to devices. It also happens on real devices, so a correct app survives it.
public struct SimulatedHazard: Hashable, Sendable {
    let device: DeviceHazard

    fileprivate init(_ device: DeviceHazard) { self.device = device }

    /// The link is lost during a transmission, and is back after seconds or a minute.
    public static let loss = Self(.loss)
    /// Some transmissions are late.
    public static let slowness = Self(.slowness)
    /// Replies are lost, and so are acknowledgements of transfers.
    public static let answers = Self(.answers)
    /// An item that has arrived waits, and items of other kinds overtake it.
    public static let deliveries = Self(.deliveries)
    /// The app gets items twice.
    public static let duplicates = Self(.duplicates)
    /// The phone is used with another watch for a while: its session becomes inactive, and must be activated again.
    public static let switches = Self(.switches)
    /// The disk is full for some seconds or minutes: no file grows.
    public static let disk = Self(.disk)
    /// The wall clock is set forward or back: by a second, a minute, an hour or a day.
    public static let clock = Self(.clock)
    /// A kill, of which `kills` allows some, can be a power cut, which loses what the app has not synchronized to the
    /// disk.
    public static let power = Self(.power)
}

extension Set<SimulatedHazard> {
    /// The everyday hazards: loss, slowness, answers, deliveries.
    public static let usual = Set(DeviceHazard.usual.map(SimulatedHazard.init))
    /// All hazards.
    public static let all = Set(DeviceHazard.allCases.map(SimulatedHazard.init))
}
