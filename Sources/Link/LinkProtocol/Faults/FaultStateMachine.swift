package import Foundation

/// Decides the fate of each package by fault rules and by chance.
///
/// Waiting packages keep their order within a channel: a device's messages, replies, contexts, user infos and so on in
/// one direction. Packages of other channels can overtake them.
package struct FaultStateMachine: Sendable {
    /// A package in transit with its peer and direction.
    package struct Passage: Equatable, Sendable {
        package let package: MessagePackage
        package let device: Device
        package let direction: FaultRule.Direction
        /// The size of an incoming package on the wire.
        package let bytes: Int

        package init(_ package: MessagePackage, _ device: Device, _ direction: FaultRule.Direction, bytes: Int = 0) {
            self.package = package
            self.device = device
            self.direction = direction
            self.bytes = bytes
        }
    }

    package struct Decision: Equatable, Sendable {
        /// The packages to pass on now.
        package var passing: [Passage] = []
        /// The rule that was applied, if any.
        package var fault: FaultRule?
        /// The time for which the link is down.
        package var loss: Duration?
        /// The time for which the package is delayed.
        package var delay: Duration?
    }

    /// The most packages that can wait. 4,096: the limit of messages that await a reply; beyond it the first ones pass.
    package static let capacity = 4_096

    /// The time between two reordered packages, 100 ms: an app has handled one before the next one arrives.
    package static let pace: Duration = .milliseconds(100)

    /// The subject of the decision which channel's turn it is.
    package static let turn = "reordered package \(Chance.numberMark) is not of the first channel"

    private struct Channel: Hashable, Comparable {
        let device: UUID
        let direction: FaultRule.Direction
        let target: FaultTarget

        private var key: String { device.uuidString + direction.rawValue + target.rawValue }
        static func < (left: Channel, right: Channel) -> Bool { left.key < right.key }
    }

    /// The condition under which a waiting package passes.
    private enum Release: Equatable {
        case at(MonotonicTime)
        /// The package passes when the faults are released.
        case onDemand
        /// The package passes when its channel's turn comes.
        case inTurn

        /// Nil if unknown.
        var time: MonotonicTime? {
            switch self {
            case .at(let time): time
            case .onDemand, .inTurn: nil
            }
        }
    }

    private struct Waiting: Sendable {
        let passage: Passage
        let release: Release
    }

    private var armed: [ArmedFault<FaultRule>] = []
    private var channels: [Channel: [Waiting]] = [:]
    private var chance: Chance
    /// The time at which the next reordered package passes, if one waits.
    private var nextTurn: MonotonicTime?
    package private(set) var waitingCount = 0
    /// The number of packages to which a rule was applied.
    package private(set) var injectedCount = 0

    package init(_ chance: Chance) { self.chance = chance }

    package var rules: [FaultRule] { armed.map(\.fault) }

    // MARK: - Rules

    package mutating func add(_ rule: FaultRule) { armed.append(ArmedFault(rule, rule.selection)) }

    /// Removes all rules and returns the waiting packages.
    package mutating func clear() -> [Passage] {
        armed.removeAll()
        return release()
    }

    /// Returns all waiting packages, each channel in its order.
    package mutating func release() -> [Passage] {
        let passages = channels.sorted { $0.key < $1.key }.flatMap { $0.value.map(\.passage) }
        channels.removeAll()
        (waitingCount, nextTurn) = (0, nil)
        return passages
    }

    // MARK: - Packages

    /// True if everything passes: there are no rules and no waiting packages.
    package var isIdle: Bool { armed.isEmpty && waitingCount == 0 }

    package mutating func decide(_ passage: Passage, at time: MonotonicTime) -> Decision {
        guard !isIdle, let target = FaultTarget(passage.package) else {
            return Decision(passing: [passage])
        }
        let rule = meet(target, passage.direction)
        let channel = Channel(device: passage.device.identifier, direction: passage.direction, target: target)
        switch rule?.effect {
        case .drop: return Decision(fault: rule)
        case .duplicate: return Decision(passing: pass([passage, passage], in: channel), fault: rule)
        case .delay(let span):
            let latest = channels[channel]?.last?.release.time ?? time
            let release = max(time + lengthened(span, by: rule, target), latest)
            return Decision(
                passing: wait(passage, until: .at(release), in: channel), fault: rule, delay: release - time)
        case .lose(let span): return Decision(fault: rule, loss: lengthened(span, by: rule, target))
        case .hold: return Decision(passing: wait(passage, until: .onDemand, in: channel), fault: rule)
        case .reorder(let span):
            nextTurn = nextTurn ?? time + span
            return Decision(passing: wait(passage, until: .inTurn, in: channel), fault: rule)
        case nil: return Decision(passing: pass([passage], in: channel))
        }
    }

    /// Returns the packages whose delay has elapsed.
    package mutating func deadlinePassed(at time: MonotonicTime) -> [Passage] {
        var passages: [Passage] = []
        for channel in channels.keys.sorted() {
            let waiting = channels[channel] ?? []
            let count = waiting.prefix { $0.release.time.map { $0 <= time } ?? false }.count
            passages += waiting.prefix(count).map(\.passage)
            waitingCount -= count
            channels[channel] = count == waiting.count ? nil : Array(waiting.dropFirst(count))
        }
        return passages + takeTurn(at: time)
    }

    /// Returns the next reordered package, if its time has come.
    private mutating func takeTurn(at time: MonotonicTime) -> [Passage] {
        guard let turn = nextTurn, turn <= time else { return [] }
        let able = channels.keys.sorted().filter { channels[$0]?.first?.release == .inTurn }
        guard !able.isEmpty else {
            // The rest waits behind packages that are delayed or held.
            nextTurn = channels.values.contains { $0.contains { $0.release == .inTurn } } ? time + Self.pace : nil
            return []
        }
        let channel = able[chance.number(below: able.count, Self.turn)]
        guard let first = channels[channel]?.removeFirst() else { return [] }
        if channels[channel]?.isEmpty == true { channels[channel] = nil }
        waitingCount -= 1
        nextTurn = channels.values.contains { $0.contains { $0.release == .inTurn } } ? time + Self.pace : nil
        return [first.passage]
    }

    package var nextDeadline: MonotonicTime? {
        (channels.values.map { $0.first?.release.time } + [nextTurn]).compactMap(\.self).min()
    }

    /// Discards the waiting packages of a device whose connection is lost.
    package mutating func disconnected(_ device: UUID) {
        for (channel, waiting) in channels where channel.device == device {
            waitingCount -= waiting.count
            channels[channel] = nil
        }
    }

    // MARK: - Decisions

    /// Returns the first rule that applies to a package. Every rule counts the packages that match it.
    private mutating func meet(_ target: FaultTarget, _ direction: FaultRule.Direction) -> FaultRule? {
        var met: FaultRule?
        for index in armed.indices {
            let rule = armed[index].fault
            guard rule.direction == direction, rule.target == .any || rule.target == target,
                armed[index].meets(isFree: met == nil, by: &chance, rule.event(target))
            else { continue }
            injectedCount += 1
            met = rule
        }
        return met
    }

    private mutating func lengthened(_ span: Duration, by rule: FaultRule?, _ target: FaultTarget) -> Duration {
        guard let rule, rule.jitter > .zero else { return span }
        let part = chance.part("\(rule.event(target))\(FaultRule.longest)\((span + rule.jitter).inSeconds) s")
        return span + .nanoseconds(Int64(rule.jitter.inSeconds * part * 1_000_000_000))
    }

    /// Passes packages on, or queues them after those that wait in their channel.
    private mutating func pass(_ passages: [Passage], in channel: Channel) -> [Passage] {
        guard let last = channels[channel]?.last else { return passages }
        return passages.flatMap { wait($0, until: last.release, in: channel) }
    }

    /// Queues a package.
    ///
    /// - Returns: The package that must pass because the capacity is exceeded.
    private mutating func wait(_ passage: Passage, until release: Release, in channel: Channel) -> [Passage] {
        // Nothing after a held package passes before it is released.
        let isHeld = channels[channel]?.last?.release == .onDemand
        channels[channel, default: []].append(Waiting(passage: passage, release: isHeld ? .onDemand : release))
        waitingCount += 1
        guard waitingCount > Self.capacity else { return [] }
        waitingCount -= 1
        guard let first = channels[channel]?.removeFirst() else { return [] }
        return [first.passage]
    }
}
