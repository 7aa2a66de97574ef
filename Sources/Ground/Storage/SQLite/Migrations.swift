/// The versions of a database's schema, in order.
package struct Migrations: Sendable, Equatable, ExpressibleByArrayLiteral {
    /// SQL that brings a schema from each version to the next; never edited once released.
    package let steps: [String]
    /// SQL that gives an empty file the latest version at once, with the content that all steps leave there: the steps of
    /// former programs would take most of the time in which a new file is made. Nil to take the steps.
    package let latest: String?

    package init(_ steps: [String], latest: String? = nil) { (self.steps, self.latest) = (steps, latest) }

    package init(arrayLiteral steps: String...) { self.init(steps) }
}
