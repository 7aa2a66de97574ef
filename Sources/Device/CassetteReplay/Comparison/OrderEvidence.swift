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
        return orders(of: first, second).contains { order in
            builds.contains { $0.contains(order) && $0.contains(Order(first: order.second, second: order.first)) }
        }
    }

    private func orders(of tape: AppTape) -> Set<Order> {
        var orders: Set<Order> = []
        let calls = tape.deeds.filter(\.role.isCall)
        for (index, second) in calls.enumerated() {
            for first in calls[max(0, index - Self.most)..<index] where second.time - first.time <= Self.moment {
                orders.formUnion(self.orders(of: first, second))
            }
        }
        return orders
    }

    /// Returns the orders that two deeds show: of their forms, and of their forms with texts, as far as those differ.
    private func orders(of first: AppEvent, _ second: AppEvent) -> [Order] {
        zip(forms(first), forms(second)).filter { $0 != $1 }.map { Order(first: $0, second: $1) }
    }

    /// Returns the form of a deed: what kind of message it is, and its keys; then the same with the texts that are shown.
    private func forms(_ event: AppEvent) -> [String] {
        guard let content = event.content, case .keys(let entries, _) = Shape(content) else {
            return [event.kind, event.kind]
        }
        let word = kinds.word(of: content, event.kind) ?? ""
        let sorted = entries.sorted { $0.key < $1.key }
        let texts = sorted.map { key, value in
            if case .leaf(let leaf) = Shape(value), leaf.type == "string", let text = leaf.value { text } else { "" }
        }
        let form = "\(event.kind) \(word) \(sorted.map(\.key).joined(separator: ","))"
        return [form, "\(form) \(texts.joined(separator: ","))"]
    }
}
