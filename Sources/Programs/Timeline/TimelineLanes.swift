/// Where each life line lies from left to right: the watches, then the phone.
struct TimelineLanes {
    /// Of the first watch, and from one watch to the next.
    private static let (first, between) = (270.0, 150.0)
    /// From the last watch to the phone, and from there to the picture's edge.
    private static let (gap, edge) = (510.0, 220.0)

    let watches: [String]
    private let places: [String: Double]

    init(_ watches: [String]) {
        self.watches = watches
        places = Dictionary(
            uniqueKeysWithValues: watches.enumerated().map { ($1, Self.first + Double($0) * Self.between) })
    }

    private var last: Double { Self.first + Double(max(0, watches.count - 1)) * Self.between }
    var host: Double { last + Self.gap }
    var width: Double { host + Self.edge }

    func x(_ side: TimelineSide, _ watch: String?) -> Double {
        side == .host ? host : places[watch ?? ""] ?? Self.first
    }

    /// Which of the watches, from 0.
    func index(of watch: String?) -> Int { watches.firstIndex { $0 == watch } ?? 0 }

    /// What is written above each line.
    var names: [(x: Double, text: String)] {
        let isAlone = watches.count == 1
        return watches.map { (x(.companion, $0), isAlone ? "companion (watch)" : Self.name($0)) } + [
            (host, "host (phone)")
        ]
    }

    /// As much of an identifier as tells watches apart; of a log's place the directory that it is in.
    private static func name(_ watch: String) -> String {
        if watch.isEmpty { return "another watch" }
        guard watch.hasPrefix("/") else { return String(watch.prefix(8)) }
        return "\(watch.split(separator: "/").dropLast().last ?? "/")"
    }
}
