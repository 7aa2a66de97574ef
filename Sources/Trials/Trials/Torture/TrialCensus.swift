import Foundation
import ServiceRuntime

/// Looks now and then whether the services need ever more: descriptors, threads, memory, databases, logs.
struct TrialCensus {
    /// A service has then done all that it does again and again.
    static let interval: Duration = .seconds(6 * 3_600)
    /// More than at the first look at the same process: connections and jobs that are under way, and what the allocator keeps for later.
    private static let (moreDescriptors, moreThreads, moreMemory) = (8, 8, 16 << 20)
    /// Empty databases with their logs of changes; and for each quiz and transfer what is kept of it on both sides.
    private static let (databaseBytes, bytesOfItem) = (16 << 20, 8 << 10)
    /// Five files of the size at which logs are put aside: the current one, the three that are kept, and one line beyond each.
    private static let filesOfLog = 5

    private let state: StateDirectory
    private let logBytes: Int
    /// At the first look at each process.
    private var first: [Int32: ServiceFigures] = [:]

    /// - Parameter logBytes: The size at which the services put a log aside.
    init(of state: StateDirectory, logBytes: Int) { (self.state, self.logBytes) = (state, logBytes) }

    /// - Throws: ``TrialFailure`` with what has grown.
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
            throw TrialFailure("the \(service) had \(before) \(what), and has \(after) some hours later")
        }
    }

    /// - Parameter items: The number of quizzes and transfers so far.
    func lookAtFiles(items: Int) throws {
        let databases = try size { $0.contains(".sqlite") }
        guard databases <= Self.databaseBytes + items * Self.bytesOfItem else {
            throw TrialFailure("the databases have \(databases) bytes after \(items) quizzes and transfers")
        }
        for service in ["host", "companion"] {
            let logs = try size { $0.hasPrefix("\(service).log") }
            guard logs <= Self.filesOfLog * logBytes else {
                throw TrialFailure("the \(service)'s logs have \(logs) bytes, and are put aside at \(logBytes)")
            }
        }
    }

    /// The bytes of the files whose names are so.
    private func size(_ isMeant: (String) -> Bool) throws -> Int {
        let manager = FileManager.default
        return try (manager.enumerator(atPath: state.path)?.compactMap { $0 as? String } ?? [])
            .filter { isMeant(URL(filePath: $0).lastPathComponent) }
            .reduce(0) { try $0 + (manager.attributesOfItem(atPath: state.path + "/" + $1)[.size] as? Int ?? 0) }
    }
}
