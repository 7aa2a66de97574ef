/// A line of the text format: a name, labels and a value.
struct MetricSample {
    let name: String
    let labels: [(String, String)]
    let value: Double

    init(_ name: String, _ labels: [(String, String)], _ value: Double) {
        self.name = name
        self.labels = labels
        self.value = value
    }

    var line: String {
        guard !labels.isEmpty else { return "\(name) \(Self.number(value))" }
        let pairs = labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
        return "\(name){\(pairs)} \(Self.number(value))"
    }

    /// Returns a number as text, whole numbers without a fraction.
    static func number(_ value: Double) -> String {
        Int64(exactly: value).map(String.init) ?? "\(value)"
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.append(character)
            }
        }
    }
}
