import Testing

@testable import LinkProtocol

@Suite("Actions of two steps")
struct FollowedByTests {
    @Test(
        "Those of the first step come first, whichever step has none",
        arguments: [([], []), ([1, 2], []), ([], [3]), ([1], [2, 3])] as [([Int], [Int])])
    func order(first: [Int], second: [Int]) {
        let (former, latter) = (first, second)
        #expect(first.followed(by: second) == first + second)
        #expect(first == former && second == latter, "the steps' own lists changed: \(first), \(second)")
    }
}
