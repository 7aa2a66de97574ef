import EventLog
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import LinkTransport

@Suite("Conditions of links")
struct LinkConditionerTests {
    /// A conditioner on a loop of its own. Each change is collected with whether the link is out of range then.
    private final class Links: Sendable {
        let loop: EventLoop
        let conditioner: LinkConditioner
        let changes = Collector<Bool>()
        let log = Collector<LogRecord>()

        init(_ condition: LinkCondition = LinkCondition()) throws {
            loop = try EventLoop(name: "test")
            conditioner = LinkConditioner(loop: loop, condition, seed: 1, logger: collectingLogger(log))
        }

        /// Starts the conditioner. On the loop.
        func start() {
            conditioner.start { [unowned conditioner, changes] in changes.add(conditioner.isOutOfRange(nil)) }
        }

        /// Runs a task on the loop.
        func perform<Value: Sendable>(_ task: @escaping @Sendable (LinkConditioner) throws -> Value) throws -> Value {
            try loop.perform { [conditioner] in try task(conditioner) }
        }

        deinit { loop.stopLater() }
    }

    private static let away = condition { $0.refuses = true }
    private static let slow = condition { $0.outgoing.latency = .seconds(1) }
    private static let (soon, never) = (Duration.milliseconds(1), Duration.seconds(3_600))

    private static func condition(_ change: (inout LinkCondition) -> Void) -> LinkCondition {
        var condition = LinkCondition()
        change(&condition)
        return condition
    }

    private static func flapping(up: Duration, down: Duration) -> LinkCondition {
        condition { $0.flapping = LinkCondition.Flapping(up: up, down: down) }
    }

    @Test("A device without a condition of its own has the general one")
    func single() throws {
        let links = try Links(Self.slow)
        let (device, other) = (UUID(), UUID())
        let conditions = try links.perform { conditioner in
            conditioner.set(Self.away, for: device)
            return [
                conditioner.condition(of: device), conditioner.condition(of: other), conditioner.condition(of: nil),
            ]
        }
        #expect(conditions == [Self.away, Self.slow, Self.slow])
        let ranges = try links.perform { conditioner in
            [conditioner.isOutOfRange(device), conditioner.isOutOfRange(other), conditioner.isOutOfRange(nil)]
        }
        #expect(ranges == [true, false, false])
        let isGone = try links.perform { $0.summary.isGone }
        #expect(!isGone)
    }

    @Test("A condition for all links replaces those of single devices")
    func general() throws {
        let links = try Links()
        let devices = [UUID(), UUID()]
        let conditions = try links.perform { conditioner in
            for device in devices { conditioner.set(Self.away, for: device) }
            conditioner.set(Self.slow, for: nil)
            return devices.map { conditioner.condition(of: $0) }
        }
        #expect(conditions == [Self.slow, Self.slow])
        let special = try links.perform { $0.summary.special }
        #expect(special.isEmpty)
        let general = try links.perform { $0.summary.general }
        #expect(general == Self.slow)
    }

    @Test("Each change is reported, and logged with its device and in words")
    func changes() throws {
        let links = try Links()
        let device = UUID()
        try links.perform { [links] conditioner in
            links.start()
            conditioner.set(Self.away, for: nil)
            conditioner.set(LinkCondition(), for: device)
            conditioner.set(LinkCondition(), for: nil)
        }
        let changes = links.changes.all
        #expect(changes == [true, true, false])
        let events = links.log.all.map(\.event)
        #expect(events == [.linkConditioned, .linkConditioned, .linkConditioned])
        let fields = links.log.all.map(\.fields)
        #expect(
            fields == [
                [.condition(Self.away.description)], [.device(device), .condition("perfect")], [.condition("perfect")],
            ])
    }

    @Test("After a stop, changes are no longer reported")
    func stop() throws {
        let links = try Links()
        try links.perform { [links] conditioner in
            links.start()
            conditioner.stop()
            conditioner.set(Self.away, for: nil)
        }
        let changes = links.changes.all
        #expect(changes.isEmpty)
    }

    @Test("Links that refuse everything are gone for a status report")
    func refusing() throws {
        let links = try Links(Self.away)
        let isGone = try links.perform { $0.summary.isGone }
        #expect(isGone)
    }

    @Test("A lost link comes back")
    func loss() throws {
        let links = try Links()
        let isGone = try links.perform { [links] conditioner in
            links.start()
            conditioner.lose(for: Self.soon)
            return conditioner.summary.isGone
        }
        #expect(isGone)
        links.changes.expect { $0.count == 2 }
        let changes = links.changes.all
        #expect(changes == [true, false])
        let fields = links.log.all.map(\.fields)
        #expect(fields == [[.reason("gone")], [.reason("back")]])
    }

    @Test("A link that is lost twice comes back after both losses only")
    func losses() throws {
        let links = try Links()
        try links.perform { [links] conditioner in
            links.start()
            conditioner.lose(for: Self.never)
            conditioner.lose(for: Self.soon)
        }
        links.changes.expect { $0.count == 3 }
        let changes = links.changes.all
        #expect(changes == [true, true, true])
        let fields = links.log.all.map(\.fields)
        #expect(fields == [[.reason("gone")], [.reason("gone")], [.reason("gone")]])
    }

    @Test("A flapping link goes and comes, again and again")
    func flaps() throws {
        let links = try Links(Self.flapping(up: Self.soon, down: Self.soon))
        try links.perform { [links] _ in links.start() }
        links.changes.expect { $0.count >= 4 }
        let changes = links.changes.all
        #expect(changes.prefix(4) == [true, false, true, false])
        let reasons = links.log.all.map(\.fields)
        #expect(reasons.prefix(2) == [[.reason("gone")], [.reason("back")]])
    }

    @Test("A flapping link that is down comes back with the next condition for all")
    func reset() throws {
        let links = try Links()
        try links.perform { [links] conditioner in
            links.start()
            conditioner.set(Self.flapping(up: Self.soon, down: Self.never), for: nil)
        }
        links.changes.expect { $0.count == 2 }
        // The condition of one device changes nothing about the others.
        try links.perform { $0.set(Self.slow, for: UUID()) }
        try links.perform { $0.set(LinkCondition(), for: nil) }
        let changes = links.changes.all
        #expect(changes == [false, true, true, false])
    }

    @Test("A link that flapped under an earlier condition no longer does")
    func earlier() throws {
        let links = try Links(Self.flapping(up: Self.soon, down: Self.never))
        let later = Collector<Bool>()
        try links.perform { [links] conditioner in
            links.start()
            conditioner.set(LinkCondition(), for: nil)
            // Fires after the flap would have.
            _ = links.loop.schedule(at: .now + Self.soon * 2) { later.add(conditioner.isOutOfRange(nil)) }
        }
        later.expect { !$0.isEmpty }
        let ranges = later.all + links.changes.all
        #expect(ranges == [false, false])
    }

    @Test("Each connection has random decisions of its own, and a seed repeats them all")
    func chances() throws {
        let draws = try (0..<2).map { _ in
            try Links().perform { conditioner in
                var (first, second) = (conditioner.nextChance(), conditioner.nextChance())
                return [first.part("late"), second.part("late")]
            }
        }
        #expect(draws[0] == draws[1])
        #expect(draws[0][0] != draws[0][1])
    }
}
