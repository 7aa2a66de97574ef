import Foundation

/// The places whose faults did not compile in earlier runs: they are not drawn again.
final class UnfitPlaces {
    private let file: URL
    private var keys: Set<String>

    init(_ file: URL) throws {
        self.file = file
        let text =
            FileManager.default.fileExists(atPath: file.path) ? try String(contentsOf: file, encoding: .utf8) : ""
        keys = Set(text.split(separator: "\n").map(String.init))
    }

    func contains(_ site: Site) -> Bool { keys.contains(site.key) }

    func add(_ site: Site) { keys.insert(site.key) }

    func save() throws { try keys.sorted().joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8) }
}
