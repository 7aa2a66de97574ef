import DeviceEngine
import Foundation
import LinkProtocol

/// The records of a device's session: the simulated counterpart of its database tables.
struct SessionRecords: Sendable {
    var outgoing = NameTable<OutgoingTransfer>()
    var lastPosition: Int64 = 0
    var inbox: [ReceivedTransfer] = []
    var seen: [IdentifierKey: NameSet] = [:]
    var companions: [IdentifierKey: Companion] = [:]

    // MARK: - Outgoing

    /// - Returns: Its position, and the context it replaced.
    mutating func queue(_ transfer: OutgoingTransfer) -> (position: Int64, replaced: UUID?) {
        var replaced: UUID?
        if transfer.kind == .context {
            replaced =
                outgoing.filter { $0.kind == .context && $0.peer == transfer.peer && $0.ending == nil }
                .first?.identifier
            if let replaced { outgoing[replaced] = nil }
        }
        lastPosition += 1
        var transfer = transfer
        transfer.position = lastPosition
        outgoing[transfer.identifier] = transfer
        return (lastPosition, replaced)
    }

    mutating func record(_ endings: [TransferStateMachine.Ending]) {
        for ending in endings {
            outgoing.change(ending.identifier) { $0.ending = OutgoingTransfer.Ending(ending) }
        }
    }

    mutating func forget(_ transfers: [UUID]) { for transfer in transfers { outgoing[transfer] = nil } }

    mutating func adopt(_ device: UUID) {
        for (identifier, transfer) in outgoing.all where transfer.peer == .unknownPeer {
            var adopted = OutgoingTransfer(
                identifier: identifier, peer: device, kind: transfer.kind, payload: transfer.payload,
                file: transfer.file, queuedAt: transfer.queuedAt)
            adopted.position = transfer.position
            adopted.ending = transfer.ending
            outgoing[identifier] = adopted
        }
    }

    /// The ended transfers whose end has not reached the delegate.
    var ended: [OutgoingTransfer] {
        outgoing.filter { $0.ending != nil }.sorted { $0.position < $1.position }
    }

    // MARK: - Watches

    /// Keeps the record of a watch, or removes it; at most one is active.
    mutating func keep(_ companion: Companion?, as device: UUID) {
        if companion?.isActive == true { for other in companions.keys { companions[other]?.isActive = false } }
        companions[device] = companion
    }

    // MARK: - Incoming

    /// Stores each transfer once, and only the latest context.
    mutating func receive(_ transfer: ReceivedTransfer, _ bug: PlantedBug?, room: Int?) -> ReceiveOutcome {
        if bug == .losesTransfers, lastPosition.isMultiple(of: 5) { return .repeated }
        if let room, inbox.count >= room, seen[transfer.peer]?.contains(transfer.identifier) != true {
            return .full(capacity: room)
        }
        guard seen[IdentifierKey(transfer.peer), default: NameSet()].insert(transfer.identifier) else {
            return .repeated
        }
        var replaced: UUID?
        if transfer.kind == .context {
            if bug == .keepsOldContext, lastPosition.isMultiple(of: 3) { return .stored(replaced: nil) }
            replaced = inbox.first { $0.kind == .context && $0.peer == transfer.peer }?.identifier
            inbox.removeAll { $0.kind == .context && $0.peer == transfer.peer }
        }
        lastPosition += 1
        var transfer = transfer
        transfer.position = lastPosition
        inbox.append(transfer)
        return .stored(replaced: replaced)
    }

    func inbox(after position: Int64, limit: Int) -> [ReceivedTransfer] {
        // In the order of positions.
        let start = inbox.firstIndex { $0.position > position } ?? inbox.count
        return Array(inbox[start...].prefix(limit))
    }

    mutating func remove(_ positions: [Int64]) { inbox.removeAll { positions.contains($0.position) } }
}
