public import Foundation
import KeyedArchive

/// The archives and documents of `Codable` payloads.
extension RecordPayload where Self: Codable {
    /// Returns the keyed archive of the encoded value: a dictionary.
    public func archived() throws -> Data { try KeyedArchiveEncoder().encode(self) }

    /// Decodes the value from a keyed archive.
    public static func decoded(from archive: Data) throws -> Self {
        try KeyedArchiveDecoder().decode(Self.self, from: archive)
    }

    /// Returns the value in JSON, with times in RFC 3339.
    public func document() throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(TimeText.text(date))
        }
        return try encoder.encode(self)
    }

    /// Decodes the value from JSON.
    public static func decoded(fromDocument document: Data) throws -> Self {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let date = TimeText.date(text) else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "is not a time such as 2026-11-20T18:30:00Z")
            }
            return date
        }
        do {
            return try decoder.decode(Self.self, from: document)
        } catch let error as DecodingError {
            throw PayloadError(error)
        }
    }
}
