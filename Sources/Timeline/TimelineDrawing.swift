import Foundation
import LinkProtocol

/// The picture: time runs down, the watch on the left, the phone on the right, a line for everything that went between them.
package struct TimelineDrawing {
    private static let (width, top, bottom) = (1000.0, 56.0, 40.0)
    private static let labelX = 8.0

    private let timeline: Timeline
    private let scale: TimelineScale
    private let height: Double

    package init(_ timeline: Timeline) {
        self.timeline = timeline
        var moments = timeline.marks.map(\.time)
        for band in timeline.bands { moments += [band.start] + (band.end.map { [$0] } ?? []) }
        for package in timeline.packages {
            moments +=
                package.arrows.flatMap { [$0.left, $0.arrived] }.compactMap { $0 } + (package.queued.map { [$0] } ?? [])
        }
        scale = TimelineScale(moments)
        height = Self.top + scale.height + Self.bottom
    }

    /// A document of its own, or the element for a page, which has the style itself.
    package func svg(isDocument: Bool) -> String {
        let size = isDocument ? " width=\"\(Int(Self.width))\" height=\"\(Int(height))\"" : ""
        let head =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Int(Self.width)) \(Int(height))\"\(size) role=\"group\""
            + " aria-label=\"Timeline of \(timeline.packages.count) packages between companion and host\">\n"
        let style = isDocument ? "<style>\(TimelineStyle.css)</style>\n" : ""
        let ground = "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n"
        return head + style + ground + times() + lives() + bandsAndMarks() + packages() + "</svg>\n"
    }

    private func x(_ side: TimelineSide) -> Double { side == .companion ? 270 : 780 }
    private func y(_ time: Date) -> Double { Self.top + scale.y(time) }
    private func n(_ value: Double) -> String { TimelineText.number(value) }

    // MARK: - Around the packages

    private func times() -> String {
        var text = ""
        var former = ""
        for (time, place) in scale.labels(every: 32) {
            // In a burst many moments share a millisecond.
            guard TimelineText.clock(time) != former else { continue }
            former = TimelineText.clock(time)
            text +=
                "<text x=\"\(n(Self.labelX))\" y=\"\(n(Self.top + place + 4))\">\(TimelineText.clock(time))</text>\n"
        }
        for gap in scale.gaps {
            let y = n(Self.top + gap.y)
            text += "<line class=\"gap\" x1=\"110\" x2=\"960\" y1=\"\(y)\" y2=\"\(y)\"/>"
            text +=
                "<text x=\"525\" y=\"\(n(Self.top + gap.y - 4))\" text-anchor=\"middle\">\(TimelineText.span(gap.seconds))</text>\n"
        }
        return text
    }

    private func lives() -> String {
        TimelineSide.allCases.map { side in
            let x = n(x(side))
            let name = side == .companion ? "companion (watch)" : "host (phone)"
            return "<text class=\"name\" x=\"\(x)\" y=\"24\" text-anchor=\"middle\">\(name)</text>"
                + "<line class=\"life\" x1=\"\(x)\" x2=\"\(x)\" y1=\"34\" y2=\"\(n(height - 12))\"/>\n"
        }.joined()
    }

    private func bandsAndMarks() -> String {
        var text = ""
        for band in timeline.bands {
            // The process is the line itself; what it could reach and what the link was like lie outside of it.
            let outside = band.side == .companion ? -1.0 : 1.0
            let (offset, width): (Double, Double) =
                switch band.kind {
                case .running: (0, 5)
                case .reachable: (outside * 12, 8)
                case .condition: (outside * 26, 12)
                }
            let (start, end) = (y(band.start), band.end.map(y) ?? height - 12)
            let title = TimelineText.escaped("\(band.side.rawValue) \(band.kind.rawValue): \(band.note)")
            text +=
                "<rect class=\"\(band.kind.rawValue)\" x=\"\(n(x(band.side) + offset - width / 2))\" y=\"\(n(start))\""
            text += " width=\"\(n(width))\" height=\"\(n(max(2, end - start)))\" role=\"img\" aria-label=\"\(title)\">"
            text += "<title>\(title)</title></rect>\n"
        }
        for mark in timeline.marks {
            let title = TimelineText.escaped("\(TimelineText.clock(mark.time)) \(mark.side.rawValue): \(mark.note)")
            let (x, y) = (x(mark.side), y(mark.time))
            text +=
                "<path class=\"mark-\(mark.kind.rawValue)\" d=\"M\(n(x - 6)) \(n(y))L\(n(x)) \(n(y - 6))L\(n(x + 6)) \(n(y))"
            text += "L\(n(x)) \(n(y + 6))Z\" role=\"img\" aria-label=\"\(title)\"><title>\(title)</title></path>\n"
        }
        return text
    }

    // MARK: - Packages

    private func packages() -> String {
        "<g role=\"list\" aria-label=\"packages\">\n" + timeline.packages.map(package).joined() + "</g>\n"
    }

    private func package(_ package: TimelinePackage) -> String {
        let facts = facts(package)
        let title = TimelineText.escaped(facts.map { "\($0.0): \($0.1)" }.joined(separator: "\n"))
        let label = TimelineText.escaped(
            "\(package.kind) \(package.status.rawValue), \(facts.dropFirst(2).map { "\($0.0) \($0.1)" }.joined(separator: ", "))"
        )
        var text =
            "<g class=\"package s-\(package.status.rawValue)\" data-kind=\"\(TimelineText.escaped(package.kind))\""
        text += " data-status=\"\(package.status.rawValue)\" role=\"listitem\" tabindex=\"-1\" aria-label=\"\(label)\">"
        text += "<title>\(title)</title>"
        for arrow in package.arrows { text += self.arrow(arrow) }
        if let queued = package.queued, let origin = package.origin {
            text += "<path d=\"M\(n(x(origin) - 3)) \(n(y(queued) - 1.5))h6v3h-6z\"/>"
        }
        return text + "</g>\n"
    }

    /// From one life line to the other; one that nobody saw arrive, or leave, ends in the middle.
    private func arrow(_ arrow: TimelinePackage.Arrow) -> String {
        guard let known = arrow.left ?? arrow.arrived else { return "" }
        let middle = (x(.host) + x(.companion)) / 2
        let (startX, startY) = (arrow.left == nil ? middle : x(arrow.from), y(arrow.left ?? known))
        let (endX, endY) = (arrow.arrived == nil ? middle : x(arrow.from.other), y(arrow.arrived ?? known))
        let ends = "x1=\"\(n(startX))\" y1=\"\(n(startY))\" x2=\"\(n(endX))\" y2=\"\(n(endY))\""
        let direction = endX > startX ? -1.0 : 1.0
        let head =
            arrow.arrived == nil
            // A cross: it did not get there.
            ? "<path d=\"M\(n(endX - 4)) \(n(endY - 5))l8 8l-2 2l-8 -8zM\(n(endX + 2)) \(n(endY - 5))l2 2l-8 8l-2 -2z\"/>"
            : "<path d=\"M\(n(endX)) \(n(endY))l\(n(direction * 9)) -4v8z\"/>"
        let style = arrow.meaning == .answer ? "class=\"answer\" " : ""
        return "<line class=\"hit\" \(ends)/><line \(style)\(ends)/>\(head)"
    }

    private func facts(_ package: TimelinePackage) -> [(String, String)] {
        var facts = [("kind", package.kind), ("status", package.status.rawValue), ("message", package.identifier)]
        if let origin = package.origin { facts.append(("from", origin.rawValue)) }
        if let bytes = package.bytes { facts.append(("bytes", "\(bytes)")) }
        if package.attempts > 1 { facts.append(("attempts", "\(package.attempts)")) }
        if let queued = package.queued { facts.append(("queued", TimelineText.clock(queued))) }
        for arrow in package.arrows {
            let name = arrow.meaning == .out ? "sent" : "answered"
            if let left = arrow.left {
                facts.append((name, "\(TimelineText.clock(left)) by the \(arrow.from.rawValue)"))
            }
            if let arrived = arrow.arrived {
                facts.append(("arrived", "\(TimelineText.clock(arrived)) at the \(arrow.from.other.rawValue)"))
            }
        }
        if let span = package.span {
            facts.append(("in all", TimelineText.span(span.upperBound.timeIntervalSince(span.lowerBound))))
        }
        if let cause = package.cause { facts.append(("cause", cause)) }
        for fault in package.faults { facts.append(("fault", fault)) }
        return facts
    }
}
