import Files
import Foundation
import Locking

/// The file of a suite of defaults, which the programs of a device change one at a time.
final class DefaultsFile: Sendable {
    /// The beginning of the identifier of an app group.
    private static let groupPrefix = "group."

    /// The name under which Foundation keeps the file: its path without extension.
    let domain: String
    /// The version of the file that Foundation has read or written last.
    private let known = Mutex<FileVersion?>(nil)

    /// - Parameter suite: The name of the suite; nil for the program's own defaults.
    init(suite: String?, home: String = NSHomeDirectory()) {
        domain = Self.domain(of: suite ?? ProcessInfo.processInfo.processName, home)
    }

    private static func domain(of suite: String, _ home: String) -> String {
        if suite.hasPrefix("/") || suite == UserDefaults.globalDomain { return suite }
        let group = suite.hasPrefix(groupPrefix) ? GroupContainer(suite, home: home)?.url : nil
        let root = group ?? URL(filePath: home, directoryHint: .isDirectory)
        return root.appending(path: "Library/Preferences/\(suite)").path(percentEncoded: false)
    }

    private var version: FileVersion? { FileVersion(of: domain + ".plist") }

    /// Has the file read again if another program has changed it.
    func read(_ reread: () -> Bool) {
        let present = version
        guard known.withLock({ $0 != present }) else { return }
        let isRead = reread()
        if isRead { known.withLock { $0 = present } }
    }

    /// Changes the file while no other program does.
    @discardableResult
    func change(_ body: () -> Bool) -> Bool {
        let lock = claim()
        defer { lock?.release() }
        let isDone = body()
        let present = version
        known.withLock { $0 = present }
        return isDone
    }

    /// Waits for the lock of the file's folder, which is created if necessary.
    private func claim() -> WaitingFileLock? {
        let folder = (domain as NSString).deletingLastPathComponent
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            return try WaitingFileLock(folder, .exclusive)
        } catch {
            // The defaults then remain in memory, as they do on a full disk; Apple's API has no error, either.
            return nil
        }
    }
}
