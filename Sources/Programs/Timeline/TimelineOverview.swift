import Foundation
import LinkProtocol

/// An overview strip of the picture: the packages, failures, faults and crashes in each part.
struct TimelineOverview {
    /// The number of parts. 240: a few pixels each on any screen.
    static let parts = 240

    struct Part {
        var first: Date?
        var last: Date?
        var packages = 0
        var failed = 0
        var faults = 0
    }

    private(set) var all = [Part](repeating: Part(), count: Self.parts)

    /// - Parameters:
    ///   - height: The height of the picture.
    ///   - y: Returns a moment's vertical position in the picture.
    init(_ timeline: Timeline, height: Double, y: (Date) -> Double) {
        func part(_ time: Date) -> Int { min(Self.parts - 1, max(0, Int(y(time) / height * Double(Self.parts)))) }
        for package in timeline.packages {
            guard let time = package.span?.lowerBound else { continue }
            let place = part(time)
            all[place].packages += 1
            if package.status == .failed { all[place].failed += 1 }
            all[place].faults += package.faults.isEmpty ? 0 : 1
            note(time, in: place)
        }
        for mark in timeline.marks where mark.kind.isFault && mark.kind != .fault {
            all[part(mark.time)].faults += 1
            note(mark.time, in: part(mark.time))
        }
    }

    private mutating func note(_ time: Date, in place: Int) {
        all[place].first = min(all[place].first ?? time, time)
        all[place].last = max(all[place].last ?? time, time)
    }

    /// Returns the strip, which stretches to its container.
    func svg() -> String {
        let most = Double(max(1, all.map(\.packages).max() ?? 1))
        var text =
            "<svg id=\"strip\" viewBox=\"0 0 100 \(Self.parts)\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
        for (place, part) in all.enumerated() {
            guard let first = part.first, let last = part.last else { continue }
            // One failure among a thousand must be visible.
            let width = 76 * Double(part.packages) / most
            let failed = part.failed == 0 ? 0 : max(8, 76 * Double(part.failed) / most)
            text += "<g data-failed=\"\(part.failed)\" data-faults=\"\(part.faults)\" data-part=\"\(place)\"><title>"
            text +=
                "\(TimelineText.clock(first)) to \(TimelineText.clock(last)): \(part.packages) packages, \(part.failed) failed, "
            text += "\(part.faults) faults</title>"
            text += "<rect class=\"all\" y=\"\(place)\" width=\"\(TimelineText.number(max(2, width)))\" height=\"1\"/>"
            if failed > 0 {
                text += "<rect class=\"bad\" y=\"\(place)\" width=\"\(TimelineText.number(failed))\" height=\"1\"/>"
            }
            if part.faults > 0 { text += "<rect class=\"fault\" x=\"82\" y=\"\(place)\" width=\"18\" height=\"1\"/>" }
            text += "</g>\n"
        }
        return text + "</svg>"
    }
}
