/// The values of a file that were decoded before, so that each is decoded once however many refer to it, and those that are
/// being decoded, so that none ever holds itself. Numbers are not kept: reading them again costs less.
struct DecodedValues {
    private enum Place {
        static let untouched: UInt32 = 0
        static let open: UInt32 = 1
        /// The first place of a value.
        static let first: UInt32 = 2
    }

    private var places: [UInt32]
    private var values: [PropertyListValue] = []
    /// How many elements each of the values holds, those of collections in it as often as it holds them.
    private var elementCounts: [Int] = []

    /// - Parameter count: of the objects, or of the UIDs.
    init(count: Int) { places = Array(repeating: Place.untouched, count: count) }

    /// The value, if it is known. Throws if it is being decoded.
    func known(_ index: Int, offset: Int) throws(ArchiveError) -> PropertyListValue? {
        switch places[index] {
        case Place.untouched: return nil
        case Place.open:
            throw ArchiveError(.cycle, "object \(index) contains itself", offset: offset)
        case let place: return values[Int(place - Place.first)]
        }
    }

    /// Says that an object that may hold others is being decoded.
    mutating func begin(_ index: Int) { places[index] = Place.open }

    mutating func end(_ index: Int, _ value: PropertyListValue, elementCount: Int) {
        places[index] = UInt32(values.count) + Place.first
        values.append(value)
        elementCounts.append(elementCount)
    }

    /// How many elements a value that is known holds.
    func elementCount(_ index: Int) -> Int {
        guard places[index] >= Place.first else { return 0 }
        return elementCounts[Int(places[index] - Place.first)]
    }
}
