/// The state that all decoders of one tree share.
final class DecodingContext {
    let userInfo: [CodingUserInfoKey: Any]
    private let readsNullTexts: Bool
    /// The visited collections, by their storage, which the tree keeps alive.
    private let visited = IdentityTable()
    private var visitsLeft = freeVisits

    /// The allowance of elements of collections that are visited again. 8,192: a class may visit a collection twice;
    /// but where thirty arrays each contain the next one twice, which takes thirty places in a tree, a `Decodable`
    /// value would visit a billion.
    private static let freeVisits = 8192
    /// The additional allowance per element that is visited for the first time. 4: as values may take of an archive's
    /// size.
    private static let visitsPerElement = ArchiveLimits.expansion

    init(userInfo: [CodingUserInfoKey: Any], readsNullTexts: Bool) {
        self.userInfo = userInfo
        self.readsNullTexts = readsNullTexts
    }

    /// Charges for a visit of a collection.
    ///
    /// - Parameter storage: The storage of the visited collection.
    func visit(_ storage: AnyObject?, count: Int) throws(ArchiveError) {
        guard let identity = storage.map({ UInt(identity: $0) }) else { return }
        guard visited.number(of: identity) != nil else {
            visitsLeft += Self.visitsPerElement * count
            return visited.insert(identity, number: 0)
        }
        // The allowance stays spent: a class that ignores the error gets no further with smaller collections.
        guard visitsLeft >= count else {
            visitsLeft = 0
            throw ArchiveError(.limitExceeded, "shared collections are decoded too often")
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
