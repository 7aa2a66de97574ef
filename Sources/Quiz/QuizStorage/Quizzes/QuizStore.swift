public import Foundation
public import Storage

/// A host's storage of quizzes. Every change is durable when its method returns.
public protocol QuizStore: Sendable {
    /// Stores quizzes in one transaction, in their order, and returns their outcomes in the same order.
    func insert(_ arrivals: [QuizArrival]) throws(DatabaseError) -> [InsertOutcome]

    /// Returns the archive of a quiz as received, regardless of later changes; nil if the quiz does not exist.
    func receivedArchive(_ identifier: UUID, device: UUID) throws(DatabaseError) -> Data?

    /// Replaces the content of the quiz with this identifier and device. Returns false if it does not exist.
    func update(_ quiz: NewQuiz, updatedAt: Date) throws(DatabaseError) -> Bool

    /// Deletes a quiz permanently: a late duplicate is answered as stored, and not stored again. Returns false if the
    /// quiz does not exist.
    func delete(_ identifier: UUID, device: UUID, deletedAt: Date) throws(DatabaseError) -> Bool

    /// Deletes up to `limit` of the oldest quizzes: those that arrived before a time, and those beyond the latest
    /// `count`. Unlike ``delete(_:device:deletedAt:)`` it keeps no record of them.
    ///
    /// - Returns: The identifier and device of each.
    func expire(
        receivedBefore time: Date?, keeping count: Int?, limit: Int
    ) throws(DatabaseError) -> [(identifier: UUID, device: UUID)]

    /// Returns the quizzes with an identifier, one for each device that used it, in the order of arrival.
    func quizzes(identifier: UUID) throws(DatabaseError) -> [StoredQuiz]

    /// Returns up to `limit` quizzes in the order of arrival after a sequence number; 0 starts with the first. Large
    /// quizzes make a page shorter, but it is empty only at the end.
    func quizzes(after sequence: Int64, limit: Int) throws(DatabaseError) -> [StoredQuiz]

    /// Returns the latest quizzes to arrive, the newest first.
    func latestQuizzes(limit: Int) throws(DatabaseError) -> [StoredQuiz]

    /// Returns the number of quizzes.
    func count() throws(DatabaseError) -> Int
}

extension QuizStore {
    /// Stores quizzes that arrived at the same time, as ``insert(_:)`` does.
    public func insert(_ quizzes: [NewQuiz], receivedAt: Date) throws(DatabaseError) -> [InsertOutcome] {
        try insert(quizzes.map { QuizArrival($0, receivedAt: receivedAt) })
    }
}
