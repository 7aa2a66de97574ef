import Foundation
import Synchronization
import Testing

@testable import KeyedArchive

/// Tests that reach each limit exactly, and exceed it by one.
@Suite("Budgets")
struct BudgetTests {
    private func budget(_ bytes: Int = 1000, limits: ArchiveLimits = .standard) -> DecodingBudget {
        DecodingBudget(archiveBytes: bytes, limits: limits)
    }

    @Test("At most as many bytes are copied as the archive has")
    func copying() throws {
        let budget = budget()
        try budget.copy(400, offset: 0)
        try budget.copy(600, offset: 0)
        #expect(code { try budget.copy(1, offset: 0) } == .limitExceeded)
    }

    @Test("At most four times the archive's size plus an allowance is used as memory")
    func memory() throws {
        let budget = budget()
        try budget.take(500, each: 8, offset: 0)
        try budget.take(ArchiveLimits.allowance, each: 1, offset: 0)
        #expect(code { try budget.take(1, each: 1, offset: 0) } == .limitExceeded)
    }

    @Test("At most as many keys are visited as the archive has bytes")
    func visits() throws {
        let budget = budget()
        try budget.visit(1000, offset: 0)
        #expect(code { try budget.visit(1, offset: 0) } == .limitExceeded)
    }

    @Test("Shared elements are limited by the archive's size plus 8,192")
    func sharing() throws {
        let budget = budget()
        try budget.share(8192, offset: 0)
        try budget.share(500, offset: 0)
        #expect(code { try budget.share(1, offset: 0) } == .limitExceeded)
    }

    @Test("At most four comparisons per byte of the archive plus 8,192 are made; long elements count more")
    func comparing() throws {
        let short = budget()
        try short.compare(8192, length: 127, offset: 0)
        try short.compare(4000, length: 0, offset: 0)
        #expect(code { try short.compare(1, length: 0, offset: 0) } == .limitExceeded)
        let long = budget(0)
        try long.compare(4096, length: 128, offset: 0)
        #expect(code { try long.compare(1, length: 0, offset: 0) } == .limitExceeded)
    }

    @Test("Counts add up to at most 100,000")
    func counting() throws {
        let budget = budget()
        try budget.count(99_999, offset: 0)
        try budget.count(1, offset: 0)
        #expect(code { try budget.count(1, offset: 0) } == .limitExceeded)
        #expect(code { try budget.count(.max, offset: 0) } == .limitExceeded)
    }

    @Test("Callers can lower the limits of copied bytes and memory")
    func lowered() throws {
        var limits = ArchiveLimits.standard
        limits.copiedBytes = 10
        limits.memory = 100
        let budget = budget(limits: limits)
        try budget.copy(10, offset: 0)
        #expect(code { try budget.copy(1, offset: 0) } == .limitExceeded)
        #expect(code { try self.budget(limits: limits).take(101, each: 1, offset: 0) } == .limitExceeded)
        #expect(code { try self.budget(limits: limits).share(13, offset: 0) } == .limitExceeded)
    }

    @Test("The keys of a large object are kept as long as the decoding")
    func kept() throws {
        let data = try PropertyListValue.dictionary(["a": .integer(1)]).binaryData()
        try data.withUnsafeBytes { (buffer: UnsafeRawBufferPointer) in
            let budget = self.budget()
            let list = try BinaryPropertyList(buffer, limits: .standard)
            guard case .dictionary(let entries) = try list.object(at: list.topObject) else {
                Issue.record("expected a dictionary")
                return
            }
            weak var kept: KeyIndex?
            func keep() throws {
                let index = try KeyIndex(entries, of: list, offset: 0, budget)
                kept = index
                _ = budget.keep(index)
            }
            try keep()
            let isKept = withExtendedLifetime(budget) { kept != nil }
            #expect(isKept)
        }
    }

    // MARK: - Nested values

    /// Lists that each contain the next one several times.
    private func lists(levels: Int, width: Int) -> PropertyListValue {
        var list = PropertyListValue.array([.array([])])
        for _ in 0..<levels { list = .array(Array(repeating: list, count: width)) }
        return list
    }

    /// The number of values made until the decoder finished or failed.
    private func valuesMade(of tree: PropertyListValue) throws -> (count: Int, error: ArchiveError.Code?) {
        var decoder = KeyedArchiveDecoder()
        let count = NestedLists.Count()
        decoder.userInfo[try #require(NestedLists.countKey)] = count
        let error = code { try decoder.decode(NestedLists.self, from: tree) }
        return (count.value.load(ordering: .relaxed), error)
    }

    @Test("Shared collections are decoded while they expand to few values")
    func sharedValues() throws {
        // Each level is visited once per reference.
        let few = try valuesMade(of: lists(levels: 11, width: 2))
        #expect(few.error == nil)
        #expect(few.count == (1 << 12) - 1 + (1 << 11))
        for (levels, width) in [(30, 2), (14, 4), (100, 2)] {
            let many = try valuesMade(of: lists(levels: levels, width: width))
            #expect(many.error == .limitExceeded)
            #expect(many.count <= 2 * (8192 + 4 * (levels * width + 1)))
        }
    }

    @Test("The allowance for shared collections grows with the tree")
    func largeShared() throws {
        let shared = PropertyListValue.array(Array(repeating: .array([]), count: 100))
        // Each of these lists is distinct, and contains the same one.
        let own = (0..<1000).map { _ in PropertyListValue.array([shared] + Array(repeating: .array([]), count: 25)) }
        let ownError = try valuesMade(of: .array(own)).error
        #expect(ownError == nil)
        let bare = (0..<1000).map { _ in PropertyListValue.array([shared]) }
        let bareError = try valuesMade(of: .array(bare)).error
        #expect(bareError == .limitExceeded)
    }
}
