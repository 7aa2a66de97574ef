import Testing

@testable import KeyedArchive

/// Tests of what decoding a tree costs, and of its errors.
@Suite("Decoding a tree")
struct ValueDecoderTests {
    private static let tooOften = ArchiveError(.limitExceeded, "shared collections are decoded too often")

    private func decoder(_ tree: PropertyListValue) -> ValueDecoder {
        ValueDecoder(tree, CodingPath(limit: 8), DecodingContext(userInfo: [:], readsNullTexts: false))
    }

    /// Returns the number of visits of a container before one is refused, at most 2,000; and the refusal.
    private func visits(_ visit: () throws -> Void) -> (count: Int, refusal: ArchiveError?) {
        for count in 0..<2000 {
            do {
                try visit()
            } catch {
                return (count, error as? ArchiveError)
            }
        }
        return (2000, nil)
    }

    @Test("A dictionary of ten entries is visited 824 times, and then refused")
    func dictionaries() {
        // The first visit adds 40 to the allowance of 8,192; each other one takes ten.
        let numbers = (0..<10).map { ("k\($0)", PropertyListValue.integer(Int64($0))) }
        let entries = Dictionary(uniqueKeysWithValues: numbers)
        let decoder = decoder(.dictionary(entries))
        let came = visits { _ = try decoder.container(keyedBy: IndexKey.self) }
        #expect(came.count == 824)
        #expect(came.refusal == Self.tooOften)
        // The allowance stays spent.
        let again = visits { _ = try decoder.container(keyedBy: IndexKey.self) }
        #expect(again.count == 0)
        #expect(again.refusal == Self.tooOften)
    }

    @Test("An array or set of ten elements is visited 824 times, and then refused", arguments: [true, false])
    func arrays(_ isSet: Bool) {
        let elements = (0..<10).map { PropertyListValue.integer(Int64($0)) }
        let decoder = decoder(isSet ? .set(elements) : .array(elements))
        let came = visits { _ = try decoder.unkeyedContainer() }
        #expect(came.count == 824)
        #expect(came.refusal == Self.tooOften)
    }

    @Test("Empty collections are visited as often as requested")
    func empty() {
        let dictionary = decoder(.dictionary([:]))
        let keyed = visits { _ = try dictionary.container(keyedBy: IndexKey.self) }
        #expect(keyed.count == 2000)
        let array = decoder(.array([]))
        let unkeyed = visits { _ = try array.unkeyedContainer() }
        #expect(unkeyed.count == 2000)
    }

    /// A value that reads all of its dictionary's entries.
    private struct Node: Decodable {
        let entries: [Node]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: IndexKey.self)
            entries = try container.allKeys.map { try container.decode(Node.self, forKey: $0) }
        }
    }

    @Test("Nested dictionaries that contain the next one twice are refused when they expand to too much")
    func amplification() throws {
        // Sixteen levels are enough to exceed the allowance, and end soon without a limit.
        func tree(_ levels: Int) -> PropertyListValue {
            var tree = PropertyListValue.dictionary([:])
            for _ in 0..<levels { tree = .dictionary(["a": tree, "b": tree]) }
            return tree
        }
        let few = try KeyedArchiveDecoder().decode(Node.self, from: tree(10))
        #expect(few.entries.count == 2)
        let error = #expect(throws: ArchiveError.self) {
            try KeyedArchiveDecoder().decode(Node.self, from: tree(16))
        }
        #expect(error == Self.tooOften)
    }

    // MARK: - Errors

    /// Returns the kind of a decoding error, its path and its text; nil for another error or none.
    private func refusal(_ body: () throws -> Void) -> [String]? {
        do {
            try body()
            return nil
        } catch DecodingError.typeMismatch(_, let context) {
            return ["mismatch", context.codingPath.map(\.stringValue).joined(separator: "."), context.debugDescription]
        } catch DecodingError.valueNotFound(_, let context) {
            return [
                "not found", context.codingPath.map(\.stringValue).joined(separator: "."), context.debugDescription,
            ]
        } catch DecodingError.keyNotFound(let key, let context) {
            return ["no key", key.stringValue, context.debugDescription]
        } catch {
            return nil
        }
    }

    /// Returns the kind of a decoding error and its path; nil for another error or none.
    private func place(_ body: () throws -> Void) -> [String]? { refusal(body).map { Array($0.prefix(2)) } }

    @Test("Null in place of a value is a missing value, every other kind is a mismatch")
    func kinds() {
        let decoder = KeyedArchiveDecoder()
        let null = place { _ = try decoder.decode([Int].self, from: .array([.integer(1), .null])) }
        #expect(null == ["not found", "Index 1"])
        let text = place { _ = try decoder.decode([Int].self, from: .array([.integer(1), .string("x")])) }
        #expect(text == ["mismatch", "Index 1"])
        let nullAtTop = place { _ = try decoder.decode(String.self, from: .null) }
        #expect(nullAtTop == ["not found", ""])
        let flagAtTop = place { _ = try decoder.decode(String.self, from: .boolean(true)) }
        #expect(flagAtTop == ["mismatch", ""])
    }

    @Test("Only a dictionary is a keyed container, only an array or a set is an unkeyed one")
    func containers() {
        let scalars: [PropertyListValue] = [
            .boolean(true), .integer(1), .unsigned(.max), .float(1), .real(1), .date(1), .string("x"), .uid(1),
        ]
        for value in scalars + [.array([]), .set([]), .null] {
            let came = refusal { _ = try decoder(value).container(keyedBy: IndexKey.self) }
            let expected = value == .null ? "not found" : "mismatch"
            #expect(came?.first == expected, "\(value)")
        }
        for value in scalars + [.dictionary([:]), .null] {
            let came = refusal { _ = try decoder(value).unkeyedContainer() }
            let expected = value == .null ? "not found" : "mismatch"
            #expect(came?.first == expected, "\(value)")
        }
    }

    @Test("An element beyond the last one is missing, and is named")
    func beyond() throws {
        var container = try decoder(.array([.integer(1)])).unkeyedContainer()
        #expect(!container.isAtEnd)
        let first = try container.decode(Int.self)
        #expect(first == 1)
        #expect(container.isAtEnd)
        let second = refusal { _ = try container.decode(Int.self) }
        #expect(second == ["not found", "Index 1", "only 1 elements"])
        let none = refusal { _ = try container.decodeNil() }
        #expect(none == ["not found", "Index 1", "only 1 elements"])
        #expect(container.currentIndex == 1)
    }

    @Test("An element that is not nil, or of another type, is read again by the next request")
    func again() throws {
        var container = try decoder(.array([.integer(7), .null, .string("x")])).unkeyedContainer()
        let isNil = try container.decodeNil()
        #expect(!isNil)
        #expect(container.currentIndex == 0)
        let mismatch = refusal { _ = try container.decode(String.self) }
        #expect(mismatch?.first == "mismatch")
        #expect(container.currentIndex == 0)
        let number = try container.decode(Int.self)
        #expect(number == 7)
        let isNextNil = try container.decodeNil()
        #expect(isNextNil)
        #expect(container.currentIndex == 2)
        let text = try container.decode(String.self)
        #expect(text == "x")
        #expect(container.currentIndex == 3)
    }

    @Test("Containers and decoders of elements take one element each, and none when they are refused")
    func nested() throws {
        var container = try decoder(.array([.dictionary([:]), .array([]), .integer(5)])).unkeyedContainer()
        let noArray = place { _ = try container.nestedUnkeyedContainer() }
        #expect(noArray == ["mismatch", "Index 0"])
        #expect(container.currentIndex == 0)
        _ = try container.nestedContainer(keyedBy: IndexKey.self)
        #expect(container.currentIndex == 1)
        let noDictionary = place { _ = try container.nestedContainer(keyedBy: IndexKey.self) }
        #expect(noDictionary == ["mismatch", "Index 1"])
        #expect(container.currentIndex == 1)
        _ = try container.nestedUnkeyedContainer()
        #expect(container.currentIndex == 2)
        let last = try container.superDecoder()
        #expect(container.currentIndex == 3)
        let number = try Int(from: last)
        #expect(number == 5)
        let path = last.codingPath.map(\.stringValue)
        #expect(path == ["Index 2"])
    }

    @Test("A key is contained if it has a value, even nil, and a missing one is named")
    func keys() throws {
        let container = try decoder(.dictionary(["a": .null, "b": .integer(2)])).container(keyedBy: IndexKey.self)
        #expect(container.contains(IndexKey(stringValue: "a")))
        #expect(container.contains(IndexKey(stringValue: "b")))
        #expect(!container.contains(IndexKey(stringValue: "c")))
        let names = container.allKeys.map(\.stringValue)
        #expect(names == ["a", "b"])
        let isNil = try container.decodeNil(forKey: IndexKey(stringValue: "a"))
        #expect(isNil)
        let isOtherNil = try container.decodeNil(forKey: IndexKey(stringValue: "b"))
        #expect(!isOtherNil)
        let missing = refusal { _ = try container.decode(Int.self, forKey: IndexKey(stringValue: "c")) }
        #expect(missing == ["no key", "c", "no “c”"])
    }
}
