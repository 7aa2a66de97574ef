import Testing

@testable import KeyedArchive

@Suite("Hash tables of numbers")
struct HashIndexTests {
    /// Forty hashes that lead to the last slot of a table of any size up to 65,536. Those of even numbers are equal.
    private let hashes: [UInt64] = (UInt64(0)..<40).map { number -> UInt64 in
        let upper: UInt64 = number % 2 == 0 ? 0 : number << 16
        return (upper | 0xFFFF) << 24
    }

    @Test("Numbers whose searches begin at one slot are all found while the table grows")
    func collisions() {
        let index = HashIndex(capacity: 4)
        for (number, hash) in hashes.enumerated() {
            index.insert(UInt32(number), hash: hash)
            for earlier in 0...number {
                let found = index.find(hashes[earlier]) { $0 == UInt32(earlier) }
                #expect(found == UInt32(earlier))
            }
        }
    }

    @Test("Only the numbers of the same hash are compared")
    func compared() {
        let index = HashIndex(capacity: 4)
        for (number, hash) in hashes.enumerated() { index.insert(UInt32(number), hash: hash) }
        var even: [UInt32] = []
        let none = index.find(hashes[0]) { number in
            even.append(number)
            return false
        }
        #expect(none == nil)
        let expected = (0..<20).map { UInt32(2 * $0) }
        #expect(even.sorted() == expected)
        var odd: [UInt32] = []
        _ = index.find(hashes[7]) { number in
            odd.append(number)
            return false
        }
        #expect(odd == [7])
    }

    @Test("The largest number of an archive is kept")
    func largest() {
        let index = HashIndex(capacity: 4)
        let largest = UInt32(ArchiveLimits.standard.objects)
        index.insert(largest, hash: .max)
        index.insert(0, hash: 0)
        let found = index.find(.max) { _ in true }
        #expect(found == largest)
        let smallest = index.find(0) { _ in true }
        #expect(smallest == 0)
    }

    @Test("A number is added at the slot where its search ended")
    func slots() {
        let index = HashIndex(capacity: 4)
        for (number, hash) in hashes.enumerated() {
            var slot = 0
            let older = index.find(hash, slot: &slot) { $0 == UInt32(number) }
            #expect(older == nil)
            index.insert(UInt32(number), hash: hash, slot: slot)
        }
        for (number, hash) in hashes.enumerated() {
            let found = index.find(hash) { $0 == UInt32(number) }
            #expect(found == UInt32(number))
        }
    }

    @Test("A table grows fourfold when more than three quarters of it are used, and no earlier")
    func growth() {
        let index = HashIndex(capacity: 4)
        for number in 0..<3 { index.insert(UInt32(number), hash: UInt64(number) << 24) }
        // The last of four slots, or the eighth of sixteen.
        var slot = 0
        let before = index.find(7 << 24, slot: &slot) { _ in true }
        #expect(before == nil)
        #expect(slot == 3)
        index.insert(3, hash: 3 << 24)
        let after = index.find(7 << 24, slot: &slot) { _ in true }
        #expect(after == nil)
        #expect(slot == 7)
    }

    @Test("An emptied table has no number, and takes as many again")
    func emptied() {
        let index = HashIndex(capacity: 4)
        for _ in 0..<3 {
            for (number, hash) in hashes.enumerated() { index.insert(UInt32(number), hash: hash) }
            index.removeAll()
            for hash in hashes {
                let found = index.find(hash) { _ in true }
                #expect(found == nil)
            }
        }
        for (number, hash) in hashes.enumerated() { index.insert(UInt32(number) + 100, hash: hash) }
        let last = index.find(hashes[39]) { _ in true }
        #expect(last == 139)
    }
}
