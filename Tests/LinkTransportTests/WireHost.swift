import EventLog
import Files
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import LinkTransport

/// A host's connection on a loop of its own, and a peer that speaks in bytes.
final class WireHost: Sendable {
    struct Frame {
        /// The first byte of the header: in the second version, the kind and the request for an acknowledgement.
        let top: UInt8
        let body: [UInt8]

        func package() throws -> MessagePackage { try body.withUnsafeBytes { try PackageCodec.package($0) } }
    }

    let loop: EventLoop
    let peer: RawSocket
    let connection: LinkConnection
    let conditioner: LinkConditioner
    let device = Device(identifier: UUID(), role: .companion, name: "c")
    let events = Collector<String>()
    let log = Collector<LogRecord>()

    /// Opens a connection, which says its hello.
    init(_ condition: LinkCondition = LinkCondition(), times: LinkTimes = LinkTimes()) throws {
        peer = try RawSocket()
        loop = try EventLoop(name: "host")
        conditioner = LinkConditioner(loop: loop, condition, seed: 1, logger: .silent)
        connection = LinkConnection(
            loop: loop, descriptor: Descriptor(peer.other), number: 1, role: .host, times: times,
            conditioner: conditioner, templates: PackageTemplates(), greetings: HelloBudget(), memory: PieceBudget(),
            logger: collectingLogger(log))
        try loop.perform { [connection, events] in
            try connection.open(as: Hello(device: Device(identifier: UUID(), role: .host, name: "h"))) { event in
                events.add(Self.name(event))
            }
        }
    }

    private static func name(_ event: LinkConnection.Event) -> String {
        switch event {
        case .established: "established"
        case .package(let package, let bytes): "\(package.commandName) in \(bytes) bytes"
        case .delivering: "delivering"
        case .closed(let reason): "closed: \(reason)"
        }
    }

    /// Runs a task on the loop.
    func perform<Value: Sendable>(_ task: @escaping @Sendable (LinkConnection) throws -> Value) throws -> Value {
        try loop.perform { [connection] in try task(connection) }
    }

    /// Says the peer's hello, and waits until it is accepted.
    func greet(_ versions: ClosedRange<Int> = ProtocolVersion.spoken) throws {
        _ = try frame()
        let hello = try Hello(device: device, versions: versions).package(identifier: UUID(), timestamp: Date())
        try say(hello)
        events.expect { $0 == ["established"] }
    }

    func say(_ package: MessagePackage) throws { try peer.say([UInt8](PackageCodec.frame(package))) }

    /// Reads the next frame, whose length is below 16 MiB in either version.
    func frame() throws -> Frame {
        let header = try peer.hear(4)
        let length = header.dropFirst().reduce(0) { $0 << 8 | Int($1) }
        return Frame(top: header.first ?? .max, body: try peer.hear(length))
    }

    /// The event with which the connection ended.
    func end() -> String? {
        events.expect { $0.contains { $0.hasPrefix("closed") } }
        return events.all.last
    }

    deinit { loop.stopLater() }
}
