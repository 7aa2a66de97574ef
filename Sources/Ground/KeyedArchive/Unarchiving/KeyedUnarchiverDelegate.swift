/// A delegate that follows the reading of an archive: `NSKeyedUnarchiverDelegate` for ``KeyedUnarchiver``. All methods
/// are optional.
public protocol KeyedUnarchiverDelegate: AnyObject {
    /// Returns the class for an unknown name; nil for none. It need not be one of the allowed classes.
    ///
    /// - Parameters:
    ///   - unarchiver: The caller.
    ///   - name: The unknown name.
    ///   - classNames: The names of the class and its ancestors, as claimed by the archive.
    func unarchiver(
        _ unarchiver: KeyedUnarchiver, cannotDecodeObjectOfClassName name: String, originalClasses classNames: [String]
    ) -> AnyClass?
    /// Returns the object to use instead of the decoded one. Nil is an error, so that no object is lost silently.
    func unarchiver(_ unarchiver: KeyedUnarchiver, didDecode object: Any?) -> Any?
    /// Notifies the delegate that reading will be finished.
    func unarchiverWillFinish(_ unarchiver: KeyedUnarchiver)
    /// Notifies the delegate that reading is finished.
    func unarchiverDidFinish(_ unarchiver: KeyedUnarchiver)
}

extension KeyedUnarchiverDelegate {
    /// Returns nil.
    public func unarchiver(
        _ unarchiver: KeyedUnarchiver, cannotDecodeObjectOfClassName name: String, originalClasses classNames: [String]
    ) -> AnyClass? { nil }
    /// Returns the object unchanged.
    public func unarchiver(_ unarchiver: KeyedUnarchiver, didDecode object: Any?) -> Any? { object }
    /// Does nothing.
    public func unarchiverWillFinish(_ unarchiver: KeyedUnarchiver) {}
    /// Does nothing.
    public func unarchiverDidFinish(_ unarchiver: KeyedUnarchiver) {}
}
