import Testing

@testable import ServiceRuntime

@Suite("Progress")
struct ProgressTests {
    private static func moments(_ rule: ProgressRule, _ milliseconds: [Int]) -> [Int] {
        var rule = rule
        return milliseconds.filter { rule.isDue(after: .milliseconds($0)) }
    }

    @Test("On a terminal it is shown after half a second, and then ten times a second")
    func terminal() {
        #expect(Self.moments(.terminal, [0, 499, 500, 501, 600, 601, 602, 702, 5_000]) == [501, 602, 5_000])
    }

    @Test("In a file it is a line each minute, and none for what takes less")
    func file() {
        let minute = 60_000
        #expect(
            Self.moments(.file, [0, 5_000, minute, minute + 1, 2 * minute, 2 * minute + 2, 10 * minute])
                == [minute + 1, 2 * minute + 2, 10 * minute])
    }

    @Test(
        "The line has the share of the whole, if that is known",
        arguments: [(7, nil, "orders: 7"), (7, 10, "orders: 7 of 10 (70 %)"), (0, 0, "orders: 0 of 0 (0 %)")])
    func text(_ done: Int, _ total: Int?, _ text: String) {
        #expect(ProgressLine.text("orders", done, of: total) == text)
    }
}
