import Foundation
import Synchronization

/// One run: draws faults, builds all of them into one copy of the package, and tries each.
struct Campaign {
    let options: Options
    private let scratch: URL
    private let build: URL
    private let tree: SourceTree

    /// One fault in so many is drawn beyond what is asked for, since some do not compile.
    private static let spare = 6

    init(_ options: Options) {
        self.options = options
        scratch = options.package.appending(path: ".build/mutation")
        build = scratch.appending(path: "build")
        tree = SourceTree(package: options.package, copy: scratch.appending(path: "tree"))
    }

    /// Every place for a fault in the given folders.
    func sites(in texts: [String: String]) -> [Site] {
        let siblings = EnumCases(Array(texts.values)).siblings
        return texts.sorted { $0.key < $1.key }.flatMap { path, text in
            SiteFinder(path: path, text: text, siblings: siblings).sites
        }
    }

    func printSites() throws {
        for site in sites(in: try tree.texts(in: options.folders)) { print("\(site.path):\(site.line): \(site.key)") }
    }

    func run() throws -> Report {
        let texts = try tree.texts(in: options.folders)
        let sites = sites(in: texts)
        progress("seed \(options.seed): \(options.count) of \(sites.count) places")
        var draw = Draw(seed: options.seed)
        let unfit = try UnfitPlaces(scratch.appending(path: "unfit"))
        let drawn = draw.faults(options.count + options.count / Self.spare, from: sites)
            .filter { !unfit.contains($0.site) }
        try tree.mirror(except: Set(texts.keys))
        let examiner = makeExaminer()
        let compiled = try FaultyBuild(tree: tree, scratch: build, words: examiner.build, unfit: unfit)
            .make(with: drawn, in: texts)
        progress("\(compiled.count) of \(drawn.count) faults compile")
        return try examine(Array(draw.shuffled(compiled).prefix(options.count)), by: examiner)
    }

    private func makeExaminer() -> any Examiner {
        if let seeds = options.simulatedSeeds {
            return SimulationExaminer(program: build.appending(path: "release/watchlink-simulate"), seeds: seeds)
        }
        return TestExaminer(
            bundle: TestBundle(program: build.appending(path: "debug/WatchLinkPackageTests.xctest"), folder: tree.copy),
            jobs: options.jobs)
    }

    private func examine(_ faults: [Fault], by examiner: any Examiner) throws -> Report {
        let equivalents = try Equivalents(options.package.appending(path: "Tests/Mutation/equivalents.txt"))
        let examine = try examiner.prepare(scratch)
        let end = options.seconds.map { Date(timeIntervalSinceNow: $0) } ?? .distantFuture
        let done = Atomic(0)
        let outcomes = try inParallel(faults, jobs: options.jobs) { fault in
            if let reason = equivalents.reason(for: fault) { return (fault, Outcome.equivalent(reason)) }
            if Date() > end { return (fault, Outcome.untried) }
            let outcome = try examine(fault)
            let number = done.add(1, ordering: .relaxed).newValue
            progress("\(number)/\(faults.count) \(fault.site.path):\(fault.site.line) \(outcome.words)")
            return (fault, outcome)
        }
        return Report(outcomes: outcomes.sorted { $0.0.number < $1.0.number }.map { (fault: $0.0, outcome: $0.1) })
    }
}
