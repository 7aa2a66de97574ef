import Configuration
import LinkProtocol
import RecordSync

/// The fields of an application's records in answers, in the order in which they are written, and where the value of
/// each comes from.
///
/// The columns win over fields of the payload's document, because the columns are what the store finds; another program
/// may have changed them.
struct RecordRow: Sendable {
    enum Source: Sendable {
        case sequence, identifier, device, receivedAt, updatedAt, isAheadOfClock
        /// One of the kind's columns.
        case column(Int)
        /// A field of the payload's document.
        case document
    }

    private let fields: [(key: String, source: Source)]

    /// - Parameters:
    ///   - columns: The names of the kind's columns in answers.
    ///   - document: The keys of the payload's document; none for the columns alone.
    ///   - isMarked: True for the host's judgement of the record.
    init(columns: [String], document: [String] = [], isMarked: Bool) {
        var sources: [String: Source] = [
            "sequence": .sequence, "identifier": .identifier, "device": .device, "receivedAt": .receivedAt,
            "updatedAt": .updatedAt,
        ]
        for (place, name) in columns.enumerated() { sources[name] = .column(place) }
        if isMarked { sources["isAheadOfClock"] = .isAheadOfClock }
        for key in document where sources[key] == nil { sources[key] = .document }
        fields = sources.sorted { $0.key < $1.key }.map { (key: $0.key, source: $0.value) }
    }

    /// Writes a record as an object.
    ///
    /// - Parameter payload: Its payload; nil for the columns alone.
    func write(
        _ stored: StoredRecord, _ payload: (any DirectDocument)?, of application: RecordApplication,
        to writer: inout JSONWriter
    ) throws {
        try writer.object { (object) throws in
            for (key, source) in fields {
                object.key(key)
                switch source {
                case .sequence: object.integer(stored.sequence)
                case .identifier: object.string(stored.record.key.identifier.text)
                case .device: object.string(stored.record.key.device.text)
                case .receivedAt: object.string(TimeText.text(stored.receivedAt))
                case .updatedAt:
                    if let time = stored.updatedAt { object.string(TimeText.text(time)) } else { object.null() }
                case .isAheadOfClock: object.boolean(application.isAheadOfClock(stored))
                case .column(let place): try object.value(RecordForm.json(stored.record.values[place]))
                case .document: try payload?.write(key, to: &object)
                }
            }
        }
    }
}
