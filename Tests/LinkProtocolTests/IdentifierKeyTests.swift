import Foundation
import Testing

@testable import LinkProtocol

@Suite("Identifiers as keys of tables")
struct IdentifierKeyTests {
    private static func identifier(_ high: UInt64, _ low: UInt64) -> UUID {
        UUID(uuid: withUnsafeBytes(of: (high, low)) { $0.loadUnaligned(as: uuid_t.self) })
    }

    @Test("A key gives its identifier back, and equals only keys of the same identifier")
    func sameIdentifier() {
        let identifiers = [
            Self.identifier(0, 0), Self.identifier(.max, .max), Self.identifier(0, 1), Self.identifier(1, 0),
            Self.identifier(1, 1), UUID(),
        ]
        for (place, one) in identifiers.enumerated() {
            #expect(IdentifierKey(one).identifier == one)
            for (other, another) in identifiers.enumerated() {
                #expect((IdentifierKey(one) == IdentifierKey(another)) == (place == other), "\(one) and \(another)")
            }
        }
    }

    @Test("A table of keys holds what a table of identifiers holds, whatever is changed in which order")
    func table() {
        var random = SeededGenerator(seed: 7)
        let identifiers = (0..<300).map { Self.identifier(UInt64($0 % 20), UInt64($0)) }
        var (table, expected): ([IdentifierKey: Int], [UUID: Int]) = ([:], [:])
        for number in 0..<20_000 {
            let identifier = identifiers[Int(random.unit() * 300)]
            switch Int(random.unit() * 5) {
            case 0: (table[identifier], expected[identifier]) = (number, number)
            case 1: (table[identifier], expected[identifier]) = (nil, nil)
            case 2: #expect(table.removeValue(forKey: identifier) == expected.removeValue(forKey: identifier))
            case 3:
                let former = table.updateValue(number, forKey: identifier)
                #expect(former == expected.updateValue(number, forKey: identifier))
            default:
                expected[identifier]? += 1
                let changed = table.change(identifier) { value -> Int in
                    value += 1
                    return value
                }
                #expect(changed == expected[identifier], "after step \(number)")
            }
            #expect(table[identifier] == expected[identifier], "after step \(number)")
        }
        let held = Dictionary(uniqueKeysWithValues: table.map { ($0.key.identifier, $0.value) })
        #expect(held == expected)
    }

    @Test("Identifiers that count up in one half are spread over a table")
    func spread() {
        let count = 10_000
        let rising: [(String, (UInt64) -> UUID)] = [
            ("low", { Self.identifier(7, $0) }), ("high", { Self.identifier($0, 7) }),
            ("both", { Self.identifier($0, $0) }), ("swapped", { Self.identifier($0.byteSwapped, 7) }),
        ]
        for (half, make) in rising {
            let buckets = Set((0..<UInt64(count)).map { IdentifierKey(make($0))._rawHashValue(seed: 1) & 0xFFFF })
            // By chance, 9,273 of 65,536 buckets.
            #expect(buckets.count > 6_000, "\(half): \(buckets.count) buckets for \(count) identifiers")
        }
    }
}
