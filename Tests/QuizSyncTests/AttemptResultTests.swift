import Files
import Foundation
import KeyedArchive
import LinkProtocol
import RecordStorage
import Testing
import WatchConnectivity

@testable import QuizSync
@testable import RecordSync

@Suite("Ends of tries")
struct AttemptResultTests {
    @Test("Each end is delivered, permanently refused or retried, with its reason")
    func outcomes() {
        let all: [(AttemptResult, OutboxStateMachine.Outcome)] = [
            (.acknowledged(.stored), .replied),
            (.acknowledged(.repeated, message: "again"), .replied),
            (.acknowledged(.undecodable), .refused(reason: "undecodable")),
            (.acknowledged(.invalid, message: "no title"), .refused(reason: "no title")),
            (.acknowledged(.conflict), .refused(reason: "conflict")),
            (.acknowledged(.unavailable, message: "full"), .unavailable(reason: "full")),
            (.failed(.payloadTooLarge, reason: "too large"), .refused(reason: "too large")),
            (.failed(.notReachable, reason: "away"), .unavailable(reason: "away")),
            (.emptyReply, .unavailable(reason: "the host's reply is empty")),
            (
                .mistakenReply(about: b),
                .unavailable(reason: "the host's reply is about another quiz or different content")
            ),
            (.unreadableReply(error: "cut off"), .unavailable(reason: "the host's reply is unreadable")),
            (.gone, .refused(reason: "it is no longer in the outbox")),
            (.unread(error: "disk"), .unavailable(reason: "disk")),
            (.lacksRoom, .unavailable(reason: "it waits for earlier quizzes")),
        ]
        for (ending, outcome) in all { #expect(ending.outcome(.quizzes) == outcome, "\(ending)") }
    }

    private static let archive = Data("a quiz".utf8)

    private static func package(
        _ status: DeliveryStatus, data: Data? = nil, code: Int? = nil, message: String? = nil
    ) -> MessagePackage {
        MessagePackage(
            identifier: a, command: .sendMessageData, status: .sent, dataPackage: data, timestamp: Date()
        ).with(status: status, dataPackage: data, errorMessage: message, errorCode: code)
    }

    @Test("A reply applies to the quiz that it names, with the same content")
    func replies() throws {
        let digest = ContentDigest.of(Self.archive)
        let all: [(QuizAcknowledgement, AttemptResult)] = [
            (QuizAcknowledgement(a, .stored, digest: digest), .acknowledged(.stored)),
            (QuizAcknowledgement(a, .stored), .acknowledged(.stored)),
            (
                QuizAcknowledgement(a, .invalid, digest: digest, message: "no title"),
                .acknowledged(.invalid, message: "no title")
            ),
            (
                QuizAcknowledgement(a, .stored, digest: ContentDigest.of(Data("another".utf8))),
                .mistakenReply(about: a)
            ),
            (QuizAcknowledgement(b, .stored, digest: digest), .mistakenReply(about: b)),
            (QuizAcknowledgement(nil, .stored), .mistakenReply(about: nil)),
            (QuizAcknowledgement(nil, .undecodable), .acknowledged(.undecodable)),
        ]
        for (reply, expected) in all {
            let ending = AttemptResult(
                of: Self.package(.replied, data: try reply.archivedData()), with: Self.archive, as: .standard)
            #expect(ending == expected)
        }
    }

    @Test("An unreadable reply says nothing about the quiz")
    func unreadable() {
        for data in [nil, Data(), Data([1, 2, 3])] {
            let ending = AttemptResult(of: Self.package(.replied, data: data), with: Self.archive, as: .standard)
            guard case .unreadableReply = ending else { return #expect(Bool(false), "\(ending)") }
        }
    }

    @Test("A failed message reports its code; one without a code, or with an unknown one, is retried")
    func failures() {
        func ending(_ code: Int?, _ message: String?) -> AttemptResult {
            AttemptResult(of: Self.package(.failed, code: code, message: message), with: Self.archive, as: .standard)
        }
        #expect(
            ending(WCError.Code.payloadTooLarge.rawValue, "large") == .failed(.payloadTooLarge, reason: "large"))
        #expect(ending(nil, nil) == .failed(.genericError, reason: "it failed without a reason"))
        #expect(ending(1, "odd") == .failed(.genericError, reason: "odd"))
    }

    @Test("An archive of nothing is an empty reply")
    func empty() {
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        archiver.encode(nil, forKey: "root")
        let ending = AttemptResult(
            of: Self.package(.replied, data: archiver.encodedData), with: Self.archive, as: .standard)
        #expect(ending == .emptyReply)
    }
}
