import Foundation
import KeyedArchive
import Testing

@testable import LinkProtocol

@Suite("Packages as frames")
struct PackageCodecTests {
    private static func package(_ bytes: Int) -> MessagePackage {
        MessagePackage(
            identifier: UUID(), command: .updateApplicationContext, status: .sent, dataPackage: Data(count: bytes),
            timestamp: Date(timeIntervalSince1970: 0))
    }

    @Test("The longest frame is written and read; one that is a byte longer is refused with both lengths")
    func longest() throws {
        // The lengths of large payloads take the same number of bytes.
        let most = LinkLimits.frameBytes
        let overhead = try PackageCodec.frame(Self.package(most / 2)).count - FrameHeader.bytes - most / 2
        let package = Self.package(most - overhead)
        let frame = try PackageCodec.frame(package)
        #expect(frame.count == most + FrameHeader.bytes)
        let read = try frame.dropFirst(FrameHeader.bytes).withUnsafeBytes(PackageCodec.package)
        #expect(read == package)
        let longer = Self.package(most - overhead + 1)
        let error = #expect(throws: ProtocolError.self) { try PackageCodec.frame(longer) }
        #expect(error == ProtocolError(.frameTooLong, "\(most + 1) bytes; the limit is \(most)"))
    }

    @Test("Bytes that are no archive are an unreadable package")
    func unreadable() {
        for bytes in [[], [1, 2, 3], [UInt8](repeating: 0, count: 100)] as [[UInt8]] {
            let error = #expect(throws: ProtocolError.self) { try bytes.withUnsafeBytes(PackageCodec.package) }
            #expect(error?.code == .unreadablePackage, "\(bytes.count) bytes")
        }
    }

    @Test("An archive without a package is an unreadable package that says so")
    func nothing() {
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        let none: Any? = nil
        archiver.encode(none, forKey: "root")
        let archive = [UInt8](archiver.encodedData)
        #expect(!archive.isEmpty)
        let error = #expect(throws: ProtocolError.self) { try archive.withUnsafeBytes(PackageCodec.package) }
        #expect(error == ProtocolError(.unreadablePackage, "the archive is empty"))
    }

    @Test("A package that no archive can hold is refused with the code of an unreadable one")
    func unwritable() {
        let package = Self.package(ArchiveLimits.standard.bytes + 1)
        let error = #expect(throws: ProtocolError.self) { try PackageCodec.frame(package) }
        #expect(error?.code == .unreadablePackage)
    }

    @Test("A date that is none is refused by template and by archiver alike")
    func dates() throws {
        let templates = PackageTemplates()
        let date = Date(timeIntervalSinceReferenceDate: 123_456.75)
        func message() -> MessagePackage {
            MessagePackage(
                identifier: UUID(), command: .sendMessageData, status: .sent, dataPackage: Data(count: 64),
                wantsReply: true, timestamp: date)
        }
        for _ in 0..<20 { _ = try templates.withFrame(message()) { Data($0) } }
        let bits = withUnsafeBytes(of: date.timeIntervalSinceReferenceDate.bitPattern.bigEndian) { Data($0) }
        for value in [Double.nan, .infinity, -.infinity] {
            var frame = try templates.withFrame(message()) { Data($0) }
            let place = try #require(frame.firstRange(of: bits))
            frame.replaceSubrange(place, with: withUnsafeBytes(of: value.bitPattern.bigEndian) { Data($0) })
            let body = [UInt8](frame.dropFirst(FrameHeader.bytes))
            let strict = Self.outcome { try body.withUnsafeBytes(PackageCodec.package) }
            let fast = Self.outcome { try body.withUnsafeBytes { try templates.package($0, from: nil) } }
            #expect(fast == strict, "\(value)")
        }
    }

    /// Returns the time of a package that is read, or the code of the error.
    private static func outcome(_ read: () throws -> MessagePackage) -> String {
        do {
            let time = try read().timestamp.timeIntervalSinceReferenceDate
            return "\(time)"
        } catch let error as ProtocolError {
            return error.code.rawValue
        } catch {
            return "\(error)"
        }
    }

    // MARK: - Receivers

    @Test("A receiver of models reads the first byte of a package, and its size")
    func kinds() throws {
        var receiver = FrameReceiver(PieceBudget())
        let bytes: [UInt8] = [0, 0, 0, 3, 9, 8, 7]
        let item = try bytes.withUnsafeBytes { bytes in
            receiver.begin(bytes)
            defer { receiver.end() }
            return try receiver.nextKind()
        }
        guard case .package(9, bytes: 3)? = item else {
            Issue.record("\(String(describing: item))")
            return
        }
    }

    @Test("A connection that ends within a package gives its bytes back, and its receiver is outside of any package")
    func closed() throws {
        let memory = PieceBudget()
        var receiver = FrameReceiver(memory)
        receiver.greeted(version: 2)
        let bytes = PieceHeader(stream: 1, length: 9, offset: 0).frame(count: 2, wantsAcknowledgement: false) + [1, 2]
        let item = try bytes.withUnsafeBytes { bytes in
            receiver.begin(bytes)
            defer { receiver.end() }
            return try receiver.nextKind()
        }
        guard case .piece? = item else {
            Issue.record("\(String(describing: item))")
            return
        }
        #expect(receiver.keptBytes == 0)
        let isInside = receiver.isInsidePackage
        #expect(isInside)
        #expect(memory.used == 2)
        receiver.close()
        let isStillInside = receiver.isInsidePackage
        #expect(!isStillInside)
        #expect(memory.used == 0)
    }

    @Test("The highest bit of a frame's first byte requests an acknowledgement, and only that bit")
    func requests() throws {
        for isAsking in [false, true] {
            let header = FrameHeader(.piece, length: 0x01_0203, wantsAcknowledgement: isAsking)
            #expect(header.word == (isAsking ? 0x8101_0203 : 0x0101_0203))
            let read = try FrameHeader(header.word, version: 2, maximumBytes: 0x01_0203)
            #expect(read == header)
        }
    }
}
