/// A class of an app that conforms to `WCSessionDelegate`.
package struct SessionDelegate: Equatable, Sendable {
    package let name: String
    /// The expression for an object of the class, or of the type that creates it; nil if its initialisers need arguments.
    package let expression: String?
    /// The type that creates it, if the expression is for an object of that one.
    package var creator: String?
}
