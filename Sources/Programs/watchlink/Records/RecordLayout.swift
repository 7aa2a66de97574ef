import Configuration
import Foundation
import RecordStorage
import ServiceRuntime
import Services
import Words

/// The form in which a person sees the records of an application.
struct RecordLayout: Sendable {
    /// A column of a list.
    struct Column: Sendable {
        let heading: String
        let field: String
        /// The least number of characters: each page of a long list is a table of its own.
        let width: Int
        let text: @Sendable (JSONValue?) -> String

        init(
            _ heading: String, _ field: String, width: Int? = nil,
            text: @escaping @Sendable (JSONValue?) -> String = RecordLayout.text
        ) {
            (self.heading, self.field, self.text) = (heading, field, text)
            self.width = width ?? heading.count
        }
    }

    /// The characters of the longest time, 2026-11-20T18:30:00.250Z.
    private static let timeWidth = 24

    let columns: [Column]
    /// The rows of one record, in order: the label, and the field.
    let rows: [Column]
    /// Lines below the rows, from a record's content.
    let details: @Sendable (JSONValue) -> [String]
    /// The advice for an empty list.
    let ifEmpty: String

    /// The quizzes, with their titles at the end of the line and their answers below the rows.
    static let quizzes = RecordLayout(
        columns: [
            Column("IDENTIFIER", "identifier"), Column("TAKEN AT", "takenAt", width: timeWidth),
            Column("AVERAGE", "gradePointAverage", text: hundredths), Column("ANSWERS", "answerCount"),
            Column("TITLE", "title"),
        ],
        rows: [
            Column("title", "title"), Column("identifier", "identifier"), Column("taken at", "takenAt"),
            Column("device", "device"), Column("received at", "receivedAt"), Column("updated at", "updatedAt"),
            Column("archive error", "archiveError"), Column("average", "gradePointAverage", text: hundredths),
        ],
        details: { quiz in
            (quiz["answers"]?.array ?? []).map { answer in
                let points = String(format: "%g", answer["points"]?.number ?? 0)
                let (question, choice) = (answer["question"]?.string ?? "?", answer["choice"]?.string ?? "?")
                return "  \(TerminalText.printable(question))  \(TerminalText.printable(choice))  (\(points))"
            }
        },
        ifEmpty: "no quizzes yet; send one with “watchlink submit FILE”")

    private init(
        columns: [Column], rows: [Column], details: @escaping @Sendable (JSONValue) -> [String], ifEmpty: String
    ) {
        (self.columns, self.rows, self.details, self.ifEmpty) = (columns, rows, details, ifEmpty)
    }

    /// Creates the layout of any application from the fields that its records have; the rest of a record's content
    /// follows as JSON.
    init(_ application: ApplicationDescription) {
        let fields = application.fields.map { field in
            Column(
                Self.words(field.name).uppercased(), field.name, width: field.type == .date ? Self.timeWidth : nil)
        }
        columns = [Column("IDENTIFIER", "identifier")] + fields + [Column("RECEIVED AT", "receivedAt")]
        let names =
            ["identifier"] + application.fields.map(\.name) + ["device", "receivedAt", "updatedAt", "archiveError"]
        rows = names.map { Column(Self.words($0), $0) }
        let known = Set(names + ["sequence", "isAheadOfClock"])
        details = { record in
            guard case .object(let fields) = record else { return [] }
            let rest = fields.filter { !known.contains($0.key) }
            guard !rest.isEmpty else { return [] }
            do {
                return [try JSONValue.object(rest).text(pretty: true)]
            } catch {
                return ["its content cannot be shown: \(error)"]
            }
        }
        ifEmpty =
            "no \(application.plural) yet; send one with “watchlink submit --application \(application.plural) FILE”"
    }

    /// Returns a page of a list, with the heading or without it.
    func table(_ page: [JSONValue], hasHeading: Bool) -> String {
        let rows = page.map { record in
            columns.map { column in
                let text = column.text(record[column.field])
                let isLast = column.field == columns.last?.field
                return isLast ? text : text.padding(toAtLeast: column.width)
            }
        }
        let heading = columns.map { $0.heading.padding(toAtLeast: $0.width) }
        // The heading takes part in the widths of every page.
        let table = TextTable.text([heading] + rows)
        return hasHeading ? table : String(table[table.index(after: table.firstIndex(of: "\n") ?? table.startIndex)...])
    }

    /// Returns the words of a field's name: “taken at” for “takenAt”.
    private static func words(_ field: String) -> String {
        field.map { $0.isUppercase ? " " + $0.lowercased() : String($0) }.joined()
    }

    @Sendable private static func text(_ value: JSONValue?) -> String {
        switch value {
        case .string(let text): text
        case .number(let number): "\(number)"
        case .integer(let integer): "\(integer)"
        case .boolean(let isTrue): isTrue ? "true" : "false"
        default: "?"
        }
    }

    @Sendable private static func hundredths(_ value: JSONValue?) -> String {
        String(format: "%.2f", value?.number ?? 0)
    }
}

extension String {
    fileprivate func padding(toAtLeast width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
