import Foundation
import Synchronization
import Testing

@testable import KeyedArchive

/// Tests with archives designed to harm a decoder. Each has an expected result per entry point, and causes no more work
/// than its size allows.
@Suite("Hostile archives")
struct HostileArchiveTests {
    /// A line of the table next to the archives.
    struct Case: CustomTestStringConvertible, Sendable {
        let file: URL
        /// The correct result for the property list, and for the archive: accept, reject, or either.
        let expectedList: String
        let expectedArchive: String
        /// The results of the entry points: “read”, or the kind of error.
        let verdicts: [String: String]
        let reason: String

        var testDescription: String { "\(file.lastPathComponent): \(reason)" }
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Archives/hostile")
    private static let doors = ["binary", "objects", "tree", "codable"]

    static let cases: [Case] = {
        let table = (try? String(contentsOf: folder.appending(path: "VERDICTS.tsv"), encoding: .utf8)) ?? ""
        return table.split(separator: "\n").dropFirst().map { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            return Case(
                file: folder.appending(path: cells[0]), expectedList: cells[1], expectedArchive: cells[2],
                verdicts: Dictionary(uniqueKeysWithValues: zip(doors, cells[3..<7])), reason: cells[7])
        }
    }()

    /// The class in the archives of an application's object. All its members are required.
    private final class Quiz: NSObject, NSSecureCoding, ArchiveNaming {
        static let archiveName = "QuizData"
        static var supportsSecureCoding: Bool { true }

        func encode(with coder: NSCoder) {}
        init?(coder: NSCoder) {
            guard coder.decodeString(forKey: "title") != nil, coder.decodeDate(forKey: "date") != nil,
                coder.decodeArray(of: Int.self, forKey: "answers") != nil, coder.containsValue(forKey: "score")
            else { return nil }
            _ = coder.decodeDouble(forKey: "score")
        }
    }

    /// Any value that an archive of plain values may contain.
    private indirect enum Anything: Decodable {
        case value
        case list([Anything])
        case table([String: Anything])

        init(from decoder: any Decoder) throws {
            if let key = NestedLists.countKey {
                (decoder.userInfo[key] as? NestedLists.Count)?.value.add(1, ordering: .relaxed)
            }
            if var list = try? decoder.unkeyedContainer() {
                var elements: [Anything] = []
                while !list.isAtEnd { elements.append(try list.decode(Anything.self)) }
                self = .list(elements)
            } else if let table = try? decoder.singleValueContainer().decode([String: Anything].self) {
                self = .table(table)
            } else {
                self = .value
            }
        }
    }

    /// Counts the created objects.
    private final class Counter: KeyedUnarchiverDelegate {
        private(set) var count = 0
        func unarchiver(_ unarchiver: KeyedUnarchiver, didDecode object: Any?) -> Any? {
            count += 1
            return object
        }
    }

    private func verdict(_ read: () throws -> Void) -> String {
        do {
            try read()
            return "read"
        } catch {
            return (error as? ArchiveError)?.code.rawValue ?? "\(type(of: error))"
        }
    }

    @Test("All archives are present")
    func complete() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter {
            $0.hasSuffix(".bin")
        }
        #expect(files.count >= 180)
        #expect(files.sorted() == Self.cases.map(\.file.lastPathComponent).sorted())
    }

    @Test("Each entry point returns the expected result", arguments: cases)
    func verdicts(_ archive: Case) throws {
        let data = try Data(contentsOf: archive.file)
        var said: [String: String] = [:]
        said["binary"] = verdict { _ = try PropertyListValue(binary: data) }
        said["tree"] = verdict { _ = try PropertyListValue(archive: data) }
        said["objects"] = verdict { try readObjects(data) }
        said["codable"] = verdict { try readValues(data) }
        #expect(said == archive.verdicts)
        if archive.expectedList != "either" {
            #expect((said["binary"] == "read") == (archive.expectedList == "accept"))
        }
        if archive.expectedArchive != "either" {
            #expect((said["objects"] == "read") == (archive.expectedArchive == "accept"))
        }
        if archive.expectedArchive == "reject" {
            #expect(said["tree"] != "read")
            #expect(said["codable"] != "read")
        }
    }

    /// Checks that no more objects are created than the archive has, and only ones that can be hashed, printed and
    /// compared.
    private func readObjects(_ data: Data) throws {
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        let counter = Counter()
        unarchiver.delegate = counter
        defer { #expect(counter.count <= data.count / 2) }
        let classes = ValueClass.allCases.map(\.foundationClass) + [NSNumber.self, Quiz.self]
        let object = unarchiver.decodeObject(of: classes, forKey: "root") as? NSObject
        if let error = unarchiver.error { throw error }
        // A missing root reads as nil.
        guard let object else { throw ArchiveError(.missingValue, "no root") }
        // None of these may crash. A number that is not a number does not equal itself, and an empty text prints nothing.
        _ = object.isEqual(object)
        #expect(!object.description.isEmpty || object is NSString)
        let (first, second) = (object.hash, object.hash)
        #expect(first == second)
    }

    /// Checks that no more values are created than the tree has elements, and a few shared ones.
    private func readValues(_ data: Data) throws {
        var decoder = KeyedArchiveDecoder()
        let count = NestedLists.Count()
        decoder.userInfo[try #require(NestedLists.countKey)] = count
        defer { #expect(count.value.load(ordering: .relaxed) <= 2 * 8192 + 5 * data.count) }
        _ = try decoder.decode(Anything.self, from: data)
    }
}
