package import EventLog
package import Foundation
package import LinkProtocol

/// The conditions of an endpoint's links: one for all, others for single devices, and the state of a flapping link.
// Proof of `@unchecked Sendable`: all mutable state is confined to turns of the loop, as `EventLoop` asserts.
package final class LinkConditioner: @unchecked Sendable {
    private let loop: EventLoop
    private let logger: Logger
    private var chance: Chance
    private var general: LinkCondition
    private var special: [UUID: LinkCondition] = [:]
    private var isFlappedDown = false
    /// The number of losses in progress.
    private var losses = 0
    /// Incremented with each general condition, so that timers of earlier ones have no effect.
    private var generation = 0
    private var onChange: () -> Void = {}
    private var onLateness: (FaultRule.Direction, Duration, UUID?) -> Void = { _, _, _ in }

    package init(loop: EventLoop, _ condition: LinkCondition, seed: UInt64, logger: Logger) {
        self.loop = loop
        self.logger = logger
        general = condition
        chance = .ofProcess(seed: seed)
    }

    /// Sets the callback for changed conditions. On the loop.
    package func start(_ onChange: @escaping () -> Void) {
        self.onChange = onChange
        flap()
    }

    /// Removes the callbacks.
    package func stop() {
        onChange = {}
        onLateness = { _, _, _ in }
    }

    /// Sets the callback for what the condition delays by more than its latency. On the loop.
    ///
    /// - Parameter onLateness: Called with the direction, the whole milliseconds of the delay and the device, if it is known.
    package func watchLateness(_ onLateness: @escaping (FaultRule.Direction, Duration, UUID?) -> Void) {
        self.onLateness = onLateness
    }

    /// Tells of something that the condition of the link to a device delays.
    func wasLate(_ direction: FaultRule.Direction, by span: Duration, with device: UUID?) {
        let milliseconds = Int64(span / .milliseconds(1))
        guard milliseconds > 0 else { return }
        onLateness(direction, .milliseconds(milliseconds), device)
    }

    /// Returns the condition of the connection to a device; nil means a device that has not sent its hello.
    package func condition(of device: UUID?) -> LinkCondition { device.flatMap { special[$0] } ?? general }

    /// Returns true if no connection to a device is possible.
    package func isOutOfRange(_ device: UUID?) -> Bool { isGone || condition(of: device).refuses }

    private var isGone: Bool { isFlappedDown || losses > 0 }

    /// Changes the condition of links.
    ///
    /// - Parameter device: The device whose link changes; nil for all, which also resets those of single devices.
    package func set(_ condition: LinkCondition, for device: UUID?) {
        if let device {
            special[device] = condition
        } else {
            general = condition
            special.removeAll()
            generation += 1
            isFlappedDown = false
            flap()
        }
        logger.log(.linkConditioned, (device.map { [.device($0)] } ?? []) + [.condition(condition.description)])
        onChange()
    }

    /// The current conditions, for status reports.
    package var summary: (general: LinkCondition, special: [UUID: LinkCondition], isGone: Bool) {
        (general, special, isGone || general.refuses)
    }

    /// Returns the source of random decisions for one connection.
    func nextChance() -> Chance { chance.branch() }

    /// Takes the link down for a while, regardless of its condition.
    package func lose(for span: Duration) {
        losses += 1
        flapped()
        _ = loop.schedule(at: .now + span) { [weak self] in
            guard let self else { return }
            losses -= 1
            flapped()
        }
    }

    private func flapped() {
        logger.log(.linkFlapped, [.reason(isGone ? "gone" : "back")])
        onChange()
    }

    private func flap() {
        guard let flapping = general.flapping else { return }
        let expected = generation
        let span = isFlappedDown ? flapping.down : flapping.up
        _ = loop.schedule(at: .now + span) { [weak self] in
            guard let self, generation == expected else { return }
            isFlappedDown.toggle()
            flapped()
            flap()
        }
    }
}
