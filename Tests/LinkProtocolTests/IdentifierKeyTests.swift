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

    @Test("A set of keys holds what a set of identifiers holds, and says what each change did")
    func set() {
        var random = SeededGenerator(seed: 8)
        var (set, expected): (Set<IdentifierKey>, Set<UUID>) = ([], [])
        for step in 0..<2_000 {
            let identifier = Self.identifier(UInt64(random.unit() * 5), UInt64(random.unit() * 20))
            #expect(set.contains(identifier) == expected.contains(identifier), "before step \(step)")
            if random.happens(0.5) {
                #expect(set.insert(identifier) == expected.insert(identifier).inserted, "at step \(step)")
            } else {
                #expect(set.remove(identifier) == (expected.remove(identifier) != nil), "at step \(step)")
            }
        }
        #expect(Set(set.map(\.identifier)) == expected)
    }

    /// Secrets of the generator, and those that end in 0 to 60 zeros: a process cannot choose its own.
    private static let secrets: [(UInt64, UInt64)] = {
        var random = SeededGenerator(seed: 11)
        let secrets = (0..<100).map { _ in (random.next(), random.next()) }
        return secrets + (0...60).map { (random.next() | 1, (random.next() | 1) << UInt64($0)) }
    }()

    @Test("Identifiers that count up in one half are spread over a table, whatever the secret of the process")
    func spread() {
        let count = 2_000
        let rising: [(String, (UInt64) -> UUID)] = [
            ("low", { Self.identifier(7, $0) }), ("high", { Self.identifier($0, 7) }),
            ("both", { Self.identifier($0, $0) }), ("swapped", { Self.identifier($0.byteSwapped, 7) }),
        ]
        for (half, make) in rising {
            let keys = (0..<UInt64(count)).map { IdentifierKey(make($0)) }
            for (first, second) in Self.secrets {
                let buckets = Set(keys.map { $0.hash(first: first, second: second) & 0x3FFF })
                // By chance, 1,882 of 16,384 buckets.
                #expect(
                    buckets.count > 1_750,
                    "\(half): \(buckets.count) buckets for \(count) identifiers; secret \(first), \(second)")
            }
        }
    }

    @Test("The hash of a table is made with the secret of the process and the seed of the table")
    func secret() {
        let key = IdentifierKey(Self.identifier(1, 2))
        let (first, second) = IdentifierKey.secret
        #expect(key._rawHashValue(seed: 0) == key.hash(first: first, second: second))
        #expect(key._rawHashValue(seed: 5) == key.hash(first: first, second: second ^ 5))
    }
}
