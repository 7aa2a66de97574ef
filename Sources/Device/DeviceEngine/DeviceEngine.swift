import EventLog
package import Foundation
package import LinkProtocol

/// The decisions of one device: its sessions, messages, transfers and files, and the injected faults.
///
/// A value without I/O, clock, external randomness or objects. Events and the time enter through one method each;
/// effects leave through ``takeEffects(into:)`` and must be performed in order; ``nextDeadline`` reports when
/// ``deadlinePassed(at:)`` is due. Services perform the effects on a real loop, disk and delegate, the simulator on
/// fault-injecting ones: both run this code.
package struct DeviceEngine: Sendable {
    /// For reading in place; changes come through the engine.
    package internal(set) var session: SessionStateMachine
    var transfers: TransferStateMachine
    var faults: FaultStateMachine
    var outgoing = Outgoing()
    var inbox = Inbox()
    var files = Files()
    var alarms = Alarms()
    var reachabilityFault = ReachabilityFault()
    /// Watches whose latest state is not in the store.
    var unrecordedCompanions: Set<UUID> = []
    private var effects: [Effect] = []
    private var random: SeededGenerator
    /// False if the log has no reader: no lines are created then.
    let isLogged: Bool

    /// - Parameters:
    ///   - seed: Decides the jitter of retries and the identifiers of packages.
    ///   - isLogged: Whether the log has a reader.
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

    // MARK: - State

    package var presence: PresenceStateMachine { session.presence }

    /// Returns the counterpart that a device represents: a watch has one phone, whichever it is; a phone has many
    /// watches.
    package func counterpart(_ device: UUID) -> UUID { session.counterpart(device) }

    /// The number of outgoing transfers that have not ended.
    package var pendingTransfers: Int { transfers.pendingCount }
    /// The number of messages that wait for a reply.
    package var outstandingMessages: Int { session.outstandingCount }
    /// The number of packages received but not yet handled.
    package var undeliveredPackages: Int { session.undeliveredCount }

    // MARK: - Effects

    /// Moves the pending effects to the end of a list.
    ///
    /// - Returns: `true` if there were any.
    package mutating func takeEffects(into list: inout [Effect]) -> Bool {
        guard !effects.isEmpty else { return false }
        if list.isEmpty {
            // Swapped, so that no list is allocated per event.
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

    // MARK: - Randomness

    /// Returns a number in 0..<1 that spreads retries.
    mutating func jitter() -> Double { random.unit() }

    /// Returns a version 4 identifier for a package that the engine creates.
    mutating func identifier() -> UUID {
        let words = (random.next().bigEndian, random.next().bigEndian)
        var bytes = withUnsafeBytes(of: words) { $0.loadUnaligned(as: uuid_t.self) }
        bytes.6 = bytes.6 & 0x0F | 0x40
        bytes.8 = bytes.8 & 0x3F | 0x80
        return UUID(uuid: bytes)
    }
}
