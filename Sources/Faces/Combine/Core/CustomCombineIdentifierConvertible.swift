/// A type with an identifier for subscribers and subscriptions. Classes have it by their identity.
public protocol CustomCombineIdentifierConvertible {
    /// The identifier, which stays the same as long as the value exists.
    var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
    /// The identifier of the object.
    public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}
