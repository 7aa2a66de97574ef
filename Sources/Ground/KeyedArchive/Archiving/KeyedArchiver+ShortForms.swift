public import Foundation

/// Foundation's older, shorter forms, for code that has them: without secure coding, and without a word about what is wrong.
extension KeyedArchiver {
    /// The archive of one object, under the key “root”; empty if there is no archived form of it.
    @available(
        *, deprecated, message: "Use archivedData(withRootObject:requiringSecureCoding:), which says what is wrong."
    )
    public class func archivedData(withRootObject rootObject: Any) -> Data {
        (try? archivedData(withRootObject: rootObject, requiringSecureCoding: false)) ?? Data()
    }

    /// Writes the archive of one object to a file, which is there whole or not at all.
    ///
    /// - Returns: whether it was archived and written.
    @available(*, deprecated, message: "Write what archivedData(withRootObject:requiringSecureCoding:) gives.")
    public class func archiveRootObject(_ rootObject: Any, toFile path: String) -> Bool {
        do {
            try archivedData(withRootObject: rootObject, requiringSecureCoding: false)
                .write(to: URL(filePath: path), options: .atomic)
            return true
        } catch {
            return false
        }
    }
}
