import Foundation

/// Builds the copy with all faults in it, and leaves out those that do not compile.
struct FaultyBuild {
    let tree: SourceTree
    let scratch: URL
    /// The words that build it, after `swift`.
    let words: [String]
    let unfit: UnfitPlaces

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
            let wrong = errors(in: build.output)
            let kept = faults.filter { fault in
                guard let error = wrong.first(where: { $0.path == fault.site.path && fault.covers($0.line) }) else {
                    return true
                }
                progress("does not compile: \(fault.site.key): \(error.text)")
                unfit.add(fault.site)
                return false
            }
            try unfit.save()
            if kept.count < faults.count {
                faults = kept
                continue
            }
            // The error lies beside its cause: the last fault before it goes, or the first of the file.
            for error in wrong {
                progress("does not compile: \(error.path):\(error.line): \(error.text)")
                let near = faults.filter { $0.site.path == error.path }
                guard let cause = near.last(where: { $0.site.line <= error.line }) ?? near.first else { continue }
                unfit.add(cause.site)
                faults.removeAll { $0.number == cause.number }
            }
            try unfit.save()
            if faults.count == kept.count {
                throw PlanterError(
                    description: "the copy does not build, whatever is left out:\n\(build.output.suffix(4_000))")
            }
        }
    }

    private func errors(in output: String) -> [(path: String, line: Int, text: Substring)] {
        let root = tree.copy.path + "/"
        return output.split(separator: "\n").compactMap { line in
            guard line.hasPrefix(root), let mark = line.range(of: ": error: ") else { return nil }
            let place = line[..<mark.lowerBound].dropFirst(root.count).split(separator: ":")
            guard place.count >= 2, let number = Int(place[1]) else { return nil }
            return (String(place[0]), number, line[mark.upperBound...])
        }
    }
}

extension Fault {
    /// Whether the fault's text reaches into this line.
    func covers(_ line: Int) -> Bool { (site.line...site.line + site.height).contains(line) }
}
