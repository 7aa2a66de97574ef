public import Foundation
public import Storage

/// Where a host keeps its quizzes. Every change is durable when its method returns.
public protocol QuizStore: Sendable {
    /// Stores all in one transaction, in their order; the outcomes are in the same order.
    func insert(_ arrivals: [QuizArrival]) throws(DatabaseError) -> [InsertOutcome]

    /// The archive of a quiz as it was received, whatever was changed here since. Nil if there is none.
    func receivedArchive(_ identifier: UUID, device: UUID) throws(DatabaseError) -> Data?

    /// Replaces the content of the quiz with this identifier and device. False if there is none.
    func update(_ quiz: NewQuiz, updatedAt: Date) throws(DatabaseError) -> Bool

    /// Removes a quiz for good: a late repeat of it is answered as stored, and is not stored again. False if there is none.
    func delete(_ identifier: UUID, device: UUID, deletedAt: Date) throws(DatabaseError) -> Bool

    /// Removes up to `limit` of the oldest quizzes: those that arrived before a time, and those beyond the latest so many. Unlike
    /// ``delete(_:device:deletedAt:)`` nothing is remembered of them.
    ///
    /// - Returns: The identifier and device of each.
    func expire(
        receivedBefore time: Date?, keeping count: Int?, limit: Int
    ) throws(DatabaseError) -> [(identifier: UUID, device: UUID)]

    /// The quizzes of an identifier: one for each device that took one, in the order of arrival.
    func quizzes(identifier: UUID) throws(DatabaseError) -> [StoredQuiz]

    /// Up to `limit` quizzes in the order of arrival, beginning after a sequence number; 0 begins at the first. Fewer where they
    /// are large; none if there are none.
    func quizzes(after sequence: Int64, limit: Int) throws(DatabaseError) -> [StoredQuiz]

    /// The latest quizzes to arrive, the newest first.
    func latestQuizzes(limit: Int) throws(DatabaseError) -> [StoredQuiz]

    /// How many quizzes there are.
    func count() throws(DatabaseError) -> Int
}

extension QuizStore {
    /// Stores quizzes that arrived at one time, as ``insert(_:)`` does.
    public func insert(_ quizzes: [NewQuiz], receivedAt: Date) throws(DatabaseError) -> [InsertOutcome] {
        try insert(quizzes.map { QuizArrival($0, receivedAt: receivedAt) })
    }
}
