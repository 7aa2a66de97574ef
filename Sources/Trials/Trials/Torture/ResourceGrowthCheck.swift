import Foundation
import ServiceRuntime

/// Checks the resources of the services for growth: descriptors, threads, memory, databases, logs.
struct ResourceGrowthCheck {
    /// The interval between checks: a service has then repeated all its activities many times.
    static let interval: Duration = .seconds(6 * 3_600)
    /// The growth allowed since the first check of a process: connections, jobs, and memory the allocator retains.
    private static let (moreDescriptors, moreThreads, moreMemory) = (8, 8, 16 << 20)
    /// The size of empty databases with their logs, and the bytes kept for each payload and transfer on both sides.
    private static let (databaseBytes, bytesOfItem) = (16 << 20, 8 << 10)
    /// The limit on log files in rotation sizes: the current one, three kept ones, and one line beyond each.
    private static let filesOfLog = 5

    private let state: StateDirectory
    private let logBytes: Int
    /// The figures from the first check of each process.
    private var first: [Int32: ServiceFigures] = [:]

    /// - Parameter logBytes: The size at which the services rotate a log.
    init(of state: StateDirectory, logBytes: Int) { (self.state, self.logBytes) = (state, logBytes) }

    /// - Throws: ``TrialFailure`` with the resource that has grown.
    mutating func look(at service: String) throws { try compare(ServiceFigures(of: service, in: state), service) }

    mutating func compare(_ now: ServiceFigures, _ service: String) throws(TrialFailure) {
        guard let then = first[now.process] else {
            first[now.process] = now
            return
        }
        for (what, before, after, more) in [
            ("descriptors", then.descriptors, now.descriptors, Self.moreDescriptors),
            ("threads", then.threads, now.threads, Self.moreThreads),
            ("bytes of memory", then.memory, now.memory, Self.moreMemory),
        ] where after > before + more {
            throw TrialFailure("the \(service) had \(before) \(what), and some hours later \(after)")
        }
    }

    /// - Parameter items: The number of payloads and transfers so far.
    func lookAtFiles(items: Int) throws {
        let databases = try size { $0.contains(".sqlite") }
        guard databases <= Self.databaseBytes + items * Self.bytesOfItem else {
            throw TrialFailure("the databases have \(databases) bytes after \(items) payloads and transfers")
        }
        for service in ["host", "companion"] {
            let logs = try size { $0.hasPrefix("\(service).log") }
            guard logs <= Self.filesOfLog * logBytes else {
                throw TrialFailure("the \(service)'s logs have \(logs) bytes, but are rotated at \(logBytes)")
            }
        }
    }

    /// Returns the total size in bytes of the matching files.
    private func size(_ isMeant: (String) -> Bool) throws -> Int {
        let manager = FileManager.default
        return try (manager.enumerator(atPath: state.path)?.compactMap { $0 as? String } ?? [])
            .filter { isMeant(URL(filePath: $0).lastPathComponent) }
            .reduce(0) { try $0 + (manager.attributesOfItem(atPath: state.path + "/" + $1)[.size] as? Int ?? 0) }
    }
}
