public import Foundation

/// A watch as the phone knows it.
public struct Companion: Equatable, Sendable {
    public let identifier: UUID
    /// For people to read. Never logged.
    public var name: String
    public var isPaired = true
    /// Whether the watch has the app.
    public var isAppInstalled = true
    /// Whether the app's complication is on the watch's present face.
    public var hasComplication = false
    /// The one that the phone talks to; at most one is.
    public var isActive = false

    public init(identifier: UUID, name: String) {
        self.identifier = identifier
        self.name = name
    }
}
