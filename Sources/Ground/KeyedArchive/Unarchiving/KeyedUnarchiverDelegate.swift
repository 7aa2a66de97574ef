/// Follows the reading of an archive: `NSKeyedUnarchiverDelegate` for ``KeyedUnarchiver``. All of it is optional.
public protocol KeyedUnarchiverDelegate: AnyObject {
    /// The class to make for a name that no class is known for; nil for none. It need not be among the allowed ones.
    ///
    /// - Parameter classNames: the name and those of the classes that it derives from, as the archive claims.
    func unarchiver(
        _ unarchiver: KeyedUnarchiver, cannotDecodeObjectOfClassName name: String, originalClasses classNames: [String]
    ) -> AnyClass?
    /// The object to use in place of the one decoded. Nil is an error: what was there is never lost in silence.
    func unarchiver(_ unarchiver: KeyedUnarchiver, didDecode object: Any?) -> Any?
    func unarchiverWillFinish(_ unarchiver: KeyedUnarchiver)
    func unarchiverDidFinish(_ unarchiver: KeyedUnarchiver)
}

extension KeyedUnarchiverDelegate {
    public func unarchiver(
        _ unarchiver: KeyedUnarchiver, cannotDecodeObjectOfClassName name: String, originalClasses classNames: [String]
    ) -> AnyClass? { nil }
    public func unarchiver(_ unarchiver: KeyedUnarchiver, didDecode object: Any?) -> Any? { object }
    public func unarchiverWillFinish(_ unarchiver: KeyedUnarchiver) {}
    public func unarchiverDidFinish(_ unarchiver: KeyedUnarchiver) {}
}
