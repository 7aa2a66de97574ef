import DeviceEngine
import Foundation
import LinkProtocol
import QuizSync
import RecordStorage

/// The records of a device's app: the companion's outbox, or the host's quizzes.
struct AppRecords: Sendable {
    struct Entry: Sendable {
        let position: Int64
        var end: QuizEnd?
    }

    var outbox = NameTable<Entry>()
    var lastPosition: Int64 = 0
    /// The number of rows for each quiz. The database's unique index of quiz and watch makes it one.
    var quizzes = NameTable<Int>()
    /// The same quizzes in row order.
    var rows: [RecordKey] = []
}

/// The end of a quiz, as the companion records it.
struct QuizEnd: Equatable, Sendable {
    let isFailed: Bool
    let cause: String?
}
