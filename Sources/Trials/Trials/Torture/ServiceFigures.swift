import Foundation
import LinkTransport
import ServiceRuntime

/// What a service has of the system at one moment, as the kernel tells it.
struct ServiceFigures: Equatable {
    let process: Int32
    let descriptors: Int
    let threads: Int
    /// Bytes that no file backs.
    let memory: Int

    /// How long a connection may take that only tells whose it is.
    private static let patience: Duration = .seconds(2)

    /// - Throws: ``TrialFailure`` if the service does not run, or the kernel does not tell.
    init(of service: String, in state: StateDirectory) throws {
        do {
            // The service's own idea of its number is another one in virtual time.
            process = try BlockingStream(connectingTo: state.controlSocket(of: service), timeout: Self.patience).peer()
        } catch {
            throw TrialFailure("the \(service) cannot be looked at: \(error)")
        }
        descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        guard let threads = Self.number("Threads:", in: status), let kilobytes = Self.number("RssAnon:", in: status)
        else {
            throw TrialFailure("/proc/\(process)/status has no “Threads:” or no “RssAnon:”")
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
