/// Background time for the events of a background `URLSession`. Never given here: the simulation has no such sessions.
open class WKURLSessionRefreshBackgroundTask: WKRefreshBackgroundTask {
    /// The identifier of the session's configuration.
    public let sessionIdentifier: String

    package init(sessionIdentifier: String, onCompletion: @escaping @Sendable () -> Void) {
        self.sessionIdentifier = sessionIdentifier
        super.init(onCompletion: onCompletion)
    }
}
