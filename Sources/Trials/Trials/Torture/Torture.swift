import Configuration
import ControlSocket
import CrashPoints
import DeviceControl
package import Foundation
import LinkProtocol
import ServiceRuntime

/// Rounds of work and faults with the real services, with a check of all their data after each.
package final class Torture {
    /// The number of rounds with one set of databases. 25: enough to show the effects of growth.
    private static let roundsPerDirectory = 25
    /// The number of payloads in a round, and in one batch.
    private static let (payloads, batch) = (20, 4)
    /// The time a process that is to crash may continue after its work.
    private static let lastMoments: Duration = .milliseconds(500)
    /// A small log size, so that a crash during a rotation can happen.
    private static let configuration = """
        { log: { maximumBytes: 8192 }, link: { firstReconnect: 0.02, longestReconnect: 0.2 } }
        """
    private static let hostConfiguration = "{ log: { maximumBytes: 8192 } }"

    private let seed: UInt64
    private let subject: TrialSubject
    /// The singular name of the payloads, from which their crash points have their names.
    private let kind: String
    private var random: SeededGenerator
    private let directory: URL
    private let onLine: @Sendable (String) -> Void
    private var services: TrialServices
    private var folder = 0
    /// The promises made with the current databases.
    private var promises: TrialPromises
    /// The number of times each kind of fault happened.
    package private(set) var counts: [String: Int] = [:]

    /// - Throws: ``TrialFailure`` if the services do not accept the subject's payload even without a fault.
    package init(
        _ subject: TrialSubject, seed: UInt64, in directory: URL, onLine: @escaping @Sendable (String) -> Void
    ) throws {
        self.seed = seed
        self.subject = subject
        self.directory = directory
        self.onLine = onLine
        random = SeededGenerator(seed: seed)
        kind = try TortureRehearsal(subject, in: directory.appending(path: "rehearsal"), onLine: onLine).kind()
        services = try TrialServices(in: directory.appending(path: "0"), programs: subject.programs, onLine: onLine)
        promises = Self.promises(subject, of: services.state, in: directory, onLine)
    }

    private static func promises(
        _ subject: TrialSubject, of state: StateDirectory, in directory: URL,
        _ onLine: @escaping @Sendable (String) -> Void
    ) -> TrialPromises {
        TrialPromises(
            subject, of: state, file: directory.appending(path: "file").path(percentEncoded: false),
            patience: TrialServices.patience, workPatience: TrialServices.patience, onLine: onLine)
    }

    /// Runs one round: start, work, faults, restart, and a check of every promise.
    ///
    /// - Returns: A description of the fault.
    /// - Throws: ``TrialFailure`` with the broken promise.
    package func round(_ number: Int) throws -> String {
        if number > 0, number % Self.roundsPerDirectory == 0 { try begin() }
        let trouble = TortureTrouble(&random, kind: kind)
        do {
            try endure(trouble)
            try restart()
            try promises.submitAfterTrouble()
            // Those of the work, and the one after it.
            try promises.settle(latest: Self.payloads + 1)
            try promises.checkPayloads()
        } catch let error as TrialFailure {
            throw error
        } catch {
            throw TrialFailure("\(trouble): \(error)")
        }
        for service in ["companion", "host"] { try services.stop(service) }
        try promises.checkArrivals()
        try promises.checkIntegrity()
        return "\(trouble)"
    }

    /// Starts a new set of databases.
    private func begin() throws {
        folder += 1
        let former = directory.appending(path: "\(folder - 1)")
        services = try TrialServices(
            in: directory.appending(path: "\(folder)"), programs: subject.programs, onLine: onLine)
        promises = Self.promises(subject, of: services.state, in: directory, onLine)
        try FileManager.default.removeItem(at: former)
    }

    // MARK: - Work and faults

    private func endure(_ trouble: TortureTrouble) throws {
        var crashPoints: [String: String] = [:]
        if case .crash(let service, let point, let pass) = trouble {
            crashPoints[service] = "\(point.name):\(pass)"
            counts[point.name, default: 0] += 1
        }
        for service in ["host", "companion"] { _ = try start(service, crashPoint: crashPoints[service]) }
        switch trouble {
        case .kill(let victims, let delay):
            counts["SIGKILL", default: 0] += 1
            let services = UncheckedServices(services)
            let killer = Thread {
                // The one real delay: the moment of the crash is left to chance.
                Thread.sleep(forTimeInterval: Double(delay) / 1_000)
                for victim in victims { services.value.kill(victim) }
                services.done.signal()
            }
            killer.start()
            work()
            services.done.wait()
        case .crash(let service, _, _):
            work()
            // Until all is done or the companion has ended; without the host nothing gets done. A process that never
            // reached the crash point is killed then.
            if let last = promises.accepted.last {
                _ = promises.attempt("companion", "wait", subject.question(after: last), within: Self.lastMoments)
            }
            if services.isRunning(service) { counts["not reached", default: 0] += 1 }
            services.kill(service)
        case .disk(let service, let fault, let writes):
            counts[fault.rawValue, default: 0] += 1
            try setDisk(service, fault, writes)
            work()
            try setDisk(service, .none, 0)
        }
    }

    // Proof of `@unchecked Sendable`: the killer only kills, and a process handle accepts that from any thread.
    private struct UncheckedServices: @unchecked Sendable {
        let value: TrialServices
        let done = DispatchSemaphore(value: 0)
        init(_ value: TrialServices) { self.value = value }
    }

    private func start(_ service: String, crashPoint: String? = nil) throws -> Bool {
        try services.start(
            service, configuration: service == "host" ? Self.hostConfiguration : Self.configuration,
            crashPoint: crashPoint)
    }

    private func setDisk(_ service: String, _ fault: DiskFault, _ writes: Int) throws {
        let request = DeviceRequest.fault(.disk(fault, after: writes))
        _ = try services.call(service, request.method, request.params)
    }

    /// Submits payloads and transfers while the services accept them.
    private func work() {
        for index in 0..<(Self.payloads / Self.batch) {
            promises.submit(Self.batch)
            for service in ["companion", "host"] { promises.sendUserInfo("\(index)", from: service) }
            for service in ["host", "companion"] where random.happens(0.3) { promises.sendContext(from: service) }
        }
        if random.happens(0.3) { promises.sendFile(from: "companion") }
    }

    // MARK: - Recovery

    /// Restarts the services that are down.
    private func restart() throws {
        for service in ["host", "companion"] where !isReady(service) {
            services.kill(service)
            guard try start(service) else { throw TrialFailure("the \(service) does not start again") }
        }
    }

    private func isReady(_ service: String) -> Bool {
        services.isRunning(service) && promises.isAnswering(service)
    }
}
