import Configuration
import Foundation
import RecordSync

/// The JSON of an application's records in answers: the columns, and the fields of the payload's document.
struct RecordForm: Sendable {
    let application: RecordApplication

    /// The keys of every record's answer that are no part of its payload.
    private static let common: Set<String> = ["sequence", "device", "receivedAt", "updatedAt", "isAheadOfClock"]

    /// Returns the columns of a record with the host's judgement of it.
    func summary(_ stored: StoredRecord) -> JSONValue { marked(columns(stored), stored) }

    /// Returns a record with its payload, which only the archive contains.
    func whole(_ stored: StoredRecord) -> JSONValue { .object(fields(stored)) }

    /// Returns a record with its payload and the host's judgement of it, which an export does not contain.
    func shown(_ stored: StoredRecord) -> JSONValue { marked(fields(stored), stored) }

    /// Returns the fields of a payload's document.
    func document(of archive: Data) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: try application.decoded(from: archive).document())
    }

    /// Returns the payload's part of an exported record, for its document.
    func documentFields(of exported: [String: JSONValue]) -> [String: JSONValue] {
        exported.filter { !Self.common.contains($0.key) && !application.derivedFields.contains($0.key) }
    }

    private func marked(_ fields: [String: JSONValue], _ stored: StoredRecord) -> JSONValue {
        var fields = fields
        fields["isAheadOfClock"] = .boolean(application.isAheadOfClock(stored))
        return .object(fields)
    }

    private func columns(_ stored: StoredRecord) -> [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "sequence": .integer(stored.sequence),
            "identifier": .string(stored.record.key.identifier.uuidString),
            "device": .string(stored.record.key.device.uuidString),
            "receivedAt": .string(TimeText.text(stored.receivedAt)),
            "updatedAt": stored.updatedAt.map { .string(TimeText.text($0)) } ?? .null,
        ]
        for (column, value) in zip(application.kind.columns, stored.record.values) {
            fields[column.fieldName] = Self.json(value)
        }
        return fields
    }

    private func fields(_ stored: StoredRecord) -> [String: JSONValue] {
        var fields = columns(stored)
        do {
            guard case .object(let document) = try document(of: stored.record.archive) else { return fields }
            // The columns are what the store finds; another program may have changed them.
            fields.merge(document) { column, _ in column }
        } catch {
            // Another program wrote the row: show its columns.
            fields["archiveError"] = .string((error as? PayloadError).map(application.kind.text) ?? "\(error)")
        }
        return fields
    }

    private static func json(_ value: RecordValue) -> JSONValue {
        switch value {
        case .text(let text): .string(text)
        case .integer(let integer): .integer(integer)
        case .real(let real): .number(real)
        case .date(let date): .string(TimeText.text(date))
        }
    }
}
