import Foundation
import Testing

@testable import KeyedArchive

@Suite("Values by their exact type")
struct ExactTypeTests {
    /// Returns an object as it comes out of a collection, so that nothing is known of its type.
    private func object(_ value: Any) throws -> Any { try #require([value].shuffled().first) }

    @Test("Each value that a dictionary can have is found where it lies, however often")
    func values() throws {
        let texts = ["", "short", "a text that is longer than a word of memory", "\u{1F3C3}\u{200D}\u{2642}\u{FE0F}"]
        for text in texts { #expect(ExactType.value(try object(text), String.self) == text) }
        for number in [Int.min, -1, 0, 7, Int.max] { #expect(ExactType.value(try object(number), Int.self) == number) }
        for number in [-0.0, 1.5, .infinity] { #expect(ExactType.value(try object(number), Double.self) == number) }
        for flag in [true, false] { #expect(ExactType.value(try object(flag), Bool.self) == flag) }
        let lists = [[], ["one"], texts]
        for list in lists + lists { #expect(ExactType.value(try object(list), [String].self) == list) }
        let entries = ["a": 1.5, "b": 2]
        for _ in 1...3 { #expect(ExactType.value(try object(entries), [String: Double].self) == entries) }
    }

    @Test("An object stays as long as somebody has its value, and no longer")
    func lifetime() throws {
        final class Witness {}
        weak var weak: Witness?
        var kept: [Any]?
        do {
            let witness = Witness()
            weak = witness
            kept = ExactType.value(try object([witness] as [Any]), [Any].self)
        }
        #expect(weak != nil && kept?.count == 1)
        kept = nil
        #expect(weak == nil)
    }

    /// Returns an object as generic code passes it on: an `Any` within another.
    private func nested<Element>(_ elements: [Element]) -> Any { elements[0] }

    @Test("The type is the one with which an object is held: of an object that is nested, none that is written fast")
    func type() throws {
        #expect(ExactType.of(try object("text")) == String.self)
        #expect(ExactType.of(try object(["a": 1] as [String: Any])) == [String: Any].self)
        #expect(ExactType.of(try object(NSString("text"))) == NSString.self)
        #expect(ExactType.of(nested([try object("text")])) == Any.self)
    }

    @Test("A nested object is written as what it holds")
    func nestedBytes() throws {
        let objects: [Any] = ["text", 7, 1.5, true, ["a", "b"], ["key": "value"], ["key": 1] as [String: Any]]
        for object in objects {
            let bytes = try PropertyListObjects.data(of: ["object": nested([object])])
            let expected = try PropertyListObjects.data(of: ["object": object])
            #expect(bytes == expected, "\(object)")
        }
    }
}
