import CVirtualTime
import Testing

@testable import VirtualTime

@Suite("All orders of delivery")
struct OrderTreeTests {
    private static let subject = "the next delivery #"

    /// A receiver with the lengths of its lanes. Whenever it can choose between lanes, it asks.
    private struct Receiver {
        let name: String
        let lanes: [Int]
        /// The time of its first delivery, in nanoseconds; the next ones follow after 10 each.
        let start: Int64
    }

    /// Plays the receivers as a course answers them; returns the performance, and the lanes in the order of delivery.
    private static func perform(
        _ receivers: [Receiver], _ course: JointCourse
    ) throws -> (performance: Performance, order: [String]) {
        var order: [String] = []
        let processes = try receivers.map { receiver in
            let life = Life(receiver.name, 1)
            let given = course.course(of: life)
            var lanes = receiver.lanes
            var (decisions, faults): ([Decision], [Departure]) = ([], [])
            var time = receiver.start
            while lanes.contains(where: { $0 > 0 }) {
                let able = lanes.indices.filter { lanes[$0] > 0 }
                var taken: UInt32 = 0
                if able.count > 1 {
                    let place = Place(site: 7, ordinal: UInt32(decisions.count))
                    taken = given.departures.first { $0.decision.place == place }?.decision.taken ?? 0
                    let decision = try Decision(.fault, options: UInt32(able.count), taken: taken, at: place)
                    decisions.append(decision)
                    faults.append(
                        Departure(at: decisions.count - 1, decision, Circumstance(time: time, subject: subject)))
                }
                lanes[able[Int(taken)]] -= 1
                order.append("\(receiver.name) \(able[Int(taken)])")
                time += 10
            }
            // Another question, which is answered dully.
            let other = try Decision(.fault, options: 9, taken: 0, at: Place(site: 8, ordinal: 0))
            faults.append(Departure(at: decisions.count, other, Circumstance(time: 1, subject: "another")))
            let world = Outcome(
                course: given, ending: .finished, decisions: decisions + [other],
                departures: faults.filter { !$0.decision.isDull }, faults: faults, trace: "", droppedLines: 0,
                virtualTime: .zero, counts: Counts(virtual_time_counts()))
            return ProcessOutcome(
                life: life, span: .zero..<(.seconds(1)), fate: .running, world: world, output: [], errors: [],
                complaints: [])
        }
        let performance = Performance(
            course: course, decisions: [], departures: [], deeds: [], processes: processes, virtualTime: .zero,
            rounds: 0)
        return (performance, order)
    }

    private static func orders(_ receivers: [Receiver]) throws -> [[String]] {
        let queue = OrderQueue(OrderTree(about: subject, seed: 1))
        var orders: [[String]] = []
        while let (number, branch) = queue.next() {
            let (performance, order) = try perform(receivers, branch.course)
            #expect(branch.course.seed == 1 && branch.course.remainder == .dull)
            try queue.done(performance, of: branch)
            orders.append(order)
            #expect(number == UInt64(orders.count))
        }
        #expect(queue.count == (UInt64(orders.count), true))
        return orders
    }

    @Test(
        "Each order is run once, and orders that differ only between receivers count as one",
        arguments: [
            ([[1, 1]], 2), ([[2, 2]], 6), ([[1, 1, 1]], 6), ([[3, 1, 2]], 60), ([[1, 1], [1, 1]], 4),
            ([[2, 1], [1, 1], [4]], 6), ([[5]], 1),
        ])
    func once(_ lanes: [[Int]], _ count: Int) throws {
        // The receivers take turns, so that their questions alternate.
        let receivers = lanes.enumerated().map { Receiver(name: "r\($0)", lanes: $1, start: Int64($0)) }
        let orders = try Self.orders(receivers)
        #expect(Set(orders).count == orders.count)
        #expect(orders.count == count)
        let deliveries = receivers.flatMap { receiver in
            receiver.lanes.enumerated().flatMap { lane, count in
                (0..<count).map { Delivery("\($0)", to: receiver.name, lane: "\(lane)") }
            }
        }
        #expect(orders.count == (try DeliveryOrders(of: deliveries).count))
    }

    @Test("More questions than can all be answered in all ways are an error that says so")
    func tooMany() throws {
        let receivers = [Receiver(name: "r", lanes: [7, 7], start: 0)]
        let error = #expect(throws: TooManyDeliveries.self) { try Self.orders(receivers) }
        #expect(error?.description.contains("at most 12 are allowed") == true)
    }

    @Test("A stopped queue hands out nothing more, and does not claim that all orders were run")
    func stopped() throws {
        let receivers = [Receiver(name: "r", lanes: [1, 1], start: 0)]
        let queue = OrderQueue(OrderTree(about: Self.subject, seed: 1))
        let (_, branch) = try #require(queue.next())
        try queue.done(Self.perform(receivers, branch.course).performance, of: branch)
        queue.stop()
        #expect(queue.next() == nil)
        #expect(queue.count == (1, false))
    }
}
