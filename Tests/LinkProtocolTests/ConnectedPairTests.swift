import Foundation
import Testing

@testable import LinkProtocol

/// Two connection machines connected in memory: the bytes that one sends are fed to the other.
private final class Side {
    var machine: ConnectionStateMachine
    var decoder = FrameDecoder()
    var output: [UInt8] = []
    var delivered: [MessagePackage] = []
    var peer: Device?

    init(_ role: DeviceRole) throws {
        machine = ConnectionStateMachine(role: role, times: LinkTimes())
        machine.opened(at: at(0))
        try send(hello(role))
    }

    func send(_ package: MessagePackage) throws { output += try PackageCodec.frame(package) }

    func receive(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { bytes in
            decoder.begin(bytes)
            try receiveFrames()
            decoder.end()
        }
    }

    private func receiveFrames() throws {
        while let package = try decoder.nextFrame({ _, body throws(ProtocolError) in try PackageCodec.package(body) }) {
            switch machine.received(package, at: at(1)) {
            case .establish(let hello, _): peer = hello.device
            case .deliver: delivered.append(package)
            case .ignore, .sendHeartbeat, .peerCloses, .refuse: break
            case .fail(let error): throw error
            }
        }
    }
}

@Suite("A connected pair")
struct ConnectedPairTests {
    @Test("Both sides connect, and messages arrive whole despite splits", arguments: [1, 2, 3, 7, 64, 100_000])
    func meets(chunk: Int) throws {
        let host = try Side(.host)
        let companion = try Side(.companion)
        let sent = (0..<5).map { message(.sendMessageData, Data(repeating: UInt8($0), count: 300 * $0)) }
        for package in sent { try companion.send(package) }
        let bytes = companion.output
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            try host.receive(Array(bytes[start..<min(start + chunk, bytes.count)]))
        }
        try companion.receive(host.output)
        #expect(host.peer?.role == .companion)
        #expect(companion.peer?.role == .host)
        #expect(host.delivered.map(\.identifier) == sent.map(\.identifier))
        #expect(host.delivered.map(\.dataPackage) == sent.map(\.dataPackage))
        #expect(!host.decoder.isInsideFrame)
    }

    @Test("Every field of a package survives the transmission")
    func fields() throws {
        let package = MessagePackage(
            identifier: UUID(), command: .transferUserInfo, status: .failed, dataPackage: Data([1, 2]),
            errorMessage: "Grüße 🥦", errorCode: 7014, answers: UUID(), wantsReply: true,
            timestamp: Date(timeIntervalSinceReferenceDate: 12.5))
        let read = try PackageCodec.frame(package).dropFirst(4).withUnsafeBytes(PackageCodec.package)
        #expect(read.identifier == package.identifier)
        #expect(read.command == package.command)
        #expect(read.status == package.status)
        #expect(read.dataPackage == package.dataPackage)
        #expect(read.errorMessage == package.errorMessage)
        #expect(read.errorCode == package.errorCode)
        #expect(read.answers == package.answers)
        #expect(read.wantsReply == package.wantsReply)
        #expect(read.timestamp == package.timestamp)
        #expect(read.origin == nil)
    }
}

@Suite("Frames")
struct FrameDecoderTests {
    static func decode(_ bytes: [UInt8], maximumBytes: Int = 100) throws -> [[UInt8]] {
        // Decoded in place, and again from a copy of the bytes: the result must be the same.
        var decoder = FrameDecoder(maximumBytes: maximumBytes)
        var frames: [[UInt8]] = []
        try bytes.withUnsafeBytes { bytes in
            decoder.begin(bytes)
            while let frame = try decoder.nextFrame({ Array($1) }) { frames.append(frame) }
            decoder.end()
        }
        var late = FrameDecoder(maximumBytes: maximumBytes)
        bytes.withUnsafeBytes { bytes in
            late.begin(bytes)
            late.end()
        }
        var lateFrames: [[UInt8]] = []
        while let frame = try late.nextFrame({ Array($1) }) { lateFrames.append(frame) }
        #expect(frames == lateFrames)
        #expect(decoder.isInsideFrame == late.isInsideFrame)
        return frames
    }

    @Test("Whole frames are returned, the rest waits")
    func frames() throws {
        let whole = try Self.decode([0, 0, 0, 2, 7, 8, 0, 0, 0, 1, 9, 0, 0])
        #expect(whole == [[7, 8], [9]])
    }

    @Test("A length above the limit is refused before its body arrives")
    func tooLong() {
        #expect(throws: ProtocolError.self) { try Self.decode([0, 0, 0, 101]) }
        #expect(throws: ProtocolError.self) { try Self.decode([0xFF, 0xFF, 0xFF, 0xFF]) }
    }

    @Test("An empty frame is refused")
    func empty() { #expect(throws: ProtocolError.self) { try Self.decode([0, 0, 0, 0]) } }

    @Test("A frame at the limit is accepted")
    func atLimit() throws {
        let length = try Self.decode([0, 0, 0, 100] + Array(repeating: 1, count: 100)).first?.count
        #expect(length == 100)
    }

    @Test("Bytes that are not a package are refused")
    func noPackage() throws {
        #expect(throws: ProtocolError.self) { try Data([1, 2, 3]).withUnsafeBytes(PackageCodec.package) }
    }

    @Test("A long stream in small pieces keeps the buffer small")
    func longStream() throws {
        var decoder = FrameDecoder()
        let frame: [UInt8] = [0, 0, 0, 3, 1, 2, 3]
        var count = 0
        for _ in 0..<10_000 {
            try frame.withUnsafeBytes { bytes in
                decoder.begin(bytes)
                while try decoder.nextFrame({ _, _ in () }) != nil { count += 1 }
                decoder.end()
            }
        }
        #expect(count == 10_000)
        #expect(!decoder.isInsideFrame)
    }

    @Test("However a stream is split, each of its bytes is moved at most three times", arguments: [1, 1_000, 65_536])
    func splitting(_ size: Int) throws {
        let body = size == 1 ? 30_000 : 500_000
        let frame = withUnsafeBytes(of: UInt32(body).bigEndian) { Array($0) } + [UInt8](repeating: 7, count: body)
        let stream = Array(repeatElement(frame, count: 5).joined()) + [0, 0]
        var decoder = FrameDecoder()
        var count = 0
        for from in stride(from: 0, to: stream.count, by: size) {
            try stream[from..<min(stream.count, from + size)].withUnsafeBytes { bytes in
                decoder.begin(bytes)
                while try decoder.nextFrame({ _, _ in () }) != nil { count += 1 }
                decoder.end()
            }
        }
        #expect(count == 5)
        #expect(decoder.keptBytes == 2)
        #expect(decoder.movedBytes <= 3 * stream.count)
    }

    /// Adds bytes to a decoder, and returns the frames that are complete then.
    private static func add(_ bytes: [UInt8], to decoder: inout FrameDecoder) throws -> [[UInt8]] {
        try bytes.withUnsafeBytes { bytes in
            var frames: [[UInt8]] = []
            decoder.begin(bytes)
            while let frame = try decoder.nextFrame({ Array($1) }) { frames.append(frame) }
            decoder.end()
            return frames
        }
    }

    @Test("Each byte that is copied or moved counts: unread ones, those behind them, a rest that moves to the front")
    func moved() throws {
        var decoder = FrameDecoder()
        // A frame in one read is decoded in place.
        let whole = try Self.add([0, 0, 0, 1, 9], to: &decoder)
        #expect(whole == [[9]])
        #expect(decoder.movedBytes == 0)
        let begun = try Self.add([0, 0, 0, 2, 7], to: &decoder)
        #expect(begun == [])
        #expect(decoder.movedBytes == 5)
        // Of eleven bytes, six are read then, and the rest moves.
        let first = try Self.add([8, 0, 0, 0, 2, 7], to: &decoder)
        #expect(first == [[7, 8]])
        #expect(decoder.movedBytes == 11)
        #expect(decoder.keptBytes == 5)
        let second = try Self.add([8], to: &decoder)
        #expect(second == [[7, 8]])
        #expect(decoder.movedBytes == 17)
        #expect(decoder.keptBytes == 0)
    }

    @Test("A rest that is half of the buffer stays in its place")
    func unmoved() throws {
        var decoder = FrameDecoder()
        _ = try Self.add([0, 0, 0, 2, 7], to: &decoder)
        _ = try Self.add([8, 0, 0, 0, 3, 1, 2], to: &decoder)
        #expect(decoder.movedBytes == 12)
        #expect(decoder.keptBytes == 6)
        let last = try Self.add([3], to: &decoder)
        #expect(last == [[1, 2, 3]])
        #expect(decoder.movedBytes == 13)
    }

    @Test("A limit that is raised between two frames applies to the second")
    func raisedLimit() throws {
        var decoder = FrameDecoder(maximumBytes: 2)
        let stream: [UInt8] = [0, 0, 0, 2, 7, 8, 0, 0, 0, 3, 1, 2, 3]
        let lengths = try stream.withUnsafeBytes { bytes in
            decoder.begin(bytes)
            let first = try decoder.nextFrame { $1.count }
            decoder.maximumBytes = 3
            return [first, try decoder.nextFrame { $1.count }]
        }
        #expect(lengths == [2, 3])
    }
}
