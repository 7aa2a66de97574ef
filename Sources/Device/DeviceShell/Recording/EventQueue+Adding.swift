import Foundation
import LinkProtocol

extension EventQueue {
    /// Adds an event, or counts it when the queue is full.
    func add(_ event: borrowing DeviceEvent, of side: Int) {
        var slot = EventSlot(event.name, event.stage, event.package, of: event.device, at: event.time, side: side)
        switch event.details {
        case .none: add(slot, nil)
        case .content(let content, let wantsReply):
            if wantsReply { slot.parts.insert(.wantsReply) }
            add(&slot, content)
        case .file(let content, let bytes):
            slot.number = bytes
            slot.parts.insert(.bytes)
            add(&slot, content)
        case .error(let code):
            slot.note(error: code)
            add(slot, nil)
        case .words(let text): add(slot, nil, words: text)
        }
    }

    @inline(__always)
    private func add(_ slot: inout EventSlot, _ content: borrowing DeviceEvent.Content?) {
        switch content {
        case .propertyList(let data):
            slot.parts.insert(.propertyList)
            add(slot, data)
        case .bytes(let data): add(slot, data)
        case nil: add(slot, nil)
        }
    }

    /// Adds the event of a package on the link.
    ///
    /// - Parameters:
    ///   - device: The watch that it comes from or goes to, on a phone that serves several at the same time.
    ///   - time: The start of the loop's turn, for which no clock is read.
    func add(_ package: MessagePackage, isWritten: Bool, with device: UUID?, at time: MonotonicTime, of side: Int) {
        let isAnswer = package.answers != nil
        var slot = EventSlot(
            isWritten ? "write" : "read",
            isWritten ? (isAnswer ? .answerWritten : .written) : (isAnswer ? .answerRead : .read),
            package.answers ?? package.identifier, of: device, at: time, side: side)
        slot.parts.insert(.link)
        if package.wantsReply { slot.parts.insert(.wantsReply) }
        if package.command != .sendMessageData { slot.parts.insert(.propertyList) }
        slot.note(error: package.errorCode)
        (slot.command, slot.status) = (package.command, package.status)
        add(slot, package.dataPackage)
    }
}

extension EventSlot {
    @inline(__always)
    fileprivate mutating func note(error code: Int?) {
        guard let code else { return }
        number = code
        parts.insert(.error)
    }
}
