import EventLog
import Foundation
import LinkProtocol
import LinkTransport
import Metrics
import TestSupport
import Testing

@Suite("Metrics of the link")
struct LinkMetricsTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// The sum of the process's values whose lines begin so. Other tests may add to them at any time.
    private static func sum(_ start: String) -> Double {
        MetricRegistry.process.text().split(separator: "\n").filter { $0.hasPrefix(start) }
            .compactMap { $0.split(separator: " ").last }.compactMap { Double($0) }.reduce(0, +)
    }

    private static func sums() -> [Double] {
        [
            sum(#"watchlink_link_bytes_total{direction="in"}"#), sum(#"watchlink_link_bytes_total{direction="out"}"#),
            sum("watchlink_link_connections_total "), sum("watchlink_protocol_errors_total{"),
        ]
    }

    private static func conditioner(_ loop: EventLoop) -> LinkConditioner {
        LinkConditioner(loop: loop, LinkCondition(), seed: 1, logger: .silent)
    }

    @Test("Bytes in either direction, connections and violations of the protocol are counted")
    func counted() throws {
        let before = Self.sums()
        let path = scratch.path("link.sock")
        let loop = try EventLoop(name: "test")
        defer { loop.stopLater() }
        let host = Device(identifier: UUID(), role: .host, name: "h")
        let listener = LinkListener(
            loop: loop, path: path, device: host, access: .owner, times: LinkTimes(),
            conditioner: Self.conditioner(loop), logger: .silent)
        let connector = LinkConnector(
            loop: loop, path: path, device: Device(identifier: UUID(), role: .companion, name: "c"), pairingCode: nil,
            times: LinkTimes(), backoff: Backoff(initial: .milliseconds(5), maximum: .milliseconds(5)),
            conditioner: Self.conditioner(loop), logger: .silent)
        let (connections, packages, failures) = (Collector<Bool>(), Collector<Int>(), Collector<String>())
        loop.execute {
            do {
                try listener.start { event in
                    if case .connected = event { connections.add(true) }
                    if case .package(_, _, let bytes) = event { packages.add(bytes) }
                }
            } catch {
                failures.add("\(error)")
            }
            connector.start { event in
                if case .connected = event { connections.add(true) }
            }
        }
        connections.expect { $0.count == 2 }
        let message = MessagePackage(
            identifier: UUID(), command: .sendMessageData, status: .sent, dataPackage: Data(count: 1_000),
            timestamp: Date())
        loop.execute {
            do {
                try connector.send(message, to: host.identifier)
            } catch {
                failures.add("\(error)")
            }
        }
        packages.expect { $0.count == 1 }
        let attacker = try BlockingStream(connectingTo: path, timeout: .seconds(20))
        try attacker.write(Data([0xFF, 0xFF, 0xFF, 0xFF]))
        while (try? attacker.readLine()) ?? nil != nil {}
        let failed = failures.all
        #expect(failed == [])
        let added = zip(before, Self.sums()).map { $1 - $0 }
        #expect(added[0] >= 1_000)
        #expect(added[1] >= 1_000)
        #expect(added[2] >= 2)
        #expect(added[3] >= 1)
        loop.execute {
            connector.stop("end") {}
            listener.stop("end") {}
        }
    }
}
