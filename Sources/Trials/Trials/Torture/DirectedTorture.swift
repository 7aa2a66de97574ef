import Configuration
import ControlSocket
import DeviceControl
package import Foundation
import LinkProtocol
import LinkTransport
import ServiceRuntime

/// Hours of work and faults with services that the conductor starts and kills on request, then a check of their data.
///
/// It is a separate program in the services' virtual time.
package struct DirectedTorture {
    /// The time a promise may take after the last fault. 10 minutes: a lost transfer is resent after one.
    private static let patience: Duration = .seconds(600)
    /// The time an answer may take during the work, which continues whatever the services do.
    private static let workPatience: Duration = .seconds(5)
    /// The time a service may take to start or end, and the polling interval in seconds.
    private static let (limit, interval) = (Duration.seconds(60), 0.01)
    private static let services = ["host", "companion"]
    /// The size at which logs are rotated: small, so that a crash during a rotation can happen.
    private static let logBytes = 65_536

    private let schedule: TortureSchedule
    private let state: StateDirectory
    private let direct: (String) throws -> Void
    private var promises: TrialPromises
    private var census: ResourceGrowthCheck

    /// - Parameters:
    ///   - subject: The payloads; the conductor knows the programs.
    ///   - directory: The directory with the services' configurations, “host.json5” and “companion.json5”, and their
    ///     state, “state”.
    ///   - direct: Requests the start, kill, crash at a step, or end of a service: “start host”, “kill host”, “crash
    ///     host 371”, “end host”.
    package init(
        _ subject: TrialSubject, _ extent: TortureExtent, seed: UInt64, in directory: URL,
        direct: @escaping (String) throws -> Void,
        onLine: @escaping @Sendable (String) -> Void
    ) throws {
        schedule = TortureSchedule(extent, seed: seed, chance: .ofProcess(seed: ~seed))
        state = StateDirectory(option: directory.appending(path: "state").path(percentEncoded: false))
        self.direct = direct
        promises = TrialPromises(
            subject, of: state, file: directory.appending(path: "file").path(percentEncoded: false),
            patience: Self.patience,
            workPatience: Self.workPatience, onLine: onLine)
        census = ResourceGrowthCheck(of: state, logBytes: Self.logBytes)
        for service in Self.services {
            try Data("{ log: { maximumBytes: \(Self.logBytes) }, link: { seed: \(seed) } }".utf8)
                .write(to: directory.appending(path: "\(service).json5"))
        }
    }

    /// - Returns: The number of payloads accepted and stored.
    /// - Throws: ``TrialFailure`` with the broken promise.
    package mutating func run() throws -> Int {
        for service in Self.services { try start(service) }
        let start = ContinuousClock.now
        var nextLook = ResourceGrowthCheck.interval
        for (number, (time, event)) in schedule.lines.enumerated() {
            while nextLook < time {
                Self.sleep(until: start + nextLook)
                try look(items: number * TortureSchedule.batch)
                nextLook += ResourceGrowthCheck.interval
            }
            Self.sleep(until: start + time)
            try perform(event)
        }
        try endFaults()
        try promises.submitAfterTrouble()
        try promises.settle(latest: promises.accepted.count)
        try promises.checkPayloads()
        for service in Self.services.reversed() { try end(service) }
        try promises.checkArrivals()
        try promises.checkIntegrity()
        return promises.accepted.count
    }

    /// Waits for the time of the next event in the schedule.
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
            // It may not have reached the point of its crash.
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
            throw TrialFailure("the \(service) did not end when requested")
        }
    }

    /// Waits until a service answers, or no longer answers, by polling.
    private func waitUntil(_ service: String, answers isWanted: Bool) -> Bool {
        let end = ContinuousClock.now + Self.limit
        while ContinuousClock.now < end {
            if promises.isAnswering(service) == isWanted { return true }
            Thread.sleep(forTimeInterval: Self.interval)
        }
        return false
    }

    /// Restarts the services where necessary, and ends all faults.
    private func endFaults() throws {
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
