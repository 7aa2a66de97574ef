/// A version of a database's content as one connection sees it: equal as long as no connection changes anything.
package struct ContentVersion: Equatable, Sendable {
    /// The number of the connection: SQLite counts versions for each connection separately.
    package let connection: UInt64
    package let number: UInt32
}
