/// A reply that nobody waits for.
package enum StrayReply: Equatable, Sendable {
    /// Its message timed out, and its handler was told so.
    case late
    /// No such message is under way: it never was, or was replied to before.
    case toNothing
    case illegal(IllegalTransition)
}
