import Foundation

/// A self-contained HTML page with pictures above each other: the recorded course of an app, and the replayed one. It makes
/// no network requests.
package enum ComparisonPage {
    /// One picture.
    package struct Part {
        let title: String
        let timeline: Timeline

        package init(_ title: String, _ timeline: Timeline) { (self.title, self.timeline) = (title, timeline) }
    }

    /// - Parameters:
    ///   - title: The heading, which says what was compared, and the verdict.
    ///   - findings: A line for each difference.
    package static func html(_ title: String, findings: [String], _ parts: [Part]) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <title>\(TimelineText.escaped(title))</title>
        <style>
        \(TimelineStyle.css)
        \(TimelineStyle.comparison)
        </style>
        </head>
        <body>
        <h1>\(TimelineText.escaped(title))</h1>
        \(list(findings))
        \(parts.map(section).joined(separator: "\n"))
        <p>Solid: a package. Dashed: its answer. Cross: it could not be sent. Green band: the counterpart is reachable. Diamonds: starts,
        actions and, in red and yellow, differences; the dashed line is the first that matters. Point at anything to read what it is.</p>
        </body>
        </html>

        """
    }

    private static func list(_ findings: [String]) -> String {
        findings.isEmpty
            ? "<p>Nothing differs.</p>"
            : "<ol>\n\(findings.map { "<li>\(TimelineText.escaped($0))</li>" }.joined(separator: "\n"))\n</ol>"
    }

    private static func section(_ part: Part) -> String {
        """
        <section>
        <h2>\(TimelineText.escaped(part.title))</h2>
        <div class="picture" tabindex="0">
        \(TimelineDrawing(part.timeline).svg(isDocument: true))</div>
        </section>
        """
    }
}
