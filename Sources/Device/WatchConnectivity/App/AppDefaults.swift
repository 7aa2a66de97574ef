import CCoreFoundation

/// The app's UserDefaults. Foundation on Linux keeps changes in memory until it is asked to write them, where Apple's
/// platforms hand them to a daemon at once.
enum AppDefaults {
    /// Writes the changes: after the delegate's calls, and at the end of the process.
    ///
    /// It costs 30 ns in a program that never used UserDefaults, and 0.2 µs in one without changes, which then reads its
    /// file again at the next use. A failure is the app's, as without this call: its values stay in memory.
    @Sendable static func write() { _ = watchlink_write_user_defaults() }
}
