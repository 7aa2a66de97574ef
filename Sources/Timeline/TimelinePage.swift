import Foundation
import LinkProtocol

/// One file that shows a timeline in any browser: nothing is fetched, nothing is sent.
package enum TimelinePage {
    package static func html(_ timeline: Timeline) -> String {
        let kinds = Set(timeline.packages.map(\.kind)).sorted()
        let counts = timeline.counts
        let statuses = TimelinePackage.Status.allCases.filter { counts[$0] != nil }
        let span = timeline.span.map { span in
            "\(span.lowerBound.formatted(.iso8601)) to \(span.upperBound.formatted(.iso8601)), UTC"
        }
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
            <h1>\(timeline.packages.count) packages, \(span ?? "no events")</h1>
            <div class="row"><fieldset><legend>Status</legend>\(statuses.map { status($0, counts[$0] ?? 0) }.joined())</fieldset></div>
            <div class="row"><fieldset><legend>Kind</legend>\(kinds.map(kind).joined())</fieldset>
            <label>Find <input id="find" type="search" placeholder="identifier, cause, fault …"></label>
            <output id="found" aria-live="polite"></output>
            <span><kbd>j</kbd> <kbd>k</kbd> next, previous · <kbd>/</kbd> find · <kbd>Esc</kbd> let go</span></div>
            </header>
            <main>
            <section aria-label="picture">
            \(TimelineDrawing(timeline).svg(isDocument: false))
            </section>
            <aside aria-label="details" aria-live="polite"><div id="details"></div>
            <p>Solid: a package. Dashed: its answer. A cross: it got no farther. Grey bar: the process runs. Green band: it can
            reach the other side. Yellow band: the link was made worse. Diamonds: starts, stops, crashes, faults.</p></aside>
            </main>
            <script>
            \(TimelineScript.text)
            </script>
            </body>
            </html>

            """
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
