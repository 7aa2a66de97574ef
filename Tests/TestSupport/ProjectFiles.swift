package import Foundation

/// The files of this project, for tests that read them.
package enum ProjectFiles {
    /// The directory of `Package.swift`.
    package static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// All files below a directory.
    ///
    /// - Parameters:
    ///   - path: The directory's, from the root.
    ///   - suffix: How their names end: “.swift”. All files have the empty one.
    package static func all(below path: String, suffix: String = "") -> [URL] {
        let found = FileManager.default.enumerator(at: root.appending(path: path), includingPropertiesForKeys: nil)
        return (found?.allObjects ?? []).compactMap { $0 as? URL }
            .filter { !$0.hasDirectoryPath && $0.lastPathComponent.hasSuffix(suffix) }
    }
}
