import Foundation
import Testing

@testable import Cassettes

@Suite("The search for secrets")
struct SecretSearchTests {
    private static let search = SecretSearch(["Anna Karenina", "abc", "", "Käthe", "tolstoi"])

    private static func found(_ text: String) -> Set<Int> { search.secrets(in: Array(text.utf8)) }

    @Test("A secret is found as text, in hexadecimal digits and in base64, wherever it begins")
    func encodings() {
        #expect(Self.found("x Anna Karenina y") == [1])
        #expect(Self.found("4b c3 " + Data("Käthe".utf8).map { String(format: "%02x", $0) }.joined()) == [4])
        #expect(Self.found(Data("tolstoi".utf8).map { String(format: "%02X", $0) }.joined()) == [5])
        for shift in 0..<6 {
            let data = Data(repeating: 0xA5, count: shift) + Data("Anna Karenina".utf8) + Data([1, 2])
            #expect(Self.found(data.base64EncodedString()) == [1], "shift \(shift)")
        }
        #expect(Self.found("Anna Karenin") == [])
        #expect(Self.found("ann") == [])
    }

    @Test("Secrets that are too short are refused by their lines, and empty lines are none")
    func short() {
        #expect(Self.search.refused == [2])
        #expect(Self.search.count == 3)
    }

    @Test("Strings are searched without their escapes, and numbers outside of strings are not searched")
    func strings() {
        let line = Data(#"{"n":471147,"k":"K\u00e4the \"x\"","w":""}"#.utf8)
        let strings = SecretSearch.strings(line).map { String(decoding: $0, as: UTF8.self) }
        #expect(strings == ["n", "k", "Käthe \"x\"", "w", ""])
    }
}
