/// A sentence about the behaviour of WatchConnectivity that an app can hold against what it observes.
struct Claim {
    let id: String
    let words: String
    /// The devices whose apps observe it.
    let sides: [Side]

    /// Both apps observe it.
    static func both(_ id: String, _ words: String) -> Claim { Claim(id: id, words: words, sides: [.phone, .watch]) }

    static func phone(_ id: String, _ words: String) -> Claim { Claim(id: id, words: words, sides: [.phone]) }

    static func watch(_ id: String, _ words: String) -> Claim { Claim(id: id, words: words, sides: [.watch]) }
}
