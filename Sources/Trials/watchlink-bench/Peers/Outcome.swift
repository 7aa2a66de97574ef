/// The results of a driver.
struct Outcome: Codable {
    var count = 0
    var seconds = 0.0
    var p50 = 0.0
    var p99 = 0.0
    var p999 = 0.0
    var longest = 0.0
    /// The peak memory of the driver's process.
    var peakBytes = 0.0

    var rate: Double { seconds > 0 ? Double(count) / seconds : 0 }

    init() {}

    init(_ latencies: Latencies, seconds: Double) {
        count = latencies.count
        self.seconds = seconds
        p50 = latencies.percentile(0.5) / 1e9
        p99 = latencies.percentile(0.99) / 1e9
        p999 = latencies.percentile(0.999) / 1e9
        longest = latencies.percentile(1) / 1e9
    }

    /// Returns the median of several outcomes, separately for each number.
    static func median(_ outcomes: [Outcome]) -> Outcome {
        func middle(_ key: (Outcome) -> Double) -> Double { outcomes.map(key).sorted()[outcomes.count / 2] }
        guard !outcomes.isEmpty else { return Outcome() }
        var result = Outcome()
        result.seconds = 1
        result.count = Int(middle(\.rate))
        result.p50 = middle(\.p50)
        result.p99 = middle(\.p99)
        result.p999 = middle(\.p999)
        result.longest = middle(\.longest)
        result.peakBytes = middle(\.peakBytes)
        return result
    }

    var percentiles: [(String, Double)] { [("p50", p50), ("p99", p99), ("p99.9", p999)] }
}
