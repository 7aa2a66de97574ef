/// Who goes first on the way to a peer: somebody waits for a message, and may soon look at the complication.
package enum SendUrgency: Int, CaseIterable, Sendable {
    case interactive
    case complication
    case background
}
