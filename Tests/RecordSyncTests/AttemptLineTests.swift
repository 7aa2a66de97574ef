import Foundation
import RecordStorage
import Testing

@testable import RecordSync

@Suite("Attempts that wait for files")
struct AttemptLineTests {
    private var line = AttemptLine()
    private let first = UUID()
    private let second = UUID()
    private let third = UUID()
    private let track = Data([1])
    private let picture = Data([2])

    private func attempt(_ payload: UUID, after predecessor: UUID? = nil, file: Data? = nil) -> AttemptLine.Attempt {
        AttemptLine.Attempt(payload: payload, number: 1, predecessor: predecessor, file: file)
    }

    @Test("Payloads without files are sent at once, in their order")
    mutating func withoutFiles() {
        #expect(line.began(attempt(first)) == [.send(attempt(first))])
        let next = attempt(second, after: first)
        #expect(line.began(next) == [.send(next)])
    }

    @Test("A payload follows its file, and later ones wait behind it, each for its own file")
    mutating func order() {
        let one = attempt(first, file: track)
        let (two, three) = (attempt(second, after: first), attempt(third, after: second, file: picture))
        #expect(line.began(one) == [.sendFile(one, track)])
        #expect(line.began(two) == [])
        #expect(line.began(three) == [])
        #expect(line.fileUnderWay == track)
        #expect(line.fileEnded(track, error: nil) == [.send(one), .send(two), .sendFile(three, picture)])
        #expect(line.fileEnded(picture, error: nil) == [.send(three)])
        #expect(line.fileUnderWay == nil)
    }

    @Test("The end of a file that nothing waits for changes nothing")
    mutating func stranger() {
        let one = attempt(first, file: track)
        _ = line.began(one)
        #expect(line.fileEnded(picture, error: nil) == [])
        #expect(line.fileEnded(track, error: nil) == [.send(one)])
        #expect(line.fileEnded(track, error: nil) == [])
    }

    @Test("A file that cannot be delivered ends its attempt, and those behind it")
    mutating func failure() {
        _ = line.began(attempt(first, file: track))
        _ = line.began(attempt(second, after: first))
        let lost = AttemptResult.failed(.deliveryFailed, reason: "cut")
        #expect(line.fileEnded(track, error: lost) == [.end(first, lost), .end(second, .waitsForFile)])
        let again = attempt(first, file: track)
        #expect(line.began(again) == [.sendFile(again, track)])
    }

    @Test(
        "A retry sends the file again only if the host does not have it",
        arguments: [
            (AttemptResult.acknowledged(.unavailable), false), (.failed(.notReachable, reason: ""), false),
            (.emptyReply, false), (.acknowledged(.fileMissing), true),
        ])
    mutating func retry(_ ending: AttemptResult, _ isSentAgain: Bool) {
        let one = attempt(first, file: track)
        _ = line.began(one)
        _ = line.fileEnded(track, error: nil)
        line.ended(OutboxEngine.Try(first, ending))
        #expect(line.began(one) == (isSentAgain ? [.sendFile(one, track)] : [.send(one)]), "after \(ending)")
    }

    @Test("After an interruption every attempt is made again, and a file that was delivered is not sent again")
    mutating func interruption() {
        let (one, two) = (attempt(first, file: track), attempt(second, after: first, file: picture))
        _ = line.began(one)
        _ = line.began(two)
        _ = line.fileEnded(track, error: nil)
        line.interrupted()
        #expect(line.fileUnderWay == nil)
        #expect(line.began(one) == [.send(one)])
        #expect(line.began(two) == [.sendFile(two, picture)])
    }
}
