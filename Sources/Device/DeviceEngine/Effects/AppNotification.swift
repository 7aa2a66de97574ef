package import Foundation
package import LinkProtocol

/// A change of presence that the app's side must perform or report to its delegate and observers.
package enum AppNotification: Equatable, Sendable {
    case activation(Activation)
    case didActivate, didBecomeInactive, didDeactivate
    case reachability(UUID, Bool)
    /// A watch was paired, unpaired, became active, or got or lost the app or its complication.
    case watchState(UUID)
    /// The phone got or lost the app.
    case companionApp
    /// Hold deliveries to the delegate back, or release them.
    case hold, release
    /// The app's process starts again and activates its session.
    case launch
    /// The watch's app gets time in the background.
    case refreshTask
    /// Fail the messages to the counterpart that is no longer active.
    case abandonMessages
    /// Drop the message handlers, because the app's process ended.
    case dropHandlers
}
