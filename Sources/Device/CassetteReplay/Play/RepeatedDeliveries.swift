import LinkProtocol
import Words

/// The calls of the delegate that a fault at the app has added. They are not sent: the fault is repeated, so that the app is given
/// the same message, transfer or context a second time, with the same reply handler.
struct RepeatedDeliveries {
    /// The positions of these calls.
    private(set) var positions: Set<Int> = []
    /// The words of the faults, by the positions of the deliveries that they doubled.
    private(set) var faults: [Int: [String]] = [:]

    init(_ tape: AppTape) {
        for (index, fault) in tape.events.enumerated() where fault.role == .fault && fault.package != nil {
            guard let words = fault.words?.split(separator: " ").map(String.init), Self.isAtApp(words) else { continue }
            func isOfIt(_ event: AppEvent) -> Bool {
                guard case .delivery = event.role else { return false }
                return event.package == fault.package
            }
            guard let first = tape.events[..<index].last(where: isOfIt),
                let second = tape.events[index...].first(where: isOfIt)
            else { continue }
            positions.insert(second.sequence)
            faults[first.sequence] = words
        }
    }

    /// Returns true for `duplicate message at-app` and `replay context`.
    private static func isAtApp(_ words: [String]) -> Bool {
        do throws(WordError) {
            guard case .addAtApp(let fault) = try FaultDeed(words: words) else { return false }
            return switch fault.effect {
            case .duplicate, .replay: true
            case .fail, .slow, .early: false
            }
        } catch {
            // The words of hazards are not all those of a command: `late out by=310ms`.
            return false
        }
    }
}
