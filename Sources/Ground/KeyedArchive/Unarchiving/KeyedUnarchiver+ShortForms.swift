public import Foundation

/// Foundation's older methods, for existing code. They name no class: they read plain values, and objects of classes
/// for which the program set a name with ``KeyedUnarchiver/setClass(_:forClassName:)-swift.type.method`` or
/// ``KeyedArchiver/setClassName(_:for:)-swift.type.method``. Where Foundation would crash the process, they return nil
/// or throw.
extension KeyedUnarchiver {
    /// Returns the object under “root”; nil if the data is not such an archive.
    @available(
        *, deprecated, message: "Use unarchivedObject(ofClass:from:), which names the class and throws errors."
    )
    public class func unarchiveObject(with data: Data) -> Any? {
        try? unnamedObject(from: data)
    }

    /// Returns the object under “root”.
    ///
    /// - Throws: ``ArchiveError``, or an error that a class passed to `failWithError(_:)`.
    @available(*, deprecated, message: "Use unarchivedObject(ofClass:from:), which names the class.")
    public class func unarchiveTopLevelObjectWithData(_ data: Data) throws -> Any? {
        try unnamedObject(from: data)
    }

    /// Returns the object under “root” of an archive in a file; nil if there is no such file or archive.
    @available(
        *, deprecated, message: "Use unarchivedObject(ofClass:from:), which names the class and throws errors."
    )
    public class func unarchiveObject(withFile path: String) -> Any? {
        // One byte above the limit, so that a longer file is refused without reading it completely.
        guard let file = FileHandle(forReadingAtPath: path),
            let data = try? file.read(upToCount: ArchiveLimits.standard.bytes + 1)
        else { return nil }
        return try? unnamedObject(from: data)
    }

    private class func unnamedObject(from data: Data) throws -> Any? { try object(of: nil, from: data) }
}
