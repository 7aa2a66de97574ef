package import Foundation

/// The receiving half of a connection: frames to packages, and what is to be acknowledged.
package struct FrameReceiver {
    /// What a frame was.
    package enum Item<Package> {
        case package(Package, bytes: Int)
        /// A piece that is not the last of its package.
        case piece
        /// The peer has something of what this side sent.
        case acknowledgement(Acknowledgement)
    }

    private var decoder = FrameDecoder(maximumBytes: LinkLimits.helloBytes)
    private let assembler: PieceAssembler
    /// Bytes of the frames that came since the hello, acknowledgements aside.
    private var received: Int64 = 0
    private var isAsked = false

    package init(_ memory: PieceMemory) { assembler = PieceAssembler(memory) }

    /// Whether something has begun and not ended: the peer's last words, if the stream ends now.
    package var isInsidePackage: Bool { decoder.isInsideFrame || assembler.isInsidePackage }

    /// What waits for the end of its frame, or to be read.
    package var keptBytes: Int { decoder.keptBytes }

    /// The hello has come: what follows is of this version.
    package mutating func greeted(version: Int) {
        decoder.version = version
        decoder.maximumBytes = LinkLimits.frameBytes
        received = 0
    }

    /// Bytes have come, which stay where they are until ``end()``.
    package mutating func begin(_ bytes: UnsafeRawBufferPointer) { decoder.begin(bytes) }

    /// The bytes that came go away: what is left of them is kept.
    package mutating func end() { decoder.end() }

    /// The connection is over: what is left is of no use.
    package mutating func close() {
        decoder = FrameDecoder()
        assembler.removeAll()
    }

    /// The next thing that is there; nil until there is one.
    ///
    /// - Parameter origin: The device that it came from, if that is known.
    package mutating func next(
        _ templates: PackageTemplates, from origin: UUID?
    ) throws(ProtocolError) -> Item<MessagePackage>? {
        try next { body throws(ProtocolError) in try templates.package(body, from: origin) }
    }

    /// The same for models of links, whose packages say only which kind they are, in their first byte. Not by way of what follows: to
    /// other modules that is a third of what it costs to receive.
    package mutating func nextKind() throws(ProtocolError) -> Item<UInt8>? { try next { $0[0] } }

    /// The same for whoever has packages of its own.
    ///
    /// - Parameter read: Makes a package of its body.
    package mutating func next<Package>(
        _ read: (UnsafeRawBufferPointer) throws(ProtocolError) -> Package
    ) throws(ProtocolError) -> Item<Package>? {
        let assembler = assembler
        var frame = FrameHeader(.package, length: 0)
        let item = try decoder.nextFrame { header, body throws(ProtocolError) -> Item<Package> in
            frame = header
            switch header.kind {
            case .package: return .package(try read(body), bytes: body.count)
            case .piece:
                guard let whole = try assembler.add(body) else { return .piece }
                return .package(try Self.read(whole, read), bytes: whole.count)
            case .acknowledgement: return .acknowledgement(try Acknowledgement(body))
            }
        }
        guard item != nil else { return nil }
        if frame.kind != .acknowledgement { received += Int64(FrameHeader.bytes + frame.length) }
        if frame.wantsAcknowledgement { isAsked = true }
        return item
    }

    /// Acknowledges what came, if that is asked for.
    ///
    /// - Parameter isConditioned: Whether what comes in is held back on this side.
    package mutating func acknowledge(at time: MonotonicTime, isConditioned: Bool = true) -> Acknowledgement? {
        guard isAsked else { return nil }
        isAsked = false
        return Acknowledgement(end: received, arrival: time, isConditioned: isConditioned)
    }

    private static func read<Package>(
        _ bytes: [UInt8], _ read: (UnsafeRawBufferPointer) throws(ProtocolError) -> Package
    ) throws(ProtocolError) -> Package {
        try bytes.withUnsafeBufferPointer { bytes throws(ProtocolError) in try read(UnsafeRawBufferPointer(bytes)) }
    }
}
