/// Follows the writing of an archive: `NSKeyedArchiverDelegate` for ``KeyedArchiver``. All of it is optional.
///
/// Asked of objects only; strings, numbers and Swift's values have no identity that a delegate could know them by.
public protocol KeyedArchiverDelegate: AnyObject {
    /// The object to encode in place of another; nil to encode nothing.
    func archiver(_ archiver: KeyedArchiver, willEncode object: Any) -> Any?
    func archiver(_ archiver: KeyedArchiver, didEncode object: Any?)
    func archiver(_ archiver: KeyedArchiver, willReplace object: Any?, with newObject: Any?)
    func archiverWillFinish(_ archiver: KeyedArchiver)
    func archiverDidFinish(_ archiver: KeyedArchiver)
}

extension KeyedArchiverDelegate {
    public func archiver(_ archiver: KeyedArchiver, willEncode object: Any) -> Any? { object }
    public func archiver(_ archiver: KeyedArchiver, didEncode object: Any?) {}
    public func archiver(_ archiver: KeyedArchiver, willReplace object: Any?, with newObject: Any?) {}
    public func archiverWillFinish(_ archiver: KeyedArchiver) {}
    public func archiverDidFinish(_ archiver: KeyedArchiver) {}
}
