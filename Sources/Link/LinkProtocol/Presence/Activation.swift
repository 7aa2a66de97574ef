/// The activation state of a session. The raw values are those of `WCSessionActivationState`.
package enum Activation: Int, Sendable {
    /// Next: activated.
    case notActivated = 0
    /// The phone is about to switch to another watch. Next: notActivated.
    case inactive = 1
    /// Next: inactive, notActivated.
    case activated = 2
}
