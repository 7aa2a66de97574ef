import Foundation
import ServiceRuntime
import Trials

/// The real host, optionally with the real companion, in a separate directory.
final class ServicePair {
    /// A configuration without a log file, so that no line is written for each message.
    private static let quiet = "{ log: { file: 'none' } }"
    private static let quietLevel = "notice"

    let services: TrialServices
    var socket: String { services.state.linkSocket }

    init(in folder: BenchFolder, _ names: [String]) throws {
        services = try TrialServices(
            in: URL(filePath: try folder.socket("services")), onLine: { _ in })
        for name in names { try start(name) }
    }

    func start(_ name: String) throws {
        guard try services.start(name, configuration: Self.quiet, logLevel: Self.quietLevel) else {
            throw BenchError("the \(name) did not start")
        }
    }

    func stop(_ names: [String]) throws { for name in names { try services.stop(name) } }
}
