import Testing

@testable import KeyedArchive

@Suite("Slots of decoded objects")
struct SlotTableTests {
    /// Counts the objects that were released.
    private final class Released {
        var count = 0
    }

    private final class Item {
        private let released: Released
        init(_ released: Released) { self.released = released }
        deinit { released.count += 1 }
    }

    @Test("A slot keeps its object until it is replaced, or the table is gone")
    func kept() {
        let released = Released()
        func use() {
            guard let table = SlotTable(count: 2) else {
                Issue.record("expected a table of two slots, came none")
                return
            }
            table[0] = Item(released)
            table[1] = Item(released)
            #expect(released.count == 0)
            let isFirstFilled = table[0] is Item
            #expect(isFirstFilled)
            let isSecondFilled = table[1] is Item
            #expect(isSecondFilled)
            table[1] = Item(released)
            #expect(released.count == 1)
            table[0] = nil
            #expect(released.count == 2)
            let isEmpty = table[0] == nil
            #expect(isEmpty)
        }
        use()
        #expect(released.count == 3)
    }

    @Test("Two slots are two places, and each returns the object that was stored")
    func places() {
        guard let table = SlotTable(count: 2) else {
            Issue.record("expected a table of two slots, came none")
            return
        }
        let released = Released()
        let (first, second) = (Item(released), Item(released))
        table[0] = first
        table[1] = second
        let isFirst = table[0] === first
        #expect(isFirst)
        let isSecond = table[1] === second
        #expect(isSecond)
    }

    @Test("A UID after the last slot stores nothing and returns nothing", arguments: 1...6)
    func beyond(_ count: Int) {
        guard let table = SlotTable(count: count) else {
            Issue.record("expected a table of \(count) slots, came none")
            return
        }
        for uid in [UInt32(count), UInt32(count) + 1, .max] {
            let isEmpty = table[uid] == nil
            #expect(isEmpty)
            let released = Released()
            table[uid] = Item(released)
            #expect(released.count == 1, "kept under the UID \(uid)")
        }
    }
}
