import Configuration
import ServiceRuntime
import Words

/// Something that can be done to a device in virtual time alone.
package enum WorldDeed: Equatable, Sendable {
    /// SIGKILL in the midst of what its program does next: at the so-many-th place where a thread of it may be interrupted.
    case crash(step: Int)
    /// Its clock, not that of anybody else, is set by so many seconds; back if they are negative.
    case clock(seconds: Double)
    /// All of its disk is full, or has room again.
    case storage(isFull: Bool)

    /// A million: more than an app has in a second.
    private static let steps = 1...1_000_000
    /// A year: whoever sets a clock by more has a new device.
    private static let farthest = 365.0 * 86_400

    /// - Parameter file: The step that has it.
    init(_ name: String, _ file: ConfigurationFile) throws(ConfigurationError) {
        switch name {
        case "crash":
            guard let step = try file.count("step", within: Self.steps) else {
                throw file.wrong("step", "is missing: the number of a place, from 1 on")
            }
            self = .crash(step: step)
        case "clock": self = .clock(seconds: try Self.seconds(file))
        default:
            guard let isFull = try file.choice("is", among: [("full", true), ("good", false)]) else {
                throw file.wrong("is", "is missing: full, or good")
            }
            self = .storage(isFull: isFull)
        }
    }

    private static func seconds(_ file: ConfigurationFile) throws(ConfigurationError) -> Double {
        guard case .string(let text) = file.value("by") else {
            guard let seconds = try file.number("by", within: -farthest...farthest) else {
                throw file.wrong("by", "is missing: seconds, or a span such as 2h or -90s")
            }
            return seconds
        }
        let (isBack, span) = (text.hasPrefix("-"), WordValue.span(String(text.trimmingPrefix("-"))))
        guard let seconds = span.map({ $0 / .seconds(1) }), seconds <= farthest else {
            throw file.wrong("by", "must be seconds, or a span such as 2h or -90s, of a year at most, not “\(text)”")
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
