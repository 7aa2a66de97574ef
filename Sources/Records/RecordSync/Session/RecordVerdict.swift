/// The host's verdict on a payload.
public enum RecordVerdict: String, CaseIterable, Sendable {
    /// The payload is durable in the database.
    case stored
    /// The payload was already in the database, with the same content.
    case repeated
    /// The bytes are not a payload.
    case undecodable
    /// The content is invalid.
    case invalid
    /// The database has a payload with this identifier but different content.
    case conflict
    /// The payload's file is not here: it must be sent again before the payload.
    case fileMissing
    /// The database is currently unavailable.
    case unavailable
}
