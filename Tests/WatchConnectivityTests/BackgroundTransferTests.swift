import DeviceEngine
import DeviceShell
import EventLog
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("Background transfers in unusual places")
struct BackgroundTransferTests {
    @Test("A cancelled transfer has ended for the app even if the disk cannot record it")
    func cancelled() throws {
        let scratch = try Scratch()
        let device = TestDevice(.host, in: scratch)
        #expect(device.activate())
        let transfer = device.session.transferUserInfo(["n": 1])
        #expect(transfer.isTransferring)
        try device.session.simulator.setDisk(.full)
        transfer.cancel()
        #expect(!transfer.isTransferring)
        #expect(device.session.outstandingUserInfoTransfers == [])
        #expect(device.count(.transferCancelled) == 1)
        try device.session.simulator.setDisk(.none)
    }

    @Test("A file arrives whatever characters its name and its directory have")
    func names() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        let folder = pair.scratch.path("my files")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let file = try pair.scratch.write("my files/a b.txt", "text")
        pair.companion.session.transferFile(URL(filePath: file), metadata: nil)
        #expect(pair.host.received(["file a b.txt 4 "], "file"))
        pair.companion.delegate.events.expect { $0.contains("finished file a b.txt ok") }
    }
}
