import EventLog
package import Foundation
package import LinkProtocol

/// All that one device decides: its sessions, messages, transfers and files, and the faults that are asked for.
///
/// A value without I/O, clock, randomness of its own or objects. Events and the time go in, by one verb for each; effects come out
/// of ``takeEffects(into:)``, to be carried out in their order; ``nextDeadline`` says when ``deadlinePassed(at:)`` is due. The
/// services carry the effects out on a real loop, disk and delegate, the simulator on ones that lie: both run this.
package struct DeviceEngine: Sendable {
    var session: SessionStateMachine
    var transfers: TransferStateMachine
    var faults: FaultStateMachine
    var outgoing = Outgoing()
    var inbox = Inbox()
    var files = Files()
    var alarms = Alarms()
    var reachabilityFault = ReachabilityFault()
    /// Watches of which the store does not have what is known.
    var unrecordedCompanions: Set<UUID> = []
    private var effects: [Effect] = []
    private var random: SeededGenerator
    /// Whether somebody reads what is logged: else no line is made.
    let isLogged: Bool

    /// - Parameters:
    ///   - seed: Decides the jitter of retries and the identifiers of packages.
    ///   - isLogged: Whether somebody reads what is logged.
    package init(
        _ presence: PresenceStateMachine, times: LinkTimes, retry: Backoff, faults: FaultStateMachine, seed: UInt64,
        isLogged: Bool = true
    ) {
        session = SessionStateMachine(presence, times: times)
        transfers = TransferStateMachine(backoff: retry, times: times)
        self.faults = faults
        random = SeededGenerator(seed: seed)
        self.isLogged = isLogged
    }

    // MARK: - What is known

    package var presence: PresenceStateMachine { session.presence }

    /// The counterpart that a device stands for: a watch has one phone, whichever it is; a phone's watches are many.
    package func counterpart(_ device: UUID) -> UUID { session.counterpart(device) }

    /// Transfers on their way out that are not over.
    package var pendingTransfers: Int { transfers.pendingCount }
    /// Messages that wait for their reply.
    package var outstandingMessages: Int { session.outstandingCount }
    /// Packages that came and have not been handled.
    package var undeliveredPackages: Int { session.undeliveredCount }

    // MARK: - Effects

    /// Moves what is to be done now into a list, behind what that holds.
    ///
    /// - Returns: Whether there was anything.
    package mutating func takeEffects(into list: inout [Effect]) -> Bool {
        guard !effects.isEmpty else { return false }
        if list.isEmpty {
            // The lists change places, so that neither is made anew for each event.
            swap(&list, &effects)
        } else {
            list += effects
            effects.removeAll(keepingCapacity: true)
        }
        return true
    }

    mutating func emit(_ effect: Effect) { effects.append(effect) }

    mutating func log(_ event: LogEvent, _ fields: @autoclosure () -> [LogField]) {
        if isLogged { effects.append(.log(event, fields())) }
    }

    // MARK: - Chance

    /// A number in 0..<1 that spreads retries.
    mutating func jitter() -> Double { random.unit() }

    /// An identifier of version 4 for a package of the engine's own.
    mutating func identifier() -> UUID {
        let words = (random.next().bigEndian, random.next().bigEndian)
        var bytes = withUnsafeBytes(of: words) { $0.loadUnaligned(as: uuid_t.self) }
        bytes.6 = bytes.6 & 0x0F | 0x40
        bytes.8 = bytes.8 & 0x3F | 0x80
        return UUID(uuid: bytes)
    }
}
