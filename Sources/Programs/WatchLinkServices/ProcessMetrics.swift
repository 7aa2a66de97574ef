import Foundation
import Glibc
import Metrics
import ServiceRuntime
import WatchConnectivity

/// The metrics of every service process and session.
enum ProcessMetrics {
    static func register(role: String, started: Date) {
        let registry = MetricRegistry.process
        registry.gauge("watchlink_build_info", help: "The running build; always 1.") {
            [([("role", role), ("version", Version.number), ("commit", String(Version.commit.prefix(12)))], 1)]
        }
        registry.gauge("watchlink_start_time_seconds", help: "Start time of the process, in seconds since 1970.") {
            started.timeIntervalSince1970
        }
        registry.gauge("watchlink_resident_memory_bytes", help: "Resident memory of the process.") { residentBytes }
        registry.gauge("watchlink_open_descriptors", help: "Open file descriptors of the process.") { openDescriptors }
    }

    static func register(_ session: WCSession) {
        let registry = MetricRegistry.process
        registry.gauge("watchlink_connected_peers", help: "Connected counterparts.") {
            Double(session.connectedDevices.count)
        }
        registry.gauge("watchlink_reachable", help: "1 if a counterpart's app is reachable, else 0.") {
            session.isReachable ? 1 : 0
        }
        registry.gauge("watchlink_queue_length", help: "Entries waiting, by queue.") {
            [
                ([("queue", "awaiting reply")], Double(session.outstandingMessages)),
                ([("queue", "to be replied to")], Double(session.openReplies)),
                ([("queue", "transfers out")], Double(session.waitingTransfers)),
                ([("queue", "transfers in")], Double(session.waitingArrivals)),
            ]
        }
    }

    /// The second number of /proc/self/statm counts pages.
    private static var residentBytes: Double {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .ascii)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
        return pages * Double(sysconf(Int32(_SC_PAGESIZE)))
    }

    private static var openDescriptors: Double {
        Double((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0)
    }
}
