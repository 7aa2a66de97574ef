package import Foundation

/// The receiving half of a connection: turns frames into packages and tracks pending acknowledgements.
package struct FrameReceiver {
    /// The content of a frame.
    package enum Item<Package> {
        case package(Package, bytes: Int)
        /// A piece other than the last of its package.
        case piece
        /// The peer acknowledges bytes that this side sent.
        case acknowledgement(Acknowledgement)
    }

    private var decoder = FrameDecoder(maximumBytes: LinkLimits.helloBytes)
    private let assembler: PieceAssembler
    /// The number of bytes in frames since the hello, not counting acknowledgements.
    private var received: Int64 = 0
    private var isAsked = false

    package init(_ memory: PieceBudget) { assembler = PieceAssembler(memory) }

    /// True if a frame or package is incomplete: the peer was cut off if the stream ends now.
    package var isInsidePackage: Bool { decoder.isInsideFrame || assembler.isInsidePackage }

    /// The number of buffered bytes, of incomplete or unread frames.
    package var keptBytes: Int { decoder.keptBytes }

    /// Switches to the version agreed in the hellos.
    package mutating func greeted(version: Int) {
        decoder.version = version
        decoder.maximumBytes = LinkLimits.frameBytes
        received = 0
    }

    /// Adds received bytes, which must stay valid until ``end()``.
    package mutating func begin(_ bytes: UnsafeRawBufferPointer) { decoder.begin(bytes) }

    /// Ends the validity of the received bytes; unread ones are copied.
    package mutating func end() { decoder.end() }

    /// Discards all buffered bytes when the connection ends.
    package mutating func close() {
        decoder = FrameDecoder()
        assembler.removeAll()
    }

    /// Returns the next item; nil if there is none.
    ///
    /// - Parameter origin: The sending device, if known.
    package mutating func next(
        _ templates: PackageTemplates, from origin: UUID?
    ) throws(ProtocolError) -> Item<MessagePackage>? {
        try next { body throws(ProtocolError) in try templates.package(body, from: origin) }
    }

    /// Returns the next item for models of links, whose packages contain only their kind, in the first byte. Does not
    /// call the generic function below from other modules, which would add a third to the cost of receiving.
    package mutating func nextKind() throws(ProtocolError) -> Item<UInt8>? { try next { $0[0] } }

    /// Returns the next item with a caller-defined type of package.
    ///
    /// - Parameter read: Decodes a package from a body.
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

    /// Returns an acknowledgement of the received bytes if the peer requested one.
    ///
    /// - Parameter isConditioned: True if incoming bytes are delayed on this side.
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
