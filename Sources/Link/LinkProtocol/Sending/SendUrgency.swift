/// The priority of a package: a person waits for a message, and may soon look at the complication.
package enum SendUrgency: Int, CaseIterable, Sendable {
    case interactive
    case complication
    case background
}
