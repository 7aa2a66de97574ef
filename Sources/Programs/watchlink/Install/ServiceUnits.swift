import Foundation
import Glibc
import Processes

/// The installed units, as the service manager knows them.
struct ServiceUnits {
    /// The services and the host's socket.
    private static let names = ["watchlink-companion.service", "watchlink-host.service", "watchlink-host.socket"]

    private let folder: String
    private let isUser: Bool

    /// - Parameters:
    ///   - folder: The directory of the unit files.
    ///   - isUser: True for units of a user's own manager.
    init(folder: String, isUser: Bool) {
        self.folder = folder
        self.isUser = isUser
    }

    /// Stops and disables the units loaded from this folder, not those of another installation.
    ///
    /// - Returns: Their names.
    /// - Throws: An error if one keeps running, as its files must not be removed then.
    func stop() throws(CommandError) -> [String] {
        let own = Self.names.filter { FileManager.default.fileExists(atPath: "\(folder)/\($0)") && isLoaded($0) }
        guard !own.isEmpty else { return [] }
        let result = systemctl(["disable", "--now"] + own)
        guard let result, result.code == 0 else {
            throw CommandError(
                "cannot stop the services: \(result?.text ?? "systemctl does not start"); try “systemctl \(isUser ? "--user " : "")disable --now \(own.joined(separator: " "))”, then uninstall again",
                geteuid() == 0 || isUser ? .failure : .notAllowed)
        }
        return own
    }

    /// Reloads the manager after files were removed.
    func forget() { _ = systemctl(["daemon-reload"]) }

    private func isLoaded(_ name: String) -> Bool {
        // Without a manager nothing is running; only links of enabled units may remain.
        guard let shown = systemctl(["show", "--property=FragmentPath", "--value", name]), shown.code == 0 else {
            return false
        }
        return URL(filePath: shown.text).resolvingSymlinksInPath()
            == URL(filePath: "\(folder)/\(name)").resolvingSymlinksInPath()
    }

    /// Runs systemctl; nil if it is not available.
    private func systemctl(_ arguments: [String]) -> (code: Int32, text: String)? {
        Self.output(["systemctl"] + (isUser ? ["--user"] : []) + arguments)
    }

    /// Runs a command of the service manager; nil if its program is not available.
    static func output(_ words: [String]) -> (code: Int32, text: String)? {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        process.standardInput = FileHandle.nullDevice
        do {
            try process.run()
            let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return (
                process.terminationStatus, String(decoding: output, as: UTF8.self).trimmingCharacters(in: .newlines)
            )
        } catch {
            return nil
        }
    }
}
