/// Keeps objects alive.
struct RetainedObjects: ~Copyable {
    private let addresses = GrowingBuffer<UnsafeMutableRawPointer>(capacity: 16)

    @inline(__always)
    func append(_ object: AnyObject) { addresses.append(Unmanaged.passRetained(object).toOpaque()) }

    func removeAll() {
        for address in addresses.elements { Unmanaged<AnyObject>.fromOpaque(address).release() }
        addresses.truncate(to: 0)
    }

    deinit { removeAll() }
}
