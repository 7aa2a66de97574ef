/// The horizontal positions of the life lines: the watches, then the phone.
struct TimelineLanes {
    /// The position of the first watch, and the distance between watches.
    private static let (first, between) = (270.0, 150.0)
    /// The distances from the last watch to the phone, and from there to the picture's edge.
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

    /// Returns the index of a watch.
    func index(of watch: String?) -> Int { watches.firstIndex { $0 == watch } ?? 0 }

    /// The label above each line.
    var names: [(x: Double, text: String)] {
        let isAlone = watches.count == 1
        return watches.map { (x(.companion, $0), isAlone ? "companion (watch)" : Self.name($0)) } + [
            (host, "host (phone)")
        ]
    }

    /// Returns the first eight characters of an identifier, or the directory of a log's path.
    private static func name(_ watch: String) -> String {
        if watch.isEmpty { return "another watch" }
        guard watch.hasPrefix("/") else { return String(watch.prefix(8)) }
        return "\(watch.split(separator: "/").dropLast().last ?? "/")"
    }
}
