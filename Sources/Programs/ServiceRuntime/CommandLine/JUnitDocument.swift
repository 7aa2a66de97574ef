import Foundation

/// Test outcomes as a JUnit XML document, which CI servers read.
package struct JUnitDocument: Sendable {
    package struct Case: Sendable {
        package let name: String
        package let failure: String?
        /// The reason it could not be run.
        package let error: String?

        package init(name: String, failure: String? = nil, error: String? = nil) {
            (self.name, self.failure, self.error) = (name, failure, error)
        }
    }

    package struct Suite: Sendable {
        package let name: String
        package let properties: [String: String]
        package let seconds: Double
        package let cases: [Case]

        package init(name: String, properties: [String: String], seconds: Double, cases: [Case]) {
            (self.name, self.properties, self.seconds, self.cases) = (name, properties, seconds, cases)
        }
    }

    private let suites: [Suite]

    package init(_ suites: [Suite]) { self.suites = suites }

    package var text: String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites>
        \(suites.map(Self.text).joined(separator: "\n"))
        </testsuites>

        """
    }

    private static func text(_ suite: Suite) -> String {
        let properties = suite.properties.sorted { $0.key < $1.key }.map {
            "<property name=\"\(escaped($0.key))\" value=\"\(escaped($0.value))\"/>"
        }
        let (failures, errors) = (suite.cases.count { $0.failure != nil }, suite.cases.count { $0.error != nil })
        return """
              <testsuite name="\(escaped(suite.name))" tests="\(suite.cases.count)" failures="\(failures)" \
            errors="\(errors)" time="\(String(format: "%.3f", suite.seconds))">
                <properties>\(properties.joined())</properties>
            \(suite.cases.map { text($0, in: suite) }.joined(separator: "\n"))
              </testsuite>
            """
    }

    private static func text(_ test: Case, in suite: Suite) -> String {
        let head = "    <testcase classname=\"\(escaped(suite.name))\" name=\"\(escaped(test.name))\""
        let inside = [("failure", test.failure), ("error", test.error)].compactMap { element, message in
            message.map { "<\(element) message=\"\(escaped($0))\"/>" }
        }
        return head + (inside.isEmpty ? "/>" : ">\(inside.joined())</testcase>")
    }

    /// Escapes a text; XML 1.0 cannot represent most control characters.
    private static func escaped(_ text: String) -> String {
        String(
            text.unicodeScalars.map { $0.value < 0x20 && !"\t\n\r".unicodeScalars.contains($0) ? "�" : Character($0) }
        )
        .replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        .replacing("\"", with: "&quot;")
    }
}
