import DeviceEngine
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("The object of a transfer")
struct TransferObjectTests {
    private func makeTransfer(_ kind: TransferKind, hasEnded: Bool = false) throws -> OutgoingTransfer {
        var transfer = OutgoingTransfer(
            identifier: UUID(), peer: UUID(), kind: kind, payload: try MessagePayload.data(["n": 1]),
            file: kind == .file ? FileStamp(path: "/a/f", size: 7, modified: 1, inode: 2) : nil, queuedAt: Date())
        if hasEnded { transfer.ending = OutgoingTransfer.Ending(code: nil, reason: nil) }
        return transfer
    }

    private func makeObject(_ transfer: OutgoingTransfer) throws -> TransferObject? {
        try TransferObject(transfer, onCancel: { _ in })
    }

    @Test(
        "One of an earlier run is under way unless it has ended",
        arguments: [TransferKind.userInfo, .complication, .file], [true, false])
    func earlier(_ kind: TransferKind, hasEnded: Bool) throws {
        let transfer = try makeTransfer(kind, hasEnded: hasEnded)
        let made = try makeObject(transfer)
        let object = try #require(made)
        #expect(object.identifier == transfer.identifier)
        #expect(object.isTransferring == !hasEnded)
        #expect(object.isCurrentComplicationInfo == (kind == .complication))
    }

    @Test("A context and a message have none", arguments: [TransferKind.context, .message, .data])
    func none(_ kind: TransferKind) throws {
        let made = try makeObject(try makeTransfer(kind))
        let isMade = made != nil
        #expect(!isMade)
    }

    @Test("The progress of a file is that of its object")
    func progress() throws {
        let made = try makeObject(try makeTransfer(.file))
        let object = try #require(made)
        object.advance(to: 3)
        guard case .file(let transfer) = object else {
            Issue.record("\(object) is no file")
            return
        }
        #expect(transfer.progress.completedUnitCount == 3)
        #expect(transfer.progress.totalUnitCount == 7)
        #expect(transfer.file.fileURL.path(percentEncoded: false) == "/a/f")
        #expect(transfer.file.metadata?["n"] as? Int == 1)
    }

    @Test("One that an app makes for its tests is neither under way nor for the complication")
    func ofApp() {
        let info = WCSessionUserInfoTransfer()
        #expect(!info.isTransferring)
        #expect(!info.isCurrentComplicationInfo)
        #expect(info.userInfo.isEmpty)
        let file = WCSessionFileTransfer()
        #expect(!file.isTransferring)
    }
}
