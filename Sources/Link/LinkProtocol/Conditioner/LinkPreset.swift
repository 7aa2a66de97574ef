/// Conditions with a name. Their figures are chosen to be of the right size, not measured on a watch: Apple publishes none.
public enum LinkPreset: String, CaseIterable, Sendable {
    /// The socket as it is: some microseconds.
    case perfect
    /// A watch on the wrist, the phone in the pocket. Bluetooth LE sends once in a connection interval, of which Apple's
    /// accessory guidelines allow multiples of 15 ms: 30 ms here, and up to one more interval of waiting. 90 kB/s: what
    /// is left of the 1 Mbit/s radio's 125 kB/s when headers and intervals are paid.
    case bluetooth
    /// The phone in another room: repeated packets. Five times the delay with a long tail, a tenth of the bandwidth.
    case bluetoothFar = "bluetooth-far"
    /// Both in one network: an access point between them adds some milliseconds; megabytes a second.
    case wifi
    /// Nobody is there.
    case outOfRange = "out-of-range"
    /// Bluetooth at the edge of its range: there for ten seconds, gone for five.
    case flapping

    public var condition: LinkCondition {
        var condition = LinkCondition()
        switch self {
        case .perfect: break
        case .bluetooth: condition.both(Self.bluetoothDirection)
        case .bluetoothFar:
            condition.both { direction in
                direction.latency = .milliseconds(150)
                direction.jitter = .milliseconds(150)
                direction.distribution = .exponential
                direction.bytesPerSecond = 9_000
            }
        case .wifi:
            condition.both { direction in
                direction.latency = .milliseconds(4)
                direction.jitter = .milliseconds(4)
                direction.distribution = .exponential
                direction.bytesPerSecond = 5_000_000
            }
        case .outOfRange: condition.refuses = true
        case .flapping:
            condition.both(Self.bluetoothDirection)
            condition.flapping = LinkCondition.Flapping(up: .seconds(10), down: .seconds(5))
        }
        return condition
    }

    private static func bluetoothDirection(_ direction: inout LinkCondition.Direction) {
        direction.latency = .milliseconds(30)
        direction.jitter = .milliseconds(30)
        direction.bytesPerSecond = 90_000
    }
}
