import LinkProtocol
import Testing

@testable import Timeline

@Suite("Packages of a timeline that is being assembled")
struct PackageTableTests {
    private var table = PackageTable(capacity: 100)

    /// Adds packages by number, and returns the numbers of those that were dropped.
    private mutating func add(_ numbers: Range<Int>, finished: (Int) -> Bool) -> [String?] {
        numbers.map { number in
            let (slot, dropped) = table.slot(of: "\(number)", kind: "message")
            if finished(number) { table[slot].status = .delivered }
            return dropped?.identifier
        }
    }

    @Test("All stay while there is room, and a package keeps its slot")
    mutating func room() {
        #expect(add(0..<100) { _ in true } == [String?](repeating: nil, count: 100))
        #expect(table.slot(of: "7", kind: "quiz").slot == 7)
        #expect(table[7].kind == "message")
        #expect(table.packages.map(\.identifier) == (0..<100).map { "\($0)" })
        #expect(table.contains("99"))
        #expect(table.contains("100") == false)
    }

    @Test("Finished packages are dropped in order of appearance, each once")
    mutating func finished() {
        _ = add(0..<100) { _ in true }
        #expect(add(100..<350) { _ in true } == (0..<250).map { "\($0)" })
        #expect(Set(table.packages.map(\.identifier)) == Set((250..<350).map { "\($0)" }))
        #expect(table.contains("0") == false)
    }

    @Test("An unfinished package outlives finished ones behind it, up to the limit of the search")
    mutating func unfinished() {
        _ = add(0..<100) { $0 >= 63 }
        #expect(add(100..<102) { _ in true } == ["63", "64"])
        var full = PackageTableTests()
        _ = full.add(0..<100) { $0 >= 64 }
        #expect(full.add(100..<102) { _ in true } == ["0", "64"])
    }

    @Test("When none is finished, the oldest is dropped")
    mutating func noneFinished() {
        _ = add(0..<100) { _ in false }
        #expect(add(100..<350) { _ in false } == (0..<250).map { "\($0)" })
    }

    @Test("A table with a single slot drops its package for the next", arguments: [true, false])
    func single(isFinished: Bool) {
        var table = PackageTable(capacity: 1)
        #expect(table.slot(of: "a", kind: "message").dropped == nil)
        if isFinished { table[0].status = .failed }
        let (slot, dropped) = table.slot(of: "b", kind: "message")
        #expect((slot, dropped?.identifier) == (0, "a"))
    }
}
