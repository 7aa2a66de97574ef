import DeviceEngine
import Foundation
import LinkProtocol
import QuizSync

/// The records of a device's app: the companion's outbox, or the host's quizzes.
struct AppRecords: Sendable {
    struct Entry: Sendable {
        let position: Int64
        var end: QuizEnd?
    }

    var outbox = NameTable<Entry>()
    var lastPosition: Int64 = 0
    /// How many rows there are of a quiz, which one watch has sent. The database's unique index makes it one.
    var quizzes = NameTable<Int>()
    /// The same in the order of their rows.
    var rows: [QuizKey] = []
}

/// How a quiz ended, as the companion records it.
struct QuizEnd: Equatable, Sendable {
    let isFailed: Bool
    let cause: String?
}
