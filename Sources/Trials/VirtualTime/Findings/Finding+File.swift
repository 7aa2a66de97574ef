public import Foundation

extension Finding {
    /// The largest file, 64 MiB: a course with a million departures is smaller.
    public static let mostBytes = 64 << 20

    /// Writes the finding to a file atomically.
    ///
    /// - Throws: ``FindingError``, with the reason `tooLarge` for a file that could not be read again.
    public func write(to path: String) throws(FindingError) {
        let contents = try encoded()
        guard contents.count <= Self.mostBytes else { throw FindingError(path, .tooLarge) }
        do {
            try contents.write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw FindingError(path, .unwritable(error.localizedDescription))
        }
    }

    /// Reads a finding from a file.
    public init(path: String) throws(FindingError) {
        let contents: Data
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { file.closeFile() }
            // The path may not be a regular file, so the read is limited.
            contents = try file.read(upToCount: Self.mostBytes + 1) ?? Data()
        } catch {
            throw FindingError(path, .unreadable(error.localizedDescription))
        }
        try self.init(contents, path: path)
    }

    /// Returns the contents of the finding's file, as JSON.
    public func encoded() throws(FindingError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            let body = FindingBody(self)
            return try encoder.encode(FindingFile(checksum: body.checksum(), finding: body))
        } catch {
            throw FindingError("a finding", .unwritable("\(error)"))
        }
    }

    /// Decodes a finding.
    ///
    /// - Parameters:
    ///   - contents: The contents of a finding's file.
    ///   - path: The path to name in errors.
    public init(_ contents: Data, path: String) throws(FindingError) {
        guard contents.count <= Self.mostBytes else { throw FindingError(path, .tooLarge) }
        let decoder = JSONDecoder()
        do {
            let format = try decoder.decode(FindingFormat.self, from: contents).format
            guard format == FindingFormat.current else { throw FindingError.Reason.format(format) }
            let file = try decoder.decode(FindingFile.self, from: contents)
            guard try file.finding.checksum() == file.checksum else { throw FindingError.Reason.checksum }
            self = try file.finding.finding()
        } catch let reason as FindingError.Reason {
            throw FindingError(path, reason)
        } catch let error as DecodingError {
            throw FindingError(path, .damaged(error.place))
        } catch {
            throw FindingError(path, .damaged("\(error)"))
        }
    }
}

extension DecodingError {
    /// The location and the nature of the error.
    fileprivate var place: String {
        let context: Context
        switch self {
        case .typeMismatch(_, let found), .valueNotFound(_, let found), .keyNotFound(_, let found),
            .dataCorrupted(let found):
            context = found
        @unknown default:
            return "\(self)"
        }
        let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
        return path.isEmpty ? context.debugDescription : "at \(path.drop { $0 == "." }): \(context.debugDescription)"
    }
}
