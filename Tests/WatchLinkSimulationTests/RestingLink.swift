import EventLog
import Files
import Foundation
import Glibc
import LinkProtocol
import Locking

@testable import LinkTransport

/// Both ends of a link on which nothing happens, in one process, and the times at which each end sent a heartbeat.
final class RestingLink: Sendable {
    static let shared = RestingLink()

    private let heartbeats = Mutex<[DeviceRole: [Date]]>([:])
    private let connections = Mutex<[LinkConnection]>([])
    private let troubles = Mutex<[String]>([])

    func begin() throws {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        for (role, end) in zip(DeviceRole.allCases, ends) { try open(role, end) }
    }

    private func open(_ role: DeviceRole, _ end: Int32) throws {
        let loop = try EventLoop(name: role.rawValue)
        let logger = Logger(service: role.rawValue, minimumLevel: .debug) { [self] record in
            guard record.event == .packageOut, record.fields.contains(.command(Command.heartbeat.rawValue)) else {
                return
            }
            heartbeats.withLock { $0[role, default: []].append(record.time) }
        }
        let connection = LinkConnection(
            loop: loop, descriptor: Descriptor(end), number: 1, role: role, times: LinkTimes(),
            conditioner: LinkConditioner(loop: loop, LinkCondition(), seed: 1, logger: .silent),
            templates: PackageTemplates(), greetings: HelloBudget(limit: 1_000), memory: PieceBudget(),
            logger: logger)
        connections.withLock { $0.append(connection) }
        let hello = Hello(device: Device(identifier: UUID(), role: role, name: role.rawValue))
        loop.execute { [self] in
            do {
                try connection.open(as: hello) { [self] event in
                    if case .closed(let reason) = event { troubles.withLock { $0.append(reason) } }
                }
            } catch {
                troubles.withLock { $0.append("\(error)") }
            }
        }
    }

    /// The reasons why an end could not open or was closed.
    var trouble: [String] { troubles.withLock { $0 } }

    /// The times at which an end sent heartbeats.
    func heartbeats(of role: DeviceRole) -> [Date] { heartbeats.withLock { $0[role] ?? [] } }
}
