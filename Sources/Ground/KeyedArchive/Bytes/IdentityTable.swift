/// Numbers by identity: that of an object, or of the memory that copies of a collection share.
///
/// Whoever adds an identity keeps what has it alive as long as the table is used, so that no identity is given out twice.
struct IdentityTable: ~Copyable {
    struct Entry: BitwiseCopyable {
        let identity: UInt
        let number: UInt32
    }

    private let hasher = ByteHash()
    private let index: HashIndex
    private let entries: GrowingBuffer<Entry>

    init(capacity: Int = 32) {
        index = HashIndex(capacity: capacity)
        entries = GrowingBuffer(capacity: capacity)
    }

    @inline(__always)
    func number(of identity: UInt) -> UInt32? {
        index.find(hasher.hash(identity)) { entries[Int($0)].identity == identity }.map { entries[Int($0)].number }
    }

    /// Adds an identity that is not there yet.
    func insert(_ identity: UInt, number: UInt32) {
        let place = UInt32(entries.count)
        entries.append(Entry(identity: identity, number: number))
        index.insert(place, hash: hasher.hash(identity))
    }

    func removeAll() {
        index.removeAll()
        entries.truncate(to: 0)
    }
}
