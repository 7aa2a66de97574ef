public import Foundation

/// The phone's record of a watch.
public struct Companion: Equatable, Sendable {
    /// The permanent identifier of the watch.
    public let identifier: UUID
    /// The display name. Never logged.
    public var name: String
    /// True if the watch may connect.
    public var isPaired = true
    /// True if the watch has the app.
    public var isAppInstalled = true
    /// True if the app's complication is on the current watch face.
    public var hasComplication = false
    /// True for the watch that the phone communicates with; at most one.
    public var isActive = false

    /// Creates the record of a newly paired watch with the app.
    public init(identifier: UUID, name: String) {
        self.identifier = identifier
        self.name = name
    }
}
