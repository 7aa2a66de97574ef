import Configuration
import Foundation
import LinkProtocol
import ServiceRuntime
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
        if let programs = try RunDirectory(state: StateDirectory(option: directory)).devices() {
            return try add(programs, in: directory)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: directory)
        for side in TimelineSide.allCases {
            let files = Self.logs(of: side.rawValue, among: names).map { "\(directory)/\($0)" }
            if !files.isEmpty { read(files, directory, side.rawValue) }
            if names.contains(side.rawValue) { try add(ledger: "\(directory)/\(side)/session.sqlite") }
        }
        if names.contains("session.sqlite") { try add(ledger: "\(directory)/session.sqlite") }
    }

    /// Adds the programs of “watchlink run”.
    private mutating func add(_ programs: [CommandDevice], in directory: String) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: directory)
        for program in programs {
            let files = Self.logs(of: program.name, among: names).map { "\(directory)/\($0)" }
            if !files.isEmpty {
                paths += files
                logs.append(LogReader(files, watch: watch(["\(program.directory)/device"], else: program.directory)))
            }
            try add(
                ledger: "\(program.directory)/session.sqlite", of: program.role == .host ? .host : .companion)
        }
    }

    /// Returns the log with this name and its rotated files, which are numbered: the higher, the older.
    private static func logs(of name: String, among names: [String]) -> [String] {
        names.compactMap { file in
            file == "\(name).log"
                ? (0, file)
                : file.hasPrefix("\(name).log.") ? Int(file.dropFirst("\(name).log.".count)).map { ($0, file) } : nil
        }.sorted { $0.0 > $1.0 }.map(\.1)
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

    /// - Parameter known: Its side, if it does not follow from the path or the content.
    private mutating func add(ledger path: String, of known: TimelineSide? = nil) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        let folder = URL(filePath: path).deletingLastPathComponent()
        let directory = folder.plainPath
        paths.append(path)
        ledgers.append(
            Ledger(
                path: path, side: try known ?? side(of: path, in: folder.lastPathComponent),
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
