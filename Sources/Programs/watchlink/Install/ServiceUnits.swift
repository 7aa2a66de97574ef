import Foundation
import Glibc
import Processes

/// The units of an installation, as their service manager has them.
struct ServiceUnits {
    /// Each service, and the socket that belongs to one.
    private static let names = ["watchlink-companion.service", "watchlink-host.service", "watchlink-host.socket"]

    private let folder: String
    private let isUser: Bool

    /// - Parameters:
    ///   - folder: Where the units' files lie.
    ///   - isUser: Whether they are of a user's own manager.
    init(folder: String, isUser: Bool) {
        self.folder = folder
        self.isUser = isUser
    }

    /// Stops and disables those that the manager has from this very folder: another installation's are not touched.
    ///
    /// - Returns: Their names.
    /// - Throws: If one goes on running: its files must not be taken away.
    func stop() throws(CommandError) -> [String] {
        let own = Self.names.filter { FileManager.default.fileExists(atPath: "\(folder)/\($0)") && isLoaded($0) }
        guard !own.isEmpty else { return [] }
        let result = systemctl(["disable", "--now"] + own)
        guard let result, result.code == 0 else {
            throw CommandError(
                "the services cannot be stopped: \(result?.text ?? "systemctl does not start"); try “systemctl \(isUser ? "--user " : "")disable --now \(own.joined(separator: " "))”, then uninstall again",
                geteuid() == 0 || isUser ? .failure : .notAllowed)
        }
        return own
    }

    /// Tells the manager that files are gone.
    func forget() { _ = systemctl(["daemon-reload"]) }

    private func isLoaded(_ name: String) -> Bool {
        // Without a manager nothing runs: only what is enabled is left, as links to the files.
        guard let shown = systemctl(["show", "--property=FragmentPath", "--value", name]), shown.code == 0 else {
            return false
        }
        return URL(filePath: shown.text).resolvingSymlinksInPath()
            == URL(filePath: "\(folder)/\(name)").resolvingSymlinksInPath()
    }

    /// Nil where there is no systemctl.
    private func systemctl(_ arguments: [String]) -> (code: Int32, text: String)? {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["systemctl"] + (isUser ? ["--user"] : []) + arguments
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
