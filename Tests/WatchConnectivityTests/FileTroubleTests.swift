import DeviceEngine
import DeviceShell
import EventLog
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("Files in trouble")
struct FileTroubleTests {
    private let pair: TestPair
    private let directory: DeviceDirectory
    private let source: URL

    init() throws {
        pair = try TestPair()
        directory = DeviceDirectory(pair.host.configuration.stateDirectory)
        source = URL(filePath: try pair.scratch.write("f", "text"))
        #expect(pair.connect())
    }

    /// Queues a file that is not sent before the link is up again.
    private func queued() -> UUID {
        pair.companion.session.simulator.setLinkUp(false)
        return pair.companion.session.transferFile(source, metadata: nil).identifier
    }

    private func send() { pair.companion.session.simulator.setLinkUp(true) }

    @Test(
        "A receiver whose directory for parts is gone puts the file off; it arrives when the directory is there again"
    )
    func noDirectory() throws {
        let transfer = queued()
        try FileManager.default.removeItem(atPath: directory.partial)
        send()
        pair.companion.log.expect { records in
            records.contains { record in
                record.event == .transferRetryScheduled && record.fields.contains(.package(transfer))
                    && record.fields.contains(.reason("the file cannot be stored now"))
            }
        }
        #expect(pair.companion.delegate.all("finished") == [])
        try FileManager.default.createDirectory(atPath: directory.partial, withIntermediateDirectories: false)
        #expect(pair.host.received(["file f 4 "], "file"))
        pair.companion.delegate.events.expect { $0.contains("finished file f ok") }
    }

    @Test("A directory in the place of the part refuses the file, and is removed; the next file arrives")
    func directoryInPlace() throws {
        let transfer = queued()
        let part = directory.partial(transfer, from: pair.companion.identifier)
        try FileManager.default.createDirectory(atPath: part, withIntermediateDirectories: false)
        send()
        pair.companion.delegate.events.expect { $0.contains("finished file f 7014") }
        let entry = try pair.companion.ledger(transfer)
        #expect(entry?.state == .failed)
        #expect(entry?.cause?.contains("Is a directory") == true)
        pair.companion.session.transferFile(source, metadata: nil)
        #expect(pair.host.received(["file f 4 "], "file"))
        let parts = try FileManager.default.contentsOfDirectory(atPath: directory.partial)
        #expect(parts == [])
    }

    @Test("A file in the place of the directory of the complete file refuses it, and leaves no part")
    func fileInPlace() throws {
        let transfer = queued()
        try Data().write(to: URL(filePath: directory.inbox + "/" + transfer.uuidString))
        send()
        pair.companion.delegate.events.expect { $0.contains("finished file f 7014") }
        #expect(pair.host.delegate.all("file") == [])
        pair.companion.session.transferFile(source, metadata: nil)
        #expect(pair.host.received(["file f 4 "], "file"))
        let parts = try FileManager.default.contentsOfDirectory(atPath: directory.partial)
        #expect(parts == [])
    }
}
