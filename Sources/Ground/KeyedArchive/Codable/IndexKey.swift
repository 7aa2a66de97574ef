/// The key of an element of an unkeyed container, or of a base class.
struct IndexKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    /// The key of a base class's part of a value.
    static let base = IndexKey(stringValue: "super")

    init(_ position: Int) {
        stringValue = "Index \(position)"
        intValue = position
    }

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) { self.init(intValue) }
}
