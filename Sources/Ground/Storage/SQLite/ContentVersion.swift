/// The content of a database as one connection sees it: equal for as long as nobody changes anything, here or elsewhere.
package struct ContentVersion: Equatable, Sendable {
    /// SQLite counts for each connection on its own.
    package let connection: UInt64
    package let number: UInt32
}
