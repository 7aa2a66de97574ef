public import Foundation

/// The identifier of a complication of an app that has only one.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let CLKDefaultComplicationIdentifier = "CLKDefaultComplicationIdentifier"

/// A complication on the face of the watch.
// Proof of `@unchecked Sendable`: its properties are immutable and Sendable.
open class CLKComplication: NSObject, @unchecked Sendable {
    /// The identifier that the app gave to the complication.
    public let identifier: String
    /// The place on the face.
    public let family: CLKComplicationFamily

    /// Creates a complication for ``CLKComplicationServer/simulate(activeComplications:)``. WatchLink's own: on Apple's
    /// platforms only the system creates complications.
    public init(identifier: String = CLKDefaultComplicationIdentifier, family: CLKComplicationFamily) {
        self.identifier = identifier
        self.family = family
    }
}
