package import DeviceEngine
import Dispatch
import EventLog
package import Foundation
package import LinkProtocol
package import LinkTransport
import Locking
package import Storage

/// Requests of the app, a person and the process to a device, from any thread.
extension DeviceShell {
    // MARK: - Its life

    /// Opens the link and activates the session; whatever fails is told to the app.
    package func begin() {
        execute { [self] in
            do {
                try start()
            } catch {
                app?.activationFailed(error)
            }
        }
    }

    /// Ends the link. Calls back when all that was queued is written, and all files are at rest.
    package func stop(_ reason: String, completion: @escaping @Sendable () -> Void) {
        execute { [self] in endpoint.stop(reason) { [files] in files.afterAll(completion) } }
    }

    /// Nothing more is given to the delegate.
    package func closeInbox() { report { engine, _ in engine.close() } }

    /// Writes down what waits to be written with others, and lets another process have the device's directory.
    package func finish(_ completion: @escaping @Sendable () -> Void) {
        execute { [self] in
            drive { $0.finish(at: $1) }
            home.queue.async { [home] in
                home.close()
                completion()
            }
        }
    }

    /// Lets another session have the directory, as this one could not be activated.
    package func release() { home.release() }

    /// Calls back from the loop: proof that it turns.
    package func pulse(_ completion: @escaping @Sendable () -> Void) { execute(completion) }

    // MARK: - Presence

    package func activate() { report { $0.activate(at: $1) } }

    /// The app has a delegate, later than it should.
    package func delegateIsReady() { report { $0.delegateIsReady(at: $1) } }

    /// Looks whether the app has done all that it was woken for.
    package func drain() {
        execute { [self] in
            guard engine.presence.awaitsDrain, app?.isDrained == true else { return }
            drive { $0.drained(at: $1) }
        }
    }

    /// Waits until a change of presence is made. Not on the loop; the loop itself waits for nobody.
    package func change(_ event: @escaping @Sendable (inout PresenceStateMachine) -> [PresenceStateMachine.Action]) {
        onLoop { [self] in drive { $0.change(at: $1, event) } }
    }

    /// The same for a change that may be refused.
    package func tryChange(
        _ event: @escaping @Sendable (inout PresenceStateMachine) throws(PairingError) -> [PresenceStateMachine.Action]
    ) throws(PairingError) {
        if let refusal = onLoop({ [self] in attempt(event) }) { throw refusal }
    }

    /// The same on the loop.
    ///
    /// - Returns: Why it was refused.
    func attempt(
        _ event: (inout PresenceStateMachine) throws(PairingError) -> [PresenceStateMachine.Action]
    ) -> PairingError? {
        var refusal: PairingError?
        drive { engine, moment in
            engine.change(at: moment) { presence in
                do throws(PairingError) {
                    return try event(&presence)
                } catch {
                    refusal = error
                    return []
                }
            }
        }
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

    /// A new pairing code, which takes the former one's place. Not on the loop.
    package func makePairingCode() throws -> String {
        try onLoop { [pairing] in Result { try pairing.makeCode() } }.get()
    }

    /// The app could not write down, or forget, what is known of a watch.
    package func companionUnrecorded(_ watch: UUID) { report { $0.companionUnrecorded(watch, at: $1) } }

    // MARK: - Messages

    package func send(_ message: OutgoingMessage) { commands.add(.send(message)) }

    package func answer(_ message: IncomingMessage, _ answer: DeviceEngine.Answer) {
        commands.add(.answer(message, answer))
    }

    /// The delegate's method has returned.
    package func handled(_ message: IncomingMessage) { commands.add(.handled(message)) }

    /// What the body sends and answers, on its thread, is written once when it returns, or soon if it takes its time.
    package func writeTogether(_ body: () -> Void) { commands.together(body) }

    /// Calls back at a time, on the loop, and again at the time that it returns.
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

    /// Keeps a transfer, and sends it as soon as that is possible. When this returns without an error it is durable.
    ///
    /// - Parameters:
    ///   - failure: How it ends, on demand, without being sent.
    ///   - onKept: Called when it is durable, with its position, before anything else can happen to it.
    package func queue(
        _ transfer: OutgoingTransfer, failing failure: TransferStateMachine.Ending?,
        _ onKept: (OutgoingTransfer) -> Void
    ) throws(DatabaseError) {
        try store.keep(transfer) { kept, replaced in
            onKept(kept)
            report { $0.queued(kept, replacing: replaced, failing: failure, at: $1) }
        }
    }

    /// Takes a transfer back, if it is not over. When this returns that is durable, unless the database cannot be written: then it is
    /// tried again each second.
    ///
    /// - Returns: Its kind; nil if it was over.
    package func cancel(_ transfer: UUID) -> TransferKind? {
        guard let kind = onLoop({ [self] in drive { $0.cancelled(transfer, at: $1) } }) else { return nil }
        store.catchUp()
        return kind
    }

    /// Transfers on their way out that are not over.
    package var pendingTransfers: Int { onLoop { [self] in engine.pendingTransfers } }

    // MARK: - Trouble on demand

    /// Uses the link's conditioner. Waits until it is done; not on the loop.
    package func condition<Result: Sendable>(_ use: @escaping @Sendable (LinkConditioner) -> Result) -> Result {
        onLoop { [self] in use(endpoint.conditioner) }
    }

    package func setLinkUp(_ isUp: Bool) { execute { [self] in endpoint.setUp(isUp) } }

    /// Uses the rules of faults; what need not wait any more goes on. Waits until it is done; not on the loop.
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

    /// Waits until this side's idea of who is reachable is that one; not on the loop.
    package func setReachability(_ fault: ReachabilityFault) {
        onLoop { [self] in drive { $0.setReachability(fault, at: $1) } }
    }
}
