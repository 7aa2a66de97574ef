package import Foundation

/// Keeps the order of what arrives when something of it could not be kept.
///
/// A sender has several transfers under way. When one of them is answered “later”, those behind it must be answered so too, or
/// they would arrive before it; the sender then begins anew with the earliest, and marks it (``MessagePackage/startsRound``).
package struct ArrivalGate: Sendable {
    private struct Channel: Hashable {
        let device: UUID
        let kind: Int
    }

    private var closed: Set<Channel> = []

    package init() {}

    /// Whether a transfer may be kept; if not it is to be answered “later”.
    package mutating func admits(_ kind: TransferKind, from device: UUID, startsRound: Bool) -> Bool {
        let channel = Channel(device: device, kind: TransferQueues.index(kind))
        if startsRound { closed.remove(channel) }
        return !closed.contains(channel)
    }

    /// A transfer could not be kept, and was answered “later”.
    package mutating func putOff(_ kind: TransferKind, from device: UUID) {
        closed.insert(Channel(device: device, kind: TransferQueues.index(kind)))
    }

    /// The device's connection is gone: it begins anew on the next one.
    package mutating func disconnected(_ device: UUID) { closed = closed.filter { $0.device != device } }
}
