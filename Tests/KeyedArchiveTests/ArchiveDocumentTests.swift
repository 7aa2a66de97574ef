import Foundation
import Testing

@testable import KeyedArchive

/// Tests of the keys and classes of an archive that is read in place.
@Suite("Documents of archives")
struct ArchiveDocumentTests {
    /// Calls a closure with the document of an archive of some numbers under the keys “k0”, “k1”, …
    private func read(_ count: Int, _ body: (ArchiveDocument) throws -> Void) throws {
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        for number in 0..<count { archiver.encode(number, forKey: "k\(number)") }
        try read(archiver.encodedData, body)
    }

    private func read(_ data: Data, _ body: (ArchiveDocument) throws -> Void) throws {
        try data.withUnsafeBytes { (buffer: UnsafeRawBufferPointer) in
            // It keeps the tables of the keys.
            let budget = DecodingBudget(archiveBytes: buffer.count, limits: .standard)
            let document = try ArchiveDocument(buffer, limits: .standard, budget)
            try withExtendedLifetime(budget) { try body(document) }
        }
    }

    /// Returns the number under a key; nil if the key is missing.
    private func number(_ key: String, in document: ArchiveDocument, next: inout Int) throws -> Int64? {
        guard let place = try document.find(key, in: document.top, next: &next) else { return nil }
        guard case .integer(let number) = try document.list.object(at: place) else { return nil }
        return number
    }

    @Test("After a key was found, the next search begins at the one after it", arguments: [1, 5, 15, 16])
    func order(_ count: Int) throws {
        try read(count) { document in
            var next = 0
            for expected in 0..<count {
                let found = try number("k\(expected)", in: document, next: &next)
                #expect(found == Int64(expected))
                #expect(next == expected + 1)
            }
            for expected in (0..<count).reversed() {
                let found = try number("k\(expected)", in: document, next: &next)
                #expect(found == Int64(expected))
                #expect(next == expected + 1)
            }
        }
    }

    @Test("A key is found wherever the search begins, and a missing one leaves the beginning as it is")
    func everyStart() throws {
        try read(4) { document in
            for start in 0...4 {
                for expected in 0..<4 {
                    var next = start
                    let found = try number("k\(expected)", in: document, next: &next)
                    #expect(found == Int64(expected), "from \(start)")
                    #expect(next == expected + 1)
                }
                var next = start
                let missing = try number("k4", in: document, next: &next)
                #expect(missing == nil)
                #expect(next == start)
            }
        }
    }

    @Test("Sixteen keys are compared one by one, for seventeen there is a table", arguments: [(16, false), (17, true)])
    func tables(_ count: Int, _ expected: Bool) throws {
        try read(count) { document in
            let hasTable = document.top.index != nil
            #expect(hasTable == expected)
            for position in 0..<count {
                var next = 0
                let found = try number("k\(position)", in: document, next: &next)
                #expect(found == Int64(position))
            }
            var next = 0
            let missing = try number("k\(count)", in: document, next: &next)
            #expect(missing == nil)
        }
    }

    @Test("The last UID of an archive is read, the one after it is refused")
    func identifiers() throws {
        let data = try handmade([.string("a"), .string("b")])
        try read(data) { document in
            #expect(document.count == 3)
            let index = try document.index(of: 2, from: document.top)
            let last = try document.list.string(try document.list.object(at: index))
            #expect(last == "b")
            let offset = document.top.offset
            let error = #expect(throws: ArchiveError.self) { try document.index(of: 3, from: document.top) }
            #expect(error == ArchiveError(.corruptObject, "UID 3 of 3 objects", kind: "UID", offset: offset))
        }
    }

    @Test("The class of an object is found at every place among its keys", arguments: 0...4, 0...4)
    func classes(_ before: Int, _ after: Int) throws {
        // Keys are written in order: “!” comes before “$”, letters after it.
        var fields: [String: PropertyListValue] = ["$class": .uid(2)]
        for number in 0..<before { fields["!\(number)"] = .integer(Int64(number)) }
        for number in 0..<after { fields["a\(number)"] = .integer(Int64(100 + number)) }
        let unarchiver = try KeyedUnarchiver(forReadingFrom: handmade([.dictionary(fields), classObject("Theirs")]))
        unarchiver.decodesUnknownClasses = true
        let object = unarchiver.decodeObject(of: plainClasses, forKey: "root") as? ArchivedObject
        #expect(unarchiver.error == nil)
        #expect(object?.className == "Theirs")
        #expect(object?.values.count == before + after)
        for number in 0..<before {
            let value = object?.values["!\(number)"] as? Int
            #expect(value == number)
        }
        for number in 0..<after {
            let value = object?.values["a\(number)"] as? Int
            #expect(value == 100 + number)
        }
    }

    @Test("An object without a class is refused, whatever its number of keys", arguments: 0...3)
    func withoutClass(_ count: Int) throws {
        let fields = (0..<count).map { ("k\($0)", PropertyListValue.integer(Int64($0))) }
        let data = try handmade([.dictionary(Dictionary(uniqueKeysWithValues: fields))])
        let error = #expect(throws: ArchiveError.self) {
            try KeyedUnarchiver.unarchivedObject(ofClass: Course.self, from: data)
        }
        #expect(error?.code == .corruptObject)
        #expect(error?.detail == "an object without a class")
    }

    // MARK: - Delegates

    private final class Silent: KeyedUnarchiverDelegate {}

    @Test("A reader knows whether there is a delegate, from the beginning and after each change")
    func delegate() throws {
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archived("text"))
        let delegate = Silent()
        #expect(!unarchiver.decoder.hasDelegate)
        #expect(!unarchiver.decodesUnknownClasses)
        unarchiver.delegate = delegate
        #expect(unarchiver.decoder.hasDelegate)
        let isKept = unarchiver.delegate === delegate
        #expect(isKept)
        unarchiver.delegate = nil
        #expect(!unarchiver.decoder.hasDelegate)
    }
}
