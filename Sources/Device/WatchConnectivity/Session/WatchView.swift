import DeviceShell
import Foundation
import LinkProtocol

/// The properties of its watch that a phone's session shows.
struct WatchView: Equatable, Sendable {
    var isPaired = false
    var isAppInstalled = false
    var isComplicationEnabled = false
    var directory: URL?

    init() {}

    /// - Parameter companion: The watch; nil if none has connected yet.
    init(_ presence: PresenceStateMachine, _ companion: Companion?, _ directory: DeviceDirectory) {
        guard presence.role == .host else { return }
        isPaired = companion?.isPaired ?? presence.presumesCompanion
        isAppInstalled = isPaired && companion?.isAppInstalled != false
        isComplicationEnabled = companion?.hasComplication == true
        if let companion, isAppInstalled {
            self.directory = URL(filePath: directory.watch(companion.identifier), directoryHint: .isDirectory)
        }
    }

    /// Reports each changed property of the session, with its old and its new value.
    func differences(
        from present: WatchView, of session: WCSession, tell: (AnyKeyPath, WCSession, Any, Any) -> Void
    ) {
        if isPaired != present.isPaired { tell(\WCSession.isPaired, session, isPaired, present.isPaired) }
        if isAppInstalled != present.isAppInstalled {
            tell(\WCSession.isWatchAppInstalled, session, isAppInstalled, present.isAppInstalled)
        }
        if isComplicationEnabled != present.isComplicationEnabled {
            tell(\WCSession.isComplicationEnabled, session, isComplicationEnabled, present.isComplicationEnabled)
        }
        if directory != present.directory {
            tell(\WCSession.watchDirectoryURL, session, directory as Any, present.directory as Any)
        }
    }
}
