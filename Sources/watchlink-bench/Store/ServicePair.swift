import Foundation
import ServiceRuntime
import Trials

/// The real host, and perhaps the real companion, in a directory of their own.
final class ServicePair {
    /// Nothing but their work: no lines below warnings.
    private static let quiet = "{ log: { level: 'warning', file: 'none' } }"

    let services: TrialServices
    var socket: String { services.state.linkSocket }

    init(in folder: BenchFolder, _ names: [String]) throws {
        let programs = TrialServices.ownPrograms
        services = try TrialServices(
            in: URL(filePath: try folder.socket("services")), programs: programs, onLine: { _ in })
        for name in names {
            guard FileManager.default.isExecutableFile(atPath: programs.appending(path: "watchlink-\(name)").path())
            else {
                throw BenchError("there is no watchlink-\(name) beside this program: swift build -c release")
            }
            guard try services.start(name, configuration: Self.quiet) else {
                throw BenchError("the \(name) did not start")
            }
        }
    }

    func stop(_ names: [String]) throws { for name in names { try services.stop(name) } }
}
