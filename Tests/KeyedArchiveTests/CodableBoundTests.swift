import Foundation
import Testing

@testable import KeyedArchive

/// Tests of `Codable` values that meet each bound exactly, and exceed it by one.
@Suite("Bounds of Codable values")
struct CodableBoundTests {
    private func refusal(_ body: () throws -> Void) -> ArchiveError? {
        do {
            try body()
            return nil
        } catch {
            return error as? ArchiveError ?? ArchiveError(.unsupportedValue, "\(error)")
        }
    }

    @Test("Values nested exactly to the limit are encoded and decoded, one level more is refused with its path")
    func depth() {
        // The outermost list has depth 0, and numbers need no level of their own.
        let value = [[[1, 2]], [[3]]]
        let tree = PropertyListValue.array([
            .array([.array([.integer(1), .integer(2)])]), .array([.array([.integer(3)])]),
        ])
        for (depth, isDeepEnough) in [(2, true), (1, false)] {
            var (encoder, decoder) = (KeyedArchiveEncoder(), KeyedArchiveDecoder())
            encoder.limits.depth = depth
            decoder.limits.depth = depth
            let (writer, reader) = (encoder, decoder)
            let encoded = refusal {
                let encoded = try writer.encodeValue(value)
                #expect(encoded == tree)
            }
            let decoded = refusal {
                let decoded = try reader.decode([[[Int]]].self, from: tree)
                #expect(decoded == value)
            }
            let tooDeep = ArchiveError(.limitExceeded, "nested deeper than 1", keyPath: "Index 0")
            let expected: ArchiveError? = isDeepEnough ? nil : tooDeep
            #expect(encoded == expected)
            #expect(decoded == expected)
        }
    }

    @Test("A collection is visited again for at most 8,192 elements, and for four more for each new element")
    func visits() {
        let context = DecodingContext(userInfo: [:], readsNullTexts: false)
        let (empty, ten) = (NSObject(), NSObject())
        func isRefused(_ storage: NSObject?, _ count: Int) -> Bool {
            refusal { try context.visit(storage, count: count) }?.code == .limitExceeded
        }
        #expect(!isRefused(empty, 0))
        #expect(!isRefused(empty, 8192))
        #expect(isRefused(empty, 1))
        #expect(!isRefused(empty, 0))
        #expect(!isRefused(ten, 10))
        #expect(!isRefused(ten, 40))
        #expect(isRefused(ten, 1))
        // Without storage nothing is shared.
        #expect(!isRefused(nil, 100_000))
    }

    @Test("After one visit too many the allowance stays spent")
    func spent() {
        let context = DecodingContext(userInfo: [:], readsNullTexts: false)
        let storage = NSObject()
        func isRefused(_ count: Int) -> Bool {
            refusal { try context.visit(storage, count: count) }?.code == .limitExceeded
        }
        #expect(!isRefused(0))
        #expect(!isRefused(5000))
        #expect(isRefused(3193))
        #expect(isRefused(1))
    }

    @Test("A number that is not finite is decoded as such, and no finite one becomes so")
    func notFinite() throws {
        let decoder = KeyedArchiveDecoder()
        let infinity = try decoder.decode(Float.self, from: .real(.infinity))
        #expect(infinity == .infinity)
        let minusInfinity = try decoder.decode(Float.self, from: .float(-.infinity))
        #expect(minusInfinity == -.infinity)
        let largest = try decoder.decode(Float.self, from: .real(Double(Float.greatestFiniteMagnitude)))
        #expect(largest == .greatestFiniteMagnitude)
        let nan = try decoder.decode(Float.self, from: .real(.nan))
        #expect(nan.isNaN)
        #expect(throws: DecodingError.self) { try decoder.decode(Float.self, from: .real(1e39)) }
    }

    @Test("Integers are decoded from every kind of number that is exactly one, to the bounds of their type")
    func integers() throws {
        let decoder = KeyedArchiveDecoder()
        let values: [PropertyListValue] = [.integer(255), .unsigned(255), .real(255), .float(255), .integer(0)]
        let numbers = try values.map { try decoder.decode(UInt8.self, from: $0) }
        #expect(numbers == [255, 255, 255, 255, 0])
        for value: PropertyListValue in [
            .integer(256), .unsigned(256), .real(256), .float(256), .integer(-1), .real(-1), .real(0.5), .float(0.5),
            .boolean(true), .string("1"), .null,
        ] {
            #expect(throws: DecodingError.self, "\(value)") { try decoder.decode(UInt8.self, from: value) }
        }
        let largest = try decoder.decode(UInt64.self, from: .unsigned(.max))
        #expect(largest == .max)
        let smallest = try decoder.decode(Int64.self, from: .integer(.min))
        #expect(smallest == .min)
        #expect(throws: DecodingError.self) { try decoder.decode(Int64.self, from: .unsigned(1 << 63)) }
    }

    @Test("Each kind of number is read as an element of every type that can hold it, and as no other")
    func elements() throws {
        let decoder = KeyedArchiveDecoder()
        let integers = try decoder.decode([Int].self, from: .array([.integer(3), .real(4), .float(5), .unsigned(6)]))
        #expect(integers == [3, 4, 5, 6])
        let narrow = try decoder.decode([UInt8].self, from: .array([.integer(3), .real(4)]))
        #expect(narrow == [3, 4])
        let doubles = try decoder.decode([Double].self, from: .array([.real(0.5), .integer(3), .float(0.25)]))
        #expect(doubles == [0.5, 3, 0.25])
        let floats = try decoder.decode([Float].self, from: .array([.real(0.5), .integer(3), .float(0.25)]))
        #expect(floats == [0.5, 3, 0.25])
        let flags = try decoder.decode([Bool].self, from: .array([.boolean(true), .boolean(false)]))
        #expect(flags == [true, false])
        let texts = try decoder.decode([String].self, from: .array([.string("a")]))
        #expect(texts == ["a"])
        for value: PropertyListValue in [.boolean(true), .string("1"), .real(0.5)] {
            #expect(throws: DecodingError.self, "\(value)") { try decoder.decode([Int].self, from: .array([value])) }
        }
        for value: PropertyListValue in [.integer(1), .real(1), .string("true")] {
            #expect(throws: DecodingError.self, "\(value)") { try decoder.decode([Bool].self, from: .array([value])) }
        }
        for value: PropertyListValue in [.integer(1), .real(1), .boolean(true)] {
            #expect(throws: DecodingError.self, "\(value)") { try decoder.decode([String].self, from: .array([value])) }
        }
        for value: PropertyListValue in [.boolean(true), .string("1")] {
            #expect(throws: DecodingError.self, "\(value)") { try decoder.decode([Double].self, from: .array([value])) }
        }
    }
}
