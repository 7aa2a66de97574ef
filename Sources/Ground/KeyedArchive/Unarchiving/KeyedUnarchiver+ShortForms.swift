public import Foundation

/// Foundation's older, shorter forms, for code that has them. They name no class: plain values are read, and classes that the
/// program set for a name, with ``KeyedUnarchiver/setClass(_:forClassName:)-swift.type.method`` or
/// ``KeyedArchiver/setClassName(_:for:)-swift.type.method``. Where Foundation ends the process, nil or an error comes.
extension KeyedUnarchiver {
    /// The object under “root”; nil if the data is no such archive.
    @available(
        *, deprecated, message: "Use unarchivedObject(ofClass:from:), which names the class and says what is wrong."
    )
    public class func unarchiveObject(with data: Data) -> Any? {
        try? unnamedObject(from: data)
    }

    /// The object under “root”.
    ///
    /// - Throws: ``ArchiveError``, or the error that a class gave to `failWithError(_:)`.
    @available(*, deprecated, message: "Use unarchivedObject(ofClass:from:), which names the class.")
    public class func unarchiveTopLevelObjectWithData(_ data: Data) throws -> Any? {
        try unnamedObject(from: data)
    }

    /// The object under “root” of a file's archive; nil if there is no such file, or no such archive in it.
    @available(
        *, deprecated, message: "Use unarchivedObject(ofClass:from:), which names the class and says what is wrong."
    )
    public class func unarchiveObject(withFile path: String) -> Any? {
        // One byte more than may be read, so that a longer file is refused without being read whole.
        guard let file = FileHandle(forReadingAtPath: path),
            let data = try? file.read(upToCount: ArchiveLimits.standard.bytes + 1)
        else { return nil }
        return try? unnamedObject(from: data)
    }

    private class func unnamedObject(from data: Data) throws -> Any? { try object(of: nil, from: data) }
}
