package import Foundation

/// The store's verdict on an arrived transfer.
package enum ReceiveOutcome: Equatable, Sendable {
    /// It is durable. `replaced` is an older context that the delegate had not received.
    case stored(replaced: UUID?)
    /// It is a duplicate, and gets the same answer as the original.
    case repeated
    /// The inbox is full with `capacity` waiting transfers: the sender should retry later.
    case full(capacity: Int)
}
