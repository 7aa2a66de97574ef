/// The outcome of background work, as an app reports it.
public enum UIBackgroundFetchResult: UInt, Sendable {
    /// There is new content.
    case newData = 0
    /// There is no new content.
    case noData = 1
    /// Content could not be obtained.
    case failed = 2
}
