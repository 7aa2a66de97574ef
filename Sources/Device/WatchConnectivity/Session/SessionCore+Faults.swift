import Configuration
import DeviceEngine
import DeviceShell
import EventLog
import Foundation
import LinkProtocol
import LinkTransport
import Locking
import Metrics
import SessionStorage

/// Injected faults that the app sees.
extension SessionCore {
    /// Returns the effect of the fault that applies to an occasion, if any.
    ///
    /// - Parameter package: The message or transfer that it is an occasion of.
    func meet(
        _ occasion: AppFault.Occasion, of package: UUID? = nil, _ fields: @autoclosure () -> [LogField] = []
    ) -> AppFault.Effect? {
        // Called for every message: without faults it costs one flag check.
        guard hasAppFaults.isSet, let fault = appFaults.withLock({ $0.meet(occasion) }) else { return nil }
        SessionMetrics.faults.add(1, fault.name)
        tap.note(DeviceEvent("fault", .other, package, .words(fault.deed)))
        logger.log(.faultInjected, [.fault(fault.description)] + fields())
        return fault.effect
    }

    /// Changes the faults that the app sees.
    func changeAppFaults(_ change: (inout AppFaultStateMachine) -> Void) {
        let count = appFaults.withLock { faults in
            change(&faults)
            return faults.faults.count
        }
        hasAppFaults.set(count > 0)
        logger.log(.faultsChanged, [.count(count)])
    }

    static func appFaults(_ configuration: DeviceConfiguration?) -> AppFaultStateMachine {
        var machine = AppFaultStateMachine(.ofProcess(seed: configuration?.faultSeed ?? 0))
        for fault in configuration?.appFaults ?? [] { machine.add(fault) }
        return machine
    }

    /// Returns the injected error of an attempt, if any.
    func failure(of attempt: AppFault.Attempt, _ identifier: UUID? = nil) -> WCError? {
        guard
            case .fail(_, let code) = meet(.attempted(attempt), of: identifier, identifier.map { [.package($0)] } ?? [])
        else {
            return nil
        }
        return WCError(WCError.Code(code), reason: Self.demanded)
    }

    static let demanded = "an injected fault"

    /// Reads a property for the application, after the delay of an injected fault.
    func reading<Value>(_ property: AppFault.Property, _ read: () -> Value) -> Value {
        if case .slow(_, let span) = meet(.read(property)) { Thread.sleep(forTimeInterval: span.inSeconds) }
        return read()
    }

    /// Returns the deliveries for a transfer: the transfer itself, and by injected faults a duplicate or the previous
    /// context.
    func deliveries(of transfer: ReceivedTransfer) -> [ReceivedTransfer] {
        var deliveries = [transfer]
        let fields: [LogField] = [.package(transfer.identifier), .kind(transfer.kind.rawValue)]
        if case .duplicate = meet(.given(AppFault.Content(transfer.kind)), of: transfer.identifier, fields),
            let copy = copy(of: transfer)
        {
            deliveries.append(copy)
        }
        guard transfer.kind == .context else { return deliveries }
        let former = state.withLock { state in
            defer { state.givenContexts[transfer.peer] = transfer.payload }
            return state.givenContexts[transfer.peer]
        }
        guard let former, case .replay = meet(.contextFollowed, of: transfer.identifier, fields) else {
            return deliveries
        }
        var replay = transfer
        replay.payload = former
        return deliveries + [replay]
    }

    /// Returns a duplicate of a transfer; a file is copied, because the first call may move it.
    private func copy(of transfer: ReceivedTransfer) -> ReceivedTransfer? {
        guard let path = transfer.path else { return transfer }
        guard let folder = shell?.home.directory.again(transfer.identifier) else { return nil }
        var copy = transfer
        let target = folder + "/" + URL(filePath: path).lastPathComponent
        do {
            try PrivateDirectory.create(folder)
            try FileManager.default.copyItem(atPath: path, toPath: target)
        } catch {
            logger.log(.fileSystemFailed, [.package(transfer.identifier), .error(error)])
            return nil
        }
        copy.path = target
        return copy
    }

    /// Returns the background time that the app gets before delivery; nil for the usual behaviour.
    func earlyTaskSpan() -> Duration? {
        guard role == .companion, presence?.own.application.isRunning == false,
            case .early(let span) = meet(.woken)
        else { return nil }
        return span
    }
}

extension WCError.Code {
    init(_ code: SessionErrorCode) { self = Self(rawValue: code.rawValue) ?? .genericError }
}

extension AppFault.Content {
    init(_ kind: TransferKind) {
        switch kind {
        case .message, .data: self = .message
        case .context: self = .context
        case .userInfo, .complication: self = .userInfo
        case .file: self = .file
        }
    }
}
