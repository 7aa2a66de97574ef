import Foundation
import Testing

@testable import KeyedArchive

/// A class that counts how often its object is encoded, and does not support secure coding.
private final class Counting: NSObject, NSCoding {
    let number: Int
    private(set) var count = 0
    init(_ number: Int) { self.number = number }
    required init?(coder: NSCoder) { return nil }
    func encode(with coder: NSCoder) {
        count += 1
        coder.encode(number, forKey: "number")
    }
}

@Suite("Canonical order")
struct CanonicalOrderTests {
    /// Returns all orders that differ in where a list begins, forwards and backwards.
    private func orders(of elements: [Any]) -> [[Any]] {
        elements.indices.flatMap { first -> [[Any]] in
            let order = Array(elements[first...] + elements[..<first])
            return [order, Array(order.reversed())]
        }
    }

    private func sorted(_ elements: [Any], isShallow: Bool = false) -> [String] {
        CanonicalOrder.sorted(elements, isShallow: isShallow) { $0 }.map { "\($0)" }
    }

    @Test("Texts are sorted by their letters, after all other values, which are sorted by their archives")
    func mixed() {
        for order in orders(of: ["b", 2, "a", 1, "c", 3, "aa"]) {
            #expect(sorted(order) == ["1", "2", "3", "a", "aa", "b", "c"])
        }
    }

    @Test("Texts alone, and values of one kind alone, are sorted as among others")
    func alone() {
        for order in orders(of: ["b", "a", "c", "", "B"]) {
            #expect(sorted(order) == ["", "B", "a", "b", "c"])
        }
        for order in orders(of: [3, 1, 2, 255, 0]) {
            #expect(sorted(order) == ["0", "1", "2", "3", "255"])
        }
        #expect(sorted([]) == [])
        #expect(sorted([1]) == ["1"])
    }

    @Test("A shallow order sorts texts only, and leaves the other values before them as they are")
    func shallow() {
        #expect(sorted([2, "b", 1, "a", 3], isShallow: true) == ["2", "1", "3", "a", "b"])
        #expect(sorted([3, "a", 1, "b", 2], isShallow: true) == ["3", "1", "2", "a", "b"])
    }

    @Test("Sets and dictionaries of texts and numbers have the same bytes, whatever their order")
    func archives() throws {
        let elements: [AnyHashable] = ["b", 2, "a", 1, "c", 2.5]
        let set = try archived(Set(elements))
        let reversedSet = try archived(Set(elements.reversed()))
        #expect(set == reversedSet)
        let objects = try archived(NSSet(array: elements.map(\.base)))
        let reversedObjects = try archived(NSSet(array: elements.reversed().map(\.base)))
        #expect(objects == reversedObjects)
        let table = try archived(Dictionary(uniqueKeysWithValues: elements.map { ($0, 5) }))
        let reversedTable = try archived(Dictionary(uniqueKeysWithValues: elements.reversed().map { ($0, 5) }))
        #expect(table == reversedTable)
    }

    @Test("The only element of a set is encoded once, as it needs no order")
    func single() throws {
        let object = Counting(1)
        _ = try KeyedArchiver.archivedData(withRootObject: NSSet(array: [object]), requiringSecureCoding: false)
        #expect(object.count == 1)
    }

    @Test("Objects are sorted by their archives whether they support secure coding or not")
    func insecure() {
        let objects = [Counting(3), Counting(1), Counting(2)]
        let sorted = CanonicalOrder.sorted(objects, isShallow: false) { $0 }
        #expect(sorted.map(\.number) == [1, 2, 3])
        #expect(sorted.map(\.count) == [1, 1, 1])
    }

    @Test("The elements of nested sets are encoded once to sort these sets")
    func nested() {
        let objects = (0..<4).map { Counting($0) }
        let sets = [NSSet(array: [objects[0], objects[1]]), NSSet(array: [objects[2], objects[3]])]
        let sorted = CanonicalOrder.sorted(sets, isShallow: false) { $0 }
        #expect(sorted.count == 2)
        #expect(objects.map(\.count) == [1, 1, 1, 1])
    }

    @Test("The numbers of a set are written in ascending order", arguments: [true, false])
    func ascending(_ isSwift: Bool) throws {
        let data = try isSwift ? archived(Set(0..<30)) : archived(NSSet(array: Array(0..<30)))
        let tree = try PropertyListValue(binary: data)
        guard case .array(let objects) = tree["$objects"], case .array(let uids) = objects[1]["NS.objects"] else {
            Issue.record("expected a set, came \(tree)")
            return
        }
        let numbers = uids.map { reference -> PropertyListValue in
            guard case .uid(let uid) = reference else { return .null }
            return objects[Int(uid)]
        }
        let expected = (Int64(0)..<30).map { PropertyListValue.integer($0) }
        #expect(numbers == expected)
    }
}
