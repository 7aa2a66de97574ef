import Configuration
import ControlSocket
import DeviceControl
package import Foundation
import LinkProtocol
import LinkTransport
import ServiceRuntime

/// Hours of work and trouble with services that somebody else starts and kills, as this asks for, and a look at everything that they keep.
///
/// It is a program of its own in the services' virtual time.
package struct DirectedTorture {
    /// How long it may take until what was promised is done, when nothing disturbs it any more. 10 minutes: a transfer that was lost is sent
    /// again after one.
    private static let patience: Duration = .seconds(600)
    /// How long an answer may take during the work, which goes on whatever the services do.
    private static let workPatience: Duration = .seconds(5)
    /// How long a service may take to begin or to end, and the seconds between two looks at it.
    private static let (limit, interval) = (Duration.seconds(60), 0.01)
    private static let services = ["host", "companion"]
    /// Logs are put aside now and then, so that a crash in the middle of that can happen.
    private static let logBytes = 65_536

    private let schedule: TortureSchedule
    private let state: StateDirectory
    private let direct: (String) throws -> Void
    private var promises: TrialPromises
    private var census: TrialCensus

    /// - Parameters:
    ///   - directory: Where each service has its configuration, “host.json5” and “companion.json5”, and both their state, “state”.
    ///   - direct: Has a service started, killed, crashed at a step, or asked to end: “start host”, “kill host”, “crash host 371”, “end host”.
    package init(
        _ extent: TortureExtent, seed: UInt64, in directory: URL, direct: @escaping (String) throws -> Void,
        onLine: @escaping @Sendable (String) -> Void
    ) throws {
        schedule = TortureSchedule(extent, seed: seed, chance: .ofProcess(seed: ~seed))
        state = StateDirectory(option: directory.appending(path: "state").path(percentEncoded: false))
        self.direct = direct
        promises = TrialPromises(
            of: state, file: directory.appending(path: "file").path(percentEncoded: false), patience: Self.patience,
            workPatience: Self.workPatience, onLine: onLine)
        census = TrialCensus(of: state, logBytes: Self.logBytes)
        for service in Self.services {
            try Data("{ log: { maximumBytes: \(Self.logBytes) }, link: { seed: \(seed) } }".utf8)
                .write(to: directory.appending(path: "\(service).json5"))
        }
    }

    /// - Returns: The number of quizzes that were accepted, and stored.
    /// - Throws: ``TrialFailure`` with the promise that was not kept.
    package mutating func run() throws -> Int {
        for service in Self.services { try start(service) }
        let start = ContinuousClock.now
        var nextLook = TrialCensus.interval
        for (number, (time, event)) in schedule.lines.enumerated() {
            while nextLook < time {
                Self.sleep(until: start + nextLook)
                try look(items: number * TortureSchedule.batch)
                nextLook += TrialCensus.interval
            }
            Self.sleep(until: start + time)
            try perform(event)
        }
        try calm()
        try promises.settle(latest: promises.accepted.count)
        try promises.checkQuizzes()
        for service in Self.services.reversed() { try end(service) }
        try promises.checkArrivals()
        try promises.checkIntegrity()
        return promises.accepted.count
    }

    /// The schedule is what is waited for.
    private static func sleep(until time: ContinuousClock.Instant) {
        let rest = time - .now
        if rest > .zero { Thread.sleep(forTimeInterval: rest / .seconds(1)) }
    }

    private mutating func look(items: Int) throws {
        for service in Self.services where promises.isAnswering(service) { try census.look(at: service) }
        try census.lookAtFiles(items: items)
    }

    private mutating func perform(_ event: TortureEvent) throws {
        switch event {
        case .submit(let count): promises.submit(count)
        case .sendUserInfo(let service): promises.sendUserInfo("\(service)", from: service)
        case .sendContext(let service): promises.sendContext(from: service)
        case .sendFile(let service): promises.sendFile(from: service)
        case .condition(let service, let condition):
            _ = promises.attempt(service, .condition(condition, for: nil))
        case .fault(let service, let deed): _ = promises.attempt(service, .fault(deed))
        case .deed(let service, let deed): _ = promises.attempt(service, .device(deed))
        case .kill(let service): try direct("kill \(service)")
        case .crash(let service, let step): try direct("crash \(service) \(step)")
        case .start(let service):
            // It may not have come by the place where it was to crash.
            try direct("kill \(service)")
            try direct("start \(service)")
        }
    }

    private func start(_ service: String) throws {
        try direct("start \(service)")
        guard waitUntil(service, answers: true) else { throw TrialFailure("the \(service) does not start") }
    }

    private func end(_ service: String) throws {
        try direct("end \(service)")
        guard waitUntil(service, answers: false) else {
            throw TrialFailure("the \(service) does not end when it is asked to")
        }
    }

    /// Waits until a service answers, or does not. It says neither to those who do not ask.
    private func waitUntil(_ service: String, answers isWanted: Bool) -> Bool {
        let end = ContinuousClock.now + Self.limit
        while ContinuousClock.now < end {
            if promises.isAnswering(service) == isWanted { return true }
            Thread.sleep(forTimeInterval: Self.interval)
        }
        return false
    }

    /// Nothing disturbs the services any more.
    private func calm() throws {
        for service in Self.services {
            guard waitUntil(service, answers: true) else {
                throw TrialFailure("the \(service) does not start again")
            }
            let requests: [DeviceRequest] = [
                .condition(LinkPreset.perfect.condition, for: nil), .fault(.disk(.none, after: 0)), .fault(.release),
                .fault(.clear), .device(.linkUp),
            ]
            for request in requests {
                _ = try state.call(service, request, within: Self.patience)
            }
        }
    }
}
