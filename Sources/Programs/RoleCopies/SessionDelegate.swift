/// A class of an app that conforms to `WCSessionDelegate`.
package struct SessionDelegate: Equatable, Sendable {
    package let name: String
    /// The expression for an object of the class; nil if its initialisers need arguments.
    package let expression: String?
}
