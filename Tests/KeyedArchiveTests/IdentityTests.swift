import Foundation
import Testing

@testable import KeyedArchive

/// Tests of what is known by its address.
@Suite("Identities")
struct IdentityTests {
    @Test("Each identity has its own number, and none after the table was emptied")
    func numbers() {
        let table = IdentityTable(capacity: 4)
        for round in 0..<3 {
            for identity in 1...100 {
                let unknown = table.number(of: UInt(16 * identity))
                #expect(unknown == nil)
                table.insert(UInt(16 * identity), number: UInt32(identity + round))
            }
            for identity in 1...100 {
                let number = table.number(of: UInt(16 * identity))
                #expect(number == UInt32(identity + round))
            }
            table.removeAll()
        }
    }

    @Test("An object is its own identity, a list or table of anything that of its storage")
    func storage() {
        let object = NSObject()
        let isItself = StorageIdentity.of(any: object) === object
        #expect(isItself)
        let list: [Any] = [1, "a"]
        let ofList = StorageIdentity.of(any: list)
        #expect(ofList != nil)
        let isStorageOfList = ofList === StorageIdentity.of(list)
        #expect(isStorageOfList)
        let table: [String: Any] = ["a": 1]
        let ofTable = StorageIdentity.of(any: table)
        #expect(ofTable != nil)
        let isStorageOfTable = ofTable === StorageIdentity.of(table)
        #expect(isStorageOfTable)
    }

    @Test("Other values have no identity, and empty collections have none")
    func others() {
        let values: [Any] = [
            5, 2.5, "text", [1, 2] as [Int], ["a": 1] as [String: Int], Set([1]), [] as [Any], [:] as [String: Any],
        ]
        for value in values {
            let isNone = StorageIdentity.of(any: value) == nil
            #expect(isNone, "\(type(of: value))")
        }
    }

    // MARK: - Retained objects

    /// Counts the objects that were released.
    private final class Released {
        var count = 0
    }

    private final class Item {
        private let released: Released
        init(_ released: Released) { self.released = released }
        deinit { released.count += 1 }
    }

    @Test("Objects are kept until they are removed, each is released once")
    func retained() {
        let released = Released()
        func use() {
            let objects = RetainedObjects()
            for _ in 0..<40 { objects.append(Item(released)) }
            #expect(released.count == 0)
            objects.removeAll()
            #expect(released.count == 40)
            objects.removeAll()
            #expect(released.count == 40)
            objects.append(Item(released))
        }
        use()
        #expect(released.count == 41)
    }
}
