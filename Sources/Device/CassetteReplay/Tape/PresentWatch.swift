/// A watch as its phone knew it when the recording began, or when it was started with an earlier state.
struct PresentWatch: Equatable, Sendable {
    /// The kind of the events that tell of it; without a watch, of the phone itself.
    static let kind = "present"

    /// The number of the watch.
    let number: Int
    private let words: Set<Substring>

    /// Creates what an event tells of a watch; nil for all other events.
    init?(_ event: AppEvent) {
        guard event.kind == Self.kind, let number = event.package else { return nil }
        (self.number, words) = (number, Set((event.words ?? "").split(separator: " ")))
    }

    var isPaired: Bool { words.contains("paired") }
    /// True for the one that the phone's session was with.
    var isActive: Bool { words.contains("active") }
    /// True for the one that the phone was changing to.
    var isNext: Bool { words.contains("next") }
    var isConnected: Bool { words.contains("connected") }
    var isReachable: Bool { words.contains("reachable") }
}
