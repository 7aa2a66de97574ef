import Configuration
import Foundation
import RecordSync
import Services

/// A page of records as the host answered it.
struct RecordPage {
    private let application: ApplicationDescription
    private let text: Data
    let count: Int
    /// The place after the page; nil if it is empty, as the one after the last.
    let next: JSONValue?

    init(_ answer: JSONValue, _ application: ApplicationDescription) throws {
        self.application = application
        next = answer["next"] == .null ? nil : answer["next"]
        switch answer[application.plural] {
        case .array(let values)?:
            // A host of an earlier version knows only values.
            count = values.count
            text = RowText.text(of: try values.map { Data(try $0.text().utf8) })
        case let value?:
            guard let text = RowText.text(value), let count = answer[RowText.count]?.integer else { fallthrough }
            (self.text, self.count) = (text, Int(count))
        default:
            throw CommandError("the host answered with something else than \(application.plural); restart it")
        }
    }

    /// The records as JSON, each on a line, with commas between. Unseen characters are escaped.
    var lines: String { JSONValue.withoutUnseen(String(decoding: RowText.lines(text), as: UTF8.self)) }

    /// The values of the columns of each record.
    func records() throws -> [JSONValue] {
        do {
            return try JSONDecoder().decode([RecordColumns].self, from: text, configuration: application.fields)
                .map { .object($0.values) }
        } catch {
            throw CommandError("the host's \(application.plural) are unreadable: \(error)")
        }
    }
}
