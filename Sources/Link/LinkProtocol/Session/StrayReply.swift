/// A reply without a waiting message.
package enum StrayReply: Equatable, Sendable {
    /// The message had already timed out and its handler was called.
    case late
    /// No such message is in flight: it was never sent, or is already answered.
    case toNothing
    case illegal(IllegalTransition)
}
