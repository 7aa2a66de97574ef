/// Swift's spelling of values in generated sources.
enum SwiftLiteral {
    static func text(_ value: String) -> String {
        "\"" + value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n") + "\""
    }
}
