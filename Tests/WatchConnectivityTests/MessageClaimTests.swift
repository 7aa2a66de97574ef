import DeviceEngine
import Foundation
import LinkProtocol
import Locking
import TestSupport
import Testing

@testable import DeviceShell

/// Messages between the app's threads and the loop.
@Suite("Messages on their way")
struct MessageClaimTests {
    private static let watch = Device(identifier: UUID(), role: .companion, name: "w")
    private let package = MessagePackage(
        identifier: UUID(), command: .sendMessage, status: .sent, timestamp: Date(timeIntervalSince1970: 0))
    private let dropped = Collector<UUID>()

    private func incoming() -> IncomingMessage {
        IncomingMessage(package, from: Self.watch, bytes: 7) { [dropped] in dropped.add($0.identifier) }
    }

    private func outgoing(_ kind: TransferKind, _ reply: MessageHandlers.Reply?) -> OutgoingMessage {
        OutgoingMessage(
            identifier: package.identifier, payload: Data([1]), device: Self.watch.identifier,
            handlers: UncheckedBox(MessageHandlers(kind: kind, reply: reply, error: nil)),
            time: Date(timeIntervalSince1970: 5))
    }

    @Test("Somebody waits for a message that is sent and for an answer, and for nothing else")
    func waitedFor() {
        let message = incoming()
        let commands: [QueuedCommand] = [
            .send(outgoing(.message, nil)), .answer(message, .reply(nil)), .handled(message), .tell({ _, _ in }),
            .call({}),
        ]
        let waitedFor = commands.map(\.isWaitedFor)
        #expect(waitedFor == [true, true, false, false, false])
    }

    @Test("A message is answered once, and handled once, whichever comes first")
    func claims() {
        let message = incoming()
        let handled = [message.takeHandled(), message.takeHandled()]
        #expect(handled == [true, false])
        let answered = [message.takeAnswer(), message.takeAnswer()]
        #expect(answered == [true, false])
        let other = incoming()
        let answeredFirst = [other.takeAnswer(), other.takeHandled(), other.takeAnswer(), other.takeHandled()]
        #expect(answeredFirst == [true, true, false, false])
    }

    @Test("A message that is released without its answer is reported, also if it was handled; an answered one is not")
    func released() {
        do {
            let message = incoming()
            let isAnswered = message.takeAnswer()
            #expect(isAnswered)
        }
        #expect(dropped.all == [])
        do {
            let message = incoming()
            let isHandled = message.takeHandled()
            #expect(isHandled)
        }
        #expect(dropped.all == [package.identifier])
    }

    @Test("A message asks for a reply only if its sender has a handler for it")
    func wantsReply() {
        let messages = [
            outgoing(.message, nil), outgoing(.message, .dictionary({ _ in })), outgoing(.data, .data({ _ in })),
        ]
        let packages = messages.map(\.package)
        #expect(packages.map(\.wantsReply) == [false, true, true])
        #expect(packages.map(\.command) == [.sendMessage, .sendMessage, .sendMessageData])
        #expect(packages.map(\.status) == [.sent, .sent, .sent])
        #expect(packages.map(\.dataPackage) == [Data([1]), Data([1]), Data([1])])
        #expect(packages.map(\.timestamp) == messages.map(\.time))
    }
}
