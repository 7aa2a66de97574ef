import Configuration
import Foundation
import RecordSync

/// The JSON of an application's records in answers: the columns, and the fields of the payload's document.
struct RecordForm: Sendable {
    let application: RecordApplication
    /// The keys of an exported record that are no part of its payload's document.
    let otherFields: Set<String>
    /// The names of the columns in answers.
    private let fieldNames: [String]
    private let summaryRow: RecordRow
    /// Nil for an application whose documents are made as values.
    private let wholeRow: RecordRow?

    private static let archiveError = "archiveError"
    /// The keys of every record's answer that are no part of its payload.
    private static let common: Set<String> = ["sequence", "device", "receivedAt", "updatedAt", "isAheadOfClock"]

    init(application: RecordApplication) {
        self.application = application
        otherFields = Self.common.union(application.derivedFields)
        let names = application.kind.columns.map(\.fieldName)
        fieldNames = names
        summaryRow = RecordRow(columns: names, isMarked: true)
        wholeRow = application.directType.map {
            RecordRow(columns: names, document: $0.documentKeys, isMarked: false)
        }
    }

    /// The part of a record that an answer has.
    enum Extent {
        /// The columns, with the host's judgement.
        case summary
        /// The columns and the payload.
        case whole
    }

    /// Returns a record as a value.
    func value(_ stored: StoredRecord, _ extent: Extent) -> JSONValue { .object(fields(stored, extent)) }

    /// Writes the same value, without making it first.
    func write(_ stored: StoredRecord, _ extent: Extent, to writer: inout JSONWriter) throws {
        switch extent {
        case .summary: try summaryRow.write(stored, nil, of: application, to: &writer)
        case .whole:
            guard let wholeRow, let payload = payload(of: stored) else {
                return try writer.value(value(stored, extent))
            }
            try wholeRow.write(stored, payload, of: application, to: &writer)
        }
    }

    private func payload(of stored: StoredRecord) -> (any DirectDocument)? {
        do throws(PayloadError) {
            return try application.decoded(from: stored.record.archive) as? any DirectDocument
        } catch {
            // The value tells the error.
            return nil
        }
    }

    /// Returns the columns of a record with the host's judgement of it.
    func summary(_ stored: StoredRecord) -> JSONValue { value(stored, .summary) }

    /// Returns a record with its payload, which only the archive contains.
    func whole(_ stored: StoredRecord) -> JSONValue { value(stored, .whole) }

    /// Returns a record with its payload and the host's judgement of it, which an export does not contain.
    func shown(_ stored: StoredRecord) -> JSONValue { .object(marked(fields(stored, .whole), stored)) }

    /// Returns the fields of a payload's document.
    func document(of archive: Data) throws -> JSONValue {
        try JSONValue(json: try application.decoded(from: archive).document())
    }

    /// Returns the payload's part of an exported record, for its document.
    func documentFields(of exported: [String: JSONValue]) -> [String: JSONValue] {
        exported.filter { !otherFields.contains($0.key) }
    }

    private func fields(_ stored: StoredRecord, _ extent: Extent) -> [String: JSONValue] {
        switch extent {
        case .summary: marked(columns(stored), stored)
        case .whole: fields(stored)
        }
    }

    private func marked(_ fields: [String: JSONValue], _ stored: StoredRecord) -> [String: JSONValue] {
        var fields = fields
        fields["isAheadOfClock"] = .boolean(application.isAheadOfClock(stored))
        return fields
    }

    private func columns(_ stored: StoredRecord) -> [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "sequence": .integer(stored.sequence),
            "identifier": .string(stored.record.key.identifier.uuidString),
            "device": .string(stored.record.key.device.uuidString),
            "receivedAt": .string(TimeText.text(stored.receivedAt)),
            "updatedAt": stored.updatedAt.map { .string(TimeText.text($0)) } ?? .null,
        ]
        for (name, value) in zip(fieldNames, stored.record.values) { fields[name] = Self.json(value) }
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
            fields[Self.archiveError] = .string((error as? PayloadError).map(application.kind.text) ?? "\(error)")
        }
        return fields
    }

    static func json(_ value: RecordValue) -> JSONValue {
        switch value {
        case .text(let text): .string(text)
        case .integer(let integer): .integer(integer)
        case .real(let real): .number(real)
        case .date(let date): .string(TimeText.text(date))
        }
    }
}
