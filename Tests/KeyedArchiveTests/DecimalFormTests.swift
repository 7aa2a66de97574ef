import Foundation
import Testing

@testable import KeyedArchive

@Suite("Forms of numbers and geometry")
struct DecimalFormTests {
    @Test("Not a number has one form, whatever else its words say")
    func notANumber() throws {
        let zeros = PropertyListValue.array(Array(repeating: .integer(0), count: 8))
        for exponent: Int64 in [0, 5, -7] {
            // Words from elsewhere may have an exponent.
            let decimal = try KeyedArchiveDecoder().decode(
                Decimal.self,
                from: .dictionary([
                    "exponent": .integer(exponent), "length": .integer(0), "isNegative": .boolean(true),
                    "isCompact": .boolean(true), "mantissa": zeros,
                ]))
            #expect(decimal.isNaN)
            let form = DecimalForm(decimal)
            #expect(form.isNegative)
            #expect(form.mantissa == 0)
            #expect(form.exponent == 0)
            let isNaN = form.decimal?.isNaN
            #expect(isNaN == true)
            #expect(form.double.isNaN)
        }
        let zero = DecimalForm(Decimal(0))
        #expect(!zero.isNegative)
        #expect(zero.decimal == Decimal(0))
    }

    @Test("The words of a number are read in either order, as many as announced", arguments: 0...8)
    func words(_ length: Int) {
        let bytes: [UInt8] = Array(1...16)
        func mantissa(_ byteOrder: DecimalForm.ByteOrder) -> UInt128? {
            bytes.withUnsafeBytes { words in
                DecimalForm(isNegative: false, exponent: 0, words: words, length: Int64(length), byteOrder: byteOrder)?
                    .mantissa
            }
        }
        // The least significant word comes first.
        let little = bytes.prefix(2 * length).reversed().reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        let littleEndian = mantissa(.littleEndian)
        #expect(littleEndian == little)
        let words = (0..<length).map { UInt128(bytes[2 * $0]) << 8 | UInt128(bytes[2 * $0 + 1]) }
        let big = words.reversed().reduce(UInt128(0)) { $0 << 16 | $1 }
        let bigEndian = mantissa(.bigEndian)
        #expect(bigEndian == big)
    }

    static let lengths: [(String, UInt64, Int64)] = [
        ("1", 1, 1), ("65535", 65_535, 1), ("65536", 65_536, 2), ("4294967295", 4_294_967_295, 2),
        ("4294967296", 4_294_967_296, 3), ("18446744073709551615", .max, 4),
    ]

    @Test("A number is written with as many words as it needs", arguments: lengths)
    func written(_ text: String, _ mantissa: UInt64, _ length: Int64) throws {
        let decimal = try #require(Decimal(string: "-" + text))
        let tree = try PropertyListValue(binary: archived(NSDecimalNumber(decimal: decimal)))
        guard case .array(let objects) = tree["$objects"] else {
            Issue.record("expected a list of objects, came \(tree)")
            return
        }
        let bytes = withUnsafeBytes(of: mantissa.littleEndian) { Data($0) } + Data(count: 8)
        #expect(objects[1]["NS.mantissa"] == .data(bytes))
        #expect(objects[1]["NS.length"] == .integer(length))
        #expect(objects[1]["NS.exponent"] == .integer(0))
        #expect(objects[1]["NS.mantissa.bo"] == .integer(1))
        #expect(objects[1]["NS.negative"] == .boolean(true))
        #expect(objects[1]["NS.compact"] == .boolean(true))
    }

    @Test("A text with more or fewer numbers than its kind needs, or with one that is not finite, is no geometry")
    func geometry() {
        let rectangle = GeometricForm(.rectangle, text: "{{1, 2}, {3, 4}}")
        #expect(rectangle == .rectangle(NSRect(x: 1, y: 2, width: 3, height: 4)))
        let size = GeometricForm(.size, text: "{1.5, -2}")
        #expect(size == .size(NSSize(width: 1.5, height: -2)))
        for kind in [GeometricForm.Kind.point, .size] {
            for text in ["", "{1}", "{1, 2, 3}", "{{1, 2}, {3, 4}}", "{1, inf}", "{nan, 1}", "{1, two}"] {
                let form = GeometricForm(kind, text: text)
                #expect(form == nil, "\(kind) “\(text)”")
            }
        }
        for text in ["{1, 2}", "{{1, 2}, {3}}", "{{1, 2}, {3, 4}, {5}}", "{{1, 2}, {3, inf}}"] {
            let form = GeometricForm(.rectangle, text: text)
            #expect(form == nil, "“\(text)”")
        }
        let range = GeometricForm(.range, text: "{1, 2}")
        #expect(range == nil)
    }
}
