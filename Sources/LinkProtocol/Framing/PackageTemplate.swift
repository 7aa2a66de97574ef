import Foundation
import Glibc

/// The frame of one shape of package, and where in it lies what differs.
struct PackageTemplate {
    /// Shortest payload of a template: a shorter one cannot be told from other bytes when it is looked for.
    private static let leastPayloadBytes = 16
    private static let uuidBytes = 16
    private static let dateBytes = 8

    /// A specimen, with its length.
    private let frame: [UInt8]
    private let specimen: MessagePackage
    private let identifier: Int
    private let timestamp: Int
    private let answers: Int?
    private let payload: Range<Int>?
    /// What is the same in every frame of the shape.
    private let constants: [Range<Int>]

    var bodyBytes: Int { frame.count - FrameDecoder.headerBytes }

    /// Nil if this shape has none: it is too long, or what differs cannot be told apart.
    init?(of package: MessagePackage, maximumBytes: Int) {
        let length = package.dataPackage?.count
        guard length.map({ $0 >= Self.leastPayloadBytes && $0 <= maximumBytes }) ?? true else { return nil }
        // Values that are found nowhere else in the frame: the same ones each time.
        var random = SeededGenerator(seed: 0x5EED)
        func specimen() -> MessagePackage {
            MessagePackage(
                identifier: UUID.seeded(&random), command: package.command, status: package.status,
                dataPackage: length.map { count in
                    Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
                },
                answers: package.answers.map { _ in UUID.seeded(&random) }, wantsReply: package.wantsReply,
                startsRound: package.startsRound,
                timestamp: Date(timeIntervalSinceReferenceDate: Double.random(in: 1e8...1e9, using: &random)))
        }
        let first = specimen()
        // A shape without a frame has no template, which is the answer.
        guard let frame = try? PackageCodec.frame(first), frame.count <= maximumBytes else { return nil }
        let bytes = [UInt8](frame)
        guard let identifier = Self.place(of: Self.bytes(first.identifier), in: bytes),
            let timestamp = Self.place(of: Self.bytes(first.timestamp), in: bytes)
        else { return nil }
        var variable = [identifier..<(identifier + Self.uuidBytes), timestamp..<(timestamp + Self.dateBytes)]
        var (answers, payload): (Int?, Range<Int>?) = (nil, nil)
        if let answered = first.answers {
            guard let place = Self.place(of: Self.bytes(answered), in: bytes) else { return nil }
            answers = place
            variable.append(place..<(place + Self.uuidBytes))
        }
        if let data = first.dataPackage {
            guard let place = Self.place(of: [UInt8](data), in: bytes) else { return nil }
            payload = place..<(place + data.count)
            variable.append(place..<(place + data.count))
        }
        self.frame = bytes
        self.specimen = first
        self.identifier = identifier
        self.timestamp = timestamp
        self.answers = answers
        self.payload = payload
        constants = Self.gaps(between: variable.sorted { $0.lowerBound < $1.lowerBound }, upTo: bytes.count)
        guard isRight(for: specimen()) else { return nil }
    }

    // MARK: - Using it

    /// The frame of a package of this shape.
    func frame(_ package: MessagePackage) -> Data {
        var frame = Data(self.frame)
        frame.withUnsafeMutableBytes { bytes in
            Self.write(package.identifier, to: bytes, at: identifier)
            bytes.storeBytes(
                of: package.timestamp.timeIntervalSinceReferenceDate.bitPattern.bigEndian, toByteOffset: timestamp,
                as: UInt64.self)
            if let answers, let answered = package.answers { Self.write(answered, to: bytes, at: answers) }
            if let payload, let data = package.dataPackage {
                let place = UnsafeMutableRawBufferPointer(rebasing: bytes[payload])
                data.withUnsafeBytes { place.copyMemory(from: $0) }
            }
        }
        return frame
    }

    /// The package in a body; nil if the body is no frame of this shape.
    func package(_ body: ArraySlice<UInt8>, from origin: UUID?) -> MessagePackage? {
        body.withUnsafeBytes { body -> MessagePackage? in
            guard body.count == bodyBytes, isSame(body) else { return nil }
            let shift = FrameDecoder.headerBytes
            let bits = UInt64(bigEndian: body.loadUnaligned(fromByteOffset: timestamp - shift, as: UInt64.self))
            let seconds = Double(bitPattern: bits)
            // What is no time the unarchiver judges.
            guard seconds.isFinite else { return nil }
            return MessagePackage(
                identifier: Self.uuid(in: body, at: identifier - shift), command: specimen.command,
                status: specimen.status,
                dataPackage: payload.map { range in
                    Data(body[(range.lowerBound - shift)..<(range.upperBound - shift)])
                },
                answers: answers.map { Self.uuid(in: body, at: $0 - shift) }, wantsReply: specimen.wantsReply,
                startsRound: specimen.startsRound, timestamp: Date(timeIntervalSinceReferenceDate: seconds),
                origin: origin)
        }
    }

    private func isSame(_ body: UnsafeRawBufferPointer) -> Bool {
        frame.withUnsafeBytes { frame in
            constants.allSatisfy { range in
                let start = range.lowerBound - FrameDecoder.headerBytes
                guard let mine = frame.baseAddress, let theirs = body.baseAddress else { return false }
                return memcmp(mine + range.lowerBound, theirs + start, range.count) == 0
            }
        }
    }

    /// Whether the unarchiver reads a filled template as what it was filled with.
    private func isRight(for package: MessagePackage) -> Bool {
        let frame = frame(package)
        let body = [UInt8](frame.dropFirst(FrameDecoder.headerBytes))[...]
        // What cannot be read is not right, for whatever reason.
        guard let read = try? PackageCodec.package(body), let fast = self.package(body, from: nil) else { return false }
        return [read, fast].allSatisfy { other in
            other.identifier == package.identifier && other.command == package.command
                && other.status == package.status && other.dataPackage == package.dataPackage
                && other.answers == package.answers && other.wantsReply == package.wantsReply
                && other.startsRound == package.startsRound && other.timestamp == package.timestamp
                && other.errorMessage == nil && other.errorCode == nil
        }
    }

    // MARK: - Bytes

    /// Where bytes stand; nil unless they stand in exactly one place.
    private static func place(of wanted: [UInt8], in bytes: [UInt8]) -> Int? {
        let data = Data(bytes)
        guard let first = data.range(of: Data(wanted)) else { return nil }
        guard data.range(of: Data(wanted), in: (first.lowerBound + 1)..<data.count) == nil else { return nil }
        return first.lowerBound
    }

    /// What lies between ranges. The length that leads the frame is the shape's own.
    private static func gaps(between ranges: [Range<Int>], upTo end: Int) -> [Range<Int>] {
        var gaps: [Range<Int>] = []
        var place = FrameDecoder.headerBytes
        for range in ranges {
            if place < range.lowerBound { gaps.append(place..<range.lowerBound) }
            place = range.upperBound
        }
        if place < end { gaps.append(place..<end) }
        return gaps
    }

    private static func bytes(_ identifier: UUID) -> [UInt8] { withUnsafeBytes(of: identifier.uuid) { Array($0) } }

    private static func bytes(_ date: Date) -> [UInt8] {
        withUnsafeBytes(of: date.timeIntervalSinceReferenceDate.bitPattern.bigEndian) { Array($0) }
    }

    private static func write(_ identifier: UUID, to bytes: UnsafeMutableRawBufferPointer, at place: Int) {
        withUnsafeBytes(of: identifier.uuid) { source in
            UnsafeMutableRawBufferPointer(rebasing: bytes[place..<(place + uuidBytes)]).copyMemory(from: source)
        }
    }

    private static func uuid(in bytes: UnsafeRawBufferPointer, at place: Int) -> UUID {
        UUID(uuid: bytes.loadUnaligned(fromByteOffset: place, as: uuid_t.self))
    }
}

extension UUID {
    fileprivate static func seeded(_ random: inout SeededGenerator) -> UUID {
        let (high, low) = (random.next(), random.next())
        return withUnsafeBytes(of: (high, low)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
