import Foundation
import Testing

@testable import KeyedArchive

/// Tests of the widths that the trailer of a file announces.
@Suite("Trailers")
struct TrailerTests {
    /// Returns a file of an array that contains true, with offsets and references of the given widths.
    private func file(offsetSize: Int, referenceSize: Int) -> Data {
        func number(_ value: Int, _ width: Int) -> [UInt8] {
            (0..<width).reversed().map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> (8 * $0)) : 0 }
        }
        var bytes: [UInt8] = Array("bplist00".utf8)
        bytes += [0xA1] + number(1, referenceSize)
        let element = bytes.count
        bytes += [0x09]
        let table = bytes.count
        bytes += number(8, offsetSize) + number(element, offsetSize)
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        for value in [2, 0, table] { bytes += number(value, 8) }
        return Data(bytes)
    }

    @Test("Offsets and references of one to eight bytes are read", arguments: 1...8, 1...8)
    func widths(_ offsetSize: Int, _ referenceSize: Int) throws {
        let value = try PropertyListValue(binary: file(offsetSize: offsetSize, referenceSize: referenceSize))
        #expect(value == .array([.boolean(true)]))
    }

    @Test(
        "Other widths are refused with both of them and the position of the trailer",
        arguments: [
            (0, 1), (9, 1), (16, 1), (255, 1), (1, 0), (1, 9), (1, 16), (1, 255), (0, 0), (9, 9), (8, 9), (9, 8),
        ])
    func otherWidths(_ offsetSize: Int, _ referenceSize: Int) {
        let data = file(offsetSize: offsetSize, referenceSize: referenceSize)
        let error = #expect(throws: ArchiveError.self) { try PropertyListValue(binary: data) }
        let expected = ArchiveError(
            .corruptTrailer, "widths of \(offsetSize) and \(referenceSize) bytes; 1 to 8 are allowed",
            offset: data.count - 32)
        #expect(error == expected)
    }

    @Test("A file of one more object than the limit is refused with both numbers")
    func objects() {
        var limits = ArchiveLimits.standard
        limits.objects = 2
        let data = file(offsetSize: 1, referenceSize: 1)
        let exact = code { try PropertyListValue(binary: data, limits: limits) }
        #expect(exact == nil)
        limits.objects = 1
        let lowered = limits
        let error = #expect(throws: ArchiveError.self) { try PropertyListValue(binary: data, limits: lowered) }
        let expected = ArchiveError(.limitExceeded, "2 objects; the limit is 1", offset: data.count - 32)
        #expect(error == expected)
    }

    @Test("A file of one more byte than the limit is refused with both numbers, at every entry point")
    func bytes() {
        let data = file(offsetSize: 1, referenceSize: 1)
        var limits = ArchiveLimits.standard
        limits.bytes = data.count - 1
        let lowered = limits
        let expected = ArchiveError(.limitExceeded, "\(data.count) bytes; the limit is \(data.count - 1)")
        let list = #expect(throws: ArchiveError.self) { try PropertyListValue(binary: data, limits: lowered) }
        #expect(list == expected)
        let tree = #expect(throws: ArchiveError.self) { try PropertyListValue(archive: data, limits: lowered) }
        #expect(tree == expected)
        let objects = #expect(throws: ArchiveError.self) { try KeyedUnarchiver(forReadingFrom: data, limits: lowered) }
        #expect(objects == expected)
    }

    // MARK: - Objects read in one step

    /// Calls a closure with a file of one object, which ends where the offset table begins.
    private func read<Value>(_ object: String, _ body: (BinaryPropertyList) throws -> Value) throws -> Value {
        let data = PropertyListTests.file(object)
        return try data.withUnsafeBytes { buffer in
            let list = try BinaryPropertyList(buffer, limits: .standard)
            return try body(list)
        }
    }

    static let integers: [(String, Int64?)] = [
        ("10 05", 5), ("10 ff", 255), ("11 0100", 256), ("12 00010000", 65_536), ("13 ffffffffffffffff", -1),
        ("13 7fffffffffffffff", .max), ("14 00000000000000000000000000000005", nil), ("0f", nil), ("09", nil),
        ("20 05", nil), ("51 61", nil), ("80 05", nil), ("10", nil), ("11 01", nil), ("12 000100", nil),
        ("13 ffffffffffffff", nil),
    ]

    @Test("An integer of up to eight bytes is read in one step, and no other object", arguments: integers)
    func shortIntegers(_ object: String, _ expected: Int64?) throws {
        let number = try read(object) { try $0.shortInteger(at: 0) }
        #expect(number == expected)
    }

    static let identifiers: [(String, UInt32?)] = [
        ("80 05", 5), ("80 ff", 255), ("81 0100", 256), ("81 ffff", 65_535), ("82 000001", nil), ("83 00000001", nil),
        ("7f 05", nil), ("10 05", nil), ("51 61", nil), ("09", nil), ("80", nil), ("81 01", nil),
    ]

    @Test("A UID of one or two bytes is read in one step, and no other object", arguments: identifiers)
    func shortIdentifiers(_ object: String, _ expected: UInt32?) throws {
        let uid = try read(object) { try $0.shortIdentifier(at: 0) }
        #expect(uid == expected)
    }
}
