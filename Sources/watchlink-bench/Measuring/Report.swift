import Foundation

/// Rows as a table or as JSON.
struct Report {
    let title: String
    let notes: [String]
    let rows: [Row]

    var text: String {
        let head = ["", "ours", "reference", "", "ratio", "target", "allocations"]
        let cells = rows.map { row in
            [
                row.name, Self.time(row.ours.nanoseconds), Self.time(row.reference.nanoseconds), row.referenceName,
                Self.ratio(row.ratio), row.target.map { "\($0.text) \(row.isMet == true ? "✓" : "missed")" } ?? "",
                "\(Int(row.ours.allocations)) / \(Int(row.reference.allocations))",
            ]
        }
        let widths = head.indices.map { column in ([head] + cells).map { $0[column].count }.max() ?? 0 }
        let lines = ([head] + cells).map { row in
            row.enumerated().map { column, cell in
                cell + String(repeating: " ", count: widths[column] - cell.count)
            }.joined(separator: "  ")
        }
        return ([title, ""] + lines + [""] + notes).joined(separator: "\n")
    }

    var json: String {
        get throws {
            let objects = rows.map { row -> [String: Any] in
                var object: [String: Any] = [
                    "name": row.name, "nanoseconds": row.ours.nanoseconds, "reference": row.referenceName,
                    "referenceNanoseconds": row.reference.nanoseconds, "ratio": row.ratio,
                    "allocations": row.ours.allocations, "referenceAllocations": row.reference.allocations,
                ]
                if let target = row.target { object["target"] = target.text }
                if let isMet = row.isMet { object["met"] = isMet }
                return object
            }
            let data = try JSONSerialization.data(
                withJSONObject: ["title": title, "rows": objects], options: [.prettyPrinted, .sortedKeys])
            return String(decoding: data, as: UTF8.self)
        }
    }

    private static func time(_ nanoseconds: Double) -> String {
        switch nanoseconds {
        case ..<1_000: String(format: "%.0f ns", nanoseconds)
        case ..<1_000_000: String(format: "%.2f µs", nanoseconds / 1_000)
        default: String(format: "%.2f ms", nanoseconds / 1_000_000)
        }
    }

    private static func ratio(_ ratio: Double) -> String {
        ratio >= 10 ? String(format: "%.0f×", ratio) : String(format: "%.2f×", ratio)
    }
}
