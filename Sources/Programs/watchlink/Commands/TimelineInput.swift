import Configuration
import Foundation
import LinkProtocol
import SessionStorage
import Storage
import Timeline

/// The input of a timeline: the logs and ledgers at given paths.
struct TimelineInput {
    struct Ledger {
        let path: String
        let side: TimelineSide
        /// The watch whose ledger it is, if it is a watch's.
        let watch: String
    }

    private(set) var logs: [LogReader] = []
    private(set) var ledgers: [Ledger] = []
    private(set) var paths: [String] = []

    /// Finds the logs and ledgers.
    ///
    /// - Parameter paths: Logs, ledgers, state directories of services, directories of other devices.
    init(_ paths: [String]) throws {
        for path in paths.map({ URL(filePath: $0).standardizedFileURL.path(percentEncoded: false) }) {
            var isDirectory: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
                throw CommandError("\(path) does not exist")
            }
            if isDirectory.boolValue {
                try add(directory: path.hasSuffix("/") ? String(path.dropLast()) : path)
            } else if path.hasSuffix(".sqlite") {
                try add(ledger: path)
            } else {
                add(log: path)
            }
        }
    }

    private mutating func add(directory: String) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: directory)
        for side in TimelineSide.allCases {
            // Rotated logs are numbered: the higher, the older.
            let files = names.compactMap { name in
                name == "\(side).log"
                    ? (0, name)
                    : name.hasPrefix("\(side).log.")
                        ? Int(name.dropFirst("\(side).log.".count)).map { ($0, name) } : nil
            }.sorted { $0.0 > $1.0 }.map { "\(directory)/\($0.1)" }
            if !files.isEmpty { read(files, directory, side.rawValue) }
            if names.contains(side.rawValue) { try add(ledger: "\(directory)/\(side)/session.sqlite") }
        }
        if names.contains("session.sqlite") { try add(ledger: "\(directory)/session.sqlite") }
    }

    private mutating func add(log path: String) {
        let url = URL(filePath: path)
        let base = url.lastPathComponent.prefix { $0 != "." }
        read([path], url.deletingLastPathComponent().path(percentEncoded: false), String(base))
    }

    private mutating func read(_ files: [String], _ directory: String, _ base: String) {
        paths += files
        logs.append(LogReader(files, watch: watch(["\(directory)/\(base).device"], else: "\(directory)/\(base)")))
    }

    private mutating func add(ledger path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        let folder = URL(filePath: path).deletingLastPathComponent()
        let directory = folder.plainPath
        paths.append(path)
        ledgers.append(
            Ledger(
                path: path, side: try side(of: path, in: folder.lastPathComponent),
                // A device's directory contains its identifier; a service's is beside its directory.
                watch: watch(["\(directory)/device", "\(directory).device"], else: directory)))
    }

    /// Returns the side of a ledger by its directory's name, or by its content: only a phone stores watches.
    private func side(of ledger: String, in folder: String) throws -> TimelineSide {
        for side in TimelineSide.allCases where folder.hasPrefix(side.rawValue) || folder.hasSuffix(".\(side)") {
            return side
        }
        do throws(DatabaseError) {
            return try SessionStore(path: ledger).companions().isEmpty ? .companion : .host
        } catch {
            throw CommandError("\(error)")
        }
    }

    /// Returns the identifier in the first of these files that contains one.
    private func watch(_ files: [String], else place: String) -> String {
        for file in files {
            let text = String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self)
            if let identifier = UUID(uuidString: text.trimmingCharacters(in: .whitespacesAndNewlines)) {
                return identifier.uuidString
            }
        }
        return place
    }
}
