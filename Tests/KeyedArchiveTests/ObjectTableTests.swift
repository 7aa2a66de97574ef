import Foundation
import Testing

@testable import KeyedArchive

@Suite("Objects of a file that is written")
struct ObjectTableTests {
    private let long = Data(repeating: 7, count: 2000)

    /// Adds values of all kinds and a list of them, and returns the indices of all, the list last.
    private func fill(_ table: borrowing ObjectTable) -> [ObjectTable.Index] {
        let list = table.reserve()
        var values: [ObjectTable.Index] = []
        for flag in [false, true] { values.append(table.add(flag)) }
        for number: Int64 in [0, 127, 128, -1] { values.append(table.add(number)) }
        values.append(table.add(UInt64.max))
        values.append(table.add(Float(1.5)))
        values.append(table.add(Double(2.5)))
        values.append(table.add(dateWithSeconds: 3))
        for uid: UInt32 in [5, 70_000] { values.append(table.add(uid: uid)) }
        let texts = ["short", "a text that is not short", "Gr\u{FC}\u{DF}e"]
        for text in texts { values.append(table.add(text)) }
        values.append(table.add(CommonText.elements))
        for data in [Data([1, 2]), long] { values.append(table.add(data)) }
        let start = table.references.count
        for value in values { table.references.append(value) }
        table.fill(list, listFrom: start)
        return values + [list]
    }

    @Test("An emptied table has no object, and writes the next file as a new one does")
    func emptied() throws {
        let table = ObjectTable()
        let first = fill(table)
        let file = try table.encoded(top: first[first.count - 1], limits: .standard)
        for _ in 0..<2 {
            table.removeAll()
            let (count, size) = (table.count, table.size)
            #expect(count == 0)
            #expect(size == 0)
            let again = fill(table)
            #expect(again == first)
            let fileAgain = try table.encoded(top: again[again.count - 1], limits: .standard)
            #expect(fileAgain == file)
        }
    }

    @Test("Each value is one object, however often it is added")
    func once() {
        let table = ObjectTable()
        let first = fill(table)
        let count = table.count
        let again = fill(table)
        #expect(again.dropLast() == first.dropLast())
        // Only the list is another one.
        let countAgain = table.count
        #expect(countAgain == count + 1)
        let isDifferent = Set(first).count == first.count
        #expect(isDifferent)
    }

    @Test(
        "A known UID takes the place of a reserved one, whatever its width", arguments: [1, 255, 256, 65_535, 65_536])
    func reserved(_ uid: Int) throws {
        let table = ObjectTable()
        let list = table.reserve()
        let place = table.reserveUID()
        let known = table.append(uid: UInt32(uid))
        let open = table.reserveUID()
        table.fill(place, uidOf: known)
        let start = table.references.count
        for index in [place, known, open] { table.references.append(index) }
        table.fill(list, listFrom: start)
        let file = try table.encoded(top: list, limits: .standard)
        let read = try PropertyListValue(binary: file)
        #expect(read == .array([.uid(UInt32(uid)), .uid(UInt32(uid)), .uid(0)]))
    }

    @Test("Each object of a table can be the top one of a file")
    func tops() throws {
        let table = ObjectTable()
        let root = table.reserve()
        let (number, text) = (table.add(Int64(1000)), table.add("text"))
        let list = table.reserve()
        let startOfList = table.references.count
        table.references.append(number)
        table.fill(list, listFrom: startOfList)
        let startOfRoot = table.references.count
        table.references.append(list)
        table.references.append(text)
        table.fill(root, listFrom: startOfRoot)
        let inner = PropertyListValue.array([.integer(1000)])
        let tops: [(ObjectTable.Index, PropertyListValue)] = [
            (root, .array([inner, .string("text")])), (list, inner), (number, .integer(1000)), (text, .string("text")),
        ]
        for (top, expected) in tops {
            let file = try table.encoded(top: top, limits: .standard)
            let read = try PropertyListValue(binary: file)
            #expect(read == expected)
        }
    }

    @Test("A reference is kept for each object, even if long data is the first one")
    func references() {
        let table = ObjectTable()
        let (body, text) = (table.add(long), table.add("text"))
        for (index, reference) in [(body, ObjectTable.Index(5)), (text, 7)] {
            let before = table.reference(to: index)
            #expect(before == 0)
            table.set(reference: reference, to: index)
        }
        let ofBody = table.reference(to: body)
        #expect(ofBody == 5)
        let ofText = table.reference(to: text)
        #expect(ofText == 7)
    }

    @Test("A long text that is added twice in a row is one object")
    func twiceInARow() {
        let table = ObjectTable()
        let first = table.add("a text that is not short")
        let size = table.size
        let second = table.add("a text that is not short")
        #expect(first == second)
        let sizeAgain = table.size
        #expect(sizeAgain == size)
        let other = table.add("a text that is not shorter")
        #expect(other != first)
        let third = table.add("a text that is not short")
        #expect(third == first)
    }
}
