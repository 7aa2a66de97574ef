import Foundation
import LinkProtocol

/// The picture of a timeline as SVG: time runs down, watches on the left, the phone on the right, an arrow for each
/// package.
package struct TimelineDrawing {
    private static let (top, bottom) = (56.0, 40.0)
    private static let labelX = 8.0

    private let timeline: Timeline
    private let scale: TimelineScale
    private let lanes: TimelineLanes
    let height: Double

    package init(_ timeline: Timeline) {
        self.timeline = timeline
        var moments = timeline.marks.map(\.time)
        for band in timeline.bands { moments += [band.start] + (band.end.map { [$0] } ?? []) }
        for package in timeline.packages {
            moments +=
                package.arrows.flatMap { [$0.left, $0.arrived] }.compactMap { $0 } + (package.queued.map { [$0] } ?? [])
        }
        scale = TimelineScale(moments)
        lanes = TimelineLanes(timeline.watches)
        height = (Self.top + scale.height + Self.bottom).rounded(.up)
    }

    var width: Double { lanes.width }
    var names: [(x: Double, text: String)] { lanes.names }
    var overview: TimelineOverview { TimelineOverview(timeline, height: height, y: y) }

    /// Returns a standalone document, or the element for a page that provides the style and the names.
    package func svg(isDocument: Bool) -> String {
        let size =
            isDocument
            ? " width=\"\(Int(width))\" height=\"\(Int(height))\"" : " id=\"picture\" preserveAspectRatio=\"none\""
        let head =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Int(width)) \(Int(height))\"\(size) role=\"group\""
            + " aria-label=\"Timeline of \(timeline.packages.count) packages between companion and host\">\n"
        let style = isDocument ? "<style>\(TimelineStyle.css)</style>\n" : ""
        let ground = "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n"
        return head + style + ground + times() + lives(isNamed: isDocument) + bands() + marks() + packages()
            + "</svg>\n"
    }

    private func x(_ life: TimelineOwner) -> Double { lanes.x(life.side, life.watch) }
    private func y(_ time: Date) -> Double { Self.top + scale.y(time) }
    private func n(_ value: Double) -> String { TimelineText.number(value) }

    // MARK: - Background

    private func times() -> String {
        var text = ""
        var former = ""
        for (time, place) in scale.labels(every: 32) {
            // In a burst, many moments share a millisecond.
            guard TimelineText.clock(time) != former else { continue }
            former = TimelineText.clock(time)
            text +=
                "<text class=\"time\" x=\"\(n(Self.labelX))\" y=\"\(n(Self.top + place + 4))\">\(TimelineText.clock(time))</text>\n"
        }
        for gap in scale.gaps {
            let y = n(Self.top + gap.y)
            text += "<line class=\"gap\" x1=\"110\" x2=\"\(n(width - 40))\" y1=\"\(y)\" y2=\"\(y)\"/>"
            text += "<text class=\"gap-text\" x=\"\(n(lanes.host - 255))\" y=\"\(n(Self.top + gap.y - 4))\""
            text += " text-anchor=\"middle\">\(TimelineText.span(gap.seconds))</text>\n"
        }
        return text
    }

    private func lives(isNamed: Bool) -> String {
        lanes.names.map { name in
            let x = n(name.x)
            let text = TimelineText.escaped(name.text)
            return (isNamed ? "<text class=\"name\" x=\"\(x)\" y=\"24\" text-anchor=\"middle\">\(text)</text>" : "")
                + "<line class=\"life\" x1=\"\(x)\" x2=\"\(x)\" y1=\"34\" y2=\"\(n(height - 12))\"/>\n"
        }.joined()
    }

    private func bands() -> String {
        timeline.bands.map { band in
            // The process's band is on the line; reachability and condition are outside. On the phone's line, each
            // watch has its own position.
            let outside = band.life.side == .companion ? -1.0 : 1.0
            let place = band.counterpart.map { Double(lanes.index(of: $0)) } ?? 0
            let (offset, width): (Double, Double) =
                switch band.kind {
                case .running: (0, 5)
                case .reachable: (outside * (12 + 30 * place), 8)
                case .condition: (outside * (26 + 30 * place), 12)
                }
            let (start, end) = (y(band.start), band.end.map(y) ?? height - 12)
            let about = band.counterpart.map { lanes.watches.count > 1 ? " of watch \($0.prefix(8))" : "" } ?? ""
            let title = TimelineText.escaped("\(band.life.side.rawValue) \(band.kind.rawValue)\(about): \(band.note)")
            return
                "<rect class=\"\(band.kind.rawValue)\" x=\"\(n(x(band.life) + offset - width / 2))\" y=\"\(n(start))\""
                + " width=\"\(n(width))\" height=\"\(n(max(2, end - start)))\" role=\"img\"><title>\(title)</title></rect>\n"
        }.joined()
    }

    private func marks() -> String {
        timeline.marks.map { mark in
            let title = TimelineText.escaped(
                "\(TimelineText.clock(mark.time)) \(mark.life.side.rawValue): \(mark.note)")
            let (x, y) = (x(mark.life), y(mark.time))
            return (mark.kind == .parting ? parting(at: y, mark.note) : "")
                + "<path class=\"mark mark-\(mark.kind.rawValue)\" d=\"M\(n(x - 6)) \(n(y))L\(n(x)) \(n(y - 6))L\(n(x + 6)) \(n(y))"
                + "L\(n(x)) \(n(y + 6))Z\" role=\"img\"><title>\(title)</title></path>\n"
        }.joined()
    }

    /// Draws a line across the picture, with what happened there.
    private func parting(at y: Double, _ note: String) -> String {
        "<line class=\"parting\" x1=\"110\" x2=\"\(n(width - 8))\" y1=\"\(n(y))\" y2=\"\(n(y))\"/>"
            + "<text class=\"parting-text\" x=\"\(n((lanes.x(.companion, nil) + lanes.host) / 2))\" y=\"\(n(y - 6))\""
            + " text-anchor=\"middle\">\(TimelineText.escaped(TimelineText.shortened(note)))</text>\n"
    }

    // MARK: - Packages

    private func packages() -> String {
        "<g role=\"list\" aria-label=\"packages\">\n" + timeline.packages.map(package).joined() + "</g>\n"
    }

    private func package(_ package: TimelinePackage) -> String {
        let title = TimelineText.escaped(package.facts.map { "\($0.0): \($0.1)" }.joined(separator: "\n"))
        let isTroubled = package.status == .failed || !package.faults.isEmpty
        var text =
            "<g class=\"package s-\(package.status.rawValue)\" data-kind=\"\(TimelineText.escaped(package.kind))\""
        text +=
            " data-status=\"\(package.status.rawValue)\"\(isTroubled ? " data-trouble=\"1\"" : "") role=\"listitem\" tabindex=\"-1\">"
        text += "<title>\(title)</title>"
        for arrow in package.arrows { text += self.arrow(arrow, package.watch) }
        if let queued = package.queued, let origin = package.origin {
            text +=
                "<path class=\"queue\" d=\"M\(n(lanes.x(origin, package.watch) - 3)) \(n(y(queued) - 1.5))h6v3h-6z\"/>"
        }
        return text + "</g>\n"
    }

    /// Draws an arrow between two life lines; one without a recorded departure or arrival begins or ends halfway.
    private func arrow(_ arrow: TimelinePackage.Arrow, _ watch: String?) -> String {
        guard let known = arrow.left ?? arrow.arrived else { return "" }
        let (from, to) = (lanes.x(arrow.from, watch), lanes.x(arrow.from.other, watch))
        let (startX, startY) = (arrow.left == nil ? (from + to) / 2 : from, y(arrow.left ?? known))
        let (endX, endY) = (arrow.arrived == nil ? (from + to) / 2 : to, y(arrow.arrived ?? known))
        let ends = "x1=\"\(n(startX))\" y1=\"\(n(startY))\" x2=\"\(n(endX))\" y2=\"\(n(endY))\""
        let back = endX > startX ? -1.0 : 1.0
        let head =
            if arrow.arrived == nil {
                // A cross: the arrival was not recorded.
                "<path d=\"M\(n(endX - 4)) \(n(endY - 5))l8 8l-2 2l-8 -8zM\(n(endX + 2)) \(n(endY - 5))l2 2l-8 8l-2 -2z\"/>"
            } else {
                "<path\(arrow.isLate ? " class=\"late\"" : "") d=\"M\(n(endX)) \(n(endY))l\(n(back * 9)) -4v8z\"/>"
            }
        let style = arrow.isLate ? "class=\"late\" " : arrow.meaning == .answer ? "class=\"answer\" " : ""
        return "<line class=\"hit\" \(ends)/><line \(style)\(ends)/>\(head)"
    }
}
