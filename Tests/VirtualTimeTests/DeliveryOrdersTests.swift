import Testing

@testable import VirtualTime

@Suite("Orders of delivery")
struct DeliveryOrdersTests {
    /// Parses a list such as “a1>phone b1>phone a2>watch”, where the letter is the lane.
    private func deliveries(_ text: String) -> [Delivery] {
        text.split(separator: " ").map { word in
            let parts = word.split(separator: ">")
            return Delivery(String(parts[0]), to: String(parts[1]), lane: String(parts[0].prefix(1)))
        }
    }

    private func orders(_ text: String) throws -> [String] {
        let all = try DeliveryOrders(of: deliveries(text))
        let list = all.map { $0.map(\.name).joined(separator: " ") }
        #expect(all.count == list.count, "\(text)")
        return list
    }

    @Test("No package and a single package have one order each")
    func trivial() throws {
        let none = try orders("")
        #expect(none == [""])
        let one = try orders("a1>p")
        #expect(one == ["a1"])
    }

    @Test("Packages that can overtake each other arrive in every order")
    func permutations() throws {
        let all = try Set(orders("a1>p b1>p c1>p"))
        #expect(all == ["a1 b1 c1", "a1 c1 b1", "b1 a1 c1", "b1 c1 a1", "c1 a1 b1", "c1 b1 a1"])
    }

    @Test("A lane keeps its order")
    func lanes() throws {
        let one = try orders("a1>p a2>p a3>p")
        #expect(one == ["a1 a2 a3"])
        let two = try orders("a1>p b1>p a2>p")
        #expect(two == ["a1 a2 b1", "a1 b1 a2", "b1 a1 a2"])
    }

    @Test("Packages to different receivers have no order among them")
    func receivers() throws {
        let two = try orders("a1>p b1>w")
        #expect(two == ["a1 b1"])
        let four = try orders("a1>p b1>w c1>p d1>w")
        #expect(four.count == 4)
        // One lane to two receivers counts as two lanes.
        let lane = try orders("a1>p a2>w")
        #expect(lane == ["a1 a2"])
    }

    @Test("Each order occurs once, keeps the lanes, and has all packages: compared with all permutations")
    func exhaustive() throws {
        for text in ["a1>p a2>p b1>p b2>p c1>w", "a1>p b1>w a2>p b2>w c1>p", "a1>p b1>p c1>p d1>p e1>p f1>w"] {
            let given = deliveries(text)
            var classes: Set<[[Delivery]]> = []
            func visit(_ order: [Delivery], _ left: [Delivery]) {
                if left.isEmpty {
                    classes.insert(["p", "w"].map { receiver in order.filter { $0.receiver == receiver } })
                }
                for (index, next) in left.enumerated()
                where !left[..<index].contains(where: { $0.lane == next.lane && $0.receiver == next.receiver }) {
                    var rest = left
                    rest.remove(at: index)
                    visit(order + [next], rest)
                }
            }
            visit([], given)
            let found = Array(try DeliveryOrders(of: given))
            let kinds = Set(found.map { order in ["p", "w"].map { name in order.filter { $0.receiver == name } } })
            #expect(found.count == classes.count, "\(text)")
            #expect(kinds == classes, "\(text)")
            #expect(found.filter { Set($0) != Set(given) } == [], "\(text)")
        }
    }

    @Test("The orders of twelve packages are counted without listing them, and a thirteenth package is rejected")
    func limit() throws {
        let twelve = (0..<12).map { Delivery("\($0)", to: "p", lane: "\($0)") }
        let orders = try DeliveryOrders(of: twelve)
        #expect(orders.count == 479_001_600)
        #expect(
            orders.prefix(3).map { $0.map(\.name).suffix(3) } == [
                ["9", "10", "11"], ["9", "11", "10"], ["10", "9", "11"],
            ])
        let error = #expect(throws: TooManyDeliveries.self) {
            try DeliveryOrders(of: twelve + [Delivery("12", to: "w", lane: "12")])
        }
        #expect(
            error?.description
                == "cannot try all orders of 13 deliveries: at most 12 are allowed; use fewer, or pick orders by seed")
    }
}
