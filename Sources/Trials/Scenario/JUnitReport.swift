import Foundation

/// The outcomes of scenarios in the form that CI servers read: a suite for each file.
package enum JUnitReport {
    package static func text(_ outcomes: [ScenarioOutcome], seed: UInt64) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites>
        \(outcomes.map { suite($0, seed) }.joined(separator: "\n"))
        </testsuites>

        """
    }

    private static func suite(_ outcome: ScenarioOutcome, _ seed: UInt64) -> String {
        let failures = outcome.checks.filter { $0.failure != nil }.count
        let played = outcome.checks.map { check in
            "    \(head(outcome, check.name))"
                + (check.failure.map { "><failure message=\"\(escaped($0))\"/></testcase>" } ?? "/>")
        }
        let unplayed = outcome.error.map { error in
            "    \(head(outcome, "the scenario can be played"))><error message=\"\(escaped(error))\"/></testcase>"
        }
        let cases = played + (unplayed.map { [$0] } ?? [])
        return """
              <testsuite name="\(escaped(outcome.name))" tests="\(cases.count)" failures="\(failures)" \
            errors="\(outcome.error == nil ? 0 : 1)" time="\(String(format: "%.3f", outcome.seconds))">
                <properties><property name="seed" value="\(seed)"/></properties>
            \(cases.joined(separator: "\n"))
              </testsuite>
            """
    }

    private static func head(_ outcome: ScenarioOutcome, _ name: String) -> String {
        "<testcase classname=\"\(escaped(outcome.name))\" name=\"\(escaped(name))\""
    }

    /// XML has no form for most control characters.
    private static func escaped(_ text: String) -> String {
        String(
            text.unicodeScalars.map { $0.value < 0x20 && !"\t\n\r".unicodeScalars.contains($0) ? "�" : Character($0) }
        )
        .replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        .replacing("\"", with: "&quot;")
    }
}
