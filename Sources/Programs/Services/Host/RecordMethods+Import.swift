import Configuration
import ControlSocket
import EventLog
import Foundation
import LinkProtocol
import RecordSync

/// The import of exported records.
extension RecordMethods {
    /// The parameter with which the requests of one import name it.
    package static let importName = "import"

    /// Imports exported records with their original device and arrival time. Records that exist or were deleted are
    /// skipped.
    func importAll(_ params: JSONValue) throws -> JSONValue {
        let arrivals = try arrivals(in: params)
        try keepFiles(of: arrivals, from: params["files"])
        return imported(try store.insert(arrivals)[...])
    }

    /// Does the same, and answers when the records are stored. Meanwhile, further requests can be decoded; the records of all that
    /// wait are then stored in one commit, and after one that fails, none of the same import.
    func beginImport(_ params: JSONValue, _ respond: @escaping ControlServer.Respond) {
        let part = ImportQueue.Part(
            name: params[Self.importName]?.string, arrivals: Result { try arrivals(in: params) },
            files: params["files"], respond: respond)
        imports.add(part) { [self] in store($0) }
    }

    private func store(_ parts: [ImportQueue.Part]) {
        var ready: [(part: ImportQueue.Part, arrivals: [RecordArrival])] = []
        for part in parts {
            do {
                guard !imports.hasFailed(part.name) else {
                    throw ControlError(ControlError.refused, "a request before it in the same import failed")
                }
                let arrivals = try part.arrivals.get()
                try keepFiles(of: arrivals, from: part.files)
                ready.append((part, arrivals))
            } catch {
                storeTogether(ready)
                ready = []
                imports.fail(part, with: answering { throw error })
            }
        }
        storeTogether(ready)
    }

    private func storeTogether(_ ready: [(part: ImportQueue.Part, arrivals: [RecordArrival])]) {
        guard !ready.isEmpty else { return }
        do throws(StoreError) {
            var rest = try store.insert(ready.flatMap(\.arrivals))[...]
            for (part, arrivals) in ready {
                part.respond(.success(imported(rest.prefix(arrivals.count))))
                rest = rest.dropFirst(arrivals.count)
            }
        } catch {
            for (part, _) in ready { imports.fail(part, with: answering { throw error }) }
        }
    }

    private func imported(_ outcomes: ArraySlice<InsertOutcome>) -> JSONValue {
        let stored = outcomes.count { if case .stored = $0 { true } else { false } }
        logger.log(application.events.imported, [.count(stored)])
        return ["stored": .integer(Int64(stored)), "present": .integer(Int64(outcomes.count - stored))]
    }

    /// Decodes the records of a request. All are decoded before any is stored: with an error, nothing of the request is stored.
    private func arrivals(in params: JSONValue) throws -> [RecordArrival] {
        let plural = application.kind.plural
        guard let rows = try params[plural].flatMap(RowText.rows) else {
            throw ControlError(ControlError.invalidParams, "“\(plural)” must be a list")
        }
        return try RowConversion.all(rows) { rows in
            let decoder = JSONDecoder()
            return try rows.map { try exported($0, decoder) }
        }
    }

    private func exported(_ row: Data, _ decoder: JSONDecoder) throws -> RecordArrival {
        let record = try imported(row, decoder)
        guard let device = record.device.flatMap(UUID.init(text:)) else {
            throw PayloadError.invalid(
                field: "device",
                reason: "must be a UUID; only the output of “\(application.command) export” can be imported")
        }
        guard let receivedAt = record.receivedAt.flatMap(TimeText.date) else {
            throw PayloadError.invalid(field: "receivedAt", reason: "must be a time like 2026-11-20T18:30:00Z")
        }
        let payload = try application.checked(record.payload)
        return RecordArrival(try application.record(payload, device: device), receivedAt: receivedAt)
    }

    private func imported(_ row: Data, _ decoder: JSONDecoder) throws -> ImportedRecord {
        do {
            if let type = application.directType,
                let record = ImportedRecord(plain: row, of: type, beside: form.otherFields)
            {
                return record
            }
            let fields = try decoder.decode([String: JSONValue].self, from: row)
            let document = JSONValue.object(form.documentFields(of: fields))
            return ImportedRecord(
                device: fields["device"]?.string, receivedAt: fields["receivedAt"]?.string,
                payload: Result { try application.decoded(fromDocument: Data(try document.text().utf8)) })
        } catch DecodingError.typeMismatch(_, let context) where context.codingPath.isEmpty {
            throw PayloadError.undecodable("an entry must be an object { … }")
        } catch is DecodingError {
            throw PayloadError.undecodable("an entry is not JSON")
        }
    }
}
