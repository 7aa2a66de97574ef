/// The named conditions. Their figures are realistic in magnitude, not measured on a watch: Apple publishes none.
public enum LinkPreset: String, CaseIterable, Sendable {
    /// The unmodified socket: a few microseconds.
    case perfect
    /// A watch on the wrist, the phone in the pocket. Bluetooth LE sends once per connection interval; Apple's
    /// accessory guidelines allow multiples of 15 ms. Here 30 ms, plus up to one more interval of waiting. 90 kB/s: the
    /// 125 kB/s of the 1 Mbit/s radio minus headers and gaps.
    case bluetooth
    /// The phone in another room: repeated packets. Five times the delay with a long tail, a tenth of the bandwidth.
    case bluetoothFar = "bluetooth-far"
    /// Both devices on one network: an access point adds some milliseconds; megabytes per second.
    case wifi
    /// No peer in range.
    case outOfRange = "out-of-range"
    /// Bluetooth at the edge of its range: up for ten seconds, down for five.
    case flapping

    /// The condition that the preset stands for.
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
