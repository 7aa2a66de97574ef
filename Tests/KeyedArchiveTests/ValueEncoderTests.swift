import Foundation
import Testing

@testable import KeyedArchive

/// Tests of the tree that a value is encoded as, and of its errors.
@Suite("Encoding a tree")
struct ValueEncoderTests {
    private struct Nothing: Encodable {
        func encode(to encoder: any Encoder) {}
    }

    /// Returns the path of a value that is refused; nil if none is.
    private func refusedPath(_ value: some Encodable) -> [String]? {
        do {
            _ = try KeyedArchiveEncoder().encodeValue(value)
            return nil
        } catch EncodingError.invalidValue(_, let context) {
            return context.codingPath.map(\.stringValue)
        } catch {
            return ["another error"]
        }
    }

    @Test("A date that is not finite is refused with its path, a finite one is encoded")
    func dates() {
        let finite = Date(timeIntervalSinceReferenceDate: 5)
        let infinite = Date(timeIntervalSinceReferenceDate: .infinity)
        let none = refusedPath([finite, finite])
        #expect(none == nil)
        let top = refusedPath(infinite)
        #expect(top == [])
        let element = refusedPath([finite, infinite])
        #expect(element == ["Index 1"])
        let nested = refusedPath(["k": [infinite]])
        #expect(nested == ["k", "Index 0"])
    }

    @Test("A value that encodes nothing is refused with its path")
    func nothing() {
        let top = refusedPath(Nothing())
        #expect(top == [])
        let nested = refusedPath(["k": [Nothing()]])
        #expect(nested == ["k", "Index 0"])
    }

    @Test("Each scalar keeps its kind, at the top and within a list")
    func scalars() throws {
        let encoder = KeyedArchiveEncoder()
        func check(_ value: some Encodable, _ expected: PropertyListValue) throws {
            let top = try encoder.encodeValue(value)
            #expect(top == expected)
            let element = try encoder.encodeValue([value])
            #expect(element == .array([expected]))
        }
        try check(5, .integer(5))
        try check(Int8.min, .integer(-128))
        try check(UInt8.max, .integer(255))
        try check(UInt64(Int64.max), .integer(.max))
        try check(UInt64(Int64.max) + 1, .unsigned(1 << 63))
        try check(UInt64.max, .unsigned(.max))
        try check(true, .boolean(true))
        try check(false, .boolean(false))
        try check(1.0, .real(1))
        try check(Float(1), .float(1))
        try check("1", .string("1"))
        try check(Data([1]), .data(Data([1])))
        try check(Date(timeIntervalSinceReferenceDate: 1), .date(1))
        try check(Int?.none, .null)
    }

    /// A value with nil under a key, in a list and in place of itself.
    private struct Nils: Encodable {
        let isKeyed: Bool
        func encode(to encoder: any Encoder) throws {
            if isKeyed {
                var container = encoder.container(keyedBy: IndexKey.self)
                try container.encodeNil(forKey: IndexKey(stringValue: "a"))
                try container.encode(5, forKey: IndexKey(stringValue: "b"))
            } else {
                var container = encoder.unkeyedContainer()
                try container.encodeNil()
                try container.encode(5)
                try container.encodeNil()
            }
        }
    }

    @Test("Nil that is encoded under a key or in a list is null")
    func nils() throws {
        let encoder = KeyedArchiveEncoder()
        let keyed = try encoder.encodeValue(Nils(isKeyed: true))
        #expect(keyed == .dictionary(["a": .null, "b": .integer(5)]))
        let unkeyed = try encoder.encodeValue(Nils(isKeyed: false))
        #expect(unkeyed == .array([.null, .integer(5), .null]))
    }
}
