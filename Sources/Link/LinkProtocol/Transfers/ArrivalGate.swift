package import Foundation

/// Keeps the order of incoming transfers when one of them cannot be stored.
///
/// A sender has several transfers in flight. If one is answered with “later”, all following ones must be, too, or they
/// would arrive before it; the sender then restarts with the earliest and marks it (``MessagePackage/startsRound``).
package struct ArrivalGate: Sendable {
    private struct Channel: Hashable {
        let device: UUID
        let kind: Int
    }

    private var closed: Set<Channel> = []

    package init() {}

    /// Returns true if a transfer may be stored; otherwise it must be answered with “later”.
    package mutating func admits(_ kind: TransferKind, from device: UUID, startsRound: Bool) -> Bool {
        let channel = Channel(device: device, kind: TransferQueues.index(kind))
        if startsRound { closed.remove(channel) }
        return !closed.contains(channel)
    }

    /// Records that a transfer could not be stored and was answered with “later”.
    package mutating func putOff(_ kind: TransferKind, from device: UUID) {
        closed.insert(Channel(device: device, kind: TransferQueues.index(kind)))
    }

    /// Resets the device's channels, as its connection is lost and it will restart on the next one.
    package mutating func disconnected(_ device: UUID) { closed = closed.filter { $0.device != device } }
}
