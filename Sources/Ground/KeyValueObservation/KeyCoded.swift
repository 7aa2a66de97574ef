/// An object whose properties text can name.
package protocol KeyCoded: KeyValueObservable {
    /// Returns the property of a name: one of Objective-C, such as `reachable`, or its getter's, such as `isReachable`;
    /// nil if the object has none.
    func property(named key: String) -> KeyedProperty?
}
