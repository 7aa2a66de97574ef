import Configuration
import Files
import Foundation
import Glibc

/// A cassette that was read and found to be what its format says.
package struct Cassette: Sendable {
    package let path: String
    package let manifest: CassetteManifest
    package let events: [CassetteEvent]
    package let contents: [String: CassetteContent]
    package let schema: CassetteSchema
    /// True if the recording was not finished: its process ended, or still records.
    package var isUnfinished: Bool { manifest.state == .recording }

    /// Returns true if a directory has a manifest.
    package static func exists(at path: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(path)/\(CassetteFile.manifest)")
    }

    /// The deepest directory that is searched. 4: explorations have one for each seed, fleets one for each machine.
    private static let deepest = 4

    /// Returns the paths of the cassettes at a path: the directory itself, or those in it and in the directories below it, in
    /// order; none for a path that is no directory.
    ///
    /// - Throws: ``CassetteError/system(_:)`` for a directory that cannot be read.
    package static func all(at path: String) throws(CassetteError) -> [String] {
        if exists(at: path) { return [path] }
        do throws(SystemError) {
            return try below(path, depth: 0)
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return [] }
            throw .system(error)
        }
    }

    /// Returns the error for a path at which a single cassette was expected.
    package static func error(at path: String) -> CassetteError {
        guard FileManager.default.fileExists(atPath: path) else { return .missing(path: path) }
        do throws(CassetteError) {
            let cassettes = try all(at: path)
            return cassettes.isEmpty ? .noCassette(path: path) : .several(path: path, cassettes: cassettes)
        } catch {
            return error
        }
    }

    /// Returns the path of a cassette, and those of the accepted courses in it.
    package static func withAccepted(_ path: String) throws(CassetteError) -> [String] {
        do throws(SystemError) {
            return try [path] + inside(path).filter { $0.hasPrefix("\(path)/\(CassetteFile.accepted)") }
        } catch {
            throw .system(error)
        }
    }

    private static func below(_ path: String, depth: Int) throws(SystemError) -> [String] {
        var found: [String] = []
        for name in try DurableDirectory(path).names().sorted() {
            let inner = "\(path)/\(name)"
            if exists(at: inner) {
                found.append(inner)
            } else if depth < deepest, isDirectory(inner) {
                found += try below(inner, depth: depth + 1)
            }
        }
        return found
    }

    private static func isDirectory(_ path: String) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
    }

    /// Returns the paths of the cassettes directly in a directory, in order.
    private static func inside(_ path: String) throws(SystemError) -> [String] {
        try DurableDirectory(path).names().sorted().map { "\(path)/\($0)" }.filter(exists)
    }

    /// Reads a cassette. Of an unfinished one, a last line that was not written to its end is left out.
    package init(at path: String) throws(CassetteError) {
        guard Self.exists(at: path) else { throw Self.error(at: path) }
        self.path = path
        manifest = try Self.document(CassetteFile.manifest, path)
        guard manifest.format <= CassetteManifest.currentFormat else {
            throw .newer(path: path, format: manifest.format)
        }
        let lenient = manifest.state == .recording
        contents = try Self.contents("\(path)/\(CassetteFile.contents)", lenient)
        events = try Self.events("\(path)/\(CassetteFile.events)", lenient, contents)
        schema = lenient ? CassetteSchema() : try Self.document(CassetteFile.schema, path)
        guard lenient || (events.count == manifest.events && contents.count == manifest.contents) else {
            throw .malformed(
                path: path, line: nil,
                reason:
                    "has \(events.count) events and \(contents.count) contents, but the manifest counts \(manifest.events) and \(manifest.contents)"
            )
        }
    }

    private static func document<Document: Decodable>(_ name: String, _ path: String) throws(CassetteError) -> Document
    {
        let file = "\(path)/\(name)"
        let data = try LineReader.data(of: file, limit: CassetteLimits.document)
        do {
            return try JSONDecoder().decode(Document.self, from: data)
        } catch {
            throw .malformed(path: file, line: nil, reason: "\((error as? DecodingError)?.detail ?? "\(error)")")
        }
    }

    private struct ContentLine: Decodable {
        let d: String
        let b: Int
        let v: JSONValue
    }

    private static func contents(_ path: String, _ lenient: Bool) throws(CassetteError) -> [String: CassetteContent] {
        var contents: [String: CassetteContent] = [:]
        var reader = try LineReader(path, limit: CassetteLimits.contentLine, allowsPart: lenient)
        while let line = try reader.next() {
            let parsed: ContentLine = try reader.decode(line)
            guard let value = RedactedValue(parsed.v), value.digest == parsed.d else {
                throw reader.wrong("the content is not that of the digest “\(parsed.d)”")
            }
            let content = CassetteContent(bytes: parsed.b, value: value)
            guard contents.updateValue(content, forKey: parsed.d) == nil else {
                throw reader.wrong("the content “\(parsed.d)” is there twice")
            }
        }
        return contents
    }

    private static func events(
        _ path: String, _ lenient: Bool, _ contents: [String: CassetteContent]
    ) throws(CassetteError) -> [CassetteEvent] {
        var events: [CassetteEvent] = []
        var reader = try LineReader(path, limit: CassetteLimits.eventLine, allowsPart: lenient)
        while let line = try reader.next() {
            guard events.count < CassetteLimits.events else {
                throw reader.wrong("there are more than \(CassetteLimits.events) events")
            }
            let event: CassetteEvent = try reader.decode(line)
            guard event.sequence == events.count + 1 else {
                throw reader.wrong("event \(event.sequence) follows event \(events.count)")
            }
            if let cause = event.cause, !(1..<event.sequence).contains(cause) {
                throw reader.wrong("the cause \(cause) is not an earlier event")
            }
            if let content = event.content, contents[content] == nil {
                throw reader.wrong("there is no content “\(content)”")
            }
            events.append(event)
        }
        return events
    }
}
