import Foundation

/// The home of a device's programs: the directory that Foundation takes for the user's home, with all that follows from
/// it.
package struct ProgramHome: Sendable {
    /// The directories that exist on a device before any program runs. Apple's devices have none for an app's support
    /// files, which an app therefore creates.
    private static let rooms = ["Documents", "Library/Caches", caches, groups, temporary]
    private static let groups = "Library/Group Containers"
    private static let temporary = "tmp"
    /// The directory that Foundation on Linux gives for `.cachesDirectory`.
    private static let caches = ".cache"

    package let path: String

    package init(_ path: String) { self.path = path }

    /// The variables that give a program this home. On Linux no single one does: the first moves Foundation's home, the
    /// second UserDefaults unless `XDG_CONFIG_HOME` is set, and the third the temporary directory. The directories of
    /// the XDG specification would otherwise be the user's wherever these variables are set.
    package var variables: [String: String] {
        [
            "CFFIXED_USER_HOME": path, "HOME": path, "TMPDIR": "\(path)/\(Self.temporary)",
            "XDG_CONFIG_HOME": "\(path)/.config", "XDG_DATA_HOME": "\(path)/.local/share",
            "XDG_STATE_HOME": "\(path)/.local/state", "XDG_CACHE_HOME": "\(path)/\(Self.caches)",
        ]
    }

    /// Returns the directory that the programs of a device share by an app group. The rule is documented: no other code
    /// may choose another place.
    package func container(ofGroup identifier: String) -> String { "\(path)/\(Self.groups)/\(identifier)" }

    /// Creates the directories, for this user only.
    package func create() throws {
        for room in Self.rooms {
            try FileManager.default.createDirectory(
                atPath: "\(path)/\(room)", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
    }
}
