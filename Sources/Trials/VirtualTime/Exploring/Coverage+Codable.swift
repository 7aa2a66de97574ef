extension Coverage: Codable {
    private enum CodingKeys: CodingKey {
        case runs, dropped, pairs
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let pairs = try container.decode([String: [String: Int]].self, forKey: .pairs)
        var worlds: [Pair: Int] = [:]
        for (first, seconds) in pairs {
            for (second, count) in seconds { worlds[Pair(first, second)] = count }
        }
        let (runs, dropped) = (
            try container.decode(Int.self, forKey: .runs), try container.decode(Int.self, forKey: .dropped)
        )
        guard worlds.count <= Self.mostPairs, runs >= 0, dropped >= 0,
            worlds.values.allSatisfy({ 1...max(1, runs) ~= $0 })
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .pairs, in: container,
                debugDescription: "each pair must be counted at least once, and at most once per run")
        }
        self.init(worlds, runs: runs, dropped: dropped)
    }

    public func encode(to encoder: any Encoder) throws {
        var pairs: [String: [String: Int]] = [:]
        for (pair, count) in worlds { pairs[pair.first, default: [:]][pair.second] = count }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(runs, forKey: .runs)
        try container.encode(dropped, forKey: .dropped)
        try container.encode(pairs, forKey: .pairs)
    }
}
