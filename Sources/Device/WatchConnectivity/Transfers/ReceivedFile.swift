import EventLog
import Files
import Foundation

/// A file in the delegate's hands: sees what becomes of it, and removes it.
struct ReceivedFile {
    /// What the delegate did with the file while it was called.
    enum Use {
        case moved
        /// It was opened: read, or copied.
        case opened
        case none
        /// The system could not tell.
        case unknown
    }

    let path: String
    private let watch: FileWatch?
    private let token: FileWatch.Token?

    /// A file that nobody watches.
    init(path: String) {
        self.path = path
        watch = nil
        token = nil
    }

    /// Begins to watch the file.
    ///
    /// - Parameter watch: Nil if the system has none to give.
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

    /// Removes the file with the directory that it lies in.
    func remove() throws {
        if let token { watch?.forget(token) }
        let folder = URL(filePath: path).deletingLastPathComponent()
        guard FileManager.default.fileExists(atPath: folder.path(percentEncoded: false)) else { return }
        try FileManager.default.removeItem(at: folder)
    }

    /// Calls back once: when somebody opens or moves the file, with true, or when the time is over.
    func whenUsed(within limit: DispatchTimeInterval, _ completion: @escaping @Sendable (Bool) -> Void) {
        guard let watch, let token else { return completion(false) }
        watch.whenUsed(token, within: limit, completion)
    }
}
