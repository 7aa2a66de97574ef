import Configuration
import Foundation
import Glibc
import LinkTransport
import Testing

@testable import ControlSocket

@Suite("Extent of a request")
struct RequestExtentTests {
    private static func check(_ text: String) throws(ControlError) { try RequestExtent.check(Data(text.utf8)) }

    private static func excess(_ bound: String) -> ControlError {
        ControlError(ControlError.invalidRequest, "a request may have at most \(bound)")
    }

    private static func many(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    private static let fine: [String] = [
        "", "\"", "\\", "\"\\", "\"\\\"", many("12,", 100), many("1 ", 100), many("[]", 100), many("{}", 100),
        many("[[[[[[[[]]]]]]]]", 10), "[[[[\"]]]]]]]]\"]]]]", many(#""[""#, 100), many(".", 64),
        "\"\(many("1", 100))\"", "\"\(many("[", 100))\"", "\"\\\"\(many("[", 100))\"",
        "\(many("9", 64))e\(many("9", 64))",
    ]

    private static let longNumbers: [String] = [
        many("1", 65), many(".", 65), "1.\(many("0", 63))", "1,\(many("1", 65))", "\"1\"\(many("1", 65))",
    ]

    private static let deep: [String] = [
        "[[[[[[[[[", "{{{{{{{{{", "[{[{[{[{[", "[[[[[[[[][[", "[[[[[[[[]][[[", "\"\"[[[[[[[[[", "\"\\\\\"[[[[[[[[[",
    ]

    @Test("What is short, flat and small may be repeated")
    func allowed() {
        for text in Self.fine { #expect(throws: Never.self, "\(text)") { try Self.check(text) } }
    }

    @Test("Digits and points count together, up to 64 for a number, and again for the next")
    func numbers() {
        for text in Self.longNumbers {
            #expect(throws: Self.excess("64 characters in a number"), "\(text)") { try Self.check(text) }
        }
    }

    @Test("Levels of objects and of lists count together, and end where they are closed")
    func levels() {
        for text in Self.deep {
            #expect(throws: Self.excess("8 levels of objects and lists"), "\(text)") { try Self.check(text) }
        }
    }

    @Test("Each comma, colon, object and list is a part, one more than there may be is refused")
    func parts() {
        let most = RequestExtent.maximumParts
        for part in [",", ":", "{}", "[]"] {
            #expect(throws: Never.self, "\(part)") { try Self.check(String(repeating: part, count: most - 1)) }
            #expect(throws: Self.excess("\(most) keys and values"), "\(part)") {
                try Self.check(String(repeating: part, count: most))
            }
        }
    }

    @Test("The group of the operators has access only if the process runs in it")
    func group() {
        let name = getgrgid(getegid()).map { String(cString: $0.pointee.gr_name) }
        let expected: AccessRule = name == OperatorGroup.name ? .group(getegid()) : .owner
        #expect(OperatorGroup.access == expected)
    }
}
