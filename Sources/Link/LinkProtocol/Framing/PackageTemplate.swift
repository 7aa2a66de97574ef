import Foundation
import Glibc
import KeyedArchive

/// The frame of one shape of package, with the offsets of its variable fields.
///
/// The specimen also serves as the buffer for new frames of the shape: only the variable fields are overwritten.
final class PackageTemplate {
    /// The shortest payload of a template: a shorter one could occur elsewhere in the frame by chance.
    private static let leastPayloadBytes = 16
    private static let uuidBytes = 16
    private static let dateBytes = 8

    /// The specimen frame, with its length prefix.
    private var frame: [UInt8]
    private let specimen: MessagePackage
    private let identifier: Int
    private let timestamp: Int
    private let answers: Int?
    private let payload: Range<Int>?
    /// The ranges that are equal in every frame of the shape.
    private let constants: [Range<Int>]

    var bodyBytes: Int { frame.count - FrameHeader.bytes }

    /// Nil if the shape has no template: it is too long, or its variable fields cannot be located.
    init?(of package: MessagePackage, maximumBytes: Int) {
        let length = package.dataPackage?.count
        guard length.map({ $0 >= Self.leastPayloadBytes && $0 <= maximumBytes }) ?? true else { return nil }
        // Pseudo-random values that occur nowhere else in the frame; the same on every run.
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
        // An encoding error means that the shape has no template.
        guard let frame = try? PackageCodec.frame(first), frame.count <= maximumBytes else { return nil }
        let bytes = [UInt8](frame)
        guard let identifier = Self.place(of: Self.bytes(first.identifier), in: frame),
            let timestamp = Self.place(of: Self.bytes(first.timestamp), in: frame)
        else { return nil }
        var variable = [identifier..<(identifier + Self.uuidBytes), timestamp..<(timestamp + Self.dateBytes)]
        var (answers, payload): (Int?, Range<Int>?) = (nil, nil)
        if let answered = first.answers {
            guard let place = Self.place(of: Self.bytes(answered), in: frame) else { return nil }
            answers = place
            variable.append(place..<(place + Self.uuidBytes))
        }
        if let data = first.dataPackage {
            guard let place = Self.place(of: [UInt8](data), in: frame) else { return nil }
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

    // MARK: - Encoding and decoding

    /// Fills in a package of this shape and passes its frame, which is valid only during the call.
    func withFrame<Result>(_ package: MessagePackage, _ use: (UnsafeRawBufferPointer) -> Result) -> Result {
        frame.withUnsafeMutableBytes { bytes in
            bytes.storeBytes(of: package.identifier.uuid, toByteOffset: identifier, as: uuid_t.self)
            bytes.storeBytes(
                of: package.timestamp.timeIntervalSinceReferenceDate.bitPattern.bigEndian, toByteOffset: timestamp,
                as: UInt64.self)
            if let answers, let answered = package.answers {
                bytes.storeBytes(of: answered.uuid, toByteOffset: answers, as: uuid_t.self)
            }
            if let payload, let data = package.dataPackage {
                let place = UnsafeMutableRawBufferPointer(rebasing: bytes[payload])
                data.withUnsafeBytes { place.copyMemory(from: $0) }
            }
            return use(UnsafeRawBufferPointer(bytes))
        }
    }

    /// Decodes the package in a body; nil if the body does not have this shape.
    func package(_ body: UnsafeRawBufferPointer, from origin: UUID?) -> MessagePackage? {
        guard body.count == bodyBytes, isSame(body) else { return nil }
        let shift = FrameHeader.bytes
        let bits = UInt64(bigEndian: body.loadUnaligned(fromByteOffset: timestamp - shift, as: UInt64.self))
        let seconds = Double(bitPattern: bits)
        // Let the unarchiver reject values that are not dates.
        guard seconds.isFinite else { return nil }
        var data: Data?
        if let payload, let start = body.baseAddress {
            data = Data(bytes: start + (payload.lowerBound - shift), count: payload.count)
        }
        return MessagePackage(
            identifier: Self.uuid(in: body, at: identifier - shift), command: specimen.command,
            status: specimen.status, dataPackage: data, answers: answers.map { Self.uuid(in: body, at: $0 - shift) },
            wantsReply: specimen.wantsReply, startsRound: specimen.startsRound,
            timestamp: Date(timeIntervalSinceReferenceDate: seconds), origin: origin)
    }

    private func isSame(_ body: UnsafeRawBufferPointer) -> Bool {
        frame.withUnsafeBytes { frame in
            guard let mine = frame.baseAddress, let theirs = body.baseAddress else { return false }
            for range in constants {
                let start = range.lowerBound - FrameHeader.bytes
                guard memcmp(mine + range.lowerBound, theirs + start, range.count) == 0 else { return false }
            }
            return true
        }
    }

    /// Returns true if the unarchiver decodes a filled template as the original package.
    private func isRight(for package: MessagePackage) -> Bool {
        let both = withFrame(package) { [UInt8]($0) }.withUnsafeBytes { frame -> [MessagePackage]? in
            let body = UnsafeRawBufferPointer(rebasing: frame[FrameHeader.bytes...])
            // Any decoding error means that the template is wrong.
            guard let read = try? PackageCodec.package(body), let fast = self.package(body, from: nil) else {
                return nil
            }
            return [read, fast]
        }
        return both?.allSatisfy { other in
            other.identifier == package.identifier && other.command == package.command
                && other.status == package.status && other.dataPackage == package.dataPackage
                && other.answers == package.answers && other.wantsReply == package.wantsReply
                && other.startsRound == package.startsRound && other.timestamp == package.timestamp
                && other.errorMessage == nil && other.errorCode == nil
        } ?? false
    }

    // MARK: - Bytes

    private static func place(of wanted: [UInt8], in frame: Data) -> Int? {
        frame.onlyRange(of: Data(wanted))?.lowerBound
    }

    /// Returns the gaps between ranges, after the length prefix, which is constant for the shape.
    private static func gaps(between ranges: [Range<Int>], upTo end: Int) -> [Range<Int>] {
        var gaps: [Range<Int>] = []
        var place = FrameHeader.bytes
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
