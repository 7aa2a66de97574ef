import Files
import Foundation
import Glibc

/// The files of a cassette that is being recorded. Used by one thread at a time.
package final class CassetteWriter {
    /// The numbers of lines that are in the files.
    package struct Written: Equatable, Sendable {
        package var events = 0
        package var contents = 0

        package init(events: Int = 0, contents: Int = 0) { (self.events, self.contents) = (events, contents) }
    }

    package private(set) var written = Written()
    /// The error after which nothing more was written.
    package private(set) var failure: CassetteError?
    private let directory: DurableDirectory
    private let events: LineFile
    private let contents: LineFile

    /// The path of the cassette.
    package var path: String { directory.path }

    /// Creates the directory, unless it exists and is empty, and its files.
    package init(_ path: String, _ manifest: CassetteManifest) throws(CassetteError) {
        directory = DurableDirectory(path)
        do throws(SystemError) {
            try directory.create()
            guard try directory.names().isEmpty else { throw SystemError("use", on: path, code: ENOTEMPTY) }
            events = try LineFile(directory.path(of: CassetteFile.events))
            contents = try LineFile(directory.path(of: CassetteFile.contents))
        } catch {
            throw error.code == ENOTEMPTY ? .occupied(path: path) : .system(error)
        }
        try write(manifest)
    }

    /// Adds lines, unless an earlier attempt failed: the files then end where it began, and have no gaps.
    package func add(_ lines: [RecordingMachine.Lines]) {
        guard failure == nil else { return }
        let (new, next) = (lines.compactMap(\.content), lines.compactMap(\.event))
        do throws(SystemError) {
            // An event that refers to a content must not be there without it.
            try contents.add(new)
            written.contents += new.count
            try events.add(next)
            written.events += next.count
        } catch {
            failure = .system(error)
        }
    }

    /// Writes the description.
    package func write(_ manifest: CassetteManifest) throws(CassetteError) {
        try write(to: CassetteFile.manifest) { try manifest.data() }
    }

    /// Writes the schema.
    package func write(_ schema: CassetteSchema) throws(CassetteError) {
        try write(to: CassetteFile.schema) { try schema.data() }
    }

    private func write(to name: String, _ data: () throws -> Data) throws(CassetteError) {
        do {
            try directory.write(try data(), to: name)
        } catch let error as SystemError {
            throw .system(error)
        } catch {
            throw .malformed(path: directory.path(of: name), line: nil, reason: "cannot be encoded: \(error)")
        }
    }
}
