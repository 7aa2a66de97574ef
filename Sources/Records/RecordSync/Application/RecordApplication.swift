import Foundation
public import RecordStorage

/// An application without its type: what stores, outboxes, services and commands need of it.
public struct RecordApplication: Sendable {
    /// The kind of its records.
    public let kind: RecordKind
    /// The name in its payloads, by which a host with several applications tells them apart; nil for the one whose
    /// payloads have none.
    package let payloadName: String?
    package let acknowledgements: AcknowledgementForm
    package let events: RecordEvents
    package let crashPoints: RecordCrashPoints
    package let usage: RecordUsage
    /// The columns that are no part of documents.
    package let derivedFields: Set<String>
    private let type: any RecordPayload.Type
    private let isAhead: (@Sendable (StoredRecord) -> Bool)?

    /// Creates the application of a payload's type.
    ///
    /// - Throws: `RecordKindError` if a name cannot be that of a table or a column.
    public init(_ type: (some RecordPayload).Type) throws(RecordKindError) {
        let kind = RecordKind(
            name: type.name, plural: type.plural, columns: type.columns.map(\.column), keepsFiles: type.hasFiles)
        try kind.check()
        self.init(type, kind: kind, payloadName: type.name, acknowledgements: .standard)
    }

    /// Creates the application of a type with a kind of its own.
    ///
    /// - Parameters:
    ///   - derivedFields: The columns that documents do not have, in the form of documents, for a type that refuses
    ///     unknown keys.
    ///   - isAhead: Tells from its columns whether a record contradicts the clock of its arrival; nil to decode its
    ///     archive.
    package init(
        _ type: any RecordPayload.Type, kind: RecordKind, payloadName: String?, acknowledgements: AcknowledgementForm,
        derivedFields: Set<String> = [], isAhead: (@Sendable (StoredRecord) -> Bool)? = nil
    ) {
        self.kind = kind
        self.payloadName = payloadName
        self.acknowledgements = acknowledgements
        self.type = type
        self.isAhead = isAhead
        self.derivedFields = derivedFields
        events = RecordEvents(kind)
        crashPoints = RecordCrashPoints(of: kind.name)
        usage = RecordUsage(kind)
    }

    /// The words of the command line for its records: “records workouts”.
    package var command: String { payloadName == nil ? kind.plural : "records \(kind.plural)" }

    /// True if its payloads may have files.
    package var hasFiles: Bool { kind.keepsFiles }

    /// The type of its payloads, if their documents are coded without a tree.
    package var directType: (any DirectDocument.Type)? { type as? any DirectDocument.Type }

    // MARK: - Payloads

    /// Returns the archive of a payload, which must be of the application's type.
    func archived(_ payload: any RecordPayload) throws -> Data {
        guard Swift.type(of: payload) == type else {
            throw PayloadError.undecodable("it is not \(kind.withArticle) but of the type \(Swift.type(of: payload))")
        }
        return try payload.archived()
    }

    /// Decodes an archive, and checks only its form. Throws ``PayloadError/undecodable(_:)``.
    package func decoded(from archive: Data) throws(PayloadError) -> any RecordPayload {
        do {
            return try type.decoded(from: archive)
        } catch {
            throw (error as? any PayloadRefusal)?.payloadError ?? .undecodable("\(error)")
        }
    }

    /// Decodes and validates a document.
    package func decoded(fromDocument document: Data) throws(PayloadError) -> any RecordPayload {
        try checked(Result { try type.decoded(fromDocument: document) })
    }

    /// Validates a payload that was decoded from a document.
    package func checked(_ decoded: Result<any RecordPayload, any Error>) throws(PayloadError) -> any RecordPayload {
        let payload: any RecordPayload
        do {
            payload = try decoded.get()
        } catch {
            throw (error as? any PayloadRefusal)?.payloadError ?? .undecodable("\(error)")
        }
        try validate(payload)
        return payload
    }

    /// Checks the content of a payload.
    package func validate(_ payload: any RecordPayload) throws(PayloadError) {
        try payload.attachedFile?.check()
        do {
            try payload.validate()
        } catch {
            throw (error as? any PayloadRefusal)?.payloadError ?? .invalid(field: kind.name, reason: "\(error)")
        }
    }

    /// Returns the record of a payload, with its archive as received.
    package func record(_ payload: some RecordPayload, device: UUID, archive: Data) -> Record {
        Record(
            key: RecordKey(payload.identifier, device: device), values: payload.values, archive: archive,
            file: payload.attachedFile?.digest)
    }

    /// Returns the record of a payload that this host made.
    package func record(_ payload: some RecordPayload, device: UUID) throws(PayloadError) -> Record {
        let archive: Data
        do {
            archive = try payload.archived()
        } catch {
            throw .undecodable("\(error)")
        }
        return record(payload, device: device, archive: archive)
    }

    /// Returns the values of the columns for an archive; nil if it cannot be read.
    package func values(of archive: Data) -> [RecordValue]? {
        do throws(PayloadError) {
            return try decoded(from: archive).values
        } catch {
            // The record is there; a verification names it.
            return nil
        }
    }

    /// Returns true if two archives have the same content; false if one is unreadable.
    package func isSame(_ archive: Data, _ other: Data) -> Bool {
        do throws(PayloadError) {
            return try isSame(decoded(from: archive), other)
        } catch {
            return false
        }
    }

    private func isSame<Payload: RecordPayload>(_ payload: Payload, _ other: Data) throws(PayloadError) -> Bool {
        guard let other = try decoded(from: other) as? Payload else { return false }
        return payload.isSame(as: other)
    }

    /// Returns true if a stored record contradicts the clock of its arrival.
    package func isAheadOfClock(_ record: StoredRecord) -> Bool {
        if let isAhead { return isAhead(record) }
        do throws(PayloadError) {
            return try decoded(from: record.record.archive).warning(at: record.receivedAt) != nil
        } catch {
            return false
        }
    }
}

extension RecordPayload {
    /// The values of the columns.
    package var values: [RecordValue] { Self.columns.map { $0.value(self) } }
}
