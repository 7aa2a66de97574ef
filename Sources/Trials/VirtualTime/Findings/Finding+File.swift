public import Foundation

extension Finding {
    /// 64 MiB: a course of a million departures has less.
    public static let mostBytes = 64 << 20

    /// Writes the finding into a file, all of it or nothing.
    public func write(to path: String) throws(FindingError) {
        do {
            try encoded().write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch let error as FindingError {
            throw error
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
            // Also from what is no regular file: no more is read than a finding may have.
            contents = try file.read(upToCount: Self.mostBytes + 1) ?? Data()
        } catch {
            throw FindingError(path, .unreadable(error.localizedDescription))
        }
        try self.init(contents, path: path)
    }

    /// The file's bytes: JSON.
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

    /// - Parameter path: For the error's words.
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
    /// Where in the file something is wrong, and what.
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
