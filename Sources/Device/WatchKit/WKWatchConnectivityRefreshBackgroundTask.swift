/// Background time for content that WatchConnectivity has received. Complete it when the session is activated and has
/// no content pending.
open class WKWatchConnectivityRefreshBackgroundTask: WKRefreshBackgroundTask {}
