import Foundation
import VirtualTime

/// The directory for the failed seeds of a test: beside the test bundle, as they apply only to this build, or as given
/// by the environment variable `WATCHLINK_FINDINGS`.
struct FindingsDirectory: Sendable {
    /// A hash of the test's name, in eight hexadecimal digits.
    let stem: String
    private let path: String

    init(_ test: TestIdentity) {
        // FNV-1a: short, and stable between runs.
        var hash: UInt32 = 0x811C_9DC5
        for byte in test.description.utf8 { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        let digits = String(hash, radix: 16)
        stem = String(repeating: "0", count: 8 - digits.count) + digits
        path =
            ProcessInfo.processInfo.environment[SimulationSettings.findingsVariable]
            ?? URL(fileURLWithPath: TestBundle.executable).deletingLastPathComponent()
            .appendingPathComponent("simulation-findings").path
    }

    /// Writes files.
    ///
    /// - Returns: Their paths.
    /// - Throws: ``SimulationError/findings(_:_:)`` if a file cannot be written.
    func write(_ files: [(name: String, contents: String)]) throws(SimulationError) -> [String] {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            return try files.map { name, contents in
                let file = "\(path)/\(stem)-\(name)"
                try Data(contents.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
                return file
            }
        } catch {
            throw .findings(path, error.localizedDescription)
        }
    }
}
