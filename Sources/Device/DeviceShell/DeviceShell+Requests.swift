package import DeviceEngine
import Dispatch
import EventLog
package import Foundation
package import LinkProtocol
package import LinkTransport
import Locking
package import Storage

/// Requests of the app, a person and the process to a device. Callable from any thread.
extension DeviceShell {
    // MARK: - Life cycle

    /// Opens the link and activates the session; errors are reported to the app.
    package func begin() {
        execute { [self] in
            do {
                try start()
            } catch {
                app?.activationFailed(error)
            }
        }
    }

    /// Stops the link. Calls back when everything queued is written and all file operations have ended.
    package func stop(_ reason: String, completion: @escaping @Sendable () -> Void) {
        execute { [self] in endpoint.stop(reason) { [files] in files.afterAll(completion) } }
    }

    /// Stops delivering to the delegate.
    package func closeInbox() { report { engine, _ in engine.close() } }

    /// Writes the buffered notes, and releases the device's directory for another process.
    package func finish(_ completion: @escaping @Sendable () -> Void) {
        execute { [self] in
            drive { $0.finish(at: $1) }
            home.queue.async { [home] in
                home.close()
                completion()
            }
        }
    }

    /// Releases the directory for another session, because this one could not be activated.
    package func release() { home.release() }

    /// Calls back from the loop, as a proof that it is running.
    package func pulse(_ completion: @escaping @Sendable () -> Void) { execute(completion) }

    // MARK: - Presence

    package func activate() { report { $0.activate(at: $1) } }

    /// Handles a delegate that was set after activation.
    package func delegateIsReady() { report { $0.delegateIsReady(at: $1) } }

    /// Checks whether the app has finished the work that it was woken for.
    package func drain() {
        execute { [self] in
            guard engine.presence.awaitsDrain, app?.isDrained == true else { return }
            drive { $0.drained(at: $1) }
        }
    }

    /// Changes presence, and waits until the change is made. Must not be called on the loop.
    package func change(_ event: @escaping @Sendable (inout PresenceStateMachine) -> [PresenceStateMachine.Action]) {
        onLoop { [self] in drive { $0.change(at: $1, event) } }
    }

    /// Calls a closure in a turn of the loop, in which nothing changes and no event is noted, with the presence at that moment,
    /// and waits for its result. Must not be called on the loop.
    package func atRest<Result: Sendable>(
        _ body: @escaping @Sendable (PresenceStateMachine) -> Result
    ) -> Result {
        onLoop { [self] in body(engine.presence) }
    }

    /// Carries out an action on one of the phone's watches, and waits until it is done. Must not be called on the loop.
    ///
    /// - Throws: `PairingError` if it is refused.
    package func carryOut(_ deed: WatchDeed) throws(PairingError) {
        if let refusal = onLoop({ [self] in attempt(deed) }) { throw refusal }
    }

    /// Carries out an action on one of the phone's watches, on the loop: the only way, whoever does it, so that a recording
    /// has every change of watches.
    ///
    /// - Returns: The reason for a refusal, or nil.
    func attempt(_ deed: WatchDeed) -> PairingError? {
        var refusal: PairingError?
        drive { engine, moment in
            engine.change(at: moment) { presence in
                do throws(PairingError) {
                    let actions = try presence.carryOut(deed)
                    // Before the app is told of it. What is refused changes nothing, and no replay can repeat it.
                    settings.tap.note(
                        DeviceEvent("watches", .other, nil, .words(deed.words.joined(separator: " "))))
                    return actions
                } catch {
                    refusal = error
                    return []
                }
            }
        }
        if refusal == nil, deed.change == .switchTo { app?.drainIfDone() }
        return refusal
    }

    /// Runs a task on the loop, and waits for it.
    private func onLoop<Result: Sendable>(_ task: @escaping @Sendable () -> Result) -> Result {
        let done = DispatchSemaphore(value: 0)
        let result = Mutex<Result?>(nil)
        execute {
            let value = task()
            result.withLock { $0 = value }
            done.signal()
        }
        while true {
            done.wait()
            if let value = result.withLock({ $0 }) { return value }
        }
    }

    /// Creates a pairing code that replaces the previous one. Must not be called on the loop.
    package func makePairingCode() throws -> String {
        try onLoop { [pairing] in Result { try pairing.makeCode() } }.get()
    }

    /// Handles a watch's record that the app could neither save nor delete.
    package func companionUnrecorded(_ watch: UUID) { report { $0.companionUnrecorded(watch, at: $1) } }

    // MARK: - Messages

    package func send(_ message: OutgoingMessage) { commands.add(.send(message)) }

    package func answer(_ message: IncomingMessage, _ answer: DeviceEngine.Answer) {
        commands.add(.answer(message, answer))
    }

    /// Handles the return of the delegate's method.
    package func handled(_ message: IncomingMessage) { commands.add(.handled(message)) }

    /// Runs `body`, and writes the messages and answers that it sends on its thread in one batch: when it returns, or
    /// soon if it runs for long.
    package func writeBatched(_ body: () -> Void) { commands.batched(body) }

    /// Calls `look` on the loop at `deadline`, and again at each time that it returns.
    package func watch(until deadline: MonotonicTime, _ look: @escaping @Sendable () -> MonotonicTime?) {
        execute { [self] in schedule(at: deadline, look) }
    }

    private func schedule(at deadline: MonotonicTime, _ look: @escaping @Sendable () -> MonotonicTime?) {
        _ = loop.schedule(at: deadline) { [weak self] in
            guard let next = look() else { return }
            self?.schedule(at: next, look)
        }
    }

    // MARK: - Transfers

    /// Stores a transfer, and sends it as soon as possible. When this returns without an error, the transfer is
    /// durable.
    ///
    /// - Parameters:
    ///   - failure: The outcome that a fault imposes on it without sending it.
    ///   - onKept: Called with its position when it is durable, before any other event for it.
    package func queue(
        _ transfer: OutgoingTransfer, failing failure: TransferStateMachine.Ending?,
        _ onKept: (OutgoingTransfer) -> Void
    ) throws(DatabaseError) {
        try store.keep(transfer) { kept, replaced in
            onKept(kept)
            report { $0.queued(kept, replacing: replaced, failing: failure, at: $1) }
        }
    }

    /// Cancels a transfer that has not ended. When this returns, the cancellation is durable, unless the database
    /// cannot be written: then it is retried each second.
    ///
    /// - Returns: Its kind; nil if it had ended.
    package func cancel(_ transfer: UUID) -> TransferKind? {
        guard let kind = onLoop({ [self] in drive { $0.cancelled(transfer, at: $1) } }) else { return nil }
        store.catchUp()
        return kind
    }

    /// The number of outgoing transfers that have not ended.
    package var pendingTransfers: Int { onLoop { [self] in engine.pendingTransfers } }

    // MARK: - Fault injection

    /// Passes the link's conditioner to `use`, and waits until it returns. Must not be called on the loop.
    package func condition<Result: Sendable>(_ use: @escaping @Sendable (LinkConditioner) -> Result) -> Result {
        onLoop { [self] in use(endpoint.conditioner) }
    }

    package func setLinkUp(_ isUp: Bool) { execute { [self] in endpoint.setUp(isUp) } }

    /// Passes the fault rules to `use`, releases the packages that no longer need to wait, and waits until it is done.
    /// Must not be called on the loop.
    package func faults<Result: Sendable>(
        _ use: @escaping @Sendable (inout FaultStateMachine) -> (Result, [FaultStateMachine.Passage])
    ) -> Result {
        onLoop { [self] in
            let former = engine.faultRules
            let result = drive { $0.changeFaults(at: $1, use) }
            let rules = engine.faultRules
            if rules != former { settings.logger.log(.faultsChanged, [.count(rules.count)]) }
            return result
        }
    }

    /// Sets the fault that distorts this side's view of reachability, and waits until it is in effect. Must not be
    /// called on the loop.
    package func setReachability(_ fault: ReachabilityFault) {
        onLoop { [self] in drive { $0.setReachability(fault, at: $1) } }
    }
}
