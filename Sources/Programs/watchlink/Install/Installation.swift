import Configuration
import ExploreWords
import Foundation
import Glibc
import Trials

/// The files of an installation: programs, units, configuration, manual pages, completions.
struct Installation {
    let files: [InstalledFile]
    private static let programs = [
        "watchlink", "watchlink-host", "watchlink-companion", ExploreForm.program, ExploreForm.torture,
        ExploreForm.player, ExploreForm.counterpart,
    ]

    let units: ServiceUnits
    private let prefix: String
    /// The directory that stands for “/”; empty for the system itself.
    private let root: String

    /// - Parameters:
    ///   - root: The directory below which everything is written, for a package; the files' texts do not name it.
    ///   - prefix: The absolute prefix; by default /usr/local, or ~/.local for one user.
    ///   - isUser: True for the services of one user.
    init(prefix: String, isUser: Bool, root: String = "") {
        (self.prefix, self.root) = (prefix, root)
        let configuration = isUser ? "\(UserDirectory.configuration())/watchlink" : Self.configuration(prefix)
        let units = isUser ? "\(UserDirectory.configuration())/systemd/user" : "\(prefix)/lib/systemd/system"
        self.units = ServiceUnits(folder: units, isUser: isUser)
        var files = Self.programs.map { name in
            InstalledFile("\(prefix)/bin/\(name)", .program(name))
        }
        for side in CommandOptions.sides {
            files.append(
                InstalledFile("\(configuration)/\(side).json5", .text(Self.embedded("\(side).json5")), .configuration))
        }
        for name in EmbeddedFiles.all.keys.sorted() {
            let folder = isUser ? "systemd/user/" : "systemd/system/"
            guard name.hasPrefix(folder) else { continue }
            let text = Self.embedded(name).replacingOccurrences(of: "/usr/bin/", with: "\(Self.word(prefix))/bin/")
                .replacingOccurrences(of: "/etc/watchlink/", with: "\(Self.word(configuration))/")
            files.append(InstalledFile("\(units)/\(name.dropFirst(folder.count))", .text(text)))
        }
        if !isUser {
            for name in ["sysusers.d/watchlink.conf", "tmpfiles.d/watchlink.conf"] {
                files.append(InstalledFile("\(prefix)/lib/\(name)", .text(Self.embedded(name))))
            }
        }
        for page in ManualPage.all {
            files.append(InstalledFile("\(prefix)/share/man/man\(page.section)/\(page.fileName)", .text(page.text)))
        }
        for table in CompletionTable.all {
            for shell in CompletionShell.allCases {
                files.append(
                    InstalledFile("\(prefix)/share/\(shell.file(table.program))", .text(shell.script(table))))
            }
        }
        for name in [
            "lnav/watchlink.json", "prometheus/watchlink.rules.json", "grafana/watchlink.json", "sample-quiz.json",
        ] {
            files.append(InstalledFile("\(prefix)/share/watchlink/\(name)", .text(Self.embedded(name))))
        }
        self.files = files
    }

    private static func embedded(_ name: String) -> String { EmbeddedFiles.all[name] ?? "" }

    /// Escapes a path for a unit's command line, where systemd expands “%” and splits at spaces.
    private static func word(_ path: String) -> String {
        path.replacing("\\", with: "\\\\").replacing("%", with: "%%").replacing(" ", with: "\\x20")
            .replacing("\"", with: "\\\"").replacing("'", with: "\\'")
    }

    /// Returns the directory of the configuration: /etc for the system's prefix, else below the prefix.
    private static func configuration(_ prefix: String) -> String {
        prefix == "/usr" ? "/etc/watchlink" : "\(prefix)/etc/watchlink"
    }

    // MARK: - Actions

    /// The action taken on a file.
    enum Deed: String {
        /// A service was stopped and not restarted.
        case stopped
        case written
        case unchanged
        case kept
        case removed
        case absent
    }

    func install(_ tell: (Deed, String) -> Void) throws(CommandError) {
        let programs = TrialServices.ownPrograms
        try requirePrograms(in: programs)
        for file in files {
            let path = root + file.path
            do {
                try FileManager.default.createDirectory(
                    at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
                switch file.content {
                case .program(let name): tell(try Self.copy(programs.appending(path: name), to: path), path)
                case .text(let text):
                    let deed = try Self.write(
                        Data(text.utf8), to: path, mode: 0o644, isOverwriting: file.role == .plain)
                    tell(deed, path)
                }
            } catch {
                throw CommandError(
                    "cannot install \(path): \((error as NSError).localizedDescription); choose a --prefix that you can write to, or --user"
                )
            }
        }
    }

    /// Copies a program. One that is another name of a program beside it stays that.
    private static func copy(_ program: URL, to path: String) throws -> Deed {
        guard let name = link(at: program.path(percentEncoded: false)), programs.contains(name) else {
            let data = try Data(contentsOf: program, options: .mappedIfSafe)
            return try write(data, to: path, mode: 0o755, isOverwriting: true)
        }
        if link(at: path) == name { return .unchanged }
        let fresh = path + ".new"
        try FileManager.default.createSymbolicLink(atPath: fresh, withDestinationPath: name)
        try replace(path, with: fresh)
        return .written
    }

    /// Returns the target of a symbolic link; nil for anything else.
    private static func link(at path: String) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            guard let start = buffer.baseAddress, case let count = readlink(path, start, buffer.count), count >= 0
            else {
                return nil
            }
            return String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
        }
    }

    /// Checks that all programs exist; if one is missing, nothing is installed.
    private func requirePrograms(in folder: URL) throws(CommandError) {
        let missing = files.compactMap { file in if case .program(let name) = file.content { name } else { nil } }
            .filter {
                !FileManager.default.isExecutableFile(atPath: folder.appending(path: $0).path(percentEncoded: false))
            }
        guard missing.isEmpty else {
            throw CommandError(
                "nothing was installed: \(missing.joined(separator: " and ")) \(missing.count == 1 ? "is" : "are") not in this program's directory \(folder.path(percentEncoded: false)); build all programs (swift build -c release), then install again"
            )
        }
    }

    private static func write(_ data: Data, to path: String, mode: Int, isOverwriting: Bool) throws -> Deed {
        if let present = FileManager.default.contents(atPath: path) {
            if present == data { return .unchanged }
            guard isOverwriting else { return .kept }
        }
        // A running program cannot be overwritten, but its name can be given to another file.
        let fresh = path + ".new"
        try data.write(to: URL(filePath: fresh))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: fresh)
        try replace(path, with: fresh)
        return .written
    }

    private static func replace(_ path: String, with fresh: String) throws {
        guard rename(fresh, path) == 0 else { throw NSError(domain: NSPOSIXErrorDomain, code: Int(errno)) }
    }

    /// Removes the installed files and stops the services.
    ///
    /// - Parameter isPurging: True to remove modified configurations, too.
    func uninstall(isPurging: Bool, _ tell: (Deed, String) -> Void) throws(CommandError) {
        let stopped = try units.stop()
        for unit in stopped { tell(.stopped, unit) }
        var folders: Set<String> = []
        for file in files {
            var status = stat()
            // A program may be another name of one that is already gone.
            guard lstat(file.path, &status) == 0 else {
                tell(.absent, file.path)
                continue
            }
            if file.role == .configuration, !isPurging, case .text(let text) = file.content,
                FileManager.default.contents(atPath: file.path) != Data(text.utf8)
            {
                tell(.kept, file.path)
                continue
            }
            do {
                try FileManager.default.removeItem(atPath: file.path)
            } catch {
                throw CommandError("cannot remove \(file.path): \((error as NSError).localizedDescription)")
            }
            tell(.removed, file.path)
            folders.insert(URL(filePath: file.path).deletingLastPathComponent().path(percentEncoded: false))
        }
        removeEmpty(folders)
        if !stopped.isEmpty { units.forget() }
    }

    /// Removes empty directories, and their empty parents up to the prefix.
    private func removeEmpty(_ folders: Set<String>) {
        for folder in folders {
            var path = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
            // The prefix itself is kept. rmdir fails for a directory that is not empty.
            while path != prefix, path.count > 1, rmdir(path) == 0 {
                path = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
            }
        }
    }
}
