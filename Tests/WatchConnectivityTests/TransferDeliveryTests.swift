import DeviceEngine
import DeviceShell
import EventLog
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("The delivery of a received file")
struct TransferDeliveryTests {
    private let scratch: Scratch
    private let device: TestDevice
    private let ends = Collector<DeviceEngine.Delivery>()

    init() throws {
        scratch = try Scratch()
        device = TestDevice(.host, in: scratch)
    }

    private func deliver(_ path: String, metadata: Data? = nil) -> UUID {
        let transfer = ReceivedTransfer(
            identifier: UUID(), peer: UUID(), kind: .file, payload: metadata, path: path, receivedAt: Date())
        device.session.core.deliver(transfer) { [ends] in ends.add($0) }
        return transfer.identifier
    }

    /// The first fields of the records of an event.
    private func subjects(_ event: LogEvent) -> [LogField] {
        device.log.all.filter { $0.event == event }.compactMap(\.fields.first)
    }

    @Test("A file that the delegate moved before a crash is not given again, and counts as delivered")
    func gone() {
        let transfer = deliver(scratch.path("none/f"))
        ends.expect { $0 == [.delivered] }
        #expect(device.delegate.all("file") == [])
        #expect(subjects(.transferRepeated) == [.package(transfer)])
    }

    @Test("A file whose metadata is damaged is removed with its directory, and is not given to the delegate")
    func damagedMetadata() throws {
        let folder = scratch.path("in")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let path = try scratch.write("in/f", "text")
        _ = deliver(path, metadata: Data("no archive".utf8))
        ends.expect { $0.count == 1 }
        #expect(ends.all != [.delivered])
        #expect(device.delegate.all("file") == [])
        let isLeft = FileManager.default.fileExists(atPath: folder)
        #expect(!isLeft)
    }

    @Test("A file that cannot be removed after the delegate's method is logged, and counts as delivered")
    func unremovable() {
        // The kernel lets nobody remove its files.
        let transfer = deliver("/proc/self/status")
        ends.expect { $0 == [.delivered] }
        #expect(device.delegate.all("file") == ["file status 0 "])
        #expect(subjects(.fileSystemFailed) == [.package(transfer)])
    }
}
