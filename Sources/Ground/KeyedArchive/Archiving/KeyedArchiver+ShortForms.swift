public import Foundation

/// Foundation's older methods, for existing code: without secure coding, and without error descriptions.
extension KeyedArchiver {
    /// Archives an object under the key “root”; returns empty data if it cannot be archived.
    @available(
        *, deprecated, message: "Use archivedData(withRootObject:requiringSecureCoding:), which throws errors."
    )
    public class func archivedData(withRootObject rootObject: Any) -> Data {
        (try? archivedData(withRootObject: rootObject, requiringSecureCoding: false)) ?? Data()
    }

    /// Archives an object to a file, which is replaced atomically.
    ///
    /// - Returns: True if it was archived and written.
    @available(*, deprecated, message: "Write the result of archivedData(withRootObject:requiringSecureCoding:).")
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
