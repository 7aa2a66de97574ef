import Foundation

/// The package, and the copy of it in which the faults are planted.
struct SourceTree {
    let package: URL
    let copy: URL

    /// The Swift files below the given folders with their texts, by their paths from the package's directory.
    func texts(in folders: [String]) throws -> [String: String] {
        var texts: [String: String] = [:]
        for folder in folders {
            guard let paths = FileManager.default.enumerator(atPath: package.appending(path: folder).path) else {
                throw PlanterError(
                    description: "cannot read the folder \(folder); name folders relative to the package")
            }
            for case let path as String in paths where path.hasSuffix(".swift") {
                texts["\(folder)/\(path)"] = try text(of: "\(folder)/\(path)")
            }
        }
        return texts
    }

    private func text(of path: String) throws -> String {
        try String(contentsOf: package.appending(path: path), encoding: .utf8)
    }

    /// Brings the copy up to date, without any fault. A file that does not change keeps its date, so that builds are incremental.
    ///
    /// - Parameter planted: Files that get faults later: those of the run before stay until then.
    func mirror(except planted: Set<String>) throws {
        for part in ["Sources", "Tests", "Config"] { try mirror(part, except: planted) }
        try write(Array(try text(of: "README.md").utf8), to: "README.md")
        try write(Array(try manifest().utf8), to: "Package.swift")
    }

    /// Writes files with these faults in them.
    ///
    /// - Parameter texts: The files as they were when the places were found.
    func plant(_ faults: [Fault], in texts: [String: String]) throws {
        let faults = Dictionary(grouping: faults, by: \.site.path)
        for (path, text) in texts { try write(planted(faults[path] ?? [], in: Array(text.utf8)), to: path) }
    }

    private func planted(_ faults: [Fault], in text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var done = 0
        for fault in faults.sorted(by: { $0.site.bytes.lowerBound < $1.site.bytes.lowerBound }) {
            result += text[done..<fault.site.bytes.lowerBound]
            result += Array(fault.replacement.utf8)
            done = fault.site.bytes.upperBound
        }
        if faults.isEmpty { return text }
        // Behind everything else: all lines stay where they are.
        return result + text[done...] + Array("\npublic import Planted\n".utf8)
    }

    /// The package's manifest without what no quick test needs, with the switch as a part of every other target.
    private func manifest() throws -> String {
        let text = try text(of: "Package.swift").replacing("    .treatAllWarnings(as: .error),\n", with: "")
            .replacing(", .treatAllWarnings(as: .error)]", with: "]")
        let extra = try self.text(of: "Tests/Mutation/ManifestEnd.swift")
        return text + extra
    }

    private func mirror(_ folder: String, except planted: Set<String>) throws {
        let source = package.appending(path: folder)
        let target = copy.appending(path: folder)
        let wanted = Set(FileManager.default.enumerator(atPath: source.path)?.compactMap { $0 as? String } ?? [])
        for case let path as String in FileManager.default.enumerator(atPath: target.path) ?? .init()
        where !wanted.contains(path) {
            let left = target.appending(path: path)
            if FileManager.default.fileExists(atPath: left.path) { try FileManager.default.removeItem(at: left) }
        }
        for path in wanted where !planted.contains("\(folder)/\(path)") {
            var isFolder: ObjCBool = false
            let from = source.appending(path: path)
            guard FileManager.default.fileExists(atPath: from.path, isDirectory: &isFolder), !isFolder.boolValue else {
                continue
            }
            try write(Array(Data(contentsOf: from)), to: "\(folder)/\(path)")
            let mode = try FileManager.default.attributesOfItem(atPath: from.path)[.posixPermissions]
            try FileManager.default.setAttributes(
                [.posixPermissions: mode ?? 0o644], ofItemAtPath: copy.appending(path: "\(folder)/\(path)").path)
        }
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        let file = copy.appending(path: path)
        let data = Data(bytes)
        if let old = try? Data(contentsOf: file), old == data { return }
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
    }
}
