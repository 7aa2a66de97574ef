import Foundation
import Testing

@testable import KeyedArchive

@Suite("Long data")
struct BodyListTests {
    private let whole = Data((0..<4096).map { UInt8(truncatingIfNeeded: $0 / 3) })

    @Test("The same data is written once, however often it is referred to")
    func once() throws {
        let three = PropertyListValue.array([.data(whole), .data(whole), .data(whole)])
        let file = try three.binaryData()
        #expect(file.count < whole.count + 100)
        let read = try PropertyListValue(binary: file)
        #expect(read == three)
        let archive = try archived([whole, whole, whole])
        #expect(archive.count < whole.count + 500)
        let tree = try PropertyListValue(archive: archive)
        #expect(tree == three)
    }

    @Test("The beginning of data is other data than the whole, in either order")
    func beginnings() throws {
        let beginning = whole.prefix(2048)
        let orders = [
            [whole, beginning], [beginning, whole], [whole, beginning, whole], [beginning, whole, beginning],
        ]
        for order in orders {
            let list = PropertyListValue.array(order.map { .data($0) })
            let read = try PropertyListValue(binary: list.binaryData())
            #expect(read == list)
            let tree = try PropertyListValue(archive: archived(order))
            #expect(tree == list)
        }
    }

    @Test("Data from 1,024 bytes on is recognized by where it is stored, shorter data by its bytes")
    func shortest() throws {
        func size(_ count: Int) throws -> Int {
            let (first, second) = (Data(repeating: 1, count: count), Data(repeating: 1, count: count))
            return try PropertyListValue.array([.data(first), .data(second)]).binaryData().count
        }
        let short = try size(1023)
        #expect(short < 2 * 1023)
        let long = try size(1024)
        #expect(long > 2 * 1024)
    }

    @Test("A list knows data by its place and length, and nothing after it was emptied")
    func list() {
        let list = BodyList()
        let other = Data(repeating: 9, count: whole.count)
        list.append(whole, index: 5)
        #expect(list.count == 1)
        #expect(list.bytes == 4096)
        #expect(list[0] == whole)
        let known = list.index(of: whole)
        #expect(known == 5)
        let beginning = list.index(of: whole.prefix(4095))
        #expect(beginning == nil)
        let unknown = list.index(of: other)
        #expect(unknown == nil)
        list.append(other, index: 7)
        #expect(list.count == 2)
        #expect(list.bytes == 8192)
        let second = list.index(of: other)
        #expect(second == 7)
        list.removeAll()
        #expect(list.count == 0)
        #expect(list.bytes == 0)
        // As long as the one that had this index before.
        list.append(other, index: 5)
        let forgotten = list.index(of: whole)
        #expect(forgotten == nil)
        let added = list.index(of: other)
        #expect(added == 5)
    }
}
