/// Background time that the app has requested.
open class WKApplicationRefreshBackgroundTask: WKRefreshBackgroundTask {}
