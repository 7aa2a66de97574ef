import Foundation
import Testing

@testable import KeyedArchive

/// Tests of trees in memory: their comparison, and their conversion from and to objects.
@Suite("Trees of values")
struct TreeTests {
    // MARK: - Comparison

    @Test("Collections that differ in their number of elements are different, whichever comes first")
    func counts() {
        let pairs: [(PropertyListValue, PropertyListValue)] = [
            (.array([.integer(1)]), .array([.integer(1), .integer(2)])), (.array([]), .array([.integer(1)])),
            (.set([.integer(1)]), .set([.integer(1), .integer(2)])),
            (.dictionary(["a": .integer(1)]), .dictionary(["a": .integer(1), "b": .integer(2)])),
            (.dictionary([:]), .dictionary(["a": .integer(1)])),
        ]
        for (shorter, longer) in pairs {
            let isEqual = shorter == longer
            #expect(!isEqual, "\(shorter)")
            let isEqualBackwards = longer == shorter
            #expect(!isEqualBackwards, "\(shorter)")
        }
    }

    @Test("Collections that differ in one element, value or key are different")
    func elements() {
        let pairs: [(PropertyListValue, PropertyListValue)] = [
            (.array([.integer(1), .integer(2)]), .array([.integer(1), .integer(3)])),
            (.set([.integer(1), .integer(2)]), .set([.integer(2), .integer(1)])),
            (.dictionary(["a": .integer(1)]), .dictionary(["a": .integer(2)])),
            (.dictionary(["a": .integer(1)]), .dictionary(["b": .integer(1)])),
            (.dictionary(["a": .dictionary(["b": .null])]), .dictionary(["a": .dictionary(["b": .integer(0)])])),
            (.array([.array([.null])]), .array([.array([.array([])])])),
        ]
        for (first, second) in pairs {
            let isEqual = first == second
            #expect(!isEqual, "\(first)")
        }
    }

    @Test("Every kind of value equals itself and no value of another kind")
    func kinds() {
        let values: [PropertyListValue] = [
            .null, .boolean(true), .integer(1), .unsigned(1), .float(1), .real(1), .date(1), .data(Data([1])),
            .string("1"), .uid(1), .array([]), .set([]), .dictionary([:]), .array([.null]), .set([.null]),
            .dictionary(["1": .null]),
        ]
        for (position, value) in values.enumerated() {
            let equal = values.indices.filter { values[$0] == value }
            #expect(equal == [position])
        }
    }

    @Test("Shared dictionaries equal separate ones with the same entries, however often they are contained")
    func sharedDictionaries() {
        let shared = PropertyListValue.dictionary(["k": .integer(1)])
        let separate = PropertyListValue.dictionary([
            "a": .dictionary(["k": .integer(1)]), "b": .dictionary(["k": .integer(1)]),
        ])
        let isEqual = PropertyListValue.dictionary(["a": shared, "b": shared]) == separate
        #expect(isEqual)
        let isEqualToItself = shared == shared
        #expect(isEqualToItself)
        // Thirty levels of two references each.
        var (first, second) = (shared, PropertyListValue.dictionary(["k": .integer(1)]))
        var other = PropertyListValue.dictionary(["k": .integer(2)])
        for _ in 0..<30 {
            first = .dictionary(["a": first, "b": first])
            second = .dictionary(["a": second, "b": second])
            other = .dictionary(["a": other, "b": other])
        }
        let areEqual = first == second
        #expect(areEqual)
        let areDifferent = first != other
        #expect(areDifferent)
    }

    // MARK: - Objects

    @Test("Numbers and Boolean values become Swift's, or objects on request")
    func numbers() throws {
        let values: [(PropertyListValue, Any.Type)] = [
            (.boolean(true), Bool.self), (.integer(5), Int.self), (.unsigned(.max), UInt64.self),
            (.float(0.5), Float.self), (.real(0.5), Double.self),
        ]
        for (value, type) in values {
            let object = value.object
            let isSwifts = Swift.type(of: object) == type
            #expect(isSwifts, "\(value)")
            let boxed = try PropertyListObjects.object(from: value.binaryData())
            let isObject = Swift.type(of: boxed) is AnyClass
            #expect(isObject, "\(value)")
        }
    }

    @Test("A list of more collections than the limit of nesting is converted, as they are next to each other")
    func wide() throws {
        let lists = (0..<300).map { [$0, $0 + 1] }
        let tree = try PropertyListValue(object: lists)
        let expected = lists.map { list in PropertyListValue.array(list.map { .integer(Int64($0)) }) }
        #expect(tree == .array(expected))
    }

    @Test("Of several keys that a property list cannot store the same one is named each time")
    func refusedKeys() {
        var details: Set<String> = []
        for count in 0..<30 {
            var entries: [AnyHashable: Any] = [5: 1, 2.5: 1, true: 1]
            for number in 0..<count { entries["k\(number)"] = number }
            let object = entries
            let error = #expect(throws: ArchiveError.self) { try PropertyListValue(object: object) }
            details.insert(error?.detail ?? "")
        }
        #expect(details.count == 1, "\(details)")
    }

    // MARK: - Decoded values

    @Test("A decoded value is known with its number of elements, one that is being decoded contains itself")
    func decoded() {
        var values = DecodedValues<PropertyListValue>(count: 3)
        let countBefore = values.elementCount(0)
        #expect(countBefore == 0)
        let before = try? values.known(0, offset: 7)
        #expect(before == nil)
        values.begin(0)
        let open = values
        let error = #expect(throws: ArchiveError.self) { try open.known(0, offset: 7) }
        #expect(error == ArchiveError(.cycle, "object 0 contains itself", offset: 7))
        values.end(0, .string("a"), elementCount: 5)
        values.end(2, .string("b"), elementCount: 6)
        let first = try? values.known(0, offset: 7)
        #expect(first == .string("a"))
        let second = try? values.known(2, offset: 7)
        #expect(second == .string("b"))
        let counts = (0..<3).map { values.elementCount($0) }
        #expect(counts == [5, 0, 6])
    }
}
