import EventLog
import Files
import Foundation

/// A file passed to the delegate, which detects its use and removes it.
struct ReceivedFile {
    /// The use of the file during the delegate's method.
    enum Use {
        case moved
        /// Opened to be read or copied.
        case opened
        case none
        /// Unknown to the system.
        case unknown
    }

    let path: String
    private let watch: FileWatch?
    private let token: FileWatch.Token?

    /// Creates a file that is not watched.
    init(path: String) {
        self.path = path
        watch = nil
        token = nil
    }

    /// Creates a file and starts watching it.
    ///
    /// - Parameter watch: Nil if the system cannot watch files.
    init(path: String, watch: FileWatch?) throws(SystemError) {
        self.path = path
        self.watch = watch
        token = try watch?.watch(path)
    }

    var use: Use {
        guard FileManager.default.fileExists(atPath: path) else { return .moved }
        guard let watch, let token else { return .unknown }
        return watch.isUsed(token) ? .opened : .none
    }

    /// Removes the file and its directory.
    func remove() throws {
        if let token { watch?.forget(token) }
        let folder = URL(filePath: path).deletingLastPathComponent()
        guard FileManager.default.fileExists(atPath: folder.path(percentEncoded: false)) else { return }
        try FileManager.default.removeItem(at: folder)
    }

    /// Calls back once: with `true` when the file is opened or moved, with `false` when the time expires.
    func whenUsed(within limit: DispatchTimeInterval, _ completion: @escaping @Sendable (Bool) -> Void) {
        guard let watch, let token else { return completion(false) }
        watch.whenUsed(token, within: limit, completion)
    }
}
