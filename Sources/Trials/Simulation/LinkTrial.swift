import Foundation
import LinkProtocol

/// One link of a seed's choice, and what messages and transfers get of it beside each other and alone.
struct LinkTrial {
    /// A link for which a reply alone takes some milliseconds needs no more than this: 50 ms of what is before a message, both ways.
    private static let grace = 0.1
    /// Seconds, and round trips, that a sender may need to learn what the link carries.
    private static let (learning, learningTrips) = (0.5, 20.0)
    /// Of what messages leave, transfers get at least so much, whatever the link: nine tenths on those that the presets are like.
    private static let leastShare = 0.8
    private static let messages = 200
    /// As many as the product has under way at once, or fewer.
    private static let mostUserInfos = 30
    /// Of the two directions together less than what may wait: a sender cannot tell the one from the other.
    private static let mostJitter = 0.02

    private let seed: UInt64
    private var condition = LinkCondition()
    private let bandwidth: Double
    private let roundTrip: Double
    private let load: LinkModel.Load

    init(seed: UInt64) {
        self.seed = seed
        var random = SeededGenerator(seed: seed ^ 0x71A1)
        // From what is left of a radio at the edge of its range to a good network.
        bandwidth = 5_000 * pow(1_000, random.unit())
        let latency = random.unit() * 0.15
        let jitter = random.unit() * min(latency, Self.mostJitter)
        roundTrip = 2 * (latency + jitter)
        condition.both { [bandwidth] direction in
            direction.bytesPerSecond = Int(bandwidth)
            direction.latency = .seconds(latency)
            direction.jitter = .seconds(jitter)
        }
        // Some seconds of each.
        load = LinkModel.Load(
            file: max(2 * LinkLimits.fileChunkBytes, Int(bandwidth * 4)),
            userInfos: min(max(1, Int(bandwidth * 4) / LinkModel.userInfoBytes), Self.mostUserInfos),
            messages: Self.messages,
            both: random.happens(0.3))
    }

    /// What does not hold; nil if all does.
    func judge(_ bug: PlantedBug?) -> (invariant: Invariant, detail: String)? {
        let sending: LinkModel.Sending =
            switch bug {
            case .writesAtOnce: .atOnce
            case .starvesTransfers: .starving
            default: .scheduled
            }
        do {
            let busy = try run(load, sending)
            var (messages, transfers) = (LinkModel.Load(messages: Self.messages), load)
            messages.both = false
            transfers.messages = 0
            return judge(busy, messages: try run(messages, sending), transfers: try run(transfers, sending))
        } catch {
            return (.transfersGoOn, "\(error) over \(condition)")
        }
    }

    private func run(_ load: LinkModel.Load, _ sending: LinkModel.Sending) throws -> LinkModel.Result {
        try LinkModel(condition, load, sending, seed: seed).run()
    }

    private func judge(
        _ busy: LinkModel.Result, messages: LinkModel.Result, transfers: LinkModel.Result
    ) -> (invariant: Invariant, detail: String)? {
        // On the slowest links the smallest window takes longer than 50 ms.
        let most = 3 * messages.p99 + Self.grace + Double(2 * SendWindow.first) / bandwidth
        if busy.p99 > most {
            return (
                .messagesFirst,
                "a reply takes \(busy.p99) s beside transfers, \(messages.p99) s alone, over \(condition)"
            )
        }
        let own = Double(Self.messages * LinkModel.messageBytes) / bandwidth
        let learning = Self.learning + Self.learningTrips * roundTrip
        if busy.background > transfers.background / Self.leastShare + own + learning {
            return (
                .transfersGoOn,
                "transfers take \(busy.background) s beside messages, \(transfers.background) s alone, over \(condition)"
            )
        }
        return nil
    }
}
