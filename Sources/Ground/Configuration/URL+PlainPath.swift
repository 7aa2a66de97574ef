package import Foundation

extension URL {
    /// The unescaped path without a trailing slash, so that each directory has one spelling.
    package var plainPath: String {
        let path = path(percentEncoded: false)
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}
