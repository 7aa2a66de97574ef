import CLinux
import DeviceShell
import EventLog
import Foundation
import LinkProtocol
import LinkTransport
import Locking
import Metrics

/// Calls of the application's code. Calls that take too long are reported.
extension SessionCore {
    /// Calls the application's code. On the delegate queue, one call at a time.
    ///
    /// - Parameters:
    ///   - package: The identifier of the message or transfer that is passed.
    ///   - device: The watch that it is of, on a phone that serves several at the same time, for a recording.
    ///   - details: The content and the error that are passed, for a recording.
    /// - Returns: `true` if the delegate implements the method.
    @discardableResult
    func calling<Failure: Error>(
        _ method: DelegateMethod, _ package: UUID? = nil, of device: @autoclosure () -> UUID? = nil,
        with details: @autoclosure () -> DeviceEvent.Details = .none, _ body: () throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        let start = begin(method, package)
        if let stage = method.stage {
            tap.note(DeviceEvent(method.name, stage, package, details(), of: device(), at: start))
        }
        defer { end(method) }
        try body()
        return !isMethodMissing.isSet
    }

    /// Calls the application's code with a message or a reply, as the other function does.
    ///
    /// - Parameters:
    ///   - message: The message's identifier.
    ///   - content: The content, for a recording.
    ///   - isData: True for data, false for a dictionary.
    ///   - wantsReply: True if the sender waits for a reply.
    ///   - device: The watch that it is of, on a phone that serves several at the same time.
    @discardableResult
    func calling<Failure: Error>(
        _ method: DelegateMethod, of message: UUID, with content: Data, isData: Bool, wantsReply: Bool = false,
        from device: UUID? = nil, _ body: () throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        let start = begin(method, message)
        if let stage = method.stage {
            tap.note(
                method.name, stage, message, content, isData: isData, wantsReply: wantsReply, of: device, at: start)
        }
        defer { end(method) }
        try body()
        return !isMethodMissing.isSet
    }

    private func begin(_ method: DelegateMethod, _ package: UUID?) -> MonotonicTime {
        isMethodMissing.set(false)
        let start = MonotonicTime.now
        if let deadline = calls.withLock({ $0.began(method.rawValue, package, at: start) }) {
            watchCall(until: deadline)
        }
        lint?.began(method)
        return start
    }

    private func end(_ method: DelegateMethod) {
        if method.stage != nil { tap.returned() }
        lint?.returned(method, isImplemented: !isMethodMissing.isSet)
        returned()
    }

    func delegateMethodIsMissing() { isMethodMissing.set() }

    private func watchCall(until deadline: MonotonicTime) {
        guard let shell else { return calls.withLock { $0 = Self.callWatch(configuration) } }
        shell.watch(until: deadline) { [weak self] in self?.callDeadlinePassed(at: .now) }
    }

    static func callWatch(_ configuration: DeviceConfiguration?) -> CallWatch {
        CallWatch(patience: configuration?.callPatience ?? CallWatch.patience)
    }

    private func returned() {
        guard let call = calls.withLock({ $0.ended() }) else { return }
        logger.log(.delegateReturned, fields(call))
    }

    /// Checks for an overdue call. Called on the loop.
    ///
    /// - Returns: The time of the next check.
    func callDeadlinePassed(at time: MonotonicTime) -> MonotonicTime? {
        let (overdue, next) = calls.withLock { $0.deadlinePassed(at: time) }
        if let overdue {
            SessionMetrics.overdueCalls.add(1, overdue.method)
            hints.give(.methodBlocked, repeats: true, fields(overdue))
            if next == nil { tellWorld(of: overdue, at: time) }
        }
        return next
    }

    /// Tells an exploration in virtual time that a call has not returned for as long as it is watched: nothing more reaches the
    /// app. Such a line on standard error is a failure of its world.
    private func tellWorld(of call: CallWatch.Call, at time: MonotonicTime) {
        guard watchlink_is_in_world() else { return }
        let seconds = Int(time.seconds(since: call.start).rounded())
        LogFile.put(CallWatch.finding(of: call, seconds: seconds, waits: Self.waits), STDERR_FILENO)
    }

    /// The most bytes of the description of threads that wait. 16 KiB: some ten stacks.
    private static let mostWaits = 16 << 10

    /// The threads of this world that wait for others, with their stacks; empty for none.
    private static var waits: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: mostWaits) { text in
            let count = watchlink_describe_waits_in_world(text.baseAddress, text.count)
            return String(decoding: UnsafeRawBufferPointer(text).prefix(count), as: UTF8.self)
        }
    }

    private func fields(_ call: CallWatch.Call) -> [LogField] {
        [.method(call.method), .duration(MonotonicTime.now.seconds(since: call.start))]
            + (call.package.map { [.package($0)] } ?? [])
    }

    /// The overdue call, and its duration so far in seconds.
    var overdueCall: (call: CallWatch.Call, seconds: Double)? {
        calls.withLock { $0.overdue }.map { ($0, MonotonicTime.now.seconds(since: $0.start)) }
    }
}

extension DelegateMethod {
    /// The method that receives a message.
    init(_ message: MessagePackage) {
        switch (message.command, message.wantsReply) {
        case (.sendMessage, true): self = .didReceiveMessageWithReply
        case (.sendMessage, false): self = .didReceiveMessage
        case (_, true): self = .didReceiveMessageDataWithReply
        case (_, false): self = .didReceiveMessageData
        }
    }

    /// The method that receives a transfer.
    init(_ kind: TransferKind) {
        switch kind {
        case .context: self = .didReceiveContext
        case .userInfo, .complication: self = .didReceiveUserInfo
        case .file: self = .didReceiveFile
        case .message: self = .didReceiveMessage
        case .data: self = .didReceiveMessageData
        }
    }
}
