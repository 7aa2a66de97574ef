import Foundation
import LinkProtocol

/// A link chosen by a seed, and what messages and transfers achieve on it together and alone.
struct LinkTrial {
    /// Seconds: enough on a link where a lone reply takes some milliseconds, with 50 ms of queued data per direction.
    private static let grace = 0.1
    /// The seconds and round trips a sender may need to learn the capacity of the link.
    private static let (learning, learningTrips) = (0.5, 20.0)
    /// The least share of the bandwidth left by messages that transfers get; on links like the presets, nine tenths.
    private static let leastShare = 0.8
    private static let messages = 200
    /// No more than the product keeps in flight at the same time.
    private static let mostUserInfos = 30
    /// Seconds, below the time data may wait, for both directions together: a sender cannot tell jitter from waiting.
    private static let mostJitter = 0.02

    private let seed: UInt64
    private var condition = LinkCondition()
    private let bandwidth: Double
    private let roundTrip: Double
    private let load: LinkModel.Load

    init(seed: UInt64) {
        self.seed = seed
        var random = SeededGenerator(seed: seed ^ 0x71A1)
        // From a radio at the edge of its range to a good network.
        bandwidth = 5_000 * pow(1_000, random.unit())
        let latency = random.unit() * 0.15
        let jitter = random.unit() * min(latency, Self.mostJitter)
        roundTrip = 2 * (latency + jitter)
        condition.both { [bandwidth] direction in
            direction.bytesPerSecond = Int(bandwidth)
            direction.latency = .seconds(latency)
            direction.jitter = .seconds(jitter)
        }
        // Some seconds of traffic of each kind.
        load = LinkModel.Load(
            file: max(2 * LinkLimits.fileChunkBytes, Int(bandwidth * 4)),
            userInfos: min(max(1, Int(bandwidth * 4) / LinkModel.userInfoBytes), Self.mostUserInfos),
            messages: Self.messages,
            both: random.happens(0.3))
    }

    /// Returns the invariant that does not hold; nil if all hold.
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
        var model = LinkModel(condition, load, sending, seed: seed)
        return try model.run()
    }

    private func judge(
        _ busy: LinkModel.Result, messages: LinkModel.Result, transfers: LinkModel.Result
    ) -> (invariant: Invariant, detail: String)? {
        // On the slowest links the smallest window takes more than 50 ms.
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
