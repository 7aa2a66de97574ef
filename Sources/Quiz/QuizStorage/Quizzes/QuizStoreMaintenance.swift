public import Foundation
public import Storage

/// The maintenance of a store while it is in use.
public protocol QuizStoreMaintenance: Sendable {
    /// Closes the store, which leaves everything in its one file. The next use opens it again.
    func close()

    /// Checks that the store can be used and that its files are still in place. Throws an error if not.
    func look() throws(DatabaseError)

    /// Writes a complete copy to a file, slowly so that other users are hardly affected, and returns its size in bytes.
    func backUp(to path: String, progress: (_ done: Int, _ total: Int) -> Void) throws(DatabaseError) -> Int64

    /// Returns the problems of the store; empty if it is sound.
    func problems() throws(DatabaseError) -> [String]

    /// Returns the number of quizzes, and of those that arrived before a time.
    func ages(before time: Date) throws(DatabaseError) -> QuizAges

    /// Returns free space to the file system, in small steps.
    ///
    /// - Parameters:
    ///   - isAlone: True if the store has no other users, so that it can be blocked for seconds.
    ///   - progress: Called with the pages freed so far, and all free pages.
    /// - Returns: The size in bytes before and after.
    func compact(
        isAlone: Bool, progress: (_ done: Int, _ total: Int) -> Void
    ) throws(DatabaseError) -> (before: Int64, after: Int64)
}
