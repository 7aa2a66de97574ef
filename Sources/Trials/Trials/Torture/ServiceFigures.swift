import Foundation
import LinkTransport
import ServiceRuntime

/// The resources of a service at one moment, as the kernel reports them.
struct ServiceFigures: Equatable {
    let process: Int32
    let descriptors: Int
    let threads: Int
    /// Anonymous memory in bytes.
    let memory: Int

    /// The time-out of a connection that only identifies the peer.
    private static let patience: Duration = .seconds(2)

    /// - Throws: ``TrialFailure`` if the service is not running, or the kernel does not report a figure.
    init(of service: String, in state: StateDirectory) throws {
        do {
            // In virtual time, the service itself sees another process identifier.
            process = try BlockingStream(connectingTo: state.controlSocket(of: service), timeout: Self.patience).peer()
        } catch {
            throw TrialFailure("the \(service)'s process could not be identified: \(error)")
        }
        descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        guard let threads = Self.number("Threads:", in: status), let kilobytes = Self.number("RssAnon:", in: status)
        else {
            throw TrialFailure("/proc/\(process)/status lacks “Threads:” or “RssAnon:”")
        }
        (self.threads, memory) = (threads, kilobytes * 1_024)
    }

    init(process: Int32, descriptors: Int, threads: Int, memory: Int) {
        (self.process, self.descriptors, self.threads, self.memory) = (process, descriptors, threads, memory)
    }

    private static func number(_ key: String, in status: String) -> Int? {
        status.split(separator: "\n").first { $0.hasPrefix(key) }?.split(whereSeparator: \.isWhitespace).dropFirst()
            .first
            .flatMap { Int($0) }
    }
}
