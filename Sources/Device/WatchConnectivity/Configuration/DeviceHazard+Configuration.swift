import LinkProtocol

extension DeviceHazard {
    /// One package in 32: an hour with a hundred messages sees some of each.
    private static let probability = 1.0 / 32
    private static let selection = FaultSelection(probability: probability)

    /// Adds the hazard to a device.
    func apply(to configuration: inout DeviceConfiguration) {
        switch self {
        case .loss:
            // Out of range for a moment, or for up to a minute: longer than messages wait for their reply.
            configuration.faults.append(
                FaultRule(.lose(.milliseconds(100)), .any, .outgoing, Self.selection, jitter: .seconds(60)))
        case .slowness:
            // Half a second: the duration of a piece that the radio retransmits a few times.
            configuration.condition.outgoing.jitter = .milliseconds(500)
            configuration.condition.outgoing.distribution = .spikes
        case .answers:
            for target in [FaultTarget.reply, .acknowledgement] {
                configuration.faults.append(FaultRule(.drop, target, .outgoing, Self.selection))
            }
        case .deliveries:
            // 10 s: by then, an app that became idle or was woken has finished its work.
            configuration.faults.append(
                FaultRule(.delay(.zero), .any, .incoming, Self.selection, jitter: .seconds(10)))
        case .duplicates:
            for content in AppFault.Content.allCases {
                configuration.appFaults.append(AppFault(.duplicate(content), Self.selection))
            }
        case .switches: configuration.switchesWatches = true
        // Applied outside the program.
        case .disk, .clock, .power: break
        }
    }
}
