package import Foundation
import Glibc
package import Metrics
package import WatchConnectivity

/// The metrics of every process with a device.
package enum ProcessMetrics {
    /// Adds the process's metrics to a registry.
    package static func register(started: Date, in registry: MetricRegistry) {
        registry.gauge("watchlink_start_time_seconds", help: "Start time of the process, in seconds since 1970.") {
            started.timeIntervalSince1970
        }
        registry.gauge("watchlink_resident_memory_bytes", help: "Resident memory of the process.") { residentBytes }
        registry.gauge("watchlink_open_descriptors", help: "Open file descriptors of the process.") { openDescriptors }
    }

    /// Adds the metrics of a device to a registry.
    package static func register(_ device: DeviceSimulator, in registry: MetricRegistry) {
        registry.gauge("watchlink_connected_peers", help: "Connected counterparts.") {
            Double(device.connectedDevices.count)
        }
        registry.gauge("watchlink_reachable", help: "1 if a counterpart's app is reachable, else 0.") {
            device.isReachable ? 1 : 0
        }
        registry.gauge("watchlink_queue_length", help: "Entries waiting, by queue.") {
            [
                ([("queue", "awaiting reply")], Double(device.outstandingMessages)),
                ([("queue", "to be replied to")], Double(device.openReplies)),
                ([("queue", "transfers out")], Double(device.pendingTransfers)),
                ([("queue", "transfers in")], Double(device.pendingArrivals)),
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
