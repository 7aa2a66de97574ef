import CassetteReplay
import DeviceWorlds
import LinkProtocol
import Processes
import VirtualTime

/// A replay in virtual time: an hour takes a fraction of a second, and each replay takes the same course.
struct VirtualReplay {
    /// The time that a world lasts beyond its cassette: until the last time-out has passed.
    private static let rest: Duration = .seconds(300)

    /// The time that a killed program lives beyond its cassette, 1 s: it keeps what it was given with the last events. Most were killed
    /// later, in a rest of which no event tells.
    private static let lastRest: Duration = .seconds(1)

    private var conductor: Conductor
    private let rest: Duration

    /// - Parameter isCutOff: True to end the world soon after its cassette, as a program that is started again was killed then.
    init(_ conductor: Conductor, _ folder: ScratchDirectory, isCutOff: Bool = false) {
        self.conductor = conductor.forReplays(in: folder)
        self.conductor.notesComplaints = true
        rest = isCutOff ? Self.lastRest : Self.rest
    }

    func perform(_ cast: ReplayCast, _ tape: AppTape, seed: UInt64) throws -> PlayedCast {
        let script = try Script(
            ([cast.app] + cast.counterparts).map { .init(at: .zero, .start($0)) },
            end: .microseconds(tape.start + tape.duration) + rest)
        let processes = try conductor.perform(script, JointCourse(seed: seed)).processes
        let app = processes.first { $0.name == cast.app.name }
        let names = Set(cast.counterparts.map(\.name))
        let counterparts = processes.filter { names.contains($0.name) }
        return PlayedCast(
            app: .init(
                failure: app.flatMap(Self.failure).map(StackPlaces(script).completed),
                exit: app.flatMap { Self.ending($0) { !$0.isFailure } },
                hang: app.flatMap { CallWatch.finding(in: Self.lines($0)) }.map(StackPlaces(script).completed),
                end: app.map { Int64($0.span.upperBound / .microseconds(1)) },
                complaints: app?.ownComplaints ?? [], lines: app.map(Self.lines) ?? []),
            counterpart: .init(
                failure: counterparts.lazy.compactMap { Self.ending($0) { _ in true } }.first,
                lines: counterparts.flatMap(Self.lines)))
    }

    /// Returns the way in which a program failed, with the stack of a crash of which Swift's runtime has said nothing.
    private static func failure(_ process: ProcessOutcome) -> String? {
        guard let ending = ending(process, where: \.isFailure) else { return nil }
        guard process.lastWords == nil, let crash = process.crash else { return ending }
        return "\(ending)\n\(crash)"
    }

    private static func ending(_ process: ProcessOutcome, where isFailure: (Ending) -> Bool) -> String? {
        guard case .ended(let ending) = process.fate, isFailure(ending) else { return nil }
        return "\(ending)"
    }

    private static func lines(_ process: ProcessOutcome) -> [String] {
        String(decoding: process.errors, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
