import Foundation
import Glibc

/// Figures of a process, as the kernel reports them.
enum ProcessFigures {
    static func residentBytes(_ process: Int32) throws -> Double { try status(process, "VmRSS") * 1_024 }

    /// Returns the peak resident memory.
    static func peakBytes(_ process: Int32) throws -> Double { try status(process, "VmHWM") * 1_024 }

    /// Returns the processor time that a running process has used, in seconds.
    static func processorSeconds(_ process: Int32) throws -> Double {
        var (clock, time) = (clockid_t(), timespec())
        guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else {
            throw BenchError("process \(process) has ended")
        }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The peak resident memory of this process.
    static var ownPeakBytes: Double {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        return Double(usage.ru_maxrss) * 1_024
    }

    /// Returns the number of voluntary context switches, which equals the number of wake-ups, by thread.
    static func wakeUps(_ process: Int32) throws -> [String: Double] {
        let folder = "/proc/\(process)/task"
        let threads = try FileManager.default.contentsOfDirectory(atPath: folder)
        return Dictionary(
            uniqueKeysWithValues: threads.compactMap { thread in
                // A thread that has ended meanwhile is left out.
                (try? number("voluntary_ctxt_switches", in: "\(folder)/\(thread)/status")).map { (thread, $0) }
            })
    }

    private static func status(_ process: Int32, _ key: String) throws -> Double {
        try number(key, in: "/proc/\(process)/status")
    }

    private static func number(_ key: String, in path: String) throws -> Double {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix(key + ":") }
        return line?.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap { Double($0) } ?? 0
    }
}
