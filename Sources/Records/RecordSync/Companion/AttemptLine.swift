import Foundation
import LinkProtocol

/// The attempts to send payloads, in their order. One whose payload has a file waits until the host has that, and the later
/// ones wait behind it: the host accepts no payload before the one that was sent before it.
///
/// A value without I/O: it returns the next steps, to be done in their order.
struct AttemptLine: Sendable {
    struct Attempt: Equatable, Sendable {
        let payload: UUID
        let number: Int
        let predecessor: UUID?
        /// The SHA-256 of the payload's file; nil for none.
        let file: Data?
    }

    enum Step: Equatable, Sendable {
        /// Send the file of a payload, and call ``AttemptLine/fileEnded(_:error:)``.
        case sendFile(Attempt, Data)
        case send(Attempt)
        /// End an attempt without sending its payload.
        case end(UUID, AttemptResult)
    }

    /// The attempts that are not sent; the first one's file is on its way.
    private var waiting: Deque<Attempt> = Deque()
    /// The payloads whose files the host has received.
    private var delivered: Set<IdentifierKey> = []

    /// The file that is on its way; nil for none.
    var fileUnderWay: Data? { waiting.first?.file }

    /// The payload of that file.
    var firstPayload: UUID? { waiting.first?.payload }

    /// A payload is to be sent.
    mutating func began(_ attempt: Attempt) -> [Step] {
        waiting.append(attempt)
        return waiting.count == 1 ? advance() : []
    }

    /// The transfer of a file ended.
    ///
    /// - Parameter error: The reason why the host does not have it; nil if it does.
    mutating func fileEnded(_ file: Data, error: AttemptResult?) -> [Step] {
        guard let first = waiting.first, first.file == file else { return [] }
        guard let error else {
            delivered.insert(first.payload)
            return advance()
        }
        // Nothing is sent after it: the host would put that off.
        let held = waiting
        waiting = Deque()
        return held.enumerated().map { .end($1.payload, $0 == 0 ? error : .waitsForFile) }
    }

    /// An attempt ended. Unless the host has lost the file, or needs it no more, the next attempt does not send it again.
    mutating func ended(_ attempt: OutboxEngine.Try) {
        switch attempt.ending {
        case .acknowledged(.unavailable, _), .emptyReply, .mistakenReply, .unreadableReply, .failed, .unread,
            .lacksRoom,
            .waitsForFile:
            break
        case .acknowledged, .gone, .fileLost: delivered.remove(attempt.identifier)
        }
    }

    /// All attempts are lost, and will be made again.
    mutating func interrupted() { waiting = Deque() }

    /// Sends the waiting payloads up to the next one with a file.
    private mutating func advance() -> [Step] {
        var steps: [Step] = []
        while let next = waiting.first {
            if let file = next.file, !delivered.contains(next.payload) {
                steps.append(.sendFile(next, file))
                break
            }
            waiting.removeFirst()
            steps.append(.send(next))
        }
        return steps
    }
}
