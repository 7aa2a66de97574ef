import Foundation
import RecordStorage

/// The parameters of a batch that is inserted by one statement, as one array for each column, and the parts of its text that
/// name them.
struct InsertParameters {
    /// $1 and $2: the kind and the host; $3: the number after which the batch's begin; then the columns.
    let parameters: [ServerParameter]
    /// “INSERT INTO … SELECT … FROM unnest(…) … AS i”, in the order of the records.
    let insertion: String

    /// - Throws: A ``StoreError`` for records that this kind's table cannot have.
    init(
        _ arrivals: [RecordArrival], digests: [Data], host: Int32, after last: Int64, of tables: RecordTables
    ) throws(StoreError) {
        let kind = tables.kind
        for arrival in arrivals { try tables.check(arrival.record) }
        var parameters: [ServerParameter] = [
            .text(kind.plural), .number(host), .integer(last),
            .identifiers(arrivals.map(\.record.key.identifier)), .identifiers(arrivals.map(\.record.key.device)),
            .integers(arrivals.map(\.receivedAt.milliseconds)), .bytes(digests), .bytes(arrivals.map(\.record.archive)),
        ]
        let fixed = parameters.count
        for place in kind.columns.indices { parameters.append(Self.column(place, of: arrivals, tables)) }
        var types = kind.columns.map(Self.arrayType)
        var names = kind.columns.indices.map { ", c\($0)" }.joined()
        var values = names
        if kind.keepsFiles {
            // An array here has no NULL: no digest is empty.
            parameters.append(.bytes(arrivals.map { $0.record.file ?? Data() }))
            types.append("bytea[]")
            names += ", file"
            values += ", nullif(i.file, ''::bytea)"
        }
        self.parameters = parameters
        let columns = types.enumerated().map { place, type in ", $\(fixed + 1 + place)::\(type)" }
        insertion = """
            INSERT INTO \(tables.table)
                (identifier, device, received_at, digest, archive\(tables.columnNames), host, sequence)
            SELECT i.identifier, i.device, i.received_at, i.digest, i.archive\(values), $2, $3 + i.position
            FROM unnest($4::uuid[], $5::uuid[], $6::bigint[], $7::bytea[], $8::bytea[]\(columns.joined()))
                WITH ORDINALITY AS i(identifier, device, received_at, digest, archive\(names), position)
            """
    }

    private static func arrayType(_ column: RecordColumn) -> String {
        switch column.type {
        case .text: "text[]"
        case .integer, .date: "bigint[]"
        case .real: "double precision[]"
        }
    }

    /// Returns one column of a batch, whose records were checked, as an array.
    private static func column(
        _ place: Int, of arrivals: [RecordArrival], _ tables: RecordTables
    ) -> ServerParameter {
        let column = tables.kind.columns[place]
        var (texts, integers, reals) = ([String](), [Int64](), [Double]())
        for arrival in arrivals {
            switch arrival.record.values[place] {
            case .text(let text): texts.append(text)
            case .integer(let integer): integers.append(integer)
            case .real(let real): reals.append(real)
            case .date(let date): integers.append(date.milliseconds)
            }
        }
        return switch column.type {
        case .text: .texts(texts)
        case .integer, .date: .integers(integers)
        case .real: .reals(reals)
        }
    }
}
