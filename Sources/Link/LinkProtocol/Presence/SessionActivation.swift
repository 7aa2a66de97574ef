import Foundation

/// The activation of this device's session, which a switch of watches interrupts.
///
///     notActivated ── activate ──► activated ── switch ──► inactive ── all delivered ──► notActivated
///
/// The end of the app leads back to notActivated from every state.
enum SessionActivation: Equatable, Sendable {
    /// Next: activated.
    case notActivated
    /// Next: inactive, notActivated.
    case activated
    /// The phone switches to the next watch; nil if that was unpaired in the meantime, so that it stays with the former
    /// one. Next: notActivated.
    case inactive(next: UUID?)

    /// The state as reported by the session.
    var value: Activation {
        switch self {
        case .notActivated: .notActivated
        case .activated: .activated
        case .inactive: .inactive
        }
    }

    /// The target of a switch in progress.
    var next: UUID? {
        switch self {
        case .notActivated, .activated: nil
        case .inactive(let next): next
        }
    }

    /// The response to the app's request to activate its session.
    enum ActivateAction: Equatable, Sendable {
        case activate
        /// Already activated: notify the delegate again.
        case tellAgain
        /// A switch is in progress and must complete first.
        case nothing
    }

    /// Handles the app's request to activate its session.
    func activating() -> (next: SessionActivation, action: ActivateAction) {
        switch self {
        case .notActivated: (.activated, .activate)
        case .activated: (self, .tellAgain)
        case .inactive: (self, .nothing)
        }
    }

    /// Records that all content was delivered.
    ///
    /// - Returns: The watch to serve from now on, if a switch to it was in progress.
    func drained() -> (next: SessionActivation, watch: UUID?) {
        switch self {
        case .notActivated, .activated: (self, nil)
        case .inactive(let watch): (.notActivated, watch)
        }
    }

    /// Removes an unpaired watch as the target of a switch.
    func unpaired(_ watch: UUID) -> SessionActivation { next == watch ? .inactive(next: nil) : self }
}
