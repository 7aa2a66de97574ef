/// What all decoders of one tree share.
final class DecodingContext {
    let userInfo: [CodingUserInfoKey: Any]
    private let readsNullTexts: Bool
    /// The collections that were looked at, by their memory, which the tree keeps alive.
    private let visited = IdentityTable()
    private var visitsLeft = mostRepeatedVisits

    /// Elements of collections that were looked at before. 262,144: classes may look twice, and where thirty arrays each hold
    /// the next one twice, which takes thirty places in a tree, a `Decodable` value would take a billion.
    private static let mostRepeatedVisits = 1 << 18

    init(userInfo: [CodingUserInfoKey: Any], readsNullTexts: Bool) {
        self.userInfo = userInfo
        self.readsNullTexts = readsNullTexts
    }

    /// - Parameter storage: the memory of the collection that is looked at.
    func visit(_ storage: AnyObject?, count: Int) throws(ArchiveError) {
        guard let identity = storage.map({ UInt(identity: $0) }) else { return }
        guard visited.number(of: identity) != nil else { return visited.insert(identity, number: 0) }
        visitsLeft -= count
        guard visitsLeft >= 0 else {
            throw ArchiveError(
                .limitExceeded, "collections held in common, of more than \(Self.mostRepeatedVisits) elements together")
        }
    }

    func isNil(_ value: PropertyListValue) -> Bool {
        switch value {
        case .null: true
        case .string(let text): readsNullTexts && text == "$null"
        case .boolean, .integer, .unsigned, .float, .real, .date, .data, .uid, .array, .set, .dictionary: false
        }
    }
}
