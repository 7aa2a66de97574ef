import DeviceEngine
import DeviceShell
import EventLog
import Foundation
import LinkProtocol
import Metrics
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("The effects of faults that an app sees")
struct AppFaultEffectTests {
    /// The number of faults of one kind, in all sessions of the process.
    private static func injected(_ effect: String) -> Int {
        let series = #"watchlink_faults_injected_total{effect="\#(effect)"}"#
        let line = MetricRegistry.process.text().split(separator: "\n").first { $0.hasPrefix(series + " ") }
        return line.flatMap { Int($0.dropFirst(series.count + 1)) } ?? 0
    }

    @Test("Each fault that the app meets is counted by its kind")
    func counted() throws {
        let scratch = try Scratch()
        let device = TestDevice(.host, in: scratch)
        let former = Self.injected("slow")
        device.session.simulator.inject(AppFault(.slow(.isPaired, .milliseconds(1))))
        _ = device.session.isPaired
        let count = Self.injected("slow") - former
        // Other tests may meet such faults at the same time.
        #expect(count >= 1)
        #expect(device.session.simulator.injectedFaults == 1)
    }

    @Test("Only contexts are followed by the former context, which is no user info that came between")
    func replay() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        pair.host.session.simulator.inject(AppFault(.replay))
        for number in 1...2 {
            try pair.companion.session.updateApplicationContext(["n": number])
            pair.host.delegate.events.expect { $0.contains("context n=\(number)") }
            pair.companion.session.transferUserInfo(["i": number])
            pair.host.delegate.events.expect { $0.contains("userInfo i=\(number)") }
        }
        #expect(pair.host.delegate.all("context") == ["context n=1", "context n=2", "context n=1"])
        #expect(pair.host.delegate.all("userInfo") == ["userInfo i=1", "userInfo i=2"])
    }

    @Test("A phone's app gets content as soon as that wakes it: only a watch's app gets its time before")
    func earlyOnPhone() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        pair.host.session.simulator.inject(AppFault(.early(.seconds(3_600))))
        pair.host.session.simulator.enter(.suspended)
        pair.companion.session.transferUserInfo(["n": 1])
        #expect(pair.host.received(["userInfo n=1"], "userInfo"))
        #expect(pair.host.session.simulator.injectedFaults == 0)
    }

    @Test("A file that cannot be copied to be given twice is given once, which is logged", arguments: [false, true])
    func uncopied(hasCopy: Bool) throws {
        let pair = try TestPair()
        #expect(pair.connect())
        pair.host.session.simulator.inject(AppFault(.duplicate(.file)))
        pair.companion.session.simulator.setLinkUp(false)
        let file = try pair.scratch.write("f", "text")
        let transfer = pair.companion.session.transferFile(URL(filePath: file), metadata: nil).identifier
        let folder = DeviceDirectory(pair.host.configuration.stateDirectory).again(transfer)
        if hasCopy { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false) }
        try Data().write(to: URL(filePath: hasCopy ? folder + "/f" : folder))
        pair.companion.session.simulator.setLinkUp(true)
        #expect(pair.host.logs(.transferDelivered))
        #expect(pair.host.delegate.all("file") == ["file f 4 "])
        let failures = pair.host.log.all.map(\.fields).filter { fields in
            fields.contains(.package(transfer)) && fields.contains { $0.key == "error" }
        }
        #expect(failures.count == 1)
        let reason = failures.first?.last
        let isPlain = reason == LogField.error("create \(folder): Not a directory")
        #expect(isPlain == !hasCopy, "\(String(describing: reason))")
    }
}
