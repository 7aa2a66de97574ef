import Configuration
import Foundation
import ServiceRuntime

/// Measurements as a table or as JSON.
struct Report {
    let title: String
    var notes: [String] = []
    let rows: [Measurement]

    var text: String {
        let head = ["", "ours", "reference", "", "ratio", "target", "more"]
        let cells = rows.map { row in
            [
                row.name, Measurement.text(row.value, row.unit),
                row.reference.map { Measurement.text($0.value, row.unit) } ?? "", row.reference?.name ?? "",
                row.ratio.map(Measurement.ratio) ?? "",
                row.goal == nil ? "" : "\(row.goalText) \(row.isMet == true ? "✓" : "missed")",
                row.details.map { "\($0.0) \(Self.detail($0))" }.joined(separator: ", "),
            ]
        }
        return ([title, "", TextTable.text([head] + cells)] + (notes.isEmpty ? [] : [""] + notes)).joined(
            separator: "\n")
    }

    /// Percentiles are times; all other details are plain numbers.
    private static func detail(_ detail: (String, Double)) -> String {
        Measurement.text(detail.1, detail.0.hasPrefix("p") ? .seconds : .count)
    }

    var json: JSONValue {
        .object([
            "title": .string(title),
            "rows": .array(
                rows.map { row in
                    var object: [String: JSONValue] = [
                        "name": .string(row.name), "value": .number(row.value), "unit": .string(row.unit.rawValue),
                    ]
                    if let reference = row.reference {
                        object["reference"] = .object([
                            "name": .string(reference.name), "value": .number(reference.value),
                        ])
                        object["ratio"] = row.ratio.map { .number($0) }
                    }
                    if row.goal != nil { object["target"] = .string(row.goalText) }
                    object["met"] = row.isMet.map { .boolean($0) }
                    for (name, value) in row.details { object[name] = .number(value) }
                    return .object(object)
                }),
        ])
    }
}
