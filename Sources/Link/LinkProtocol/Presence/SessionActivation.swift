import Foundation

/// Where this device's session stands, and the switch of watches that takes it away for a while.
///
///     notActivated ── activate ──► activated ── switch ──► inactive ── all was delivered ──► notActivated
///
/// The end of the app leads back to notActivated from anywhere.
enum SessionActivation: Equatable, Sendable {
    /// Can become: activated.
    case notActivated
    /// Can become: inactive, notActivated.
    case activated
    /// The phone leaves its active watch for the next one; nil if that was unpaired meanwhile: only the app's end leads on then.
    /// Can become: notActivated.
    case inactive(next: UUID?)

    /// As the session tells it.
    var value: Activation {
        switch self {
        case .notActivated: .notActivated
        case .activated: .activated
        case .inactive: .inactive
        }
    }

    /// The watch that a switch goes to, until the former one is left.
    var next: UUID? {
        switch self {
        case .notActivated, .activated: nil
        case .inactive(let next): next
        }
    }

    /// What follows from the app's wish to activate its session.
    enum ActivateAction: Equatable, Sendable {
        case activate
        /// It was before: the delegate is told once more.
        case tellAgain
        /// A switch is under way, which ends in its own time.
        case nothing
    }

    /// The app activates its session.
    func activating() -> (next: SessionActivation, action: ActivateAction) {
        switch self {
        case .notActivated: (.activated, .activate)
        case .activated: (self, .tellAgain)
        case .inactive: (self, .nothing)
        }
    }

    /// All that came was given to the delegate.
    ///
    /// - Returns: The watch that the phone talks to from now on, if there is a switch.
    func drained() -> (next: SessionActivation, watch: UUID?) {
        switch self {
        case .notActivated, .activated, .inactive(next: nil): (self, nil)
        case .inactive(let watch): (.notActivated, watch)
        }
    }

    /// A watch was unpaired: no switch goes there any more.
    func unpaired(_ watch: UUID) -> SessionActivation { next == watch ? .inactive(next: nil) : self }
}
