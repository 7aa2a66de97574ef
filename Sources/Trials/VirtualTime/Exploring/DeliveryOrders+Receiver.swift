extension DeliveryOrders {
    /// The packages of one receiver, and one possible interleaving of its lanes.
    struct Receiver: Sendable {
        /// The packages of each lane, in order.
        private let lanes: [[Delivery]]
        /// The lane numbers in delivery order, each repeated once per package.
        private var turns: [Int]

        init(_ deliveries: [Delivery]) {
            var names: [String] = []
            for delivery in deliveries where !names.contains(delivery.lane) { names.append(delivery.lane) }
            let lanes = names.map { name in deliveries.filter { $0.lane == name } }
            self.lanes = lanes
            turns = lanes.indices.flatMap { [Int](repeating: $0, count: lanes[$0].count) }
        }

        /// The number of orders: the permutations of the turns, where turns of the same lane are interchangeable.
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

        /// Advances to the next permutation in lexicographic order, or wraps around to the first.
        ///
        /// - Returns: False if it wrapped around.
        mutating func advance() -> Bool {
            guard let pivot = turns.indices.dropLast().last(where: { turns[$0] < turns[$0 + 1] }) else {
                turns.reverse()
                return false
            }
            // Such an index exists: the turn after the pivot is greater.
            for index in turns.indices.reversed() where turns[index] > turns[pivot] {
                turns.swapAt(pivot, index)
                break
            }
            turns[(pivot + 1)...].reverse()
            return true
        }
    }
}
