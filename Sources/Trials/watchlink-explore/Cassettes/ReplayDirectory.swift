import Foundation
import Glibc

/// The directory of one replay.
struct ReplayDirectory {
    let path: String
    /// The directory for its recordings.
    var recordings: String { "\(path)/cassettes" }

    init(in base: String) throws(ReplayError) {
        var template = Array("\(base)/watchlink-replay-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw .directory(String(cString: strerror(errno))) }
        path = String(cString: made)
    }

    func remove() {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            FileHandle.standardError.write(Data("watchlink replay: \(path) was not removed: \(error)\n".utf8))
        }
    }
}
