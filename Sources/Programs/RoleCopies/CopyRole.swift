/// The device whose copy of a source is made.
package enum CopyRole: String, CaseIterable, Codable, Sendable {
    case phone
    case watch

    /// The name of the device's system in `os(…)` and `@available(…)`.
    var system: String {
        switch self {
        case .phone: "iOS"
        case .watch: "watchOS"
        }
    }
}
