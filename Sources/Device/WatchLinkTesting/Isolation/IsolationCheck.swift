import Configuration
public import Foundation
public import LinkProtocol
import Locking
import Processes
import WatchConnectivity

/// A check that finds code of a program that would trap on a device: closures and delegate methods that are isolated to
/// an actor, although the device calls them on the session's queue, and related mistakes.
///
/// The program runs several times, as a phone and as a watch, with its own home directory. In one run a counterpart
/// answers every message, in another everything that the program sends fails, and in a third every method of the
/// delegate is called with synthetic content. Code that is never called is not checked.
public struct IsolationCheck: Sendable {
    /// The error for a program that cannot be checked.
    public struct Failure: Error, CustomStringConvertible {
        /// The program, and the reason.
        public let description: String
    }

    /// The number of processes that run at the same time. 3: they mostly wait.
    private static let sideBySide = 3

    private let program: URL
    private let arguments: [String]
    private let roles: [DeviceRole]
    private let feed: [String]

    /// - Parameters:
    ///   - program: The executable, built for debugging so that lines can be named.
    ///   - arguments: The arguments of the program.
    ///   - roles: The devices on which the program runs.
    ///   - feed: Lines for the program's standard input, for programs that send only when asked to.
    public init(
        program: URL, arguments: [String] = [], roles: [DeviceRole] = DeviceRole.allCases, feed: [String] = []
    ) {
        self.program = program
        self.arguments = arguments
        self.roles = roles
        self.feed = feed
    }

    /// Runs the program, and returns the findings.
    ///
    /// - Throws: ``Failure`` if the program cannot be run, or never activates its session.
    public func report() async throws -> IsolationReport {
        try await withCheckedThrowingContinuation { continuation in
            // A thread of its own: the check waits for processes.
            Thread.detachNewThread { continuation.resume(with: Result { try run() }) }
        }
    }

    /// Runs the program, and waits for the findings.
    package func run() throws -> IsolationReport {
        guard FileManager.default.isExecutableFile(atPath: program.plainPath) else {
            throw Failure(
                description:
                    "\(program.plainPath) is not a program; build it, and name the file in .build/debug"
            )
        }
        let runs = roles.flatMap { role in LintRun.Kind.allCases.map { (role: role, kind: $0) } }
        let results = Mutex<[Int: Result<[LintChild.Outcome], any Error>]>([:])
        let places = DispatchSemaphore(value: Self.sideBySide)
        let group = DispatchGroup()
        for (index, run) in runs.enumerated() {
            places.wait()
            group.enter()
            Thread.detachNewThread {
                let result = Result { try self.outcomes(run.role, run.kind) }
                results.withLock { $0[index] = result }
                places.signal()
                group.leave()
            }
        }
        group.wait()
        let finished = try runs.indices.compactMap { index in
            try results.withLock { $0[index] }.map { (runs[index].role, runs[index].kind, try $0.get()) }
        }
        return try IsolationReport(finished, program: program)
    }

    /// Runs the program once, and again for the methods behind one that ended it.
    private func outcomes(_ role: DeviceRole, _ kind: LintRun.Kind) throws -> [LintChild.Outcome] {
        let child = LintChild(program: program, arguments: arguments, role: role, kind: kind, feed: feed)
        var (outcomes, skipped): ([LintChild.Outcome], [String]) = ([], [])
        while true {
            let outcome = try child.run(skipping: skipped)
            outcomes.append(outcome)
            guard kind == .called, let call = outcome.transcript.fatalCall, LintRun.delegateMethods.contains(call),
                !skipped.contains(call)
            else { return outcomes }
            skipped.append(call)
        }
    }
}
