import DeviceEngine
import DeviceShell
import EventLog
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("The report of a transfer's end")
struct TransferEndTests {
    private let scratch: Scratch
    private let device: TestDevice
    private let told = Collector<Bool>()

    init() throws {
        scratch = try Scratch()
        device = TestDevice(.host, in: scratch)
    }

    private var core: SessionCore { device.session.core }

    /// Adds a user info that is under way.
    private func addInfo() -> UUID {
        let info = WCSessionUserInfoTransfer(
            identifier: UUID(), userInfo: ["n": 1], payload: nil, isCurrentComplicationInfo: false
        ) { _ in }
        core.objects.add(.userInfo(info), peer: .unknownPeer, position: 1)
        return info.identifier
    }

    private func tellEnd(of transfer: UUID, code: Int? = nil) {
        let ending = OutgoingTransfer.Ending(code: code, reason: code == nil ? nil : "no")
        core.tellEnd(of: transfer, ending) { [told] in told.add($0) }
    }

    @Test("An end has the code that it was stored with; a number that is no code of a session is the general error")
    func codes() {
        let ends: [(code: Int?, text: String)] = [(nil, "ok"), (7014, "7014"), (42, "7001")]
        for end in ends {
            tellEnd(of: addInfo(), code: end.code)
            let event = "finished userInfo n=1 \(end.text) false"
            device.delegate.events.expect(event) { $0.last == event }
        }
        told.expect { $0 == [true, true, true] }
    }

    @Test("The end of a transfer without an object, as a context has none, counts as told")
    func context() {
        tellEnd(of: UUID())
        #expect(told.all == [true])
        #expect(device.delegate.events.all == [])
    }

    @Test("Without a delegate an end is not told")
    func noDelegate() {
        device.session.delegate = nil
        tellEnd(of: addInfo())
        told.expect { $0 == [false] }
        #expect(device.delegate.events.all == [])
    }

    @Test("An end that waits for an app that is gone is not told")
    func discarded() {
        core.queue.hold()
        tellEnd(of: addInfo(), code: 7014)
        #expect(told.all == [])
        core.queue.discard()
        #expect(told.all == [false])
        core.queue.release()
        tellEnd(of: addInfo())
        told.expect { $0 == [false, true] }
        #expect(device.delegate.all("finished") == ["finished userInfo n=1 ok false"])
    }

    @Test("The progress of a file that arrived is complete, and of one that failed stays", arguments: [true, false])
    func progress(hasArrived: Bool) {
        let file = WCSessionFileTransfer(
            identifier: UUID(), file: WCSessionFile(fileURL: URL(filePath: "/f"), metadata: nil), size: 8
        ) { _ in }
        core.objects.add(.file(file), peer: .unknownPeer, position: 1)
        tellEnd(of: file.identifier, code: hasArrived ? nil : 7014)
        told.expect { $0 == [true] }
        #expect(device.delegate.all("finished") == ["finished file f \(hasArrived ? "ok" : "7014")"])
        #expect(file.progress.completedUnitCount == (hasArrived ? 8 : 0))
        #expect(file.progress.isFinished == hasArrived)
    }
}
