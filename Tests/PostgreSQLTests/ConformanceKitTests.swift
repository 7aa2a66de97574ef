import Foundation
import Processes
import RecordStorage
import StoreConformance
import Testing

/// The kit must notice a store that breaks a promise.
@Suite("The conformance kit")
struct ConformanceKitTests {
    @Test("A store that keeps the promises passes every case")
    func sound() throws {
        for each in ConformanceCase.all { try each.run(MemoryStore.maker(flaw: nil), token: "t") }
    }

    @Test("The store in SQLite passes every case that is not about several hosts")
    func sqlite() throws {
        let scratch = try ScratchDirectory()
        let stores = StoreMaker(isShared: false) { kind, _ in
            try SQLiteRecordStore(kind: kind, path: "\(scratch.path)/\(kind.plural).sqlite")
        }
        for each in ConformanceCase.all where !each.needsSharing { try each.run(stores, token: "t") }
    }

    @Test(
        "A store with one flaw fails the case of that promise",
        arguments: MemoryStore.Flaw.allCases)
    func flawed(_ flaw: MemoryStore.Flaw) throws {
        let found = try #require(ConformanceCase.all.first { $0.name == flaw.rawValue })
        #expect(throws: (any Error).self) { try found.run(MemoryStore.maker(flaw: flaw), token: "t") }
    }

    @Test("Cases have different names, of which tables can be made")
    func names() {
        let names = ConformanceCase.all.map(\.name)
        #expect(Set(names).count == names.count)
        for name in names { #expect(name.wholeMatch(of: /[a-z][a-z-]{0,24}/) != nil, "\(name)") }
    }
}
