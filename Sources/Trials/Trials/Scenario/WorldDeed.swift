import Configuration
import ServiceRuntime
import Words

/// An action on a device that is possible only in virtual time.
package enum WorldDeed: Equatable, Sendable {
    /// SIGKILL during the program's next work: at the point of this number where a thread may be interrupted.
    case crash(step: Int)
    /// Sets its clock, and no other, forward by so many seconds; back if negative.
    case clock(seconds: Double)
    /// Fills the whole disk, or frees it again.
    case storage(isFull: Bool)

    /// A million: more points than an app passes in a second.
    private static let steps = 1...1_000_000
    /// A year: a clock set by more is a new device.
    private static let farthest = 365.0 * 86_400

    /// - Parameter file: The step that contains the action.
    init(_ name: String, _ file: ConfigurationFile) throws(ConfigurationError) {
        switch name {
        case "crash":
            guard let step = try file.count("step", within: Self.steps) else {
                throw file.wrong("step", "is missing; use the number of a step, from 1")
            }
            self = .crash(step: step)
        case "clock": self = .clock(seconds: try Self.seconds(file))
        default:
            guard let isFull = try file.choice("is", among: [("full", true), ("good", false)]) else {
                throw file.wrong("is", "is missing; use full or good")
            }
            self = .storage(isFull: isFull)
        }
    }

    private static func seconds(_ file: ConfigurationFile) throws(ConfigurationError) -> Double {
        guard case .string(let text) = file.value("by") else {
            guard let seconds = try file.number("by", within: -farthest...farthest) else {
                throw file.wrong("by", "is missing; use seconds, or a duration such as 2h or -90s")
            }
            return seconds
        }
        let (isBack, span) = (text.hasPrefix("-"), WordValue.span(String(text.trimmingPrefix("-"))))
        guard let seconds = span.map({ $0 / .seconds(1) }), seconds <= farthest else {
            throw file.wrong("by", "“\(text)” is not a valid duration; use 90, 2h or -90s, up to one year")
        }
        return isBack ? -seconds : seconds
    }

    var text: String {
        switch self {
        case .crash(let step): "at step \(step)"
        case .clock(let seconds): "by \(seconds) s"
        case .storage(let isFull): isFull ? "full" : "good"
        }
    }
}
