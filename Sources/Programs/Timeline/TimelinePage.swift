import Foundation
import LinkProtocol

/// A self-contained HTML page with a timeline; it makes no network requests.
package enum TimelinePage {
    package static func html(_ timeline: Timeline) -> String {
        let drawing = TimelineDrawing(timeline)
        let kinds = Set(timeline.packages.map(\.kind)).sorted()
        let counts = timeline.counts
        let statuses = TimelinePackage.Status.allCases.filter { counts[$0] != nil }
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
            <title>WatchLink timeline</title>
            <style>
            \(TimelineStyle.css)
            \(TimelineStyle.page)
            </style>
            </head>
            <body>
            <header>
            <h1>\(title(timeline))</h1>
            <div class="row"><fieldset><legend>Status</legend>\(statuses.map { status($0, counts[$0] ?? 0) }.joined())</fieldset></div>
            <div class="row"><fieldset><legend>Kind</legend>\(kinds.map(kind).joined())</fieldset>
            <label>Find <input id="find" type="search" placeholder="identifier, cause, fault …"></label>
            <output id="found" aria-live="polite"></output>
            <button id="out" aria-label="zoom out">−</button> <button id="in" aria-label="zoom in">+</button>
            <button id="whole">whole</button></div>
            <div class="row keys"><kbd>j</kbd> <kbd>k</kbd> next, previous · <kbd>f</kbd> <kbd>F</kbd> next, previous trouble ·
            <kbd>+</kbd> <kbd>−</kbd> <kbd>0</kbd> zoom · <kbd>/</kbd> find · <kbd>Esc</kbd> deselect · strip: click to jump, drag to zoom
            into a part, wheel to zoom</div>
            </header>
            <main>
            <div id="overview" role="scrollbar" tabindex="0" aria-label="overview" aria-controls="picture" aria-orientation="vertical"
            aria-valuemin="0" aria-valuemax="100">\(drawing.overview.svg())<div id="window"></div><div id="range" hidden></div></div>
            <section aria-label="picture">
            <div class="names">\(names(drawing))</div>
            \(drawing.svg(isDocument: false))
            </section>
            <aside aria-label="details" aria-live="polite"><div id="details"></div>
            <p>Solid: a package. Dashed: its answer. Cross: no arrival was recorded. Dotted with an empty head: it arrived too
            late. Grey bar: the process is running. Green band: the counterpart is reachable. Yellow band: the link is
            degraded. Diamonds: starts, stops, crashes, faults. Strip: grey packages, red failures, yellow faults and
            crashes.</p></aside>
            </main>
            <script>
            \(TimelineScript.text)
            </script>
            </body>
            </html>

            """
    }

    private static func title(_ timeline: Timeline) -> String {
        let span = timeline.span.map { span in
            "\(span.lowerBound.formatted(.iso8601)) to \(span.upperBound.formatted(.iso8601)), UTC"
        }
        let rest =
            timeline.omitted == 0 ? "" : "; \(timeline.omitted) earlier ones omitted, show them with --until TIME"
        return "\(timeline.packages.count) packages, \(span ?? "no events")\(rest)"
    }

    /// Returns the labels at the picture's relative positions.
    private static func names(_ drawing: TimelineDrawing) -> String {
        drawing.names.map { name in
            "<span style=\"left: \(TimelineText.number(name.x / drawing.width * 100))%\">\(TimelineText.escaped(name.text))</span>"
        }.joined()
    }

    private static func status(_ status: TimelinePackage.Status, _ count: Int) -> String {
        "<label class=\"s-\(status.rawValue)\"><input type=\"checkbox\" checked value=\"s:\(status.rawValue)\">"
            + "<span class=\"swatch\"></span>\(status.rawValue) \(count)</label>"
    }

    private static func kind(_ kind: String) -> String {
        let name = TimelineText.escaped(kind)
        return "<label><input type=\"checkbox\" checked value=\"k:\(name)\">\(name)</label>"
    }
}
