import Configuration
import DeviceShell
import EventLog
import Files
import Foundation
import Homes
import LinkProtocol
import LinkTransport
import Processes
import ServiceRuntime

/// The directory of “watchlink run”: the record of its devices, their homes and logs, and the socket between them.
struct RunDirectory {
    /// A device in the record.
    struct Member: Codable, Sendable {
        let name: String
        /// The value of a `DeviceRole`.
        let role: String
        /// The process of its program; nil if it does not run.
        var process: Int32?
    }

    private static let record = "run.json"

    let state: StateDirectory
    private var directory: DurableDirectory { DurableDirectory(state.path) }

    /// Returns the directory for a command line: a subdirectory of the services' unless one is named.
    static func of(_ options: ParsedOptions) -> RunDirectory {
        if let given = options["state-directory"] { return RunDirectory(state: StateDirectory(option: given)) }
        return RunDirectory(state: StateDirectory(option: StateDirectory(option: nil).path(of: "run")))
    }

    func place(_ name: String, _ role: DeviceRole) -> ProgramPlace { ProgramPlace(name, role, in: state.path) }

    // MARK: - The record

    /// Returns the devices of the latest run; nil if there was none.
    func members() throws(CommandError) -> [Member]? {
        let path = directory.path(of: Self.record)
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            return try JSONDecoder().decode([Member].self, from: try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw CommandError(
                "\(path) is not the record of a run: \(error.localizedDescription); remove it, or use another --state-directory"
            )
        }
    }

    /// The devices of the latest run, for commands; nil if there was none.
    func devices() throws(CommandError) -> [CommandDevice]? {
        try members()?.compactMap { member in
            guard let role = DeviceRole(rawValue: member.role) else { return nil }
            let place = place(member.name, role)
            return CommandDevice(
                name: member.name, role: role, kind: .program, controlSocket: place.state.controlSocket,
                directory: place.state.path, process: member.process)
        }
    }

    func write(_ members: [Member]) throws {
        try directory.write(try JSONEncoder().encode(members), to: Self.record)
    }

    // MARK: - Preparation

    /// Creates the directory and the devices' homes, or finds those of the latest run.
    ///
    /// - Parameter isFresh: True to remove the homes and logs of the latest run.
    /// - Returns: A lock, so that one run at a time uses the directory.
    func prepare(_ places: [ProgramPlace], isFresh: Bool) throws -> FileLock {
        for socket in places.map(\.state.controlSocket) + places.map(\.linkSocket)
        where socket.utf8.count > UnixSocket.longestPath {
            throw CommandError(
                "the path of a socket would be longer than \(UnixSocket.longestPath) bytes: \(socket); give a shorter --state-directory",
                .usage)
        }
        let former = try members()
        if former == nil { try refuseForeignFiles(places) }
        try PrivateDirectory.create(state.path)
        guard let lock = try FileLock.claim(directory.path(of: "run.lock")) else {
            throw CommandError(
                "another “watchlink run” uses \(state.path): end it first, or give this one its own --state-directory")
        }
        if isFresh { for member in former ?? [] { try remove(member.name) } }
        for place in places { try place.home.create() }
        return lock
    }

    /// Refuses a directory that contains anything else at the paths of a run: services' files, or the user's own.
    private func refuseForeignFiles(_ places: [ProgramPlace]) throws(CommandError) {
        let services = CommandOptions.sides.flatMap(state.files(of:))
        let foreign = (services + places.map(\.home.path)).first(where: FileManager.default.fileExists(atPath:))
        guard let foreign else { return }
        throw CommandError(
            "\(foreign) belongs to something else: give the run a --state-directory of its own", .usage)
    }

    private func remove(_ name: String) throws {
        let logs = (1...LogFile.keptFiles).map { "\(state.log(of: name)).\($0)" }
        for path in [state.path(of: name), state.log(of: name)] + logs
        where FileManager.default.fileExists(atPath: path) {
            try FileManager.default.removeItem(atPath: path)
        }
    }
}
