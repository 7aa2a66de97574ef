/// The mutable state of a transfer object.
struct TransferStatus: Sendable {
    var isTransferring: Bool
    var isCurrentComplicationInfo = false
}
