package import Foundation

extension URL {
    /// The path as the system has it, without a slash at its end: one directory has one name.
    package var plainPath: String {
        let path = path(percentEncoded: false)
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}
