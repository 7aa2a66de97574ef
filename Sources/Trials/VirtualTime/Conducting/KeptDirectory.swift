import Foundation

/// A directory that programs make in the one that they share, and that outlasts their performance.
package struct KeptDirectory: Sendable {
    /// Its name in the directory that all programs share.
    private let name: String
    /// The path to which it is moved.
    private let destination: String

    /// - Parameters:
    ///   - name: Its name in the directory that all programs share.
    ///   - destination: The path to which it is moved; nothing must be there.
    package init(_ name: String, to destination: String) { (self.name, self.destination) = (name, destination) }

    /// Moves it, if the programs have made it.
    func move(from world: String) throws(ConductorError) {
        let source = "\(world)/\(name)"
        guard FileManager.default.fileExists(atPath: source) else { return }
        do {
            let parent = URL(fileURLWithPath: destination).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            // The place may be on another file system.
            try FileManager.default.copyItem(atPath: source, toPath: destination)
        } catch {
            throw .directory(destination, error.localizedDescription)
        }
    }
}
