import Files
public import Foundation
import RecordStorage
import Words

/// The description of a file that belongs to a payload: its name, size and SHA-256. The content travels and is stored
/// beside the payload.
///
/// A payload has at most one. It says in which property:
///
///     struct Workout: RecordPayload, Codable {
///         static var file: WritableKeyPath<Workout, PayloadFile?>? { \.track }
///         var track: PayloadFile?
///         …
///     }
///
/// Because the description is part of the payload, a payload with another file is another payload; the host answers that
/// a payload is stored only when both are durable.
public struct PayloadFile: Codable, Hashable, Sendable {
    /// The largest content in bytes: 16 MiB.
    public static let maximumBytes = RecordFileLimits.fileBytes
    /// The longest name in bytes, as file systems have it.
    private static let nameBytes = 255

    /// The file's name without directories: “track.gpx”.
    public let name: String
    /// The size in bytes.
    public let bytes: Int
    /// The SHA-256 of the content.
    public let digest: Data

    /// Creates the description of a content.
    public init(name: String, content: Data) {
        self.name = name
        bytes = content.count
        digest = ContentDigest.of(content)
    }

    /// Reads a file.
    ///
    /// - Throws: ``PayloadError`` if it is too large.
    package static func content(of url: URL) throws -> Data {
        let handle = try FileHandle(forReadingFrom: url)
        let content = try handle.read(upToCount: maximumBytes + 1) ?? Data()
        guard content.count <= maximumBytes else {
            throw PayloadError.invalid(
                field: "file", reason: "\(url.lastPathComponent) has more than the limit of \(maximumBytes) bytes")
        }
        return content
    }

    private enum CodingKeys: String, CodingKey {
        case name, bytes
        case digest = "sha256"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        bytes = try container.decode(Int.self, forKey: .bytes)
        let text = try container.decode(String.self, forKey: .digest)
        guard let digest = Data(hexadecimal: text), digest.count == ContentDigest.bytes else {
            throw DecodingError.dataCorruptedError(
                forKey: .digest, in: container,
                debugDescription: "is not a SHA-256 of \(2 * ContentDigest.bytes) hexadecimal digits")
        }
        self.digest = digest
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(bytes, forKey: .bytes)
        try container.encode(digest.hexadecimal, forKey: .digest)
    }

    /// Checks the limits, which depend only on the content.
    func check() throws(PayloadError) {
        guard (0...Self.maximumBytes).contains(bytes) else {
            throw .invalid(field: "file", reason: "has \(bytes) bytes; the limit is \(Self.maximumBytes)")
        }
        guard (1...Self.nameBytes).contains(name.utf8.count), name.isWithinFileName else {
            throw .invalid(field: "file", reason: "must have a name of 1 to \(Self.nameBytes) bytes without “/”")
        }
        guard digest.count == ContentDigest.bytes else {
            throw .invalid(field: "file", reason: "must have a SHA-256 of \(ContentDigest.bytes) bytes")
        }
    }
}

extension RecordPayload {
    /// True if payloads of this type may have files.
    static var hasFiles: Bool { file != nil }

    /// The file of this payload; nil for none.
    package var attachedFile: PayloadFile? { Self.file.flatMap { self[keyPath: $0] } }

    /// Returns the payload with a file.
    ///
    /// - Throws: ``PayloadError`` if payloads of this type have no files, or if this one has another file.
    package func attaching(_ file: PayloadFile) throws(PayloadError) -> Self {
        guard let path = Self.file else {
            throw .invalid(field: "file", reason: "cannot be sent: a \(Self.name) has no file")
        }
        if let present = self[keyPath: path], present.digest != file.digest {
            throw .invalid(field: "file", reason: "is not the one that the document describes")
        }
        var payload = self
        payload[keyPath: path] = self[keyPath: path] ?? file
        return payload
    }
}
