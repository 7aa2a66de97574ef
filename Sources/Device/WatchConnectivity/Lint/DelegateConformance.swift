/// A delegate's conformance to `WCSessionDelegate`, as the compiler recorded it.
struct DelegateConformance {
    /// True if the conformance is isolated to an actor (SE-0470). Its methods have no check on Linux; on Apple's
    /// platforms, where the protocol is one of Objective-C, they end the program when called elsewhere.
    let isIsolated: Bool
    /// The address of the code that calls the delegate's first method.
    let firstMethod: UInt

    // The layout of tables and descriptors is part of Swift's stable ABI.
    private static let flagsOffset = 12
    private static let globalActor: UInt32 = 1 << 19
    /// The descriptor and the conformance to NSObjectProtocol precede the methods.
    private static let firstMethodIndex = 2

    init(_ delegate: any WCSessionDelegate) {
        (isIsolated, firstMethod) = withUnsafeBytes(of: delegate) { words in
            let size = MemoryLayout<UInt>.size
            // The object and the table of its conformance.
            guard words.count == 2 * size else { return (false, 0) }
            let table = words.load(fromByteOffset: size, as: UnsafeRawPointer.self)
            let descriptor = table.load(as: UnsafeRawPointer.self)
            let flags = descriptor.load(fromByteOffset: Self.flagsOffset, as: UInt32.self)
            return (
                flags & Self.globalActor != 0, table.load(fromByteOffset: Self.firstMethodIndex * size, as: UInt.self)
            )
        }
    }
}
