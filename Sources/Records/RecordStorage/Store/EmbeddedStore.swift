/// A store in a file of its own, which can be copied, checked and compacted while it is in use.
public protocol EmbeddedStore: RecordStore {
    /// Writes a complete copy to a file, slowly so that other users are hardly affected, and returns its size in bytes.
    func backUp(to path: String, progress: (_ done: Int, _ total: Int) -> Void) throws(StoreError) -> Int64

    /// Returns the problems of the store; empty if it is sound.
    func problems() throws(StoreError) -> [String]

    /// Returns the problems of the store; empty if it is sound.
    ///
    /// - Parameter progress: Called with the part of the work that is done, and all of it. A store that knows neither, as by
    ///   default, does not call it.
    func problems(progress: (_ done: Int, _ total: Int) -> Void) throws(StoreError) -> [String]

    /// Returns free space to the file system, in small steps.
    ///
    /// - Parameters:
    ///   - isAlone: True if the store has no other users, so that it can be blocked for seconds.
    ///   - progress: Called with the pages freed so far, and all free pages.
    /// - Returns: The size in bytes before and after.
    func compact(
        isAlone: Bool, progress: (_ done: Int, _ total: Int) -> Void
    ) throws(StoreError) -> (before: Int64, after: Int64)
}

extension EmbeddedStore {
    public func problems(progress: (_ done: Int, _ total: Int) -> Void) throws(StoreError) -> [String] {
        try problems()
    }
}
