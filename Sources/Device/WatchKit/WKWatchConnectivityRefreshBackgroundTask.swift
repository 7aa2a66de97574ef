/// Background time for what WatchConnectivity has received: complete it when the session is activated and has no content
/// pending.
open class WKWatchConnectivityRefreshBackgroundTask: WKRefreshBackgroundTask {}
