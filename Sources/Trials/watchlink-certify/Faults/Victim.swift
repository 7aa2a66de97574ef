import PostgreSQLStorage
import Processes

/// The child process that inserts until it is killed.
struct Victim {
    private let settings: PostgreSQLSettings
    private let table: String

    init(_ settings: PostgreSQLSettings, table: String) { (self.settings, self.table) = (settings, table) }

    func run() throws -> ExitCode { .success }
}
