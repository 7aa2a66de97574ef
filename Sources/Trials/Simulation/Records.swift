import Foundation
import LinkProtocol
import QuizSync

/// What a device's app keeps: the companion's outbox, or the host's quizzes. The simulated twin of their databases' tables.
struct AppRecords: Sendable {
    struct Entry: Sendable {
        let position: Int64
        var end: QuizEnd?
    }

    var outbox: [UUID: Entry] = [:]
    var lastPosition: Int64 = 0
    /// How many rows there are of a device and identifier. The database's unique index makes it one.
    var quizzes: [QuizKey: Int] = [:]
    /// The same in the order of their rows.
    var rows: [QuizKey] = []
}

/// How a quiz ended, as the companion records it.
struct QuizEnd: Equatable, Sendable {
    let isFailed: Bool
    let cause: String?
}

/// What a device's session keeps.
struct SessionRecords: Sendable {
    struct Outgoing: Sendable {
        let identifier: UUID
        var peer: UUID
        var kind: TransferKind
        let position: Int64
        let size: Int64
        /// How it ended, once it has: a failure's cause, or nothing.
        var ending: TransferStateMachine.Ending?
    }

    struct Arrival: Sendable {
        let position: Int64
        let identifier: UUID
        let peer: UUID
        let kind: TransferKind
    }

    var outgoing: [UUID: Outgoing] = [:]
    var lastPosition: Int64 = 0
    var inbox: [Arrival] = []
    var seen: [UUID: Set<UUID>] = [:]
    var companions: [UUID: Companion] = [:]
    /// What came of files so far, in bytes.
    var parts: [UUID: Int64] = [:]
}
