import CVirtualTime
import Testing

@testable import VirtualTime

@Suite("Locks in opposite orders")
struct LockOrdersTests {
    private static func orders(_ reports: [String]...) -> [LockOrders] {
        let processes = reports.enumerated().map { number, reports in
            let trace = reports.map { "1.5 \(VIRTUAL_TIME_LOCK_ORDERS):\n\($0)" }.joined(separator: "\n2.0 other\n")
            let world = Outcome(
                course: Course(seed: 1), ending: .horizon, decisions: [], departures: [], faults: [], trace: trace,
                droppedLines: 0, virtualTime: .seconds(9), counts: Counts(virtual_time_counts()))
            return ProcessOutcome(
                life: Life("phone", number + 1), span: .zero..<Duration.seconds(9), fate: .running, world: world,
                output: [], errors: [], complaints: [])
        }
        return LockOrders.all(
            of: Performance(
                course: JointCourse(seed: 1), decisions: [], departures: [], deeds: [], processes: processes,
                virtualTime: .seconds(9), rounds: 0))
    }

    private static func report(_ threads: (Int, String)...) -> String {
        threads.enumerated().map { number, thread in
            let relation = number == 0 ? "" : VIRTUAL_TIME_SECOND_ORDER
            return
                "  thread \(thread.0) holds a lock\(relation), and takes a lock\n      App+0x1f \(thread.1)\n      libc.so.6"
        }.joined(separator: "\n")
    }

    @Test("The same pair has one cause, whichever thread came first, with whatever numbers")
    func exchanged() {
        let pair = Self.report((1, "save()"), (2, "load()"))
        let exchanged = Self.report((7, "load()"), (3, "save()"))
        #expect(Self.orders([pair, exchanged], [exchanged]).map(\.threads) == [pair])
    }

    @Test("Other pairs have others")
    func others() {
        let pairs = [
            Self.report((1, "save()"), (2, "load()")), Self.report((1, "save()"), (2, "save()")),
            Self.report((1, "load()"), (2, "load()")),
        ]
        #expect(Self.orders(pairs).map(\.threads) == pairs)
        #expect(Set(Self.orders(pairs).map(\.cause)).count == 3)
    }

    @Test("The description says what it means, with advice if there is any")
    func description() throws {
        let orders = try #require(Self.orders([Self.report((1, "save()"), (2, "load()"))]).first)
        let beginning = "the phone takes locks in opposite orders: a deadlock, if its threads meet"
        #expect(orders.description(advice: "").hasPrefix(beginning + "\n  thread 1 holds a lock, and takes a lock\n"))
        #expect(orders.description(advice: " (perhaps)").hasPrefix(beginning + " (perhaps)\n  thread 1"))
    }
}
