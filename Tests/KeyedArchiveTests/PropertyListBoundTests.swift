import Foundation
import Testing

@testable import KeyedArchive

/// Tests of nested dictionaries and sets, and of the bytes that are written.
@Suite("Bounds of trees")
struct PropertyListBoundTests {
    private func limits(_ lower: (inout ArchiveLimits) -> Void) -> ArchiveLimits {
        var lowered = ArchiveLimits.standard
        lower(&lowered)
        return lowered
    }

    private func refusal(_ body: () throws(ArchiveError) -> Void) -> ArchiveError? {
        do {
            try body()
            return nil
        } catch {
            return error
        }
    }

    private func readRefusal(_ data: Data, _ limits: ArchiveLimits) -> ArchiveError? {
        refusal { () throws(ArchiveError) in _ = try PropertyListValue(binary: data, limits: limits) }
    }

    private func writeRefusal(_ value: PropertyListValue, _ limits: ArchiveLimits) -> ArchiveError? {
        refusal { () throws(ArchiveError) in _ = try value.binaryData(limits: limits) }
    }

    // MARK: - Nesting

    @Test("Dictionaries nested exactly to the limit are read and written, one more is refused", arguments: [2, 3, 128])
    func dictionaries(_ depth: Int) throws {
        var value = PropertyListValue.dictionary([:])
        for _ in 0..<depth { value = .dictionary(["k": value]) }
        let data = try value.binaryData()
        let path = Array(repeating: "k", count: depth).joined(separator: ".")
        let read = readRefusal(data, limits { $0.depth = depth })
        #expect(read == nil)
        let readDeeper = readRefusal(data, limits { $0.depth = depth - 1 })
        #expect(readDeeper?.code == .limitExceeded)
        #expect(readDeeper?.keyPath == path)
        let written = writeRefusal(value, limits { $0.depth = depth })
        #expect(written == nil)
        let writtenDeeper = writeRefusal(value, limits { $0.depth = depth - 1 })
        #expect(writtenDeeper?.code == .limitExceeded)
        #expect(writtenDeeper?.keyPath == path)
    }

    @Test("Sets nested exactly to the limit are read and written, one more is refused", arguments: [1, 3, 128])
    func sets(_ depth: Int) throws {
        var value = PropertyListValue.set([])
        for _ in 0..<depth { value = .set([value]) }
        let data = try value.binaryData()
        let path = Array(repeating: "[0]", count: depth).joined()
        let read = readRefusal(data, limits { $0.depth = depth })
        #expect(read == nil)
        let readDeeper = readRefusal(data, limits { $0.depth = depth - 1 })
        #expect(readDeeper?.code == .limitExceeded)
        #expect(readDeeper?.keyPath == path)
        let written = writeRefusal(value, limits { $0.depth = depth })
        #expect(written == nil)
        let writtenDeeper = writeRefusal(value, limits { $0.depth = depth - 1 })
        #expect(writtenDeeper?.code == .limitExceeded)
        #expect(writtenDeeper?.keyPath == path)
    }

    @Test("A key that is read is one level deeper than its dictionary")
    func keys() throws {
        let data = try PropertyListValue.dictionary(["k": .boolean(true)]).binaryData()
        let exact = readRefusal(data, limits { $0.depth = 1 })
        #expect(exact == nil)
        let deeper = readRefusal(data, limits { $0.depth = 0 })
        #expect(deeper?.code == .limitExceeded)
    }

    // MARK: - Bytes

    @Test("After as many bytes as the limit another value is added, after one byte more it is refused with its path")
    func bytes() {
        // The text takes three bytes besides its own.
        let value = PropertyListValue.array([.string(String(repeating: "a", count: 100)), .boolean(true)])
        let exact = writeRefusal(value, limits { $0.bytes = 103 })
        // With its header, references and table the file is longer.
        #expect(exact == ArchiveError(.limitExceeded, "150 bytes; the limit is 103"))
        let less = writeRefusal(value, limits { $0.bytes = 102 })
        #expect(less == ArchiveError(.limitExceeded, "more than 102 bytes or 4194304 objects", keyPath: "[1]"))
    }

    @Test("A dictionary is written with its keys in ascending order, after the header and before the table of offsets")
    func layout() throws {
        let data = try PropertyListValue.dictionary(["b": .boolean(true), "a": .boolean(false)]).binaryData()
        var expected = Array("bplist00".utf8)
        expected += [0xD2, 1, 3, 2, 4, 0x51, 0x61, 0x08, 0x51, 0x62, 0x09]
        expected += [8, 13, 15, 16, 18]
        expected += [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 19]
        #expect(Array(data) == expected)
    }

    @Test("Each kind of dictionary is archived with its keys in ascending order", arguments: 0..<3)
    func order(_ form: Int) throws {
        let numbers = ["b": 2, "d": 4, "a": 1, "e": 5, "c": 3]
        let data =
            switch form {
            case 0: try archived(numbers)
            case 1: try archived(NSDictionary(dictionary: numbers))
            default: try PropertyListValue.dictionary(numbers.mapValues { .integer(Int64($0)) }).archivedData()
            }
        let tree = try PropertyListValue(binary: data)
        guard case .array(let objects) = tree["$objects"], case .array(let keys) = objects[1]["NS.keys"],
            case .array(let values) = objects[1]["NS.objects"]
        else {
            Issue.record("expected a dictionary, came \(tree)")
            return
        }
        func referenced(_ references: [PropertyListValue]) -> [PropertyListValue] {
            references.map { reference in
                guard case .uid(let uid) = reference else { return .null }
                return objects[Int(uid)]
            }
        }
        let expectedKeys = ["a", "b", "c", "d", "e"].map { PropertyListValue.string($0) }
        #expect(referenced(keys) == expectedKeys)
        let expectedValues = (Int64(1)...5).map { PropertyListValue.integer($0) }
        #expect(referenced(values) == expectedValues)
    }
}
