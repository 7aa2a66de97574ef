import Foundation
import Testing

@testable import KeyedArchive

/// Tests of archives whose last cost decides: no later one would exceed the same limit.
@Suite("Last costs of archives")
struct LastChargeTests {
    /// Returns the lowest limit with which an archive is read.
    private func least(
        _ limit: WritableKeyPath<ArchiveLimits, Int>, _ read: (ArchiveLimits) throws -> Any?
    ) -> Int {
        var (low, high) = (0, 1 << 20)
        while low < high {
            let middle = (low + high) / 2
            var limits = ArchiveLimits.standard
            limits[keyPath: limit] = middle
            if code({ try read(limits) }) == nil { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private func object(_ data: Data, _ limits: ArchiveLimits) throws -> Any? {
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data, limits: limits)
        unarchiver.decodesUnknownClasses = true
        let object = unarchiver.decodeObject(of: CollectionTests.collectionClasses, forKey: "root")
        if let error = unarchiver.error { throw error }
        return object
    }

    @Test("A number takes the memory of an object, besides the places of all objects")
    func number() throws {
        let data = try handmade([.integer(5)])
        let memory = least(\.memory) { try object(data, $0) }
        #expect(memory == 56)
    }

    @Test("Each element of an array that is read in one step takes the memory of a reference")
    func elements() throws {
        func memory(_ count: Int) throws -> Int {
            let uids = Array(repeating: PropertyListValue.uid(3), count: count)
            let data = try handmade([
                .dictionary(["$class": .uid(2), "NS.objects": .array(uids)]), classObject("NSArray"), .integer(5),
            ])
            return least(\.memory) { limits in
                let unarchiver = try KeyedUnarchiver(forReadingFrom: data, limits: limits)
                let numbers = unarchiver.decodeArray(of: Int.self, forKey: "root")
                if let error = unarchiver.error { throw error }
                return numbers
            }
        }
        // With a class for some name, the name of each class is read, whichever other tests set one.
        KeyedUnarchiver.setClass(Link.self, forClassName: "a name in no archive")
        let (few, many) = (try memory(20), try memory(40))
        #expect(many - few == 20 * 8)
    }

    static let unknownObjects: [([String: PropertyListValue], Int, Int)] = [
        ([:], 176, 12), (["k10": .boolean(true)], 211, 15),
        (["list": .array([.uid(0), .uid(0), .uid(0)])], 260, 16),
    ]

    @Test(
        "An object of an unknown class takes memory for its keys, their values and the elements of its lists",
        arguments: unknownObjects)
    func unknown(_ fields: [String: PropertyListValue], _ memory: Int, _ copied: Int) throws {
        // The name of its class is read twice, once to compare it with those for which a class was set.
        KeyedUnarchiver.setClass(Link.self, forClassName: "a name in no archive")
        let record = PropertyListValue.dictionary(fields.merging(["$class": .uid(2)]) { $1 })
        let data = try handmade([record, .dictionary(["$classname": .string("Theirs")])])
        let leastMemory = least(\.memory) { try object(data, $0) }
        #expect(leastMemory == memory)
        let leastCopied = least(\.copiedBytes) { try object(data, $0) }
        #expect(leastCopied == copied)
    }

    // MARK: - Elements of shared collections

    private func list(_ cls: UInt32, _ elements: [PropertyListValue]) -> PropertyListValue {
        .dictionary(["$class": .uid(cls), "NS.objects": .array(elements)])
    }

    @Test("Elements before a shared array are not counted as its own")
    func siblings() throws {
        let elements =
            Array(repeating: PropertyListValue.uid(3), count: 100)
            + Array(repeating: PropertyListValue.uid(4), count: 300)
        let data = try handmade([
            list(2, elements), classObject("NSArray"), .integer(5), list(2, Array(repeating: .uid(3), count: 10)),
        ])
        let object = try KeyedUnarchiver.unarchivedObject(ofClasses: plainClasses, from: data) as? NSArray
        #expect(object?.count == 400)
        let tree = code { try PropertyListValue(archive: data) }
        #expect(tree == nil)
    }

    @Test("An object of an unknown class is one element, whatever it contains")
    func unknownElements() throws {
        let record = PropertyListValue.dictionary([
            "$class": .uid(4), "list": .array(Array(repeating: .uid(5), count: 1000)),
        ])
        let data = try handmade([
            list(2, Array(repeating: .uid(3), count: 100)), classObject("NSArray"), record, classObject("Theirs"),
            .integer(5),
        ])
        let read = try object(data, .standard) as? NSArray
        #expect(read?.count == 100)
    }

    @Test("An empty object is shared as often as it is referred to, whatever the memory contained before")
    func sharedEmpty() throws {
        let elements = [PropertyListValue.uid(4)] + Array(repeating: PropertyListValue.uid(3), count: 60)
        let numbers = (Int64(0)..<40).map { PropertyListValue.integer($0) }
        let null = PropertyListValue.dictionary(["$class": .uid(5)])
        let objects = [list(2, elements), classObject("NSArray"), null, list(2, [.uid(6)]), classObject("NSNull")]
        let data = try handmade(objects + numbers)
        for _ in 0..<3 {
            // Four bytes for each of the objects.
            let blocks = (0..<16).map { _ -> UnsafeMutableRawPointer in
                let block = UnsafeMutableRawPointer.allocate(byteCount: 4 * 46, alignment: 4)
                block.initializeMemory(as: UInt8.self, repeating: 0xAA, count: 4 * 46)
                return block
            }
            for block in blocks { block.deallocate() }
            let object = try KeyedUnarchiver.unarchivedObject(ofClasses: plainClasses, from: data) as? NSArray
            #expect(object?.count == 61)
        }
    }

    // MARK: - Equal hashes

    /// Returns an archive of a set of data with one hash: Foundation hashes the first 80 bytes.
    private func set(longFirst: Bool) throws -> Data {
        let beginning = Data(repeating: 0x61, count: 80)
        let short = (0..<100).map { PropertyListValue.data(beginning + Data([UInt8($0)]) + Data(count: 19)) }
        let long = PropertyListValue.data(beginning + Data(count: 9920))
        let elements = longFirst ? [long] + short : short + [long]
        let uids = elements.indices.map { PropertyListValue.uid(UInt32(3 + $0)) }
        return try handmade([list(2, uids), classObject("NSSet")] + elements)
    }

    @Test("Elements with one hash cost as many bytes as the longest of those before them")
    func equalHashes() throws {
        let last = try KeyedUnarchiver.unarchivedObject(ofClasses: plainClasses, from: set(longFirst: false)) as? NSSet
        #expect(last?.count == 101)
        let data = try set(longFirst: true)
        let first = code { try KeyedUnarchiver.unarchivedObject(ofClasses: plainClasses, from: data) }
        #expect(first == .limitExceeded)
    }
}
