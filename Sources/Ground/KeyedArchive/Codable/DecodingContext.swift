/// What all decoders of one tree share.
final class DecodingContext {
    let userInfo: [CodingUserInfoKey: Any]
    private let readsNullTexts: Bool
    /// The collections that were looked at, by their memory, which the tree keeps alive.
    private let visited = IdentityTable()
    private var visitsLeft = freeVisits

    /// Elements of collections that were looked at before, in any case. 8,192: classes may look twice, and where thirty arrays
    /// each hold the next one twice, which takes thirty places in a tree, a `Decodable` value would take a billion.
    private static let freeVisits = 8192
    /// How many more for each element that is looked at for the first time. 4: as values may take of an archive's size.
    private static let visitsPerElement = ArchiveLimits.expansion

    init(userInfo: [CodingUserInfoKey: Any], readsNullTexts: Bool) {
        self.userInfo = userInfo
        self.readsNullTexts = readsNullTexts
    }

    /// - Parameter storage: the memory of the collection that is looked at.
    func visit(_ storage: AnyObject?, count: Int) throws(ArchiveError) {
        guard let identity = storage.map({ UInt(identity: $0) }) else { return }
        guard visited.number(of: identity) != nil else {
            visitsLeft += Self.visitsPerElement * count
            return visited.insert(identity, number: 0)
        }
        // Spent for good: a class that ignores the error gets no further with smaller collections.
        guard visitsLeft >= count else {
            visitsLeft = 0
            throw ArchiveError(.limitExceeded, "collections held in common are looked at too often")
        }
        visitsLeft -= count
    }

    func isNil(_ value: PropertyListValue) -> Bool {
        switch value {
        case .null: true
        case .string(let text): readsNullTexts && text == "$null"
        case .boolean, .integer, .unsigned, .float, .real, .date, .data, .uid, .array, .set, .dictionary: false
        }
    }
}
