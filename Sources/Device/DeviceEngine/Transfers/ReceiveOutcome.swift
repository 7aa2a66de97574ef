package import Foundation

/// The store's verdict on a transfer that it was given.
package enum ReceiveOutcome: Equatable, Sendable {
    /// It is durable. `replaced` is an older context that the delegate had not seen yet.
    case stored(replaced: UUID?)
    /// It came before, and is answered as it was then.
    case repeated
    /// So many wait for the delegate that none is taken: the sender should try again later.
    case full(capacity: Int)
}
