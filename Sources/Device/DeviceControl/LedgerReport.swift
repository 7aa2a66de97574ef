import Configuration
import EventLog
import Foundation
import LinkProtocol

/// A report of ledger entries.
enum LedgerReport {
    static func of(_ entries: [LedgerEntry]) throws -> JSONValue { .array(try entries.map(json)) }

    private static func json(_ entry: LedgerEntry) throws -> JSONValue {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(LogFormat.timestamp(date))
        }
        return try JSONValue(json: try encoder.encode(entry))
    }
}
