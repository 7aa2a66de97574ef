import Foundation
import Testing

@testable import LinkProtocol

@Suite("Lanes of packages")
struct SendLaneTests {
    private static func package(_ command: Command, answers: UUID? = nil) -> MessagePackage {
        MessagePackage(
            identifier: UUID(), command: command, status: .sent, answers: answers,
            timestamp: Date(timeIntervalSince1970: 0))
    }

    @Test("Each command has its lane, and the answers to transfers have one in common", arguments: Command.allCases)
    func lanes(_ command: Command) {
        let expected: [SendLane] =
            switch command {
            case .sendMessage, .sendMessageData: [.messages, .answers]
            case .hello, .state, .heartbeat, .goodbye: [.messages, .messages]
            case .unrecognized: [.answers, .answers]
            case .transferCurrentComplicationUserInfo: [.complication, .receipts]
            case .transferUserInfo: [.userInfos, .receipts]
            case .updateApplicationContext: [.contexts, .receipts]
            case .transferFile: [.files, .receipts]
            case .fileChunk, .cancel: [.files, .files]
            case .fileProgress: [.receipts, .receipts]
            }
        let lanes = [SendLane(Self.package(command)), SendLane(Self.package(command, answers: UUID()))]
        #expect(lanes == expected)
    }

    @Test("What a person waits for is sent first, then the complication, then everything else")
    func urgencies() {
        let lanes = SendLane.byUrgency
        #expect(lanes == [[.messages, .answers], [.complication], [.userInfos, .contexts, .files, .receipts]])
    }

    @Test("Each kind of transfer has its command, and all but messages are kept for an absent counterpart")
    func kinds() {
        let kinds = TransferKind.allCases.compactMap { TransferKind($0.command) }
        #expect(kinds == TransferKind.allCases)
        let background = TransferKind.allCases.filter(\.isBackground)
        #expect(background == [.context, .userInfo, .complication, .file])
        let others = Command.allCases.filter { TransferKind($0) == nil }
        #expect(
            others == [.hello, .state, .fileChunk, .fileProgress, .cancel, .heartbeat, .goodbye, .unrecognized])
    }
}
