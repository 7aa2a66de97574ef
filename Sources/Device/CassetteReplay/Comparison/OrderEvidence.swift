import Cassettes

/// The orders in which an app sends different messages at the same moment, such as those of two timers that are due together.
///
/// If one build sends them now in one order and now in the other, the order is chance, and a receiver cannot rely on it. A
/// build that has changed its order has changed it each time.
struct OrderEvidence {
    /// The greatest difference of times that counts as the same moment, in microseconds. 10 ms: threads hand over in less,
    /// and what comes later is late because of something.
    static let moment: Int64 = 10_000
    /// The most deeds before one that it is compared with. 8: more are rarely due together.
    private static let most = 8

    private struct Order: Hashable {
        let first: String
        let second: String
    }

    private let kinds: MessageKinds
    /// The orders in the courses of each build.
    private var builds: [Set<Order>] = []

    /// - Parameter builds: The courses of each build.
    init(_ builds: [[AppTape]], kinds: MessageKinds) {
        self.kinds = kinds
        self.builds = builds.map { tapes in tapes.reduce(into: []) { $0.formUnion(orders(of: $1)) } }
    }

    /// Returns true if the order of two deeds is chance.
    func isChance(_ first: AppEvent, _ second: AppEvent) -> Bool {
        guard abs(first.time - second.time) <= Self.moment else { return false }
        let (one, other) = (form(first), form(second))
        return one != other
            && builds.contains {
                $0.contains(Order(first: one, second: other)) && $0.contains(Order(first: other, second: one))
            }
    }

    private func orders(of tape: AppTape) -> Set<Order> {
        var orders: Set<Order> = []
        let calls = tape.deeds.filter(\.role.isCall)
        for (index, second) in calls.enumerated() {
            for first in calls[max(0, index - Self.most)..<index] where second.time - first.time <= Self.moment {
                orders.insert(Order(first: form(first), second: form(second)))
            }
        }
        return orders
    }

    /// Returns the form of a deed: what kind of message it is, and its keys.
    private func form(_ event: AppEvent) -> String {
        let word = kinds.word(of: event.content, event.kind) ?? ""
        guard let content = event.content, case .keys(let entries, _) = Shape(content) else { return event.kind }
        return "\(event.kind) \(word) \(entries.keys.sorted().joined(separator: ","))"
    }
}
