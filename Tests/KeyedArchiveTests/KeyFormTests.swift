import Foundation
import Testing

@testable import KeyedArchive

/// Tests of keys that are stored in different forms: with a short or a long count, as ASCII or as UTF-16.
@Suite("Forms of keys")
struct KeyFormTests {
    /// Returns the forms of a text of the letter a that ends with another letter.
    private func forms(_ count: Int, last: String) -> [String] {
        let letters = Array(repeating: "61", count: count - 1) + [last]
        let digits = String(format: "%02x", count)
        let short = count < 15 ? ["5" + String(count, radix: 16) + letters.joined()] : []
        return short + [
            "5f10" + digits + letters.joined(), "5f1100" + digits + letters.joined(),
            "6f10" + digits + letters.map { "00" + $0 }.joined(),
        ]
    }

    /// Returns the refusal of an archive whose root has two keys.
    private func refusal(_ first: String, _ second: String) -> ArchiveError.Code? {
        let data = PropertyListTests.file(objects: ["d2 0102 0102", first, second])
        return code { try KeyedUnarchiver.unarchivedObject(ofClass: NSString.self, from: data) }
    }

    @Test("A key in two forms is a duplicate, whichever form comes first", arguments: [1, 13, 14, 15, 16, 63, 64, 65])
    func duplicates(_ count: Int) {
        let forms = forms(count, last: "61")
        for first in forms {
            for second in forms {
                let came = refusal(first, second)
                #expect(came == .duplicateKey, "\(first.prefix(6)) and \(second.prefix(6))")
            }
        }
    }

    @Test("Two keys that differ in the last letter are different in all forms", arguments: [1, 13, 14, 15, 16, 64, 65])
    func different(_ count: Int) {
        for first in forms(count, last: "61") {
            for second in forms(count, last: "62") {
                let came = refusal(first, second)
                #expect(came == .notKeyedArchive, "\(first.prefix(6)) and \(second.prefix(6))")
            }
        }
    }

    @Test("A key and its beginning are different in all forms", arguments: [2, 14, 15, 16, 65])
    func beginnings(_ count: Int) {
        for first in forms(count, last: "61") {
            for second in forms(count - 1, last: "61") {
                #expect(refusal(first, second) == .notKeyedArchive)
                #expect(refusal(second, first) == .notKeyedArchive)
            }
        }
    }
}
