/// The decoded values of a file, so that each is decoded once however often it is referenced, and marks for those being
/// decoded, so that none contains itself. Numbers are not kept: reading them again costs less.
struct DecodedValues<Value> {
    private typealias Place = DecodedPlace

    private var places: [UInt32]
    private var values: [Value] = []
    /// The number of elements of each value, including those of nested collections per reference.
    private var elementCounts: [Int] = []

    /// - Parameter count: The number of objects, or of UIDs.
    init(count: Int) {
        places = Array(repeating: Place.untouched, count: count)
        let room = min(count, Place.firstRoom)
        values.reserveCapacity(room)
        elementCounts.reserveCapacity(room)
    }

    /// Returns the value if it is known. Throws if it is being decoded.
    func known(_ index: Int, offset: Int) throws(ArchiveError) -> Value? {
        switch places[index] {
        case Place.untouched: return nil
        case Place.open:
            throw ArchiveError(.cycle, "object \(index) contains itself", offset: offset)
        case let place: return values[Int(place - Place.first)]
        }
    }

    /// Marks an object that may contain others as being decoded.
    mutating func begin(_ index: Int) { places[index] = Place.open }

    mutating func end(_ index: Int, _ value: Value, elementCount: Int) {
        places[index] = UInt32(values.count) + Place.first
        values.append(value)
        elementCounts.append(elementCount)
    }

    /// Returns the number of elements of a known value.
    func elementCount(_ index: Int) -> Int {
        guard places[index] >= Place.first else { return 0 }
        return elementCounts[Int(places[index] - Place.first)]
    }
}

/// The states of an object in ``DecodedValues``.
private enum DecodedPlace {
    static let untouched: UInt32 = 0
    static let open: UInt32 = 1
    /// The place of the first value.
    static let first: UInt32 = 2
    /// The first capacity for values. 128: the objects of most messages, in memory that malloc serves without the system.
    static let firstRoom = 128
}
