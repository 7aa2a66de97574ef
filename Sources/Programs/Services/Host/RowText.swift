package import Configuration
import ControlSocket
package import Foundation
import RecordSync

/// Many records as one text, which takes a fraction of the time of as many values: a JSON array with each record on a
/// line, in the form in which it is printed. In requests and answers it is a string in base64, the only form that a
/// decoder takes without looking for escapes.
package enum RowText {
    /// The parameter by which a client asks for the text.
    package static let parameter: (name: String, value: JSONValue) = ("rows", "base64")
    /// The field with the number of records, which the text does not tell.
    package static let count = "count"
    /// The levels of a request around the records: the request, its parameters.
    private static let levels = 2

    private static let (start, between, end) = (Data("[\n".utf8), Data(",\n".utf8), Data("\n]".utf8))

    static func isWanted(_ params: JSONValue) -> Bool { params[parameter.name] == parameter.value }

    /// Returns the fields of an answer with records as text.
    static func fields(
        of records: [StoredRecord], _ plural: String,
        _ write: @Sendable (StoredRecord, inout JSONWriter) throws -> Void
    ) throws -> [String: JSONValue] {
        let rows = try RowConversion.all(records) { records in
            var writer = JSONWriter()
            for (place, record) in records.enumerated() {
                if place > 0 { writer.nextLine() }
                try write(record, &writer)
            }
            return records.isEmpty ? [] : [Data(writer.bytes)]
        }
        let text = text(of: rows)
        return [plural: value(text), count: .integer(Int64(records.count))]
    }

    /// Returns the text of records that are encoded, each alone or several on lines of their own.
    package static func text(of rows: [Data]) -> Data {
        guard !rows.isEmpty else { return Data("[]".utf8) }
        var text = start
        text.reserveCapacity(rows.reduce(start.count + end.count) { $0 + $1.count + between.count })
        for (place, row) in rows.enumerated() {
            if place > 0 { text += between }
            text += row
        }
        return text + end
    }

    /// Returns the lines of a text without the brackets: what another page may follow.
    package static func lines(_ text: Data) -> Data {
        text.count > start.count + end.count ? text.dropFirst(start.count).dropLast(end.count) : Data()
    }

    package static func value(_ text: Data) -> JSONValue { .string(text.base64EncodedString()) }

    /// Returns the text in an answer; nil if it has another form.
    package static func text(_ value: JSONValue) -> Data? { value.string.flatMap { Data(base64Encoded: $0) } }

    /// Returns each record of a request as JSON; nil if the value is neither a list nor a text.
    static func rows(_ value: JSONValue) throws -> [Data]? {
        if let values = value.array { return try values.map { Data(try $0.text().utf8) } }
        guard let text = text(value) else { return nil }
        try RequestExtent.check(text, below: levels)
        var rows: [Data] = []
        var splitter = JSONArraySplitter()
        do {
            try splitter.append(text) { rows.append($0) }
            try splitter.finish()
        } catch let error as JSONArraySplitter.Malformed {
            throw ControlError(ControlError.invalidParams, "the records are not a JSON array: \(error)")
        }
        return rows
    }
}
