/// A table of numbers by identity: the address of an object, or of the storage that copies of a collection share.
///
/// The caller keeps the object or storage alive while the table is in use, so that no address is reused.
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

    /// Adds a new identity.
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
