import Configuration
import Foundation
import ServiceRuntime
import Trials
import Words

/// Command lines that work as they stand, wherever they are typed: with whole paths, and with the directory that was asked for.
struct ShellCommand {
    let state: StateDirectory
    /// Options that say where a service listens, if somebody gave them.
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

    /// A command of this program.
    func watchlink(_ words: [String]) -> String {
        Self.line([Self.program("watchlink"), "--state-directory", state.path] + places + words)
    }

    /// What starts a service: by the service manager that it was installed for, else in the background.
    func start(_ service: String) -> String {
        if let manager = manager(of: service) { return "\(manager) start watchlink-\(service)" }
        return Self.line(
            [Self.program("watchlink-\(service)"), "--state-directory", state.path] + options(of: service))
            + " > /dev/null 2>&1 &"
    }

    /// What the service was started with last.
    private func options(of service: String) -> [String] {
        do {
            return try StartOptions(of: service, in: state).words()
        } catch {
            // Somebody else's directory, or a file that is not the service's: it starts with its defaults, which it says.
            return []
        }
    }

    /// The command of the service manager whose service uses this directory.
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

    /// The programs lie side by side.
    private static func program(_ name: String) -> String {
        TrialServices.ownPrograms.appending(path: name).path(percentEncoded: false)
    }

    private static func line(_ words: [String]) -> String { words.map(ShellText.quoted).joined(separator: " ") }
}
