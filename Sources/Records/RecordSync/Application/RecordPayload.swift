public import Foundation

/// The type of an application's payload: what one device makes, keeps in its outbox and sends, and the other stores.
///
/// A `Codable` type needs a name, an identifier and columns:
///
///     struct Workout: RecordPayload, Codable {
///         static let name = "workout"
///         static let columns: [PayloadColumn<Workout>] = [
///             .text("sport") { $0.sport }, .date("started_at") { $0.startedAt },
///         ]
///         let identifier: UUID
///         let sport: String
///         let startedAt: Date
///     }
///
/// The names become those of a table, of log events, of control methods and of a command (`RecordKind`).
public protocol RecordPayload: Sendable {
    /// The singular name in lower-case letters, as in texts and events: “workout”.
    static var name: String { get }
    /// The plural name in lower-case letters and digits; by default the name with an “s”.
    static var plural: String { get }
    /// The values that a store shows for each payload without reading its archive; none by default.
    static var columns: [PayloadColumn<Self>] { get }

    /// The property with the payload's file; nil, the default, for payloads without files (``PayloadFile``).
    static var file: WritableKeyPath<Self, PayloadFile?>? { get }

    /// The identifier, the same in every retry: a host stores a payload once for each device.
    var identifier: UUID { get }

    /// Checks the content, on the device before it is accepted and on the host before it is stored; valid by default.
    ///
    /// A rejection is final, so it must depend only on the content: a clock may be wrong (``warning(at:)``).
    ///
    /// - Throws: ``PayloadError/invalid(field:reason:)`` with the first invalid field, or another error; its text names
    ///   fields and rules, never the content, because it is logged.
    func validate() throws

    /// Returns a warning if the content contradicts a clock, as when it is from a later time; nil by default.
    ///
    /// One of the two clocks is wrong, and it is unknown which: the payload is stored, and the warning is shown.
    func warning(at time: Date) -> String?

    /// Returns the keyed archive that is sent and stored.
    func archived() throws -> Data
    /// Decodes an archive, and checks only its form.
    static func decoded(from archive: Data) throws -> Self

    /// Returns the payload in JSON: one object.
    func document() throws -> Data
    /// Decodes a payload from JSON.
    ///
    /// - Throws: ``PayloadError`` with the wrong field, or another error for what is not JSON.
    static func decoded(fromDocument document: Data) throws -> Self

    /// Returns true if both have the same content: archives of equal payloads may differ in some bytes.
    func isSame(as other: Self) -> Bool
}

extension RecordPayload {
    /// The name with an “s”.
    public static var plural: String { name + "s" }
    /// No columns.
    public static var columns: [PayloadColumn<Self>] { [] }

    /// Nil: no files.
    public static var file: WritableKeyPath<Self, PayloadFile?>? { nil }

    /// Accepts any content.
    public func validate() throws {}

    /// Returns nil.
    public func warning(at time: Date) -> String? { nil }

    /// Compares the archives of both.
    public func isSame(as other: Self) -> Bool { hasSameArchive(as: other) }

    func hasSameArchive(as other: Self) -> Bool {
        do {
            return try archived() == other.archived()
        } catch {
            // What cannot be archived was never stored.
            return false
        }
    }
}

extension RecordPayload where Self: Equatable {
    /// Compares the values.
    public func isSame(as other: Self) -> Bool { self == other }
}
