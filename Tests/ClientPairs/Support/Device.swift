import Foundation

/// The two devices, each with a directory of its own beside the other's.
enum Device: String {
    case phone
    case watch

    /// The device of this process.
    static let own: Device = ProcessInfo.processInfo.environment["WATCHLINK_ROLE"] == "host" ? .phone : .watch

    /// Where the device's app keeps what must survive.
    var home: URL {
        let own = URL(filePath: ProcessInfo.processInfo.environment["HOME"] ?? ".")
        return self == .own ? own : own.deletingLastPathComponent().appending(path: rawValue)
    }
}
