/// Where a session stands between the application and its counterpart. The numbers are WCSessionActivationState's.
package enum Activation: Int, Sendable {
    /// Can become: activated.
    case notActivated = 0
    /// The phone is about to leave its active watch. Can become: notActivated.
    case inactive = 1
    /// Can become: inactive, notActivated.
    case activated = 2
}
