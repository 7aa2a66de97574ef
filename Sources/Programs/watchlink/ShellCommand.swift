import Configuration
import Foundation
import ServiceRuntime
import Trials
import Words

/// Complete command lines that work in any directory: with absolute paths and the requested state directory.
struct ShellCommand {
    let state: StateDirectory
    /// The options for control sockets, if they were given.
    private let places: [String]

    init(_ invocation: Invocation) {
        state = invocation.state
        places = ["host-socket", "companion-socket"].flatMap { name in
            invocation.options[name].map {
                ["--\(name)", URL(filePath: $0).standardizedFileURL.path(percentEncoded: false)]
            } ?? []
        }
    }

    init(state: StateDirectory) {
        self.state = state
        places = []
    }

    /// Returns a command of this program.
    func watchlink(_ words: [String]) -> String {
        Self.line([Self.program("watchlink"), "--state-directory", state.path] + places + words)
    }

    /// Returns the command that starts a service: with the service manager if it is installed there, else in the
    /// background.
    func start(_ service: String) -> String {
        if let manager = manager(of: service) { return "\(manager) start watchlink-\(service)" }
        return Self.line(
            [Self.program("watchlink-\(service)"), "--state-directory", state.path] + options(of: service))
            + " > /dev/null 2>&1 &"
    }

    /// Returns the command that stops a service with the service manager; nil if it is not installed there.
    func stop(_ service: String) -> String? { manager(of: service).map { "\($0) stop watchlink-\(service)" } }

    /// Returns the options of the service's last start.
    private func options(of service: String) -> [String] {
        do {
            return try StartOptions(of: service, in: state).words()
        } catch {
            // The directory belongs to another user, or the file is not the service's: start with the defaults.
            return []
        }
    }

    /// Returns the command of the service manager whose service uses this directory.
    private func manager(of service: String) -> String? {
        func hasUnit(_ folders: [String]) -> Bool {
            folders.contains { FileManager.default.fileExists(atPath: "\($0)/watchlink-\(service).service") }
        }
        let isSystem = state.path == StateDirectory.system
        if isSystem, hasUnit(["/etc/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system"]) {
            return "systemctl"
        }
        let isUser = state.path == UserDirectory.state() + "/watchlink"
        return isUser && hasUnit([UserDirectory.configuration() + "/systemd/user"]) ? "systemctl --user" : nil
    }

    /// Returns the path of a program; all are in one directory.
    private static func program(_ name: String) -> String {
        TrialServices.ownPrograms.appending(path: name).path(percentEncoded: false)
    }

    private static func line(_ words: [String]) -> String { words.map(ShellText.quoted).joined(separator: " ") }
}
