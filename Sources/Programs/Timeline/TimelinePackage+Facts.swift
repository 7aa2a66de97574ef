import Foundation
import LinkProtocol

extension TimelinePackage {
    /// The known facts, as pairs of label and text.
    var facts: [(String, String)] {
        var facts = [("kind", kind), ("status", status.rawValue), ("message", identifier)]
        if let origin { facts.append(("from", origin.rawValue)) }
        if let watch, !watch.isEmpty { facts.append(("watch", watch)) }
        if let bytes { facts.append(("bytes", "\(bytes)")) }
        if attempts > 1 { facts.append(("attempts", "\(attempts)")) }
        if let queued { facts.append(("queued", TimelineText.clock(queued))) }
        for arrow in arrows {
            let name = arrow.meaning == .out ? "sent" : "answered"
            if let left = arrow.left {
                facts.append((name, "\(TimelineText.clock(left)) by the \(arrow.from.rawValue)"))
            }
            if let arrived = arrow.arrived {
                let end = arrow.isLate ? ", when nothing waited for it" : ""
                facts.append(("arrived", "\(TimelineText.clock(arrived)) at the \(arrow.from.other.rawValue)\(end)"))
            } else {
                facts.append(("lost", arrow.meaning == .out ? "no arrival recorded" : "no answer arrived"))
            }
        }
        if let span { facts.append(("in all", TimelineText.span(span.upperBound.timeIntervalSince(span.lowerBound)))) }
        if let cause { facts.append(("cause", cause)) }
        return facts + faults.map { ("fault", $0) }
    }
}
