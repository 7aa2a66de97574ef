package import EventLog
package import Foundation
package import LinkProtocol

/// The conditions of an endpoint's links: one for all, others for single devices; and whether a link that comes and goes is there now.
// Proof of `@unchecked Sendable`: all mutable state is used in turns of the loop only, one at a time, which `EventLoop` asserts.
package final class LinkConditioner: @unchecked Sendable {
    private let loop: EventLoop
    private let logger: Logger
    private var chance: Chance
    private var general: LinkCondition
    private var special: [UUID: LinkCondition] = [:]
    private var isFlappedDown = false
    /// Those that last.
    private var losses = 0
    /// Counts the conditions: a timer of a former one finds that it is of no interest any more.
    private var generation = 0
    private var onChange: () -> Void = {}

    package init(loop: EventLoop, _ condition: LinkCondition, seed: UInt64, logger: Logger) {
        self.loop = loop
        self.logger = logger
        general = condition
        chance = .ofProcess(seed: seed)
    }

    /// Calls back when connections have to look at their conditions again. On the loop.
    package func start(_ onChange: @escaping () -> Void) {
        self.onChange = onChange
        flap()
    }

    /// Calls back no more, and lets go of who was called.
    package func stop() { onChange = {} }

    /// The condition of the connection to a device; nil for one that has not said who it is.
    package func condition(of device: UUID?) -> LinkCondition { device.flatMap { special[$0] } ?? general }

    /// Whether there can be a connection to a device at all.
    package func isOutOfRange(_ device: UUID?) -> Bool { isGone || condition(of: device).refuses }

    private var isGone: Bool { isFlappedDown || losses > 0 }

    /// Makes links different from now on.
    ///
    /// - Parameter device: Only this one's; nil for all, and then none has a condition of its own any more.
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

    /// All that is not perfect, for people.
    package var summary: (general: LinkCondition, special: [UUID: LinkCondition], isGone: Bool) {
        (general, special, isGone || general.refuses)
    }

    /// The source of one connection.
    func nextChance() -> Chance { chance.branch() }

    /// The link is gone for a while, whatever its condition.
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
