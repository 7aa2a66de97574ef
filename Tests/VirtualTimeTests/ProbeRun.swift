import CVirtualTime
import Foundation

/// One construct of the probe program in its own world, and the record that the world left.
struct ProbeRun: Equatable {
    var end: virtual_time_end
    var text: String
    var trace: [String]
    var decisions: [Decision]
    var now: Int64
    var switches: UInt64
    var exitCode: Int32

    struct Decision: Equatable {
        var kind: UInt8
        var options: UInt32
        var taken: UInt32
        var place: UInt64
        var ordinal: UInt32
    }

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Starts the probe program as a world, with additional environment variables if given.
    ///
    /// - Parameter isRefused: True to have the kernel refuse the call that fixes addresses, as in containers.
    init(
        _ construct: String, seed: UInt64, _ environment: [String: String] = [:], isRefused: Bool = false
    ) throws {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "probe-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        // A leftover file in the temporary directory is harmless.
        defer { try? FileManager.default.removeItem(at: scratch) }
        let record = scratch.appending(path: "record")
        let process = Process()
        process.executableURL = ProbeProgram.url
        process.arguments = isRefused ? ["--refused", construct] : [construct]
        process.currentDirectoryURL = scratch
        process.standardError = FileHandle.nullDevice
        let world = [VIRTUAL_TIME_SEED: "\(seed)", VIRTUAL_TIME_RECORD: record.path].merging(environment) { $1 }
        let prefix = isRefused ? "HELD_" : ""
        process.environment = ["PATH": "/usr/bin:/bin"].merging(world.map { (prefix + $0, $1) }) { $1 }
        try process.run()
        process.waitUntilExit()
        guard let kept = virtual_time_record_open(record.path) else {
            throw Failure(
                description: "\(construct) left no record: status \(process.terminationStatus), errno \(errno)")
        }
        defer { virtual_time_record_close(kept) }
        self.init(kept, exitCode: process.terminationStatus)
    }

    private init(_ record: UnsafePointer<virtual_time_record>, exitCode: Int32) {
        end = virtual_time_end(record.pointee.end)
        let text = UnsafeRawBufferPointer(
            start: virtual_time_record_text(record), count: Int(record.pointee.text_length))
        self.text = String(decoding: text, as: UTF8.self)
        let trace = UnsafeRawBufferPointer(
            start: virtual_time_record_trace(record), count: Int(record.pointee.trace_length))
        self.trace = String(decoding: trace, as: UTF8.self).split(separator: "\n").map(String.init)
        decisions = UnsafeBufferPointer(
            start: virtual_time_record_decisions(record), count: Int(record.pointee.decision_count)
        ).map {
            Decision(
                kind: $0.kind, options: $0.options, taken: $0.taken, place: $0.place, ordinal: $0.ordinal)
        }
        now = record.pointee.now
        switches = record.pointee.counts.switches
        self.exitCode = exitCode
    }

    /// The texts of the trace, without times and threads.
    var words: [String] { trace.map { $0.split(separator: " ", maxSplits: 2).last.map(String.init) ?? "" } }

    /// Describes the first difference between two runs; nil if they are equal.
    func parting(from other: ProbeRun) -> String? {
        if let (line, mine, others) = firstDifference(trace, other.trace) {
            return "they part at line \(line) of the trace: “\(mine ?? "nothing")”, then “\(others ?? "nothing")”"
        }
        if let (number, mine, others) = firstDifference(decisions, other.decisions) {
            return
                "they part at decision \(number): \(mine.map { "\($0)" } ?? "none"), then \(others.map { "\($0)" } ?? "none")"
        }
        if self == other { return nil }
        return "they part at the end: \(end.rawValue) at \(now) ns, \(switches) switches, “\(text)”, then "
            + "\(other.end.rawValue) at \(other.now) ns, \(other.switches) switches, “\(other.text)”"
    }

    private func firstDifference<T: Equatable>(_ mine: [T], _ others: [T]) -> (Int, T?, T?)? {
        let length = max(mine.count, others.count)
        let number = (0..<length).first { $0 >= mine.count || $0 >= others.count || mine[$0] != others[$0] }
        return number.map { ($0, $0 < mine.count ? mine[$0] : nil, $0 < others.count ? others[$0] : nil) }
    }
}
