import Foundation
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("Transfers as the application holds them")
struct TransferPartsTests {
    private func info(
        _ identifier: UUID = UUID(), isCurrent: Bool = false, cancelled: Collector<UUID> = Collector()
    ) throws -> WCSessionUserInfoTransfer {
        WCSessionUserInfoTransfer(
            identifier: identifier, userInfo: ["n": 1], payload: try MessagePayload.data(["n": 1]),
            isCurrentComplicationInfo: isCurrent
        ) { cancelled.add($0) }
    }

    private func file(
        _ identifier: UUID = UUID(), cancelled: Collector<UUID> = Collector()
    ) -> WCSessionFileTransfer {
        WCSessionFileTransfer(
            identifier: identifier, file: WCSessionFile(fileURL: URL(filePath: "/f"), metadata: nil), size: 1
        ) { cancelled.add($0) }
    }

    @Test("One that was just started is under way until it ends")
    func underWay() throws {
        let (info, file) = (try info(), file())
        #expect(info.isTransferring)
        #expect(file.isTransferring)
        info.end()
        file.end()
        #expect(!info.isTransferring)
        #expect(!file.isTransferring)
    }

    @Test("Cancelling one cancels that one, as often as it is asked for, and does not end it by itself")
    func cancelled() throws {
        let (first, second) = (UUID(), UUID())
        let cancelled = Collector<UUID>()
        let (info, file) = (try info(first, cancelled: cancelled), file(second, cancelled: cancelled))
        info.cancel()
        file.cancel()
        file.cancel()
        #expect(cancelled.all == [first, second, second])
        #expect(info.isTransferring)
        #expect(file.isTransferring)
    }

    @Test("A complication's transfer is current until another one takes its place, and stays under way")
    func demoted() throws {
        let info = try info(isCurrent: true)
        #expect(info.isCurrentComplicationInfo)
        info.demote()
        #expect(!info.isCurrentComplicationInfo)
        #expect(info.isTransferring)
    }

    @Test("An object for a test double has no content and is not under way")
    func doubles() {
        let (info, file) = (WCSessionUserInfoTransfer(), WCSessionFileTransfer())
        #expect(!info.isTransferring)
        #expect(!info.isCurrentComplicationInfo)
        #expect(info.userInfo.isEmpty)
        #expect(!file.isTransferring)
        #expect(file.file.fileURL.path(percentEncoded: false) == "/dev/null")
        #expect(file.file.metadata == nil)
    }

    @Test("A copy from an archive has the identifier and the content, is not under way, and cancels nothing")
    func archived() throws {
        let cancelled = Collector<UUID>()
        #expect(WCSessionUserInfoTransfer.supportsSecureCoding)
        for isCurrent in [true, false] {
            let info = try info(isCurrent: isCurrent, cancelled: cancelled)
            let data = try NSKeyedArchiver.archivedData(withRootObject: info, requiringSecureCoding: true)
            let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: WCSessionUserInfoTransfer.self, from: data)
            let copy = try #require(read)
            #expect(copy.identifier == info.identifier)
            #expect(copy.userInfo["n"] as? Int == 1)
            #expect(copy.isCurrentComplicationInfo == isCurrent)
            #expect(!copy.isTransferring)
            copy.cancel()
        }
        #expect(cancelled.all == [])
    }
}
