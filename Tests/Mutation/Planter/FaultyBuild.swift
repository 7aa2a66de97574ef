import Foundation

/// Builds the copy with all faults in it, and leaves out those that do not compile.
struct FaultyBuild {
    let tree: SourceTree
    let scratch: URL
    /// The words that build it, after `swift`.
    let words: [String]
    let unfit: UnfitPlaces

    /// An error message of the compiler.
    private struct BuildError {
        let path: String
        let line: Int
        let text: Substring
    }

    /// Returns the faults that are in the build. Each round's errors hide those of the modules above.
    func make(with drawn: [Fault], in texts: [String: String]) throws -> [Fault] {
        var faults = drawn
        while true {
            try tree.plant(faults, in: texts)
            progress("building with \(faults.count) faults")
            let build = try Command.run(
                ["swift"] + words + ["--scratch-path", scratch.path, "-Xswiftc", "-suppress-warnings"],
                in: tree.copy)
            if build.succeeded { return faults }
            let culprits = culprits(of: errors(in: build.output), among: faults)
            guard !culprits.isEmpty else {
                throw PlanterError(
                    description: "the copy does not build, whatever is left out:\n\(build.output.suffix(4_000))")
            }
            for fault in faults where culprits.contains(fault.number) { unfit.add(fault.site) }
            try unfit.save()
            faults.removeAll { culprits.contains($0.number) }
        }
    }

    /// The numbers of the faults whose lines have errors; if none has, the errors are beside their cause, and the last fault before each
    /// is chosen, or the first of its file.
    private func culprits(of errors: [BuildError], among faults: [Fault]) -> Set<Int> {
        for error in errors { progress("does not compile: \(error.path):\(error.line): \(error.text)") }
        let hit = faults.filter { fault in
            errors.contains { $0.path == fault.site.path && fault.covers($0.line) }
        }
        if !hit.isEmpty { return Set(hit.map(\.number)) }
        return Set(
            errors.compactMap { error in
                let near = faults.filter { $0.site.path == error.path }
                return (near.last { $0.site.line <= error.line } ?? near.first)?.number
            })
    }

    private func errors(in output: String) -> [BuildError] {
        let root = tree.copy.path + "/"
        return output.split(separator: "\n").compactMap { line in
            guard line.hasPrefix(root), let mark = line.range(of: ": error: ") else { return nil }
            let place = line[..<mark.lowerBound].dropFirst(root.count).split(separator: ":")
            guard place.count >= 2, let number = Int(place[1]) else { return nil }
            return BuildError(path: String(place[0]), line: number, text: line[mark.upperBound...])
        }
    }
}

extension Fault {
    /// Returns true if the fault's text reaches into this line.
    func covers(_ line: Int) -> Bool { (site.line...site.line + site.height).contains(line) }
}
