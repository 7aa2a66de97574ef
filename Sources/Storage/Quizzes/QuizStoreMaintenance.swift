/// What an operator does with a store, while it is used.
public protocol QuizStoreMaintenance: Sendable {
    /// Lets go of the store: everything is in its one file then. The next use opens it again.
    func close()

    /// Writes a copy of everything to a file, and returns its size in bytes.
    func backUp(to path: String) throws(DatabaseError) -> Int64

    /// What is wrong with the store; nothing if it is sound.
    func problems() throws(DatabaseError) -> [String]

    /// Gives free space back to the file system. Others wait meanwhile.
    ///
    /// - Returns: The size in bytes before and after.
    func compact() throws(DatabaseError) -> (before: Int64, after: Int64)
}
