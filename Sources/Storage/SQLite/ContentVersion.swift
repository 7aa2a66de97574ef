/// The content of a database as one connection sees it: equal for as long as nobody changes anything, here or elsewhere.
struct ContentVersion: Equatable, Sendable {
    /// SQLite counts for each connection on its own.
    let connection: UInt64
    let number: UInt32
}
