import CrashPoints
import DeviceShell
import EventLog
import LinkProtocol
import RecordSync
import Storage
import WatchConnectivity

/// The fault of one round.
enum TortureTrouble: CustomStringConvertible {
    /// SIGKILL, so many milliseconds after the start of the work.
    case kill([String], after: Int)
    /// The service kills itself at a crash point.
    case crash(String, CrashPoint, pass: Int)
    /// The disk fails after so many writes, and recovers later.
    case disk(String, DiskFault, writes: Int)

    /// - Parameter kind: The singular name of the payloads.
    init(_ random: inout SeededGenerator, kind: String) {
        let services = ["host", "companion"]
        let service = services[random.happens(0.5) ? 0 : 1]
        switch random.unit() {
        case ..<0.35:
            let victims = random.happens(0.3) ? services : [service]
            self = .kill(victims, after: Int(random.unit() * random.unit() * 300))
        case ..<0.75:
            let points = Self.points(of: service, kind: kind)
            let point = points[Int(random.unit() * Double(points.count))]
            self = .crash(service, point, pass: 1 + Int(random.unit() * random.unit() * 20))
        default:
            let faults: [DiskFault] = [.full, .error, .readOnly]
            let fault = faults[Int(random.unit() * Double(faults.count))]
            self = .disk(service, fault, writes: Int(random.unit() * random.unit() * 120))
        }
    }

    /// Returns the crash points that a service passes.
    private static func points(of service: String, kind: String) -> [CrashPoint] {
        let payload = RecordCrashPoints(of: kind)
        let both: [CrashPoint] = [
            .messageReceived, .transferQueued, .transferKept, .committing, .migrating, .logRotating,
        ]
        return both
            + (service == "host"
                ? [payload.decoded, payload.committed, payload.replied, .fileChunkWritten, .fileFinished]
                : [payload.accepted, .acknowledgementReceived, .endRecorded])
    }

    var description: String {
        switch self {
        case .kill(let services, let delay): "SIGKILL of \(services.joined(separator: " and ")) after \(delay) ms"
        case .crash(let service, let point, let pass): "\(service) crashes at \(point.name), pass \(pass)"
        case .disk(let service, let fault, let writes): "\(service)'s disk: \(fault.rawValue) after \(writes) writes"
        }
    }
}
