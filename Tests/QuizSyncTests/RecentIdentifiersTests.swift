import Foundation
import Testing

@testable import QuizSync
@testable import RecordSync

@Suite("Recent identifiers")
struct RecentIdentifiersTests {
    private let identifiers = (0..<5).map { _ in UUID() }

    private func known(_ recent: RecentIdentifiers) -> [Int] {
        identifiers.indices.filter { recent.contains(identifiers[$0]) }
    }

    @Test("The oldest is removed for one too many, and a repeat takes no space")
    func capacity() {
        var recent = RecentIdentifiers(capacity: 3)
        #expect(known(recent) == [])
        for index in [0, 1, 1, 0, 2] { recent.insert(identifiers[index]) }
        #expect(known(recent) == [0, 1, 2])
        recent.insert(identifiers[3])
        #expect(known(recent) == [1, 2, 3])
        // A removed one may come again.
        recent.insert(identifiers[0])
        #expect(known(recent) == [0, 2, 3])
    }

    @Test("With a capacity of zero nothing is kept")
    func none() {
        var recent = RecentIdentifiers(capacity: 0)
        recent.insert(identifiers[0])
        #expect(known(recent) == [])
    }
}
