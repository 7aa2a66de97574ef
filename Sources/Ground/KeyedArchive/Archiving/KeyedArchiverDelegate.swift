/// A delegate that follows the writing of an archive: `NSKeyedArchiverDelegate` for ``KeyedArchiver``. All methods are
/// optional.
///
/// They are called for objects only: strings, numbers and Swift values have no identity by which a delegate could
/// recognize them.
public protocol KeyedArchiverDelegate: AnyObject {
    /// Returns the object to encode, which may be a replacement; nil to encode nil.
    func archiver(_ archiver: KeyedArchiver, willEncode object: Any) -> Any?
    /// Notifies the delegate that an object was encoded.
    func archiver(_ archiver: KeyedArchiver, didEncode object: Any?)
    /// Notifies the delegate that an object will be replaced.
    func archiver(_ archiver: KeyedArchiver, willReplace object: Any?, with newObject: Any?)
    /// Notifies the delegate that the archive will be finished.
    func archiverWillFinish(_ archiver: KeyedArchiver)
    /// Notifies the delegate that the archive is finished.
    func archiverDidFinish(_ archiver: KeyedArchiver)
}

extension KeyedArchiverDelegate {
    /// Returns the object unchanged.
    public func archiver(_ archiver: KeyedArchiver, willEncode object: Any) -> Any? { object }
    /// Does nothing.
    public func archiver(_ archiver: KeyedArchiver, didEncode object: Any?) {}
    /// Does nothing.
    public func archiver(_ archiver: KeyedArchiver, willReplace object: Any?, with newObject: Any?) {}
    /// Does nothing.
    public func archiverWillFinish(_ archiver: KeyedArchiver) {}
    /// Does nothing.
    public func archiverDidFinish(_ archiver: KeyedArchiver) {}
}
