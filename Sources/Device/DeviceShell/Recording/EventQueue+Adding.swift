import Foundation
import LinkProtocol

extension EventQueue {
    /// Adds an event, or counts it when the queue is full.
    ///
    /// - Parameter slot: What every event has.
    /// - Returns: False if it is not added.
    func add(_ event: borrowing DeviceEvent, as slot: consuming EventSlot) -> Bool {
        switch event.details {
        case .none: return add(slot, nil, of: event.device)
        case .content(let content, let wantsReply):
            if wantsReply { slot.parts.insert(.wantsReply) }
            return add(slot, content, of: event.device)
        case .file(let content, let bytes):
            slot.number = bytes
            slot.parts.insert(.bytes)
            return add(slot, content, of: event.device)
        case .error(let code):
            slot.note(error: code)
            return add(slot, nil, of: event.device)
        case .words(let text): return add(slot, nil, of: event.device, words: text)
        }
    }

    private func add(
        _ slot: consuming EventSlot, _ content: borrowing DeviceEvent.Content?, of device: UUID?
    ) -> Bool {
        switch content {
        case .propertyList(let data):
            slot.parts.insert(.propertyList)
            return add(slot, data, of: device)
        case .bytes(let data): return add(slot, data, of: device)
        case nil: return add(slot, nil, of: device, words: nil)
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
            package.answers ?? package.identifier, at: time, side: side)
        slot.parts.insert(.link)
        if package.wantsReply { slot.parts.insert(.wantsReply) }
        if package.command != .sendMessageData { slot.parts.insert(.propertyList) }
        slot.note(error: package.errorCode)
        (slot.command, slot.status) = (package.command, package.status)
        add(slot, package.command.isOfFile ? nil : package.dataPackage, of: device)
    }
}

extension Command {
    /// True for a package with a file's name or bytes, which belong in no recording.
    @inline(__always)
    fileprivate var isOfFile: Bool { self == .transferFile || self == .fileChunk || self == .fileProgress }
}

extension EventSlot {
    @inline(__always)
    fileprivate mutating func note(error code: Int?) {
        guard let code else { return }
        number = code
        parts.insert(.error)
    }
}
