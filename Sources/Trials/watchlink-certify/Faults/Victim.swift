import PostgreSQLRules
import PostgreSQLStorage
import Processes
import RecordStorage
import ServiceRuntime

/// The child process that inserts until it is killed, and reports each confirmed batch.
struct Victim {
    private let settings: PostgreSQLSettings
    private let kind: RecordKind

    init(_ settings: PostgreSQLSettings, table: String) {
        self.settings = settings
        kind = FaultTable.kind(table)
    }

    func run() throws -> ExitCode {
        // Its first line says where it begins: after what the table has.
        let store = try SharedStore.store(kind: kind, settings: settings)
        var number = Int(try store.count() / 3) + 1
        while true {
            let outcomes = try FaultTable.insert(number, into: store)
            // A batch that the former victim sent, but did not live to see confirmed, is there already.
            StandardOutput.report("confirmed \(number) \(outcomes.allSatisfy { $0 != .conflict })")
            number += 1
        }
    }
}
