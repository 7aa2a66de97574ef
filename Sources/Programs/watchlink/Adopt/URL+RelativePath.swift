import Configuration
import Foundation

extension URL {
    /// Returns the path from a folder to this place. Both must be free of symbolic links.
    func relativePath(from folder: URL) -> String {
        let (own, other) = (
            plainPath.split(separator: "/").map(String.init), folder.plainPath.split(separator: "/").map(String.init)
        )
        let shared = zip(own, other).prefix { $0 == $1 }.count
        let parts = Array(repeating: "..", count: other.count - shared) + own.dropFirst(shared)
        return parts.isEmpty ? "." : parts.joined(separator: "/")
    }
}
