extension DeliveryOrders {
    /// The packages of one receiver, and one of the orders in which its lanes can take turns.
    struct Receiver: Sendable {
        /// For each lane its packages in their order.
        private let lanes: [[Delivery]]
        /// The lanes' numbers in the order in which they deliver: as often as each has packages.
        private var turns: [Int]

        init(_ deliveries: [Delivery]) {
            var names: [String] = []
            for delivery in deliveries where !names.contains(delivery.lane) { names.append(delivery.lane) }
            let lanes = names.map { name in deliveries.filter { $0.lane == name } }
            self.lanes = lanes
            turns = lanes.indices.flatMap { [Int](repeating: $0, count: lanes[$0].count) }
        }

        /// How many orders there are: the permutations of the turns, in which those of one lane are alike.
        var orders: Int {
            lanes.reduce(Self.factorial(turns.count)) { $0 / Self.factorial($1.count) }
        }

        private static func factorial(_ number: Int) -> Int { (0..<number).reduce(1) { $0 * ($1 + 1) } }

        var order: [Delivery] {
            var positions = [Int](repeating: 0, count: lanes.count)
            return turns.map { lane in
                defer { positions[lane] += 1 }
                return lanes[lane][positions[lane]]
            }
        }

        /// Goes on to the next permutation in lexicographic order, or back to the first.
        ///
        /// - Returns: False if it went back.
        mutating func advance() -> Bool {
            guard let pivot = turns.indices.dropLast().last(where: { turns[$0] < turns[$0 + 1] }) else {
                turns.reverse()
                return false
            }
            // There is one: the turn after the pivot is greater.
            for index in turns.indices.reversed() where turns[index] > turns[pivot] {
                turns.swapAt(pivot, index)
                break
            }
            turns[(pivot + 1)...].reverse()
            return true
        }
    }
}
