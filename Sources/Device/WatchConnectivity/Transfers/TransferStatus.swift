/// What changes of a transfer while the application holds it.
struct TransferStatus: Sendable {
    var isTransferring: Bool
    var isCurrentComplicationInfo = false
}
