public import Foundation
public import Storage

/// What an operator does with a store, while it is used.
public protocol QuizStoreMaintenance: Sendable {
    /// Lets go of the store: everything is in its one file then. The next use opens it again.
    func close()

    /// Looks whether the store can be used, and its files are still in their place.
    func look() throws(DatabaseError)

    /// Writes a copy of everything to a file, slowly enough that others hardly notice, and returns its size in bytes.
    func backUp(to path: String, progress: (_ done: Int, _ total: Int) -> Void) throws(DatabaseError) -> Int64

    /// What is wrong with the store; nothing if it is sound.
    func problems() throws(DatabaseError) -> [String]

    /// How many quizzes arrived before a time.
    func ages(before time: Date) throws(DatabaseError) -> QuizAges

    /// Gives free space back to the file system, a little at a time.
    ///
    /// - Parameter isAlone: Whether nobody else waits for the store: it may be taken for seconds then.
    /// - Returns: The size in bytes before and after.
    func compact(
        isAlone: Bool, progress: (_ done: Int, _ total: Int) -> Void
    ) throws(DatabaseError) -> (before: Int64, after: Int64)
}
