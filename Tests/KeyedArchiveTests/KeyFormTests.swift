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

    @Test("A key of an object that is no text, or no valid one, is refused as such")
    func noTexts() {
        func refusal(_ key: String) -> ArchiveError.Code? {
            let data = PropertyListTests.file(objects: ["d1 01 01", key])
            return code { try KeyedUnarchiver.unarchivedObject(ofClass: NSString.self, from: data) }
        }
        for key in ["10 05", "09", "80 01", "41 61", "a0", "d0"] {
            let came = refusal(key)
            #expect(came == .typeMismatch, "\(key)")
        }
        for key in ["51 ff", "52 61ff", "5e 6161616161616161616161616180", "5f100f 616161616161616161616161616180"] {
            let came = refusal(key)
            #expect(came == .corruptObject, "\(key)")
        }
        let text = refusal("51 61")
        #expect(text == .notKeyedArchive)
    }

    @Test("A letter beyond ASCII is one key in UTF-8 and in UTF-16")
    func encodings() {
        let (narrow, wide) = ("52 c3a9", "61 00e9")
        for (first, second) in [(narrow, wide), (wide, narrow), (narrow, narrow), (wide, wide)] {
            let came = refusal(first, second)
            #expect(came == .duplicateKey, "\(first) and \(second)")
        }
        let different = refusal(narrow, "61 00e8")
        #expect(different == .notKeyedArchive)
    }
}
