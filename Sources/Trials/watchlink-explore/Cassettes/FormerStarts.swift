import CassetteReplay
import Cassettes
import DeviceShell
import Foundation
import Homes
import Processes
import Trials

/// The earlier starts of a program whose recording begins with a restart: the cassettes `phone-1` … beside `phone-3`.
///
/// A program that was started again began with what its earlier starts had left. No cassette has that, as it is full of private
/// words; so the build is run through their cassettes, one after the other, and each finds what the one before has left.
struct FormerStarts {
    /// The paths of the cassettes, the first start first; nil if one is missing.
    private let paths: [String]?
    /// The cassette of the last start, and that of the first; nil if there are no earlier ones.
    private let last: Cassette
    private let first: Cassette?

    /// - Parameter last: The cassette of the last start.
    init(before last: Cassette) throws(CassetteError) {
        self.last = last
        paths = Self.paths(before: URL(filePath: last.path))
        first = try paths?.first.map { path throws(CassetteError) in try Cassette(at: path) }
    }

    private static func paths(before url: URL) -> [String]? {
        let parts = url.lastPathComponent.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int(parts[1]), number > 1, number <= most else { return [] }
        let former = (1..<number).map {
            url.deletingLastPathComponent().appending(path: "\(parts[0])-\($0)").path(percentEncoded: false)
        }
        return former.allSatisfy(Cassette.exists) ? former : nil
    }

    /// The most starts. 100: a seed kills a program once or twice, and each costs a replay.
    private static let most = 100

    /// True if there are earlier starts whose cassettes are not there.
    var areMissing: Bool { paths == nil }

    /// Returns what to do if they are.
    static func hint(_ side: String) -> String {
        "hint: this is of a program that was started again, and began with what its earlier starts had left: put their cassettes beside this one (\(side)-1 …), which are then played first, or give a directory with what they left by --state"
    }

    /// Returns the time of the last start.
    func time(in time: ReplayTime) -> ReplayTime { self.time(of: last, in: time) }

    /// Returns the time of a start: it begins as long after the first one as it was recorded, by the wall clock. Programs keep
    /// dates.
    private func time(of cassette: Cassette, in time: ReplayTime) -> ReplayTime {
        guard let first = first?.manifest.start, let start = cassette.manifest.start, start > first else { return time }
        return time.later(by: .seconds(start.timeIntervalSince(first)))
    }

    /// Runs a build through all starts: what the earlier ones leave differs from seed to seed, too.
    ///
    /// - Returns: The last start.
    func replay(_ build: TestedBuild, _ tape: AppTape, seed: UInt64, in time: ReplayTime) throws -> ReplayedApp {
        let folder = try ScratchDirectory(in: time.base)
        defer { folder.remove() }
        let (build, time) = try continued(by: build, seed: seed, time, in: folder)
        return try ReplayedApp.run(build, against: last, tape, seed: seed, in: time)
    }

    /// Runs a build through the earlier starts.
    ///
    /// - Parameter folder: The directory for what they leave, which must outlast the build.
    /// - Returns: The build, to be started with what the last one has left, and the time in which it is started.
    func continued(
        by build: TestedBuild, seed: UInt64, _ time: ReplayTime, in folder: ScratchDirectory
    ) throws -> (build: TestedBuild, time: ReplayTime) {
        let own = self.time(in: time)
        guard case .virtual = time, !build.isService, build.state == nil else { return (build, own) }
        var build = build
        for (number, path) in (paths ?? []).enumerated() {
            let cassette = try Cassette(at: path)
            let tape = try BuildTrial.tape(of: cassette, for: build)
            let scratch = try ScratchDirectory(in: time.base)
            defer { scratch.remove() }
            let cast = try ReplayCast(build, against: cassette, tape, changing: nil, in: scratch)
            guard case .virtual(let conductor) = self.time(of: cassette, in: time) else { continue }
            let part = try VirtualReplay(conductor, scratch, isCutOff: true).perform(cast, tape, seed: seed).counterpart
            if let failure = part.failure {
                throw ReplayError.counterpart(failure, part.lines.suffix(ReplayedApp.mostLines))
            }
            let home = ProgramPlace(tape.side, build.role, in: scratch.path).home.path
            let left = "\(folder.path)/\(number + 1)"
            try build.starting(with: home).copyState(to: left)
            build = build.starting(with: left)
        }
        return (build, own)
    }
}
