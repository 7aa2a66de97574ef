import Foundation

/// A scenario's outcome in the form that CI servers read.
package enum JUnitReport {
    package static func text(_ scenario: Scenario, seed: UInt64, checks: [ScenarioRun.Check], seconds: Double) -> String
    {
        let failures = checks.filter { $0.failure != nil }.count
        let cases = checks.map { check in
            let head = "    <testcase classname=\"\(escaped(scenario.name))\" name=\"\(escaped(check.name))\""
            guard let failure = check.failure else { return head + "/>" }
            return head + "><failure message=\"\(escaped(failure))\"/></testcase>"
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites>
              <testsuite name="\(escaped(scenario.name))" tests="\(checks.count)" failures="\(failures)" errors="0" \
            time="\(String(format: "%.3f", seconds))">
                <properties><property name="seed" value="\(seed)"/></properties>
            \(cases.joined(separator: "\n"))
              </testsuite>
            </testsuites>

            """
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
