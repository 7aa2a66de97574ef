package import Foundation
package import LinkProtocol

/// A change of presence that the app's side must carry out or tell of: its delegate, its observers, its life.
package enum AppNews: Equatable, Sendable {
    case activation(Activation)
    case didActivate, didBecomeInactive, didDeactivate
    case reachability(UUID, Bool)
    /// A watch was paired, unpaired, became active, or got or lost the app or its complication.
    case watchState(UUID)
    /// The phone got or lost the app.
    case companionApp
    /// Keep everything from the delegate, or let it go on.
    case hold, release
    /// The app's process begins anew, and activates its session.
    case launch
    /// The watch's app gets time in the background.
    case refreshTask
    /// Fail the messages whose counterpart is being left.
    case abandonMessages
    /// Forget the handlers of messages: the app's process ended.
    case dropHandlers
}
