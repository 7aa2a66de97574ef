import Foundation

/// The disk of one program as a power cut would leave it, as its worlds note it.
///
/// A write is safe once its file was synchronized, or after a minute. A rename or removal is safe once its directory was
/// synchronized, or after half a minute; of those that are not, a cut loses the last ones. These are the rules of Linux
/// with ext4, in which the system writes changes out after 30 s, and names in order.
struct PageCache {
    /// A rename or removal that is not safe.
    private struct Renaming {
        let time: Int64
        var directories: Set<Substring>
        /// The file that was replaced or removed, if there was one.
        let gone: Substring?
        let from: String
        /// Nil for a removal.
        let to: String?
    }

    /// See `EXPIRY_NANOSECONDS` of the C part, which copies a file that is written to all the time after this time.
    private static let expiry: Int64 = 30_000_000_000

    let home: String
    let store: String

    private var journal: String { store + "/journal" }

    /// Makes everything in the home safe: before the first start of the program, and after a cut.
    func reset() throws {
        let manager = FileManager.default
        if manager.fileExists(atPath: store) { try manager.removeItem(atPath: store) }
        try manager.createDirectory(atPath: store, withIntermediateDirectories: false)
        for (number, path) in try files() { try manager.copyItem(atPath: path, toPath: "\(store)/\(number)") }
    }

    /// Loses changes that are not safe.
    ///
    /// - Parameter choose: Decides among a number of possibilities about a subject; 0 loses nothing.
    func cut(at now: Int64, _ choose: (_ options: Int, _ subject: String) -> Int) throws {
        let (dirty, renamings) = try unsafe(at: now)
        let lost = choose(renamings.count + 1, "renamed files that are lost")
        for renaming in renamings.suffix(lost).reversed() { try undo(renaming) }
        for (number, path) in try files() where dirty.contains(Substring(number)) {
            let name = path.dropFirst(home.count + 1)
            guard choose(2, "lost writes to \(name.suffix(32)), number #") > 0 else { continue }
            let copy = FileManager.default.contents(atPath: "\(store)/\(number)") ?? Data()
            // Over the old contents: links to the file show the same.
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            defer { file.closeFile() }
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: copy)
        }
        try reset()
    }

    /// Returns the numbers of files with writes that are not safe, and the renamings that are not, in order.
    private func unsafe(at now: Int64) throws -> (files: Set<Substring>, renamings: [Renaming]) {
        var dirty: [Substring: Int64] = [:]
        var renamings: [Renaming] = []
        let text = FileManager.default.contents(atPath: journal).map { String(decoding: $0, as: UTF8.self) } ?? ""
        for line in text.split(separator: "\n") {
            let words = line.split(separator: "\t", omittingEmptySubsequences: false)
            switch (words.first, words.count) {
            case ("dirty", 3):
                let since = Int64(words[2]) ?? 0
                // Written out when it was old enough.
                if dirty[words[1]].map({ since - $0 >= Self.expiry }) ?? true { dirty[words[1]] = since }
            case ("clean", 2): dirty[words[1]] = nil
            case ("synced", 2):
                for index in renamings.indices { renamings[index].directories.remove(words[1]) }
                renamings.removeAll(where: \.directories.isEmpty)
            case ("rename", 7):
                renamings.append(
                    Renaming(
                        time: Int64(words[1]) ?? 0, directories: [words[2], words[3]],
                        gone: words[4] == "0" ? nil : words[4], from: String(words[5]), to: String(words[6])))
            case ("remove", 5):
                renamings.append(
                    Renaming(
                        time: Int64(words[1]) ?? 0, directories: [words[2]], gone: words[3], from: String(words[4]),
                        to: nil))
            default: continue
            }
        }
        return (
            Set(dirty.filter { now - $0.value < 2 * Self.expiry }.keys),
            renamings.filter { now - $0.time < Self.expiry }
        )
    }

    private func undo(_ renaming: Renaming) throws {
        let manager = FileManager.default
        // A file that took the name since then is lost with the renaming that gave up the name.
        func free(_ path: String) throws {
            if manager.fileExists(atPath: path) { try manager.removeItem(atPath: path) }
        }
        if let to = renaming.to, manager.fileExists(atPath: to) {
            try free(renaming.from)
            try manager.moveItem(atPath: to, toPath: renaming.from)
        }
        guard let gone = renaming.gone else { return }
        let kept = "\(store)/gone-\(gone)"
        guard manager.fileExists(atPath: kept) else { return }
        try free(renaming.to ?? renaming.from)
        try manager.linkItem(atPath: kept, toPath: renaming.to ?? renaming.from)
    }

    /// Returns the regular files in the home with their numbers, sorted by path.
    private func files() throws -> [(number: String, path: String)] {
        try FileManager.default.subpathsOfDirectory(atPath: home).sorted().compactMap { name in
            let path = home + "/" + name
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            return ("\(status.st_ino)", path)
        }
    }
}
